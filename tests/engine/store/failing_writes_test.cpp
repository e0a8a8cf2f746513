// Every single write of the store and of atomic files is made to fail once, and from there on: what was written before is
// still there and readable, and the failure is one sentence.

#include "support/failing_writes.h"

#include <cerrno>

#include "core/files.h"
#include "store_fixture.h"

namespace plumbline::store {
namespace {

struct Disk { int error; bool always; const char* code; };
constexpr Disk kDisks[] = {{ENOSPC, true, "disk-full"}, {EIO, true, "disk-error"}, {ENOSPC, false, "disk-full"}, {EIO, false, "disk-error"}};

/// What a run can be sure of after each flush that succeeded.
struct Promised { std::int64_t points = 0; bool created = false; bool completed = false; };

/// Writes a run of three flushes, a durable one among them, and ends it. The first error.
Status writeRun(const std::filesystem::path& runs, Promised& promised, std::filesystem::path& folder) {
    PLUMBLINE_ASSIGN(const auto writer, RunWriter::create(runs, "full disk", {{"name", "x"}}));
    promised.created = true;
    folder = writer->folder();
    const int loss = writer->declareSeries("train.loss", 1);
    for (int flush = 0; flush < 3; ++flush) {
        for (int i = 0; i < 700; ++i) {
            writer->append(loss, point(flush * 700 + i, 0.5));
        }
        PLUMBLINE_TRY(writer->putFinding(finding("non-finite#" + std::to_string(flush), flush)));
        PLUMBLINE_TRY(flush == 1 ? writer->flushDurably() : writer->flush());
        promised.points = (flush + 1) * 700;
    }
    PLUMBLINE_TRY(writer->dropAfter(1999));
    promised.points = 2000;
    PLUMBLINE_TRY(writer->setStatus(withStatus("completed")));
    PLUMBLINE_TRY(writer->flush());
    promised.completed = true;
    return {};
}

void expectKept(const std::filesystem::path& runs, const std::filesystem::path& folder, const Promised& promised, long n) {
    const auto list = listRuns(runs);
    ASSERT_TRUE(list) << toSentence(list.error());
    ASSERT_EQ(list->size(), promised.created ? 1U : 0U) << "write " << n;
    if (!promised.created) {
        return;
    }
    // A flush that failed is tried again when the writer closes, so more than was promised may be there.
    EXPECT_TRUE(list->front().status == "completed" || (list->front().status == "interrupted" && !promised.completed))
        << "write " << n << ": " << list->front().status << " " << list->front().stopReason.dump();
    const auto points = pointsOf(folder, "train.loss");
    EXPECT_GE(static_cast<std::int64_t>(points.size()), promised.points) << "write " << n;
    for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_EQ(points[i].step, static_cast<std::int64_t>(i));
        ASSERT_EQ(points[i].value, 0.5);
    }
    EXPECT_TRUE(RunWriter::reopen(folder)) << "once there is space again the run can be gone on with";
}

TEST(FailingWrites, OfTheStoreLoseNothingThatWasFlushedWhicheverOneFails) {
    // A disk that stays full, and one that fails once.
    for (const Disk& disk : {kDisks[0], kDisks[3]}) {
        long n = 1;
        for (bool reached = true; reached; ++n) {
            const testing::TemporaryFolder folder;
            const std::filesystem::path runs = folder / "runs";
            Promised promised;
            std::filesystem::path run;
            plumbline_fail_writes(n, disk.error, disk.always ? 1 : 0, folder.path().c_str());
            const Status status = writeRun(runs, promised, run);
            reached = plumbline_counted_writes() >= n;
            plumbline_fail_writes(0, 0, 0, "");
            if (!status) {
                EXPECT_EQ(status.error().code, disk.code) << "write " << n << ": " << toSentence(status.error());
                EXPECT_EQ(status.error().kind, ErrorKind::kMachine);
                EXPECT_FALSE(status.error().hint.empty());
            }
            expectKept(runs, run, promised, n);
            if (HasFatalFailure()) {
                return;
            }
        }
        EXPECT_GT(n, 15) << "the shim has seen the store's writes";
    }
}

TEST(FailingWrites, OfAnAtomicFileLeaveTheOldOneWhichEverOneFails) {
    for (const Disk& disk : kDisks) {
        const testing::TemporaryFolder folder;
        const std::filesystem::path file = folder / "project.json";
        ASSERT_TRUE(writeFileAtomically(file, "old"));
        long n = 1;
        for (bool reached = true; reached; ++n) {
            plumbline_fail_writes(n, disk.error, disk.always ? 1 : 0, folder.path().c_str());
            const Status status = writeFileAtomically(file, "new");
            reached = plumbline_counted_writes() >= n;
            plumbline_fail_writes(0, 0, 0, "");
            if (reached) {
                ASSERT_FALSE(status) << "call " << n;
                EXPECT_EQ(status.error().code, disk.code);
                EXPECT_EQ(readFile(file).value(), "old");
            } else {
                ASSERT_TRUE(status);
                EXPECT_EQ(readFile(file).value(), "new");
            }
            EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "no temporary file is left";
        }
        EXPECT_GE(n, 4) << "write, sync and rename";
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
