#pragma once
// A model's tensors as a tree of TorchScript modules; TorchScript source (codegen/script_source.h) is defined on it.

#include <torch/csrc/jit/api/module.h>
#include <set>

#include "model/model.h"

namespace plumbline::compile {

/// Holds the live tensors under the model's own names, with the attribute `training` at every module; in training mode.
/// `leaves`: the nodes whose state is wanted; nullptr: all. May throw what LibTorch throws.
torch::jit::Module makeScriptModule(const model::Model& model, const std::set<int>* leaves = nullptr);

}  // namespace plumbline::compile
