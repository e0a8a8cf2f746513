#pragma once
// libplumbline_cuda.so, opened while the program runs.

#include <string>

#include "cuda/gradient_kernel.h"

namespace plumbline::cuda {

struct KernelLibrary {
    decltype(&plumbline_gradient_workspace) workspace = nullptr;
    decltype(&plumbline_gradient_statistics) statistics = nullptr;
    decltype(&plumbline_cuda_error) error = nullptr;
    std::string file;    ///< where it was found
    std::string reason;  ///< why it could not be opened; empty when it was
    bool ok() const { return statistics != nullptr; }
};

/// Looks beside this code, in ../lib and ../../lib of it, once.
const KernelLibrary& kernelLibrary();

}  // namespace plumbline::cuda
