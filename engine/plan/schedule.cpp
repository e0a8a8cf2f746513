#include "plan/schedule.h"

#include <algorithm>

#include "plan/parameter_groups.h"

namespace plumbline::plan {

Schedule::Schedule(const SchedulerSpec& spec, std::int64_t wholeRun)
    : m_unit(spec.unit),
      m_warmup(spec.warmup),
      m_warmupStart(spec.warmupStart),
      m_curve(makeCurve(spec, {.length = std::max<std::int64_t>(1, wholeRun - spec.warmup),
                               .before = spec.warmup,
                               .phases = &spec.phases})) {}

double Schedule::rate(double base, std::int64_t position) const {
    if (position >= m_warmup) {
        return m_curve.rate(base, position - m_warmup);
    }
    const double t = static_cast<double>(position), length = static_cast<double>(m_warmup);
    return m_warmupStart ? base * (*m_warmupStart + (1 - *m_warmupStart) * t / length) : base * (t + 1) / length;
}

std::optional<double> Schedule::momentum(std::int64_t position) const {
    return m_curve.momentum ? std::optional(m_curve.momentum(std::max<std::int64_t>(0, position - m_warmup)))
                            : std::nullopt;
}

namespace {

/// Positions that no validation can have changed the rate at: a first reduction takes patience + 1 of them.
std::int64_t knownWithPlateau(const TrainingPlan& plan, std::int64_t stepsPerEpoch, std::int64_t length) {
    const std::int64_t validations = plan.scheduler.integer("patience") + 1;
    if (plan.validationEvery == 0) {
        return length;
    }
    double units = static_cast<double>(validations) * static_cast<double>(plan.validationEvery);
    if (plan.validationUnit != plan.scheduler.unit) {
        const double steps = static_cast<double>(std::max<std::int64_t>(1, stepsPerEpoch));
        units = plan.scheduler.unit == Unit::kStep ? units * steps : units / steps;
    }
    return units >= static_cast<double>(length) ? length : std::max<std::int64_t>(1, static_cast<std::int64_t>(units));
}

/// The one that "lr" is at the newest position.
double rateOfAll(const std::vector<PlannedSeries>& series) {
    double largest = 0;
    for (const PlannedSeries& each : series) {
        if (each.name == "lr") {
            return each.rates.back();
        }
        largest = std::max(largest, each.rates.back());
    }
    return largest;
}

}  // namespace

std::vector<RateSeries> rateSeriesOf(const TrainingPlan& plan) {
    std::vector<RateSeries> series;
    for (const PhaseSpec& phase : plan.phases) {
        series.push_back({rateSeries(phase.name, {}), phase.optimizer.lr, phase.name, phase.every});
    }
    if (series.empty()) {
        series.push_back({rateSeries({}, {}), plan.optimizer.lr, {}, 1});
    }
    return series;
}

PlannedRates plannedRates(const TrainingPlan& plan, std::int64_t stepsPerEpoch, std::size_t most,
                          const std::vector<RateSeries>& series) {
    PlannedRates planned;
    for (const RateSeries& each : series) {
        planned.series.push_back({each, {}});
    }
    planned.unit = plan.scheduler.unit;
    const bool countsSteps = planned.unit == Unit::kStep;
    if (stepsPerEpoch > 0) {
        planned.length = scheduleLength(plan, stepsPerEpoch);
    } else if (!countsSteps) {
        planned.length = plan.epochs;
    } else if (plan.epochs == 0) {
        planned.length = plan.maxSteps;
    }
    if (planned.length <= 0) {
        return planned;
    }
    planned.known =
        Plateau::isMeant(plan.scheduler) ? knownWithPlateau(plan, stepsPerEpoch, planned.length) : planned.length;
    const Schedule schedule(plan.scheduler, planned.length);
    const auto count = static_cast<std::size_t>(
        std::min<std::int64_t>(planned.known, static_cast<std::int64_t>(std::max<std::size_t>(2, most))));
    const double last = static_cast<double>(planned.known - 1);
    for (std::size_t i = 0; i < count; ++i) {
        const auto position =
            count == 1 ? 0 : static_cast<std::int64_t>(last * static_cast<double>(i) / static_cast<double>(count - 1));
        for (PlannedSeries& each : planned.series) {
            each.rates.push_back(schedule.rate(each.base, position));
        }
        planned.points.push_back({position, rateOfAll(planned.series), schedule.momentum(position)});
    }
    return planned;
}

bool readsRateOnce(const OptimizerSpec& optimizer) {
    return optimizer.type == "Rprop";
}

}  // namespace plumbline::plan
