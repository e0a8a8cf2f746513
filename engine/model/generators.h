#pragma once
// The state of LibTorch's random generators, for exact resume and for running a block again.

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"

namespace plumbline::model {

/// "cpu", and "cuda:0" … where CUDA is in use: uint8 tensors.
using GeneratorStates = std::map<std::string, at::Tensor>;

GeneratorStates saveGenerators();
/// Generators that are not there any more are passed over. Throws what LibTorch throws for a state that is none.
void restoreGenerators(const GeneratorStates& states);

/// The same to go back to within the process, many times as fast: one of each kind of device after the other.
using GeneratorCopies = std::vector<at::Generator>;
void copyGenerators(GeneratorCopies& into);
void restoreGenerators(const GeneratorCopies& copies);

}  // namespace plumbline::model
