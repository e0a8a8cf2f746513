#include <limits>
#include <memory>

#include "plan/schedules/curve.h"

namespace plumbline::plan {
namespace {

struct Part {
    std::int64_t begin = 0;
    Curve curve;
    bool goesOn = false;  ///< from the rate that the one before it ended with, not from the group's
};

std::size_t partAt(const std::vector<Part>& parts, std::int64_t t) {
    std::size_t part = parts.size() - 1;
    while (part > 0 && parts[part].begin > t) {
        --part;
    }
    return part;
}

/// Where a part is at position t of the sequence, or at its last position where it is over by then.
std::int64_t positionIn(const std::vector<Part>& parts, std::size_t part, std::int64_t t) {
    const std::int64_t last =
        part + 1 < parts.size() ? parts[part + 1].begin - 1 : std::numeric_limits<std::int64_t>::max();
    return std::min(t, last) - parts[part].begin;
}

double rateAt(const std::vector<Part>& parts, double base, std::int64_t t) {
    const std::size_t current = partAt(parts, t);
    std::size_t first = current;
    while (first > 0 && parts[first].goesOn) {
        --first;
    }
    double rate = base;
    for (std::size_t i = first; i <= current; ++i) {
        rate = parts[i].curve.rate(rate, positionIn(parts, i, t));
    }
    return rate;
}

/// Of the part that moves it; what the last one that did has left it at; and before any, where the last one that will
/// begins.
double momentumAt(const std::vector<Part>& parts, std::int64_t t) {
    for (std::size_t i = partAt(parts, t) + 1; i-- > 0;) {
        if (parts[i].curve.momentum) {
            return parts[i].curve.momentum(positionIn(parts, i, t));
        }
    }
    const auto last = std::find_if(parts.rbegin(), parts.rend(),
                                   [](const Part& part) { return static_cast<bool>(part.curve.momentum); });
    return last->curve.momentum(0);
}

}  // namespace

/// SequentialLR: one schedule after the other, each from its own position 0. SWALR goes on from the rate that it finds,
/// the others start from the group's. The last one goes on after its length.
Curve makeSequence(const TypedOptions&, const CurvePlace& place) {
    auto parts = std::make_shared<std::vector<Part>>();
    std::int64_t begin = 0;
    constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max() / 2;
    if (place.phases != nullptr) {
        for (const SchedulePhase& phase : *place.phases) {
            const std::int64_t left = std::max<std::int64_t>(1, place.length - begin);
            parts->push_back(
                {begin, makeCurve(phase, {.length = phase.length > 0 ? phase.length : left}), phase.type == "swa"});
            if (phase.length == 0) {
                break;
            }
            begin = phase.length > kLatest - begin ? kLatest : begin + phase.length;
        }
    }
    if (parts->empty()) {
        return {[](double base, std::int64_t) { return base; }};
    }
    Curve curve{[parts](double base, std::int64_t t) { return rateAt(*parts, base, t); }};
    if (std::any_of(parts->begin(), parts->end(),
                    [](const Part& part) { return static_cast<bool>(part.curve.momentum); })) {
        curve.momentum = [parts](std::int64_t t) { return momentumAt(*parts, t); };
    }
    return curve;
}

}  // namespace plumbline::plan
