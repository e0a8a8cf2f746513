#include "train/stop_conditions.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "core/text.h"

namespace plumbline::train {

namespace {

std::optional<double> finiteValue(const Position& position, const std::string& series) {
    const auto found = position.values.find(series);
    return found == position.values.end() || !std::isfinite(found->second) ? std::nullopt
                                                                           : std::optional(found->second);
}

}  // namespace

void StopConditions::judge(std::int64_t patience) {
    StopState& stop = m_position.stop;
    const auto end = [&](const char* code, double value) {
        if (stop.code.empty()) {
            stop.code = code;
            stop.step = m_position.steps.attempted;
            stop.value = value;
        }
    };
    const plan::StopTargetSpec& target = m_plan.target;
    if (const auto value = target.series.empty() ? std::nullopt : finiteValue(m_position, target.series)) {
        if (target.isMax ? *value >= target.value : *value <= target.value) {
            end("target", *value);
        }
    }
    const plan::EarlyStoppingSpec& early = m_plan.earlyStopping;
    if (early.patience == 0) {
        return;
    }
    // A value that is no number is no improvement.
    const auto value = finiteValue(m_position, early.series);
    const bool better =
        value &&
        (!stop.hasBest || (early.isMax ? *value > stop.best + early.minDelta : *value < stop.best - early.minDelta));
    if (better) {
        stop.hasBest = true;
        stop.best = *value;
        stop.bestStep = m_position.steps.attempted;
        stop.waited = 0;
        return;
    }
    ++stop.waited;
    if (stop.waited >= patience) {
        end("early_stopping", stop.best);
    }
}

void StopConditions::lookAtClock(double trainedMs) {
    StopState& stop = m_position.stop;
    if (m_timed && m_plan.maxSeconds > 0 && stop.code.empty() && trainedMs >= m_plan.maxSeconds * 1000) {
        stop.code = "time";
        stop.step = m_position.steps.attempted;
        stop.value = trainedMs / 1000;
    }
}

std::string StopConditions::sentence() const {
    const StopState& stop = m_position.stop;
    if (stop.code == "time") {
        return fmt::format("The time of {} s was over after {:.1f} s, {}.", numberText(m_plan.maxSeconds), stop.value,
                           counted(stop.step, "step"));
    }
    if (stop.code == "target") {
        return fmt::format("{} reached {} after {}; the target was {}.", m_plan.target.series, numberText(stop.value),
                           counted(stop.step, "step"), numberText(m_plan.target.value));
    }
    const std::string waited = counted(stop.waited, "validation");
    if (!stop.hasBest) {
        return fmt::format("Stopped early after {}: {} was no number in {}.", counted(stop.step, "step"),
                           m_plan.earlyStopping.series, waited);
    }
    return fmt::format("Stopped early after {}: {} has not been better than {} of step {} for {}.",
                       counted(stop.step, "step"), m_plan.earlyStopping.series, numberText(stop.best), stop.bestStep,
                       waited);
}

}  // namespace plumbline::train
