// SPDX-License-Identifier: GPL-3.0-or-later
// The trials of a sweep as parallel coordinates.
#pragma once

#include "gui/sweeps/sweep_list.h"
#include "widgets/parallel_plot.h"

namespace plumbline::gui {

/// An axis for each parameter and one for the objective, a line for each trial in the order of the sweep's. A trial
/// that failed or has not ended has no place on the last axis.
widgets::ParallelContent linesOf(const SweepEntry& sweep);

}  // namespace plumbline::gui
