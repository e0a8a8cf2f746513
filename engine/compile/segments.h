#pragma once
// How a model is cut into pieces that can be compiled: at the blocks of its root canvas.

#include <string>
#include <vector>

#include "model/model.h"

namespace plumbline::compile {

/// Blocks of the root canvas whose leaves run one after the other and no other block's between them.
struct Segment {
    std::vector<std::string> blocks;   ///< one as a rule; several where their leaves take turns
    std::size_t first = 0, count = 0;  ///< in ResolvedModel::executionOrder
};
std::vector<Segment> segmentsOf(const graph::ResolvedModel& graph);

/// Why the leaves of a segment may not be compiled as the model is now; "" = they may.
std::string reasonAgainst(const Segment& segment, const model::Model& model);

/// Several in a row as one. They are not empty.
Segment joined(const std::vector<Segment>& segments, std::size_t first, std::size_t count);

/// "conv", "conv … fc"
std::string nameOf(const Segment& segment);

}  // namespace plumbline::compile
