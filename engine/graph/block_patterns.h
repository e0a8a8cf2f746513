#pragma once
// Blocks of a resolved model by pattern, and those that make its outputs.

#include <string>
#include <vector>

#include "graph/resolve.h"

namespace plumbline::graph {

/// Leaves (indices in ResolvedModel::nodes) whose path, or the path of a block that they are in, matches a pattern of
/// the shell: "encoder" and "encoder.*" both name all of encoder's.
std::vector<int> blocksMatching(const ResolvedModel& model, const std::string& pattern);

/// Blocks (indices in ResolvedModel::tree) whose own path matches a pattern, without those within another one that
/// does. Of a chain of repeated blocks its members.
std::vector<int> outermostMatching(const ResolvedModel& model, const std::string& pattern);
/// The leaves of a block (an index in ResolvedModel::tree), in the order that it was made in; of a leaf itself.
std::vector<int> leavesOf(const ResolvedModel& model, int block);

/// Whether a leaf runs native code of a file (core/aoti_package.h): there is no source of it, and nothing flows back
/// through it.
bool runsPackage(const ResolvedNode& node);

/// Whether gradients end at a leaf, whatever it is given.
bool stopsGradients(const ResolvedNode& node);

/// For each output the last leaf with parameters on the way to it, and what follows it there, as far back as leaves
/// have one input: the output layer and its activation.
std::vector<int> outputBlocks(const ResolvedModel& model);

}  // namespace plumbline::graph
