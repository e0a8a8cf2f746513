// plumbline export

#include <fmt/format.h>

#include "blocks/register.h"
#include "cli/command.h"
#include "cli/libtorch_setup.h"
#include "cli/signals.h"
#include "core/text.h"
#include "graph/refusal.h"

namespace plumbline::cli {
namespace {

struct ExportArguments {
    std::string project;
    std::string run;
    std::string format;
    std::string folder;
    bool verify = false;
    std::string checkpoint;
    std::vector<std::string> settings;
};

Result<int> runExport(const ExportArguments& arguments, const Output& output) {
    session::ExportRequest request;
    PLUMBLINE_ASSIGN(request.project, openWithSettings(arguments.project, arguments.settings));
    store::RunInfo run;
    if (!arguments.run.empty()) {
        PLUMBLINE_ASSIGN(run, findRunOf(request.project, arguments.run));
        PLUMBLINE_ASSIGN(request.project, projectOfRun(request.project, run));
        PLUMBLINE_ASSIGN(request.checkpoint, checkpointOf(run, arguments.checkpoint));
    } else if (!arguments.checkpoint.empty()) {
        return fail(ErrorKind::kUsage, "usage", "--checkpoint needs a RUN whose checkpoint it is", {}, "Name the run after the project.");
    }
    PLUMBLINE_TRY(graph::refuseCritical(project::checkProject(request.project, blocks::builtinBlocks()).problems));
    request.format = arguments.format;
    request.folder = arguments.folder;
    request.verify = arguments.verify;
    PLUMBLINE_ASSIGN(const auto engine, engineFor());
    RunControl control;
    const SignalScope signals(control);
    const auto exported = engine->exportModel(request, control, [&output](const std::string& text) { output.message(text); });
    if (!exported) {
        return fail(arguments.run.empty() ? exported.error() : withOtherCheckpoint(exported.error(), run, request.checkpoint));
    }
    const session::ExportReport& result = *exported;
    Json document{{"format", request.format}, {"files", result.files}, {"notes", result.notes}, {"commands", result.commands}};
    document["parity"] = {{"checked", result.checked}, {"forward_max", result.forwardMax}, {"training_max", result.trainingMax}, {"worst", result.worst}, {"passed", result.passed}};
    output.document(document);
    for (const std::string& file : result.files) {
        output.line(file);
    }
    for (const std::string& note : result.notes) {
        output.line(note);
    }
    for (const std::string& command : result.commands) {
        output.line("    " + command);
    }
    if (result.checked) {
        output.line(fmt::format("parity: forward {}, training {}: {}", numberText(result.forwardMax, 3), numberText(result.trainingMax, 3), result.passed ? "holds" : "does not hold"));
        if (!result.passed) {
            return static_cast<int>(ErrorKind::kVerification);
        }
    }
    return 0;
}

}  // namespace

void registerExport(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<ExportArguments>();
    CLI::App* command = app.add_subcommand("export", "Take a model away: as C++ project, TorchScript or weights for PyTorch");
    command->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    command->add_option("RUN", arguments->run, "Run id, name, latest or best; left out: initial weights of the seed");
    command->add_option("--format", arguments->format, "cpp, torchscript or state-dict")->required()->check(CLI::IsMember({"cpp", "torchscript", "state-dict"}));
    command->add_option("--out", arguments->folder, "Folder to write into")->required();
    addCheckpointOption(command, arguments->checkpoint);
    command->add_flag("--verify", arguments->verify, "Build or load what was written and compare its numbers; exit code 6 when they differ");
    command->add_option("--set", arguments->settings, "Change a setting for this command, as a.b=v");
    command->callback([&invocation, arguments] { invocation.run = [arguments](const Output& output) { return runExport(*arguments, output); }; });
}

}  // namespace plumbline::cli
