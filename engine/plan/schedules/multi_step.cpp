#include <cmath>

#include "plan/schedules/curve.h"

namespace plumbline::plan {

/// MultiStepLR: base · gamma ^ (milestones up to t, repeated ones each time)
Curve makeMultiStep(const TypedOptions& options, const CurvePlace&) {
    const double gamma = options.number("gamma");
    std::vector<std::int64_t> milestones = options.integers("milestones");
    std::sort(milestones.begin(), milestones.end());
    return {[gamma, milestones = std::move(milestones)](double base, std::int64_t t) {
        return base * std::pow(gamma, static_cast<double>(std::upper_bound(milestones.begin(), milestones.end(), t) -
                                                          milestones.begin()));
    }};
}

}  // namespace plumbline::plan
