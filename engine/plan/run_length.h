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

/// So many validations does it make at most, the one at its end included; 0: none, or that is not known.
std::int64_t validationsOf(const TrainingPlan& plan, const RunLength& run);

/// The part of checkPlan() about what never begins, never ends or never happens in so long a run: averaging, freezing,
/// stochastic depth, patience, validations and phases. All are warnings.
std::vector<PlanProblem> checkRunLength(const TrainingPlan& plan, std::int64_t stepsPerEpoch, bool hasValidation);

}  // namespace plumbline::plan
