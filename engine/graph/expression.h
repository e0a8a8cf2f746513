#pragma once
// The small language of parameter values: "=channels * 2 ** index". Python's meaning, whole numbers of 64 bits.
//
//   a if c else b · or · and · not · < <= > >= == != (chains) · + - · * / // % · unary + - · ** · x[i] · min max len
//   numbers, 'texts', True False None (also true false null), [lists], (parentheses), names

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace plumbline::graph {

/// The names an expression may use. An inner scope (as the one that holds `index`) looks in its parent too.
class Scope {
public:
    explicit Scope(const Scope* parent = nullptr) : m_parent(parent) {}
    void set(std::string name, Json value);
    /// The name is known and its value is not: what uses it fails with the code "unknown-value", which is nobody's
    /// fault.
    void setUnknown(std::string name);
    /// The value, a discarded one for an unknown value, or nullptr.
    const Json* find(std::string_view name) const;
    std::vector<std::string> names() const;

private:
    const Scope* m_parent;
    std::vector<std::pair<std::string, Json>> m_values;
};

/// `text` without the leading "=". Never throws, never runs long: length and depth are limited, whole numbers that do
/// not fit 64 bits, numbers that are not finite and divisions by zero are errors. Error::message says the column.
Result<Json> evaluateExpression(std::string_view text, const Scope& scope);

/// A literal as it is; a text that starts with "=" evaluated; a list member by member.
Result<Json> evaluateValue(const Json& value, const Scope& scope);

/// True for an expression and for a list that holds one.
bool holdsExpression(const Json& value);

}  // namespace plumbline::graph
