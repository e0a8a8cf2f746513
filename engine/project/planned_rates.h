#pragma once
// Which learning rates a run of the project would write.

#include <vector>

#include "graph/resolve.h"
#include "plan/plan.h"
#include "plan/schedule.h"

namespace plumbline::project {

/// The series of the rate of each group of parameters that trains at some time, phase after phase, with the names that
/// a run gives them. Of a model that is not whole plan::rateSeriesOf().
std::vector<plan::RateSeries> rateSeriesOf(const plan::TrainingPlan& plan, const graph::ResolvedModel& model);

/// Those to draw: within each phase the first of several that have the same rate.
std::vector<plan::RateSeries> differingRates(const std::vector<plan::RateSeries>& series);

}  // namespace plumbline::project
