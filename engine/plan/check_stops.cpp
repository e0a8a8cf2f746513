// What ends a run, and which of its checkpoints stay: settings that contradict each other.

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "plan/plan.h"
#include "plan/series.h"

namespace plumbline::plan {
namespace {

/// What is wrong with a series that a validation is to give, if anything.
void checkValidationSeries(const TrainingPlan& plan, bool hasValidation, const std::string& series,
                           const std::string& setting, const std::string& pointer, std::vector<PlanProblem>& problems) {
    if (!isValidationSeries(plan, series)) {
        problems.push_back({true, "stop-series-unknown", pointer,
                            isValidationTable(plan, series)
                                ? fmt::format("{} is {}, which is a table and no number.", setting, series)
                            : series.starts_with("val.")
                                ? fmt::format("{} is {}, which the plan does not measure.", setting, series)
                                : fmt::format("{} is \"{}\", which is no series of a validation.", setting, series),
                            "Take val.loss, or a metric such as val.accuracy."});
    } else if (!hasValidation || plan.validationEvery == 0) {
        problems.push_back({true, "stop-without-validation", pointer,
                            fmt::format("{} is {}, but nothing is validated.", setting, series),
                            "Give data.splits.validation a share and set validation.every to 1."});
    }
}

/// A series of which other values are better than those that are waited for.
void checkMode(const TrainingPlan& plan, const std::string& series, bool isMax, const std::string& setting,
               std::vector<PlanProblem>& problems) {
    const std::optional<bool> larger = largerIsBetter(plan, series);
    if (larger && *larger != isMax) {
        problems.push_back({false, "mode-against-series", "/training/" + setting,
                            fmt::format("{} is {} and goes by {}, of which {} values are better.", setting,
                                        isMax ? "max" : "min", series, *larger ? "larger" : "smaller"),
                            fmt::format("Set it to \"{}\".", *larger ? "max" : "min")});
    }
}

/// A target that no model can reach, or that every model has reached.
void checkTargetValue(const TrainingPlan& plan, std::vector<PlanProblem>& problems) {
    const StopTargetSpec& target = plan.target;
    const std::optional<MetricTraits> traits = traitsOfSeries(plan, target.series);
    if (!traits || std::isnan(target.value)) {
        return;
    }
    const std::string value = numberText(target.value);
    if (target.isMax ? target.value > traits->most : target.value < traits->least) {
        problems.push_back({true, "target-out-of-reach", "/training/stop/target/value",
                            target.isMax
                                ? fmt::format("The run is to end once {} is {} or more, and it is {} at most.",
                                              target.series, value, numberText(traits->most))
                                : fmt::format("The run is to end once {} is {} or less, and it is {} at least.",
                                              target.series, value, numberText(traits->least)),
                            "Set training.stop.target.value to what can be reached; an accuracy of 95 % is 0.95."});
    } else if (target.isMax ? target.value <= traits->least : target.value >= traits->most) {
        problems.push_back(
            {false, "target-always-reached", "/training/stop/target/value",
             target.isMax
                 ? fmt::format("{} is never below {}, so the run ends with its first validation.", target.series, value)
                 : fmt::format("{} is never above {}, so the run ends with its first validation.", target.series,
                               value),
             "Set training.stop.target.value to what is to be reached."});
    }
}

/// An improvement that is larger than everything between the worst value and the best.
void checkMinDelta(const TrainingPlan& plan, std::vector<PlanProblem>& problems) {
    const EarlyStoppingSpec& early = plan.earlyStopping;
    const std::optional<MetricTraits> traits = traitsOfSeries(plan, early.series);
    if (traits && early.minDelta >= traits->most - traits->least) {
        problems.push_back(
            {true, "min-delta-out-of-reach", "/training/early_stopping/min_delta",
             fmt::format("Only a change of more than {} counts as an improvement, and {} goes from {} "
                         "to {}, so none ever does.",
                         numberText(early.minDelta), early.series, numberText(traits->least), numberText(traits->most)),
             "Lower early_stopping.min_delta, to 0.001 for instance."});
    }
}

}  // namespace

BestSeries bestSeriesOf(const std::string& checkpointsBest, bool checkpointsBestIsMax, const EarlyStoppingSpec& early) {
    if (checkpointsBest.empty() && early.patience > 0 && early.restoreBest) {
        return {early.series, early.isMax};
    }
    return {checkpointsBest, checkpointsBestIsMax};
}

void checkStops(const TrainingPlan& plan, bool hasValidation, std::vector<PlanProblem>& problems) {
    const EarlyStoppingSpec& early = plan.earlyStopping;
    const std::size_t before = problems.size();
    if (!plan.target.series.empty()) {
        checkValidationSeries(plan, hasValidation, plan.target.series, "training.stop.target.series",
                              "/training/stop/target/series", problems);
        checkMode(plan, plan.target.series, plan.target.isMax, "stop/target/mode", problems);
    }
    if (!plan.target.series.empty() && std::isnan(plan.target.value) && problems.size() == before) {
        problems.push_back(
            {true, "target-without-value", "/training/stop/target/value",
             fmt::format("The run is to end by {}, and nothing says at which value.", plan.target.series),
             "Set training.stop.target.value, or remove stop.target."});
    }
    checkTargetValue(plan, problems);
    if (early.patience > 0) {
        checkValidationSeries(plan, hasValidation, early.series, "training.early_stopping.series",
                              "/training/early_stopping/series", problems);
        checkMode(plan, early.series, early.isMax, "early_stopping/mode", problems);
        checkMinDelta(plan, problems);
    }
    if (early.restoreBest && early.patience == 0) {
        problems.push_back(
            {false, "restore-without-early-stopping", "/training/early_stopping/restore_best",
             "early_stopping.restore_best is on, but early stopping is off, so the run ends with its last weights.",
             "Set training.early_stopping.patience above 0."});
    }
    if (early.restoreBest && early.patience > 0 &&
        (plan.checkpoints.bestSeries != early.series || plan.checkpoints.bestIsMax != early.isMax)) {
        problems.push_back(
            {true, "restores-another-best", "/training/early_stopping/restore_best",
             fmt::format("Early stopping restores the best by {} ({}), but the best checkpoint is chosen by {} ({}).",
                         early.series, early.isMax ? "max" : "min", plan.checkpoints.bestSeries,
                         plan.checkpoints.bestIsMax ? "max" : "min"),
             "Give both the same series and mode, or leave checkpoints.best out."});
    }
    if (plan.scheduler.type == "reduce_on_plateau") {
        checkMode(plan, plan.scheduler.text("series"), plan.scheduler.text("mode") == "max", "scheduler/mode",
                  problems);
    }
    if (plan.averaging.type != "none" && plan.checkpoints.bestSeries.starts_with("train.")) {
        problems.push_back({true, "best-of-training-with-averaging", "/training/checkpoints/best/series",
                            fmt::format("The best checkpoint is chosen by {}, which is measured on the weights in "
                                        "training, and averaged weights are what is kept of it.",
                                        plan.checkpoints.bestSeries),
                            "Choose by a series of the validation, as val.loss."});
    }
    if (plan.checkpoints.keepBest > 1 && plan.checkpoints.bestSeries.empty()) {
        problems.push_back({false, "keep-best-without-series", "/training/checkpoints/keep_best",
                            "checkpoints.keep_best says how many of the best stay, but nothing says which those are.",
                            "Set training.checkpoints.best.series, as val.loss."});
    }
}

}  // namespace plumbline::plan
