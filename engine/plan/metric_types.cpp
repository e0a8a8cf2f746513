// The metrics that there are and what each of them can be told. A new one is an entry here and a file in
// train/metrics/.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "plan/loss_traits.h"
#include "plan/plan.h"
#include "plan/series.h"

namespace plumbline::plan {
namespace {

OptionSpec average(const std::string& value) {
    return choiceOption("average", value, {"micro", "macro", "weighted", "binary"},
                        "micro: over all samples; macro: mean over the classes; weighted: by how many samples a class "
                        "has; binary: of class 1.");
}
OptionSpec ignoreIndex() {
    return {"ignore_index",
            "int",
            nullptr,
            -9007199254740992.0,
            9007199254740992.0,
            true,
            {},
            {},
            "Labels that do not count; where it is left out, those that the first loss on the same output ignores."};
}
OptionSpec threshold() {
    return numberOption("threshold", 0.5, 0, 1, "Probability above which one score an answer is a yes.");
}

OptionSpec input() {
    return choiceOption("input", "auto", {"auto", "logits", "probabilities"},
                        "What the output holds: logits; or probabilities, or values between a target's 0 and 1, which "
                        "are compared with threshold as they are; auto goes by the losses on it "
                        "and the block that makes it.");
}

std::vector<TypeSpec> makeTypes() {
    const OptionSpec background = flagOption("include_background", true, "Class 0 counts too.");
    std::vector<TypeSpec> types{
        {"accuracy", {threshold(), input(), ignoreIndex()}, {}, {}},
        {"top_k_accuracy",
         {integerOption("k", 5, 1, "classes", "A sample is right where its class is among the k largest."),
          ignoreIndex()},
         {},
         {}},
        {"balanced_accuracy", {threshold(), input(), ignoreIndex()}, {}, {}},
        {"f1", {average("macro"), threshold(), input(), ignoreIndex()}, {}, {}},
        {"precision", {average("macro"), threshold(), input(), ignoreIndex()}, {}, {}},
        {"recall", {average("macro"), threshold(), input(), ignoreIndex()}, {}, {}},
        {"roc_auc", {input()}, {}, {}},
        {"average_precision", {input()}, {}, {}},
        {"confusion_matrix", {threshold(), input(), ignoreIndex()}, {}, {}},
        {"iou", {background, threshold(), input(), ignoreIndex()}, {}, {}},
        {"dice", {background, threshold(), input(), ignoreIndex()}, {}, {}},
        {"mae", {}, {}, {}},
        {"mse", {}, {}, {}},
        {"rmse", {}, {}, {}},
        {"r2", {}, {}, {}},
        {"perplexity", {input(), ignoreIndex()}, {}, {}},
    };
    for (TypeSpec& type : types) {
        type.options.push_back(
            textOption("name", nullptr, "Name of its series; needed where a metric is there twice."));
    }
    return types;
}

}  // namespace

const std::vector<TypeSpec>& metricTypes() {
    static const std::vector<TypeSpec> types = makeTypes();
    return types;
}

MetricTraits metricTraits(const std::string& type) {
    using Judges = MetricTraits::Judges;
    constexpr double kNoLimit = std::numeric_limits<double>::infinity();
    static const std::map<std::string, MetricTraits> traits{
        {"accuracy", {Judges::kClasses, true, true}},
        {"top_k_accuracy", {Judges::kScores, true, true}},
        {"balanced_accuracy", {Judges::kExclusive, true, true}},
        {"f1", {Judges::kClasses, true, true}},
        {"precision", {Judges::kClasses, true, true}},
        {"recall", {Judges::kClasses, true, true}},
        {"roc_auc", {Judges::kClasses, true, true}},
        {"average_precision", {Judges::kClasses, true, true}},
        {"confusion_matrix", {Judges::kExclusive, true, false}},
        {"iou", {Judges::kClasses, true, true}},
        {"dice", {Judges::kClasses, true, true}},
        {"mae", {Judges::kNumbers, false, true, 0, kNoLimit}},
        {"mse", {Judges::kNumbers, false, true, 0, kNoLimit}},
        {"rmse", {Judges::kNumbers, false, true, 0, kNoLimit}},
        {"r2", {Judges::kNumbers, true, true, -kNoLimit, 1}},
        {"perplexity", {Judges::kScores, false, true, 1, kNoLimit}},
    };
    const auto found = traits.find(type);
    return found == traits.end() ? MetricTraits() : found->second;
}

std::optional<std::int64_t> ignoredLabel(const TrainingPlan& plan, const MetricSpec& metric) {
    if (const Json& own = metric.option("ignore_index"); own.is_number_integer()) {
        return own.get<std::int64_t>();
    }
    for (const LossSpec& loss : plan.losses) {
        if (loss.output == metric.output && loss.kind() != nullptr && loss.kind()->option("ignore_index") != nullptr) {
            return loss.integer("ignore_index");
        }
    }
    return std::nullopt;
}

bool excludesClasses(const TrainingPlan& plan, const std::string& output) {
    return std::any_of(plan.losses.begin(), plan.losses.end(), [&](const LossSpec& loss) {
        return loss.output == output && (lossTraits(loss.type).takesProbabilities || loss.type == "KLDivLoss");
    });
}

std::optional<MetricTraits> traitsOfSeries(const TrainingPlan& plan, const std::string& series) {
    const std::string name = series.substr(series.find('.') + 1);
    if (!series.starts_with("val.") && !series.starts_with("train.")) {
        return std::nullopt;
    }
    if (name == "loss" || std::any_of(plan.phases.begin(), plan.phases.end(),
                                      [&](const PhaseSpec& phase) { return name == "loss." + phase.name; })) {
        constexpr double kNoLimit = std::numeric_limits<double>::infinity();
        return MetricTraits{MetricTraits::Judges::kNumbers, false, true, -kNoLimit, kNoLimit};
    }
    const auto found = std::find_if(plan.metrics.begin(), plan.metrics.end(),
                                    [&](const MetricSpec& metric) { return metric.name() == name; });
    if (found == plan.metrics.end() || !metricTraits(found->type).isNumber) {
        return std::nullopt;
    }
    return metricTraits(found->type);
}

std::optional<bool> largerIsBetter(const TrainingPlan& plan, const std::string& series) {
    const std::optional<MetricTraits> traits = traitsOfSeries(plan, series);
    return traits ? std::optional(traits->largerIsBetter) : std::nullopt;
}

bool isValidationSeries(const TrainingPlan& plan, const std::string& series) {
    return series.starts_with("val.") && largerIsBetter(plan, series).has_value();
}

bool isValidationTable(const TrainingPlan& plan, const std::string& series) {
    return !isValidationSeries(plan, series) &&
           std::any_of(plan.metrics.begin(), plan.metrics.end(),
                       [&](const MetricSpec& metric) { return series == "val." + metric.name(); });
}

MetricSpec::MetricSpec(std::string chosen, std::string judged, std::string compared, Json told) : MetricSpec() {
    type = std::move(chosen);
    output = std::move(judged);
    target = std::move(compared);
    options = std::move(told);
}

std::string MetricSpec::name() const {
    if (const std::string own = text("name"); !own.empty()) {
        return own;
    }
    return type == "top_k_accuracy" ? fmt::format("top_{}_accuracy", integer("k")) : type;
}

}  // namespace plumbline::plan
