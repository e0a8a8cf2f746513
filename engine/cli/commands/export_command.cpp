// plumbline export

#include <fmt/format.h>

#include "blocks/register.h"
#include "cli/command.h"
#include "cli/libtorch_setup.h"
#include "cli/signals.h"
#include "graph/refusal.h"

namespace plumbline::cli {
namespace {

struct ExportArguments {
    std::string project;
    std::string run;
    std::string format;
    std::string folder;
    bool verify = false;
    std::vector<std::string> settings;
};

Result<int> runExport(const ExportArguments& arguments, const Output& output) {
    session::ExportRequest request;
    PLUMBLINE_ASSIGN(request.project, openWithSettings(arguments.project, arguments.settings));
    if (!arguments.run.empty()) {
        PLUMBLINE_ASSIGN(const store::RunInfo run, findRunOf(request.project, arguments.run));
        PLUMBLINE_ASSIGN(request.project, projectOfRun(request.project, run));
        PLUMBLINE_ASSIGN(request.checkpoint, checkpointOf(run));
    }
    PLUMBLINE_TRY(graph::refuseCritical(project::checkProject(request.project, blocks::builtinBlocks()).problems));
    request.format = arguments.format;
    request.folder = arguments.folder;
    request.verify = arguments.verify;
    PLUMBLINE_ASSIGN(const auto engine, engineFor());
    RunControl control;
    const SignalScope signals(control);
    PLUMBLINE_ASSIGN(const session::ExportReport result,
                     engine->exportModel(request, control, [&output](const std::string& text) { output.message(text); }));
    Json document{{"format", request.format}, {"files", result.files}, {"notes", result.notes}};
    document["parity"] = {{"checked", result.checked}, {"forward_max", result.forwardMax}, {"training_max", result.trainingMax}, {"worst", result.worst}, {"passed", result.passed}};
    output.document(document);
    for (const std::string& file : result.files) {
        output.line(file);
    }
    for (const std::string& note : result.notes) {
        output.line(note);
    }
    if (result.checked) {
        output.line(fmt::format("parity: forward {:.3g}, training {:.3g}: {}", result.forwardMax, result.trainingMax, result.passed ? "holds" : "does not hold"));
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
    command->add_flag("--verify", arguments->verify, "Build or load what was written and compare its numbers; exit code 6 when they differ");
    command->add_option("--set", arguments->settings, "Change a setting for this command, as a.b=v");
    command->callback([&invocation, arguments] { invocation.run = [arguments](const Output& output) { return runExport(*arguments, output); }; });
}

}  // namespace plumbline::cli
