#pragma once
// The small language of ExpressionLoss: "mean((y - t) ** 2)". It computes with the model's outputs and the data's
// targets and does nothing else.
//
//   + - * / ** · unary + - · < <= > >= == != (1 where it holds, else 0) · numbers · names · (parentheses)
//   abs exp log sqrt square sigmoid tanh relu softplus · clamp(x, low, high) · where(condition, a, b)
//   min max (of two, element by element; of one, over all of it) · mean sum norm (over all of it, or along a dimension:
//   mean(x, 1))
//
// A name that is both an output and a target is written output.name or target.name.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace plumbline::plan {

/// One step of a formula; its operands are steps before it.
struct FormulaStep {
    enum class Kind { kNumber, kName, kCall };
    Kind kind = Kind::kNumber;
    std::size_t column = 0;     ///< from 1
    double number = 0;          ///< kNumber
    std::size_t name = 0;       ///< kName: index into LossFormula::names
    std::string text;           ///< kCall: a function, or a sign: "+", "neg", "<="
    std::vector<int> operands;  ///< kCall
};

struct FormulaName {
    std::string name;
    std::string of;          ///< "output", "target", or "" where it does not say
    std::size_t column = 0;  ///< where it first stands, from 1
};

struct LossFormula {
    std::vector<FormulaStep> steps;  ///< the last one is the result
    std::vector<FormulaName> names;  ///< each once, in the order they first stand
};

/// Length and depth are limited. An error tells the position, counted from 1.
Result<LossFormula> parseLossFormula(std::string_view text, const std::string& pointer);
/// The functions that a formula may call.
const std::vector<std::string>& formulaFunctions();

}  // namespace plumbline::plan
