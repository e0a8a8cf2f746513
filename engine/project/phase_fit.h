#pragma once
// What training.phases says of a model's parameters.

#include <string>
#include <vector>

#include "core/error.h"
#include "graph/resolve.h"
#include "plan/plan.h"

namespace plumbline::project {

/// Refuses a pattern that matches no parameter, a parameter that two phases train, and a phase all of whose parameters
/// are frozen at first or in blocks without gradients. Nothing to say without phases.
Status checkPhaseFit(const plan::TrainingPlan& plan, const graph::ResolvedModel& model);
/// Refuses a phase whose losses reach none of the parameters that it trains from the beginning. `outputs`: by loss of
/// the plan, those that it reads; a phase of which one is no output of the model is passed over. For what
/// checkPhaseFit() lets pass.
Status checkPhaseReach(const plan::TrainingPlan& plan, const graph::ResolvedModel& model,
                       const std::vector<std::vector<std::string>>& outputs);
/// Parameters that no phase trains and that nobody has frozen or runs without gradients, by full name: they stay as
/// they were drawn. Empty without phases.
std::vector<std::string> untrainedParameters(const plan::TrainingPlan& plan, const graph::ResolvedModel& model);

}  // namespace plumbline::project
