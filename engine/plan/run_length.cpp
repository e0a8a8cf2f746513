#include "plan/run_length.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/text.h"
#include "plan/schedule.h"

namespace plumbline::plan {

RunLength runLength(const TrainingPlan& plan, std::int64_t stepsPerEpoch) {
    if (stepsPerEpoch <= 0) {
        return {plan.maxSteps, plan.epochs};
    }
    const std::int64_t all = epochsToRun(plan, stepsPerEpoch) * stepsPerEpoch;
    const std::int64_t steps = plan.maxSteps > 0 ? std::min(plan.maxSteps, all) : all;
    return {steps, (steps + stepsPerEpoch - 1) / stepsPerEpoch};
}

std::int64_t validationsOf(const TrainingPlan& plan, const RunLength& run) {
    const std::int64_t units = run.in(plan.validationUnit), every = plan.validationEvery;
    return every > 0 ? units / every + (units % every == 0 ? 0 : 1) : 0;
}

namespace {

/// What waits for more validations than there are.
void checkPatience(const TrainingPlan& plan, const RunLength& run, std::vector<PlanProblem>& problems) {
    const std::int64_t validations = validationsOf(plan, run);
    if (validations == 0) {
        return;
    }
    // The first one is the best so far, whatever it gives.
    if (const std::int64_t patience = plan.earlyStopping.patience; patience > 0 && patience >= validations) {
        problems.push_back({false, "patience-outlasts-run", "/training/early_stopping/patience",
                            fmt::format("Early stopping waits for {} without an improvement and the run makes {}, so "
                                        "it never ends the run.",
                                        counted(patience, "validation"), validations),
                            "Lower early_stopping.patience, or let the run be longer."});
    }
    // It reduces after one more than its patience, and what it reduced has to be used.
    if (const std::int64_t patience = plan.scheduler.integer("patience");
        Plateau::isMeant(plan.scheduler) && patience >= validations - 2) {
        problems.push_back({false, "patience-outlasts-run", "/training/scheduler/patience",
                            fmt::format("reduce_on_plateau lets {} pass without an improvement before it reduces, and "
                                        "the run makes {}, so the learning rate stays as it is.",
                                        counted(patience, "validation"), validations),
                            "Lower scheduler.patience, or choose another schedule."});
    }
    if (const std::int64_t units = run.in(plan.validationUnit); plan.validationEvery > units) {
        const char* const unit = plan.validationUnit == Unit::kEpoch ? "epoch" : "step";
        problems.push_back(
            {false, "validation-outlasts-run", "/training/validation/every",
             fmt::format("The run is validated every {} and has {}, so it is validated at its end alone.",
                         counted(plan.validationEvery, unit), units),
             "Lower validation.every."});
    }
}

/// Phases that are taken once.
void checkPhaseTurns(const TrainingPlan& plan, const RunLength& run, std::vector<PlanProblem>& problems) {
    for (std::size_t i = 0; i < plan.phases.size() && run.steps > 1; ++i) {
        if (const PhaseSpec& phase = plan.phases[i]; phase.every >= run.steps) {
            problems.push_back({false, "phase-outlasts-run", fmt::format("/training/phases/{}/every", i),
                                fmt::format("The phase {} is taken every {} and the run has {}, so it is taken once.",
                                            phase.name, counted(phase.every, "step"), run.steps),
                                "Lower every."});
        }
    }
}

}  // namespace

std::vector<PlanProblem> checkRunLength(const TrainingPlan& plan, std::int64_t stepsPerEpoch, bool hasValidation) {
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
    if (hasValidation) {
        checkPatience(plan, run, problems);
    }
    checkPhaseTurns(plan, run, problems);
    return problems;
}

}  // namespace plumbline::plan
