#pragma once
// Blocks of the model that training settings name by pattern.

#include <string>
#include <vector>

#include "core/error.h"
#include "graph/resolve.h"
#include "plan/plan.h"

namespace plumbline::project {

/// One flag a leaf: whether autocast leaves it in float32 (training.fp32_blocks, or the blocks that make the outputs). Empty
/// without autocast. A pattern that no block matches is an error.
Result<std::vector<char>> float32Blocks(const plan::TrainingPlan& plan, const graph::ResolvedModel& model);

}  // namespace plumbline::project
