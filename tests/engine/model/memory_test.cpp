// Exact tensor bytes.

#include "model/memory.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

namespace plumbline::model {
namespace {

class Memory : public ::testing::Test {
protected:
    void SetUp() override {
        installCountingAllocator();
        resetMemoryPeaks();
        m_start = tensorMemory().current;
    }
    std::int64_t grown() const { return tensorMemory().current - m_start; }
    std::int64_t m_start = 0;
};

TEST_F(Memory, CountsBytesExactlyAndKeepsThePeak) {
    {
        const at::Tensor a = at::empty({1000});
        EXPECT_EQ(grown(), 4000);
        const at::Tensor b = at::empty({7}, at::kDouble);
        EXPECT_EQ(grown(), 4056);
    }
    EXPECT_EQ(grown(), 0);
    EXPECT_EQ(tensorMemory().peak - m_start, 4056);
    resetMemoryPeaks();
    EXPECT_EQ(tensorMemory().peak - m_start, 0);
}

TEST_F(Memory, KeepsLibTorchsAlignment) {
    for (const std::int64_t count : {1, 3, 1000}) {
        const at::Tensor tensor = at::empty({count}, at::kByte);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) % 64, 0U);
    }
    EXPECT_EQ(at::empty({0}).numel(), 0);
}

TEST_F(Memory, CountsForTheScopeThatAllocated) {
    const std::int64_t before = tensorMemory(MemoryCategory::kGradients).current;
    const std::int64_t inside = tensorMemory(MemoryCategory::kOptimizerState).current;
    at::Tensor kept;
    {
        const MemoryScope gradients(MemoryCategory::kGradients);
        kept = at::empty({250});
        const MemoryScope state(MemoryCategory::kOptimizerState);
        const at::Tensor gone = at::empty({25});
        EXPECT_EQ(tensorMemory(MemoryCategory::kOptimizerState).current - inside, 100);
    }
    EXPECT_EQ(tensorMemory(MemoryCategory::kOptimizerState).current - inside, 0);
    EXPECT_EQ(tensorMemory(MemoryCategory::kGradients).current - before, 1000);
    kept.reset();  // outside the scope, and still taken from its own category
    EXPECT_EQ(tensorMemory(MemoryCategory::kGradients).current - before, 0);
}

TEST_F(Memory, IsRightAcrossThreads) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([] {
            for (int i = 0; i < 2000; ++i) {
                const at::Tensor tensor = at::empty({1 + i % 17});
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(grown(), 0);

    at::Tensor handed;
    std::thread([&] { handed = at::ones({10}); }).join();
    EXPECT_EQ(grown(), 40);
    handed.reset();
    EXPECT_EQ(grown(), 0);
}

TEST_F(Memory, ALimitRefusesAndWhoHeldMemoryThenIsKept) {
    (void)takeMemoryRefusal();
    const MemoryScope scope(MemoryCategory::kActivations);
    const std::int64_t before = tensorMemory(MemoryCategory::kActivations).current;
    const at::Tensor held = at::empty({1000});
    setMemoryLimit(tensorMemory().current + 100);
    EXPECT_NO_THROW(at::empty({25}));
    EXPECT_ANY_THROW(at::empty({1000}));
    setMemoryLimit(0);
    const MemoryRefusal refusal = takeMemoryRefusal();
    EXPECT_EQ(refusal.asked, 4000);
    EXPECT_EQ(refusal.held[static_cast<std::size_t>(MemoryCategory::kActivations)] - before, 4000);
    EXPECT_EQ(takeMemoryRefusal().asked, 0) << "it is told once";
    EXPECT_NO_THROW(at::empty({1000}));
}

}  // namespace
}  // namespace plumbline::model
