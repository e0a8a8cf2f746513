#pragma once
// What a schedule is by itself. One is a file here and a line in curves.cpp; its options stand in schedule_types.cpp.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace plumbline::plan {

/// `position` counts from 0 where the schedule begins.
struct Curve {
    std::function<double(double base, std::int64_t position)> rate;
    std::function<double(std::int64_t position)> momentum = {};  ///< empty: it says nothing about it
};

/// What a schedule is among.
struct CurvePlace {
    std::int64_t length = 1;                             ///< units that are left for it, at least 1
    std::int64_t before = 0;                             ///< units of the warm-up in front of it
    const std::vector<SchedulePhase>* phases = nullptr;  ///< of a sequence or a chain
};

/// The units that it is made for: its total, of which the warm-up in front takes its share, or else what is left for
/// it.
inline std::int64_t totalOf(const TypedOptions& options, const CurvePlace& place) {
    const std::int64_t total = options.integer("total");
    return total > 0 ? std::max<std::int64_t>(1, total - place.before) : place.length;
}

/// The schedule of options.type.
Curve makeCurve(const TypedOptions& options, const CurvePlace& place);

Curve makeChained(const TypedOptions& options, const CurvePlace& place);
Curve makeConstant(const TypedOptions& options, const CurvePlace& place);
Curve makeCosine(const TypedOptions& options, const CurvePlace& place);
Curve makeCosineRestarts(const TypedOptions& options, const CurvePlace& place);
Curve makeCyclic(const TypedOptions& options, const CurvePlace& place);
Curve makeExponential(const TypedOptions& options, const CurvePlace& place);
Curve makeInverseSqrt(const TypedOptions& options, const CurvePlace& place);
Curve makeLinear(const TypedOptions& options, const CurvePlace& place);
Curve makeMultiStep(const TypedOptions& options, const CurvePlace& place);
Curve makeOneCycle(const TypedOptions& options, const CurvePlace& place);
Curve makePolynomial(const TypedOptions& options, const CurvePlace& place);
Curve makeReduceOnPlateau(const TypedOptions& options, const CurvePlace& place);
Curve makeSequence(const TypedOptions& options, const CurvePlace& place);
Curve makeStep(const TypedOptions& options, const CurvePlace& place);
Curve makeSwa(const TypedOptions& options, const CurvePlace& place);

}  // namespace plumbline::plan
