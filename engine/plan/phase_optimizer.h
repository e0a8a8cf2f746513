#pragma once
// What a phase of training.phases takes over from training.optimizer.

#include "core/json.h"

namespace plumbline::plan {

/// The "optimizer" of `training` with what a phase states in `own` instead; of another type it takes over what that one
/// has as well.
Json phaseOptimizer(const Json& training, const Json& own);

}  // namespace plumbline::plan
