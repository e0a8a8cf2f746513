// plumbline compile

#include "cli/command.h"
#include "cli/compiled_view.h"
#include "cli/libtorch_setup.h"
#include "cli/signals.h"

namespace plumbline::cli {
namespace {

struct CompileArguments {
    std::string project;
    std::string run;
    std::string checkpoint;
    std::string device = "cpu";
    std::int64_t batch = 0;
};

Result<int> runCompile(const CompileArguments& arguments, const Output& output) {
    session::CompileRequest request;
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const UsedRun used, findRunToUse(project, arguments.project, arguments.run, output));
    PLUMBLINE_ASSIGN(request.project, projectOfRun(project, used.info));
    PLUMBLINE_ASSIGN(request.checkpoint, checkpointOf(used.info, arguments.checkpoint));
    request.batchSize = arguments.batch;
    request.device = arguments.device;
    PLUMBLINE_ASSIGN(const auto engine, engineFor());
    RunControl control;
    const SignalScope signals(control);
    const auto report = engine->compile(request, control);
    if (!report) {
        return fail(withOtherCheckpoint(report.error(), used.info, request.checkpoint));
    }
    Json document = *report;
    document["run"] = used.info.id;
    document["checkpoint"] = request.checkpoint.string();
    document["critical_findings"] = used.criticalFindings;
    output.document(document);
    output.table(compiledTable(*report));
    return 0;
}

}  // namespace

void registerCompile(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<CompileArguments>();
    CLI::App* command = app.add_subcommand(
        "compile", "Try which blocks of a trained model run faster compiled, and as right: changes nothing");
    command->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    command->add_option("RUN", arguments->run, "Run id, name, latest or best")->required();
    command
        ->add_option("--batch", arguments->batch, "Samples in a pass that is timed; left out: the project's batch_size")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20));
    command->add_option("--device", arguments->device, "cpu or cuda:i")->capture_default_str();
    addCheckpointOption(command, arguments->checkpoint);
    command->footer("plumbline evaluate and plumbline predict use what is faster with --compile.");
    command->callback([&invocation, arguments] {
        invocation.run = [arguments](const Output& output) { return runCompile(*arguments, output); };
    });
}

}  // namespace plumbline::cli
