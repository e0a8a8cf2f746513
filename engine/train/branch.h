#pragma once
// A new run that goes on from a checkpoint of another one, with settings of its own.

#include <string>
#include <vector>

#include "core/error.h"
#include "project/project.h"
#include "session/engine.h"
#include "train/checkpoint.h"
#include "train/run_state.h"
#include "train/training_setup.h"

namespace plumbline::train {

struct Branched {
    Position position;
    std::vector<std::string> afresh;  ///< what does not go on because of a changed setting, a sentence each
};

/// Puts the checkpoint's weights, optimizer state, scaler, position and generators into `setup`, as far as the
/// project's settings still have a place for them. Another model is refused, and so is a plan that ends before the
/// checkpoint's place. Settings that were changed while the parent ran stay in force where the project says what the
/// parent's did.
Result<Branched> branchOff(Checkpoint checkpoint, TrainingSetup& setup, const project::Project& project);

}  // namespace plumbline::train
