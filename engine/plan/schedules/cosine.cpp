#include <cmath>
#include <limits>
#include <numbers>

#include "plan/schedules/curve.h"

namespace plumbline::plan {
namespace {

double annealed(double base, double least, double t, double length) {
    return least + (base - least) * (1 + std::cos(std::numbers::pi * t / length)) / 2;
}

}  // namespace

/// CosineAnnealingLR: min_lr + (base - min_lr) · (1 + cos(pi · t / T)) / 2. After T it rises again, as PyTorch's does.
Curve makeCosine(const TypedOptions& options, const CurvePlace& place) {
    const double least = options.number("min_lr");
    const std::int64_t length = totalOf(options, place);
    // The cosine of a large number is as good as its reduction.
    return {[=](double base, std::int64_t t) {
        return annealed(base, least, static_cast<double>(t % (2 * length)), static_cast<double>(length));
    }};
}

/// CosineAnnealingWarmRestarts: the same from 0 to T_0, then from 0 to T_0 · T_mult, and so on.
Curve makeCosineRestarts(const TypedOptions& options, const CurvePlace&) {
    const double least = options.number("min_lr");
    const std::int64_t first = std::max<std::int64_t>(1, options.integer("T_0"));
    const std::int64_t growth = std::max<std::int64_t>(1, options.integer("T_mult"));
    return {[=](double base, std::int64_t t) {
        std::int64_t length = first;
        if (growth == 1) {
            t %= length;
        }
        while (t >= length) {
            t -= length;
            length = length > std::numeric_limits<std::int64_t>::max() / growth
                         ? std::numeric_limits<std::int64_t>::max()
                         : length * growth;
        }
        return annealed(base, least, static_cast<double>(t), static_cast<double>(length));
    }};
}

}  // namespace plumbline::plan
