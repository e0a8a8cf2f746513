#pragma once
// What training.phases says of a model's parameters.

#include <string>
#include <vector>

#include "core/error.h"
#include "graph/resolve.h"
#include "plan/plan.h"

namespace plumbline::project {

/// Refuses a pattern that matches no parameter, a parameter that two phases train, and a phase all of whose parameters are frozen at
/// first. Nothing to say without phases.
Status checkPhaseFit(const plan::TrainingPlan& plan, const graph::ResolvedModel& model);
/// Parameters that no phase trains and that nobody has frozen, by full name: they stay as they were drawn. Empty without phases.
std::vector<std::string> untrainedParameters(const plan::TrainingPlan& plan, const graph::ResolvedModel& model);

}  // namespace plumbline::project
