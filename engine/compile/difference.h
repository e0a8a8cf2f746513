#pragma once
// Whether compiled code gives what the leaves give.

#include <ATen/core/Tensor.h>
#include <string>
#include <vector>

namespace plumbline::compile {

/// max|Δ| over max|reference| of the finite values, a tensor at a time; whole numbers and truth values have to be
/// equal.
constexpr double kBound = 1e-5;

struct Difference {
    double largest = 0;   ///< over all tensors; infinite where only one side is finite
    std::string refusal;  ///< "" = within the bound; else what is wrong, as the end of a sentence
};

/// May throw what LibTorch throws.
Difference differenceOf(const std::vector<at::Tensor>& reference, const std::vector<at::Tensor>& other);

/// Of [B, C, …]: positions whose largest value has another place among the C.
std::int64_t otherClasses(const at::Tensor& reference, const at::Tensor& other);

}  // namespace plumbline::compile
