#include "plan/answer_scale.h"

#include <algorithm>

#include "plan/loss_traits.h"

namespace plumbline::plan {
namespace {

AnswerScale scaleFor(const LossSpec& loss) {
    switch (lossTraits(loss.type).scale) {
        case OutputScale::kProbabilities:
            return AnswerScale::kProbabilities;
        // Margins have no probability, and the sign decides.
        case OutputScale::kScores:
        case OutputScale::kLogits:
            return AnswerScale::kLogits;
        case OutputScale::kLogProbabilities:
        case OutputScale::kAny:
            break;
    }
    return AnswerScale::kUnknown;
}

/// It draws the output itself towards the target, so that both are on one scale.
bool comparesValues(const LossSpec& loss) {
    static const char* const kTypes[] = {"MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "GaussianNLLLoss"};
    return std::any_of(std::begin(kTypes), std::end(kTypes), [&](const char* type) { return loss.type == type; });
}

}  // namespace

bool givesProbabilities(const std::string& block) {
    return block == "Sigmoid" || block == "Softmax";
}

AnswerScale answerScale(const TrainingPlan& plan, const MetricSpec& metric, const std::string& block) {
    if (const std::string input = metric.text("input"); input == "logits" || input == "probabilities") {
        return input == "logits" ? AnswerScale::kLogits : AnswerScale::kProbabilities;
    }
    for (const LossSpec& loss : plan.losses) {
        if (const AnswerScale scale = scaleFor(loss); loss.output == metric.output && scale != AnswerScale::kUnknown) {
            return scale;
        }
    }
    const auto compares = [&](const LossSpec& loss) {
        return loss.output == metric.output && loss.target == metric.target && comparesValues(loss);
    };
    if (givesProbabilities(block) || std::any_of(plan.losses.begin(), plan.losses.end(), compares)) {
        return AnswerScale::kProbabilities;
    }
    return AnswerScale::kUnknown;
}

}  // namespace plumbline::plan
