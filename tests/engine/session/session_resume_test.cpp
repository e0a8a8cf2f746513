#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <fstream>
#include <iterator>
#include <new>

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
            auto session = TrainingSession::create(
                options(), std::make_shared<FakeEngine>([](const Call& run) -> Result<RunSummary> {
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
    /// A run that has ended, with epochs that ended at steps 10 and 20, 100 and 200 milliseconds after its start; its
    /// id.
    std::string endedRun() {
        auto given = options();
        given.commandLine = "plumbline train";
        const auto session = make(given, [](const Call& run) -> Result<RunSummary> {
            run.sink.record({{"threads", 3}});
            const SeriesId validation = run.sink.series("val.loss", 0), test = run.sink.series("test.loss", 0);
            for (const int epoch : {1, 2}) {
                const double value = 1.0 / epoch;
                run.sink.metric({validation, epoch, 10 * epoch, 100.0 * epoch, value});
                run.sink.event({"epoch",
                                100.0 * epoch,
                                {{"epoch", epoch},
                                 {"step", 10 * epoch},
                                 {"metrics", {{"train.loss", value}, {"val.loss", value}}}}});
            }
            run.sink.metric({test, 2, 20, 250, 0.75});
            RunSummary summary = summaryOf("completed", 20);
            summary.epochs = 2;
            summary.seconds = 0.25;
            summary.metrics = {{"train.loss", 0.5}, {"val.loss", 0.5}, {"test.loss", 0.75}};
            summary.checkpoint = "checkpoints/step-000000020.ckpt";
            return summary;
        });
        EXPECT_TRUE(runToEnd(*session));
        return session->runId();
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
        auto session =
            TrainingSession::create(given, std::make_shared<FakeEngine>([&](const Call& run) -> Result<RunSummary> {
                                        run.sink.dropAfter(100, 1e9);
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
    EXPECT_TRUE(store::RunReader::open(first->runFolder()).value()->record("summary")->is_null())
        << "it speaks of an end that is none any more";
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

TEST_F(SessionResume, ThatEndsBeforeItHasItsStateBackLeavesTheRunAsItWas) {
    auto given = options();
    given.resumeRun = endedRun();
    given.commandLine = "plumbline resume";
    const std::filesystem::path folder = given.runsFolder / given.resumeRun;
    const auto record = [&](const char* key) { return store::RunReader::open(folder).value()->record(key).value(); };
    const auto infoNow = [&] { return store::RunReader::open(folder).value()->info().value(); };
    const store::RunInfo before = infoNow();
    ASSERT_EQ(before.status, "completed");
    const auto records = [&] {
        return Json{
            {"summary", record("summary")}, {"choices", record("choices")}, {"command_line", record("command_line")}};
    };
    const Json recordsBefore = records();
    const Training endings[] = {[](const Call&) -> Result<RunSummary> {
                                    return fail(ErrorKind::kInvalid, "file-missing",
                                                "Cannot read points.csv: it does not exist", "points.csv",
                                                "Check the path.");
                                },
                                [](const Call&) -> Result<RunSummary> { throw std::bad_alloc(); },
                                [](const Call& run) -> Result<RunSummary> {
                                    run.sink.record({{"threads", 5}});
                                    (void)run.sink.series("val.loss", 7);
                                    EXPECT_TRUE(run.sink.flush());
                                    RunSummary stopped = summaryOf("stopped");
                                    stopped.stopCode = "interrupt";
                                    stopped.metrics.clear();
                                    return stopped;
                                }};
    for (std::size_t i = 0; i < std::size(endings); ++i) {
        const auto session = make(given, endings[i]);
        EXPECT_EQ(infoNow().status, "completed") << "it is opened and does not go on yet";
        const auto ended = runToEnd(*session);
        const store::RunInfo after = infoNow();
        EXPECT_EQ(after.status, before.status) << i;
        EXPECT_EQ(after.stopReason, before.stopReason) << i;
        EXPECT_EQ(after.seconds, before.seconds) << i;
        EXPECT_EQ(after.epochs, before.epochs) << i;
        EXPECT_EQ(after.stepsAttempted, before.stepsAttempted) << i;
        EXPECT_EQ(after.stepsApplied, before.stepsApplied) << i;
        EXPECT_EQ(after.metrics, before.metrics) << i;
        EXPECT_EQ(records(), recordsBefore) << i;
        EXPECT_EQ(store::RunReader::open(folder).value()->series()->front().stride, 0) << i;
        std::size_t told = 0;
        const std::vector<Json> events = store::RunReader::open(folder).value()->events().value();
        for (const Json& event : events) {
            told += event["event"] == "log" && event["message"] == "The resume did not begin; the run is as it was."
                        ? 1
                        : 0;
        }
        EXPECT_EQ(told, i + 1) << "once each time";
        if (i < 2) {
            ASSERT_FALSE(ended) << i;
            EXPECT_EQ(ended.error().code, i == 0 ? "file-missing" : "out-of-memory");
            EXPECT_EQ(session->state(), RunState::kFailed);
        } else {
            ASSERT_TRUE(ended);
            EXPECT_EQ(ended->status, "stopped");
            EXPECT_EQ(ended->stopCode, "interrupt");
            EXPECT_EQ(ended->epochs, 2) << "the numbers told are the run's";
            EXPECT_EQ(ended->steps.attempted, 20);
            EXPECT_EQ(ended->metrics.at("test.loss"), 0.75);
            EXPECT_EQ(ended->checkpoint, "checkpoints/step-000000020.ckpt");
            EXPECT_EQ(session->state(), RunState::kStopped);
        }
    }
}

/// A run that got this far and then failed.
Result<RunSummary> breaks(const Call& run, std::int64_t step, std::int64_t applied, std::int64_t skipped) {
    RunSink::Progress progress;
    progress.step = step;
    progress.applied = applied;
    progress.skipped = skipped;
    run.sink.progress(progress);
    return fail(ErrorKind::kRunFailed, "broken", "It broke.");
}

TEST_F(SessionResume, ThatFailsBeforeItsNextEpochEndsShowsTheNumbersOfItsCheckpoint) {
    auto given = options();
    given.resumeRun = endedRun();
    const auto session = make(given, [](const Call& run) -> Result<RunSummary> {
        run.sink.dropAfter(10, 150);
        return breaks(run, 11, 10, 1);
    });
    EXPECT_FALSE(runToEnd(*session));
    const store::RunInfo info = stored(*session);
    EXPECT_EQ(info.status, "failed");
    EXPECT_EQ(info.epochs, 1);
    EXPECT_EQ(info.stepsAttempted, 11);
    EXPECT_EQ(info.stepsSkipped, 1);
    EXPECT_EQ(info.metrics.size(), 2U) << info.metrics;
    EXPECT_EQ(info.metrics["train.loss"], 1.0);
    EXPECT_EQ(info.metrics["val.loss"], 1.0);
}

TEST_F(SessionResume, ARunThatFailsKnowsTheStepsItGotTo) {
    const auto session = make([](const Call& run) { return breaks(run, 7, 5, 2); });
    EXPECT_FALSE(runToEnd(*session));
    EXPECT_EQ(stored(*session).stepsAttempted, 7);
    EXPECT_EQ(stored(*session).stepsApplied, 5);
    EXPECT_EQ(stored(*session).stepsSkipped, 2);
}

}  // namespace
}  // namespace plumbline::session
