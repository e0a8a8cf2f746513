#pragma once
// Size of many tensors at once: square norm, largest magnitude, how many values are not finite.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <vector>

#include "cuda/gradient_statistics.h"

namespace plumbline::monitor {

/// The sum and the largest value are over what is finite.
using TensorStatistics = cuda::GradientStatistics;

/// Of one tensor; zeros for one that is undefined or holds no floating-point numbers.
TensorStatistics statisticsOf(const at::Tensor& tensor);
/// Of each tensor, in order. On a device there is one wait for all of them.
void statisticsOf(const std::vector<at::Tensor>& tensors, std::vector<TensorStatistics>& result);

/// Whether every element is zero.
bool isAllZero(const at::Tensor& tensor);
/// How many elements are NaN or infinite.
std::int64_t countNonFinite(const at::Tensor& tensor);

}  // namespace plumbline::monitor
