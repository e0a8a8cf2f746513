#pragma once
// The leaves of the attention family that tell positions apart.

#include "model/leaf.h"

namespace plumbline::model {

/// PositionalEncoding and LearnedPositionalEncoding; called by addAttentionLeaves().
void addPositionLeaves(LeafBuilders& builders);

}  // namespace plumbline::model
