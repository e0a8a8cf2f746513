// plumbline tell

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <thread>

#include "cli/command.h"
#include "cli/finite.h"
#include "cli/told_rates.h"
#include "core/text.h"
#include "plan/setting_reader.h"
#include "session/inbox.h"

namespace plumbline::cli {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(50);

struct TellArguments {
    std::string project, run;
    std::vector<std::string> settings;  ///< path=value
    std::int64_t profile = 0;           ///< steps; 0: none
    bool trace = false, checkpoint = false, pause = false, goOn = false, stop = false;
    double timeout = 10;  ///< seconds
    bool noWait = false;
};

/// The setting with its value, as the run's own project takes it.
Result<session::LiveCommand> changeOf(const project::Project& project, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
        return fail(ErrorKind::kUsage, "bad-setting", fmt::format("{} has no value", shortened(setting)), {},
                    "Write it as training.optimizer.lr=0.01.");
    }
    const std::string path = setting.substr(0, equals);
    const auto changed = project::withSetting(project, path, setting.substr(equals + 1));
    if (!changed) {
        Error error = changed.error();
        constexpr std::string_view kOption = "--set ";
        error.message.erase(0, error.message.starts_with(kOption) ? kOption.size() : 0);
        return fail(std::move(error));
    }
    const plan::SettingSpec* const spec = plan::findSetting(path);
    if (spec == nullptr || spec->applies != "live") {
        return fail(ErrorKind::kUsage, "not-live",
                    fmt::format("{} cannot change while the run goes on.", shortened(path)), {},
                    "Change it in the project: the next run takes it. \"plumbline settings\" says which apply live.");
    }
    return session::LiveCommand{path, changed->json.at(Json::json_pointer(pointerOfDottedPath(path)))};
}

Result<std::vector<session::LiveCommand>> commandsOf(const TellArguments& arguments, const project::Project& project) {
    std::vector<session::LiveCommand> commands;
    for (const std::string& setting : arguments.settings) {
        PLUMBLINE_ASSIGN(session::LiveCommand command, changeOf(project, setting));
        commands.push_back(std::move(command));
    }
    if (arguments.profile > 0) {
        commands.push_back({session::kProfileInstruction, {{"steps", arguments.profile}, {"trace", arguments.trace}}});
    }
    const struct {
        bool asked;
        const char* path;
    } instructions[] = {{arguments.checkpoint, session::kCheckpointInstruction},
                        {arguments.pause, session::kPauseInstruction},
                        {arguments.goOn, session::kGoOnInstruction},
                        {arguments.stop, session::kStopInstruction}};
    for (const auto& [asked, path] : instructions) {
        if (asked) {
            commands.push_back({path, nullptr});
        }
    }
    if (commands.empty()) {
        return fail(ErrorKind::kUsage, "nothing-to-tell", "There is nothing to tell the run", {},
                    "Name a setting as training.optimizer.lr=0.01, or an option: plumbline tell --help lists them.");
    }
    return commands;
}

/// Reads what the run answers to one message.
class Answers {
public:
    /// Before the message is left: what stands in the store by then is no answer to it.
    static Result<Answers> before(const store::RunInfo& run) {
        PLUMBLINE_ASSIGN(auto reader, store::RunReader::open(run.folder));
        const auto newest = reader->newestEventNumber();
        if (!newest && newest.error().code != "store-locked") {
            return fail(newest.error());
        }
        return Answers(std::move(reader), newest.value_or(0));
    }
    const Json& all() const { return m_all; }
    bool runIsOn() const {
        const auto info = m_reader->info();
        return !info || info->status == "running";
    }
    /// Those to the message `id` that have come since the last look. A store that is locked is looked at again.
    Status look(const std::string& id) {
        const auto newest = m_reader->newestEventNumber();
        if (newest && *newest < m_seen) {
            m_seen = 0;  // a resume has dropped events, and with them their numbers
            m_all = Json::array();
        }
        const auto events = newest ? m_reader->eventsOfKind("answer", m_seen, *newest)
                                   : Result<std::vector<Json>>(fail(newest.error()));
        if (!events) {
            return events.error().code == "store-locked" ? Status() : Status(fail(events.error()));
        }
        m_seen = *newest;
        for (Json answer : *events) {
            if (answer.value("id", Json()) == Json(id)) {
                for (const char* key : {"event", "t_ms", "id"}) {
                    answer.erase(key);
                }
                m_all.push_back(std::move(answer));
            }
        }
        return {};
    }

private:
    Answers(std::unique_ptr<store::RunReader> reader, std::int64_t seen) : m_reader(std::move(reader)), m_seen(seen) {}

    std::unique_ptr<store::RunReader> m_reader;
    std::int64_t m_seen;  ///< number of an event
    Json m_all = Json::array();
};

/// Until `wanted` answers are there; else why there are fewer.
Status waitFor(Answers& answers, const TellArguments& arguments, const store::RunInfo& run, const std::string& id,
               std::size_t wanted) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                            std::chrono::duration<double>(arguments.timeout));
    for (bool isOn = true; isOn;) {
        std::this_thread::sleep_for(kPoll);
        // Asked first: what it answered before it ended is read below.
        isOn = answers.runIsOn();
        PLUMBLINE_TRY(answers.look(id));
        if (answers.all().size() >= wanted) {
            return {};
        }
        if (isOn && std::chrono::steady_clock::now() > end) {
            return fail(ErrorKind::kRunFailed, "no-answer",
                        fmt::format("Run {} has not answered within {}", run.id, secondsText(arguments.timeout)),
                        run.folder.string(), "It takes what it was told after its batch; wait longer with --timeout.");
        }
    }
    return fail(ErrorKind::kUsage, "run-ended", fmt::format("Run {} ended before it took what it was told", run.id),
                run.folder.string(), "Resume it, or tell a run that is on.");
}

std::string sentenceOf(const Json& answer) {
    const std::string path = answer.value("path", "");
    const Json value = answer.value("value", Json());
    // What came within a validation is carried out after it, and a profile that came within a step with the one after
    // that.
    const std::string after = answer.value("after", "");
    const std::int64_t done = answer.value("step", std::int64_t{0});
    const std::int64_t next = done + (after == "step" ? 2 : 1);
    const char* const then = after == "validation"      ? ", after the validation"
                             : after == "recalibration" ? ", after the averaged weights have their statistics"
                             : after == "epoch"         ? ", after the end of the epoch"
                                                        : "";
    const std::string already = answer.value("already", "");
    if (path == session::kProfileInstruction) {
        return fmt::format("{} from step {} on are looked at{}; the report goes to the run's folder profiles/.",
                           counted(value.value("steps", std::int64_t{0}), "step"), next, then);
    }
    if (path == session::kCheckpointInstruction) {
        return after.empty() ? fmt::format("There is a checkpoint of step {}.", done)
                             : fmt::format("A checkpoint of step {} is written{}.", done,
                                           std::string_view(then).starts_with(",") ? then + 1 : "");
    }
    if (path == session::kPauseInstruction) {
        return already.empty() ? "The run pauses after its batch."
                               : "The run is paused already, or pauses after its batch.";
    }
    if (path == session::kGoOnInstruction) {
        return "The run goes on.";
    }
    if (path == session::kStopInstruction) {
        return already.empty() ? "The run stops after its batch." : "The run is stopping already.";
    }
    return fmt::format("{} {} {} from step {} on{}.{}", path, after.empty() ? "is" : "will be", value.dump(), next,
                       then, scheduledRates(answer));
}

/// Under --json the failure is the only document, so its hint says what was taken.
Error withTaken(Error error, const Json& answers) {
    std::string taken;
    for (const Json& answer : answers) {
        if (answer.value("accepted", false)) {
            taken += (taken.empty() ? "" : ", ") + answer.value("path", "");
        }
    }
    error.hint += taken.empty() ? "" : fmt::format(" Taken: {}.", taken);
    return error;
}

/// The first refusal is the command's; what was taken beside it has been said.
Status refusalIn(const Json& answers, const store::RunInfo& run) {
    const auto isRefused = [](const Json& answer) { return !answer.value("accepted", false); };
    const auto refused = std::find_if(answers.begin(), answers.end(), isRefused);
    if (refused == answers.end()) {
        return {};
    }
    const auto taken =
        static_cast<std::int64_t>(answers.size()) - std::count_if(answers.begin(), answers.end(), isRefused);
    std::string hint = refused->value("hint", "");
    if (taken > 0) {
        hint += fmt::format("{}{} of {} commands were taken.", hint.empty() ? "" : " ", taken, answers.size());
    }
    return fail(ErrorKind::kUsage, refused->value("code", ""), refused->value("message", ""), run.folder.string(),
                std::move(hint));
}

Result<int> runTell(const TellArguments& arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const store::RunInfo run, findRunOf(project, arguments.run));
    PLUMBLINE_ASSIGN(const project::Project ofRun, projectOfRun(project, run));
    PLUMBLINE_ASSIGN(const std::vector<session::LiveCommand> commands, commandsOf(arguments, ofRun));
    if (run.status != "running") {
        return fail(ErrorKind::kUsage, "run-not-on", fmt::format("Run {} is not on: it is {}", run.id, run.status),
                    run.folder.string(), "Resume it, or name a run that is on; plumbline runs lists them.");
    }
    PLUMBLINE_ASSIGN(Answers heard, Answers::before(run));
    PLUMBLINE_ASSIGN(const std::string id, session::leaveMessage(run.folder, commands));
    const Status answered = arguments.noWait ? Status() : waitFor(heard, arguments, run, id, commands.size());
    const Json& answers = heard.all();
    for (const Json& answer : answers) {
        if (answer.value("accepted", false)) {
            output.line(sentenceOf(answer));
        }
    }
    if (!answered) {
        return fail(output.json() ? withTaken(answered.error(), answers) : answered.error());
    }
    PLUMBLINE_TRY(refusalIn(answers, run));
    if (arguments.noWait) {
        output.line(fmt::format("Run {} is told; its answer was not waited for.", run.id));
    }
    output.document(Json{{"run", run.id}, {"message", id}, {"answers", answers}});
    return 0;
}

}  // namespace

void registerTell(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<TellArguments>();
    CLI::App* tell = app.add_subcommand(
        "tell", "Tell a run that is on, of the window or of another terminal, what to do or to change");
    tell->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    tell->add_option("RUN", arguments->run, "Run id, name or latest")->required();
    tell->add_option(
        "SETTINGS", arguments->settings,
        "Changes of settings that apply live, as training.optimizer.lr=0.01; plumbline settings lists them");
    CLI::Option* profile = tell->add_option("--profile", arguments->profile,
                                            "Look at where the time and the memory of the next so many steps go, and "
                                            "keep the report in the run's folder profiles/")
                               ->check(CLI::Range(std::int64_t{1}, session::kMostProfiledSteps));
    tell->add_flag("--trace", arguments->trace,
                   "With --profile: write a Chrome trace of as many steps as well, of 100 at most")
        ->needs(profile);
    tell->add_flag("--checkpoint", arguments->checkpoint, "Write a checkpoint after this step");
    tell->add_flag("--pause", arguments->pause, "Pause after this batch");
    tell->add_flag("--go-on", arguments->goOn, "Go on after a pause");
    tell->add_flag("--stop", arguments->stop, "Stop after this batch and save");
    tell->add_option("--timeout", arguments->timeout, "Seconds to wait for the run's answer")
        ->check(CLI::Range(0.0, 1e6) & notNan())
        ->capture_default_str();
    tell->add_flag("--no-wait", arguments->noWait, "Wait for no answer");
    tell->callback([&invocation, arguments] {
        invocation.run = [arguments](const Output& output) { return runTell(*arguments, output); };
    });
}

}  // namespace plumbline::cli
