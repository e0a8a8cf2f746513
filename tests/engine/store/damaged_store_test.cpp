// Whatever happened to run.sqlite, reading it ends in its content or in one sentence, and other runs are not affected.

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/files.h"
#include "core/random.h"
#include "store_fixture.h"

namespace plumbline::store {
namespace {

std::filesystem::path finishedRun(const std::filesystem::path& runs) {
    const auto writer = newRun(runs);
    const int loss = writer->declareSeries("train.loss", 1);
    for (std::int64_t step = 0; step < 3000; ++step) {
        writer->append(loss, point(step, 0.5));
    }
    EXPECT_TRUE(writer->putFinding(finding("non-finite#1", 5)));
    EXPECT_TRUE(writer->setStatus(withStatus("completed")));
    return writer->folder();
}

/// Reads everything there is; the first error, if any.
Status readAll(const std::filesystem::path& folder) {
    PLUMBLINE_ASSIGN(const auto reader, RunReader::open(folder));
    PLUMBLINE_ASSIGN([[maybe_unused]] const auto info, reader->info());
    PLUMBLINE_ASSIGN([[maybe_unused]] const auto series, reader->series());
    PLUMBLINE_TRY(reader->points("train.loss", [](const StoredPoint& p) { ASSERT_EQ(p.value, 0.5); }));
    PLUMBLINE_ASSIGN([[maybe_unused]] const auto findings, reader->findings());
    PLUMBLINE_ASSIGN([[maybe_unused]] const auto record, reader->record("definition"));
    return {};
}

void writeBytes(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

TEST(DamagedStore, CutAtAnyLengthIsASentence) {
    const testing::TemporaryFolder runs;
    const auto folder = finishedRun(runs.path());
    const std::string whole = readFile(folder / "run.sqlite").value();
    for (std::size_t length = 0; length < whole.size(); length += 1 + length / 9) {
        writeBytes(folder / "run.sqlite", whole.substr(0, length));
        const Status status = readAll(folder);
        ASSERT_FALSE(status) << "cut to " << length << " of " << whole.size();
        EXPECT_EQ(status.error().code, "store-corrupt") << toSentence(status.error());
        EXPECT_FALSE(status.error().hint.empty());
    }
    writeBytes(folder / "run.sqlite", whole);
    EXPECT_TRUE(readAll(folder));
}

TEST(DamagedStore, WithChangedBytesNeverCrashesAndNeverGivesWrongValues) {
    const testing::TemporaryFolder runs;
    const auto folder = finishedRun(runs.path());
    const std::string whole = readFile(folder / "run.sqlite").value();
    Random random(7);
    int errors = 0;
    for (int round = 0; round < 300; ++round) {
        std::string changed = whole;
        for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
            changed[random.below(changed.size())] = static_cast<char>(random.below(256));
        }
        writeBytes(folder / "run.sqlite", changed);
        const Status status = readAll(folder);
        if (!status) {
            ++errors;
            EXPECT_FALSE(status.error().message.empty());
        }
    }
    EXPECT_GT(errors, 50);
}

TEST(DamagedStore, DoesNotStopTheOthersFromBeingListed) {
    const testing::TemporaryFolder runs;
    const auto good = finishedRun(runs.path());
    const auto bad = finishedRun(runs.path());
    writeBytes(bad / "run.sqlite",
               "this is not a database, and long enough to be looked at: " + std::string(2000, 'x'));
    for (int round = 0; round < 2; ++round) {
        const auto list = listRuns(runs.path());
        ASSERT_TRUE(list);
        ASSERT_EQ(list->size(), 2U);
        for (const RunInfo& run : *list) {
            if (run.folder == bad) {
                EXPECT_EQ(run.status, "unreadable");
                EXPECT_EQ(run.stopReason["code"], "store-corrupt");
                EXPECT_EQ(run.id, bad.filename());
            } else {
                EXPECT_EQ(run.folder, good);
                EXPECT_EQ(run.status, "completed");
            }
        }
    }
}

TEST(DamagedStore, OfANewerVersionIsRefusedAndNotTouched) {
    const testing::TemporaryFolder runs;
    const auto folder = finishedRun(runs.path());
    {
        SQLite::Database database((folder / "run.sqlite").string(), SQLite::OPEN_READWRITE);
        database.exec("PRAGMA user_version = 99");
    }
    const std::string before = readFile(folder / "run.sqlite").value();
    const auto reader = RunReader::open(folder);
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().code, "store-newer");
    const auto writer = RunWriter::reopen(folder);
    ASSERT_FALSE(writer);
    EXPECT_EQ(writer.error().code, "store-newer");
    EXPECT_EQ(listRuns(runs.path())->front().status, "unreadable");
}

TEST(DamagedStore, ThatAnotherProgramLockedIsASentence) {
    const testing::TemporaryFolder runs;
    const auto folder = finishedRun(runs.path());
    SQLite::Database other((folder / "run.sqlite").string(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN EXCLUSIVE");
    const auto reader = RunReader::open(folder);
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().code, "store-locked");
    EXPECT_FALSE(reader.error().hint.empty());
    const auto writer = RunWriter::reopen(folder);
    ASSERT_FALSE(writer);
    EXPECT_EQ(writer.error().code, "store-locked");
    other.exec("ROLLBACK");
    EXPECT_TRUE(RunReader::open(folder));
}

TEST(DamagedStore, WithTextsNestedWithoutEndIsASentence) {
    const testing::TemporaryFolder runs;
    const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
    for (const char* sql : {"UPDATE findings SET json = ?", "UPDATE run SET metrics = ?",
                            "UPDATE records SET value = ?", "INSERT INTO events (step, json) VALUES (1, ?)"}) {
        const auto folder = finishedRun(runs.path());
        {
            SQLite::Database database((folder / "run.sqlite").string(), SQLite::OPEN_READWRITE);
            SQLite::Statement change(database, sql);
            change.bind(1, deep);
            change.exec();
        }
        Status status = readAll(folder);
        if (status) {
            const auto events = openRun(folder)->events();
            status = events ? Status{} : Status(fail(events.error()));
        }
        ASSERT_FALSE(status) << sql;
        EXPECT_EQ(status.error().code, "store-corrupt") << sql;
    }
}

}  // namespace
}  // namespace plumbline::store
