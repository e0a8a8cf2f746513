// plumbline export

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "blocks/register.h"
#include "cli/command.h"
#include "cli/libtorch_setup.h"
#include "cli/signals.h"
#include "core/text.h"
#include "graph/refusal.h"
#include "session/export_formats.h"

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

/// What was compared and how far it was apart at most.
std::string comparedText(const session::ExportReport& report) {
    if (!report.forwardMax) {
        return "every tensor of the file read back";
    }
    const std::string forward = fmt::format("forward {}", numberText(*report.forwardMax, 3));
    return report.trainingMax ? fmt::format("{}, training {}", forward, numberText(*report.trainingMax, 3)) : forward;
}

Result<int> runExport(const ExportArguments& arguments, const Output& output) {
    session::ExportRequest request;
    PLUMBLINE_ASSIGN(request.project, openWithSettings(arguments.project, arguments.settings));
    UsedRun used;
    const store::RunInfo& run = used.info;
    if (!arguments.run.empty()) {
        PLUMBLINE_ASSIGN(used, findRunToUse(request.project, arguments.project, arguments.run, output));
        PLUMBLINE_ASSIGN(request.project, projectOfRun(request.project, run));
        PLUMBLINE_ASSIGN(request.checkpoint, checkpointOf(run, arguments.checkpoint));
    } else if (!arguments.checkpoint.empty()) {
        return fail(ErrorKind::kUsage, "usage", "--checkpoint needs a RUN whose checkpoint it is", {},
                    "Name the run after the project.");
    }
    PLUMBLINE_TRY(graph::refuseCritical(project::checkProject(request.project, blocks::builtinBlocks()).problems));
    request.format = arguments.format;
    request.folder = arguments.folder;
    request.verify = arguments.verify;
    PLUMBLINE_ASSIGN(const auto engine, engineFor());
    RunControl control;
    const SignalScope signals(control);
    const auto exported =
        engine->exportModel(request, control, [&output](const std::string& text) { output.message(text); });
    if (!exported) {
        return fail(arguments.run.empty() ? exported.error()
                                          : withOtherCheckpoint(exported.error(), run, request.checkpoint));
    }
    const session::ExportReport& result = *exported;
    Json document{
        {"format", request.format}, {"files", result.files}, {"notes", result.notes}, {"commands", result.commands}};
    document["run"] = arguments.run.empty() ? Json() : Json(run.id);
    document["critical_findings"] = used.criticalFindings;
    const auto number = [](const std::optional<double>& value) {
        return !value ? Json() : std::isfinite(*value) ? Json(*value) : Json("infinite");
    };
    document["parity"] = {{"checked", result.checked},
                          {"forward_max", number(result.forwardMax)},
                          {"training_max", number(result.trainingMax)},
                          {"worst", result.worst},
                          {"passed", result.passed}};
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
        output.line(fmt::format("parity: {}: {}", comparedText(result), result.passed ? "holds" : "does not hold"));
        if (!result.passed) {
            return static_cast<int>(ErrorKind::kVerification);
        }
    }
    return 0;
}

}  // namespace

void registerExport(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<ExportArguments>();
    CLI::App* command =
        app.add_subcommand("export", "Take a model away: as C++ project, TorchScript or weights for PyTorch");
    command->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    command->add_option("RUN", arguments->run, "Run id, name, latest or best; left out: initial weights of the seed");
    std::vector<std::string> names, compared;
    for (const session::ExportFormat& format : session::exportFormats()) {
        names.emplace_back(format.name);
        compared.push_back(fmt::format("{}: {}", format.name, format.compared));
    }
    command->add_option("--format", arguments->format, fmt::format("{}", fmt::join(names, ", ")))
        ->required()
        ->check(CLI::IsMember(names));
    command->add_option("--out", arguments->folder, "Folder to write into")->required();
    addCheckpointOption(command, arguments->checkpoint);
    command->add_flag("--verify", arguments->verify,
                      fmt::format("Build or load what was written and compare ({}); exit code 6 when they differ",
                                  fmt::join(compared, "; ")));
    command->add_option("--set", arguments->settings, "Change a setting for this command, as a.b=v");
    command->callback([&invocation, arguments] {
        invocation.run = [arguments](const Output& output) { return runExport(*arguments, output); };
    });
}

}  // namespace plumbline::cli
