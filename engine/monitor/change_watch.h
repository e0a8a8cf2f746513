#pragma once
// Which parameters have not changed by a single bit over several applied steps.

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/json.h"
#include "diagnostics/step_stats.h"

namespace plumbline::monitor {

/// After every applied step, reads one value of each parameter, and a few more only where that one stood still. A
/// parameter whose few values stood still is hashed whole; it counts as unchanged when two whole hashes, at least
/// `steps` applied steps apart, agree. Whoever was hashed once is hashed again at growing distances, so that looking
/// stays cheap. On a device, and where memory is not dense, there are whole hashes alone. One thread.
class ChangeWatch {
public:
    /// `parameters` stay alive through their own reference counts; undefined ones are left out of every comparison.
    explicit ChangeWatch(std::vector<at::Tensor> parameters, std::int64_t steps = 3);

    /// Before the first step: what everything is compared with. Goes on after load() where there is a state.
    void begin(std::int64_t applied);
    /// Between two steps: from here on this parameter is looked at, from the start; an undefined one no longer is.
    void follow(std::size_t index, at::Tensor parameter);
    /// Whether a whole comparison is due once so many steps are applied: its finding wants to know the gradients.
    bool isDue(std::int64_t applied) const { return applied >= m_due; }
    /// Whether it was found to stand still, and has not been seen to move since.
    bool standsStill(std::size_t index) const { return m_watched[index].told; }
    /// After a step; `applied` counts all that were applied. Appends an Update for each parameter that was found to
    /// stand still, and for each such one that moves again. `closely`: whole comparisons need not wait for their time.
    void look(std::int64_t applied, bool closely, std::vector<diagnostics::StepStats::Update>& updates);

    Json saveState() const;
    /// Before begin(), with the parameters as they were when the state was saved.
    void loadState(const Json& state);

private:
    static constexpr std::size_t kSamples = 16;
    struct Watched {
        at::Tensor tensor;
        std::uint64_t sample[kSamples] = {};
        std::uint64_t phase = 0;   ///< shifts the places of the sample
        std::uint64_t moving = 0;  ///< the place that moved last
        bool fresh = false;        ///< the whole sample is of the last look, not the moving place alone
        std::uint64_t hash = 0;
        std::int64_t hashedAt = -1;   ///< applied steps then; -1: none
        std::int64_t stillSince = 0;  ///< applied steps at the first of the hashes that agree
        std::int64_t wait = 0;        ///< applied steps from the last whole comparison to the next
        std::int64_t notBefore = 0;   ///< applied steps
        std::int64_t movedInARow = 0;
        bool told = false;  ///< it stands still, and that was told
    };

    /// Whether a few values of it can be read where they lie.
    static bool isAtHand(const at::Tensor& tensor) { return tensor.is_cpu() && tensor.is_non_overlapping_and_dense(); }
    static std::uint64_t valueAt(const Watched& watched, std::size_t place);
    static void sampleAll(Watched& watched);
    /// Whether a sampled value differs from the last look's.
    static bool hasMoved(Watched& watched);
    void lookAt(std::size_t index, std::int64_t applied, bool closely,
                std::vector<diagnostics::StepStats::Update>& updates);
    void compare(std::size_t index, std::int64_t applied, std::vector<diagnostics::StepStats::Update>& updates);
    void findDue();

    std::vector<Watched> m_watched;
    std::int64_t m_steps;
    std::int64_t m_applied = -1;
    std::int64_t m_due;
};

}  // namespace plumbline::monitor
