#pragma once
// Learning rate as a pure function of the position, so that a resumed run gets the very rates it would have had.

#include <cstdint>

#include "plan/plan.h"

namespace plumbline::train {

/// The rate at a position counted in the scheduler's unit (steps or epochs, from 0), for a group with base rate `base`:
///
///   constant   base
///   step       base * gamma^floor(t / stepSize)                                    PyTorch's StepLR
///   cosine     minLr + (base - minLr) * (1 + cos(pi * min(t, T) / T)) / 2          PyTorch's CosineAnnealingLR, held at its end
///
/// With a warm-up of W units, positions 0 … W-1 have base * (t + 1) / W and the formulas above get t - W; T is the
/// length that is left after the warm-up.
class Scheduler {
public:
    /// `wholeRun`: length of the run in the scheduler's unit, used where the plan states no total.
    Scheduler(const plan::SchedulerSpec& spec, std::int64_t wholeRun);

    plan::Unit unit() const { return m_spec.unit; }
    double rate(double base, std::int64_t position) const;
    /// Whether rate() may differ between two neighbouring positions at all.
    bool isConstant() const { return m_spec.type == "constant" && m_spec.warmup == 0; }

private:
    plan::SchedulerSpec m_spec;
    std::int64_t m_length;  ///< T
};

}  // namespace plumbline::train
