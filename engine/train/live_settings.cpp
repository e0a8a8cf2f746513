#include "train/live_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumbline::train {

namespace {

/// Groups without a value of their own follow the optimizer's.
bool follows(const plan::OptimizerSpec& spec, const std::string& group, std::optional<double> plan::OptimizerGroup::*value) {
    const auto found = std::find_if(spec.groups.begin(), spec.groups.end(), [&](const plan::OptimizerGroup& one) { return one.match == group; });
    return found == spec.groups.end() || !((*found).*value);
}

}  // namespace

Status applyLiveSetting(const session::LiveCommand& command, const plan::TrainingPlan& plan, Optimizer& optimizer, TrainStep& step) {
    const double value = command.value.is_number() ? command.value.get<double>() : std::nan("");
    const bool isClip = command.path == "training.clip.max_norm";
    const bool isRate = command.path == "training.optimizer.lr";
    if (!isClip && !isRate && command.path != "training.optimizer.weight_decay") {
        return fail(ErrorKind::kUsage, "not-live", fmt::format("{} cannot change while the run goes on.", command.path), pointerOfDottedPath(command.path),
                    "Change it in the project: the next run takes it.");
    }
    if (!std::isfinite(value) || value < 0 || (isClip && value == 0)) {
        return fail(ErrorKind::kUsage, "out-of-range", fmt::format("{} cannot be {}.", command.path, command.value.dump()), pointerOfDottedPath(command.path),
                    "Give a number that is not negative.");
    }
    const auto follow = isRate ? &plan::OptimizerGroup::lr : &plan::OptimizerGroup::weightDecay;
    const std::size_t groups = optimizer.groupCount();
    bool hasEffect = isClip && plan.clip.enabled;
    for (std::size_t group = 0; group < groups && !isClip; ++group) {
        hasEffect = hasEffect || follows(plan.optimizer, optimizer.groupName(group), follow);
    }
    if (!hasEffect) {
        return fail(ErrorKind::kUsage, "no-effect",
                    isClip ? "training.clip.max_norm has no effect in this run: it clips no gradient."
                           : fmt::format("{} has no effect in this run: every group of parameters has a value of its own.", command.path),
                    pointerOfDottedPath(command.path), isClip ? "Set training.clip.type to norm for the next run." : "Change the groups' values: the next run takes them.");
    }
    if (isClip) {
        step.setMaxNorm(value);
    }
    for (std::size_t group = 0; group < groups && !isClip; ++group) {
        if (follows(plan.optimizer, optimizer.groupName(group), follow)) {
            isRate ? optimizer.setBaseLearningRate(group, value) : optimizer.setWeightDecay(group, value);
        }
    }
    return {};
}

}  // namespace plumbline::train
