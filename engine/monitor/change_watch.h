#pragma once
// Which parameters have not changed by a single bit over several applied steps.

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "diagnostics/step_stats.h"

namespace plumbline::monitor {

/// Looks at a few values of each parameter; only one whose few values stood still is hashed whole, and it counts as
/// unchanged when two whole hashes agree. The first look hashes everything once, so that what never moves is known at the
/// second. One thread.
class ChangeWatch {
public:
    /// `parameters` stay alive through their own reference counts; undefined ones are left out of every comparison.
    explicit ChangeWatch(std::vector<at::Tensor> parameters);

    /// Compares with the last look. Appends one Update a parameter with the steps applied in between, unless these are
    /// fewer than `kAppliedSteps`: then nothing is compared. A parameter whose whole hash is not known yet is left out.
    void look(std::int64_t appliedSteps, std::vector<diagnostics::StepStats::Update>& updates);

    static constexpr std::int64_t kAppliedSteps = 3;

private:
    static constexpr std::size_t kSamples = 16;
    struct Watched {
        at::Tensor tensor;
        std::uint64_t sample[kSamples] = {};
        std::uint64_t hash = 0;
        bool sampled = false;
        bool hashed = false;
    };

    /// Reads the sample again; gives whether it differs from the one before.
    static bool resample(Watched& watched);
    void lookAt(std::size_t index, std::int64_t appliedSteps, std::vector<diagnostics::StepStats::Update>& updates);

    std::vector<Watched> m_watched;
    std::int64_t m_lastApplied = -1;
};

}  // namespace plumbline::monitor
