#include <cmath>

#include "plan/schedules/curve.h"

namespace plumbline::plan {

/// PolynomialLR: base · (1 - min(t, T) / T) ^ power
Curve makePolynomial(const TypedOptions& options, const CurvePlace& place) {
    const double power = options.number("power");
    const std::int64_t length = totalOf(options, place);
    return {[=](double base, std::int64_t t) {
        return base * std::pow(1.0 - static_cast<double>(std::min(t, length)) / static_cast<double>(length), power);
    }};
}

}  // namespace plumbline::plan
