#pragma once
// The state of LibTorch's random generators, for exact resume.

#include <ATen/core/Tensor.h>
#include <map>
#include <string>

#include "core/error.h"

namespace plumbline::train {

/// "cpu", and "cuda:0" … where CUDA is in use: uint8 tensors.
using GeneratorStates = std::map<std::string, at::Tensor>;

GeneratorStates saveGenerators();
/// Generators that are not there any more are passed over. Throws what LibTorch throws for a state that is none.
void restoreGenerators(const GeneratorStates& states);

}  // namespace plumbline::train
