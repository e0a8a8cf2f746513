#pragma once
// What the optimizers' groups say of a model's parameters.

#include <vector>

#include "graph/resolve.h"
#include "plan/plan.h"

namespace plumbline::project {

/// A pattern that matches no parameter is critical: it would change nothing without a word. Warnings: a group whose
/// parameters all belong to groups before it or are frozen, one that says nothing or something that the optimizer does
/// not have, a weight decay for norms and biases alone where these have none, and layer_decay over a single layer. For
/// a model whose shapes are known.
std::vector<plan::PlanProblem> checkGroups(const plan::TrainingPlan& plan, const graph::ResolvedModel& model);

/// Rates of groups, layers and phases that the lowest rate of the schedule is above.
std::vector<plan::PlanProblem> checkLowestRates(const plan::TrainingPlan& plan, const graph::ResolvedModel& model);

}  // namespace plumbline::project
