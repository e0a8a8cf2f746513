// A store that an older program wrote: read as it is, migrated when it is gone on with, the old file kept.

#include <SQLiteCpp/SQLiteCpp.h>

#include <fstream>

#include "core/files.h"
#include "store/schema.h"
#include "store_fixture.h"
#include "support/failing_writes.h"

#include <cerrno>

namespace plumbline::store {
namespace {

int versionOf(const std::filesystem::path& file) {
    return SQLite::Database(file.string(), SQLite::OPEN_READONLY).execAndGet("PRAGMA user_version").getInt();
}

/// A run as the program of version 1 left it, from a file that it wrote.
std::filesystem::path oldRun(const std::filesystem::path& runs) {
    const std::filesystem::path folder = runs / "20260101-000000-old1";
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(std::filesystem::path(PLUMBLINE_OLD_STORES) / "run_v1.sqlite", folder / kRunFile);
    return folder;
}

TEST(Migration, AnOldStoreIsReadWithoutBeingChanged) {
    const testing::TemporaryFolder runs;
    const auto folder = oldRun(runs.path());
    const std::string before = readFile(folder / kRunFile).value();
    EXPECT_EQ(versionOf(folder / kRunFile), 1);
    EXPECT_EQ(infoOf(folder).status, "stopped");
    EXPECT_EQ(pointsOf(folder, "train.loss").size(), 40U);
    ASSERT_EQ(listRuns(runs.path())->size(), 1U);
    EXPECT_EQ(readFile(folder / kRunFile).value(), before);
}

TEST(Migration, GoingOnWithAnOldStoreMigratesItAndKeepsTheOldFile) {
    const testing::TemporaryFolder runs;
    const auto folder = oldRun(runs.path());
    const auto points = pointsOf(folder, "train.loss");
    {
        const auto writer = RunWriter::reopen(folder);
        ASSERT_TRUE(writer) << toSentence(writer.error());
        (*writer)->append((*writer)->declareSeries("train.loss", 1), point(41, 0.25));
        ASSERT_TRUE((*writer)->flush());
    }
    EXPECT_EQ(versionOf(folder / kRunFile), kSchemaVersion);
    EXPECT_EQ(pointsOf(folder, "train.loss").size(), points.size() + 1);
    SQLite::Database database((folder / kRunFile).string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(database.execAndGet("SELECT max(version) FROM versions").getInt(), kSchemaVersion);
    EXPECT_EQ(versionOf(folder / "run.sqlite.v1"), 1);
    std::filesystem::create_directories(runs / "kept");
    std::filesystem::rename(folder / "run.sqlite.v1", runs / "kept" / kRunFile);
    const auto kept = pointsOf(runs / "kept", "train.loss");
    ASSERT_EQ(kept.size(), points.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
        EXPECT_EQ(kept[i].value, points[i].value);
    }
}

TEST(Migration, AFailingDiskLeavesTheOldStoreWhichCanBeMigratedLater) {
    long n = 1;
    for (bool reached = true; reached; ++n) {
        const testing::TemporaryFolder runs;
        const auto folder = oldRun(runs.path());
        plumbline_fail_writes(n, ENOSPC, 1, runs.path().c_str());
        {
            const auto writer = RunWriter::reopen(folder);
            reached = plumbline_counted_writes() >= n;
            plumbline_fail_writes(0, 0, 0, "");
            if (!writer) {
                EXPECT_EQ(writer.error().code, "disk-full") << "write " << n << ": " << toSentence(writer.error());
            }
        }
        EXPECT_EQ(pointsOf(folder, "train.loss").size(), 40U) << "write " << n;
        EXPECT_TRUE(RunWriter::reopen(folder)) << "write " << n;
        EXPECT_EQ(versionOf(folder / "run.sqlite.v1"), 1) << "write " << n;
        EXPECT_EQ(versionOf(folder / kRunFile), kSchemaVersion) << "write " << n;
    }
    EXPECT_GT(n, 5);
}

}  // namespace
}  // namespace plumbline::store
