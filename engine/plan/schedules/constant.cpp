#include "plan/schedules/curve.h"

namespace plumbline::plan {

/// ConstantLR: base · factor for the first `total` units, base after them. A total of 0 has no end.
Curve makeConstant(const TypedOptions& options, const CurvePlace&) {
    const double factor = options.number("factor");
    const std::int64_t total = options.integer("total");
    return {[=](double base, std::int64_t t) { return total == 0 || t < total ? base * factor : base; }};
}

}  // namespace plumbline::plan
