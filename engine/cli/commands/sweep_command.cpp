// plumbline sweep, plumbline sweeps

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>
#include <tuple>

#include "blocks/register.h"
#include "cli/command.h"
#include "cli/commands/sweep_length.h"
#include "cli/finite.h"
#include "cli/signals.h"
#include "core/process.h"
#include "core/text.h"
#include "graph/refusal.h"
#include "project/varied_settings.h"
#include "sweep/sweep_queue.h"

namespace plumbline::cli {
namespace {

constexpr std::int64_t kMostTrials = 1'000'000;
constexpr auto kPoll = std::chrono::milliseconds(50);
/// Stop codes of a run that has ended as it should.
constexpr const char* kEndings[] = {"max_steps", "epochs", "early_stopping", "target", "time"};

struct SweepArguments {
    std::string project;
    std::string resume;
    std::string stop;
    double timeout = 60;  ///< of a stop, seconds
    sweep::SweepPlan plan;
    std::string mode;
    std::string device;
    int parallel = 1;
};

std::filesystem::path sweepsOf(const project::Project& project) {
    return project.folder / "sweeps";
}

/// The values at the ends of a parameter, which the project has to take: what lies between them is of the same kind.
std::vector<std::string> probes(const sweep::Parameter& parameter) {
    return parameter.isRange() ? std::vector{parameter.at(0), parameter.at(1)} : parameter.choices;
}

/// A misspelt setting or a value of the wrong type is told before the first trial.
Status checkValues(const project::Project& project, const std::vector<std::string>& over) {
    for (const std::string& text : over) {
        PLUMBLINE_ASSIGN(const sweep::Parameter parameter, sweep::parseParameter(text));
        for (const std::string& value : probes(parameter)) {
            PLUMBLINE_TRY(project::withSetting(project, parameter.path, value));
        }
    }
    return {};
}

/// What is tried although nothing reads it: the sweep is what was asked for, so it goes on.
Result<std::vector<std::string>> warningsOf(const project::Project& configured, const std::vector<std::string>& over) {
    std::vector<project::VariedSetting> varied;
    for (const std::string& text : over) {
        PLUMBLINE_ASSIGN(const sweep::Parameter parameter, sweep::parseParameter(text));
        varied.push_back({parameter.path, probes(parameter)});
    }
    std::vector<std::string> warnings;
    for (const graph::Problem& problem : project::variedWithoutEffect(configured, varied)) {
        warnings.push_back(problem.message);
    }
    return warnings;
}

/// What is judged where --metric says nothing: as the project chooses its best checkpoint, else the loss of the
/// validation. `project` has the settings of every trial.
Status chooseSeries(SweepArguments& arguments, const project::Project& project) {
    const plan::CheckpointSpec& checkpoints = project.training.checkpoints;
    sweep::SweepPlan& plan = arguments.plan;
    const bool own = !checkpoints.bestSeries.empty() && (plan.series.empty() || plan.series == checkpoints.bestSeries);
    if (plan.series.empty()) {
        plan.series = own ? checkpoints.bestSeries : "val.loss";
    }
    const std::optional<bool> larger = plan::largerIsBetter(project.training, plan.series);
    if (!larger) {
        return fail(ErrorKind::kUsage, "sweep-series-unknown",
                    fmt::format("The trials are to be judged by {}, which is no number that the project measures.",
                                shortened(oneLine(plan.series))),
                    "/training/metrics",
                    "Take val.loss, or add the metric to training.metrics and name it as val.accuracy.");
    }
    if (plan.series.starts_with("val.") &&
        (project.data.splits.validation <= 0 || project.training.validationEvery == 0)) {
        return fail(ErrorKind::kUsage, "sweep-series-unknown",
                    fmt::format("The trials are to be judged by {}, but nothing is validated.", plan.series),
                    "/data/splits/validation",
                    "Give data.splits.validation a share and set training.validation.every to 1, or judge by --metric "
                    "train.loss.");
    }
    plan.isMax = arguments.mode.empty() ? (own ? checkpoints.bestIsMax : *larger) : arguments.mode == "max";
    return {};
}

/// Whether a run is called as one of a sweep's trials: <name>-<number>.
bool isTrialOf(const std::string& sweep, const std::string& run) {
    if (!run.starts_with(sweep + "-")) {
        return false;
    }
    const std::string number = run.substr(sweep.size() + 1);
    return !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
}

const store::RunInfo* runOfSweep(const std::vector<store::RunInfo>& runs, const std::string& sweep) {
    const auto found =
        std::find_if(runs.begin(), runs.end(), [&](const store::RunInfo& run) { return isTrialOf(sweep, run.name); });
    return found == runs.end() ? nullptr : &*found;
}

/// The run of a trial by its full name, never by the beginning of another's id; of several the one that the trial has
/// on record, or the newest.
std::optional<store::RunInfo> runOfTrial(const std::filesystem::path& runsFolder, const sweep::TrialTask& task) {
    const auto runs = store::listRuns(runsFolder);
    std::optional<store::RunInfo> found;
    for (const store::RunInfo& run : runs ? *runs : std::vector<store::RunInfo>{}) {
        if (run.name == task.runName && (!found || run.id == task.trial.run)) {
            found = run;
        }
    }
    return found;
}

bool statesThreads(const std::vector<std::string>& settings) {
    return std::any_of(settings.begin(), settings.end(),
                       [](const std::string& setting) { return setting.starts_with("training.threads="); });
}

/// What a run gave of the series that decides.
struct Values {
    std::optional<double> best;
    bool any = false;  ///< also where none of them is a number
};
Values valuesOf(const std::filesystem::path& runFolder, const sweep::SweepPlan& plan) {
    Values values;
    if (const auto reader = store::RunReader::open(runFolder)) {
        const Status read = (*reader)->points(plan.series, [&](const store::StoredPoint& point) {
            values.any = true;
            if (std::isfinite(point.value) && (!values.best || plan.lossOf(point.value) < plan.lossOf(*values.best))) {
                values.best = point.value;
            }
        });
        return read ? values : Values();
    }
    return values;
}

std::string lastLine(const std::string& output) {
    const std::size_t end = output.find_last_not_of("\n ");
    if (end == std::string::npos) {
        return {};
    }
    const std::size_t start = output.rfind('\n', end);
    return oneLine(shortened(std::string_view(output).substr(start == std::string::npos ? 0 : start + 1,
                                                             end - (start == std::string::npos ? 0 : start + 1) + 1),
                             300));
}

/// Trains in a process of its own: whatever becomes of it, the others go on, and its run's folder has one writer.
class TrialProcess {
public:
    /// `project` has the settings of every trial.
    TrialProcess(const project::Project& project, const SweepArguments& arguments)
        : m_project(project), m_arguments(arguments) {
        std::error_code error;
        m_program = std::filesystem::read_symlink("/proc/self/exe", error);
        m_folder = std::filesystem::current_path(error);
        m_folder = error ? std::filesystem::path("/") : m_folder;
        // Trials that run beside each other share the cores, unless the project says how many threads it wants.
        const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        if (arguments.parallel > 1 && project.training.threads == 0 && !statesThreads(arguments.plan.settings)) {
            m_threads = std::max(1, cores / arguments.parallel);
        }
    }

    sweep::TrialOutcome operator()(const sweep::TrialTask& task, RunControl& control) const {
        const auto before = runOfTrial(m_project.folder / "runs", task);
        const bool goesOn = before.has_value() && before->status != "unreadable";
        if (goesOn && isWritten(*before)) {
            return leftAlone(*before);
        }
        if (goesOn && hasEnded(*before, task.maxSteps)) {
            const Values values = valuesOf(before->folder, m_arguments.plan);
            return sweep::TrialOutcome{false, before->id, values.best, whyNone(values)};
        }
        std::vector<std::string> command{m_program.string(), goesOn ? "resume" : "train", m_project.folder.string()};
        if (goesOn) {
            command.push_back(before->id);
        } else {
            addSettings(task, command);
        }
        if (task.maxSteps > 0) {
            command.insert(command.end(), {"--max-steps", std::to_string(task.maxSteps)});
        }
        sweep::TrialOutcome outcome;
        const auto ended = runProcess(command, m_folder, control, OnStop::kInterrupt);
        const auto run = runOfTrial(m_project.folder / "runs", task);
        if (run && goesOn && ended && ended->exitCode != 0 && isWritten(*run)) {
            return leftAlone(*run);  // the other process came between
        }
        const Values values = run ? valuesOf(run->folder, m_arguments.plan) : Values();
        if (run) {
            outcome.run = run->id;
            outcome.value = values.best;
        }
        if (!ended) {
            outcome.error = ended.error().message;
            return outcome;
        }
        outcome.interrupted = control.stopRequested() && ended->exitCode != 0;
        if (run && !outcome.interrupted && wasStopped(*run, ended->exitCode)) {
            outcome.interrupted = true;
            outcome.error = fmt::format("Run {} was stopped, and not by the sweep.", run->id);
        }
        if (ended->exitCode != 0 && !outcome.interrupted) {
            outcome.error = lastLine(ended->output);
            outcome.error =
                outcome.error.empty() ? fmt::format("It ended with exit code {}.", ended->exitCode) : outcome.error;
        }
        if (ended->exitCode == 0 && !outcome.interrupted) {
            outcome.error = whyNone(values);
        }
        return outcome;
    }

private:
    /// A run says so only while its writer has it locked, as a process does that outlived the sweep which began it.
    static bool isWritten(const store::RunInfo& run) { return run.status == "running"; }
    /// There is nothing left for the trial to do: its plan has ended the run, as early stopping does before a later
    /// rung, or it has as many steps as it is to have.
    static bool hasEnded(const store::RunInfo& run, std::int64_t maxSteps) {
        return run.status == "completed" || (run.status == "stopped" && maxSteps > 0 && run.stepsAttempted >= maxSteps);
    }
    /// Somebody has stopped it, from another terminal or the window: it ended neither as its plan has it nor at the
    /// trial's limit.
    static bool wasStopped(const store::RunInfo& run, int exitCode) {
        const Json code = run.stopReason.is_object() ? run.stopReason.value("code", Json()) : Json();
        const bool isEnd =
            std::any_of(std::begin(kEndings), std::end(kEndings), [&](const char* ending) { return code == ending; });
        const bool isStop = exitCode == 0 || exitCode == exitCodeOf(StopReason::kInterrupt) ||
                            exitCode == exitCodeOf(StopReason::kTerminate);
        return isStop && run.status == "stopped" && !isEnd;
    }
    /// Why a run that did what it was to do has no value; "" where it has one, or where there is nothing to say.
    std::string whyNone(const Values& values) const {
        return values.any && !values.best
                   ? fmt::format("It diverged: {} was never a finite number.", m_arguments.plan.series)
                   : "";
    }
    static sweep::TrialOutcome leftAlone(const store::RunInfo& run) {
        sweep::TrialOutcome outcome;
        outcome.interrupted = true;
        outcome.run = run.id;
        outcome.error = fmt::format("Another process trains run {}.", run.id);
        return outcome;
    }

    void addSettings(const sweep::TrialTask& task, std::vector<std::string>& command) const {
        const auto set = [&](const std::string& setting) { command.insert(command.end(), {"--set", setting}); };
        for (const std::string& setting : m_arguments.plan.settings) {
            set(setting);
        }
        for (const auto& [path, value] : task.trial.settings) {
            set(path + "=" + value);
        }
        if (m_threads > 0 && !task.trial.settings.contains("training.threads")) {
            set(fmt::format("training.threads={}", m_threads));
        }
        command.insert(command.end(), {"--run-name", task.runName});
    }

    const project::Project& m_project;
    const SweepArguments& m_arguments;
    std::filesystem::path m_program;
    std::filesystem::path m_folder;
    int m_threads = 0;
};

std::string settingsText(const sweep::Settings& settings) {
    std::string text;
    for (const auto& [path, value] : settings) {
        text += fmt::format("{}{}={}", text.empty() ? "" : "  ", path, value);
    }
    return text;
}

std::string valueText(const sweep::Trial& trial) {
    return trial.value ? numberText(*trial.value) : std::string("-");
}

Json sweepJson(const sweep::SweepFile& file) {
    Json trials = Json::array();
    for (const sweep::Trial& trial : file.trials()) {
        trials.push_back(sweep::toJson(trial));
    }
    Json json{{"sweep", sweep::toJson(file.plan())}, {"trials", std::move(trials)}};
    const auto best = sweep::bestTrial(file.plan(), file.trials());
    json["best"] = best ? sweep::toJson(*best) : Json();
    return json;
}

void printSweep(const Output& output, const sweep::SweepFile& file) {
    std::vector<sweep::Trial> trials = file.trials();
    const sweep::SweepPlan& plan = file.plan();
    std::stable_sort(trials.begin(), trials.end(), [&](const sweep::Trial& a, const sweep::Trial& b) {
        const auto place = [&](const sweep::Trial& trial) {
            return std::tuple(trial.status == "failed", !trial.value, trial.value ? plan.lossOf(*trial.value) : 0.0);
        };
        return place(a) < place(b);
    });
    std::vector<std::vector<std::string>> rows{{"trial", "status", plan.series, "run", "settings"}};
    for (const sweep::Trial& trial : trials) {
        rows.push_back(
            {std::to_string(trial.number), trial.status, valueText(trial), trial.run, settingsText(trial.settings)});
    }
    output.table(rows);
    for (const sweep::Trial& trial : trials) {
        if (!trial.error.empty()) {
            output.line(fmt::format("trial {} {}: {}", trial.number,
                                    trial.status == "failed" ? "failed" : "has not ended", trial.error));
        }
    }
}

/// --device is a setting of every trial, and of those that a resume begins.
void addDevice(SweepArguments& arguments) {
    if (!arguments.device.empty()) {
        arguments.plan.settings.push_back("training.device=" + arguments.device);
    }
}

/// The runs of a copy are called after its folder, and none of that name may be there: it would be gone on with as one
/// of its trials.
Status checkCopy(const sweep::SweepFile& file, const project::Project& project) {
    PLUMBLINE_TRY(store::checkRunName(file.plan().name));
    PLUMBLINE_ASSIGN(const std::vector<store::RunInfo> runs, store::listRuns(project.folder / "runs"));
    if (const store::RunInfo* there = runOfSweep(runs, file.plan().name)) {
        return fail(ErrorKind::kUsage, "sweep-runs-exist",
                    fmt::format("There is a run \"{}\" already, and the trials of this copy of the sweep \"{}\" would "
                                "be called so too.",
                                there->name, file.copiedFrom()),
                    there->folder.string(), "Give the sweep's folder another name.");
    }
    return {};
}

/// `configured` is the project with the settings of every trial; only a new sweep asks for it.
Result<sweep::SweepFile> openOrCreate(SweepArguments& arguments, const project::Project& project,
                                      const project::Project& configured) {
    if (!arguments.resume.empty()) {
        PLUMBLINE_ASSIGN(sweep::SweepFile file, sweep::SweepFile::open(sweepsOf(project), arguments.resume));
        if (file.plan().definitionHash != project::definitionHash(project)) {
            return fail(
                ErrorKind::kInvalid, "definition-changed",
                fmt::format(
                    "The project has changed since the sweep \"{}\" began, so its trials could not be compared.",
                    arguments.resume),
                project.folder.string(), "Put the project back as it was, or start a new sweep.");
        }
        if (!file.copiedFrom().empty()) {
            PLUMBLINE_TRY(checkCopy(file, project));
        }
        arguments.plan = file.plan();
        addDevice(arguments);
        return file;
    }
    PLUMBLINE_TRY(chooseSeries(arguments, configured));
    PLUMBLINE_ASSIGN(const std::vector<store::RunInfo> runs, store::listRuns(project.folder / "runs"));
    const std::vector<std::string> names = sweep::listSweeps(sweepsOf(project));
    const std::set<std::string> taken(names.begin(), names.end());
    if (arguments.plan.name.empty()) {
        int number = 1;
        while (taken.contains(fmt::format("sweep{}", number)) ||
               runOfSweep(runs, fmt::format("sweep{}", number)) != nullptr) {
            ++number;
        }
        arguments.plan.name = fmt::format("sweep{}", number);
    }
    arguments.plan.definitionHash = project::definitionHash(project);
    PLUMBLINE_TRY(store::checkRunName(arguments.plan.name));
    if (const store::RunInfo* there = runOfSweep(runs, arguments.plan.name);
        there != nullptr && !taken.contains(arguments.plan.name)) {
        return fail(ErrorKind::kUsage, "sweep-runs-exist",
                    fmt::format("There is a run \"{}\" already, and the trials of the sweep would be called so too.",
                                there->name),
                    there->folder.string(), "Choose another --name.");
    }
    // What is wrong with the plan of the sweep is told before its folder is made.
    std::vector<sweep::Parameter> parameters;
    for (const std::string& text : arguments.plan.over) {
        PLUMBLINE_ASSIGN(sweep::Parameter parameter, sweep::parseParameter(text));
        parameters.push_back(std::move(parameter));
    }
    PLUMBLINE_TRY(sweep::makeSampler(arguments.plan.method, std::move(parameters), arguments.plan.seed));
    PLUMBLINE_TRY(checkValues(project, arguments.plan.over));
    PLUMBLINE_TRY(checkTrialLength(configured, arguments.plan));
    return sweep::SweepFile::create(sweepsOf(project), arguments.plan);
}

Result<int> runSweep(SweepArguments arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project written, project::openProject(arguments.project));
    addDevice(arguments);
    PLUMBLINE_ASSIGN(const project::Project project, openWithSettings(arguments.project, arguments.plan.settings));
    if (arguments.resume.empty()) {
        const project::CheckReport report = project::checkProject(project, blocks::builtinBlocks());
        PLUMBLINE_TRY(graph::refuseCritical(report.problems));
    }
    PLUMBLINE_ASSIGN(sweep::SweepFile file, openOrCreate(arguments, written, project));
    PLUMBLINE_ASSIGN(const project::Project configured, openWithSettings(arguments.project, arguments.plan.settings));
    PLUMBLINE_ASSIGN(const auto queue, sweep::SweepQueue::make(file));
    PLUMBLINE_ASSIGN(const std::vector<std::string> warnings, warningsOf(configured, file.plan().over));
    for (const std::string& warning : warnings) {
        output.message("warning: " + warning);
    }
    if (file.plan().trials > queue->trials()) {
        output.message(fmt::format("The listed values have no more combinations than {}, so there are no more trials.",
                                   queue->trials()));
    }
    if (!file.copiedFrom().empty()) {
        output.message(fmt::format(
            "The sweep {} is a copy of {}: trials of it that have not ended begin anew, in runs called {} and so on.",
            file.plan().name, file.copiedFrom(), file.runName(0)));
    }
    output.message(fmt::format("sweep {}: {}, {} at a time, judged by the {} {}", file.plan().name,
                               counted(queue->trials(), "trial"), arguments.parallel,
                               file.plan().isMax ? "highest" : "lowest", file.plan().series));
    RunControl control;
    const SignalScope signals(control);
    const auto tell = [&](const sweep::Trial& trial) {
        output.message(fmt::format("trial {} {}: {}{}{}", trial.number, trial.status, settingsText(trial.settings),
                                   trial.value ? fmt::format("  {} {}", file.plan().series, valueText(trial)) : "",
                                   trial.error.empty() ? "" : "  " + trial.error));
    };
    PLUMBLINE_TRY(queue->run(arguments.parallel, TrialProcess(configured, arguments), tell, control));
    Json document = sweepJson(file);
    document["warnings"] = warnings;
    output.document(document);
    printSweep(output, file);
    if (control.stopRequested()) {
        output.message(fmt::format("Stopped; \"plumbline sweep {} --resume {}\" goes on.",
                                   shellQuoted(arguments.project), file.plan().name));
        return exitCodeOf(control.stopReason());
    }
    const auto left =
        static_cast<std::int64_t>(std::count_if(file.trials().begin(), file.trials().end(),
                                                [](const sweep::Trial& trial) { return trial.status == "running"; }));
    if (left > 0) {
        output.message(
            fmt::format("Not ended: {}. Once no other process trains it, \"plumbline sweep {} --resume {}\" goes on.",
                        counted(left, "trial"), shellQuoted(arguments.project), file.plan().name));
    }
    const auto best = sweep::bestTrial(file.plan(), file.trials());
    if (!best) {
        return fail(
            ErrorKind::kRunFailed, "sweep-without-result",
            fmt::format("No trial of the sweep \"{}\" gave a value of {}.", file.plan().name, file.plan().series), {},
            fmt::format("plumbline sweeps {} {} says what became of each.", shellQuoted(arguments.project),
                        file.plan().name));
    }
    output.line(fmt::format("best: trial {}, run {}, {} {}: {}", best->number, best->run, file.plan().series,
                            valueText(*best), settingsText(best->settings)));
    return 0;
}

/// Until the process that runs the trials has saved them and ended. The request goes with the one that it was made to:
/// what runs after that is another process, which has gone on with the sweep.
Status waitForStop(const sweep::SweepFile& file, const std::string& ticket, const SweepArguments& arguments) {
    using Clock = std::chrono::steady_clock;
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(arguments.timeout));
    for (auto request = file.stopRequest(ticket); file.isRunning() && request != sweep::StopRequest::kNone;
         request = file.stopRequest(ticket)) {
        if (Clock::now() < end) {
            std::this_thread::sleep_for(kPoll);
            continue;
        }
        // It would stop the sweep at some later time; unless it has been heard this moment.
        if (request == sweep::StopRequest::kAsked && file.withdrawStop(ticket)) {
            return fail(ErrorKind::kRunFailed, "no-answer",
                        fmt::format("The process that runs the sweep \"{}\" has not answered within {}.",
                                    file.plan().name, secondsText(arguments.timeout)),
                        {},
                        "It is suspended, or of an earlier version: press Ctrl-C where it was started, or wait longer "
                        "with --timeout.");
        }
        return fail(ErrorKind::kRunFailed, "still-stopping",
                    fmt::format("The sweep \"{}\" is being stopped and has not saved its trials within {}.",
                                file.plan().name, secondsText(arguments.timeout)),
                    {}, "It ends by itself once they are saved; plumbline sweeps shows them.");
    }
    return {};
}

Result<int> stopSweep(const SweepArguments& arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const sweep::SweepFile file, sweep::SweepFile::open(sweepsOf(project), arguments.stop));
    PLUMBLINE_ASSIGN(const std::string ticket, file.requestStop());
    output.message(fmt::format("Asked the sweep {} to stop; its trials are saved first.", file.plan().name));
    PLUMBLINE_TRY(waitForStop(file, ticket, arguments));
    PLUMBLINE_ASSIGN(const sweep::SweepFile now, sweep::SweepFile::open(sweepsOf(project), arguments.stop));
    output.document(sweepJson(now));
    output.line(
        fmt::format("The sweep {} has ended; \"plumbline sweep {} --resume {}\" goes on with what is left of it.",
                    now.plan().name, shellQuoted(arguments.project), now.plan().name));
    return 0;
}

Result<int> runSweeps(const std::string& path, const std::string& name, const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(path));
    if (!name.empty()) {
        PLUMBLINE_ASSIGN(const sweep::SweepFile file, sweep::SweepFile::open(sweepsOf(project), name));
        output.document(sweepJson(file));
        printSweep(output, file);
        return 0;
    }
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{
        {"sweep", "method", "trials", "finished", "judged by", "best", "settings"}};
    for (const std::string& each : sweep::listSweeps(sweepsOf(project))) {
        const auto file = sweep::SweepFile::open(sweepsOf(project), each);
        if (!file) {
            output.message(fmt::format("{}: {}", each, file.error().message));
            continue;
        }
        const auto finished = std::count_if(
            file->trials().begin(), file->trials().end(),
            [](const sweep::Trial& trial) { return trial.status != "running" && trial.status != "waiting"; });
        const auto best = sweep::bestTrial(file->plan(), file->trials());
        Json json = sweep::toJson(file->plan());
        json["finished"] = finished;
        json["best"] = best ? sweep::toJson(*best) : Json();
        list.push_back(std::move(json));
        rows.push_back({each, file->plan().method, std::to_string(file->trials().size()), std::to_string(finished),
                        file->plan().series, best ? valueText(*best) : "-", best ? settingsText(best->settings) : ""});
    }
    output.document(Json{{"sweeps", list}});
    if (list.empty()) {
        output.line(
            fmt::format("No sweeps yet. Begin one with: plumbline sweep {} --over training.optimizer.lr=log:1e-4..1e-1",
                        shellQuoted(path)));
    } else {
        output.table(rows);
    }
    return 0;
}

}  // namespace

void registerSweep(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<SweepArguments>();
    sweep::SweepPlan& plan = arguments->plan;
    CLI::App* command =
        app.add_subcommand("sweep", "Train with many settings, each trial a run in a process of its own");
    command->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    command->add_option("--over", plan.over,
                        "A setting and its values: a.b=1,2,3, a.b=0.1..0.5, a.b=log:1e-5..1e-1, with /n behind a range "
                        "for n values of a grid");
    command
        ->add_option("--method", plan.method,
                     "grid, random, halving (successive halving), tpe (tree-structured Parzen estimator)")
        ->check(CLI::IsMember(sweep::methods()))
        ->capture_default_str();
    command->add_option("--trials", plan.trials, "How many trials; left out: all of a grid, else 20")
        ->check(CLI::Range(std::int64_t{1}, kMostTrials));
    command->add_option("--parallel", arguments->parallel, "Trials at a time; each gets its share of the cores")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command->add_option("--metric", plan.series,
                        "Series that is judged by its best value; left out: checkpoints.best.series, else val.loss");
    command->add_option("--mode", arguments->mode, "Whether a smaller or a larger value is better: min, max")
        ->check(CLI::IsMember({"min", "max"}));
    command->add_option("--max-steps", plan.maxSteps, "End each trial early after so many steps")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 53));
    command
        ->add_option("--min-steps", plan.minSteps,
                     "halving: steps of the first rung; each next one has eta times as many")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 53));
    command->add_option("--eta", plan.eta, "halving: one trial of so many goes on to the next rung")
        ->check(CLI::Range(2, 100))
        ->capture_default_str();
    command->add_option("--seed", plan.seed, "Of the values that are drawn")->capture_default_str();
    command->add_option("--set", plan.settings, "Change a setting for every trial, as training.stop.epochs=5");
    command->add_option("--device", arguments->device, "auto, cpu or cuda:i");
    command->add_option("--name", plan.name, "Name of the sweep; its runs are NAME-0, NAME-1 …");
    CLI::Option* resume =
        command->add_option("--resume", arguments->resume, "Go on with a sweep that was stopped, as it was begun");
    CLI::Option* stop =
        command
            ->add_option("--stop", arguments->stop,
                         "Stop a sweep that is on, wherever it was begun, and wait until its trials are saved")
            ->excludes(resume);
    for (const char* begun : {"--over", "--method", "--trials", "--metric", "--mode", "--max-steps", "--min-steps",
                              "--eta", "--seed", "--set", "--name"}) {
        resume->excludes(command->get_option(begun));
        stop->excludes(command->get_option(begun));
    }
    for (const char* begun : {"--parallel", "--device"}) {
        stop->excludes(command->get_option(begun));
    }
    command->add_option("--timeout", arguments->timeout, "Seconds that --stop waits")
        ->check(CLI::Range(0.0, 1e6) & notNan())
        ->needs(stop)
        ->capture_default_str();
    plan.series.clear();
    command->callback([&invocation, arguments] {
        invocation.run = [arguments](const Output& output) {
            return arguments->stop.empty() ? runSweep(*arguments, output) : stopSweep(*arguments, output);
        };
    });

    auto asked = std::make_shared<std::pair<std::string, std::string>>();
    CLI::App* list = app.add_subcommand("sweeps", "List the sweeps of a project, or the trials of one");
    list->add_option("PROJECT", asked->first, "Folder or project.json")->required();
    list->add_option("SWEEP", asked->second, "Name of a sweep");
    list->callback([&invocation, asked] {
        invocation.run = [asked](const Output& output) { return runSweeps(asked->first, asked->second, output); };
    });
}

}  // namespace plumbline::cli
