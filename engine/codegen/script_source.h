#pragma once
// The model as TorchScript source: one forward that calls torch operators on the state of a module tree whose names
// are the model's own. torch::jit::Module::define compiles it.

#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "graph/resolve.h"

namespace plumbline::codegen {

/// Some leaves of a model, with what flows in and out.
struct ScriptPart {
    std::vector<int> nodes;                                      ///< in the order of execution
    std::vector<std::pair<std::string, graph::ValueId>> inputs;  ///< name → value
    std::vector<std::pair<std::string, graph::ValueId>> outputs;
};

/// "def forward(self, image: Tensor) -> Tensor: …". Several outputs come as a tuple in the graph's order.
Result<std::string> scriptSource(const graph::ResolvedModel& model, const graph::BlockRegistry& registry);
/// The same of a part alone.
Result<std::string> scriptSource(const graph::ResolvedModel& model, const graph::BlockRegistry& registry,
                                 const ScriptPart& part);

}  // namespace plumbline::codegen
