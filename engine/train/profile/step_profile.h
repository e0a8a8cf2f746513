#pragma once
// Where the time and the memory of some steps go: phases, forward and backward of each block, live tensor bytes.

#include <ATen/core/Tensor.h>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/json.h"
#include "model/model.h"

namespace plumbline::train {

/// What a step does, one after the other. The time between two calls of enter() belongs to the phase that was entered
/// first.
enum class Phase : std::uint8_t { kNone, kLoaderWait, kToDevice, kForward, kLoss, kBackward, kOptimizer, kMonitor };

/// Attached to a TrainStep for some steps, and outlives what they compute. One thread, the one that trains; on a device
/// every look waits for it, so that a block's time is its own. While attached it costs a few microseconds a block.
///
/// A block's backward time runs from when the gradient of its output is there to when that of the next block is; a
/// checkpointed block's has its second run as well. Memory is the CPU's exact tensor bytes, by the block that asked for
/// them, or on CUDA what LibTorch's allocator holds.
class StepProfile final : public model::LeafObserver {
public:
    /// `model` outlives the profile.
    explicit StepProfile(const model::Model& model, at::Device device);

    void beginStep();
    void enter(Phase phase);
    void endStep();
    /// What has just passed was no part of the step that is open: a pause.
    void leaveOut(std::chrono::steady_clock::duration pause);

    /// Who else looks at the blocks' outputs; may be nullptr.
    void setNext(model::LeafObserver* next) { m_next = next; }
    void beforeLeaf(int leaf) override;
    void afterLeaf(int leaf, const std::vector<at::Tensor>& outputs) override;
    void beforeLeafAgain(int leaf) override;
    void afterLeafAgain(int leaf, const std::vector<at::Tensor>& outputs) override;

    std::int64_t steps() const { return m_steps; }
    /// {"steps", "phases": {"loader_wait_ms", "to_device_ms", "forward_ms", "loss_ms", "backward_ms", "optimizer_ms",
    /// "monitor_ms", "other_ms",
    ///   "total_ms"}, each the mean of a step,
    ///  "blocks": [{"block", "type", "forward_ms", "backward_ms", "kept_bytes" (after its forward), "live_bytes" (after
    ///  the last step),
    ///   "growth_bytes" (from the first profiled step's end to the last one's)}],
    ///  "memory": {"timeline": [[ms, bytes, phase, block]] of the last step, "growth_bytes"}, on CUDA {"allocated",
    ///  "reserved", "active", "inactive"} too}
    Json report() const;

private:
    using Clock = std::chrono::steady_clock;
    struct Block {
        double forwardMs = 0, backwardMs = 0;
        std::int64_t kept = 0, liveFirst = 0, liveLast = 0;
        bool ran = false;
    };
    struct Moment {
        double ms = 0;
        std::int64_t bytes = 0;
        Phase phase = Phase::kNone;
        int leaf = -1;
    };
    static constexpr std::size_t kPhases = 8;

    void watchGradients(int leaf, const std::vector<at::Tensor>& outputs);
    void sawGradient(int leaf);
    void closeBackward(Clock::time_point now);
    void synchronize() const;
    std::int64_t heldBytes() const;
    void remember(Clock::time_point now, int leaf);
    /// An owner's number: 0 is what no block asked for.
    static int ownerOf(int leaf) { return leaf + 1; }

    const model::Model& m_model;
    at::Device m_device;
    model::LeafObserver* m_next = nullptr;
    std::vector<Block> m_blocks;  ///< by leaf
    std::array<double, kPhases> m_phaseMs{};
    std::vector<Moment> m_timeline;
    Phase m_phase = Phase::kNone;
    Clock::time_point m_stepBegan, m_phaseBegan, m_leafBegan, m_gradientAt;
    int m_backwardLeaf = -1;
    double m_totalMs = 0;
    std::int64_t m_steps = 0, m_heldFirst = 0, m_heldLast = 0, m_leafBefore = 0;
};

/// Records every operation of LibTorch while it lives, and writes them as a Chrome trace (chrome://tracing, Perfetto).
class OperationTrace {
public:
    OperationTrace();
    ~OperationTrace();
    OperationTrace(const OperationTrace&) = delete;
    OperationTrace& operator=(const OperationTrace&) = delete;
    /// Ends the recording.
    void save(const std::string& file);

private:
    bool m_recording = false;
};

}  // namespace plumbline::train
