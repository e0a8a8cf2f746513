#pragma once
// What a plan's validations give numbers of.

#include <optional>
#include <string>

#include "plan/plan.h"

namespace plumbline::plan {

/// "val.loss", the "val.loss.<phase>" of one of the phases, or "val." and the name of a metric that is a number.
bool isValidationSeries(const TrainingPlan& plan, const std::string& series);
/// "val." and the name of a metric that is a table, so that no series holds it.
bool isValidationTable(const TrainingPlan& plan, const std::string& series);

/// What the numbers of "val.<name>" or "train.<name>" are, the loss's included. Nothing where the plan measures no
/// number of that name.
std::optional<MetricTraits> traitsOfSeries(const TrainingPlan& plan, const std::string& series);

}  // namespace plumbline::plan
