#pragma once
// Text to tree for expression.cpp.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace plumbline::graph {

enum class Operation {
    kLiteral,
    kName,
    kList,
    kIndex,
    kCall,
    kConditional,
    kAnd,
    kOr,
    kNot,
    kCompare,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kFloorDivide,
    kModulo,
    kPower,
    kNegate,
    kPlus,
};

/// One step of an expression. Children are indices into Expression::steps.
struct Step {
    Operation operation = Operation::kLiteral;
    std::size_t column = 0;          ///< from 1
    Json value;                      ///< of a literal
    std::string text;                ///< name, function
    std::vector<int> children;       ///< conditional: condition, then, else
    std::vector<std::string> signs;  ///< of a comparison chain: one fewer than children
};

struct Expression {
    std::vector<Step> steps;
    int root = 0;
};

Result<Expression> parseExpression(std::string_view text);
/// "=…": what (column N): the error every part of expressions reports.
tl::unexpected<Error> expressionError(std::string_view text, std::size_t column, std::string_view what,
                                      std::string hint = {});

}  // namespace plumbline::graph
