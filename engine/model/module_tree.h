#pragma once
// The model's tensors as LibTorch's own module tree.

#include <memory>

#include "model/model.h"

namespace plumbline::model {

/// One module a path part, holding the live tensors; may throw what LibTorch throws.
std::shared_ptr<torch::nn::Module> makeModuleTree(const Model& model);

}  // namespace plumbline::model
