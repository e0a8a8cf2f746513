#include "train/checkpoint.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "core/files.h"
#include "core/hash.h"
#include "core/random.h"
#include "support/temporary_folder.h"

namespace plumbline::train {
namespace {

Checkpoint example() {
    Checkpoint checkpoint;
    checkpoint.meta = {{"step", 7}, {"note", "ä"}};
    checkpoint.tensors = {
        {"model.weight", at::randn({3, 5})},
        {"model.counter", at::arange(1, 2, at::kLong).reshape({})},
        {"model.empty", at::randn({0, 4})},
        {"optimizer.weight.exp_avg", at::randn({2, 3, 4, 4}).contiguous(at::MemoryFormat::ChannelsLast)},
        {"flags", at::ones({3}, at::kBool)},
        {"half", at::randn({7}).to(at::kHalf)}};
    return checkpoint;
}

TEST(Checkpoint, GivesBackWhatWasWritten) {
    const testing::TemporaryFolder folder;
    const Checkpoint written = example();
    ASSERT_TRUE(writeCheckpoint(folder.path() / "a.ckpt", written).has_value());
    const auto read = readCheckpoint(folder.path() / "a.ckpt");
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(read->meta, written.meta);
    ASSERT_EQ(read->tensors.size(), written.tensors.size());
    for (std::size_t i = 0; i < written.tensors.size(); ++i) {
        EXPECT_EQ(read->tensors[i].first, written.tensors[i].first);
        EXPECT_EQ(read->tensors[i].second.scalar_type(), written.tensors[i].second.scalar_type());
        EXPECT_TRUE(read->tensors[i].second.equal(written.tensors[i].second)) << written.tensors[i].first;
    }
    const auto state = readModelState(folder.path() / "a.ckpt");
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(state->size(), 3U);
    EXPECT_TRUE(state->contains("weight"));
}

TEST(Checkpoint, RefusesEveryTruncationAndEveryFlippedByte) {
    const testing::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "a.ckpt";
    ASSERT_TRUE(writeCheckpoint(file, example()).has_value());
    const std::string whole = *readFile(file);
    const auto write = [&](const std::string& content) {
        std::ofstream(file, std::ios::binary | std::ios::trunc)
            .write(content.data(), static_cast<std::streamsize>(content.size()));
    };
    for (std::size_t length = 0; length < whole.size(); length += 13) {
        write(whole.substr(0, length));
        const auto read = readCheckpoint(file);
        ASSERT_FALSE(read.has_value()) << "cut to " << length;
        EXPECT_EQ(read.error().code, "damaged-checkpoint");
    }
    int unnoticed = 0;
    for (std::size_t at = 0; at < whole.size(); at += 7) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
        write(damaged);
        const auto read = readCheckpoint(file);
        if (read) {
            // Padding is not checked: it holds nothing.
            ++unnoticed;
            for (std::size_t i = 0; i < read->tensors.size(); ++i) {
                EXPECT_EQ(read->tensors[i].first, example().tensors[i].first);
            }
        }
    }
    EXPECT_LT(unnoticed, 60);
}

TEST(Checkpoint, SurvivesRandomBytes) {
    const testing::TemporaryFolder folder;
    Random random(1);
    for (int round = 0; round < 50; ++round) {
        std::string bytes = round % 2 == 0 ? "PLBLCKP1" : "";
        for (std::uint64_t i = random.below(300); i > 0; --i) {
            bytes.push_back(static_cast<char>(random.below(256)));
        }
        std::ofstream(folder.path() / "a.ckpt", std::ios::binary | std::ios::trunc)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        EXPECT_FALSE(readCheckpoint(folder.path() / "a.ckpt").has_value());
    }
    EXPECT_FALSE(readCheckpoint(folder.path() / "none.ckpt").has_value());
}

TEST(Checkpoint, TheNewestWholeOneWinsAndOldOnesGo) {
    const testing::TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path());
    ASSERT_TRUE(makeFolder(checkpoints.path()).has_value());
    for (const int step : {0, 5, 10, 1'000'000'000}) {
        Checkpoint checkpoint = example();
        checkpoint.meta["step"] = step;
        ASSERT_TRUE(writeCheckpoint(checkpoints.fileOfStep(step), checkpoint).has_value());
    }
    std::filesystem::resize_file(checkpoints.fileOfStep(1'000'000'000), 100);
    std::vector<std::string> damaged;
    EXPECT_EQ((*checkpoints.newestWhole(damaged)).meta["step"], 10);
    ASSERT_EQ(damaged.size(), 1U);
    EXPECT_NE(damaged.front().find("cut short"), std::string::npos);
    EXPECT_EQ(checkpoints.list().size(), 3U) << "what is damaged counts no more";
    EXPECT_TRUE(std::filesystem::exists(checkpoints.fileOfStep(1'000'000'000).string() + ".damaged")) << "and is kept";
    std::ofstream(checkpoints.path() / "step-000000011.ckpt.1-0.tmp") << "left behind by a kill";
    ASSERT_TRUE(checkpoints.markBest(checkpoints.fileOfStep(5)).has_value());
    checkpoints.retain(1, {}, 0);
    EXPECT_EQ(checkpoints.list().size(), 1U);
    EXPECT_FALSE(std::filesystem::exists(checkpoints.path() / "step-000000011.ckpt.1-0.tmp"));
    EXPECT_EQ((*readCheckpoint(checkpoints.bestFile())).meta["step"], 5);
}

TEST(Checkpoint, EachBestOneIsOneFileWithThatOfItsStepAndTakesNoRoom) {
    const testing::TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path());
    ASSERT_TRUE(makeFolder(checkpoints.path()).has_value());
    for (const int step : {1, 2, 3}) {
        ASSERT_TRUE(writeCheckpoint(checkpoints.fileOfStep(step), example()).has_value());
        ASSERT_TRUE(checkpoints.markBest(checkpoints.fileOfStep(step)).has_value());
        EXPECT_TRUE(std::filesystem::equivalent(checkpoints.fileOfStep(step), checkpoints.bestFile())) << step;
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(checkpoints.path()), {}), step + 1)
            << "nothing is left beside them";
    }
}

TEST(Checkpoint, ThatWasPassedOverIsNotKeptInPlaceOfANewerWholeOne) {
    const testing::TemporaryFolder run;
    const CheckpointFolder checkpoints(run.path());
    ASSERT_TRUE(makeFolder(checkpoints.path()));
    Checkpoint checkpoint = example();
    for (const std::int64_t step : {10, 20, 40}) {
        checkpoint.meta["step"] = step;
        ASSERT_TRUE(writeCheckpoint(checkpoints.fileOfStep(step), checkpoint));
    }
    std::filesystem::resize_file(checkpoints.fileOfStep(40), 100);
    std::ofstream(checkpoints.path() / "step-000000040.ckpt.99.tmp") << "half";
    std::vector<std::string> damaged;
    ASSERT_EQ((*checkpoints.newestWhole(damaged)).meta["step"], 20);
    // The run goes on from step 20, and saves before it gets to where the damaged one was.
    checkpoint.meta["step"] = 30;
    ASSERT_TRUE(writeCheckpoint(checkpoints.fileOfStep(30), checkpoint));
    checkpoints.retain(1, {}, 0);
    const auto newest = checkpoints.newestWhole(damaged);
    ASSERT_TRUE(newest);
    EXPECT_EQ(newest->meta["step"], 30);
    EXPECT_FALSE(std::filesystem::exists(checkpoints.path() / "step-000000040.ckpt.99.tmp"));
}

TEST(Checkpoint, AFullDiskLeavesTheOldFileAlone) {
    const testing::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "a.ckpt";
    ASSERT_TRUE(writeCheckpoint(file, example()).has_value());
    const std::string before = *readFile(file);
    std::filesystem::permissions(folder.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    const Status status = writeCheckpoint(file, example());
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
    if (!status) {  // root writes where it likes
        EXPECT_FALSE(status.error().message.empty());
        EXPECT_EQ(*readFile(file), before);
    }
}

TEST(Checkpoint, MarkedAsTheBestTwiceLeavesNothingBehindAndIsCopiedFromAnotherFileSystem) {
    const testing::TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path());
    ASSERT_TRUE(makeFolder(checkpoints.path()).has_value());
    ASSERT_TRUE(writeCheckpoint(checkpoints.fileOfStep(5), example()).has_value());
    ASSERT_TRUE(checkpoints.markBest(checkpoints.fileOfStep(5)).has_value());
    ASSERT_TRUE(checkpoints.markBest(checkpoints.fileOfStep(5)).has_value());
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(checkpoints.path()), {}), 2);
    // A link cannot lead from one file system to another.
    const std::filesystem::path elsewhere = std::filesystem::path("/dev/shm") / folder.path().filename();
    Checkpoint other = example();
    other.meta["step"] = 9;
    if (writeCheckpoint(elsewhere, other)) {
        EXPECT_TRUE(checkpoints.markBest(elsewhere).has_value());
        std::filesystem::remove(elsewhere);
        EXPECT_EQ(readCheckpoint(checkpoints.bestFile())->meta["step"], 9);
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(checkpoints.path()), {}), 2);
}

TEST(Checkpoint, OfEarlierVersionsIsReadAndOfALaterOneIsRefused) {
    const testing::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "a.ckpt";
    ASSERT_TRUE(writeCheckpoint(file, example()).has_value());
    const std::string whole = *readFile(file);
    for (const char version : {'1', '2', '3'}) {
        std::string changed = whole;
        const std::size_t at = changed.find("\"version\":2");
        ASSERT_NE(at, std::string::npos);
        changed[at + 10] = version;
        std::uint64_t length = 0;
        std::memcpy(&length, changed.data() + 8, sizeof length);
        const std::uint64_t hash = hash64(std::string_view(changed).substr(24, length));
        std::memcpy(changed.data() + 16, &hash, sizeof hash);
        std::ofstream(file, std::ios::binary | std::ios::trunc) << changed;
        const auto read = readCheckpoint(file);
        EXPECT_EQ(read.has_value(), version != '3');
        EXPECT_TRUE(read || read.error().code == "newer-checkpoint");
    }
}

}  // namespace
}  // namespace plumbline::train
