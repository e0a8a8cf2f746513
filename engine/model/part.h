#pragma once
// Leaves that run one after the other, as one piece that other code can take the place of.

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "graph/resolve.h"

namespace plumbline::model {

struct Part {
    std::size_t first = 0, count = 0;     ///< in ResolvedModel::executionOrder
    std::vector<graph::ValueId> inputs;   ///< what it reads and does not make, in the order of reading
    std::vector<graph::ValueId> outputs;  ///< what it makes and others read, or the model gives, in the order of making
};

/// `first` + `count` is at most the number of leaves.
Part partOf(const graph::ResolvedModel& graph, std::size_t first, std::size_t count);

/// Runs in the place of a part's leaves.
class PartCode {
public:
    virtual ~PartCode() = default;
    /// Tensors in the part's order. False: it does not take these inputs, or not now, and the leaves run instead. Never
    /// throws; leaves the inputs as they are.
    virtual bool run(std::span<const at::Tensor* const> inputs, std::span<at::Tensor> outputs) = 0;
};

struct CodedPart {
    Part part;
    std::shared_ptr<PartCode> code;
};

}  // namespace plumbline::model
