#pragma once
// What the numbers of an output are to a metric that asks for a yes or a no, or for probabilities.

#include <string>

#include "plan/plan.h"

namespace plumbline::plan {

enum class AnswerScale {
    kUnknown,        ///< nothing tells; taken for logits
    kLogits,         ///< a yes above the logit of the threshold, 0 for 0.5
    kProbabilities,  ///< or values on the scale of a target of 0 and 1: a yes above the threshold itself
};

/// The metric's own `input`; else what the losses on its output take; else what the block that makes the output gives.
/// `block`: its type
/// ("Sigmoid"), "" where it is not known.
AnswerScale answerScale(const TrainingPlan& plan, const MetricSpec& metric, const std::string& block);
/// Blocks that give probabilities.
bool givesProbabilities(const std::string& block);

}  // namespace plumbline::plan
