#pragma once
// What ends a run besides its epochs and steps: its time, a target that a validation reaches, early stopping.

#include <cstdint>
#include <string>

#include "plan/plan.h"
#include "train/run_state.h"

namespace plumbline::train {

/// Decides from the position alone, which a checkpoint holds: a resumed run ends where the uninterrupted one would
/// have. One thread.
class StopConditions {
public:
    /// Both outlive it. `timed`: whether stop.seconds counts.
    StopConditions(const plan::TrainingPlan& plan, Position& position, bool timed)
        : m_plan(plan), m_position(position), m_timed(timed) {}

    /// After a validation, whose values are in the position. `patience`: as it is now (it may change while the run goes
    /// on).
    void judge(std::int64_t patience);
    /// Between two steps: `trainedMs` is the time of training so far.
    void lookAtClock(double trainedMs);
    /// Whether one of them has ended the run.
    bool reached() const { return !m_position.stop.code.empty(); }
    /// Why, with the numbers.
    std::string sentence() const;

private:
    const plan::TrainingPlan& m_plan;
    Position& m_position;
    bool m_timed;
};

}  // namespace plumbline::train
