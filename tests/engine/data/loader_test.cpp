#include "fixtures.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace plumbline::data {
namespace {

/// 8x8 images with every kind of augmentation, so that content depends on the draws.
class LoaderOverImages : public ::testing::Test {
protected:
    void SetUp() override {
        std::vector<std::uint8_t> pixels(100 * 64);
        std::vector<std::uint8_t> labels(100);
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            pixels[i] = static_cast<std::uint8_t>(i * 37 % 251);
        }
        for (std::size_t i = 0; i < labels.size(); ++i) {
            labels[i] = static_cast<std::uint8_t>(i % 4);
        }
        m_folder.write("images.idx", idxBytes({100, 8, 8}, pixels));
        m_folder.write("labels.idx", idxBytes({100}, labels));
        auto opened = open(parsed(R"({
            "sources": {"s": {"type": "idx", "images": "images.idx", "labels": "labels.idx"}},
            "inputs": {"image": {"from": "s.image", "transforms": [
                {"type": "random_crop", "padding": 2}, {"type": "random_horizontal_flip"}, {"type": "random_rotation", "degrees": 15},
                {"type": "normalize", "statistics": "train"}, {"type": "add_noise", "std": 0.1}]}},
            "targets": {"label": {"from": "s.label"}}, "splits": {"train": 0.9, "validation": 0.1}})"),
                           m_folder.path());
        ASSERT_TRUE(opened.has_value()) << toSentence(opened.error());
        m_dataset = *opened;
    }

    LoaderOptions options(std::int64_t workers) const {
        LoaderOptions options;
        options.batchSize = 8;
        options.workers = workers;
        options.shuffle = true;
        options.augment = true;
        options.seed = 7;
        return options;
    }
    /// Hashes of all batches of `epochs` epochs from a position on.
    std::vector<std::uint64_t> hashes(const LoaderOptions& options, LoaderState from, std::int64_t epochs) const {
        auto loader = makeLoader(m_dataset, options);
        EXPECT_TRUE(loader.has_value());
        (*loader)->seek(from);
        std::vector<std::uint64_t> result;
        while ((*loader)->state().epoch < epochs) {
            auto batch = (*loader)->next();
            EXPECT_TRUE(batch.has_value());
            if (batch->has_value()) {
                result.push_back((*batch)->contentHash());
                (*loader)->recycle(std::move(**batch));
            }
        }
        return result;
    }

    TemporaryFolder m_folder;
    std::shared_ptr<const Dataset> m_dataset;
};

TEST_F(LoaderOverImages, BatchesAreTheSameForAnyNumberOfWorkersAndAnyPrefetch) {
    const auto reference = hashes(options(0), {}, 3);
    ASSERT_EQ(reference.size(), 36U);  // 90 samples: 11 whole batches and one of 2
    for (const std::int64_t workers : {1, 2, 4}) {
        for (const std::int64_t prefetch : {1, 3, 16}) {
            LoaderOptions other = options(workers);
            other.prefetchBatches = prefetch;
            EXPECT_EQ(hashes(other, {}, 3), reference) << workers << " workers, prefetch " << prefetch;
        }
    }
}

TEST_F(LoaderOverImages, GoingOnFromAnyPositionEqualsTheUninterruptedRun) {
    const auto reference = hashes(options(2), {}, 2);
    for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
        for (std::int64_t batch = 0; batch <= 12; ++batch) {
            const auto resumed = hashes(options(batch % 3), {epoch, batch}, 2);
            const auto skipped = static_cast<std::ptrdiff_t>(epoch * 12 + batch);
            EXPECT_EQ(resumed, std::vector<std::uint64_t>(reference.begin() + skipped, reference.end()))
                << epoch << ", " << batch;
        }
    }
}

TEST_F(LoaderOverImages, SeekingInTheMiddleThrowsAwayWhatWasPrefetched) {
    const auto reference = hashes(options(0), {}, 1);
    auto loader = *makeLoader(m_dataset, options(3));
    for (const std::int64_t batch : {5, 2, 11, 0}) {
        loader->seek({0, batch});
        const auto got = loader->next();
        ASSERT_TRUE(got.has_value() && got->has_value());
        EXPECT_EQ((*got)->contentHash(), reference[static_cast<std::size_t>(batch)]);
        EXPECT_EQ((*got)->index, batch);
    }
}

TEST_F(LoaderOverImages, EveryEpochHasEverySampleOnceInAnotherOrder) {
    auto loader = *makeLoader(m_dataset, options(2));
    std::vector<std::vector<std::int64_t>> orders(2);
    for (auto& order : orders) {
        for (;;) {
            const auto batch = loader->next();
            ASSERT_TRUE(batch.has_value());
            if (!batch->has_value()) {
                break;
            }
            order.insert(order.end(), (*batch)->indices.begin(), (*batch)->indices.end());
        }
    }
    EXPECT_NE(orders[0], orders[1]);
    for (auto& order : orders) {
        std::sort(order.begin(), order.end());
        EXPECT_EQ(order, allPositions(*m_dataset, Split::kTrain));
    }
}

TEST_F(LoaderOverImages, DropLastLeavesOutTheTail) {
    LoaderOptions dropping = options(1);
    dropping.dropLast = true;
    EXPECT_EQ(hashes(dropping, {}, 1).size(), 11U);
    dropping.batchSize = 91;
    const auto refused = makeLoader(m_dataset, dropping);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "no-batches");
}

TEST_F(LoaderOverImages, NoShufflePerEpochRepeatsTheFirstOrder) {
    LoaderOptions fixed = options(2);
    fixed.augment = false;
    fixed.noShufflePerEpoch = true;
    const auto all = hashes(fixed, {}, 2);
    EXPECT_EQ(std::vector<std::uint64_t>(all.begin(), all.begin() + 12),
              std::vector<std::uint64_t>(all.begin() + 12, all.end()));
}

TEST(SameWorkerSeed, MakesTheWorkersDrawTheSameAugmentation) {
    // All samples are alike, so that batches differ by their draws alone.
    TemporaryFolder folder;
    folder.write("images.idx", idxBytes({32, 4, 4}, std::vector<std::uint8_t>(32 * 16, 100)));
    auto dataset = *open(parsed(R"({"sources": {"s": {"type": "idx", "images": "images.idx"}},
        "inputs": {"image": {"from": "s.image", "transforms": [{"type": "to_float"}, {"type": "add_noise", "std": 1}]}},
        "splits": {"train": 1.0}})"),
                         folder.path());
    LoaderOptions options;
    options.batchSize = 8;
    options.workers = 2;
    options.augment = true;
    const auto firstTwo = [&](bool same) {
        options.sameWorkerSeed = same;
        auto loader = *makeLoader(dataset, options);
        const auto first = loader->next();
        const auto second = loader->next();
        return std::pair((*first)->contentHash(), (*second)->contentHash());
    };
    const auto bug = firstTwo(true);
    EXPECT_EQ(bug.first, bug.second);
    const auto right = firstTwo(false);
    EXPECT_NE(right.first, right.second);
}

/// A dataset whose fillBatch() does what the test says.
class ScriptedDataset : public Dataset {
public:
    explicit ScriptedDataset(std::function<Status(const BatchRequest&, HostBatch&)> fill, std::int64_t size = 64)
        : m_fill(std::move(fill)), m_size(size) {}
    std::int64_t size(Split) const override { return m_size; }
    const std::vector<FeedInfo>& inputs() const override { return m_none; }
    const std::vector<FeedInfo>& targets() const override { return m_none; }
    std::vector<std::int64_t> classCounts(Split, const std::string&) const override { return {}; }
    Result<HostBatch> makeBatch(Split, const std::vector<std::int64_t>&, std::uint64_t, bool) const override {
        return HostBatch{};
    }
    Status fillBatch(const BatchRequest& request, HostBatch& batch) const override {
        batch.indices.assign(request.positions.begin(), request.positions.end());
        return m_fill(request, batch);
    }
    std::string fingerprint() const override { return {}; }
    std::size_t residentBytes() const override { return 0; }
    Result<HostBatch> makeInput(const std::string&) const override { return HostBatch{}; }

private:
    std::function<Status(const BatchRequest&, HostBatch&)> m_fill;
    std::int64_t m_size;
    std::vector<FeedInfo> m_none;
};

LoaderOptions batchesOfOne(std::int64_t workers, std::int64_t prefetch = 4) {
    LoaderOptions options;
    options.batchSize = 1;
    options.workers = workers;
    options.prefetchBatches = prefetch;
    return options;
}

TEST(LoaderTiming, TheWaitForASlowSourceIsMeasured) {
    const auto slow = std::make_shared<ScriptedDataset>([](const BatchRequest&, HostBatch&) -> Status {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
        while (std::chrono::steady_clock::now() < end) {
            std::this_thread::yield();
        }
        return {};
    });
    for (const std::int64_t workers : {0, 1}) {
        auto loader = *makeLoader(slow, batchesOfOne(workers, 1));
        double wait = 0;
        for (int i = 0; i < 5; ++i) {
            ASSERT_TRUE(loader->next().has_value());
            wait += loader->lastWaitMs();
        }
        EXPECT_GT(wait, 15.0) << workers << " workers";
    }
}

TEST(LoaderTiming, ABatchThatIsReadyIsNotWaitedFor) {
    const auto fast = std::make_shared<ScriptedDataset>([](const BatchRequest&, HostBatch& batch) -> Status {
        batch.inputs.resize(1);
        batch.inputs[0].reuseOrAllocate("x", DType::kFloat32, 1, {4});
        return {};
    });
    auto loader = *makeLoader(fast, batchesOfOne(1, 2));
    ASSERT_TRUE(loader->next().has_value());
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (loader->prefetchedBytes() < 2 * 16 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::yield();
    }
    EXPECT_EQ(loader->prefetchedBytes(), 2U * 16U);
    ASSERT_TRUE(loader->next().has_value());
    EXPECT_EQ(loader->lastWaitMs(), 0.0);
}

/// Lets fillBatch() go on one batch at a time, and counts how many are in it.
struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    std::int64_t entered = 0;
    bool open = false;
};

TEST(LoaderBounds, NoMoreThanThePrefetchBoundIsEverInWork) {
    auto gate = std::make_shared<Gate>();
    const auto gated = std::make_shared<ScriptedDataset>([gate](const BatchRequest& request, HostBatch&) -> Status {
        std::unique_lock lock(gate->mutex);
        ++gate->entered;
        gate->changed.notify_all();
        gate->changed.wait(lock, [&] { return gate->open || request.abandon->load(); });
        return {};
    });
    auto loader = *makeLoader(gated, batchesOfOne(8, 3));
    loader->seek({});
    std::unique_lock lock(gate->mutex);
    ASSERT_TRUE(gate->changed.wait_for(lock, std::chrono::seconds(20), [&] { return gate->entered == 3; }));
    // The others have nothing to start: three are in the making.
    EXPECT_FALSE(gate->changed.wait_for(lock, std::chrono::milliseconds(30), [&] { return gate->entered > 3; }));
    gate->open = true;
    lock.unlock();
    gate->changed.notify_all();
    for (int i = 0; i < 10; ++i) {
        const auto batch = loader->next();
        ASSERT_TRUE(batch.has_value() && batch->has_value());
        EXPECT_EQ((*batch)->indices[0], i);
    }
    lock.lock();
    EXPECT_LE(gate->entered, 10 + 3);
}

TEST(LoaderStop, AStopIsSeenWhileAWorkerIsStuck) {
    auto gate = std::make_shared<Gate>();
    const auto stuck = std::make_shared<ScriptedDataset>([gate](const BatchRequest&, HostBatch&) -> Status {
        std::unique_lock lock(gate->mutex);
        ++gate->entered;
        gate->changed.notify_all();
        gate->changed.wait(lock, [&] { return gate->open; });
        return {};
    });
    auto loader = *makeLoader(stuck, batchesOfOne(1));
    RunControl control;
    std::thread stopper([&] {
        std::unique_lock lock(gate->mutex);
        gate->changed.wait(lock, [&] { return gate->entered > 0; });
        control.requestStop();
    });
    const auto result = loader->next(&control);
    stopper.join();
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, "stopped");
    {
        const std::scoped_lock lock(gate->mutex);
        EXPECT_FALSE(gate->open) << "the worker is stuck still";
        gate->open = true;
    }
    gate->changed.notify_all();
}

TEST(LoaderErrors, AWorkersErrorArrivesAtItsBatchAndStays) {
    const auto failing = std::make_shared<ScriptedDataset>([](const BatchRequest& request, HostBatch&) -> Status {
        if (request.positions[0] == 3) {
            return fail(ErrorKind::kInvalid, "image-corrupt", "x.png is damaged");
        }
        return {};
    });
    for (const std::int64_t workers : {0, 1, 4}) {
        auto loader = *makeLoader(failing, batchesOfOne(workers));
        for (int i = 0; i < 3; ++i) {
            ASSERT_TRUE(loader->next().has_value());
        }
        for (int i = 0; i < 2; ++i) {
            const auto result = loader->next();
            ASSERT_FALSE(result.has_value());
            EXPECT_EQ(result.error().code, "image-corrupt");
        }
        loader->seek({0, 4});
        EXPECT_TRUE(loader->next().has_value());
    }
}

TEST(LoaderErrors, AnExceptionInAWorkerBecomesAnError) {
    const auto throwing = std::make_shared<ScriptedDataset>([](const BatchRequest& request, HostBatch&) -> Status {
        if (request.positions[0] == 0) {
            throw std::bad_alloc();
        }
        throw std::runtime_error("broken");
    });
    for (const std::int64_t workers : {0, 2}) {
        auto loader = *makeLoader(throwing, batchesOfOne(workers));
        const auto memory = loader->next();
        ASSERT_FALSE(memory.has_value());
        EXPECT_EQ(memory.error().code, "out-of-memory");
        EXPECT_EQ(memory.error().kind, ErrorKind::kMachine);
        loader->seek({0, 1});
        const auto other = loader->next();
        ASSERT_FALSE(other.has_value());
        EXPECT_EQ(other.error().code, "loader-failed");
    }
}

TEST_F(LoaderOverImages, RecycledBatchesKeepTheirMemory) {
    LoaderOptions steady = options(1);
    steady.prefetchBatches = 2;
    auto loader = *makeLoader(m_dataset, steady);
    std::vector<const void*> seen;
    for (int i = 0; i < 60; ++i) {
        auto batch = loader->next();
        ASSERT_TRUE(batch.has_value());
        if (batch->has_value()) {
            const void* memory = (*batch)->inputs[0].memory.get();
            if (std::find(seen.begin(), seen.end(), memory) == seen.end()) {
                seen.push_back(memory);
            }
            loader->recycle(std::move(**batch));
        }
    }
    EXPECT_LE(seen.size(), 4U);  // two prefetched, one handed over, one between
}

TEST_F(LoaderOverImages, MemoryThatSomeoneStillHoldsIsNotReused) {
    auto loader = *makeLoader(m_dataset, options(0));
    auto first = *loader->next();
    const HostTensor kept = first->inputs[0];
    const float before = kept.as<float>()[0];
    loader->recycle(std::move(*first));
    const auto second = *loader->next();
    EXPECT_NE(second->inputs[0].memory.get(), kept.memory.get());
    EXPECT_EQ(kept.as<float>()[0], before);
}

TEST_F(LoaderOverImages, TuningGivesEveryPointAndAReason) {
    LoaderOptions tuned = options(0);
    const auto result = tuneLoader(m_dataset, tuned, 0.02, nullptr);
    ASSERT_TRUE(result.has_value()) << toSentence(result.error());
    ASSERT_GE(result->sweep.size(), 2U);
    EXPECT_EQ(result->sweep[0].workers, 0);
    EXPECT_GT(result->sweep[0].samplesPerSecond, 0.0);
    EXPECT_GE(result->chosen, 0);
    EXPECT_LT(result->chosen, static_cast<std::int64_t>(result->sweep.size()));
    EXPECT_FALSE(result->limitedBy.empty());
    EXPECT_FALSE(m_dataset->readsFiles());
    EXPECT_NE(result->limitedBy, "disk") << "the data are in memory";
    EXPECT_FALSE(result->explanation.empty());
    RunControl control;
    control.requestStop();
    EXPECT_FALSE(tuneLoader(m_dataset, tuned, 0.02, &control).has_value());
}

TEST_F(LoaderOverImages, OfOneEpochMakesNothingForTheNext) {
    LoaderOptions one = options(2);
    one.epochs = 1;
    one.prefetchBatches = 6;
    auto loader = makeLoader(m_dataset, one);
    for (int round = 0; round < 2; ++round) {
        (*loader)->seek({});
        int batches = 0;
        for (auto batch = (*loader)->next(); batch && batch->has_value(); batch = (*loader)->next()) {
            ++batches;
        }
        EXPECT_EQ(batches, (*loader)->batchesPerEpoch());
        EXPECT_EQ((*loader)->prefetchedBytes(), 0U);
        const auto after = (*loader)->next();
        EXPECT_TRUE(after && !after->has_value()) << "there is no second epoch to wait for";
    }
}

}  // namespace
}  // namespace plumbline::data
