#include <cmath>

#include "plan/schedules/curve.h"

namespace plumbline::plan {

/// ExponentialLR: base · gamma ^ t. MultiplicativeLR with a constant factor is the same.
Curve makeExponential(const TypedOptions& options, const CurvePlace&) {
    const double gamma = options.number("gamma");
    return {[=](double base, std::int64_t t) { return base * std::pow(gamma, static_cast<double>(t)); }};
}

}  // namespace plumbline::plan
