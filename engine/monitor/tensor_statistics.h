#pragma once
// Size of many tensors at once: square norm, largest magnitude, how many values are not finite.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <vector>

namespace plumbline::monitor {

struct TensorStatistics {
    double sumOfSquares = 0;  ///< infinite or NaN where a value is
    double maxAbs = 0;        ///< of the finite values
    std::int64_t nonFinite = 0;
};

/// Of one tensor. float32 on the CPU takes one pass at memory speed and allocates nothing.
TensorStatistics statisticsOf(const at::Tensor& tensor);

/// Of each tensor; an undefined one gives zeros. On a device there is one wait for all of them.
void statisticsOf(const std::vector<at::Tensor>& tensors, std::vector<TensorStatistics>& result);

/// Square norm of (after - before), both float32 on the CPU and of the same layout.
double squaredDistance(const float* after, const float* before, std::int64_t count);

/// Whether every element is zero.
bool isAllZero(const at::Tensor& tensor);
/// How many elements are NaN or infinite.
std::int64_t countNonFinite(const at::Tensor& tensor);

}  // namespace plumbline::monitor
