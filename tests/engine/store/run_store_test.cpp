#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <bit>
#include <limits>
#include <regex>
#include <set>

#include "core/random.h"
#include "store/chunk.h"
#include "store_fixture.h"

namespace plumbline::store {
namespace {

/// Counts what is written into the chunks of a run from now on, by triggers of its file.
class ChunkWrites {
public:
    explicit ChunkWrites(const std::filesystem::path& folder)
        : m_database((folder / "run.sqlite").string(), SQLite::OPEN_READWRITE) {
        const std::string count =
            " ON chunks BEGIN UPDATE written SET points = points + new.count, bytes = bytes + length(new.data); END;";
        m_database.exec(
            "CREATE TABLE written (points INTEGER, bytes INTEGER); INSERT INTO written VALUES (0, 0);"
            "CREATE TRIGGER inserted AFTER INSERT" +
            count + "CREATE TRIGGER updated AFTER UPDATE" + count);
    }
    std::int64_t points() { return m_database.execAndGet("SELECT points FROM written").getInt64(); }
    std::int64_t bytes() { return m_database.execAndGet("SELECT bytes FROM written").getInt64(); }
    std::int64_t rows() { return m_database.execAndGet("SELECT count(*) FROM chunks").getInt64(); }

private:
    SQLite::Database m_database;
};

class RunStore : public ::testing::Test {
protected:
    testing::TemporaryFolder m_runs;
};

TEST_F(RunStore, NamesARunByItsStartAndMakesItWhole) {
    const Json definition = {{"name", "digits"}, {"training", {{"seed", 3}}}};
    const auto writer = newRun(m_runs.path(), "first try", definition);
    EXPECT_TRUE(std::regex_match(writer->id(), std::regex(R"(\d{8}-\d{6}-[0-9a-z]{4})"))) << writer->id();
    EXPECT_EQ(writer->folder(), m_runs.path() / writer->id());
    const auto reader = openRun(writer->folder());
    const auto info = reader->info();
    ASSERT_TRUE(info);
    EXPECT_EQ(info->id, writer->id());
    EXPECT_EQ(info->name, "first try");
    EXPECT_EQ(info->status, "running");
    EXPECT_TRUE(std::regex_match(info->started, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)")))
        << info->started;
    EXPECT_EQ(reader->record("definition").value(), definition);
    EXPECT_TRUE(reader->record("never put").value().is_null());
}

TEST_F(RunStore, GivesTwentyRunsOfTheSameSecondDifferentIds) {
    std::set<std::string> ids;
    for (int i = 0; i < 20; ++i) {
        ids.insert(newRun(m_runs.path())->id());
    }
    EXPECT_EQ(ids.size(), 20U);
}

TEST_F(RunStore, ReadsBackEveryPointOfManyFlushesInOrderAndInFullPrecision) {
    const auto writer = newRun(m_runs.path());
    const int loss = writer->declareSeries("train.loss", 1);
    const int accuracy = writer->declareSeries("val.accuracy", 0);
    EXPECT_EQ(writer->declareSeries("train.loss", 1), loss);
    std::vector<StoredPoint> expected;
    std::int64_t step = 0;
    for (const int count : {1, 3, 500, 20, 9000, 1, 511, 512, 2}) {
        for (int i = 0; i < count; ++i, ++step) {
            expected.push_back({step, static_cast<std::int32_t>(step / 100), static_cast<double>(step) / 3.0,
                                1.0 / static_cast<double>(step + 1)});
            writer->append(loss, expected.back());
        }
        writer->append(accuracy, point(step, std::numeric_limits<double>::quiet_NaN(), 7));
        ASSERT_TRUE(writer->flush());
    }
    const auto points = pointsOf(writer->folder(), "train.loss");
    ASSERT_EQ(points.size(), expected.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_EQ(points[i].step, expected[i].step);
        ASSERT_EQ(points[i].epoch, expected[i].epoch);
        ASSERT_EQ(points[i].elapsedMs, expected[i].elapsedMs);
        ASSERT_EQ(points[i].value, expected[i].value);
    }
    const auto epochPoints = pointsOf(writer->folder(), "val.accuracy");
    ASSERT_EQ(epochPoints.size(), 9U);
    EXPECT_TRUE(std::isnan(epochPoints[0].value));

    const auto series = openRun(writer->folder())->series();
    ASSERT_TRUE(series);
    ASSERT_EQ(series->size(), 2U);
    EXPECT_EQ((*series)[0].name, "train.loss");
    EXPECT_EQ((*series)[0].stride, 1);
    EXPECT_EQ((*series)[0].count, static_cast<std::int64_t>(expected.size()));
    EXPECT_EQ((*series)[1].stride, 0);
    EXPECT_EQ((*series)[1].count, 9);
}

TEST_F(RunStore, ReadsARangeOfSteps) {
    const auto writer = newRun(m_runs.path());
    const int loss = writer->declareSeries("train.loss", 1);
    for (std::int64_t step = 0; step < 20'000; ++step) {
        writer->append(loss, point(step, static_cast<double>(step)));
    }
    ASSERT_TRUE(writer->flush());
    std::vector<std::int64_t> steps;
    ASSERT_TRUE(openRun(writer->folder())->pointsBetween("train.loss", 4090, 8200, [&](const StoredPoint& p) {
        steps.push_back(p.step);
    }));
    ASSERT_EQ(steps.size(), 8200U - 4090U + 1U);
    EXPECT_EQ(steps.front(), 4090);
    EXPECT_EQ(steps.back(), 8200);
    EXPECT_TRUE(pointsOf(writer->folder(), "no such series").empty());
}

TEST_F(RunStore, LetsReadersSeeEachFlushWhileItIsWritten) {
    const auto writer = newRun(m_runs.path());
    const auto reader = openRun(writer->folder());
    const int loss = writer->declareSeries("train.loss", 1);
    for (std::int64_t step = 1; step <= 5; ++step) {
        writer->append(loss, point(step, 1.0));
        EXPECT_EQ(pointsOf(*reader, "train.loss").size(), static_cast<std::size_t>(step - 1)) << "before the flush";
        ASSERT_TRUE(writer->flush());
        EXPECT_EQ(pointsOf(*reader, "train.loss").size(), static_cast<std::size_t>(step)) << "after it";
    }
}

TEST_F(RunStore, WritesAFewTimesWhatIsNewHoweverOftenItIsFlushed) {
    for (const std::uint64_t largest : {1U, 3U, 100U}) {
        const auto writer = newRun(m_runs.path());
        ChunkWrites written(writer->folder());
        const int loss = writer->declareSeries("train.loss", 1);
        Random random(5);
        std::vector<StoredPoint> all;
        while (all.size() < 3000) {
            for (std::uint64_t n = 1 + random.below(largest); n > 0; --n) {
                const auto step = static_cast<std::int64_t>(all.size());
                all.push_back(point(step, 1.0 / static_cast<double>(step + 1)));
                writer->append(loss, all.back());
            }
            ASSERT_TRUE(writer->flush());
        }
        EXPECT_LE(written.points(), 4 * static_cast<std::int64_t>(all.size())) << "of up to " << largest;
        EXPECT_LE(written.bytes(), 6 * static_cast<std::int64_t>(packChunk(all).size())) << "of up to " << largest;
        EXPECT_LE(written.rows(), static_cast<std::int64_t>(all.size() / kOpenChunkPoints) + 21)
            << "of up to " << largest;
        const std::vector<StoredPoint> points = pointsOf(writer->folder(), "train.loss");
        ASSERT_EQ(points.size(), all.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            ASSERT_EQ(points[i].step, all[i].step);
            ASSERT_EQ(points[i].value, all[i].value);
        }
    }
}

TEST_F(RunStore, GoesOnBehindShortChunksThatWereCut) {
    const auto writer = newRun(m_runs.path());
    const int loss = writer->declareSeries("train.loss", 1);
    for (std::int64_t step = 0; step < 100; ++step) {
        writer->append(loss, point(step, 1));
        ASSERT_TRUE(writer->flush());
    }
    ASSERT_TRUE(writer->dropAfter(41, 1e9));
    for (std::int64_t step = 42; step < 100; ++step) {
        writer->append(loss, point(step, 2));
        ASSERT_TRUE(writer->flush());
    }
    const std::vector<StoredPoint> points = pointsOf(writer->folder(), "train.loss");
    ASSERT_EQ(points.size(), 100U);
    for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_EQ(points[i].step, static_cast<std::int64_t>(i));
        ASSERT_EQ(points[i].value, i < 42 ? 1 : 2);
    }
}

TEST_F(RunStore, KeepsEventsFindingsRecordsAndStatus) {
    const auto writer = newRun(m_runs.path());
    ASSERT_TRUE(writer->appendEvent({{"t_ms", 1.5}, {"event", "log"}, {"text", "caf\xc3\xa9 \xff"}}));
    ASSERT_TRUE(writer->appendEvent({{"t_ms", 2.5}, {"event", "epoch"}, {"step", 10}}));
    ASSERT_TRUE(writer->putFinding(finding("non-finite#1", 3)));
    ASSERT_TRUE(writer->putFinding(finding("non-finite#2", 4)));
    auto cleared = finding("non-finite#1", 3);
    cleared.clearedAt = 9;
    ASSERT_TRUE(writer->putFinding(cleared));
    ASSERT_TRUE(writer->putRecord("choices", {{"threads", 2}}));
    ASSERT_TRUE(writer->putRecord("choices", {{"threads", 4}}));
    RunInfo status = withStatus("completed");
    status.seconds = 12.5;
    status.epochs = 3;
    status.stepsAttempted = 100;
    status.stepsApplied = 98;
    status.stepsSkipped = 2;
    status.metrics = {{"val.loss", 0.25}};
    status.stopReason = {{"code", "epochs"}, {"message", "Ran 3 epochs."}};
    ASSERT_TRUE(writer->setStatus(status));
    ASSERT_TRUE(writer->flush());

    const auto reader = openRun(writer->folder());
    const auto events = reader->events();
    ASSERT_TRUE(events);
    ASSERT_EQ(events->size(), 2U);
    EXPECT_EQ((*events)[1]["event"], "epoch");
    const std::int64_t newest = reader->newestEventNumber().value();
    EXPECT_EQ(reader->eventsOfKind("epoch", 0, newest).value(), (std::vector<Json>{(*events)[1]}));
    EXPECT_EQ(reader->eventsOfKind("epoch", newest - 1, newest).value(), (std::vector<Json>{(*events)[1]}));
    EXPECT_TRUE(reader->eventsOfKind("epoch", newest, newest + 10).value().empty());
    EXPECT_TRUE(reader->eventsOfKind("epoch", 0, newest - 1).value().empty());
    EXPECT_TRUE(reader->eventsOfKind("state", 0, newest).value().empty());
    EXPECT_EQ(reader->newestEvent("epoch").value(), (*events)[1]);
    EXPECT_EQ(reader->newestEvent("answer").value(), Json());
    const auto findings = reader->findings();
    ASSERT_TRUE(findings);
    ASSERT_EQ(findings->size(), 2U);
    EXPECT_EQ(diagnostics::toJson((*findings)[0]), diagnostics::toJson(cleared));
    EXPECT_EQ(diagnostics::toJson((*findings)[1]), diagnostics::toJson(finding("non-finite#2", 4)));
    EXPECT_EQ(reader->record("choices").value()["threads"], 4);
    const RunInfo info = reader->info().value();
    EXPECT_EQ(info.status, "completed");
    EXPECT_EQ(info.seconds, 12.5);
    EXPECT_EQ(info.epochs, 3);
    EXPECT_EQ(info.stepsAttempted, 100);
    EXPECT_EQ(info.stepsApplied, 98);
    EXPECT_EQ(info.stepsSkipped, 2);
    EXPECT_EQ(info.metrics, status.metrics);
    EXPECT_EQ(info.stopReason, status.stopReason);
    EXPECT_EQ(info.findings, 2);
}

TEST_F(RunStore, AnEventOfHugeTablesIsASentenceAndTheOthersAreRead) {
    const auto writer = newRun(m_runs.path());
    ASSERT_TRUE(writer->appendEvent({{"event", "command"}, {"step", 1}}));
    ASSERT_TRUE(writer->appendEvent({{"event", "epoch"}, {"matrices", std::string(65'000'000, '1')}}));
    ASSERT_TRUE(writer->flush());
    const auto reader = openRun(writer->folder());
    const std::int64_t newest = reader->newestEventNumber().value();
    EXPECT_EQ(reader->eventsOfKind("command", 0, newest).value().size(), 1U);
    const auto refused = reader->eventsOfKind("epoch", 0, newest);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "event-too-large");
    EXPECT_NE(refused.error().message.find("65 MB"), std::string::npos) << refused.error().message;
}

TEST_F(RunStore, LeavesOneWholeFileWhenTheWriterCloses) {
    std::filesystem::path folder;
    {
        const auto writer = newRun(m_runs.path());
        folder = writer->folder();
        writer->append(writer->declareSeries("train.loss", 1), point(1, 1));
    }
    EXPECT_EQ(pointsOf(folder, "train.loss").size(), 1U) << "what was not flushed yet is flushed by closing";
    EXPECT_FALSE(std::filesystem::exists(folder / "run.sqlite-wal"));
    std::filesystem::copy_file(folder / "run.sqlite", m_runs / "copy.sqlite");
    std::filesystem::create_directory(m_runs / "elsewhere");
    std::filesystem::copy_file(folder / "run.sqlite", m_runs / "elsewhere" / "run.sqlite");
    EXPECT_EQ(pointsOf(m_runs / "elsewhere", "train.loss").size(), 1U);
}

TEST_F(RunStore, HasOneWriterOnly) {
    auto writer = newRun(m_runs.path());
    const std::filesystem::path folder = writer->folder();
    const auto second = RunWriter::reopen(folder);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, "store-locked");
    EXPECT_FALSE(second.error().hint.empty());
    writer.reset();
    EXPECT_TRUE(RunWriter::reopen(folder));
}

TEST_F(RunStore, OfAKilledProcessReadsAsInterruptedWithAllThatWasFlushedAndCanBeGoneOnWith) {
    inKilledProcess([&] {
        auto* writer = newRun(m_runs.path()).release();
        const int loss = writer->declareSeries("train.loss", 1);
        for (std::int64_t step = 0; step < 1000; ++step) {
            writer->append(loss, point(step, 1));
        }
        (void)writer->putFinding(finding("non-finite#1", 5));
        (void)writer->flush();
        writer->append(loss, point(1000, 1));
    });
    const auto runs = listRuns(m_runs.path());
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 1U);
    EXPECT_EQ(runs->front().status, "interrupted");
    EXPECT_EQ(pointsOf(runs->front().folder, "train.loss").size(), 1000U);

    const auto writer = RunWriter::reopen(runs->front().folder);
    ASSERT_TRUE(writer);
    EXPECT_EQ(infoOf(runs->front().folder).status, "running");
    EXPECT_EQ(listRuns(m_runs.path())->front().status, "running");
    const int loss = (*writer)->declareSeries("train.loss", 1);
    ASSERT_TRUE((*writer)->dropAfter(600, 1e9));
    (*writer)->append(loss, point(601, 2));
    ASSERT_TRUE((*writer)->flush());
    const auto points = pointsOf(runs->front().folder, "train.loss");
    ASSERT_EQ(points.size(), 602U);
    EXPECT_EQ(points[600].step, 600);
    EXPECT_EQ(points[601].value, 2);
}

TEST_F(RunStore, DropsWhatLiesPastAStepFromChunksEventsAndFindings) {
    const auto writer = newRun(m_runs.path());
    const int loss = writer->declareSeries("train.loss", 1);
    const int norm = writer->declareSeries("grad.norm", 10);
    for (std::int64_t step = 0; step < 10'000; ++step) {
        writer->append(loss, point(step, 1));
        if (step % 10 == 0) {
            writer->append(norm, point(step, 2));
        }
        if (step % 777 == 0) {
            ASSERT_TRUE(writer->flush());
        }
    }
    ASSERT_TRUE(writer->appendEvent({{"event", "epoch"}, {"step", 5000}}));
    ASSERT_TRUE(writer->appendEvent({{"event", "epoch"}, {"step", 5001}}));
    ASSERT_TRUE(writer->appendEvent({{"event", "log"}, {"text", "has no step"}}));
    ASSERT_TRUE(writer->putFinding(finding("a#1", 6000)));
    auto clearedLater = finding("a#2", 100);
    clearedLater.clearedAt = 7000;
    ASSERT_TRUE(writer->putFinding(clearedLater));
    ASSERT_TRUE(writer->dropAfter(5000, 1e9));

    const auto points = pointsOf(writer->folder(), "train.loss");
    ASSERT_EQ(points.size(), 5001U);
    EXPECT_EQ(points.back().step, 5000);
    EXPECT_EQ(pointsOf(writer->folder(), "grad.norm").size(), 501U);
    const auto reader = openRun(writer->folder());
    ASSERT_EQ(reader->events()->size(), 2U);
    ASSERT_EQ(reader->findings()->size(), 1U);
    EXPECT_EQ(reader->findings()->front().id, "a#2");
    EXPECT_FALSE(reader->findings()->front().clearedAt) << "it cleared in the part that was dropped";
    ASSERT_TRUE(writer->dropAfter(-1, 1e9));
    EXPECT_TRUE(pointsOf(writer->folder(), "train.loss").empty());
    writer->append(loss, point(0, 9));
    ASSERT_TRUE(writer->flushDurably());
    EXPECT_EQ(pointsOf(writer->folder(), "train.loss").size(), 1U);
}

TEST_F(RunStore, SaysOfARunThatGoesOnWhatIsLeftOfItAndNothingOfItsEnd) {
    std::filesystem::path folder;
    {
        const auto writer = newRun(m_runs.path());
        folder = writer->folder();
        const int loss = writer->declareSeries("train.loss", 1), validation = writer->declareSeries("val.loss", 0),
                  test = writer->declareSeries("test.loss", 0);
        for (std::int64_t step = 1; step <= 30; ++step) {
            writer->append(loss, {step, 1, 10.0 * static_cast<double>(step), 1});
        }
        const auto epoch = [&](std::int64_t number, double value, const Json& metrics) {
            writer->append(validation, {10 * number, static_cast<std::int32_t>(number),
                                        100.0 * static_cast<double>(number), value});
            const Json event{{"event", "epoch"},
                             {"t_ms", 100.0 * static_cast<double>(number)},
                             {"epoch", number},
                             {"step", 10 * number},
                             {"metrics", metrics}};
            ASSERT_TRUE(writer->appendEvent(event));
        };
        epoch(1, 0.75, {{"train.loss", 3}, {"val.loss", 0.75}});
        epoch(2, 0.5, {{"train.loss", 2}});
        epoch(3, 0.25, {{"train.loss", 1}, {"val.loss", 0.25}});
        writer->append(test, {30, 3, 310, 0.125});
        RunInfo end = withStatus("completed");
        end.seconds = 0.3;
        end.epochs = 3;
        end.stepsAttempted = 30;
        end.stepsApplied = 28;
        end.stepsSkipped = 2;
        end.metrics = {{"train.loss", 1}, {"val.loss", 0.25}, {"test.loss", 0.125}};
        end.stopReason = {{"code", "epochs"}, {"message", "Trained for 3 epochs."}};
        ASSERT_TRUE(writer->setStatus(end));
        ASSERT_TRUE(writer->putRecord("summary", {{"status", "completed"}}));
        ASSERT_TRUE(writer->flush());
    }
    const auto writer = RunWriter::reopen(folder);
    ASSERT_TRUE(writer);
    EXPECT_EQ(infoOf(folder).status, "completed") << "until it goes on it has ended";
    EXPECT_EQ(infoOf(folder).epochs, 3);
    EXPECT_EQ(openRun(folder)->record("summary").value()["status"], "completed");
    const auto left = (*writer)->dropAfter(20, 205);
    ASSERT_TRUE(left) << toSentence(left.error());
    const RunInfo stored = infoOf(folder);
    for (const RunInfo& info : {*left, stored}) {
        EXPECT_EQ(info.status, "running");
        EXPECT_EQ(info.seconds, 0.205);
        EXPECT_EQ(info.epochs, 2);
        EXPECT_EQ(info.stepsAttempted, 20);
        EXPECT_EQ(info.stepsApplied, 20);
        EXPECT_EQ(info.stepsSkipped, 0);
        EXPECT_EQ(info.metrics.size(), 2U) << info.metrics;
        EXPECT_EQ(info.metrics["train.loss"], 2);
        EXPECT_EQ(info.metrics["val.loss"], 0.5) << "of a validation that no epoch's event tells";
        EXPECT_TRUE(info.stopReason.is_null());
    }
    EXPECT_TRUE(openRun(folder)->record("summary").value().is_null());
    ASSERT_TRUE((*writer)->dropAfter(0, 0));
    EXPECT_EQ(infoOf(folder).epochs, 0);
    EXPECT_TRUE(infoOf(folder).metrics.empty());
}

TEST_F(RunStore, CanBeReadFromAFolderThatCannotBeWrittenTo) {
    std::filesystem::path folder;
    inKilledProcess([&] {
        auto* writer = newRun(m_runs.path()).release();
        writer->append(writer->declareSeries("train.loss", 1), point(1, 1));
        (void)writer->flush();
    });
    folder = listRuns(m_runs.path())->front().folder;
    ASSERT_TRUE(std::filesystem::exists(folder / "run.sqlite-wal"));
    std::filesystem::remove(folder / "run.sqlite-shm");
    std::filesystem::remove(m_runs / "index.sqlite");
    std::filesystem::permissions(m_runs.path(), std::filesystem::perms(0555));
    std::filesystem::permissions(folder, std::filesystem::perms(0555));
    const bool root = ::geteuid() == 0;
    if (root) {
        ASSERT_EQ(::seteuid(65534), 0);
    }
    EXPECT_EQ(pointsOf(folder, "train.loss").size(), 1U) << "with the log, which holds all of it";
    EXPECT_EQ(listRuns(m_runs.path())->size(), 1U);
    const Status noted = setRunNote(folder, "a", "b");
    const auto writer = RunWriter::create(m_runs.path(), "", {});
    const auto again = RunWriter::reopen(folder);
    if (root) {
        ASSERT_EQ(::seteuid(0), 0);
    }
    std::filesystem::permissions(m_runs.path(), std::filesystem::perms(0755));
    std::filesystem::permissions(folder, std::filesystem::perms(0755));
    ASSERT_FALSE(noted);
    EXPECT_EQ(noted.error().kind, ErrorKind::kMachine);
    ASSERT_FALSE(writer);
    EXPECT_EQ(writer.error().code, "no-permission");
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, "no-permission");
}

TEST_F(RunStore, APipeInPlaceOfARunHoldsNobodyUp) {
    { const auto writer = newRun(m_runs.path()); }
    ASSERT_EQ(listRuns(m_runs.path())->size(), 1U);
    std::filesystem::create_directories(m_runs / "20260101-000000-pipe");
    ASSERT_EQ(::mkfifo((m_runs / "20260101-000000-pipe" / "run.sqlite").c_str(), 0600), 0);
    EXPECT_EQ(listRuns(m_runs.path())->size(), 1U);
    EXPECT_EQ(RunReader::open(m_runs / "20260101-000000-pipe").error().code, "run-missing");
}

TEST_F(RunStore, InAPlaceWithNoRunIsASentence) {
    for (const auto& error :
         {RunReader::open(m_runs / "nothing").error(), RunWriter::reopen(m_runs / "nothing").error(),
          deleteRun(m_runs / "nothing").error(), setRunNote(m_runs / "nothing", "a", "b").error()}) {
        EXPECT_EQ(error.code, "run-missing");
        EXPECT_FALSE(error.hint.empty());
    }
}

TEST_F(RunStore, DropsWhatCameAfterTheMomentOfTheCheckpointWithinItsStep) {
    const auto writer = newRun(m_runs.path());
    const int loss = writer->declareSeries("train.loss", 1), validation = writer->declareSeries("val.loss", 0);
    for (std::int64_t step = 1; step <= 12; ++step) {
        writer->append(loss, {step, 1, 10.0 * static_cast<double>(step), 1});
    }
    writer->append(validation, {6, 1, 61, 0.75});
    writer->append(validation, {12, 1, 150, 0.5});
    ASSERT_TRUE(writer->appendEvent({{"event", "epoch"}, {"step", 6}, {"t_ms", 65.0}}));
    ASSERT_TRUE(writer->appendEvent({{"event", "command"}, {"step", 12}, {"t_ms", 121.0}}));
    ASSERT_TRUE(writer->appendEvent({{"event", "checkpoint"}, {"step", 12}, {"t_ms", 131.0}}));
    ASSERT_TRUE(writer->appendEvent({{"event", "epoch"}, {"step", 12}, {"t_ms", 160.0}}));
    // What the run takes again at its step; nothing else holds it.
    ASSERT_TRUE(writer->appendEvent({{"event", "command"}, {"step", 12}, {"t_ms", 161.0}}));
    ASSERT_TRUE(writer->appendEvent({{"event", "command"}, {"step", 20}, {"t_ms", 200.0}}));
    ASSERT_TRUE(
        writer->appendEvent({{"event", "log"}, {"step", 20}, {"t_ms", 201.0}, {"said", {{"event", "command"}}}}));
    ASSERT_TRUE(writer->dropAfter(12, 130));
    EXPECT_EQ(pointsOf(writer->folder(), "train.loss").size(), 12U);
    ASSERT_EQ(pointsOf(writer->folder(), "val.loss").size(), 1U);
    std::vector<std::string> events;
    const std::vector<Json> kept = openRun(writer->folder())->events().value();
    for (const Json& event : kept) {
        events.push_back(event["event"].get<std::string>());
    }
    EXPECT_EQ(events, (std::vector<std::string>{"epoch", "command", "checkpoint", "command", "command"}));
    ASSERT_TRUE(writer->dropAfter(6, 61)) << "a series may lose all its points of a chunk";
    EXPECT_EQ(pointsOf(writer->folder(), "val.loss").size(), 1U);
    ASSERT_TRUE(writer->dropAfter(6, 60.5));
    EXPECT_TRUE(pointsOf(writer->folder(), "val.loss").empty());
    writer->append(validation, {6, 1, 61, 0.75});
    ASSERT_TRUE(writer->flush());
    EXPECT_EQ(pointsOf(writer->folder(), "val.loss").size(), 1U);
}

TEST_F(RunStore, ASeriesHasTheStrideThatItWasDeclaredWithLast) {
    const auto writer = newRun(m_runs.path());
    const int norm = writer->declareSeries("grad.norm", 10);
    writer->append(norm, point(10, 1));
    ASSERT_TRUE(writer->flush());
    EXPECT_EQ(writer->declareSeries("grad.norm", 50), norm);
    writer->append(norm, point(60, 2));
    ASSERT_TRUE(writer->flush());
    const auto series = openRun(writer->folder())->series().value();
    ASSERT_EQ(series.size(), 1U);
    EXPECT_EQ(series[0].stride, 50);
    EXPECT_EQ(series[0].count, 2);
}

}  // namespace
}  // namespace plumbline::store
