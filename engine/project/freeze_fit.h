#pragma once
// Whether what the plan freezes fits the model.

#include "core/error.h"
#include "graph/resolve.h"
#include "plan/plan.h"

namespace plumbline::project {

/// A freeze that matches no parameter, and freezing that leaves nothing to train in the first epoch, are errors. For a
/// model whose shapes are known.
Status checkFreezing(const plan::TrainingPlan& plan, const graph::ResolvedModel& model);

}  // namespace plumbline::project
