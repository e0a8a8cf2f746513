#pragma once
// torch.nn.functional.dropout, bit for bit, several times as fast on the CPU and with a quarter of its memory.

#include <ATen/core/Tensor.h>

namespace plumbline::model {

/// What at::dropout gives from the same state of LibTorch's default generator, which ends in the same state: values are
/// zeroed with probability `p` and the others scaled by 1 / (1 - p). Draws many numbers at a time and keeps a byte a
/// value for the backward pass. Where LibTorch draws from something else than its own generator (MKL's, on other
/// processors), on other devices and for tensors that are not dense, it is at::dropout. Throws as that does.
at::Tensor applyDropout(const at::Tensor& input, double p, bool training);
/// The same in the memory of `input`, as at::dropout_.
at::Tensor& applyDropoutInPlace(at::Tensor& input, double p, bool training);

}  // namespace plumbline::model
