#pragma once
// Whether the formula of an ExpressionLoss can be computed with the shapes of what it names, and gives one number.
// Without LibTorch.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "graph/tensor_type.h"
#include "plan/loss_formula.h"

namespace plumbline::project {

/// Dimensions, the batch first; nothing where they are not known.
using FormulaShape = std::optional<std::vector<graph::Dim>>;

/// `names`: of the formula's names, in their order. The rules are those of training: dimensions of size 1 are repeated,
/// one number a sample may be [B] or [B, 1], and other shapes of different length are refused. What is not known is let
/// pass. An error tells the position.
Status checkFormulaShapes(const plan::LossFormula& formula, const std::vector<FormulaShape>& names,
                          std::int64_t batchSize, const std::string& pointer);

}  // namespace plumbline::project
