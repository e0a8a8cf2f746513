#pragma once
// Where a checkpoint is, and whether two hold the same bits.

#include <filesystem>

#include "core/error.h"
#include "session/engine.h"

namespace plumbline::train {

Result<session::CheckpointFacts> checkpointFacts(const std::filesystem::path& file);
/// All tensors: weights, buffers, optimizer state, gradients of an open step, generators; and the state of the gradient
/// scaler.
Result<session::CheckpointComparison> compareCheckpoints(const std::filesystem::path& a,
                                                         const std::filesystem::path& b);

}  // namespace plumbline::train
