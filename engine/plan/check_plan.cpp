#include <algorithm>
#include <fmt/format.h>

#include "core/text.h"
#include "plan/plan.h"

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

std::vector<PlanProblem> checkPlan(const TrainingPlan& plan, std::int64_t trainSamples, std::int64_t batchSize, bool dropLast,
                                   bool hasValidation) {
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
        critical("no-end", "/training/stop", "Both stop.epochs and stop.steps are 0, so the run would never end.",
                 "Set stop.epochs.");
    }
    if (plan.optimizer.nesterov && (plan.optimizer.momentum <= 0 || plan.optimizer.dampening != 0)) {
        critical("nesterov-needs-momentum", "/training/optimizer/nesterov",
                 fmt::format("Nesterov needs a momentum above 0 and no dampening; they are {} and {}.", plan.optimizer.momentum,
                             plan.optimizer.dampening),
                 "Set momentum to 0.9 and dampening to 0, or switch nesterov off.");
    }
    if (plan.optimizer.lr == 0) {
        warning("zero-learning-rate", "/training/optimizer/lr", "The learning rate is 0, so nothing will change.",
                "Set training.optimizer.lr above 0.");
    }
    if (!plan.losses.empty() && std::all_of(plan.losses.begin(), plan.losses.end(), [](const LossSpec& loss) { return loss.weight == 0; })) {
        warning("zero-loss-weight", "/training/losses/0/weight", "Every loss has the weight 0, so nothing will change.", "Give one a weight above 0.");
    }
    const char* const unit = plan.scheduler.unit == Unit::kEpoch ? "epoch" : "step";
    if (plan.scheduler.type == "cosine" && plan.scheduler.total > 0 && plan.scheduler.warmup >= plan.scheduler.total) {
        critical("warmup-too-long", "/training/scheduler/warmup",
                 fmt::format("The warm-up takes {} and the schedule is {} long, so the cosine never begins.", counted(plan.scheduler.warmup, unit),
                             counted(plan.scheduler.total, unit)),
                 "Shorten the warm-up or lengthen total.");
    }
    // Steps an epoch are known only once the data are.
    const std::int64_t batchesAnEpoch = trainSamples < 0 || batchSize < 1 ? 0 : dropLast ? trainSamples / batchSize : (trainSamples + batchSize - 1) / batchSize;
    const std::int64_t stepsAnEpoch = (batchesAnEpoch + plan.accumulation - 1) / std::max<std::int64_t>(1, plan.accumulation);
    const bool lengthKnown = stepsAnEpoch > 0 || (plan.scheduler.unit == Unit::kEpoch ? plan.epochs > 0 : plan.maxSteps > 0);
    // Without them it is at most this long.
    const std::int64_t length = stepsAnEpoch > 0                         ? scheduleLength(plan, stepsAnEpoch)
                                : plan.scheduler.unit == Unit::kEpoch ? plan.epochs
                                                                         : plan.maxSteps;
    if (lengthKnown && plan.scheduler.warmup > length) {
        warning("warmup-longer-than-run", "/training/scheduler/warmup",
                fmt::format("The warm-up takes {} and the run {}, so the learning rate never gets to {}.", counted(plan.scheduler.warmup, unit), length, plan.optimizer.lr),
                plan.scheduler.unit == Unit::kEpoch ? "Shorten the warm-up, or let scheduler.unit be \"step\" if it was meant in steps." : "Shorten the warm-up.");
    }
    if (plan.scheduler.minLr > plan.optimizer.lr) {
        critical("min-lr-above-lr", "/training/scheduler/min_lr",
                 fmt::format("min_lr {} is above the learning rate {}.", plan.scheduler.minLr, plan.optimizer.lr),
                 "Lower min_lr.");
    }
    if (plan.checkpoints.bestSeries.starts_with("val.") && (!hasValidation || plan.validationEvery == 0)) {
        critical("best-without-validation", "/training/checkpoints/best",
                 fmt::format("The best checkpoint is chosen by {}, but nothing is validated.", plan.checkpoints.bestSeries),
                 "Give data.splits.validation a share and set validation.every to 1, or choose a train series.");
    }
    if (plan.checkpoints.bestSeries.starts_with("val.") || plan.checkpoints.bestSeries.starts_with("train.")) {
        const std::string name = plan.checkpoints.bestSeries.substr(plan.checkpoints.bestSeries.find('.') + 1);
        const bool known = name == "loss" || std::any_of(plan.metrics.begin(), plan.metrics.end(),
                                                         [&](const MetricSpec& metric) { return metric.name() == name; });
        if (!known) {
            critical("best-series-unknown", "/training/checkpoints/best/series",
                     fmt::format("The best checkpoint is chosen by {}, which the plan does not measure.", plan.checkpoints.bestSeries),
                     "Add the metric to training.metrics, or choose by val.loss.");
        }
    } else if (!plan.checkpoints.bestSeries.empty()) {
        critical("best-series-unknown", "/training/checkpoints/best/series",
                 fmt::format("The best checkpoint is chosen by {}, which is no val. or train. series.", plan.checkpoints.bestSeries),
                 "Choose by val.loss, or by a metric such as val.accuracy.");
    }
    if (trainSamples >= 0) {
        if (trainSamples == 0) {
            critical("empty-training-split", "/data/splits/train", "The training split holds no sample.",
                     "Give data.splits.train a larger share.");
            return problems;
        }
        const std::int64_t batches = dropLast ? trainSamples / batchSize : (trainSamples + batchSize - 1) / batchSize;
        if (batches == 0) {
            critical("no-full-batch", "/data/loader/batch_size",
                     fmt::format("The training split has {} samples, fewer than one batch of {}, and drop_last leaves that out.",
                                 trainSamples, batchSize),
                     "Lower batch_size or switch drop_last off.");
        } else if (plan.accumulation > batches) {
            critical("accumulation-too-long", "/training/accumulation",
                     fmt::format("Gradients are to be accumulated over {} batches, but an epoch has {}.", plan.accumulation, batches),
                     fmt::format("Set accumulation to {} or less.", batches));
        }
    }
    return problems;
}

}  // namespace plumbline::plan
