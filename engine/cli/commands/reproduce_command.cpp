// plumbline reproduce

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/command.h"
#include "cli/follow_run.h"
#include "cli/libtorch_setup.h"
#include "cli/signals.h"
#include "core/text.h"
#include "session/training_session.h"
#include "store/compare_series.h"

namespace plumbline::cli {
namespace {

struct ReproduceArguments {
    std::string project;
    std::string run;
    std::int64_t maxSteps = 0;
};

/// Where a branched run began: its parent's checkpoint, which has to be there still.
Result<std::optional<session::BranchPoint>> branchPointOf(const store::RunInfo& run, session::Engine& engine) {
    if (run.parent.empty()) {
        return std::nullopt;
    }
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(run.folder));
    PLUMBLINE_ASSIGN(const Json choices, reader->record("choices"));
    // At the parent's end there may be two of that step: as it was trained, and with the best weights back.
    const bool restoredBest = choices.value(Json::json_pointer("/parent/restored_best"), false);
    const std::filesystem::path folder = run.folder.parent_path() / run.parent / "checkpoints";
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const auto facts = it->path().extension() == ".ckpt"
                               ? engine.checkpointFacts(it->path())
                               : Result<session::CheckpointFacts>(session::CheckpointFacts{-1, 0, 0, false, false});
        if (facts && facts->step == run.parentStep && facts->restoredBest == restoredBest) {
            return session::BranchPoint{it->path(), run.parent};
        }
    }
    return fail(ErrorKind::kUsage, "parent-checkpoint-gone",
                fmt::format("Run {} began at step {} of run {}, whose checkpoint is not there any more", run.id,
                            run.parentStep, run.parent),
                folder.string(), "Reproduce the parent, which writes it again, and branch from there.");
}

/// What is not the same for the two runs besides their numbers: device, threads, versions.
Json environmentDifferences(const Json& a, const Json& b) {
    Json found = Json::array();
    for (const char* pointer :
         {"/device", "/threads", "/memory_format", "/flags", "/versions/plumbline", "/versions/libtorch",
          "/versions/compiler", "/versions/os", "/versions/cpu", "/versions/driver", "/versions/cuda"}) {
        const Json::json_pointer place(pointer);
        const Json left = a.is_object() && a.contains(place) ? a.at(place) : Json(),
                   right = b.is_object() && b.contains(place) ? b.at(place) : Json();
        if (left != right) {
            found.push_back({{"what", std::string(pointer).substr(1)}, {"run", left}, {"again", right}});
        }
    }
    return found;
}

/// What the last step has in any case; a validation or a test after it belongs to an end that the other run may not
/// have had.
Result<store::SeriesComparison> compare(const store::RunReader& a, const store::RunReader& b, std::int64_t lastStep,
                                        bool sameEnd) {
    if (sameEnd) {
        return store::compareSeries(a, b, -1, lastStep);
    }
    PLUMBLINE_ASSIGN(store::SeriesComparison comparison, store::compareSeries(a, b, -1, lastStep - 1));
    PLUMBLINE_ASSIGN(const store::SeriesComparison last,
                     store::compareSeries(a, b, lastStep - 1, lastStep, [](const std::string& series) {
                         return series == "train.loss" || series == "lr";
                     }));
    comparison.add(last);
    return comparison;
}

std::string verdictText(const store::SeriesComparison& comparison, const std::string& run, std::int64_t steps,
                        const Json& environment) {
    std::string text =
        comparison.equal()
            ? fmt::format("Passed: {} gives the numbers of run {} again, {} over {}, bit for bit.",
                          counted(steps, "step"), run, counted(comparison.values, "value"),
                          counted(comparison.series, "series", "series"))
            : fmt::format(
                  "Differs from run {}: {} of {} values, first {} of step {}: {} then, {} now; the largest difference "
                  "is {}.",
                  run, comparison.different, comparison.values, comparison.firstSeries, comparison.firstStep,
                  numberText(comparison.firstA, 9), numberText(comparison.firstB, 9), numberText(comparison.largest));
    if (!comparison.equal() && environment.empty()) {
        text += " Device, threads and versions are the same; on the CPU the numbers should be as well.";
    }
    return text;
}

Result<int> runReproduce(const ReproduceArguments& arguments, const std::string& commandLine, const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const store::RunInfo run, findRunOf(project, arguments.run));
    if (run.stepsAttempted <= run.parentStep) {
        return fail(ErrorKind::kUsage, "nothing-to-reproduce", fmt::format("Run {} has no step", run.id),
                    run.folder.string(), "Name a run that has trained.");
    }
    PLUMBLINE_ASSIGN(auto engine, engineFor());
    session::SessionOptions options;
    PLUMBLINE_ASSIGN(options.project, projectOfRun(project, run));
    PLUMBLINE_ASSIGN(options.branch, branchPointOf(run, *engine));
    options.runsFolder = project.folder / "runs";
    options.repeats = run.id;
    options.maxSteps = arguments.maxSteps > 0 ? std::min(arguments.maxSteps, run.stepsAttempted) : run.stepsAttempted;
    options.commandLine = commandLine;
    PLUMBLINE_ASSIGN(const auto session, session::TrainingSession::create(std::move(options), std::move(engine)));
    PLUMBLINE_ASSIGN(const session::RunSummary summary, followRun(*session, output));
    PLUMBLINE_ASSIGN(const auto original, store::RunReader::open(run.folder));
    PLUMBLINE_ASSIGN(const auto again, store::RunReader::open(session->runFolder()));
    PLUMBLINE_ASSIGN(const Json choices, original->record("choices"));
    PLUMBLINE_ASSIGN(const Json choicesAgain, again->record("choices"));
    const std::int64_t steps = summary.steps.attempted;
    const bool sameEnd = run.status == "completed" && steps == run.stepsAttempted;
    PLUMBLINE_ASSIGN(const store::SeriesComparison comparison, compare(*original, *again, steps, sameEnd));
    const Json environment = environmentDifferences(choices, choicesAgain);
    const int signalled = exitCodeOf(session->control().stopReason());
    const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
    Json first;
    if (!comparison.equal()) {
        first = {{"what", comparison.firstSeries},
                 {"step", comparison.firstStep},
                 {"run", number(comparison.firstA)},
                 {"again", number(comparison.firstB)}};
    }
    output.document(Json{{"verdict", comparison.equal() ? "passed" : "differs"},
                         {"of", run.id},
                         {"run", session->runId()},
                         {"steps", steps},
                         {"compared", {{"series", comparison.series}, {"values", comparison.values}}},
                         {"first_difference", first},
                         {"largest_difference", comparison.largest},
                         {"environment", environment}});
    for (const Json& difference : environment) {
        output.line(fmt::format("{}: {} then, {} now", difference["what"].get<std::string>(), difference["run"].dump(),
                                difference["again"].dump()));
    }
    output.line(verdictText(comparison, run.id, steps, environment));
    output.line(fmt::format("run {} in {}", session->runId(), session->runFolder().string()));
    return !comparison.equal() ? static_cast<int>(ErrorKind::kVerification) : signalled;
}

}  // namespace

void registerReproduce(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<ReproduceArguments>();
    CLI::App* reproduce = app.add_subcommand(
        "reproduce", "Train a run again from its own record, as a new run, and compare every number");
    reproduce->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    reproduce->add_option("RUN", arguments->run, "Run id, name, latest or best")->required();
    reproduce->add_option("--max-steps", arguments->maxSteps, "Only the first so many steps of the run")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 53));
    reproduce->callback([&invocation, arguments] {
        invocation.run = [&invocation, arguments](const Output& output) {
            return runReproduce(*arguments, invocation.commandLine, output);
        };
    });
}

}  // namespace plumbline::cli
