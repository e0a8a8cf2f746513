#pragma once
// Initialisation chosen for a block; graph/init.h lists the schemes and checks them.

#include "core/json.h"
#include "model/leaf.h"

namespace plumbline::model {

/// Applies a checked scheme (null: nothing) to one leaf that has PyTorch's default values; draws from LibTorch's
/// default generator. The random schemes act on weights of two and more dimensions, so that a norm inside a composite
/// keeps its ones; constant, zeros and ones act on every weight. "bias" acts on every bias.
void applyInit(const Json& init, Leaf& leaf);

}  // namespace plumbline::model
