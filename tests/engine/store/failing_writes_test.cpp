// Every single write of the store and of atomic files is made to fail once, and from there on: what was written before
// is still there and readable, and the failure is one sentence.

#include "support/every_failing_write.h"

#include "core/files.h"
#include "store_fixture.h"

namespace plumbline::store {
namespace {

using testing::Disk;
using testing::kDisks;

/// What a run can be sure of after each flush that succeeded.
struct Promised {
    std::int64_t points = 0, few = 0;
    bool created = false;
    bool completed = false;
};

/// Writes a run of three flushes, a durable one among them, and ends it. The first error.
Status writeRun(const std::filesystem::path& runs, Promised& promised, std::filesystem::path& folder) {
    PLUMBLINE_ASSIGN(const auto writer, RunWriter::create(runs, "full disk", {{"name", "x"}}));
    promised.created = true;
    folder = writer->folder();
    const int loss = writer->declareSeries("train.loss", 1);
    const int few = writer->declareSeries("few", 1);  // its short chunks are written again together
    for (int flush = 0; flush < 3; ++flush) {
        for (int i = 0; i < 700; ++i) {
            writer->append(loss, point(flush * 700 + i, 0.5));
        }
        for (int i = 0; i < 4; ++i) {
            writer->append(few, point(flush * 4 + i, 0.5));
        }
        PLUMBLINE_TRY(writer->putFinding(finding("non-finite#" + std::to_string(flush), flush)));
        PLUMBLINE_TRY(flush == 1 ? writer->flushDurably() : writer->flush());
        promised.points = (flush + 1) * 700;
        promised.few = (flush + 1) * 4;
    }
    PLUMBLINE_TRY(writer->dropAfter(1999, 1e9));
    promised.points = 2000;
    PLUMBLINE_TRY(writer->setStatus(withStatus("completed")));
    PLUMBLINE_TRY(writer->flush());
    promised.completed = true;
    return {};
}

void expectKept(const std::filesystem::path& runs, const std::filesystem::path& folder, const Promised& promised,
                long n) {
    const auto list = listRuns(runs);
    ASSERT_TRUE(list) << toSentence(list.error());
    ASSERT_EQ(list->size(), promised.created ? 1U : 0U) << "write " << n;
    if (!promised.created) {
        return;
    }
    // A flush that failed is tried again when the writer closes, so more than was promised may be there.
    EXPECT_TRUE(list->front().status == "completed" || (list->front().status == "interrupted" && !promised.completed))
        << "write " << n << ": " << list->front().status << " " << list->front().stopReason.dump();
    for (const auto& [series, atLeast] : {std::pair{"train.loss", promised.points}, std::pair{"few", promised.few}}) {
        const auto points = pointsOf(folder, series);
        EXPECT_GE(static_cast<std::int64_t>(points.size()), atLeast) << series << ", write " << n;
        for (std::size_t i = 0; i < points.size(); ++i) {
            ASSERT_EQ(points[i].step, static_cast<std::int64_t>(i)) << series;
            ASSERT_EQ(points[i].value, 0.5) << series;
        }
    }
    EXPECT_TRUE(RunWriter::reopen(folder)) << "once there is space again the run can be gone on with";
}

TEST(FailingWrites, OfTheStoreLoseNothingThatWasFlushedWhicheverOneFails) {
    for (const Disk& disk : kDisks) {
        const testing::TemporaryFolder folder;
        Promised promised;
        std::filesystem::path run;
        const long calls = testing::forEveryFailingWrite(
            disk, folder.path(),
            [&] {
                promised = {};
                run.clear();
                return writeRun(folder / "runs", promised, run);
            },
            [&](bool, const Status&, long n) {
                expectKept(folder / "runs", run, promised, n);
                std::filesystem::remove_all(folder / "runs");
            });
        EXPECT_GT(calls, 15) << "the shim has seen the store's writes";
    }
}

TEST(FailingWrites, OfAnAtomicFileLeaveTheOldOneWhichEverOneFails) {
    for (const Disk& disk : kDisks) {
        const testing::TemporaryFolder folder;
        const std::filesystem::path file = folder / "project.json";
        ASSERT_TRUE(writeFileAtomically(file, "old"));
        const long calls = testing::forEveryFailingWrite(
            disk, folder.path(), [&] { return writeFileAtomically(file, "new"); },
            [&](bool reached, const Status& status, long n) {
                ASSERT_EQ(status.has_value(), !reached) << "call " << n;
                EXPECT_EQ(readFile(file).value(), reached ? "old" : "new");
                EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
                    << "no temporary file is left";
            });
        EXPECT_GE(calls, 3) << "write, sync and rename";
    }
}

TEST(FailingWrites, OfANoteOrTheIndexAreHarmless) {
    const testing::TemporaryFolder folder;
    std::filesystem::path run;
    Promised promised;
    ASSERT_TRUE(writeRun(folder.path(), promised, run));
    ASSERT_TRUE(setRunNote(run, "a", "first"));
    for (long n = 1; n < 30; ++n) {
        std::filesystem::remove(folder / "index.sqlite");
        plumbline_fail_writes(n, ENOSPC, 1, folder.path().c_str());
        const auto list = listRuns(folder.path());
        const Status noted = setRunNote(run, "a", "second");
        plumbline_fail_writes(0, 0, 0, "");
        ASSERT_TRUE(list);
        ASSERT_EQ(list->size(), 1U);
        EXPECT_EQ(list->front().status, "completed");
        if (!noted) {
            EXPECT_EQ(noted.error().code, "disk-full");
            EXPECT_EQ(listRuns(folder.path())->front().note, "first");
        } else {
            ASSERT_TRUE(setRunNote(run, "a", "first"));
        }
    }
}

}  // namespace
}  // namespace plumbline::store
