#pragma once
// Whether the trials of a sweep last until there is something to judge them by.

#include "core/error.h"
#include "project/project.h"
#include "sweep/sweep_file.h"

namespace plumbline::cli {

/// Refuses a first rung (halving), or a --max-steps, that ends before the series has its first value: a validation, or
/// for a metric of the training the end of an epoch. Where the sweep goes over settings that decide about it, the ends
/// of each count. Opens the data. `project` has the settings of every trial.
Status checkTrialLength(const project::Project& project, const sweep::SweepPlan& plan);

}  // namespace plumbline::cli
