// plumbline tell

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <thread>

#include "cli/command.h"
#include "core/text.h"
#include "plan/setting_reader.h"
#include "session/inbox.h"

namespace plumbline::cli {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(50);
constexpr std::size_t kEventsLookedAt = 2000;

struct TellArguments {
    std::string project, run;
    std::vector<std::string> settings;  ///< path=value
    std::int64_t profile = 0;           ///< steps; 0: none
    bool trace = false, checkpoint = false, pause = false, goOn = false, stop = false;
    double timeout = 10;                ///< seconds
    bool noWait = false;
};

/// The setting with its value, as the run's own project takes it.
Result<session::LiveCommand> changeOf(const project::Project& project, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
        return fail(ErrorKind::kUsage, "bad-setting", fmt::format("{} has no value", shortened(setting)), {}, "Write it as training.optimizer.lr=0.01.");
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
        return fail(ErrorKind::kUsage, "not-live", fmt::format("{} cannot change while the run goes on.", shortened(path)), {},
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
    const struct { bool asked; const char* path; } instructions[] = {{arguments.checkpoint, session::kCheckpointInstruction},
                                                                     {arguments.pause, session::kPauseInstruction},
                                                                     {arguments.goOn, session::kGoOnInstruction},
                                                                     {arguments.stop, session::kStopInstruction}};
    for (const auto& [asked, path] : instructions) {
        if (asked) {
            commands.push_back({path, nullptr});
        }
    }
    if (commands.empty()) {
        return fail(ErrorKind::kUsage, "nothing-to-tell", "There is nothing to tell the run", {}, "Name a setting as training.optimizer.lr=0.01, or an option: plumbline tell --help lists them.");
    }
    return commands;
}

/// What the run has answered so far, in order; and the state that it told last.
struct Heard {
    Json answers = Json::array();
    std::string state;
};

Result<Heard> heardOf(const store::RunReader& reader, const std::string& id) {
    PLUMBLINE_ASSIGN(const std::vector<Json> events, reader.newestEvents(kEventsLookedAt));
    Heard heard;
    for (const Json& event : events) {
        const Json kind = event.is_object() ? event.value("event", Json()) : Json();
        if (kind == "state") {
            heard.state = event.value("state", "");
        } else if (kind == "answer" && event.value("id", Json()) == Json(id)) {
            Json answer = event;
            for (const char* key : {"event", "t_ms", "id"}) {
                answer.erase(key);
            }
            heard.answers.push_back(std::move(answer));
        }
    }
    return heard;
}

Result<Json> answersOf(const TellArguments& arguments, const store::RunInfo& run, const std::string& id, std::size_t wanted) {
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(run.folder));
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(arguments.timeout));
    Heard heard;
    for (bool isOn = true; isOn;) {
        std::this_thread::sleep_for(kPoll);
        // Asked first: what it answered before it ended is read below.
        const auto info = reader->info();
        isOn = !info || info->status == "running";
        auto now = heardOf(*reader, id);
        if (!now && now.error().code != "store-locked") {
            return fail(now.error());
        }
        if (now) {
            heard = std::move(*now);
        }
        if (heard.answers.size() >= wanted) {
            return heard.answers;
        }
        if (isOn && std::chrono::steady_clock::now() > end) {
            return fail(ErrorKind::kRunFailed, "no-answer", fmt::format("Run {} has not answered within {}", run.id, secondsText(arguments.timeout)), run.folder.string(),
                        heard.state == "paused" ? "It is paused, and takes what it was told once it goes on: plumbline tell --go-on."
                                                : "It takes what it was told after its step or validation; wait longer with --timeout.");
        }
    }
    return fail(ErrorKind::kUsage, "run-ended", fmt::format("Run {} ended before it took what it was told", run.id), run.folder.string(), "Resume it, or tell a run that is on.");
}

std::string sentenceOf(const Json& answer) {
    const std::string path = answer.value("path", "");
    const std::int64_t next = answer.value("step", std::int64_t{0}) + 1;
    const Json value = answer.value("value", Json());
    if (path == session::kProfileInstruction) {
        return fmt::format("{} from step {} on are looked at; the report goes to the run's folder profiles/.", counted(value.value("steps", std::int64_t{0}), "step"), next);
    }
    if (path == session::kCheckpointInstruction) {
        return fmt::format("There is a checkpoint of step {}.", next - 1);
    }
    if (path == session::kPauseInstruction) {
        return "The run pauses after its batch.";
    }
    if (path == session::kGoOnInstruction) {
        return "The run goes on.";
    }
    return path == session::kStopInstruction ? "The run stops after its batch." : fmt::format("{} is {} from step {} on.", path, value.dump(), next);
}

/// The first refusal is the command's; what was taken beside it has been said.
Status refusalIn(const Json& answers, const store::RunInfo& run) {
    const auto isRefused = [](const Json& answer) { return !answer.value("accepted", false); };
    const auto refused = std::find_if(answers.begin(), answers.end(), isRefused);
    if (refused == answers.end()) {
        return {};
    }
    const auto taken = static_cast<std::int64_t>(answers.size()) - std::count_if(answers.begin(), answers.end(), isRefused);
    std::string hint = refused->value("hint", "");
    if (taken > 0) {
        hint += fmt::format("{}{} of {} commands were taken.", hint.empty() ? "" : " ", taken, answers.size());
    }
    return fail(ErrorKind::kUsage, refused->value("code", ""), refused->value("message", ""), run.folder.string(), std::move(hint));
}

Result<int> runTell(const TellArguments& arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const store::RunInfo run, findRunOf(project, arguments.run));
    PLUMBLINE_ASSIGN(const project::Project ofRun, projectOfRun(project, run));
    PLUMBLINE_ASSIGN(const std::vector<session::LiveCommand> commands, commandsOf(arguments, ofRun));
    if (run.status != "running") {
        return fail(ErrorKind::kUsage, "run-not-on", fmt::format("Run {} is not on: it is {}", run.id, run.status), run.folder.string(),
                    "Resume it, or name a run that is on; plumbline runs lists them.");
    }
    PLUMBLINE_ASSIGN(const std::string id, session::leaveMessage(run.folder, commands));
    Json answers = Json::array();
    if (!arguments.noWait) {
        PLUMBLINE_ASSIGN(answers, answersOf(arguments, run, id, commands.size()));
    }
    for (const Json& answer : answers) {
        if (answer.value("accepted", false)) {
            output.line(sentenceOf(answer));
        }
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
    CLI::App* tell = app.add_subcommand("tell", "Tell a run that is on, of the window or of another terminal, what to do or to change");
    tell->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    tell->add_option("RUN", arguments->run, "Run id, name or latest")->required();
    tell->add_option("SETTINGS", arguments->settings, "Changes of settings that apply live, as training.optimizer.lr=0.01; plumbline settings lists them");
    CLI::Option* profile = tell->add_option("--profile", arguments->profile, "Look at where the time and the memory of the next so many steps go, and keep the report in the run's folder profiles/")
                               ->check(CLI::Range(std::int64_t{1}, session::kMostProfiledSteps));
    tell->add_flag("--trace", arguments->trace, "With --profile: write a Chrome trace of as many steps as well, of 100 at most")->needs(profile);
    tell->add_flag("--checkpoint", arguments->checkpoint, "Write a checkpoint after this step");
    tell->add_flag("--pause", arguments->pause, "Pause after this batch");
    tell->add_flag("--go-on", arguments->goOn, "Go on after a pause");
    tell->add_flag("--stop", arguments->stop, "Stop after this batch and save");
    tell->add_option("--timeout", arguments->timeout, "Seconds to wait for the run's answer")->check(CLI::Range(0.0, 1e6))->capture_default_str();
    tell->add_flag("--no-wait", arguments->noWait, "Wait for no answer");
    tell->callback([&invocation, arguments] { invocation.run = [arguments](const Output& output) { return runTell(*arguments, output); }; });
}

}  // namespace plumbline::cli
