#include <cmath>

#include "plan/schedules/curve.h"

namespace plumbline::plan {

/// base · min(1, sqrt(timescale / s)), s counting all units from 1, those of the warm-up too (Vaswani et al. 2017). The
/// timescale is the warm-up's length unless it is stated, so that the two meet at the full rate.
Curve makeInverseSqrt(const TypedOptions& options, const CurvePlace& place) {
    const std::int64_t stated = options.integer("timescale"), before = place.before;
    const double timescale = static_cast<double>(stated > 0 ? stated : std::max<std::int64_t>(1, before));
    return {[=](double base, std::int64_t t) {
        return base * std::min(1.0, std::sqrt(timescale / static_cast<double>(before + t + 1)));
    }};
}

}  // namespace plumbline::plan
