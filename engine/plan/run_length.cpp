#include "plan/run_length.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/text.h"

namespace plumbline::plan {

RunLength runLength(const TrainingPlan& plan, std::int64_t stepsPerEpoch) {
    if (stepsPerEpoch <= 0) {
        return {plan.maxSteps, plan.epochs};
    }
    const std::int64_t all = epochsToRun(plan, stepsPerEpoch) * stepsPerEpoch;
    const std::int64_t steps = plan.maxSteps > 0 ? std::min(plan.maxSteps, all) : all;
    return {steps, (steps + stepsPerEpoch - 1) / stepsPerEpoch};
}

std::vector<PlanProblem> checkRunLength(const TrainingPlan& plan, std::int64_t stepsPerEpoch) {
    std::vector<PlanProblem> problems;
    const RunLength run = runLength(plan, stepsPerEpoch);
    const AveragingSpec& averaging = plan.averaging;
    const char* const unit = averaging.unit == Unit::kEpoch ? "epoch" : "step";
    if (const std::int64_t until = run.in(averaging.unit);
        averaging.type != "none" && until > 0 && averaging.start > until - averaging.every) {
        problems.push_back(
            {false, "averaging-never-begins", "/training/averaging/start",
             fmt::format(
                 "The weights are averaged for the first time after {}, and the run ends after {}.",
                 counted(averaging.start > INT64_MAX - averaging.every ? INT64_MAX : averaging.start + averaging.every,
                         unit),
                 until),
             "Lower averaging.start or averaging.every."});
    }
    for (std::size_t i = 0; i < plan.freeze.size() && run.epochs > 0; ++i) {
        const FreezeSpec& freeze = plan.freeze[i];
        if (freeze.epochs > 0 && freeze.epochs >= run.epochs) {
            problems.push_back({false, "freeze-outlasts-run", fmt::format("/training/freeze/{}/epochs", i),
                                fmt::format("\"{}\" is frozen for {} and the run has {}, so it never trains.",
                                            freeze.match, counted(freeze.epochs, "epoch"), run.epochs),
                                "Lower epochs, or set it to 0, which says the same."});
        }
    }
    if (plan.stochasticDepthEpochs > run.epochs && run.epochs > 0) {
        problems.push_back(
            {false, "stochastic-depth-outlasts-run", "/training/stochastic_depth/epochs",
             fmt::format("The p of DropPath blocks rises over {} and the run has {}, so it never gets to its value.",
                         counted(plan.stochasticDepthEpochs, "epoch"), run.epochs),
             "Lower stochastic_depth.epochs."});
    }
    return problems;
}

}  // namespace plumbline::plan
