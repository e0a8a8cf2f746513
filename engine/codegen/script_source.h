#pragma once
// The model as TorchScript source: one forward that calls torch operators on the state of a module tree whose names
// are the model's own. torch::jit::Module::define compiles it.

#include <string>

#include "core/error.h"
#include "graph/resolve.h"

namespace plumbline::codegen {

/// "def forward(self, image: Tensor) -> Tensor: …". Several outputs come as a tuple in the graph's order.
Result<std::string> scriptSource(const graph::ResolvedModel& model, const graph::BlockRegistry& registry);

}  // namespace plumbline::codegen
