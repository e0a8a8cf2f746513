#pragma once
// Which block makes the values of an output.

#include <string>

#include "graph/resolve.h"

namespace plumbline::graph {

/// Blocks through which a value passes without being changed in a way that matters to a loss or a metric.
bool isTransparent(const std::string& type);
/// The type of the block that makes a value, those that only pass it on left out: "Sigmoid" for a Sigmoid with Flatten
/// behind it. "" where an input of the model is what arrives, or nothing does.
std::string makerOf(const ResolvedModel& model, ValueId value);

}  // namespace plumbline::graph
