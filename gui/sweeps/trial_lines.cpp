// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/sweeps/trial_lines.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/convert.h"
#include "gui/sweeps/trial_axis.h"
#include "sweep/sweep_queue.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr std::size_t kMostTicks = 12;  ///< listed numbers past which round ones are written
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::optional<double> objectiveOf(const sweep::Trial& trial) {
    return trial.status != "failed" && trial.value && std::isfinite(*trial.value) ? trial.value : std::nullopt;
}

ParallelAxis axisOf(const sweep::Parameter& parameter) {
    ParallelAxis axis;
    axis.fullName = text(parameter.path);
    axis.name = axis.fullName.section(QLatin1Char('.'), -2);
    axis.shortName = axis.fullName.section(QLatin1Char('.'), -1);
    axis.logarithmic = isDrawnByLogarithm(parameter);
    if (parameter.isRange()) {
        axis.low = parameter.low;
        axis.high = parameter.high;
    } else if (allNumbers(parameter)) {
        for (const std::string& choice : parameter.choices) {
            axis.ticks.push_back(*numberOf(choice));
        }
        axis.low = *std::min_element(axis.ticks.begin(), axis.ticks.end());
        axis.high = *std::max_element(axis.ticks.begin(), axis.ticks.end());
        if (axis.ticks.size() > kMostTicks) {
            axis.ticks.clear();
        }
    } else {
        for (const std::string& choice : parameter.choices) {
            axis.words << text(choice);
        }
    }
    return axis;
}

ParallelAxis objectiveAxis(const SweepEntry& sweep) {
    ParallelAxis axis;
    axis.name = axis.fullName = text(sweep.plan.series);
    axis.shortName = axis.name.section(QLatin1Char('.'), -1);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const sweep::Trial& trial : sweep.trials) {
        if (const auto value = objectiveOf(trial)) {
            low = std::min(low, *value);
            high = std::max(high, *value);
        }
    }
    axis.low = low <= high ? low : 0;
    axis.high = low <= high ? high : 1;
    // One that went astray would press all others together.
    axis.logarithmic = axis.low > 0 && axis.high / axis.low > kDecades;
    return axis;
}

}  // namespace

ParallelContent linesOf(const SweepEntry& sweep) {
    ParallelContent content;
    if (sweep.parameters.empty()) {
        return content;
    }
    for (const sweep::Parameter& parameter : sweep.parameters) {
        content.axes.push_back(axisOf(parameter));
    }
    content.axes.push_back(objectiveAxis(sweep));
    content.isMoreBetter = sweep.plan.isMax;
    const auto best = sweep::bestTrial(sweep.plan, sweep.trials);
    content.lines.reserve(sweep.trials.size());
    for (const sweep::Trial& trial : sweep.trials) {
        ParallelLine line;
        line.key = trial.number;
        line.name = QCoreApplication::translate("plumbline::gui::TrialViews", "trial %1").arg(trial.number);
        for (std::size_t i = 0; i < sweep.parameters.size(); ++i) {
            const auto place = placeOnAxis(sweep.parameters[i], trial);
            // Words are counted from 1 there and from 0 here.
            line.values.push_back(place ? *place - (content.axes[i].words.isEmpty() ? 0 : 1) : kNone);
        }
        line.values.push_back(objectiveOf(trial).value_or(kNone));
        if (best && best->number == trial.number) {
            content.best = static_cast<int>(content.lines.size());
        }
        content.lines.push_back(std::move(line));
    }
    return content;
}

}  // namespace plumbline::gui
