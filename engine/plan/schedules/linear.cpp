#include "plan/schedules/curve.h"

namespace plumbline::plan {

/// LinearLR: base · (start_factor + (end_factor - start_factor) · min(t, T) / T)
Curve makeLinear(const TypedOptions& options, const CurvePlace& place) {
    const double start = options.number("start_factor"), end = options.number("end_factor");
    const std::int64_t length = totalOf(options, place);
    return {[=](double base, std::int64_t t) {
        return base * (start + (end - start) * static_cast<double>(std::min(t, length)) / static_cast<double>(length));
    }};
}

}  // namespace plumbline::plan
