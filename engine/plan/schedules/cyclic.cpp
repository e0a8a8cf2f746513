#include <cmath>
#include <optional>

#include "plan/schedules/curve.h"

namespace plumbline::plan {
namespace {

struct Cycle {
    double size = 2, ratio = 0.5;  ///< units of a cycle; share of it in which the rate rises
    std::string mode;
    double gamma = 1;

    /// How high the position is between the lowest and the highest, the height of its cycle included.
    double height(std::int64_t position) const {
        const double t = static_cast<double>(position);
        const double cycle = std::floor(1 + t / size);
        const double x = 1.0 + t / size - cycle;
        const double share = x <= ratio ? x / ratio : (x - 1) / (ratio - 1);
        return share * (mode == "triangular2" ? 1 / std::pow(2.0, cycle - 1)
                        : mode == "exp_range" ? std::pow(gamma, t)
                                              : 1.0);
    }
};

}  // namespace

/// CyclicLR (Smith 2017). The height of a cycle: triangular the same for all, triangular2 halved with each, exp_range
/// gamma ^ t.
Curve makeCyclic(const TypedOptions& options, const CurvePlace&) {
    const double up = static_cast<double>(std::max<std::int64_t>(1, options.integer("step_size_up")));
    const double down =
        options.integer("step_size_down") > 0 ? static_cast<double>(options.integer("step_size_down")) : up;
    const Cycle cycle{
        .size = up + down, .ratio = up / (up + down), .mode = options.text("mode"), .gamma = options.number("gamma")};
    const double lowest = options.number("base_lr");
    const std::optional<double> highest = options.optionalNumber("max_lr");
    Curve curve{
        [=](double base, std::int64_t t) { return lowest + (highest.value_or(base) - lowest) * cycle.height(t); }};
    if (options.flag("cycle_momentum")) {
        const double least = options.number("base_momentum"), most = options.number("max_momentum");
        curve.momentum = [=](std::int64_t t) { return most - (most - least) * cycle.height(t); };
    }
    return curve;
}

}  // namespace plumbline::plan
