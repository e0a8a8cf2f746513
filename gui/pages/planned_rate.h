// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rates that the settings plan, as curves beside those of the run.
#pragma once

#include <QList>
#include <QString>
#include <vector>

#include "data/data_spec.h"
#include "graph/resolve.h"
#include "plan/plan.h"

namespace plumbline::gui {

/// One curve for all parameters, or one for each phase and for each parameter group whose rate differs. Columns of
/// equal length, at most some 2,000 points however long the run is. Empty where the schedule is refused, or where only
/// the data tell how long it is.
struct PlannedRate {
    struct Curve {
        QString series;             ///< of the run that it is the plan of: "lr", "lr/generator"
        QString name;               ///< says so where validations decide the rest
        std::vector<double> value;  ///< as many as steps
    };
    std::vector<double> step;   ///< counted from 1, as a run's; the epoch where countsEpochs
    std::vector<double> epoch;  ///< counted from 1
    QList<Curve> curves;
    bool countsEpochs = false;  ///< how many steps an epoch has is not known

    bool isEmpty() const { return step.empty() || curves.isEmpty(); }
};

/// `trainSamples`: -1 where it is not known. Of a model that is not whole the phases count, its groups do not.
PlannedRate plannedRate(const plan::TrainingPlan& plan, const graph::ResolvedModel& model,
                        const data::LoaderSpec& loader, std::int64_t trainSamples);

}  // namespace plumbline::gui
