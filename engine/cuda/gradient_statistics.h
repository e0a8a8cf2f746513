#pragma once
// Norm, largest value and non-finite count of many tensors in one go: all gradients of a step.

#include <ATen/core/Tensor.h>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/error.h"

namespace plumbline::cuda {

/// Sums run in double precision. Values that are not finite are counted and left out of the other two.
struct GradientStatistics {
    double sumSquares = 0.0;
    double maxAbs = 0.0;
    std::int64_t nonFinite = 0;

    /// L2 norm as PyTorch gives it where all is finite; NaN where something is not.
    double norm() const { return nonFinite > 0 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(sumSquares); }
    void add(const GradientStatistics& other) {
        sumSquares += other.sumSquares;
        maxAbs = other.maxAbs > maxAbs ? other.maxAbs : maxAbs;
        nonFinite += other.nonFinite;
    }
};

/// Statistics of each tensor, in order; an undefined tensor gives zeros. float32, float64, float16 and bfloat16, dense
/// or sparse, on the CPU or on one CUDA device. The result does not depend on the number of threads. On CUDA one launch
/// of our kernel, where it was built, else LibTorch's own operators; both wait for the device. Writes into `each`,
/// whose size has to equal that of `tensors`, and allocates nothing for dense CPU tensors.
Status gradientStatistics(std::span<const at::Tensor> tensors, std::span<GradientStatistics> each);

/// All tensors together.
Result<GradientStatistics> gradientStatistics(std::span<const at::Tensor> tensors);

/// Whether the shared library with the kernel lies beside this program (it is built where nvcc is).
bool kernelLibraryAvailable();

}  // namespace plumbline::cuda
