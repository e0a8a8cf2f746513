// The first batch, learnt by heart.

#include <fmt/format.h>

#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "core/text.h"
#include "train/loss_floor.h"
#include "train/probes/probe_bench.h"

namespace plumbline::train {
namespace {

constexpr double kLearnt = 0.1;     ///< share of the way down that may be left of what is learnt
constexpr double kByHeart = 0.01;   ///< share at which it stops early
constexpr double kRounding = 1e-5;  ///< of the lowest loss: as near as float32 gets to it

/// How a batch's loss is judged.
struct Descent {
    std::optional<double> lowest;  ///< where it is known
    double first = 0, last = 0;

    /// Whether no more than such a share of the way down is left.
    bool isDown(double share) const {
        if (lowest) {
            return last - *lowest <= std::max(share * (first - *lowest), kRounding * std::abs(*lowest));
        }
        return first > 0 && last <= share * first;
    }
    /// A loss that is below 0 may have any lowest value, or none.
    bool isTold() const { return lowest || (first > 0 && last >= 0); }
};

/// What the batch's outputs have to be for the loss to be at its lowest is known without the model; its shapes are not.
std::optional<double> lowestOf(TrainingSetup& setup, const plan::TrainingPlan& plan) {
    ForwardTraces traces(*setup.assembly.model);
    const at::NoGradGuard noGrad;
    const auto outputs = setup.assembly.model->forward(setup.batch.inputs);
    traces.restore();
    try {
        const auto lowest = outputs ? lowestLoss(plan, setup.assembly.names, *outputs, setup.batch.targets)
                                    : Result<std::optional<double>>(std::nullopt);
        return lowest.value_or(std::nullopt);
    } catch (const c10::Error&) {
        return std::nullopt;  // what does not fit is said by the first step
    }
}

/// The metric that says that every sample of the batch is right, whatever it is called.
std::string metricThatTellsAllRight(const plan::TrainingPlan& plan, const std::map<std::string, double>& values) {
    for (const plan::MetricSpec& metric : plan.metrics) {
        const auto value = values.find(metric.name());
        const bool isShare = metric.type == "accuracy" || metric.type == "balanced_accuracy" || metric.type == "f1" ||
                             metric.type == "iou" || metric.type == "dice";
        if (value != values.end() &&
            ((isShare && value->second == 1) || (metric.type == "r2" && value->second >= 1 - kLearnt))) {
            return metric.name();
        }
    }
    return {};
}

}  // namespace

Result<Json> probeOverfit(const session::ProbeRequest& request, RunControl& control, const ProbeProgress& progress) {
    if (!request.project.training.phases.empty()) {
        return fail(ErrorKind::kInvalid, "phases-learn-nothing-by-heart",
                    "The losses of several phases work against each other, so they do not come down to nothing on a "
                    "batch that is learnt.",
                    "/training/phases", "Train for an epoch and look at the phases' losses.");
    }
    PLUMBLINE_ASSIGN(const auto bench, ProbeBench::make(request.project, control));
    TrainingSetup& setup = bench->setup();
    PLUMBLINE_TRY(bench->nextBatch());
    Json losses = Json::array(), metrics = Json::object();
    Descent loss;
    loss.lowest = lowestOf(setup, request.project.training);
    double &first = loss.first, &last = loss.last;
    for (std::int64_t i = 0; i < request.steps; ++i) {
        setup.metrics.reset();
        PLUMBLINE_ASSIGN(const ProbeStep step, bench->step());
        tellCount(request, i + 1, request.steps);
        if (i == 0) {
            first = step.loss;
        }
        last = step.loss;
        losses.push_back(std::isfinite(last) ? Json(last) : Json());
        if (progress && i % 20 == 19) {
            progress(fmt::format("step {}: loss {}", i + 1, numberText(last, 4)));
        }
        if (!std::isfinite(last) || (loss.isTold() && loss.isDown(kByHeart))) {
            break;
        }
    }
    std::map<std::string, double> values;
    for (const auto& [name, value] : setup.metrics.read("train").values) {
        metrics[name] = std::isfinite(value) ? Json(value) : Json();
        values[name] = value;
    }
    const std::string allRight = metricThatTellsAllRight(request.project.training, values);
    const bool isDown = loss.isTold() && loss.isDown(kLearnt);
    const bool passed = std::isfinite(last) && (isDown || !allRight.empty());
    const std::string steps = counted(static_cast<std::int64_t>(losses.size()), "step");
    std::string explanation;
    if (passed && isDown && loss.lowest && *loss.lowest > kRounding) {
        explanation = fmt::format(
            "The first batch of {} was learnt: the loss went from {} to {} in {}, and lower than {} it cannot be with "
            "these targets.",
            counted(setup.batch.samples, "sample"), numberText(first, 4), numberText(last, 4), steps,
            numberText(*loss.lowest, 4));
    } else if (passed && !isDown) {
        explanation = fmt::format("The first batch of {} was learnt, as {} tells: the loss went from {} to {} in {}.",
                                  counted(setup.batch.samples, "sample"), allRight, numberText(first, 4),
                                  numberText(last, 4), steps);
    } else if (passed) {
        explanation =
            fmt::format("The first batch of {} was learnt: the loss went from {} to {} in {}.",
                        counted(setup.batch.samples, "sample"), numberText(first, 4), numberText(last, 4), steps);
    } else if (!std::isfinite(last)) {
        explanation = fmt::format("The loss became {} after {}: lower the learning rate, and look at the findings.",
                                  numberText(last), steps);
    } else if (!loss.isTold()) {
        explanation = fmt::format(
            "Whether the first batch of {} was learnt cannot be told: the loss went from {} to {} in {}, and how low "
            "it can get is not known. Look at its curve, or add a "
            "metric such as accuracy or r2.",
            counted(setup.batch.samples, "sample"), numberText(first, 4), numberText(last, 4), steps);
    } else {
        explanation = fmt::format(
            "The first batch of {} was not learnt: the loss went from {} to {} in {}. Dropout, a rate that is too low, "
            "too small a model or targets that do not "
            "follow from the inputs keep a model from it.",
            counted(setup.batch.samples, "sample"), numberText(first, 4), numberText(last, 4), steps);
    }
    return Json{{"losses", losses},
                {"steps", losses.size()},
                {"first_loss", first},
                {"last_loss", std::isfinite(last) ? Json(last) : Json()},
                {"lowest_loss", loss.lowest ? Json(*loss.lowest) : Json()},
                {"metrics", metrics},
                {"passed", passed},
                {"explanation", explanation}};
}

}  // namespace plumbline::train
