#pragma once
// One example of one block, resolved and built.

#include <ATen/core/Tensor.h>
#include <memory>
#include <string>
#include <vector>

#include "graph/block_type.h"
#include "graph/resolve.h"
#include "model/model.h"

namespace plumbline::model::testing {

struct ConformanceCase {
    const graph::BlockType* type = nullptr;
    graph::BlockExample example;
    std::string label;  ///< "Conv2d/0"
    graph::ResolvedModel resolved;

    const graph::ResolvedNode& node() const { return resolved.nodes.front(); }
    std::vector<std::string> outputNames() const;
    graph::EmitRequest emitRequest(const std::string& name) const;
    /// The example's inputs, the same for the same case; floating ones with requires_grad where asked.
    std::vector<at::Tensor> inputs(bool requiresGrad) const;
    std::unique_ptr<Model> build() const;
};

/// Every example of every registered block.
const std::vector<ConformanceCase>& conformanceCases();

/// What one call gave: outputs, gradients by name ("input0", "weight", …), state afterwards.
struct Observed {
    std::vector<at::Tensor> outputs;
    std::vector<std::pair<std::string, at::Tensor>> gradients;
    std::vector<std::pair<std::string, at::Tensor>> state;
};

/// A value to differentiate: weighted sums of the floating outputs, undefined when there is nothing to differentiate.
at::Tensor scalarOf(const std::vector<at::Tensor>& outputs);
/// Forward (and backward when training) of the built model from its initial state with a fixed seed.
Observed observe(const ConformanceCase& one, bool training);
/// Expects equality within 1e-6 relative to max(1, |reference|), of values, dtypes and shapes.
void expectSame(const Observed& got, const Observed& wanted);

constexpr std::uint64_t kStateSeed = 11;
constexpr std::uint64_t kCallSeed = 23;

}  // namespace plumbline::model::testing
