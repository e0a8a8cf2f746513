#include "monitor/governor.h"

#include <array>

namespace plumbline::monitor {

Governor::Governor(std::int64_t fixed, double budget, std::int64_t initial)
    : m_fixed(fixed > 0), m_budget(budget), m_stride(fixed > 0 ? fixed : initial) {}

bool Governor::measurementTook(double ms) {
    // The first measurement touches memory that was never used before: it says nothing about the next ones.
    if (++m_measurements <= 2) {
        m_costMs = ms;
    } else {
        m_costMs += 0.2 * (ms - m_costMs);
    }
    if (m_fixed || m_measurements < 2 || m_steps < 4 || m_stepMs <= 0) {
        return false;
    }
    // A sixth of the budget: the rest is for what is looked at in every step, and for what a measurement pushes out of
    // the caches.
    const double needed = m_costMs / (m_budget / 6 * m_stepMs);
    std::int64_t chosen = 1000;
    for (const std::int64_t candidate : std::array<std::int64_t, 9>{1, 2, 5, 10, 20, 50, 100, 200, 500}) {
        // A smaller stride is taken only when there is room to spare, so that it does not flicker.
        if (static_cast<double>(candidate) >= (candidate < m_stride ? 1.3 * needed : needed)) {
            chosen = candidate;
            break;
        }
    }
    const bool changed = chosen != m_stride;
    m_stride = chosen;
    return changed;
}

double Governor::share() const {
    return m_stepMs > 0 ? m_costMs / (m_stepMs * static_cast<double>(m_stride)) : 0;
}

}  // namespace plumbline::monitor
