#include "train/scheduler.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plumbline::train {

Scheduler::Scheduler(const plan::SchedulerSpec& spec, std::int64_t wholeRun)
    : m_spec(spec), m_length(std::max<std::int64_t>(1, (spec.total > 0 ? spec.total : wholeRun) - spec.warmup)) {}

double Scheduler::rate(double base, std::int64_t position) const {
    if (position < m_spec.warmup) {
        return base * static_cast<double>(position + 1) / static_cast<double>(m_spec.warmup);
    }
    const std::int64_t t = position - m_spec.warmup;
    if (m_spec.type == "step") {
        return base * std::pow(m_spec.gamma, static_cast<double>(t / std::max<std::int64_t>(1, m_spec.stepSize)));
    }
    if (m_spec.type == "cosine") {
        const double progress = static_cast<double>(std::min(t, m_length)) / static_cast<double>(m_length);
        return m_spec.minLr + (base - m_spec.minLr) * (1 + std::cos(std::numbers::pi * progress)) / 2;
    }
    return base;
}

}  // namespace plumbline::train
