#pragma once
// The learning rate as a pure function of the position, so that a resumed run gets the very rates it would have had;
// and what a validation does to it, which is state. Numbers are those of torch.optim.lr_scheduler.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "plan/plan.h"
#include "plan/schedules/curve.h"

namespace plumbline::plan {

/// Positions are counted in the schedule's unit (steps or epochs) from 0. Each type is a file in schedules/ that names
/// its formula.
///
/// With a warm-up of W units, positions 0 … W - 1 have base · (t + 1) / W, or with warmup_start s base · (s + (1 - s) ·
/// t / W), as LinearLR; the schedule gets t - W, and what is left after the warm-up as its length.
class Schedule {
public:
    /// `wholeRun`: length of the run in the schedule's unit, taken where the settings state no total.
    Schedule(const SchedulerSpec& spec, std::int64_t wholeRun);

    Unit unit() const { return m_unit; }
    /// For a group with base rate `base`.
    double rate(double base, std::int64_t position) const;
    /// Momentum, or the first of betas; none: the optimizer keeps its own.
    std::optional<double> momentum(std::int64_t position) const;

private:
    Unit m_unit;
    std::int64_t m_warmup;
    std::optional<double> m_warmupStart;
    Curve m_curve;
};

/// Whether the rate depends on the optimizer's own anywhere: with a max_lr of its own a cycle does not.
bool followsBase(const SchedulerSpec& spec);

/// ReduceLROnPlateau: how often the rate has been reduced by what the validations gave.
class Plateau {
public:
    explicit Plateau(const SchedulerSpec& spec);
    static bool isMeant(const SchedulerSpec& spec) { return spec.type == "reduce_on_plateau"; }

    const std::string& series() const { return m_series; }
    /// After a validation; true where its value is one too many without a gain, which reduces the rate. A value that is
    /// not a number is no gain.
    bool see(double value);
    /// The base rate of a group after the reductions so far.
    double reduced(double base) const;
    std::int64_t reductions() const { return m_reductions; }

    /// What a checkpoint keeps.
    Json state() const;
    void setState(const Json& state);

private:
    bool isGain(double value) const;

    std::string m_series;
    bool m_max, m_relative;
    double m_factor, m_threshold, m_minLr, m_eps;
    std::int64_t m_patience, m_cooldown;

    double m_best;
    std::int64_t m_without = 0;  ///< validations without a gain
    std::int64_t m_cooling = 0;  ///< validations that do not count yet
    std::int64_t m_reductions = 0;
};

/// What the settings plan, without a run.
struct PlannedPoint {
    std::int64_t position = 0;
    double lr = 0;
    std::optional<double> momentum = {};
};
/// The rate of some parameters, as a run writes it.
struct RateSeries {
    std::string name;        ///< "lr", "lr/<group>", "lr/<phase>" or "lr/<phase>: <group>"
    double base = 0;         ///< before the schedule
    std::string phase;       ///< of training.phases; "" without
    std::int64_t every = 1;  ///< the phase is taken in each so many-th step, the first one included. The rate goes on
                             ///< with every step of the run all the same
};
struct PlannedSeries : RateSeries {
    std::vector<double> rates;  ///< at each of PlannedRates::points
};
struct PlannedRates {
    Unit unit = Unit::kEpoch;  ///< what positions count in
    std::int64_t length = 0;   ///< of the run, in that unit; 0 where only the data tell
    /// Positions before this one are planned; less than length where validations decide the rest.
    std::int64_t known = 0;
    /// Their `lr` is the series "lr" of a run: that of the parameters in no group, else the largest.
    std::vector<PlannedPoint> points;
    std::vector<PlannedSeries> series;
};
/// The series of a plan whose model is not known: "lr", or one for each phase.
std::vector<RateSeries> rateSeriesOf(const TrainingPlan& plan);
/// At most `most` points (2 or more), evenly spaced, the first and the last position among them. `stepsPerEpoch`: 0
/// where it is not known.
PlannedRates plannedRates(const TrainingPlan& plan, std::int64_t stepsPerEpoch, std::size_t most,
                          const std::vector<RateSeries>& series);
inline PlannedRates plannedRates(const TrainingPlan& plan, std::int64_t stepsPerEpoch, std::size_t most) {
    return plannedRates(plan, stepsPerEpoch, most, rateSeriesOf(plan));
}

/// Whether a parameter's first step is the only one that looks at the learning rate: Rprop's step sizes go their own
/// way from there.
bool readsRateOnce(const OptimizerSpec& optimizer);

/// The highest rate that a group with base rate `base` has in a run of so many units, by the rates that are stated; a
/// cycle's top where it lies between two units, and the base where all are 0.
double highestRate(const SchedulerSpec& spec, double base, std::int64_t length);
/// A setting that holds a learning rate, and what it becomes.
struct RateChange {
    std::string path;  ///< dotted: "training.optimizer.groups.0.lr"
    double from = 0, value = 0;
};
/// All learning rates that are stated and that the run reads, of the optimizer, its groups and its schedule, times a
/// factor, so that they keep their ratio to each other and the schedule its shape. To six digits.
std::vector<RateChange> scaledRates(const TrainingPlan& plan, double factor);
/// Rates of the schedule that nobody has stated, as they are by default: "training.scheduler.swa_lr". No scaling
/// changes them.
std::vector<RateChange> unstatedRates(const TrainingPlan& plan);

/// The part of checkPlan() that is about the schedule. `stepsPerEpoch`: 0 where it is not known.
std::vector<PlanProblem> checkSchedule(const TrainingPlan& plan, std::int64_t stepsPerEpoch, bool hasValidation);
/// Steps of an epoch of so many samples; 0 where there is none, or where the samples are not known (-1).
std::int64_t stepsPerEpoch(const TrainingPlan& plan, std::int64_t trainSamples, std::int64_t batchSize, bool dropLast);

}  // namespace plumbline::plan
