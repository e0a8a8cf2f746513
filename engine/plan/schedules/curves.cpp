// The schedules that there are, one line each.

#include <array>
#include <string_view>
#include <utility>

#include "plan/schedules/curve.h"

namespace plumbline::plan {
namespace {

using MakeCurve = Curve (*)(const TypedOptions& options, const CurvePlace& place);

constexpr std::array kCurves = std::to_array<std::pair<std::string_view, MakeCurve>>({
    {"constant", makeConstant},
    {"step", makeStep},
    {"multi_step", makeMultiStep},
    {"exponential", makeExponential},
    {"cosine", makeCosine},
    {"cosine_restarts", makeCosineRestarts},
    {"one_cycle", makeOneCycle},
    {"linear", makeLinear},
    {"polynomial", makePolynomial},
    {"cyclic", makeCyclic},
    {"inverse_sqrt", makeInverseSqrt},
    {"swa", makeSwa},
    {"reduce_on_plateau", makeReduceOnPlateau},
    {"sequence", makeSequence},
    {"chained", makeChained},
});

}  // namespace

Curve makeCurve(const TypedOptions& options, const CurvePlace& place) {
    for (const auto& [name, make] : kCurves) {
        if (name == options.type) {
            return make(options, place);
        }
    }
    return {[](double base, std::int64_t) { return base; }};
}

}  // namespace plumbline::plan
