#include <cmath>
#include <numbers>
#include <optional>

#include "plan/schedules/curve.h"

namespace plumbline::plan {
namespace {

/// The levels that the rate goes between; momentum is at its lowest where the rate is at its highest.
enum class Level { kInitial, kHighest, kFinal };

/// Ends at `end`; begins where the one before it ends.
struct Stretch {
    double end = 0;
    Level from = Level::kInitial, to = Level::kHighest;
};

struct OneCycle {
    std::optional<double> maxLr;
    double divFactor = 1, finalDivFactor = 1, baseMomentum = 0, maxMomentum = 0;
    bool linear = false;
    std::int64_t total = 1;
    std::vector<Stretch> stretches;

    double annealed(double from, double to, double share) const {
        return linear ? (to - from) * share + from : to + (from - to) / 2 * (std::cos(std::numbers::pi * share) + 1);
    }
    template <typename ValueOf>
    double at(std::int64_t position, const ValueOf& valueOf) const {
        const double t = static_cast<double>(std::min(position, total - 1));
        const auto found =
            std::find_if(stretches.begin(), stretches.end() - 1, [t](const Stretch& one) { return t <= one.end; });
        const double start = found == stretches.begin() ? 0.0 : (found - 1)->end;
        const double length = found->end - start;
        return annealed(valueOf(found->from), valueOf(found->to), length == 0 ? 1 : (t - start) / length);
    }
    double rate(double base, std::int64_t position) const {
        const double highest = maxLr.value_or(base), initial = highest / divFactor;
        return at(position, [&](Level level) {
            return level == Level::kHighest ? highest : level == Level::kInitial ? initial : initial / finalDivFactor;
        });
    }
    double momentum(std::int64_t position) const {
        return at(position, [&](Level level) { return level == Level::kHighest ? baseMomentum : maxMomentum; });
    }
};

}  // namespace

/// OneCycleLR (Smith and Topin 2018). After its end, where PyTorch raises, it stays as it is.
Curve makeOneCycle(const TypedOptions& options, const CurvePlace& place) {
    OneCycle cycle{.maxLr = options.optionalNumber("max_lr"),
                   .divFactor = options.number("div_factor"),
                   .finalDivFactor = options.number("final_div_factor"),
                   .baseMomentum = options.number("base_momentum"),
                   .maxMomentum = options.number("max_momentum"),
                   .linear = options.text("anneal_strategy") == "linear",
                   .total = totalOf(options, place),
                   .stretches = {}};
    const double share = options.number("pct_start"), total = static_cast<double>(cycle.total);
    cycle.stretches.push_back({share * total - 1, Level::kInitial, Level::kHighest});
    if (options.flag("three_phase")) {
        cycle.stretches.push_back({2 * share * total - 2, Level::kHighest, Level::kInitial});
        cycle.stretches.push_back({total - 1, Level::kInitial, Level::kFinal});
    } else {
        cycle.stretches.push_back({total - 1, Level::kHighest, Level::kFinal});
    }
    Curve curve{[cycle](double base, std::int64_t t) { return cycle.rate(base, t); }};
    if (options.flag("cycle_momentum")) {
        curve.momentum = [cycle](std::int64_t t) { return cycle.momentum(t); };
    }
    return curve;
}

}  // namespace plumbline::plan
