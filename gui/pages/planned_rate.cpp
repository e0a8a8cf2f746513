// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/planned_rate.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>

#include "plan/schedule.h"

namespace plumbline::gui {

namespace {

constexpr std::size_t kMostPoints = 2000;

struct Translated {
    Q_DECLARE_TR_FUNCTIONS(PlannedRate)
};

}  // namespace

PlannedRate plannedRate(const plan::TrainingPlan& plan, const data::LoaderSpec& loader, std::int64_t trainSamples) {
    PlannedRate curve;
    const std::int64_t steps = plan::stepsPerEpoch(plan, trainSamples, loader.batchSize, loader.dropLast);
    // Without a validation split a plateau is refused elsewhere; here its known part is all that is asked for.
    const auto problems = plan::checkSchedule(plan, steps, true);
    if (std::any_of(problems.begin(), problems.end(), [](const plan::PlanProblem& problem) { return problem.critical; })) {
        return curve;
    }
    const bool holdsForEpochs = plan.scheduler.unit == plan::Unit::kEpoch;
    curve.countsEpochs = holdsForEpochs && steps == 0;
    // What holds for an epoch is a line from its first step to its last.
    const bool twice = holdsForEpochs && steps > 1;
    const plan::PlannedRates planned = plan::plannedRates(plan, steps, twice ? kMostPoints / 2 : kMostPoints);
    curve.name = planned.known == planned.length ? Translated::tr("lr, planned") : Translated::tr("lr, planned until validations decide");
    const std::int64_t end = steps > 0 && plan.maxSteps > 0 ? plan.maxSteps : std::numeric_limits<std::int64_t>::max();
    const auto add = [&](std::int64_t step, std::int64_t epoch, double rate) {
        curve.step.push_back(static_cast<double>(std::min(step, end)));
        curve.epoch.push_back(static_cast<double>(epoch));
        curve.value.push_back(rate);
    };
    for (const plan::PlannedPoint& point : planned.points) {
        if (!holdsForEpochs) {
            add(point.position + 1, steps > 0 ? point.position / steps + 1 : 1, point.lr);
        } else if (curve.countsEpochs) {
            add(point.position + 1, point.position + 1, point.lr);
        } else {
            add(point.position * steps + 1, point.position + 1, point.lr);
            if (twice) {
                add((point.position + 1) * steps, point.position + 1, point.lr);
            }
        }
    }
    if (steps == 0 && !holdsForEpochs) {
        curve.epoch.clear();
    }
    return curve;
}

}  // namespace plumbline::gui
