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
    if (isClip) {
        step.setMaxNorm(value);
    }
    for (std::size_t group = 0; group < optimizer.groupCount() && !isClip; ++group) {
        const std::string& name = optimizer.groupName(group);
        if (isRate && follows(plan.optimizer, name, &plan::OptimizerGroup::lr)) {
            optimizer.setBaseLearningRate(group, value);
        } else if (!isRate && follows(plan.optimizer, name, &plan::OptimizerGroup::weightDecay)) {
            optimizer.setWeightDecay(group, value);
        }
    }
    return {};
}

}  // namespace plumbline::train
