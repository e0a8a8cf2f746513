#pragma once
// Clipping of gradients by their total norm, as torch.nn.utils.clip_grad_norm_.

#include <ATen/core/Tensor.h>
#include <vector>

namespace plumbline::train {

/// The p-norm over all gradients taken as one vector (p = infinity: the largest absolute value). 0 without gradients.
/// One element on the gradients' device; nothing is read back.
at::Tensor totalNorm(const std::vector<at::Tensor>& gradients, double normType);

/// Multiplies the gradients by min(1, maxNorm / (total + 1e-6)), as PyTorch does, and gives the total norm from before.
/// On the CPU the multiplication is left out where the factor is 1; on a device it is not, so as not to wait for it.
at::Tensor clipGradNorm(const std::vector<at::Tensor>& gradients, double maxNorm, double normType);

/// The same where the total is already known.
void clipByKnownNorm(const std::vector<at::Tensor>& gradients, double maxNorm, double total);

}  // namespace plumbline::train
