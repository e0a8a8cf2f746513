// plumbline train, plumbline resume

#include <fmt/format.h>
#include <algorithm>

#include "blocks/register.h"
#include "cli/command.h"
#include "cli/follow_run.h"
#include "cli/libtorch_setup.h"
#include "cli/signals.h"
#include "core/text.h"
#include "graph/refusal.h"
#include "session/prove_resume.h"
#include "session/run_files.h"
#include "session/summary_json.h"
#include "session/training_session.h"

namespace plumbline::cli {
namespace {

struct TrainArguments {
    std::string project;
    std::string run;  ///< resume
    std::vector<std::string> settings;
    std::int64_t seed = -1;
    std::string device;
    std::int64_t maxSteps = 0;
    std::string name;
    std::string events;
    std::string failOn = "never";
    std::string from;  ///< train: RUN, or RUN:CHECKPOINT
    bool prove = false;
};

/// Critical findings that stayed to the end and follow from no other.
std::int64_t criticalOf(const session::TrainingSession& session) {
    const auto findings = session.findings();
    return std::count_if(findings.begin(), findings.end(),
                         [](const diagnostics::Finding& finding) { return diagnostics::isOpenCritical(finding); });
}

/// "completed", "completed, with 1 critical finding".
std::string outcomeText(const session::RunSummary& summary, std::int64_t critical) {
    return critical == 0 ? summary.status
                         : fmt::format("{}, with {}", summary.status, counted(critical, "critical finding"));
}

Json summaryJson(const session::TrainingSession& session, const session::RunSummary& summary) {
    Json findings = Json::array();
    for (const diagnostics::Finding& finding : session.findings()) {
        findings.push_back(diagnostics::toJson(finding));
    }
    Json json{{"run", session.runId()}, {"folder", session.runFolder().string()}};
    json.update(session::toJson(summary));
    json["findings"] = findings;
    json["critical_findings"] = criticalOf(session);
    return json;
}

void printSummary(const Output& output, const session::TrainingSession& session, const session::RunSummary& summary) {
    const std::int64_t critical = criticalOf(session);
    const std::string outcome = outcomeText(summary, critical);
    output.line(fmt::format("{}{} after {}, {} ({} skipped), {}: {}", outcome, critical > 0 ? "," : "",
                            counted(summary.epochs, "epoch"), counted(summary.steps.attempted, "step"),
                            summary.steps.skipped, secondsText(summary.seconds), summary.stopMessage));
    for (const auto& [name, value] : summary.metrics) {
        output.line(fmt::format("    {:<20} {}", name, numberText(value)));
    }
    output.line(fmt::format("    {} samples/s, peak {} of tensors, {}", countText(summary.samplesPerSecond),
                            bytesText(static_cast<double>(summary.peakMemoryBytes)),
                            counted(static_cast<std::int64_t>(session.findings().size()), "finding")));
    output.line(fmt::format("run {} in {}{}", session.runId(), session.runFolder().string(),
                            critical > 0 ? fmt::format(": {} (see plumbline findings)", outcome) : ""));
}

/// Refuses before anything is written when the project has a critical problem.
Status checkFirst(const project::Project& project, const Output& output) {
    const project::CheckReport report = project::checkProject(project, blocks::builtinBlocks());
    PLUMBLINE_TRY(graph::refuseCritical(report.problems));
    for (const graph::Problem& problem : report.problems) {
        output.message(fmt::format("{}: {}", graph::toString(problem.severity), problem.message));
    }
    return {};
}

Result<int> follow(session::TrainingSession& session, const Output& output) {
    const Result<session::RunSummary> summary = followRun(session, output);
    if (!summary) {
        return fail(summary.error());
    }
    output.document(summaryJson(session, *summary));
    printSummary(output, session, *summary);
    if (summary->stopCode == "finding") {
        return static_cast<int>(ErrorKind::kFinding);
    }
    return summary->status == "stopped" ? exitCodeOf(session.control().stopReason()) : 0;
}

Result<std::optional<graph::Severity>> parseFailOn(const std::string& text) {
    if (text == "critical") {
        return graph::Severity::kCritical;
    }
    if (text == "warning") {
        return graph::Severity::kWarning;
    }
    return std::nullopt;
}

/// A kill leaves a run that can go on; a new one begins beside it, and the person is told.
void tellOfInterrupted(const project::Project& project, const std::string& asked, const Output& output) {
    const auto runs = store::listRuns(project.folder / "runs");
    if (!runs) {
        return;  // making the new run says what is wrong with the folder
    }
    for (const store::RunInfo& run : *runs) {
        if (run.status == "interrupted" && session::checkpointOfRun(run.folder)) {
            output.message(fmt::format(
                "Run {} was interrupted at step {}: \"plumbline resume {} {}\" goes on with it; this is a new run.",
                run.name.empty() ? run.id : run.name, run.stepsAttempted, shellQuoted(asked), run.id));
            return;
        }
    }
}

/// RUN, or RUN:CHECKPOINT, which is best, last, a step or a file of the run's checkpoints; without one the newest.
Result<session::BranchPoint> branchPoint(const project::Project& project, const std::string& from) {
    const std::size_t colon = from.rfind(':');
    std::string which = colon == std::string::npos ? "last" : from.substr(colon + 1);
    if (which.starts_with("step ")) {
        which.erase(0, 5);
    }
    PLUMBLINE_ASSIGN(const store::RunInfo run, findRunOf(project, from.substr(0, colon)));
    PLUMBLINE_ASSIGN(const std::filesystem::path file, checkpointOf(run, which.empty() ? "last" : which));
    return session::BranchPoint{file, run.id};
}

Result<int> runTrain(const TrainArguments& arguments, const std::string& commandLine, const Output& output) {
    std::vector<std::string> settings = arguments.settings;
    if (arguments.seed >= 0) {
        settings.push_back(fmt::format("training.seed={}", arguments.seed));
    }
    if (!arguments.device.empty()) {
        settings.push_back("training.device=" + arguments.device);
    }
    session::SessionOptions options;
    PLUMBLINE_ASSIGN(options.project, openWithSettings(arguments.project, settings));
    PLUMBLINE_TRY(store::checkRunName(arguments.name));
    PLUMBLINE_TRY(checkFirst(options.project, output));
    PLUMBLINE_ASSIGN(options.failOn, parseFailOn(arguments.failOn));
    if (arguments.from.empty()) {
        tellOfInterrupted(options.project, arguments.project, output);
    } else {
        PLUMBLINE_ASSIGN(options.branch, branchPoint(options.project, arguments.from));
    }
    PLUMBLINE_ASSIGN(auto engine, engineFor());
    options.runsFolder = options.project.folder / "runs";
    options.runName = arguments.name;
    options.maxSteps = arguments.maxSteps;
    options.eventsFile = arguments.events;
    options.commandLine = commandLine;
    PLUMBLINE_ASSIGN(const auto session, session::TrainingSession::create(std::move(options), std::move(engine)));
    return follow(*session, output);
}

std::string proofText(const session::Proof& proof) {
    const store::SeriesComparison& series = proof.series;
    const session::CheckpointComparison& checkpoint = proof.checkpoint;
    const std::string steps = fmt::format("from step {} to step {}", proof.fromStep, proof.toStep);
    if (proof.passed()) {
        return fmt::format(
            "Passed: {} the run goes on exactly; {} of losses, metrics and rates and {} of weights, optimizer and "
            "generators are the same, bit for bit.",
            steps, counted(series.values, "value"), counted(checkpoint.tensors, "tensor"));
    }
    if (!series.equal()) {
        return fmt::format("Differs {}: first in {} of step {}, {} in the run and {} again; {} of {} values differ.",
                           steps, series.firstSeries, series.firstStep, numberText(series.firstA, 9),
                           numberText(series.firstB, 9), series.different, series.values);
    }
    return fmt::format("Differs {}: the values are the same, but {} of {} tensors are not, first {}: {}.", steps,
                       checkpoint.different, checkpoint.tensors, checkpoint.first, checkpoint.how);
}

Result<int> runProof(const project::Project& project, const store::RunInfo& run, const Output& output) {
    PLUMBLINE_ASSIGN(const auto engine, engineFor());
    int signalled = 0;
    const auto proof = session::proveResume(project, run.folder, engine, [&](session::TrainingSession& session) {
        auto summary = followRun(session, output);
        signalled = exitCodeOf(session.control().stopReason());
        return summary;
    });
    if (!proof) {
        Error error = proof.error();
        if (error.kind == ErrorKind::kInterrupted && signalled == static_cast<int>(ErrorKind::kTerminated)) {
            error.kind = ErrorKind::kTerminated;
        }
        return fail(std::move(error));
    }
    output.document(session::toJson(*proof));
    output.line(proofText(*proof));
    return proof->passed() ? 0 : static_cast<int>(ErrorKind::kVerification);
}

/// A run that would end as soon as it goes on is not begun.
Status refuseWhatIsDone(const store::RunInfo& run, std::int64_t maxSteps, const std::string& project) {
    const std::string name = run.name.empty() ? run.id : run.name;
    if (run.status == "completed") {
        const Json why = run.stopReason.is_object() ? run.stopReason.value("message", Json()) : Json();
        return fail(
            ErrorKind::kUsage, "run-completed",
            fmt::format("Run {} has completed its plan. {}", name, why.is_string() ? why.get<std::string>() : ""),
            run.folder.string(),
            fmt::format(
                "For more, raise training.stop in the project and go on as a new run: plumbline train {} --from {}",
                shellQuoted(project), run.id));
    }
    if (run.status == "stopped" && maxSteps > 0 && maxSteps <= run.stepsAttempted) {
        return fail(
            ErrorKind::kUsage, "nothing-left-to-train",
            fmt::format("Run {} has done {}, and is to end after {} of them.", name,
                        counted(run.stepsAttempted, "step"), maxSteps),
            run.folder.string(),
            fmt::format("Give --max-steps more than {}, as it counts from the run's first step, or leave it out.",
                        run.stepsAttempted));
    }
    return {};
}

Result<int> runResume(const TrainArguments& arguments, const std::string& commandLine, const Output& output) {
    session::SessionOptions options;
    PLUMBLINE_ASSIGN(options.project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const store::RunInfo run, findRunOf(options.project, arguments.run));
    if (arguments.prove) {
        return runProof(options.project, run, output);
    }
    PLUMBLINE_TRY(refuseWhatIsDone(run, arguments.maxSteps, arguments.project));
    PLUMBLINE_ASSIGN(options.failOn, parseFailOn(arguments.failOn));
    PLUMBLINE_ASSIGN(auto engine, engineFor());
    options.runsFolder = options.project.folder / "runs";
    options.resumeRun = run.id;
    options.maxSteps = arguments.maxSteps;
    options.eventsFile = arguments.events;
    options.commandLine = commandLine;
    PLUMBLINE_ASSIGN(const auto session, session::TrainingSession::create(std::move(options), std::move(engine)));
    return follow(*session, output);
}

void addCommon(CLI::App* command, TrainArguments& arguments) {
    command
        ->add_option("--max-steps", arguments.maxSteps,
                     "End early after so many steps of the run; never changes a schedule")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 53));
    command->add_option("--events", arguments.events, "Write events to this file as JSON lines");
    command
        ->add_option("--fail-on", arguments.failOn,
                     "End with exit code 4 at a finding this bad: critical, warning, never")
        ->check(CLI::IsMember({"critical", "warning", "never"}))
        ->capture_default_str();
}

}  // namespace

void registerTrain(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<TrainArguments>();
    CLI::App* train = app.add_subcommand(
        "train", "Train a project: always a new run; says so when an interrupted one can be resumed");
    train->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    train->add_option("--set", arguments->settings, "Change a setting for this run, as training.optimizer.lr=0.01");
    train->add_option("--seed", arguments->seed, "training.seed for this run")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 53));
    train->add_option("--device", arguments->device, "auto, cpu or cuda:i");
    train->add_option("--run-name", arguments->name, "A name for the run");
    train->add_option("--from", arguments->from,
                      "Go on from a checkpoint of another run, as RUN, RUN:best or RUN:120: its weights, optimizer "
                      "state and place in the schedule, "
                      "with the project's settings as they are now; epochs and steps count on");
    addCommon(train, *arguments);
    train->callback([&invocation, arguments] {
        invocation.run = [&invocation, arguments](const Output& output) {
            return runTrain(*arguments, invocation.commandLine, output);
        };
    });

    auto again = std::make_shared<TrainArguments>();
    CLI::App* resume = app.add_subcommand("resume", "Go on with a run exactly where its newest whole checkpoint is");
    resume->add_option("PROJECT", again->project, "Folder or project.json")->required();
    resume->add_option("RUN", again->run, "Run id, name, latest or best")->required();
    resume->add_flag("--prove", again->prove,
                     "Leave the run as it is and try on a copy whether it goes on exactly: train from its second "
                     "newest checkpoint to its newest "
                     "and compare; exit code 6 where a bit differs");
    addCommon(resume, *again);
    resume->callback([&invocation, again] {
        invocation.run = [&invocation, again](const Output& output) {
            return runResume(*again, invocation.commandLine, output);
        };
    });
}

}  // namespace plumbline::cli
