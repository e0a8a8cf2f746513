#include "session/training_session.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <new>
#include <system_error>

#include "core/text.h"
#include "plan/setting_reader.h"
#include "session/inbox.h"
#include "session/run_files.h"
#include "session/session_sink.h"
#include "session/summary_json.h"

namespace plumbline::session {
namespace {

constexpr int kBackgroundNice = 10;

RunState finalState(const Result<RunSummary>& result) {
    if (!result) {
        return RunState::kFailed;
    }
    return result->status == "completed" ? RunState::kCompleted
           : result->status == "stopped" ? RunState::kStopped
                                         : RunState::kFailed;
}

Json errorJson(const Error& error) {
    return {{"code", error.code}, {"message", error.message}, {"where", error.where}, {"hint", error.hint}};
}

/// The numbers that a run had: of its row, and of its summary where it has one.
void takeNumbers(RunSummary& to, const store::RunInfo& run, const Json& summary) {
    const auto member = [](const Json& object, const char* key) {
        return object.is_object() ? object.value(key, Json()) : Json();
    };
    const auto text = [&](const char* key) {
        const Json value = member(summary, key);
        return value.is_string() ? value.get<std::string>() : std::string();
    };
    to.epochs = run.epochs;
    to.steps = {run.stepsAttempted, run.stepsApplied, run.stepsSkipped};
    to.seconds = run.seconds;
    for (const auto& [name, value] : run.metrics.items()) {
        if (value.is_number()) {
            to.metrics[name] = value.get<double>();
        }
    }
    to.checkpoint = text("checkpoint");
    to.bestCheckpoint = text("best_checkpoint");
    const Json rate = member(member(summary, "throughput"), "samples_per_second"),
               peak = member(summary, "peak_memory_bytes");
    to.samplesPerSecond = rate.is_number() ? rate.get<double>() : 0;
    to.peakMemoryBytes = peak.is_number_integer() ? peak.get<std::int64_t>() : 0;
    to.memory = member(summary, "memory");
}

class Session final : public TrainingSession {
public:
    Session(SessionOptions options, std::shared_ptr<Engine> engine)
        : m_options(std::move(options)), m_engine(std::move(engine)) {}

    ~Session() override {
        m_control.requestStop();
        if (m_thread.joinable()) {
            m_thread.join();
        }
    }

    Status open() {
        // What can be known before there is a run, or before one that has ended counts as going on, is told first.
        if (!isResume()) {
            PLUMBLINE_TRY(store::checkRunName(m_options.runName));
            PLUMBLINE_TRY(m_engine->checkDevice(m_options.project.training.device));
        }
        auto events = std::make_unique<EventFile>();
        if (!m_options.eventsFile.empty()) {
            PLUMBLINE_TRY(events->open(m_options.eventsFile));
        }
        std::unique_ptr<store::RunWriter> writer;
        std::vector<diagnostics::Finding> findings;
        Json resumes;
        if (m_options.repeats) {
            PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(m_options.runsFolder / *m_options.repeats));
            PLUMBLINE_ASSIGN(m_recorded, reader->record("choices"));
            PLUMBLINE_ASSIGN(m_commands, commandsOfRun(*reader));
        }
        if (isResume()) {
            const std::filesystem::path folder = m_options.runsFolder / m_options.resumeRun;
            PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(folder));
            PLUMBLINE_ASSIGN(m_recorded, reader->record("choices"));
            PLUMBLINE_ASSIGN(m_commands, commandsOfRun(*reader));
            PLUMBLINE_ASSIGN(resumes, reader->record("resumes"));
            PLUMBLINE_ASSIGN(m_before, reader->info());
            PLUMBLINE_ASSIGN(m_summaryBefore, reader->record("summary"));
            PLUMBLINE_ASSIGN(findings, reader->findings());
            PLUMBLINE_ASSIGN(m_options.project, projectOfRun(folder, m_options.project.folder));
            PLUMBLINE_TRY(m_engine->checkDevice(recordedDevice()));
            PLUMBLINE_ASSIGN(writer, store::RunWriter::reopen(folder));
        } else {
            PLUMBLINE_ASSIGN(writer,
                             store::RunWriter::create(m_options.runsFolder, m_options.runName, m_options.project.json));
        }
        m_runId = writer->id();
        m_runFolder = writer->folder();
        SessionSink::Callbacks callbacks;
        callbacks.onState = [this](RunState state) { m_state = state; };
        callbacks.onFinding = [this](const diagnostics::Finding& finding) {
            if (m_options.failOn && !finding.clearedAt && finding.severity >= *m_options.failOn && !m_endedBy) {
                m_endedBy = finding;
                m_control.requestStop(StopReason::kFinding);
            }
        };
        callbacks.onFailure = [this] { m_control.requestStop(); };
        EventFile& eventFile = *events;
        m_sink = std::make_unique<SessionSink>(std::move(writer), std::move(events), std::move(callbacks), m_before,
                                               std::move(findings), SessionSink::Limits{});
        putRecords(std::move(resumes));
        Status begun = m_sink->start();
        if (begun && !isResume()) {
            begun = eventFile.clear();  // no earlier: until there is a run, the events of another one are not lost
        }
        if (!begun) {
            m_sink.reset();
            if (!isResume()) {
                (void)store::deleteRun(m_runFolder);
            }
            return begun;
        }
        openInbox();
        return {};
    }

    void start(bool background) override {
        if (m_inbox != nullptr) {
            tellOfInbox(m_inbox->start());
        }
        try {
            m_thread = std::thread([this, background] { run(background); });
        } catch (const std::system_error& error) {
            end(fail(ErrorKind::kMachine, "no-thread",
                     fmt::format("The training thread cannot be started: {}", error.what()), {},
                     "Close other programs, or raise the limit on threads."));
        }
    }

    RunControl& control() override { return m_control; }
    void post(LiveCommand command) override { m_live.post(std::move(command)); }
    RunState state() const override { return m_state; }
    const std::string& runId() const override { return m_runId; }
    const std::filesystem::path& runFolder() const override { return m_runFolder; }
    RunSink::Progress progress() const override { return m_sink->lastProgress(); }
    MetricDrain drainMetrics() override { return m_sink->drainMetrics(); }
    std::vector<SessionEvent> drainEvents() override { return m_sink->drainEvents(); }
    std::vector<diagnostics::Finding> findings() const override { return m_sink->findings(); }

    Result<RunSummary> wait() override {
        std::unique_lock lock(m_resultMutex);
        m_finished.wait(lock, [this] { return m_result.has_value(); });
        return *m_result;
    }

private:
    /// What the engine does not record itself. `resumes`: the command lines of earlier resumes, or null.
    void putRecords(Json resumes) {
        if (isResume()) {
            resumes = resumes.is_array() ? std::move(resumes) : Json::array();
            resumes.push_back(m_options.commandLine);
            m_sink->putRecord("resumes", resumes);
            return;
        }
        m_sink->putRecord("command_line", m_options.commandLine);
        m_sink->putRecord("settings", project::resolvedSettings(m_options.project));
        if (m_options.repeats) {
            m_sink->putRecord("repeats", *m_options.repeats);
        }
    }
    /// What other processes ask of the run. Without it the run goes on as well.
    void openInbox() {
        if (m_options.provesBatch >= 0) {
            return;  // a copy that nobody knows of
        }
        m_inbox = std::make_unique<Inbox>(m_runFolder,
                                          Inbox::Hearing{[this](LiveCommand command) { hear(std::move(command)); },
                                                         [this](const std::string& sentence) { warn(sentence); }});
        const Status opened = m_inbox->open();
        tellOfInbox(opened);
        if (!opened) {
            m_inbox.reset();
        }
    }
    void tellOfInbox(const Status& status) {
        if (!status) {
            warn("The run hears no other process. " + toSentence(status.error()));
        }
    }
    void warn(const std::string& sentence) {
        m_sink->event({"log", m_sink->elapsedMs(), {{"level", "warning"}, {"message", sentence}}});
    }

    /// From the inbox's thread. What the training thread takes, it answers.
    void hear(LiveCommand command) {
        const plan::SettingSpec* const spec = plan::findSetting(command.path);
        const bool isLive = spec != nullptr && spec->applies == "live";
        Status status;
        std::string already;
        if (command.path == kStopInstruction) {
            already = m_control.stopRequested() ? "stopping" : "";
            m_control.requestStop();
        } else if (command.path == kPauseInstruction) {
            already = m_control.pauseRequested() ? "paused" : "";
            status = m_control.stopRequested() ? refusalOf("run-stopping", "The run does not pause: it is stopping.",
                                                           "Resume it once it has ended.")
                                               : Status();
            if (status) {
                m_control.requestPause();
            }
        } else if (command.path == kGoOnInstruction) {
            status = m_control.stopRequested() ? refusalOf("run-stopping", "The run does not go on: it is stopping.",
                                                           "Resume it once it has ended.")
                     : m_control.pauseRequested()
                         ? Status()
                         : refusalOf("not-paused", "The run is not paused.", "It needs no word to go on.");
            m_control.requestResume();
        } else if (isInstruction(command.path) || (isLive && !m_options.repeats)) {
            m_live.post(std::move(command));
            return;
        } else if (isLive) {
            status =
                fail(ErrorKind::kUsage, "repeats", "The run repeats another one, so its settings stay as they were.",
                     {}, "Train the project instead, as a run of its own.");
        } else {
            status = fail(ErrorKind::kUsage, "not-live",
                          fmt::format("{} cannot change while the run goes on.", shortened(command.path)), {},
                          "Change it in the project: the next run takes it.");
        }
        Json answer = answerTo(command, status, m_sink->lastProgress().step);
        if (status && !already.empty()) {
            answer["already"] = already;
        }
        m_sink->event({"answer", m_sink->elapsedMs(), std::move(answer)});
    }
    static Status refusalOf(const char* code, const char* message, const char* hint) {
        return fail(ErrorKind::kUsage, code, message, {}, hint);
    }

    bool isResume() const { return !m_options.resumeRun.empty(); }
    /// Where a run that is resumed goes on: what "auto" once chose is kept.
    std::string recordedDevice() const {
        const std::string& asked = m_options.project.training.device;
        const bool known = asked == "auto" && m_recorded.is_object() && m_recorded.contains("device") &&
                           m_recorded["device"].is_string();
        return known ? m_recorded["device"].get<std::string>() : asked;
    }

    void run(bool background) {
        if (background) {
            setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kBackgroundNice);
        }
        end(trainGuarded());
    }

    /// The one way a run ends: its end is stored, then told. The first error is the run's.
    void end(Result<RunSummary> result) {
        m_inbox.reset();
        // What could not be stored is the run's failure even where the numbers were right.
        if (const Status stored = m_sink->failure(); !stored) {
            result = fail(stored.error());
        }
        const Status written =
            withoutExceptions([&] { return goesOnOrHasEnded(result) ? writeEnd(result) : leaveAsItWas(result); });
        if (!written && result) {
            result = fail(written.error());
        }
        std::error_code error;
        if (!result && !std::filesystem::exists(m_runFolder, error) && !error) {
            result = fail(
                ErrorKind::kRunFailed, "run-folder-gone",
                fmt::format("The folder of the run was removed while the run was going on: {}", m_runFolder.string()),
                m_runFolder.string(), "Train again, and leave the folder alone while a run writes it.");
        }
        m_state = finalState(result);
        m_sink->pushFinished(m_state, result);
        const std::scoped_lock lock(m_resultMutex);
        m_result = std::move(result);
        m_finished.notify_all();
    }

    Result<RunSummary> trainGuarded() {
        try {
            TrainRequest request;
            request.project = m_options.project;
            request.runFolder = m_runFolder;
            request.runId = m_runId;
            request.maxSteps = m_options.maxSteps;
            request.provesBatch = m_options.provesBatch;
            request.resume = isResume();
            request.recorded = m_recorded;
            request.commands = m_commands;
            request.repeats = m_options.repeats.has_value() || m_options.provesBatch >= 0;
            request.branch = m_options.branch;
            m_sink->state(RunState::kPreparing);
            return m_engine->train(request, *m_sink, m_control, m_live);
        } catch (const std::bad_alloc&) {
            return fail(ErrorKind::kMachine, "out-of-memory", "The memory of this machine is exhausted", {},
                        "Use a smaller batch_size, or close other programs.");
        } catch (const std::exception& error) {
            return fail(ErrorKind::kRunFailed, "internal", fmt::format("The run ended with: {}", error.what()), {},
                        "Everything up to here is stored; resume the run, or report this with the project.");
        } catch (...) {
            return fail(ErrorKind::kRunFailed, "internal", "The run ended with an exception of unknown type", {},
                        "Everything up to here is stored; resume the run, or report this with the project.");
        }
    }

    /// Else it is a resume that was stopped, or failed, before it had its state back.
    bool goesOnOrHasEnded(const Result<RunSummary>& result) const {
        return m_sink->goesOn() || (result && result->status == "completed");
    }

    /// The run keeps its end and its numbers, and those are told; an event says that it did not go on.
    Status leaveAsItWas(Result<RunSummary>& result) {
        Json data{{"level", "warning"}, {"message", "The resume did not begin; the run is as it was."}};
        if (result) {
            takeNumbers(*result, m_before, m_summaryBefore);
            data["stop_reason"] = {{"code", result->stopCode}, {"message", result->stopMessage}};
        } else {
            data["error"] = errorJson(result.error());
        }
        m_sink->event({"log", m_sink->elapsedMs(), std::move(data)});
        return m_sink->leave(finalState(result));
    }

    Status writeEnd(Result<RunSummary>& result) {
        if (result && m_endedBy && result->stopCode != "finding") {
            // It came after the last look at the control, or another reason to stop came first.
            result->status = "stopped";
            result->stopCode = "finding";
            result->stopMessage = fmt::format("Ended by the finding {} of step {}.", m_endedBy->id, m_endedBy->step);
        }
        store::RunInfo info = m_sink->runningInfo();
        if (!result) {
            info.status = "failed";
            info.stopReason = errorJson(result.error());
            return m_sink->finish(RunState::kFailed, info,
                                  Json{{"status", "failed"}, {"error", errorJson(result.error())}});
        }
        info.status = result->status;
        info.seconds = result->seconds;
        info.epochs = result->epochs;
        info.stepsAttempted = result->steps.attempted;
        info.stepsApplied = result->steps.applied;
        info.stepsSkipped = result->steps.skipped;
        info.metrics = result->metrics;
        info.stopReason = {{"code", result->stopCode}, {"message", result->stopMessage}};
        return m_sink->finish(finalState(result), info, toJson(*result));
    }

    SessionOptions m_options;
    std::shared_ptr<Engine> m_engine;
    Json m_recorded;
    std::vector<RecordedCommand> m_commands;  ///< of the run that is resumed or repeated
    store::RunInfo m_before;                  ///< of a resumed run, with its summary, where it has one
    Json m_summaryBefore;
    std::string m_runId;
    std::filesystem::path m_runFolder;
    RunControl m_control;
    LiveCommands m_live;
    std::atomic<RunState> m_state{RunState::kIdle};
    std::unique_ptr<SessionSink> m_sink;
    std::unique_ptr<Inbox> m_inbox;  ///< nullptr where other processes are not heard, and once the run has ended
    std::optional<diagnostics::Finding> m_endedBy;  ///< the first one as bad as failOn says

    std::mutex m_resultMutex;
    std::condition_variable m_finished;
    std::optional<Result<RunSummary>> m_result;
    std::thread m_thread;
};

}  // namespace

Result<std::unique_ptr<TrainingSession>> TrainingSession::create(SessionOptions options,
                                                                 std::shared_ptr<Engine> engine) {
    auto session = std::make_unique<Session>(std::move(options), std::move(engine));
    PLUMBLINE_TRY(session->open());
    return session;
}

}  // namespace plumbline::session
