#include <fmt/format.h>
#include <algorithm>
#include <iterator>

#include "core/text.h"
#include "plan/condition.h"
#include "plan/plan.h"
#include "plan/run_length.h"
#include "plan/schedule.h"

namespace plumbline::plan {

std::int64_t epochsToRun(const TrainingPlan& plan, std::int64_t stepsPerEpoch) {
    const std::int64_t steps = std::max<std::int64_t>(1, stepsPerEpoch);
    return plan.epochs > 0 ? plan.epochs : (plan.maxSteps + steps - 1) / steps;
}

std::int64_t scheduleLength(const TrainingPlan& plan, std::int64_t stepsPerEpoch) {
    const std::int64_t steps = std::max<std::int64_t>(1, stepsPerEpoch);
    const std::int64_t all = epochsToRun(plan, steps) * steps;
    const std::int64_t last = plan.maxSteps > 0 ? std::min(plan.maxSteps, all) : all;
    return plan.scheduler.unit == Unit::kStep ? last : (last + steps - 1) / steps;
}

std::int64_t stepsPerEpoch(const TrainingPlan& plan, std::int64_t trainSamples, std::int64_t batchSize, bool dropLast) {
    const std::int64_t batches = trainSamples < 0 || batchSize < 1 ? 0
                                 : dropLast                        ? trainSamples / batchSize
                                                                   : (trainSamples + batchSize - 1) / batchSize;
    return (batches + plan.accumulation - 1) / std::max<std::int64_t>(1, plan.accumulation);
}

std::vector<PlanProblem> checkPlan(const TrainingPlan& plan, std::int64_t trainSamples, std::int64_t batchSize,
                                   bool dropLast, bool hasValidation) {
    std::vector<PlanProblem> problems;
    const auto critical = [&](std::string code, std::string pointer, std::string message, std::string hint) {
        problems.push_back({true, std::move(code), std::move(pointer), std::move(message), std::move(hint)});
    };
    const auto warning = [&](std::string code, std::string pointer, std::string message, std::string hint) {
        problems.push_back({false, std::move(code), std::move(pointer), std::move(message), std::move(hint)});
    };

    if (plan.losses.empty()) {
        critical("no-loss", "/training/losses", "The plan names no loss, so there is nothing to train towards.",
                 "Add one, as {\"type\": \"CrossEntropyLoss\", \"output\": …, \"target\": …}.");
    }
    if (plan.epochs == 0 && plan.maxSteps == 0) {
        // With a time the run would end; what its schedule and its progress count by is missing all the same.
        critical("no-end", "/training/stop",
                 plan.maxSeconds > 0 ? "stop.epochs and stop.steps are 0, and a time alone gives a run no length."
                                     : "Both stop.epochs and stop.steps are 0, so the run would never end.",
                 plan.maxSeconds > 0 ? "Set stop.epochs; whichever comes first ends the run." : "Set stop.epochs.");
    }
    if (const Status status = checkOptimizer(plan.optimizer); !status) {
        critical(status.error().code, status.error().where, status.error().message, status.error().hint);
    }
    for (PlanProblem& problem : checkOptimizerInPlan(plan)) {
        problems.push_back(std::move(problem));
    }
    checkPhases(plan, problems);
    for (const std::string& pointer : plan.withoutEffect) {
        if (std::none_of(problems.begin(), problems.end(),
                         [&](const PlanProblem& problem) { return problem.pointer == pointer; })) {
            problems.push_back(withoutEffectProblem(plan, pointer));
        }
    }
    if (plan.optimizer.lr == 0 && plan.phases.empty()) {
        warning("zero-learning-rate", "/training/optimizer/lr", "The learning rate is 0, so nothing will change.",
                "Set training.optimizer.lr above 0.");
    }
    if (!plan.losses.empty() && plan.phases.empty() &&
        std::all_of(plan.losses.begin(), plan.losses.end(), [](const LossSpec& loss) { return loss.weight == 0; })) {
        warning("zero-loss-weight", "/training/losses/0/weight", "Every loss has the weight 0, so nothing is learnt.",
                "Give one a weight above 0.");
    }
    if (plan.precision == Precision::kFp16 && plan.gradScaler.minScale > plan.gradScaler.initScale) {
        critical("min-scale-above-init", "/training/grad_scaler/min_scale",
                 fmt::format("min_scale {} is above init_scale {}, where the scale begins.", plan.gradScaler.minScale,
                             plan.gradScaler.initScale),
                 "Lower min_scale.");
    }
    if (plan.averaging.type == "ema" && plan.averaging.decay == 1) {
        critical("averaging-never-moves", "/training/averaging/decay",
                 "A decay of 1 keeps the average at the weights that it began with.",
                 "Set averaging.decay below 1; usual is 0.999.");
    }
    // Steps an epoch are known only once the data are.
    const std::int64_t epochSteps = stepsPerEpoch(plan, trainSamples, batchSize, dropLast);
    for (std::vector<PlanProblem> part :
         {checkRunLength(plan, epochSteps, hasValidation), checkSchedule(plan, epochSteps, hasValidation)}) {
        std::move(part.begin(), part.end(), std::back_inserter(problems));
    }
    if (plan.checkpoints.bestSeries.starts_with("val.") && (!hasValidation || plan.validationEvery == 0)) {
        critical(
            "best-without-validation", "/training/checkpoints/best",
            fmt::format("The best checkpoint is chosen by {}, but nothing is validated.", plan.checkpoints.bestSeries),
            "Give data.splits.validation a share and set validation.every to 1, or choose a train series.");
    }
    if (plan.checkpoints.bestSeries.starts_with("val.") || plan.checkpoints.bestSeries.starts_with("train.")) {
        const std::string name = plan.checkpoints.bestSeries.substr(plan.checkpoints.bestSeries.find('.') + 1);
        const std::optional<bool> larger = largerIsBetter(plan, plan.checkpoints.bestSeries);
        const bool isTable = std::any_of(plan.metrics.begin(), plan.metrics.end(),
                                         [&](const MetricSpec& metric) { return metric.name() == name; });
        if (larger && *larger != plan.checkpoints.bestIsMax) {
            warning("best-mode", "/training/checkpoints/best/mode",
                    fmt::format("The best checkpoint is the one with the {} {}, of which {} values are better.",
                                plan.checkpoints.bestIsMax ? "largest" : "smallest", plan.checkpoints.bestSeries,
                                *larger ? "larger" : "smaller"),
                    fmt::format("Set checkpoints.best.mode to \"{}\".", *larger ? "max" : "min"));
        }
        if (!larger && isTable) {
            critical("best-series-unknown", "/training/checkpoints/best/series",
                     fmt::format("The best checkpoint is chosen by {}, which is a table and no number.",
                                 plan.checkpoints.bestSeries),
                     "Choose by val.loss, or by a metric such as val.accuracy.");
        } else if (!larger) {
            critical("best-series-unknown", "/training/checkpoints/best/series",
                     fmt::format("The best checkpoint is chosen by {}, which the plan does not measure.",
                                 plan.checkpoints.bestSeries),
                     "Add the metric to training.metrics, or choose by val.loss.");
        }
    } else if (!plan.checkpoints.bestSeries.empty()) {
        critical("best-series-unknown", "/training/checkpoints/best/series",
                 fmt::format("The best checkpoint is chosen by {}, which is no val. or train. series.",
                             plan.checkpoints.bestSeries),
                 "Choose by val.loss, or by a metric such as val.accuracy.");
    }
    checkStops(plan, hasValidation, problems);
    if (trainSamples >= 0) {
        if (trainSamples == 0) {
            critical("empty-training-split", "/data/splits/train", "The training split holds no sample.",
                     "Give data.splits.train a larger share.");
            return problems;
        }
        const std::int64_t batches = dropLast ? trainSamples / batchSize : (trainSamples + batchSize - 1) / batchSize;
        if (batches == 0) {
            critical(
                "no-full-batch", "/data/loader/batch_size",
                fmt::format(
                    "The training split has {} samples, fewer than one batch of {}, and drop_last leaves that out.",
                    trainSamples, batchSize),
                "Lower batch_size or switch drop_last off.");
        } else if (plan.accumulation > batches) {
            critical("accumulation-too-long", "/training/accumulation",
                     fmt::format("Gradients are to be accumulated over {} batches, but an epoch has {}.",
                                 plan.accumulation, batches),
                     fmt::format("Set accumulation to {} or less.", batches));
        }
    }
    return problems;
}

}  // namespace plumbline::plan
