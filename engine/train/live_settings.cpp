#include "train/live_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "plan/schedule.h"
#include "plan/setting_reader.h"

namespace plumbline::train {

namespace {

/// Groups without a value of their own follow the optimizer's.
bool follows(const OptimizerSet& optimizer, std::size_t group, std::optional<double> plan::OptimizerGroup::*value) {
    return !(value == &plan::OptimizerGroup::lr ? optimizer.hasOwnLearningRate(group) : optimizer.hasOwnWeightDecay(group));
}

/// The member of the clipping that a setting names, and the type of clipping that has it.
struct ClipMember {
    const char* path;
    const char* type;
    double plan::ClipSpec::*value;
};
constexpr ClipMember kClipMembers[] = {{"training.clip.max_norm", "norm", &plan::ClipSpec::maxNorm},
                                       {"training.clip.clip_value", "value", &plan::ClipSpec::clipValue},
                                       {"training.clip.factor", "adaptive", &plan::ClipSpec::factor}};

const ClipMember* clipMember(const std::string& path) {
    const auto* found = std::find_if(std::begin(kClipMembers), std::end(kClipMembers), [&](const ClipMember& member) { return member.path == path; });
    return found == std::end(kClipMembers) ? nullptr : found;
}

}  // namespace

bool followsBase(const plan::SchedulerSpec& scheduler) {
    constexpr std::int64_t kLength = 1000;
    const plan::Schedule schedule(scheduler, kLength);
    for (std::int64_t position = 0; position < kLength; ++position) {
        if (schedule.rate(1.0, position) != schedule.rate(2.0, position)) {
            return true;
        }
    }
    return false;
}

Status applyLiveSetting(const session::LiveCommand& command, const plan::TrainingPlan& plan, OptimizerSet& optimizer, TrainStep& step) {
    const double value = command.value.is_number() ? command.value.get<double>() : std::nan("");
    const ClipMember* const clip = clipMember(command.path);
    const bool isClip = clip != nullptr;
    const bool isRate = command.path == "training.optimizer.lr";
    if (!isClip && !isRate && command.path != "training.optimizer.weight_decay") {
        return fail(ErrorKind::kUsage, "not-live", fmt::format("{} cannot change while the run goes on.", command.path), pointerOfDottedPath(command.path),
                    "Change it in the project: the next run takes it.");
    }
    if (!std::isfinite(value) || value < 0 || (isClip && value == 0)) {
        return fail(ErrorKind::kUsage, "out-of-range", fmt::format("{} cannot be {}.", command.path, command.value.dump()), pointerOfDottedPath(command.path),
                    "Give a number that is not negative.");
    }
    if (const plan::TypeSpec* kind = plan.optimizer.kind(); plan.phases.empty() && !isClip && !isRate && kind != nullptr && !kind->has("weight_decay")) {
        return fail(ErrorKind::kUsage, "no-effect", fmt::format("{} has no effect in this run: {} has no weight decay.", command.path, plan.optimizer.type),
                    pointerOfDottedPath(command.path), "Choose another optimizer for the next run.");
    }
    if (isRate && !followsBase(plan.scheduler)) {
        return fail(ErrorKind::kUsage, "no-effect", fmt::format("{} has no effect in this run: its schedule sets the rate by itself.", command.path), pointerOfDottedPath(command.path),
                    "Leave max_lr out for the next run, or choose another schedule.");
    }
    const auto follow = isRate ? &plan::OptimizerGroup::lr : &plan::OptimizerGroup::weightDecay;
    const std::size_t groups = optimizer.groupCount();
    bool hasEffect = isClip && plan.clip.type == clip->type;
    for (std::size_t group = 0; group < groups && !isClip; ++group) {
        hasEffect = hasEffect || follows(optimizer, group, follow);
    }
    if (!hasEffect) {
        return fail(ErrorKind::kUsage, "no-effect",
                    isClip ? fmt::format("{} has no effect in this run: its clipping is {}.", command.path, plan.clip.type)
                           : fmt::format("{} has no effect in this run: every group of parameters has a value of its own.", command.path),
                    pointerOfDottedPath(command.path), isClip ? fmt::format("Set training.clip.type to {} for the next run.", clip->type) : "Change the groups' values: the next run takes them.");
    }
    if (isClip) {
        plan::ClipSpec changed = step.clipping();
        changed.*clip->value = value;
        step.setClipping(changed);
    }
    for (std::size_t group = 0; group < groups && !isClip; ++group) {
        if (follows(optimizer, group, follow)) {
            isRate ? optimizer.setBaseLearningRate(group, value * optimizer.learningRateScale(group)) : optimizer.setWeightDecay(group, value);
        }
    }
    return {};
}

bool isCadence(const std::string& path) {
    return path == "training.validation.every" || path == "training.checkpoints.every" || path == "training.early_stopping.patience";
}

Status applyCadence(const session::LiveCommand& command, const plan::TrainingPlan& plan, bool hasValidation, Cadence& cadence) {
    const std::string pointer = pointerOfDottedPath(command.path);
    const bool isPatience = command.path == "training.early_stopping.patience";
    const bool isValidation = command.path == "training.validation.every";
    const plan::SettingSpec* spec = plan::findSetting(command.path);
    const bool inRange = command.value.is_number_integer() && spec != nullptr && plan::checkSetting(*spec, command.value, pointer);
    if (!inRange || (isPatience && command.value == 0)) {
        return fail(ErrorKind::kUsage, "out-of-range", fmt::format("{} cannot be {}.", command.path, command.value.dump()), pointer,
                    isPatience ? "Give a whole number from 1." : "Give a whole number from 0.");
    }
    const auto value = command.value.get<std::int64_t>();
    if (isPatience && plan.earlyStopping.patience == 0) {
        return fail(ErrorKind::kUsage, "no-effect", "training.early_stopping.patience has no effect in this run: it does not stop early.", pointer,
                    "Change it in the project: the next run takes it.");
    }
    if (isValidation && !hasValidation) {
        return fail(ErrorKind::kUsage, "no-effect", "training.validation.every has no effect in this run: it has no validation split.", pointer,
                    "Give data.splits.validation a share for the next run.");
    }
    const bool needsValidation = plan.earlyStopping.patience > 0 || !plan.target.series.empty() || plan.checkpoints.bestSeries.starts_with("val.") ||
                                 plan.scheduler.type == "reduce_on_plateau";
    if (isValidation && value == 0 && needsValidation) {
        return fail(ErrorKind::kUsage, "out-of-range", "training.validation.every cannot be 0 in this run: its validations decide when it ends, which checkpoint is the best, or what the learning rate is.",
                    pointer, "Give a whole number from 1.");
    }
    (isPatience ? cadence.patience : isValidation ? cadence.validationEvery : cadence.checkpointsEvery) = value;
    return {};
}

}  // namespace plumbline::train
