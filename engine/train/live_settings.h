#pragma once
// Settings that may change between two steps of a run.

#include "core/error.h"
#include "plan/plan.h"
#include "session/live_commands.h"
#include "train/optimizer.h"
#include "train/step.h"

namespace plumbline::train {

/// training.optimizer.lr, training.optimizer.weight_decay (of the groups that have no value of their own) and
/// training.clip.max_norm. Any other path and any value out of its range is an error and changes nothing.
Status applyLiveSetting(const session::LiveCommand& command, const plan::TrainingPlan& plan, Optimizer& optimizer, TrainStep& step);

}  // namespace plumbline::train
