#include "train/clip.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace plumbline::train {

at::Tensor totalNorm(const std::vector<at::Tensor>& gradients, double normType) {
    const at::NoGradGuard noGrad;
    if (gradients.empty()) {
        return at::zeros({});
    }
    return at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients, normType)), normType);
}

at::Tensor clipGradNorm(const std::vector<at::Tensor>& gradients, double maxNorm, double normType) {
    const at::NoGradGuard noGrad;
    at::Tensor total = totalNorm(gradients, normType);
    if (gradients.empty()) {
        return total;
    }
    if (total.is_cpu()) {
        clipByKnownNorm(gradients, maxNorm, total.item<double>());
    } else {
        const at::Tensor factor = total.add(1e-6).reciprocal().mul(maxNorm).clamp_max(1.0);
        at::_foreach_mul_(gradients, factor);
    }
    return total;
}

void clipByKnownNorm(const std::vector<at::Tensor>& gradients, double maxNorm, double total) {
    if (gradients.empty()) {
        return;
    }
    const at::NoGradGuard noGrad;
    // PyTorch computes the factor in the gradients' precision, as a reciprocal times max_norm.
    const double factor = gradients.front().scalar_type() == at::kDouble
                              ? 1 / (total + 1e-6) * maxNorm
                              : static_cast<double>(1 / (static_cast<float>(total) + 1e-6F) * static_cast<float>(maxNorm));
    // Written so that a NaN total makes the gradients NaN, as it does in PyTorch.
    if (!(factor >= 1)) {
        at::_foreach_mul_(gradients, factor);
    }
}

}  // namespace plumbline::train
