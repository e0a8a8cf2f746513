#pragma once
// What of a plan would come after the end of its run.

#include <cstdint>
#include <vector>

#include "plan/plan.h"

namespace plumbline::plan {

/// At most so long is the run by its plan; 0: that is not known.
struct RunLength {
    std::int64_t steps = 0, epochs = 0;
    std::int64_t in(Unit unit) const { return unit == Unit::kStep ? steps : epochs; }
};
/// `stepsPerEpoch`: 0 where it is not known.
RunLength runLength(const TrainingPlan& plan, std::int64_t stepsPerEpoch);

/// The part of checkPlan() about averaging, freezing and stochastic depth that never begin or never end. All are
/// warnings.
std::vector<PlanProblem> checkRunLength(const TrainingPlan& plan, std::int64_t stepsPerEpoch);

}  // namespace plumbline::plan
