#include <memory>

#include "plan/schedules/curve.h"

namespace plumbline::plan {

/// ChainedScheduler: all at once, each a factor of what the ones before it give.
Curve makeChained(const TypedOptions&, const CurvePlace& place) {
    auto curves = std::make_shared<std::vector<Curve>>();
    if (place.phases != nullptr) {
        for (const SchedulePhase& phase : *place.phases) {
            curves->push_back(makeCurve(phase, {.length = place.length}));
        }
    }
    return {[curves](double base, std::int64_t t) {
        for (const Curve& curve : *curves) {
            base = curve.rate(base, t);
        }
        return base;
    }};
}

}  // namespace plumbline::plan
