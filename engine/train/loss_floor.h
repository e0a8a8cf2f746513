#pragma once
// How low the losses can get on a batch: what is learnt by heart comes down to it, and not always to 0.

#include <ATen/core/Tensor.h>
#include <optional>
#include <vector>

#include "core/error.h"
#include "plan/plan.h"
#include "train/objective.h"

namespace plumbline::train {

/// The sum of what each loss is at the outputs that suit it best: with label_smoothing or soft targets the entropy of
/// what is told. Losses of one output may not get there together; lower than that none gets. `outputs`: any of the
/// model for the batch, for their shapes. Nothing where a loss has no lowest value, or none that is known: a formula, a
/// likelihood with a variance of its own. May throw what LibTorch throws.
Result<std::optional<double>> lowestLoss(const plan::TrainingPlan& plan, const BindingNames& names,
                                         const std::vector<at::Tensor>& outputs,
                                         const std::vector<at::Tensor>& targets);

}  // namespace plumbline::train
