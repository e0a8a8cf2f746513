#pragma once
// How often statistics are taken, so that all of them together stay under a share of the training time.

#include <cstdint>

namespace plumbline::monitor {

/// Looks at what one measurement costs and what a step takes, and chooses the steps between two measurements from
/// 1, 2, 5, 10 … 1000. One thread.
class Governor {
public:
    /// `fixed` > 0: that stride, whatever it costs. `budget`: share of the step time, 0.02 = 2 %.
    explicit Governor(std::int64_t fixed = 0, double budget = 0.02, std::int64_t initial = 10);

    std::int64_t stride() const { return m_stride; }
    bool isFixed() const { return m_fixed; }
    /// Whether this step (counted from 1) is measured. Asked once a step.
    bool isDue(std::int64_t step) {
        if (step < m_next) {
            return false;
        }
        m_next = step + m_stride;
        return true;
    }
    /// The next step that is measured.
    std::int64_t nextDue() const { return m_next; }
    /// Goes on where an earlier one was; a fixed stride stays.
    void restore(std::int64_t stride, std::int64_t nextDue) {
        m_stride = m_fixed || stride <= 0 ? m_stride : stride;
        m_next = nextDue;
    }
    /// A step took this long, the monitor's share included.
    void stepTook(double ms) { m_stepMs = m_steps++ == 0 ? ms : m_stepMs + 0.1 * (ms - m_stepMs); }
    /// A measurement took this long. Gives whether the stride has changed.
    bool measurementTook(double ms);
    /// Share of the time that measurements take at the stride of now.
    double share() const;

private:
    bool m_fixed;
    double m_budget;
    std::int64_t m_stride;
    std::int64_t m_next = 1;
    std::int64_t m_steps = 0;
    std::int64_t m_measurements = 0;
    double m_stepMs = 0;
    double m_costMs = 0;
};

}  // namespace plumbline::monitor
