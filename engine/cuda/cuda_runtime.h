#pragma once
// Making a program that links LibTorch's CPU half alone capable of CUDA while it runs.

#include <string>

#include "core/error.h"

namespace plumbline::cuda {

/// Opens libtorch_cuda.so with everything it needs, once; later calls give the first answer. Call before anything asks
/// LibTorch for CUDA, because it asks for its CUDA half only once. The error says why there is no CUDA: no driver, no
/// library, no device. Any thread.
Status loadCuda();

/// Whether loadCuda() succeeded; does not load by itself.
bool cudaLoaded();

/// Folder of the shared library or program this code is linked into.
std::string ownFolder();

}  // namespace plumbline::cuda
