#pragma once
// Whether a metric can judge an output by a target: what a run would refuse with its first batch, or tell wrongly.

#include <cstdint>
#include <optional>
#include <string>

#include "data/dataset.h"
#include "graph/tensor_type.h"
#include "plan/plan.h"

namespace plumbline::project {

/// By the output alone.
Status checkMetricOutput(const plan::MetricSpec& metric, const graph::TensorType& output, const std::string& pointer);

/// What an answer of yes or no would be read from although nothing tells what the output holds, as a sentence with a
/// next step; nothing where it is known, or where the metric asks for none. `columns`: numbers a sample of its target,
/// 0 where only the data tell.
std::optional<std::string> unknownAnswers(const plan::TrainingPlan& plan, const plan::MetricSpec& metric,
                                          const graph::TensorType& output, const std::string& block,
                                          std::size_t columns);

/// By the opened data too: shape and kind of the target, its labels, and how many samples there are to rank.
Status checkMetricTarget(const plan::TrainingPlan& plan, const plan::MetricSpec& metric,
                         const graph::TensorType& output, const data::Dataset& dataset, const std::string& pointer);

/// No label of a split, but those that are ignored, is a class that the output does not tell apart.
Status checkLabels(const std::string& output, std::int64_t classes, const std::string& target,
                   std::optional<std::int64_t> ignored, const data::Dataset& dataset, const std::string& pointer);

}  // namespace plumbline::project
