#pragma once
// The formula of an ExpressionLoss as a C++ expression.

#include <string>
#include <vector>

#include "core/error.h"

namespace plumbline::codegen {

/// An expression of `outputs` and `batch` that gives one number. `outputs`: names of the model's; other names are
/// targets.
Result<std::string> formulaSource(const std::string& formula, const std::vector<std::string>& outputs,
                                  const std::string& pointer);

}  // namespace plumbline::codegen
