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
    return !(value == &plan::OptimizerGroup::lr ? optimizer.hasOwnLearningRate(group)
                                                : optimizer.hasOwnWeightDecay(group));
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
    const auto* found = std::find_if(std::begin(kClipMembers), std::end(kClipMembers),
                                     [&](const ClipMember& member) { return member.path == path; });
    return found == std::end(kClipMembers) ? nullptr : found;
}

/// What `check` says against a rate, and does not say against the one that is planned: one below the lowest of its
/// schedule.
Status checkAgainstSchedule(const plan::TrainingPlan& plan, double rate) {
    const auto criticalWith = [&plan](std::optional<double> told) {
        plan::TrainingPlan changed = plan;
        changed.optimizer.lr = told.value_or(plan.optimizer.lr);
        for (plan::PhaseSpec& phase : changed.phases) {
            phase.optimizer.lr = told && !phase.ownLr ? *told : phase.optimizer.lr;
        }
        std::vector<plan::PlanProblem> problems = plan::checkSchedule(changed, 0, true);
        std::erase_if(problems, [](const plan::PlanProblem& problem) { return !problem.critical; });
        return problems;
    };
    const std::vector<plan::PlanProblem> planned = criticalWith(std::nullopt);
    for (const plan::PlanProblem& problem : criticalWith(rate)) {
        const auto isSame = [&](const plan::PlanProblem& other) {
            return other.code == problem.code && other.pointer == problem.pointer;
        };
        if (std::none_of(planned.begin(), planned.end(), isSame)) {
            return fail(
                ErrorKind::kUsage, problem.code,
                fmt::format("training.optimizer.lr cannot be {} in this run: {}", rate, problem.message),
                "/training/optimizer/lr",
                "Give a rate that its schedule takes, or change the schedule in the project: the next run takes it.");
        }
    }
    return {};
}

}  // namespace

Json followingRates(const OptimizerSet& optimizer) {
    Json rates = Json::array();
    for (std::size_t group = 0; group < optimizer.groupCount(); ++group) {
        if (follows(optimizer, group, &plan::OptimizerGroup::lr)) {
            rates.push_back({{"group", optimizer.groupName(group)},
                             {"base", numberToJson(optimizer.baseLearningRate(group))},
                             {"lr", numberToJson(optimizer.learningRate(group))}});
        }
    }
    return rates;
}

Status checkLiveSetting(const session::LiveCommand& command, const plan::TrainingPlan& plan,
                        const OptimizerSet& optimizer, bool isNew) {
    const double value = command.value.is_number() ? command.value.get<double>() : std::nan("");
    const ClipMember* const clip = clipMember(command.path);
    const bool isClip = clip != nullptr;
    const bool isRate = command.path == "training.optimizer.lr";
    if (!isClip && !isRate && command.path != "training.optimizer.weight_decay") {
        return fail(ErrorKind::kUsage, "not-live", fmt::format("{} cannot change while the run goes on.", command.path),
                    pointerOfDottedPath(command.path), "Change it in the project: the next run takes it.");
    }
    if (!std::isfinite(value) || value < 0 || (isNew && isClip && value == 0)) {
        return fail(ErrorKind::kUsage, "out-of-range",
                    fmt::format("{} cannot be {}.", command.path, command.value.dump()),
                    pointerOfDottedPath(command.path), "Give a number that is not negative.");
    }
    if (!isNew) {
        return {};
    }
    if (const plan::TypeSpec* kind = plan.optimizer.kind();
        plan.phases.empty() && !isClip && !isRate && kind != nullptr && !kind->has("weight_decay")) {
        return fail(
            ErrorKind::kUsage, "no-effect",
            fmt::format("{} has no effect in this run: {} has no weight decay.", command.path, plan.optimizer.type),
            pointerOfDottedPath(command.path), "Choose another optimizer for the next run.");
    }
    if (isRate && !plan::followsBase(plan.scheduler)) {
        return fail(ErrorKind::kUsage, "no-effect",
                    fmt::format("{} has no effect in this run: its schedule sets the rate by itself.", command.path),
                    pointerOfDottedPath(command.path),
                    "Leave max_lr out for the next run, or choose another schedule.");
    }
    const auto follow = isRate ? &plan::OptimizerGroup::lr : &plan::OptimizerGroup::weightDecay;
    bool hasEffect = isClip && plan.clip.type == clip->type;
    for (std::size_t group = 0; group < optimizer.groupCount() && !isClip; ++group) {
        hasEffect = hasEffect || follows(optimizer, group, follow);
    }
    if (!hasEffect) {
        return fail(ErrorKind::kUsage, "no-effect",
                    isClip
                        ? fmt::format("{} has no effect in this run: its clipping is {}.", command.path, plan.clip.type)
                        : fmt::format("{} has no effect in this run: every group of parameters has a value of its own.",
                                      command.path),
                    pointerOfDottedPath(command.path),
                    isClip ? fmt::format("Set training.clip.type to {} for the next run.", clip->type)
                           : "Change the groups' values: the next run takes them.");
    }
    const auto readsOn = [&] {
        for (std::size_t group = 0; group < optimizer.groupCount(); ++group) {
            if (follows(optimizer, group, follow) && optimizer.readsLearningRate(group)) {
                return true;
            }
        }
        return false;
    };
    if (isRate && !readsOn()) {
        return fail(
            ErrorKind::kUsage, "no-effect",
            fmt::format(
                "{} has no effect any more: {} takes it as the size of a parameter's first step, which has been done.",
                command.path, plan.optimizer.type),
            pointerOfDottedPath(command.path), "Change it in the project: the next run takes it.");
    }
    return isRate ? checkAgainstSchedule(plan, value) : Status{};
}

Status applyLiveSetting(const session::LiveCommand& command, const plan::TrainingPlan& plan, OptimizerSet& optimizer,
                        TrainStep& step, bool isNew) {
    PLUMBLINE_TRY(checkLiveSetting(command, plan, optimizer, isNew));
    const auto value = command.value.get<double>();
    if (const ClipMember* const clip = clipMember(command.path); clip != nullptr) {
        plan::ClipSpec changed = step.clipping();
        changed.*clip->value = value;
        step.setClipping(changed);
        return {};
    }
    const bool isRate = command.path == "training.optimizer.lr";
    const auto follow = isRate ? &plan::OptimizerGroup::lr : &plan::OptimizerGroup::weightDecay;
    for (std::size_t group = 0; group < optimizer.groupCount(); ++group) {
        if (follows(optimizer, group, follow)) {
            isRate ? optimizer.setBaseLearningRate(group, value * optimizer.learningRateScale(group))
                   : optimizer.setWeightDecay(group, value);
        }
    }
    return {};
}

double liveLearningRate(const OptimizerSet& optimizer) {
    for (std::size_t group = 0; group < optimizer.groupCount(); ++group) {
        if (const double scale = optimizer.learningRateScale(group);
            scale > 0 && follows(optimizer, group, &plan::OptimizerGroup::lr)) {
            return optimizer.baseLearningRate(group) / scale;
        }
    }
    return 0;
}

bool isCadence(const std::string& path) {
    return path == "training.validation.every" || path == "training.checkpoints.every" ||
           path == "training.early_stopping.patience";
}

Status applyCadence(const session::LiveCommand& command, const plan::TrainingPlan& plan, bool hasValidation,
                    Cadence& cadence, bool isNew) {
    const std::string pointer = pointerOfDottedPath(command.path);
    const bool isPatience = command.path == "training.early_stopping.patience";
    const bool isValidation = command.path == "training.validation.every";
    const plan::SettingSpec* spec = plan::findSetting(command.path);
    const bool inRange =
        command.value.is_number_integer() && spec != nullptr && plan::checkSetting(*spec, command.value, pointer);
    if (!inRange || (isNew && isPatience && command.value == 0)) {
        return fail(ErrorKind::kUsage, "out-of-range",
                    fmt::format("{} cannot be {}.", command.path, command.value.dump()), pointer,
                    isPatience ? "Give a whole number from 1." : "Give a whole number from 0.");
    }
    const auto value = command.value.get<std::int64_t>();
    if (isNew && isPatience && plan.earlyStopping.patience == 0) {
        return fail(ErrorKind::kUsage, "no-effect",
                    "training.early_stopping.patience has no effect in this run: it does not stop early.", pointer,
                    "Change it in the project: the next run takes it.");
    }
    if (isNew && isValidation && !hasValidation) {
        return fail(ErrorKind::kUsage, "no-effect",
                    "training.validation.every has no effect in this run: it has no validation split.", pointer,
                    "Give data.splits.validation a share for the next run.");
    }
    const bool needsValidation = plan.earlyStopping.patience > 0 || !plan.target.series.empty() ||
                                 plan.checkpoints.bestSeries.starts_with("val.") ||
                                 plan.scheduler.type == "reduce_on_plateau";
    if (isNew && isValidation && value == 0 && needsValidation) {
        return fail(ErrorKind::kUsage, "out-of-range",
                    "training.validation.every cannot be 0 in this run: its validations decide when it ends, which "
                    "checkpoint is the best, or what the learning rate is.",
                    pointer, "Give a whole number from 1.");
    }
    (isPatience ? cadence.patience : isValidation ? cadence.validationEvery : cadence.checkpointsEvery) = value;
    return {};
}

}  // namespace plumbline::train
