#include "train/optimizers/strong_wolfe.h"

#include <optional>
#include <utility>
#include <vector>

namespace plumbline::train {

namespace {

constexpr double kDecrease = 1e-4, kCurvature = 0.9;

/// One end of the bracket, or a point that was tried.
struct Trial {
    LineNumber length;
    LinePoint point;
    LineNumber slope;
};

/// Where a cubic through two points with these slopes is lowest, within bounds; the middle where it has no minimum.
LineNumber interpolate(const Trial& a, const Trial& b,
                       std::optional<std::pair<LineNumber, LineNumber>> bounds = std::nullopt) {
    const bool ordered = a.length <= b.length;
    if (!bounds) {
        bounds = ordered ? std::pair(a.length, b.length) : std::pair(b.length, a.length);
    }
    // The losses are Python's own numbers: 3 * (f1 - f2) is exact there before it meets a tensor.
    const LineNumber d1 = a.slope + b.slope - LineNumber(3 * (a.point.loss - b.point.loss)) / (a.length - b.length);
    const LineNumber square = d1 * d1 - a.slope * b.slope;
    if (!(square >= LineNumber(0))) {
        return (bounds->first + bounds->second) / LineNumber(2);
    }
    const LineNumber d2 = square.root();
    const LineNumber lowest =
        ordered ? b.length - (b.length - a.length) * ((b.slope + d2 - d1) / (b.slope - a.slope + LineNumber(2) * d2))
                : a.length - (a.length - b.length) * ((a.slope + d2 - d1) / (a.slope - b.slope + LineNumber(2) * d2));
    return LineNumber::least(LineNumber::most(lowest, bounds->first), bounds->second);
}

class StrongWolfe {
public:
    StrongWolfe(const LineFunction& at, const at::Tensor& direction, const LinePoint& start, const LineNumber& slope,
                double toleranceChange, std::int64_t most)
        : m_at(at),
          m_direction(direction),
          m_start{LineNumber(0), {start.loss, start.gradient.clone()}, slope},
          m_toleranceChange(toleranceChange),
          m_most(most) {}

    LineSearchResult run(const LineNumber& length) {
        const bool done = bracket(length);
        if (!done) {
            zoom();
        }
        const Trial& best = m_bracket[m_low];
        return {best.point, best.length, m_evaluations};
    }

private:
    Trial evaluate(const LineNumber& length) {
        Trial trial{length, m_at(length), {}};
        trial.slope = LineNumber::of(trial.point.gradient.dot(m_direction));
        ++m_evaluations;
        return trial;
    }
    bool decreases(const Trial& trial) const {
        return !(LineNumber(trial.point.loss) >
                 LineNumber(m_start.point.loss) + LineNumber(kDecrease) * trial.length * m_start.slope);
    }
    bool isFlat(const Trial& trial) const { return trial.slope.abs() <= LineNumber(-kCurvature) * m_start.slope; }

    /// Finds an interval that holds a point, or the point itself: then it gives true.
    bool bracket(const LineNumber& length) {
        Trial now = evaluate(length), before = m_start;
        for (; m_iterations < m_most; ++m_iterations) {
            if (!decreases(now) || (m_iterations > 1 && now.point.loss >= before.point.loss)) {
                take({before, now});
                return false;
            }
            if (isFlat(now)) {
                take({now});
                return true;
            }
            if (now.slope >= LineNumber(0)) {
                take({before, now});
                return false;
            }
            const LineNumber least = now.length + LineNumber(0.01) * (now.length - before.length),
                             most = now.length * LineNumber(10);
            const LineNumber next = interpolate(before, now, std::pair(least, most));
            before = std::move(now);
            now = evaluate(next);
        }
        take({m_start, now});
        return false;
    }

    void take(std::vector<Trial> ends) {
        m_bracket = std::move(ends);
        order();
    }
    void order() {
        m_low = m_bracket.front().point.loss <= m_bracket.back().point.loss ? 0 : 1;
        m_high = 1 - m_low;
    }

    /// Narrows the interval.
    void zoom() {
        const LineNumber size = LineNumber::of(m_direction.abs().max());
        bool crept = false;
        for (; m_iterations < m_most; ++m_iterations) {
            if ((m_bracket[1].length - m_bracket[0].length).abs() * size < LineNumber(m_toleranceChange)) {
                return;
            }
            const Trial trial = evaluate(next(crept));
            if (!decreases(trial) || trial.point.loss >= m_bracket[m_low].point.loss) {
                m_bracket[m_high] = trial;
                order();
                continue;
            }
            const bool done = isFlat(trial);
            if (!done && trial.slope * (m_bracket[m_high].length - m_bracket[m_low].length) >= LineNumber(0)) {
                m_bracket[m_high] = m_bracket[m_low];
            }
            m_bracket[m_low] = trial;
            if (done) {
                return;
            }
        }
    }

    /// A length that is well inside the interval at least every other time.
    LineNumber next(bool& crept) const {
        const LineNumber from = m_bracket[0].length, to = m_bracket[1].length;
        LineNumber length = interpolate(m_bracket[0], m_bracket[1]);
        const LineNumber largest = LineNumber::most(from, to), smallest = LineNumber::least(from, to);
        const LineNumber margin = LineNumber(0.1) * (largest - smallest);
        if (!(LineNumber::least(largest - length, length - smallest) < margin)) {
            crept = false;
            return length;
        }
        if (!crept && !(length >= largest) && !(length <= smallest)) {
            crept = true;
            return length;
        }
        crept = false;
        return (length - largest).abs() < (length - smallest).abs() ? largest - margin : smallest + margin;
    }

    const LineFunction& m_at;
    const at::Tensor& m_direction;
    Trial m_start;
    double m_toleranceChange;
    std::int64_t m_most;
    std::int64_t m_evaluations = 0, m_iterations = 0;
    std::vector<Trial> m_bracket;
    std::size_t m_low = 0, m_high = 1;
};

}  // namespace

LineNumber LineNumber::of(const at::Tensor& element) {
    return ofTensor(element.item<double>(), element.scalar_type() != at::kDouble);
}

LineSearchResult searchStrongWolfe(const LineFunction& at, LineNumber length, const at::Tensor& direction,
                                   const LinePoint& start, const LineNumber& slope, double toleranceChange,
                                   std::int64_t most) {
    return StrongWolfe(at, direction, start, slope, toleranceChange, most).run(length);
}

}  // namespace plumbline::train
