#include "support/every_failing_write.h"

#include <ATen/ops/full.h>

#include "support/temporary_folder.h"
#include "train/checkpoint.h"

namespace plumbline::train {
namespace {

Checkpoint ofStep(std::int64_t step) {
    Checkpoint checkpoint;
    checkpoint.meta = {{"step", step}};
    checkpoint.tensors = {{"model.weight", at::full({64, 65}, static_cast<double>(step))}};
    return checkpoint;
}

TEST(FailingCheckpoint, LeavesTheOneBeforeWhicheverWriteFails) {
    for (const testing::Disk& disk : testing::kDisks) {
        const testing::TemporaryFolder folder;
        const CheckpointFolder checkpoints(folder.path());
        std::filesystem::create_directories(checkpoints.path());
        ASSERT_TRUE(writeCheckpoint(checkpoints.fileOfStep(1), ofStep(1)));
        ASSERT_TRUE(checkpoints.markBest(checkpoints.fileOfStep(1)));
        const long calls = testing::forEveryFailingWrite(
            disk, folder.path(),
            [&]() -> Status {
                PLUMBLINE_TRY(writeCheckpoint(checkpoints.fileOfStep(2), ofStep(2)));
                return checkpoints.markBest(checkpoints.fileOfStep(2));
            },
            [&](bool reached, const Status& status, long n) {
                ASSERT_EQ(status.has_value(), !reached) << "write " << n;
                checkpoints.retain(2, {}, 0);
                std::vector<std::string> damaged;
                const auto newest = checkpoints.newestWhole(damaged);
                ASSERT_TRUE(newest) << "write " << n << ": " << toSentence(newest.error());
                EXPECT_TRUE(damaged.empty()) << "write " << n;
                const auto best = readCheckpoint(checkpoints.bestFile());
                ASSERT_TRUE(best) << "write " << n << ": " << toSentence(best.error());
                EXPECT_EQ(best->meta.at("step"), status ? 2 : 1) << "write " << n;
                const std::size_t whole = checkpoints.list().size();
                EXPECT_EQ(newest->meta.at("step"), whole) << "write " << n;
                EXPECT_EQ(std::distance(std::filesystem::directory_iterator(checkpoints.path()), {}),
                          static_cast<std::ptrdiff_t>(whole) + 1)
                    << "no temporary file is left after write " << n;
                std::filesystem::remove(checkpoints.fileOfStep(2));
                ASSERT_TRUE(checkpoints.markBest(checkpoints.fileOfStep(1)));
            });
        EXPECT_GE(calls, 4) << "open, write, sync and rename";
    }
}

}  // namespace
}  // namespace plumbline::train
