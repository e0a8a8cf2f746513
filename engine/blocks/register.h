#pragma once
// The leaf block types that come with the program.

#include "graph/block_type.h"

namespace plumbline::blocks {

/// Adds every built-in type, in palette order.
void registerBlocks(graph::BlockRegistry& registry);
/// One registry with all of them, made on first use; safe to read from any thread.
const graph::BlockRegistry& builtinBlocks();

}  // namespace plumbline::blocks
