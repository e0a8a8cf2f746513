#include "model/memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/Device.h>
#include <c10/core/impl/alloc_cpu.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

namespace plumbline::model {

namespace {

thread_local MemoryCategory currentCategory = MemoryCategory::kOther;
thread_local int currentOwner = kNoMemoryOwner;

struct Counter {
    std::atomic<std::int64_t> current{0};
    std::atomic<std::int64_t> peak{0};

    void add(std::int64_t bytes) {
        const std::int64_t now = current.fetch_add(bytes, std::memory_order_relaxed) + bytes;
        std::int64_t highest = peak.load(std::memory_order_relaxed);
        while (now > highest && !peak.compare_exchange_weak(highest, now, std::memory_order_relaxed)) {
        }
    }
    void remove(std::int64_t bytes) { current.fetch_sub(bytes, std::memory_order_relaxed); }
    MemoryUse use() const { return {current.load(std::memory_order_relaxed), peak.load(std::memory_order_relaxed)}; }
};

Counter total;
std::array<Counter, kMemoryCategories> byCategory;
std::array<std::atomic<std::int64_t>, kMemoryOwners> byOwner{};
std::atomic<std::int64_t> limit{0};
std::mutex refusalMutex;
MemoryRefusal refusal;  // under refusalMutex
std::atomic<bool> installed{false};
std::atomic<bool> settingsApplied{false};
constexpr int kMmapThreshold = 1 << 30;
constexpr int kTrimThreshold = INT_MAX;
constexpr int kTopPad = 64 << 20;

/// Stands before every block; as long as LibTorch's alignment, so that the block keeps it.
struct alignas(c10::gAlignment) Header {
    std::int64_t bytes;
    MemoryCategory category;
    std::int32_t owner;
};
static_assert(sizeof(Header) == c10::gAlignment);

void release(void* pointer) {
    if (pointer == nullptr) {
        return;
    }
    auto* header = static_cast<Header*>(pointer) - 1;
    total.remove(header->bytes);
    byCategory[static_cast<std::size_t>(header->category)].remove(header->bytes);
    if (header->owner >= 0) [[unlikely]] {
        byOwner[static_cast<std::size_t>(header->owner)].fetch_sub(header->bytes, std::memory_order_relaxed);
    }
    c10::free_cpu(header);
}

void keepRefusal(std::size_t bytes) {
    const std::scoped_lock lock(refusalMutex);
    refusal.asked = static_cast<std::int64_t>(bytes);
    for (std::size_t i = 0; i < kMemoryCategories; ++i) {
        refusal.held[i] = byCategory[i].current.load(std::memory_order_relaxed);
    }
}

void* allocateOrRefuse(std::size_t bytes) {
    try {
        const std::int64_t most = limit.load(std::memory_order_relaxed);
        if (most > 0 && total.current.load(std::memory_order_relaxed) + static_cast<std::int64_t>(bytes) > most)
            [[unlikely]] {
            throw std::bad_alloc();
        }
        return c10::alloc_cpu(bytes + sizeof(Header));
    } catch (...) {
        keepRefusal(bytes);
        throw;
    }
}

class CountingAllocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(std::size_t bytes) override {
        if (bytes == 0) {
            return {nullptr, nullptr, &release, c10::Device(c10::DeviceType::CPU)};
        }
        auto* header = static_cast<Header*>(allocateOrRefuse(bytes));
        header->bytes = static_cast<std::int64_t>(bytes);
        header->category = currentCategory;
        header->owner = currentOwner;
        if (currentOwner >= 0) [[unlikely]] {
            byOwner[static_cast<std::size_t>(currentOwner)].fetch_add(header->bytes, std::memory_order_relaxed);
        }
        total.add(header->bytes);
        byCategory[static_cast<std::size_t>(header->category)].add(header->bytes);
        void* data = header + 1;
        return {data, data, &release, c10::Device(c10::DeviceType::CPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* destination, const void* source, std::size_t count) const override {
        std::memcpy(destination, source, count);
    }
};

}  // namespace

std::string_view toString(MemoryCategory category) {
    switch (category) {
        case MemoryCategory::kOther:
            return "other";
        case MemoryCategory::kParameters:
            return "parameters";
        case MemoryCategory::kGradients:
            return "gradients";
        case MemoryCategory::kOptimizerState:
            return "optimizer_state";
        case MemoryCategory::kActivations:
            return "activations";
        case MemoryCategory::kPrefetch:
            return "prefetch";
    }
    return "other";
}

MemoryScope::MemoryScope(MemoryCategory category) : m_before(currentCategory) {
    currentCategory = category;
}
MemoryScope::~MemoryScope() {
    currentCategory = m_before;
}

void setMemoryOwner(int owner) {
    currentOwner = owner < 0 ? kNoMemoryOwner : std::min(owner, kMemoryOwners - 1);
}

std::int64_t memoryOf(int owner) {
    return owner < 0 || owner >= kMemoryOwners
               ? 0
               : byOwner[static_cast<std::size_t>(owner)].load(std::memory_order_relaxed);
}

void installCountingAllocator() {
    static std::once_flag once;
    std::call_once(once, [] {
        // Never destroyed: tensors may outlive everything else.
        c10::SetCPUAllocator(new CountingAllocator, /*priority=*/100);
        installed = true;
    });
}

bool countingAllocatorInstalled() {
    return installed;
}

MemoryUse tensorMemory() {
    return total.use();
}
MemoryUse tensorMemory(MemoryCategory category) {
    return byCategory[static_cast<std::size_t>(category)].use();
}

MemoryRefusal takeMemoryRefusal() {
    const std::scoped_lock lock(refusalMutex);
    return std::exchange(refusal, {});
}

void setMemoryLimit(std::int64_t bytes) {
    limit = bytes;
}

void resetMemoryPeaks() {
    const auto reset = [](Counter& counter) { counter.peak = counter.current.load(); };
    reset(total);
    for (Counter& counter : byCategory) {
        reset(counter);
    }
}

void setAllocatorSettings() {
#if defined(__GLIBC__)
    const bool mmap = mallopt(M_MMAP_THRESHOLD, kMmapThreshold) == 1;
    const bool trim = mallopt(M_TRIM_THRESHOLD, kTrimThreshold) == 1;
    const bool pad = mallopt(M_TOP_PAD, kTopPad) == 1;
    settingsApplied = mmap && trim && pad;
#endif
}

AllocatorSettings allocatorSettings() {
    return settingsApplied ? AllocatorSettings{true, kMmapThreshold, kTrimThreshold, kTopPad} : AllocatorSettings{};
}

}  // namespace plumbline::model
