#pragma once
// Files of named tensors as PyTorch reads them, and batches as tensors.

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "data/host_batch.h"

namespace plumbline::exporting {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// A dictionary that torch.load(file, weights_only=True) reads in Python and torch::pickle_load in C++: plain
/// containers and tensors alone. Tensors are written contiguous and detached; order is kept.
Status writeTensorFile(const std::filesystem::path& file, const NamedTensors& tensors);
Result<NamedTensors> readTensorFile(const std::filesystem::path& file);

/// "input.<name>" and "target.<name>" of a batch; views of its memory, which the tensors keep alive.
NamedTensors toTensors(const data::HostBatch& batch);
at::Tensor toTensor(const data::HostTensor& tensor);

}  // namespace plumbline::exporting
