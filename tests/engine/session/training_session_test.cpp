#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <stdexcept>

#include "core/files.h"
#include "session_fixture.h"

namespace plumbline::session {
namespace {

class Session : public SessionTest {};

TEST_F(Session, StoresWhatTheEngineToldAndEndsWithItsSummary) {
    auto given = options();
    given.runName = "first";
    given.commandLine = "plumbline train x";
    given.maxSteps = 7;
    const auto session = make(given, [](const Call& run) -> Result<RunSummary> {
        EXPECT_EQ(run.request.maxSteps, 7);
        EXPECT_FALSE(run.request.resume);
        EXPECT_TRUE(std::filesystem::is_directory(run.request.runFolder));
        run.sink.record({{"threads", 2}});
        run.sink.state(RunState::kRunning);
        const SeriesId loss = run.sink.series("train.loss", 1);
        EXPECT_EQ(run.sink.series("train.loss", 1), loss);
        for (std::int64_t step = 1; step <= 1000; ++step) {
            run.sink.metric({loss, 0, step, 0.5 * static_cast<double>(step), 1.0 / static_cast<double>(step)});
        }
        run.sink.event({"epoch", 12.5, {{"epoch", 1}, {"step", 1000}, {"metrics", {{"val.loss", 0.5}}}}});
        run.sink.finding(findingOf("non-finite#1", diagnostics::Severity::kWarning));
        run.sink.state(RunState::kCompleted);
        return summaryOf("completed", 1000);
    });
    EXPECT_EQ(session->state(), RunState::kIdle);
    const auto summary = runToEnd(*session);
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->steps.applied, 1000);
    EXPECT_EQ(session->state(), RunState::kCompleted);
    EXPECT_EQ(session->findings().size(), 1U);

    const store::RunInfo info = stored(*session);
    EXPECT_EQ(info.id, session->runId());
    EXPECT_EQ(info.name, "first");
    EXPECT_EQ(info.status, "completed");
    EXPECT_EQ(info.stepsApplied, 1000);
    EXPECT_EQ(info.metrics["val.loss"], 0.5);
    EXPECT_EQ(info.stopReason["code"], "epochs");
    EXPECT_EQ(info.findings, 1);
    EXPECT_EQ(storedPoints(*session, "train.loss"), 1000U);
    const auto reader = store::RunReader::open(session->runFolder());
    EXPECT_EQ((*reader)->record("definition").value()["name"], "sample");
    EXPECT_EQ((*reader)->record("choices").value()["threads"], 2);
    EXPECT_EQ((*reader)->record("command_line").value(), "plumbline train x");
    EXPECT_EQ((*reader)->record("summary").value()["status"], "completed");
}

TEST_F(Session, IsFreeForOthersAsSoonAsItsEndIsTold) {
    const auto session = make([](const Call&) -> Result<RunSummary> { return summaryOf("completed"); });
    ASSERT_TRUE(runToEnd(*session));
    EXPECT_TRUE(store::RunWriter::reopen(session->runFolder())) << "the session is still there, its store is not";
}

TEST_F(Session, TellsAnErrorOfTheEngineAndStoresIt) {
    const auto session = make([](const Call& run) -> Result<RunSummary> {
        run.sink.metric({run.sink.series("train.loss", 1), 0, 1, 0, 1});
        return fail(ErrorKind::kMachine, "no-device", "There is no cuda:3", "", "Use cuda:0.");
    });
    const auto summary = runToEnd(*session);
    ASSERT_FALSE(summary);
    EXPECT_EQ(summary.error().code, "no-device");
    EXPECT_EQ(session->state(), RunState::kFailed);
    EXPECT_EQ(stored(*session).status, "failed");
    EXPECT_EQ(stored(*session).stopReason["code"], "no-device");
    EXPECT_EQ(storedPoints(*session, "train.loss"), 1U);
}

TEST_F(Session, TurnsEveryExceptionIntoASentence) {
    struct Case {
        Training training;
        const char* code;
        ErrorKind kind;
    };
    const Case cases[] = {
        {[](const Call&) -> Result<RunSummary> { throw std::runtime_error("broadcast of [3] and [4]"); }, "internal",
         ErrorKind::kRunFailed},
        {[](const Call&) -> Result<RunSummary> { throw std::bad_alloc(); }, "out-of-memory", ErrorKind::kMachine},
        {[](const Call&) -> Result<RunSummary> { throw 42; }, "internal", ErrorKind::kRunFailed}};
    for (const Case& each : cases) {
        const auto session = make(each.training);
        const auto summary = runToEnd(*session);
        ASSERT_FALSE(summary);
        EXPECT_EQ(summary.error().code, each.code);
        EXPECT_EQ(summary.error().kind, each.kind);
        EXPECT_FALSE(summary.error().hint.empty());
        EXPECT_EQ(stored(*session).status, "failed");
    }
}

TEST_F(Session, StopsAtAFindingThatIsBadEnoughAndNotBefore) {
    auto given = options();
    given.failOn = graph::Severity::kCritical;
    const auto session = make(given, [](const Call& run) -> Result<RunSummary> {
        run.sink.finding(findingOf("a#1", diagnostics::Severity::kWarning));
        EXPECT_FALSE(run.control.stopRequested());
        auto cleared = findingOf("a#2", diagnostics::Severity::kCritical);
        cleared.clearedAt = 3;
        run.sink.finding(cleared);
        EXPECT_FALSE(run.control.stopRequested());
        run.sink.finding(findingOf("a#3", diagnostics::Severity::kCritical));
        EXPECT_EQ(run.control.stopReason(), StopReason::kFinding);
        return summaryOf("stopped");
    });
    ASSERT_TRUE(runToEnd(*session));
    EXPECT_EQ(session->state(), RunState::kStopped);
    EXPECT_EQ(stored(*session).status, "stopped");
}

TEST_F(Session, EndsByTheFindingWheneverItComes) {
    for (const char* status : {"completed", "stopped"}) {
        auto given = options();
        given.failOn = graph::Severity::kCritical;
        const auto session = make(given, [status](const Call& run) -> Result<RunSummary> {
            if (status == std::string("stopped")) {
                run.control.requestStop(StopReason::kInterrupt);  // the other reason was there first
            }
            run.sink.finding(findingOf("a#1", diagnostics::Severity::kCritical, 72));
            return summaryOf(status, 72);
        });
        const auto summary = runToEnd(*session);
        ASSERT_TRUE(summary) << status;
        EXPECT_EQ(summary->status, "stopped") << status;
        EXPECT_EQ(summary->stopCode, "finding") << status;
        EXPECT_EQ(summary->stopMessage, "Ended by the finding a#1 of step 72.") << status;
        EXPECT_EQ(session->state(), RunState::kStopped) << status;
        EXPECT_EQ(stored(*session).status, "stopped") << status;
        EXPECT_EQ(stored(*session).stopReason["code"], "finding") << status;
    }
}

TEST_F(Session, NeverStopsAtAFindingUnlessAsked) {
    const auto session = make([](const Call& run) -> Result<RunSummary> {
        run.sink.finding(findingOf("a#1", diagnostics::Severity::kCritical));
        EXPECT_FALSE(run.control.stopRequested());
        return summaryOf("completed");
    });
    EXPECT_TRUE(runToEnd(*session));
}

TEST_F(Session, PassesPauseResumeCommandsAndStopOnToTheEngine) {
    std::atomic<int> commands{0};
    const auto session = make([&](const Call& run) -> Result<RunSummary> {
        while (!run.control.stopRequested()) {
            if (run.control.pauseRequested()) {
                run.sink.state(RunState::kPaused);
                run.control.waitWhilePaused();
            }
            run.sink.state(RunState::kRunning);
            commands += static_cast<int>(run.live.take().size());
        }
        run.sink.state(RunState::kStopping);
        return summaryOf("stopped");
    });
    session->start(false);
    ASSERT_TRUE(eventually([&] { return session->state() == RunState::kRunning; }));
    session->control().requestPause();
    ASSERT_TRUE(eventually([&] { return session->state() == RunState::kPaused; }));
    session->control().requestResume();
    ASSERT_TRUE(eventually([&] { return session->state() == RunState::kRunning; }));
    session->post({"training.optimizer.lr", 0.1});
    session->post({"training.clip.max_norm", 2});
    ASSERT_TRUE(eventually([&] { return commands == 2; }));
    session->control().requestStop();
    ASSERT_TRUE(session->wait());
    EXPECT_EQ(session->state(), RunState::kStopped);
    std::vector<RunState> states;
    for (const SessionEvent& event : session->drainEvents()) {
        if (event.kind == SessionEvent::Kind::kState) {
            states.push_back(event.state);
        }
    }
    EXPECT_EQ(states, (std::vector<RunState>{RunState::kPreparing, RunState::kRunning, RunState::kPaused,
                                             RunState::kRunning, RunState::kStopping, RunState::kStopped}))
        << "each change once, the end once";
}

TEST_F(Session, StopsAndJoinsWhenItIsDropped) {
    std::atomic<bool> left{false};
    auto session = make([&](const Call& run) -> Result<RunSummary> {
        while (!run.control.stopRequested()) {
            std::this_thread::yield();
        }
        left = true;
        return summaryOf("stopped");
    });
    const std::filesystem::path folder = session->runFolder();
    session->start(false);
    session.reset();
    EXPECT_TRUE(left);
    EXPECT_EQ(store::RunReader::open(folder).value()->info()->status, "stopped");
}

TEST_F(Session, ThatNeverStartedCanBeDropped) {
    auto session = make([](const Call&) -> Result<RunSummary> { return summaryOf("completed"); });
    const std::filesystem::path folder = session->runFolder();
    session.reset();
    EXPECT_EQ(store::RunReader::open(folder).value()->info()->status, "interrupted");
}

TEST_F(Session, TrainsAtNiceTenInTheBackgroundAndLeavesTheCallerAlone) {
    std::atomic<int> nice{-100};
    const auto session = make([&](const Call&) -> Result<RunSummary> {
        nice = getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)));
        return summaryOf("completed");
    });
    const int before = getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)));
    session->start(true);
    ASSERT_TRUE(session->wait());
    EXPECT_EQ(nice, std::max(before, 10));
    EXPECT_EQ(getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid))), before);
}

TEST_F(Session, ShowsHowFarItIsWhileItRuns) {
    std::atomic<bool> go{false};
    const auto session = make([&](const Call& run) -> Result<RunSummary> {
        run.sink.state(RunState::kRunning);
        run.sink.progress({12, 100, 1, 10, 500, 3});
        run.sink.event({"epoch", 1, {{"epoch", 1}, {"step", 12}, {"metrics", {{"train.loss", 2}}}}});
        while (!go) {
            std::this_thread::yield();
        }
        return summaryOf("completed");
    });
    session->start(false);
    ASSERT_TRUE(eventually([&] { return session->progress().step == 12; }));
    EXPECT_EQ(session->progress().totalEpochs, 10);
    ASSERT_TRUE(eventually([&] { return stored(*session).epochs == 1; })) << "the run table sees it as well";
    EXPECT_EQ(stored(*session).stepsAttempted, 12);
    EXPECT_EQ(stored(*session).status, "running");
    EXPECT_EQ(stored(*session).metrics["train.loss"], 2);
    go = true;
    EXPECT_TRUE(session->wait());
}

/// While it lives no thread can be started: each would get a stack larger than what there are addresses for.
class NoThreads {
public:
    NoThreads() {
        EXPECT_EQ(pthread_getattr_default_np(&m_before), 0);
        pthread_attr_t huge;
        EXPECT_EQ(pthread_getattr_default_np(&huge), 0);
        EXPECT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 50), 0);
        EXPECT_EQ(pthread_setattr_default_np(&huge), 0);
        pthread_attr_destroy(&huge);
    }
    ~NoThreads() {
        pthread_setattr_default_np(&m_before);
        pthread_attr_destroy(&m_before);
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    pthread_attr_t m_before{};
};

TEST_F(Session, WhoseThreadToStoreCannotBeStartedIsASentenceAndLeavesNoRun) {
    const auto engine = std::make_shared<FakeEngine>([](const Call&) { return summaryOf("completed"); });
    auto given = options();
    given.eventsFile = m_folder / "events.jsonl";
    const std::string events = "{\"event\": \"state\", \"state\": \"of another run\"}\n";
    ASSERT_TRUE(writeFileAtomically(given.eventsFile, events));
    const auto refuse = [&] {
        const NoThreads none;
        const auto refused = TrainingSession::create(given, engine);
        EXPECT_FALSE(refused);
        return refused ? Error{} : refused.error();
    };
    const Error error = refuse();
    EXPECT_EQ(error.code, "no-thread") << toSentence(error);
    EXPECT_EQ(error.kind, ErrorKind::kMachine);
    EXPECT_FALSE(error.hint.empty());
    EXPECT_EQ(readFile(given.eventsFile).value(), events);
    EXPECT_TRUE(store::listRuns(given.runsFolder)->empty());
    // One that is there already is kept, and stays what it was.
    const auto session = make([](const Call&) -> Result<RunSummary> { return summaryOf("completed"); });
    ASSERT_TRUE(runToEnd(*session));
    given.resumeRun = session->runId();
    EXPECT_EQ(refuse().code, "no-thread");
    EXPECT_EQ(stored(*session).status, "completed");
}

TEST_F(Session, WhoseTrainingThreadCannotBeStartedEndsWithASentence) {
    const auto session = make([](const Call&) -> Result<RunSummary> { return summaryOf("completed"); });
    {
        const NoThreads none;
        session->start(false);
    }
    const auto summary = session->wait();
    ASSERT_FALSE(summary);
    EXPECT_EQ(summary.error().code, "no-thread");
    EXPECT_EQ(stored(*session).status, "failed");
}

TEST_F(Session, IsNotMadeWhereRunsCannotBeKept) {
    auto given = options();
    given.runsFolder = "/proc/no/such/place";
    const auto session = TrainingSession::create(
        given, std::make_shared<FakeEngine>([](const Call&) { return summaryOf("completed"); }));
    ASSERT_FALSE(session);
    EXPECT_FALSE(session.error().message.empty());
}

}  // namespace
}  // namespace plumbline::session
