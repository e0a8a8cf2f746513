#pragma once
// Clipping of gradients: by their total norm and by value as torch.nn.utils has it, and adaptively (Brock et al. 2021).

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

/// Brings every element into -clipValue … clipValue, as clip_grad_value_. NaN stays.
void clipGradValue(const std::vector<at::Tensor>& gradients, double clipValue);

/// Adaptive gradient clipping (Brock et al. 2021, "High-Performance Large-Scale Image Recognition Without
/// Normalization", eq. 3): a unit's gradient G becomes G · factor · max(|W|, eps) / |G| where |G| is above factor ·
/// max(|W|, eps). Units are the entries of the first dimension; a parameter of one dimension or none is one unit.
/// Parameters without a gradient are left out. Nothing is read back.
void clipAdaptively(const std::vector<at::Tensor>& parameters, double factor, double eps);

}  // namespace plumbline::train
