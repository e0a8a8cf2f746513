#pragma once
// Exact bytes of the tensors on the CPU, by what they are for, and the settings of malloc that LibTorch runs best with.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace plumbline::model {

enum class MemoryCategory : std::uint8_t { kOther, kParameters, kGradients, kOptimizerState, kActivations, kPrefetch };
constexpr std::size_t kMemoryCategories = 6;
/// "other", "parameters", "gradients", "optimizer_state", "activations", "prefetch"
std::string_view toString(MemoryCategory category);

/// While it lives, tensors that this thread allocates count for `category`; scopes nest.
class MemoryScope {
public:
    explicit MemoryScope(MemoryCategory category);
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

private:
    MemoryCategory m_before;
};

struct MemoryUse {
    std::int64_t current = 0;  ///< bytes
    std::int64_t peak = 0;     ///< bytes, since the start or the last resetMemoryPeaks()
};

/// Who asked for memory, by a number of the caller's choice: a profile's blocks. From 0; those past the last one share
/// it.
constexpr int kMemoryOwners = 16384;
constexpr int kNoMemoryOwner = -1;
/// Tensors that this thread allocates from now on belong to `owner`. Costs nothing while there is none.
void setMemoryOwner(int owner);
/// Bytes of live tensors that an owner allocated.
std::int64_t memoryOf(int owner);

/// Makes LibTorch allocate CPU tensors through a counter. Tensors made before are not counted. Any thread; once is
/// enough, more do no harm.
void installCountingAllocator();
bool countingAllocatorInstalled();

/// Of all tensors together, and of one category. Zero without the counting allocator. Any thread.
MemoryUse tensorMemory();
MemoryUse tensorMemory(MemoryCategory category);
/// Sets every peak to the current value.
void resetMemoryPeaks();

/// What was there when the counting allocator was last refused memory, in bytes.
struct MemoryRefusal {
    std::int64_t asked = 0;                              ///< 0: it never was, or not since it was taken
    std::array<std::int64_t, kMemoryCategories> held{};  ///< by category, at that moment
};
/// Takes the newest refusal away. Any thread.
MemoryRefusal takeMemoryRefusal();
/// From so many bytes of tensors on the counting allocator refuses, as the machine does where its memory ends; 0: no
/// such limit. One for the program.
void setMemoryLimit(std::int64_t bytes);

/// glibc: keep large blocks instead of mapping and unmapping them at every step (a convolution step takes a third
/// less). Called as the engine is made, before LibTorch allocates tensors; peak memory has to be watched. Does nothing
/// elsewhere.
void setAllocatorSettings();

/// What setAllocatorSettings() has asked malloc for, in bytes.
struct AllocatorSettings {
    bool applied = false;  ///< false: not asked for, or not taken
    std::int64_t mmapThreshold = 0, trimThreshold = 0, topPad = 0;
};
AllocatorSettings allocatorSettings();

}  // namespace plumbline::model
