#pragma once
// What would fail in the first validation fails before the first step.

#include <functional>

#include "core/error.h"
#include "core/run_control.h"
#include "project/project.h"
#include "train/training_setup.h"

namespace plumbline::train {

/// Evaluates the first training.validation.sanity_batches batches of the validation split, losses and metrics, and
/// throws the numbers away; the monitor hears nothing of it. Generators, buffers and modes are afterwards as before,
/// and the run's own evaluator is not touched. `look` is called once a batch (passOrStop). `stalls` (told while it
/// waits for the loader) may be nullptr. The error is the one that the validation would give; a stop is the error
/// "stopped". Does nothing where nothing is validated.
Status passSanity(TrainingSetup& setup, const project::Project& project, RunControl& control,
                  const std::function<void()>& look, StallWatch* stalls);

}  // namespace plumbline::train
