// The two ways out of a run, and the event file.

#include <atomic>
#include <fstream>
#include <sstream>

#include "core/files.h"
#include "session_fixture.h"

namespace plumbline::session {
namespace {

class SessionEvents : public SessionTest {
protected:
    static std::vector<Json> lines(const std::filesystem::path& file) {
        std::vector<Json> result;
        std::istringstream text(readFile(file).value());
        for (std::string line; std::getline(text, line);) {
            result.push_back(Json::parse(line));
        }
        return result;
    }
};

TEST_F(SessionEvents, ReachASlowReaderWithoutLossWhileMetricsAreThinnedAndCounted) {
    constexpr std::int64_t kSteps = 500'000;
    constexpr int kEvents = 2000;
    const auto session = make([](const Call& run) -> Result<RunSummary> {
        const SeriesId loss = run.sink.series("train.loss", 1);
        const auto start = std::chrono::steady_clock::now();
        for (std::int64_t step = 0; step < kSteps; ++step) {
            run.sink.metric({loss, 0, step, 0, 1});
        }
        const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
        RecordProperty("nanoseconds_a_metric", std::to_string(spent.count() / kSteps));
        for (std::int64_t step = 0; step < kSteps; ++step) {
            if (step % (kSteps / kEvents) == 0) {
                run.sink.event({"log", 0, {{"number", step / (kSteps / kEvents)}}});
            }
        }
        return summaryOf("completed", kSteps);
    });
    ASSERT_TRUE(runToEnd(*session));
    const MetricDrain drain = session->drainMetrics();
    EXPECT_LE(drain.points.size(), 200'000U);
    EXPECT_GT(drain.dropped, 0U);
    EXPECT_EQ(drain.points.size() + drain.dropped, static_cast<std::size_t>(kSteps));
    EXPECT_EQ(storedPoints(*session, "train.loss"), static_cast<std::size_t>(kSteps)) << "the store has all of it";
    int next = 0;
    for (const SessionEvent& event : session->drainEvents()) {
        if (event.kind == SessionEvent::Kind::kEvent) {
            ASSERT_EQ(event.event.data["number"], next++);
        }
    }
    EXPECT_EQ(next, kEvents);
}

TEST_F(SessionEvents, AndMetricsReachAReaderWhileTheRunGoesOn) {
    std::atomic<bool> seen{false};
    const auto session = make([&](const Call& run) -> Result<RunSummary> {
        run.sink.metric({run.sink.series("train.loss", 1), 2, 3, 4, 5});
        while (!seen && !run.control.stopRequested()) {
            std::this_thread::yield();
        }
        return summaryOf("completed");
    });
    session->start(false);
    MetricDrain drain;
    ASSERT_TRUE(eventually([&] {
        drain = session->drainMetrics();
        return !drain.points.empty();
    }));
    seen = true;
    EXPECT_EQ(drain.seriesNames, (std::vector<std::string>{"train.loss"}));
    EXPECT_EQ(drain.points[0].epoch, 2);
    EXPECT_EQ(drain.points[0].step, 3);
    EXPECT_EQ(drain.points[0].value, 5);
    EXPECT_TRUE(session->wait());
}

TEST_F(SessionEvents, EndWithOneFinishedThatHasTheSummaryOrTheError) {
    const auto good = make([](const Call&) -> Result<RunSummary> { return summaryOf("completed"); });
    ASSERT_TRUE(runToEnd(*good));
    const auto goodEvents = good->drainEvents();
    EXPECT_EQ(goodEvents.back().kind, SessionEvent::Kind::kFinished);
    EXPECT_TRUE(goodEvents.back().summary);
    EXPECT_FALSE(goodEvents.back().error);
    const auto bad =
        make([](const Call&) -> Result<RunSummary> { return fail(ErrorKind::kRunFailed, "x", "It broke"); });
    ASSERT_FALSE(runToEnd(*bad));
    const auto badEvents = bad->drainEvents();
    EXPECT_EQ(badEvents.back().kind, SessionEvent::Kind::kFinished);
    EXPECT_EQ(badEvents.back().error->code, "x");
}

TEST_F(SessionEvents, AreLinesOfJsonInTheEventFileAndTheSameInTheStore) {
    auto given = options();
    given.eventsFile = m_folder / "events.jsonl";
    std::ofstream(given.eventsFile) << "{\"event\": \"state\", \"state\": \"left over\"}\n";
    const auto session = make(given, [&](const Call& run) -> Result<RunSummary> {
        run.sink.event({"log", 1.5, {{"text", "line\nbreak \xff"}}});
        EXPECT_TRUE(run.sink.flush());
        EXPECT_NE(readFile(given.eventsFile).value().find("break"), std::string::npos) << "a flush brings each line";
        run.sink.finding(findingOf("a#1", diagnostics::Severity::kInfo, 9));
        return summaryOf("completed");
    });
    ASSERT_TRUE(runToEnd(*session));
    const auto written = lines(given.eventsFile);
    ASSERT_EQ(written.size(), 4U);
    EXPECT_EQ(written[0]["state"], "preparing");
    EXPECT_EQ(written[1]["event"], "log");
    EXPECT_EQ(written[1]["t_ms"], 1.5);
    EXPECT_EQ(written[2]["event"], "finding");
    EXPECT_EQ(written[2]["detector"], "non-finite");
    EXPECT_EQ(written[3]["state"], "completed");
    const auto stored = store::RunReader::open(session->runFolder()).value()->events();
    ASSERT_TRUE(stored);
    ASSERT_EQ(stored->size(), 4U);
    EXPECT_EQ((*stored)[2], written[2]);
}

TEST_F(SessionEvents, FileThatCannotBeWrittenIsAnErrorBeforeAnyRunIsMade) {
    auto given = options();
    given.eventsFile = m_folder / "no such folder" / "events.jsonl";
    const auto session = TrainingSession::create(
        given, std::make_shared<FakeEngine>([](const Call&) { return summaryOf("completed"); }));
    ASSERT_FALSE(session);
    EXPECT_NE(session.error().where.find("events.jsonl"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(given.runsFolder));
}

TEST_F(SessionEvents, OfAnotherRunStayWhereTheNewOneCannotBeMade) {
    auto given = options();
    given.eventsFile = m_folder / "events.jsonl";
    std::ofstream(given.eventsFile) << "{\"event\": \"state\", \"state\": \"of another run\"}\n";
    given.runsFolder = "/proc/no/such/place";
    ASSERT_FALSE(TrainingSession::create(
        given, std::make_shared<FakeEngine>([](const Call&) { return summaryOf("completed"); })));
    ASSERT_EQ(lines(given.eventsFile).size(), 1U);
    EXPECT_EQ(lines(given.eventsFile)[0]["state"], "of another run");
}

TEST_F(SessionEvents, FileOnAFullDiskEndsTheRunWithASentence) {
    auto given = options();
    given.eventsFile = "/dev/full";
    const auto session = make(given, [](const Call& run) -> Result<RunSummary> {
        EXPECT_TRUE(eventually([&] { return run.control.stopRequested(); }));
        return summaryOf("stopped");
    });
    const auto summary = runToEnd(*session);
    ASSERT_FALSE(summary);
    EXPECT_EQ(summary.error().code, "disk-full");
    EXPECT_EQ(summary.error().kind, ErrorKind::kMachine);
    EXPECT_EQ(stored(*session).status, "failed");
}

}  // namespace
}  // namespace plumbline::session
