#pragma once
// Blocks of a resolved model by pattern, and those that make its outputs.

#include <string>
#include <vector>

#include "graph/resolve.h"

namespace plumbline::graph {

/// Leaves (indices in ResolvedModel::nodes) whose path, or the path of a block that they are in, matches a pattern of the shell:
/// "encoder" and "encoder.*" both name all of encoder's.
std::vector<int> blocksMatching(const ResolvedModel& model, const std::string& pattern);

/// For each output the last leaf with parameters on the way to it, and what follows it there, as far back as leaves have one
/// input: the output layer and its activation.
std::vector<int> outputBlocks(const ResolvedModel& model);

}  // namespace plumbline::graph
