#pragma once
// Shapes whose dimensions may be unknown until a batch is there: "B", "T", "2*T+1".

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"

namespace plumbline::graph {

/// One dimension: a whole number, a symbol, or + - * // arithmetic on them, kept in a canonical form so that equal
/// expressions compare equal (a polynomial over symbols; a floor division that does not come out even is an opaque
/// term).
class Dim {
public:
    using Monomial = std::vector<std::string>;  ///< sorted symbols; a symbol squared stands twice

    Dim() = default;          ///< 0
    Dim(std::int64_t value);  // NOLINT(google-explicit-constructor): a number is a dimension
    static Dim symbol(const std::string& name);

    bool isConstant() const;
    /// The value when constant.
    std::optional<std::int64_t> constant() const;
    /// The value with the symbols replaced; nothing when one is missing or the value does not fit 64 bits.
    std::optional<std::int64_t> evaluate(const std::map<std::string, std::int64_t>& symbols) const;
    std::string toString() const;
    std::size_t termCount() const { return m_terms.size(); }
    /// True when 2^62 or more has come up on the way: the number is then no longer exact.
    bool overflowed() const;
    /// Reads what toString() writes: whole numbers, symbols, + - * // and parentheses.
    static Result<Dim> parse(const std::string& text);

    friend Dim operator+(const Dim& a, const Dim& b);
    friend Dim operator-(const Dim& a, const Dim& b);
    friend Dim operator*(const Dim& a, const Dim& b);
    /// Floor division; `b` is not zero.
    friend Dim floorDivide(const Dim& a, const Dim& b);
    friend bool operator==(const Dim& a, const Dim& b) = default;

private:
    std::map<Monomial, std::int64_t> m_terms;  ///< coefficient of each monomial; no zero coefficients
};

struct TensorType {
    DType dtype = DType::kFloat32;
    std::vector<Dim> dims;

    std::size_t rank() const { return dims.size(); }
    /// "B, 16, 8, 8"
    std::string shapeText() const;
    Dim elementCount() const;
    friend bool operator==(const TensorType&, const TensorType&) = default;
};

}  // namespace plumbline::graph
