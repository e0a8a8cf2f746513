#pragma once
// How far LBFGS goes along a direction. A port of what torch.optim.LBFGS does, which follows minFunc's polyinterp and
// WolfeLineSearch.

#include <ATen/core/Tensor.h>

#include <cmath>
#include <cstdint>
#include <functional>

namespace plumbline::train {

/// A number as Python has it there: either its own (a double), or a tensor of one element, whose arithmetic rounds to
/// the parameters' dtype. Where one side is a tensor the result is.
class LineNumber {
public:
    LineNumber(double value = 0) : m_value(value) {}  // NOLINT(google-explicit-constructor)
    /// An element of a tensor; waits for a device.
    static LineNumber of(const at::Tensor& element);
    static LineNumber ofTensor(double value, bool single) { return {value, true, single}; }

    double value() const { return m_value; }
    LineNumber operator-() const { return {-m_value, m_isTensor, m_single}; }
    LineNumber operator+(const LineNumber& other) const {
        return combine(other, [](auto a, auto b) { return a + b; });
    }
    LineNumber operator-(const LineNumber& other) const {
        return combine(other, [](auto a, auto b) { return a - b; });
    }
    LineNumber operator*(const LineNumber& other) const {
        return combine(other, [](auto a, auto b) { return a * b; });
    }
    /// A number of its own by a tensor is the tensor's reciprocal times the number there.
    LineNumber operator/(const LineNumber& other) const {
        return !m_isTensor && other.m_isTensor ? LineNumber(1.0, true, other.m_single).over(other) * *this
                                               : over(other);
    }
    bool operator<(const LineNumber& other) const {
        return compare(other, [](auto a, auto b) { return a < b; });
    }
    bool operator>(const LineNumber& other) const { return other < *this; }
    bool operator<=(const LineNumber& other) const {
        return compare(other, [](auto a, auto b) { return a <= b; });
    }
    bool operator>=(const LineNumber& other) const { return other <= *this; }
    LineNumber root() const {
        return {m_single ? static_cast<double>(std::sqrt(static_cast<float>(m_value))) : std::sqrt(m_value), m_isTensor,
                m_single};
    }
    LineNumber abs() const { return {std::abs(m_value), m_isTensor, m_single}; }
    /// As Python's: the first where the two do not differ or cannot be compared.
    static LineNumber least(const LineNumber& a, const LineNumber& b) { return b < a ? b : a; }
    static LineNumber most(const LineNumber& a, const LineNumber& b) { return b > a ? b : a; }

private:
    LineNumber(double value, bool isTensor, bool single)
        : m_value(value), m_isTensor(isTensor), m_single(isTensor && single) {}
    LineNumber over(const LineNumber& other) const {
        return combine(other, [](auto a, auto b) { return a / b; });
    }
    template <typename Of>
    LineNumber combine(const LineNumber& other, Of of) const {
        const bool single = m_single || other.m_single;
        return {single ? static_cast<double>(of(static_cast<float>(m_value), static_cast<float>(other.m_value)))
                       : of(m_value, other.m_value),
                m_isTensor || other.m_isTensor, single};
    }
    template <typename Of>
    bool compare(const LineNumber& other, Of of) const {
        return m_single || other.m_single ? of(static_cast<float>(m_value), static_cast<float>(other.m_value))
                                          : of(m_value, other.m_value);
    }

    double m_value;
    bool m_isTensor = false;
    bool m_single = false;  ///< float32
};

/// Loss and gradient, as one vector, after a step of this length from where the search began. The parameters are put
/// back.
struct LinePoint {
    double loss = 0;
    at::Tensor gradient;
};
using LineFunction = std::function<LinePoint(const LineNumber& length)>;

struct LineSearchResult {
    LinePoint point;
    LineNumber length;
    std::int64_t evaluations = 0;
};

/// A length for which the strong Wolfe conditions hold (c1 = 1e-4, c2 = 0.9), or the best after `most` evaluations.
/// `slope`: start.gradient · direction.
LineSearchResult searchStrongWolfe(const LineFunction& at, LineNumber length, const at::Tensor& direction,
                                   const LinePoint& start, const LineNumber& slope, double toleranceChange,
                                   std::int64_t most);

}  // namespace plumbline::train
