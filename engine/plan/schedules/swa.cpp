#include <cmath>
#include <numbers>

#include "plan/schedules/curve.h"

namespace plumbline::plan {

/// SWALR: base · (1 - a) + swa_lr · a, where a goes from 0 to 1 in anneal_epochs units, and is 1 from the start where
/// they are 0.
Curve makeSwa(const TypedOptions& options, const CurvePlace&) {
    const double swaLr = options.number("swa_lr");
    const std::int64_t length = options.integer("anneal_epochs");
    const bool linear = options.text("anneal_strategy") == "linear";
    return {[=](double base, std::int64_t t) {
        const double share = t >= length ? 1.0 : static_cast<double>(t) / static_cast<double>(length);
        const double a = linear ? share : (1 - std::cos(std::numbers::pi * share)) / 2;
        return swaLr * a + base * (1 - a);
    }};
}

}  // namespace plumbline::plan
