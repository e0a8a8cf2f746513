#pragma once
// Blocks of the model that training settings name by pattern.

#include <string>
#include <vector>

#include "core/error.h"
#include "graph/resolve.h"
#include "plan/plan.h"

namespace plumbline::project {

/// One flag a leaf: whether autocast leaves it in float32 (training.fp32_blocks, or the blocks that make the outputs).
/// Empty without autocast. A pattern that no block matches is an error.
Result<std::vector<char>> float32Blocks(const plan::TrainingPlan& plan, const graph::ResolvedModel& model);

/// One flag a leaf: whether it runs with gradients switched off (training.no_grad). Empty: none does. A pattern that no
/// block matches is an error.
Result<std::vector<char>> blocksWithoutGradients(const plan::TrainingPlan& plan, const graph::ResolvedModel& model);
/// One flag a leaf, from what the former gives: whether the parameters that it owns get no gradient for that, neither
/// from it nor from a leaf that shares them.
std::vector<char> ownersWithoutGradients(const std::vector<char>& gradientsOff, const graph::ResolvedModel& model);

/// A block of activation checkpointing: what is in it runs again in the backward pass.
struct CheckpointedBlock {
    std::string path;
    std::vector<int> leaves;  ///< indices in ResolvedModel::nodes
};
/// Why a block cannot run twice in a step, as the part of a sentence: "holds layers.0.bn (BatchNorm2d), whose …"; ""
/// where it can. That is so for what changes as it runs: running statistics in training mode, an Embedding with
/// max_norm.
std::string whyNotTwice(const plan::TrainingPlan& plan, const graph::ResolvedModel& model,
                        const std::vector<int>& leaves);
/// The blocks that training.activation_checkpointing.blocks names. A pattern that no block matches and a block that
/// cannot run twice are errors.
Result<std::vector<CheckpointedBlock>> checkpointedBlocks(const plan::TrainingPlan& plan,
                                                          const graph::ResolvedModel& model);

}  // namespace plumbline::project
