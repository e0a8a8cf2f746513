#pragma once
// How fast a run goes now: what its throughput and its time left are told by.

#include <algorithm>
#include <cstdint>

namespace plumbline::train {

/// An average over the newest steps, time against samples, in which one of twenty counts as much as the newest. The
/// first steps, which prepare memory and kernels, are forgotten as soon as others follow. One thread.
class RecentPace {
public:
    /// A step of so many samples took `ms`, pauses, validations and checkpoints not counted.
    void step(std::int64_t samples, double ms) {
        ++m_steps;
        const std::int64_t settled = m_steps - kFirstSteps;
        const double share = settled <= 1 ? 1.0 : std::max(kShare, 1.0 / static_cast<double>(settled));
        m_samples += share * (static_cast<double>(samples) - m_samples);
        m_ms += share * (ms - m_ms);
    }
    /// 0 before the first step.
    double samplesPerSecond() const { return m_ms > 0 ? 1000 * m_samples / m_ms : 0; }
    /// What so many steps take at this pace; 0 before the first step.
    double secondsFor(std::int64_t steps) const {
        return m_ms / 1000 * static_cast<double>(std::max<std::int64_t>(0, steps));
    }

private:
    static constexpr std::int64_t kFirstSteps = 2;
    static constexpr double kShare = 0.05;  ///< of the newest step, once there are enough

    std::int64_t m_steps = 0;
    double m_samples = 0, m_ms = 0;
};

}  // namespace plumbline::train
