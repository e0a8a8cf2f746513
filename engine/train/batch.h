#pragma once
// From the loader's plain memory to the tensors that model and losses take.

#include <ATen/core/Tensor.h>
#include <string>
#include <vector>

#include "core/error.h"
#include "data/dataset.h"
#include "data/host_batch.h"
#include "graph/resolve.h"

namespace plumbline::train {

/// Model inputs in the graph's order, targets in the dataset's order. Tensors on the CPU look into the HostBatch's
/// memory: it has to outlive them.
struct TensorBatch {
    std::vector<at::Tensor> inputs;
    std::vector<at::Tensor> targets;
    std::int64_t samples = 0;

    void clear() {
        inputs.clear();
        targets.clear();
        samples = 0;
    }
};

/// Finds each model input among the dataset's and converts what has another element type than the model declares.
class BatchBinder {
public:
    /// An input that the data lack is an error that names both sides.
    static Result<BatchBinder> make(const graph::ResolvedModel& graph, const data::Dataset& dataset, at::Device device);

    /// May throw what LibTorch throws. Reuses the vectors of `batch`.
    void bind(const data::HostBatch& host, TensorBatch& batch) const;
    /// The targets as they lie in the loader's memory, on the CPU.
    static std::vector<at::Tensor> hostTargets(const data::HostBatch& host);
    /// The target's place in TensorBatch::targets, or -1.
    int targetIndex(const std::string& name) const;
    const std::vector<std::string>& targetNames() const { return m_targets; }

    /// Inputs whose element type is converted at every batch: the first block that reads it, what comes, what it wants.
    struct Converted {
        int leaf = 0;
        std::string dtype, expected, input;
    };
    const std::vector<Converted>& converted() const { return m_converted; }

private:
    std::vector<std::size_t> m_inputs;         ///< model input → place in HostBatch::inputs
    std::vector<at::ScalarType> m_inputTypes;  ///< what the model declares
    std::vector<std::string> m_targets;
    std::vector<Converted> m_converted;
    at::Device m_device = at::kCPU;
};

}  // namespace plumbline::train
