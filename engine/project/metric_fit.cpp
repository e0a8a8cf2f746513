#include "project/metric_fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "plan/answer_scale.h"
#include "project/data_fit.h"

namespace plumbline::project {
namespace {

using Judges = plan::MetricTraits::Judges;

/// How many classes or labels an output has scores for: 1 for one score an element; nothing where the shape does not
/// say.
std::optional<std::int64_t> scoresOf(const graph::TensorType& output) {
    return output.rank() < 2 ? std::optional<std::int64_t>(1) : output.dims[1].constant();
}

Status refuse(const char* code, std::string sentence, const std::string& pointer, std::string hint) {
    return fail(ErrorKind::kInvalid, code, std::move(sentence), pointer, std::move(hint));
}

/// [B, …] for [B, C, …].
bool isClassOf(const graph::TensorType& output, const data::FeedInfo& target) {
    return takes(output, target, 2);
}

Status refuseOtherShapes(const plan::MetricSpec& metric, const graph::TensorType& output, const data::FeedInfo& target,
                         const std::string& pointer, std::string hint) {
    return refuse("metric-target-shape",
                  fmt::format("{} cannot compare the output {} of shape [{}] with the target {} of shape [{}].",
                              metric.type, metric.output, output.shapeText(), metric.target, batchShape(target)),
                  pointer, std::move(hint));
}

Status refuseNumbers(const plan::MetricSpec& metric, const std::string& pointer) {
    return refuse("metric-target",
                  fmt::format("{} tells classes apart, and the target {} is a number.", metric.type, metric.target),
                  pointer, "Choose a class as target, or mae, rmse or r2 for numbers.");
}

/// Whether a target of answers, each a yes or a no or its probability, has values that are none.
bool hasOtherThanAnswers(const data::FeedInfo& target) {
    const auto least = [](const std::vector<double>& values) {
        return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
    };
    const auto most = [](const std::vector<double>& values) {
        return values.empty() ? 1 : *std::max_element(values.begin(), values.end());
    };
    return std::min(least(target.statistics.min), least(target.range.min)) < 0 ||
           std::max(most(target.statistics.max), most(target.range.max)) > 1;
}

/// A target of the output's shape.
Status checkAnswers(const plan::TrainingPlan& plan, const plan::MetricSpec& metric, const graph::TensorType& output,
                    const data::FeedInfo& target, const std::string& pointer) {
    const Judges judges = plan::metricTraits(metric.type).judges;
    const bool several = scoresOf(output) != 1;
    const bool exclusive = several && isFloatingPoint(target.dtype) && plan::excludesClasses(plan, metric.output);
    if (metric.type == "perplexity" || (judges == Judges::kScores && !exclusive)) {
        return refuse(
            "metric-target",
            fmt::format("{} compares with a class, and the target {} has a number for each score of the output {}.",
                        metric.type, metric.target, metric.output),
            pointer, "Choose a class as target, or another metric.");
    }
    if (several && !exclusive && judges == Judges::kExclusive) {
        return refuse("metric-target",
                      fmt::format("{} is for classes that exclude each other, and the target {} answers each score of "
                                  "the output {} for itself.",
                                  metric.type, metric.target, metric.output),
                      pointer, "Use f1, precision or recall.");
    }
    if (several && !exclusive && metric.text("average") == "binary") {
        return refuse("metric-average",
                      fmt::format("{} with the average \"binary\" is for one answer, and the target {} has several.",
                                  metric.type, metric.target),
                      pointer, "Choose the average micro, macro or weighted.");
    }
    return hasOtherThanAnswers(target) && !metric.option("ignore_index").is_number() ? refuseNumbers(metric, pointer)
                                                                                     : Status{};
}

Status checkScores(const plan::MetricSpec& metric, const graph::TensorType& output, const data::FeedInfo& target,
                   const data::Dataset& dataset, const std::string& pointer) {
    if (metric.type != "roc_auc" && metric.type != "average_precision") {
        return {};
    }
    // Two classes that exclude each other are one question.
    std::int64_t scores = isClassOf(output, target) && scoresOf(output) == 2 ? 1 : scoresOf(output).value_or(1);
    for (std::size_t dim = 2; dim < output.rank(); ++dim) {
        scores *= output.dims[dim].constant().value_or(1);
    }
    for (const data::Split split : {data::Split::kTrain, data::Split::kValidation, data::Split::kTest}) {
        if (const std::int64_t samples = dataset.size(split);
            scores > 0 && samples > plan::kMostRankedScores / scores) {
            return refuse("metric-too-many-scores",
                          fmt::format("{} keeps every score of a split, at most {}, and the split {} has {} of {}.",
                                      metric.type, plan::kMostRankedScores, data::toString(split),
                                      counted(samples, "sample"), counted(scores, "score")),
                          pointer, "Use f1, precision or recall, which count as they go.");
        }
    }
    return {};
}

}  // namespace

Status checkLabels(const std::string& output, std::int64_t classes, const std::string& target,
                   std::optional<std::int64_t> ignored, const data::Dataset& dataset, const std::string& pointer) {
    for (const data::Split split : {data::Split::kTrain, data::Split::kValidation, data::Split::kTest}) {
        const std::vector<std::int64_t> counts = dataset.classCounts(split, target);
        for (auto label = static_cast<std::size_t>(classes); label < counts.size(); ++label) {
            if (counts[label] > 0 && ignored != static_cast<std::int64_t>(label)) {
                return refuse("label-out-of-range",
                              fmt::format("The target {} has the class {} (counted from 0), and the output {} tells "
                                          "only {} classes apart.",
                                          target, label, output, classes),
                              pointer, fmt::format("Give the model {} outputs, or correct the labels.", counts.size()));
            }
        }
    }
    return {};
}

Status checkMetricOutput(const plan::MetricSpec& metric, const graph::TensorType& output, const std::string& pointer) {
    if (!isFloatingPoint(output.dtype)) {
        return refuse("metric-dtype",
                      fmt::format("{} wants a floating-point output and \"{}\" is {}.", metric.type, metric.output,
                                  toString(output.dtype)),
                      pointer + "/output", "Let it read the output that the loss reads.");
    }
    const std::optional<std::int64_t> classes = scoresOf(output);
    if (plan::metricTraits(metric.type).judges == Judges::kScores && classes == 1) {
        return refuse("metric-shape",
                      fmt::format("{} wants a score for each class, of shape [B, C], and \"{}\" has shape [{}].",
                                  metric.type, metric.output, output.shapeText()),
                      pointer + "/output", "Use accuracy, or give the output a score for each class.");
    }
    if (metric.type == "confusion_matrix" && classes.value_or(0) > plan::kMostMatrixClasses) {
        return refuse("metric-shape",
                      fmt::format("confusion_matrix has at most {} classes, and the output \"{}\" tells {} apart.",
                                  plan::kMostMatrixClasses, metric.output, *classes),
                      pointer + "/output", "Use f1 or balanced_accuracy, which need no table.");
    }
    if (metric.text("average") == "binary" && classes.value_or(0) > 2) {
        return refuse(
            "metric-average",
            fmt::format("{} with the average \"binary\" is for two classes, and the output \"{}\" tells {} apart.",
                        metric.type, metric.output, *classes),
            pointer + "/average", "Choose the average micro, macro or weighted.");
    }
    return {};
}

std::optional<std::string> unknownAnswers(const plan::TrainingPlan& plan, const plan::MetricSpec& metric,
                                          const graph::TensorType& output, const std::string& block,
                                          std::size_t columns) {
    const auto scores = scoresOf(output);
    const bool answers = scores == 1 || (scores && columns == static_cast<std::size_t>(*scores) &&
                                         !plan::excludesClasses(plan, metric.output));
    const plan::TypeSpec* kind = metric.kind();
    if (!answers || kind == nullptr || kind->option("threshold") == nullptr ||
        plan::answerScale(plan, metric, block) != plan::AnswerScale::kUnknown) {
        return std::nullopt;
    }
    return fmt::format(
        "{} takes the output \"{}\" for logits, a yes above the logit of its threshold, and neither a loss nor the "
        "last block tells whether it holds logits or probabilities. "
        "Set the metric's input to \"logits\" or to \"probabilities\".",
        metric.name(), metric.output);
}

Status checkMetricTarget(const plan::TrainingPlan& plan, const plan::MetricSpec& metric,
                         const graph::TensorType& output, const data::Dataset& dataset, const std::string& pointer) {
    const auto target = std::find_if(dataset.targets().begin(), dataset.targets().end(),
                                     [&](const data::FeedInfo& feed) { return feed.name == metric.target; });
    if (target == dataset.targets().end()) {
        return {};
    }
    PLUMBLINE_TRY(checkMetricOutput(metric, output, pointer));
    const bool same = takes(output, *target) || isColumnAndVector(output, *target);
    if (plan::metricTraits(metric.type).judges == Judges::kNumbers) {
        if (!target->classes.empty()) {
            return refuse("metric-target",
                          fmt::format("{} compares numbers, and the target {} is a class.", metric.type, metric.target),
                          pointer, "Use accuracy or f1, or choose a number as target.");
        }
        return same ? Status{}
                    : refuseOtherShapes(metric, output, *target, pointer, "Give the output and the target one shape.");
    }
    if (same) {
        PLUMBLINE_TRY(checkAnswers(plan, metric, output, *target, pointer));
        return checkScores(metric, output, *target, dataset, pointer);
    }
    if (!isClassOf(output, *target)) {
        return refuseOtherShapes(
            metric, output, *target, pointer,
            "A class has the output's shape without its second dimension; answers of yes and no have the whole of it.");
    }
    if (isFloatingPoint(target->dtype) && scoresOf(output) != 1) {
        return refuseNumbers(metric, pointer);
    }
    PLUMBLINE_TRY(checkLabels(metric.output, scoresOf(output).value_or(INT64_MAX), metric.target,
                              plan::ignoredLabel(plan, metric), dataset, pointer));
    return checkScores(metric, output, *target, dataset, pointer);
}

}  // namespace plumbline::project
