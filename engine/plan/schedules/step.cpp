#include <cmath>

#include "plan/schedules/curve.h"

namespace plumbline::plan {

/// StepLR: base · gamma ^ floor(t / step_size)
Curve makeStep(const TypedOptions& options, const CurvePlace&) {
    const double gamma = options.number("gamma");
    const std::int64_t size = std::max<std::int64_t>(1, options.integer("step_size"));
    return {[=](double base, std::int64_t t) { return base * std::pow(gamma, static_cast<double>(t / size)); }};
}

}  // namespace plumbline::plan
