// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/planned_rate.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>

#include "gui/convert.h"
#include "plan/schedule.h"
#include "project/planned_rates.h"

namespace plumbline::gui {

namespace {

constexpr std::size_t kMostPoints = 2000;   ///< of a curve …
constexpr std::size_t kMostValues = 20000;  ///< … and of all of them

struct Translated {
    Q_DECLARE_TR_FUNCTIONS(PlannedRate)
};

QString nameOf(const std::string& series, bool whole) {
    return whole ? Translated::tr("%1, planned").arg(text(series))
                 : Translated::tr("%1, planned until validations decide").arg(text(series));
}

}  // namespace

PlannedRate plannedRate(const plan::TrainingPlan& plan, const graph::ResolvedModel& model,
                        const data::LoaderSpec& loader, std::int64_t trainSamples) {
    PlannedRate planned;
    const std::int64_t steps = plan::stepsPerEpoch(plan, trainSamples, loader.batchSize, loader.dropLast);
    // Without a validation split a plateau is refused elsewhere; here its known part is all that is asked for.
    const auto problems = plan::checkSchedule(plan, steps, true);
    if (std::any_of(problems.begin(), problems.end(),
                    [](const plan::PlanProblem& problem) { return problem.critical; })) {
        return planned;
    }
    const bool holdsForEpochs = plan.scheduler.unit == plan::Unit::kEpoch;
    planned.countsEpochs = holdsForEpochs && steps == 0;
    // What holds for an epoch is a line from its first step to its last.
    const bool twice = holdsForEpochs && steps > 1;
    const std::vector<plan::RateSeries> series = project::differingRates(project::rateSeriesOf(plan, model));
    const std::size_t most = std::clamp<std::size_t>(kMostValues / series.size(), 2, kMostPoints);
    const plan::PlannedRates rates = plan::plannedRates(plan, steps, twice ? most / 2 : most, series);
    for (const plan::PlannedSeries& each : rates.series) {
        planned.curves.append({text(each.name), nameOf(each.name, rates.known == rates.length), {}});
    }
    const std::int64_t end = steps > 0 && plan.maxSteps > 0 ? plan.maxSteps : std::numeric_limits<std::int64_t>::max();
    const auto add = [&](std::int64_t step, std::int64_t epoch, std::size_t point) {
        planned.step.push_back(static_cast<double>(std::min(step, end)));
        planned.epoch.push_back(static_cast<double>(epoch));
        for (std::size_t i = 0; i < rates.series.size(); ++i) {
            planned.curves[static_cast<qsizetype>(i)].value.push_back(rates.series[i].rates[point]);
        }
    };
    for (std::size_t i = 0; i < rates.points.size(); ++i) {
        const std::int64_t position = rates.points[i].position;
        if (!holdsForEpochs) {
            add(position + 1, steps > 0 ? position / steps + 1 : 1, i);
        } else if (planned.countsEpochs) {
            add(position + 1, position + 1, i);
        } else {
            add(position * steps + 1, position + 1, i);
            if (twice) {
                add((position + 1) * steps, position + 1, i);
            }
        }
    }
    if (steps == 0 && !holdsForEpochs) {
        planned.epoch.clear();
    }
    return planned;
}

}  // namespace plumbline::gui
