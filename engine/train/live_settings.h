#pragma once
// Settings that may change between two steps of a run.

#include "core/error.h"
#include "plan/plan.h"
#include "session/live_commands.h"
#include "train/optimizer_set.h"
#include "train/step.h"

namespace plumbline::train {

/// How often a run validates and saves, and how long it waits for an improvement: as its plan says until it is changed.
struct Cadence {
    explicit Cadence(const plan::TrainingPlan& plan)
        : validationEvery(plan.validationEvery),
          checkpointsEvery(plan.checkpoints.every),
          patience(plan.earlyStopping.patience) {}
    std::int64_t validationEvery, checkpointsEvery, patience;
};

/// Whether the setting is one of a Cadence.
bool isCadence(const std::string& path);
/// training.validation.every, training.checkpoints.every, training.early_stopping.patience. A value out of its range,
/// or one that the plan gives no effect, is an error and changes nothing. `isNew`: told now; else the run has it on
/// record, and it takes it again whatever the rules have become.
Status applyCadence(const session::LiveCommand& command, const plan::TrainingPlan& plan, bool hasValidation,
                    Cadence& cadence, bool isNew = true);

/// training.optimizer.lr, training.optimizer.weight_decay (of the groups that have no value of their own) and
/// training.clip.max_norm. Any other path and any value out of its range is an error and changes nothing.
/// `isNew`: told now, so it has to suit the schedule and change a step that is to come; else the run has it on record,
/// and it takes any number that is none below 0.
Status applyLiveSetting(const session::LiveCommand& command, const plan::TrainingPlan& plan, OptimizerSet& optimizer,
                        TrainStep& step, bool isNew = true);
/// What applyLiveSetting() would refuse; changes nothing.
Status checkLiveSetting(const session::LiveCommand& command, const plan::TrainingPlan& plan,
                        const OptimizerSet& optimizer, bool isNew = true);
/// What the next step has of training.optimizer.lr: [{"group", "base", "lr"}] of each group that follows it, before and
/// after its schedule.
Json followingRates(const OptimizerSet& optimizer);

/// training.optimizer.lr as the run has it now, before its schedule: as planned, told, or halved by the scaler's reset.
/// 0: no group follows it.
double liveLearningRate(const OptimizerSet& optimizer);

}  // namespace plumbline::train
