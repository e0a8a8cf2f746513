#pragma once
// A run that memory ended: what held most of it, and what would need less.

#include "core/error.h"
#include "project/project.h"
#include "train/training_setup.h"

namespace plumbline::train {

/// The error of code "out-of-memory" with the three largest holders, the block that keeps most, and as its hint a
/// smaller batch, half precision and activation checkpointing, each with the peak that memory_estimate.h predicts. Any
/// other error as it is. Call right after the failure, with the batch still in `setup`.
Error explainOutOfMemory(Error error, TrainingSetup& setup, const project::Project& project);

}  // namespace plumbline::train
