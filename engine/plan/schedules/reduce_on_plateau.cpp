#include <cmath>

#include "plan/schedule.h"

namespace plumbline::plan {

/// Without a validation the rate stays; Plateau has the reductions.
Curve makeReduceOnPlateau(const TypedOptions&, const CurvePlace&) {
    return {[](double base, std::int64_t) { return base; }};
}

Plateau::Plateau(const SchedulerSpec& spec)
    : m_series(spec.text("series")),
      m_max(spec.text("mode") == "max"),
      m_relative(spec.text("threshold_mode") != "abs"),
      m_factor(spec.number("factor")),
      m_threshold(spec.number("threshold")),
      m_minLr(spec.number("min_lr")),
      m_eps(spec.number("eps")),
      m_patience(spec.integer("patience")),
      m_cooldown(spec.integer("cooldown")),
      m_best(m_max ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity()) {}

bool Plateau::isGain(double value) const {
    if (m_max) {
        return value > (m_relative ? m_best * (m_threshold + 1.0) : m_best + m_threshold);
    }
    return value < (m_relative ? m_best * (1.0 - m_threshold) : m_best - m_threshold);
}

bool Plateau::see(double value) {
    if (isGain(value)) {
        m_best = value;
        m_without = 0;
    } else {
        ++m_without;
    }
    if (m_cooling > 0) {
        --m_cooling;
        m_without = 0;
    }
    if (m_without <= m_patience) {
        return false;
    }
    m_cooling = m_cooldown;
    m_without = 0;
    ++m_reductions;
    return true;
}

double Plateau::reduced(double base) const {
    for (std::int64_t i = 0; i < m_reductions; ++i) {
        const double next = std::max(base * m_factor, m_minLr);
        if (!(base - next > m_eps)) {
            break;  // so are all that follow
        }
        base = next;
    }
    return base;
}

Json Plateau::state() const {
    return {
        {"best", numberToJson(m_best)}, {"without", m_without}, {"cooling", m_cooling}, {"reductions", m_reductions}};
}

void Plateau::setState(const Json& state) {
    m_best = numberFromJson(state.at("best"));
    m_without = state.at("without").get<std::int64_t>();
    m_cooling = state.at("cooling").get<std::int64_t>();
    m_reductions = state.at("reductions").get<std::int64_t>();
}

}  // namespace plumbline::plan
