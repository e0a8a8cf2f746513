#include <map>

#include "plan/answer_scale.h"
#include "train/metrics/registry.h"

namespace plumbline::train {

std::unique_ptr<Metric> makeMetric(const MetricContext& context) {
    using Make = MadeMetric (*)(const MetricContext&);
    static const std::map<std::string_view, Make> metrics{
        {"accuracy", makeAccuracy},
        {"average_precision", makeAveragePrecision},
        {"balanced_accuracy", makeBalancedAccuracy},
        {"confusion_matrix", makeConfusionMatrix},
        {"dice", makeDice},
        {"f1", makeF1},
        {"iou", makeIou},
        {"mae", makeMae},
        {"mse", makeMse},
        {"perplexity", makePerplexity},
        {"precision", makePrecision},
        {"r2", makeR2},
        {"recall", makeRecall},
        {"rmse", makeRmse},
        {"roc_auc", makeRocAuc},
        {"top_k_accuracy", makeTopKAccuracy},
    };
    const auto found = metrics.find(context.spec.type);
    return found == metrics.end() ? nullptr : found->second(context);
}

MetricContext contextOf(const plan::TrainingPlan& plan, const plan::MetricSpec& spec, const std::string& block) {
    const bool probabilities = plan::answerScale(plan, spec, block) == plan::AnswerScale::kProbabilities;
    return {spec,
            plan::ignoredLabel(plan, spec).value_or(kNoIgnoreIndex),
            plan::excludesClasses(plan, spec.output),
            probabilities,
            {}};
}

}  // namespace plumbline::train
