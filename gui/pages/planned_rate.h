// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate that the settings plan, as a curve beside the one of the run.
#pragma once

#include <QString>
#include <vector>

#include "data/data_spec.h"
#include "plan/plan.h"

namespace plumbline::gui {

/// Columns of equal length, at most some 2,000 points however long the run is. Empty where the schedule is refused, or where only the
/// data tell how long it is.
struct PlannedRate {
    QString name;               ///< says so where validations decide the rest
    std::vector<double> step;   ///< counted from 1, as a run's; the epoch where countsEpochs
    std::vector<double> epoch;  ///< counted from 1
    std::vector<double> value;
    bool countsEpochs = false;  ///< how many steps an epoch has is not known
};

/// `trainSamples`: -1 where it is not known.
PlannedRate plannedRate(const plan::TrainingPlan& plan, const data::LoaderSpec& loader, std::int64_t trainSamples);

}  // namespace plumbline::gui
