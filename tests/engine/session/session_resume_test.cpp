#include <atomic>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include "core/files.h"
#include "session/run_files.h"
#include "session_fixture.h"

namespace plumbline::session {
namespace {

class SessionResume : public SessionTest {
protected:
    /// A run of 100 steps whose process was killed after it had told of step 100 and flushed; its id.
    std::string killedRun() {
        const pid_t child = ::fork();
        if (child == 0) {
            auto session = TrainingSession::create(options(), std::make_shared<FakeEngine>([](const Call& run) -> Result<RunSummary> {
                                                       run.sink.record({{"threads", 3}});
                                                       run.sink.state(RunState::kRunning);
                                                       const SeriesId loss = run.sink.series("train.loss", 1);
                                                       for (std::int64_t step = 1; step <= 100; ++step) {
                                                           run.sink.metric({loss, 0, step, static_cast<double>(step), 1});
                                                       }
                                                       run.sink.finding(findingOf("a#1", diagnostics::Severity::kWarning, 40));
                                                       run.sink.finding(findingOf("a#2", diagnostics::Severity::kWarning, 90));
                                                       (void)run.sink.flush();
                                                       ::kill(::getpid(), SIGKILL);
                                                       return summaryOf("completed");
                                                   }));
            if (session) {
                (*session)->start(false);
                (void)(*session)->wait();
            }
            ::_exit(1);
        }
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status));
        const auto runs = store::listRuns(options().runsFolder);
        EXPECT_TRUE(runs && runs->size() == 1);
        EXPECT_EQ(runs->front().status, "interrupted");
        return runs->front().id;
    }
};

TEST_F(SessionResume, GoesOnWithAKilledRunInTheSameFolderWithItsRecordedChoices) {
    auto given = options();
    given.resumeRun = killedRun();
    const auto session = make(given, [](const Call& run) -> Result<RunSummary> {
        EXPECT_TRUE(run.request.resume);
        EXPECT_EQ(run.request.recorded["threads"], 3);
        run.sink.dropAfter(60, 1e9);
        run.sink.state(RunState::kRunning);
        const SeriesId loss = run.sink.series("train.loss", 1);
        for (std::int64_t step = 61; step <= 80; ++step) {
            run.sink.metric({loss, 0, step, static_cast<double>(step), 2});
        }
        return summaryOf("completed", 80);
    });
    EXPECT_EQ(session->runId(), given.resumeRun);
    EXPECT_EQ(session->findings().size(), 2U) << "what was found before is still known";
    ASSERT_TRUE(runToEnd(*session));
    ASSERT_EQ(session->findings().size(), 1U);
    EXPECT_EQ(session->findings()[0].id, "a#1");
    EXPECT_EQ(storedPoints(*session, "train.loss"), 80U);
    EXPECT_EQ(stored(*session).status, "completed");
    EXPECT_EQ(stored(*session).findings, 1);
    EXPECT_EQ(store::listRuns(options().runsFolder)->size(), 1U);
}

TEST_F(SessionResume, KeepsTheOldEventsInTheFileAndCountsOn) {
    auto given = options();
    given.eventsFile = m_folder / "events.jsonl";
    const auto first = make(given, [](const Call&) -> Result<RunSummary> {
        auto summary = summaryOf("stopped");
        summary.seconds = 100;
        return summary;
    });
    ASSERT_TRUE(runToEnd(*first));
    given.resumeRun = first->runId();
    const auto second = make(given, [](const Call&) -> Result<RunSummary> { return summaryOf("completed"); });
    ASSERT_TRUE(runToEnd(*second));
    const std::string text = readFile(given.eventsFile).value();
    EXPECT_LT(text.find("\"stopped\""), text.find("\"completed\""));
    const auto events = store::RunReader::open(second->runFolder()).value()->events().value();
    EXPECT_GE(events.back()["t_ms"].get<double>(), 100'000);
}

TEST_F(SessionResume, OfARunThatIsGoingOnOrDoesNotExistIsRefused) {
    std::atomic<bool> started{false};
    const auto going = make([&](const Call& run) -> Result<RunSummary> {
        started = true;
        while (!run.control.stopRequested()) {
            std::this_thread::yield();
        }
        return summaryOf("stopped");
    });
    going->start(false);
    ASSERT_TRUE(eventually([&] { return started.load(); }));
    auto given = options();
    const auto engine = std::make_shared<FakeEngine>([](const Call&) { return summaryOf("completed"); });
    given.resumeRun = going->runId();
    EXPECT_EQ(TrainingSession::create(given, engine).error().code, "store-locked");
    given.resumeRun = "20200101-000000-none";
    EXPECT_EQ(TrainingSession::create(given, engine).error().code, "run-missing");
}

TEST_F(SessionResume, GoesOnWithTheRunsOwnDefinitionWhateverTheProjectIsByNow) {
    auto given = options();
    given.resumeRun = killedRun();
    const Json before = given.project.json;
    given.project.json["name"] = "renamed since";
    given.project.training.seed += 1;
    const auto session = make(given, [&](const Call& run) -> Result<RunSummary> {
        EXPECT_EQ(run.request.project.json, before);
        EXPECT_EQ(run.request.project.training.seed + 1, given.project.training.seed);
        return summaryOf("completed");
    });
    ASSERT_TRUE(runToEnd(*session));
}

TEST_F(SessionResume, ARunThatWentOnAndWasKilledIsUsedAtItsNewestCheckpoint) {
    auto given = options();
    const auto checkpoint = [](const Call& run, const char* name) {
        EXPECT_TRUE(makeFolder(run.request.runFolder / "checkpoints"));
        EXPECT_TRUE(writeFileAtomically(run.request.runFolder / "checkpoints" / name, "a checkpoint"));
    };
    const auto first = make(given, [&](const Call& run) -> Result<RunSummary> {
        checkpoint(run, "step-000000100.ckpt");
        auto summary = summaryOf("stopped", 100);
        summary.checkpoint = "checkpoints/step-000000100.ckpt";
        return summary;
    });
    ASSERT_TRUE(runToEnd(*first));
    EXPECT_EQ(checkpointOfRun(first->runFolder())->filename(), "step-000000100.ckpt");
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        given.resumeRun = first->runId();
        auto session = TrainingSession::create(given, std::make_shared<FakeEngine>([&](const Call& run) -> Result<RunSummary> {
                                                   checkpoint(run, "step-000000500.ckpt");
                                                   EXPECT_TRUE(run.sink.flush());
                                                   ::kill(::getpid(), SIGKILL);
                                                   return summaryOf("stopped");
                                               }));
        if (session) {
            (*session)->start(false);
            (void)(*session)->wait();
        }
        ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(checkpointOfRun(first->runFolder())->filename(), "step-000000500.ckpt");
    EXPECT_TRUE(store::RunReader::open(first->runFolder()).value()->record("summary")->is_null()) << "it speaks of an end that is none any more";
}

TEST_F(SessionResume, TheClockGoesOnFromTheCheckpointForAllThatIsTold) {
    auto given = options();
    given.resumeRun = killedRun();
    const auto session = make(given, [](const Call& run) -> Result<RunSummary> {
        run.sink.dropAfter(60, 500'000);
        EXPECT_GE(run.sink.elapsedMs(), 500'000);
        run.sink.finding(findingOf("a#9", diagnostics::Severity::kWarning, 61));
        return summaryOf("completed", 80);
    });
    ASSERT_TRUE(runToEnd(*session));
    bool told = false;
    const std::vector<Json> events = store::RunReader::open(session->runFolder()).value()->events().value();
    for (const Json& event : events) {
        if (event["event"] == "finding" && event["id"] == "a#9") {
            told = true;
            EXPECT_GE(event["t_ms"].get<double>(), 500'000);
            EXPECT_LT(event["t_ms"].get<double>(), 600'000);
        }
    }
    EXPECT_TRUE(told);
}

TEST_F(SessionResume, ARunThatFailsKnowsTheStepsItGotTo) {
    const auto session = make([](const Call& run) -> Result<RunSummary> {
        RunSink::Progress progress;
        progress.step = 7;
        progress.applied = 5;
        progress.skipped = 2;
        run.sink.progress(progress);
        return fail(ErrorKind::kRunFailed, "broken", "It broke.");
    });
    EXPECT_FALSE(runToEnd(*session));
    EXPECT_EQ(stored(*session).stepsAttempted, 7);
    EXPECT_EQ(stored(*session).stepsApplied, 5);
    EXPECT_EQ(stored(*session).stepsSkipped, 2);
}

}  // namespace
}  // namespace plumbline::session
