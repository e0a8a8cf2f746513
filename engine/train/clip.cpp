#include "train/clip.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_clamp_max.h>
#include <ATen/ops/_foreach_clamp_min.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <numeric>

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
    const double factor =
        gradients.front().scalar_type() == at::kDouble
            ? 1 / (total + 1e-6) * maxNorm
            : static_cast<double>(1 / (static_cast<float>(total) + 1e-6F) * static_cast<float>(maxNorm));
    // Written so that a NaN total makes the gradients NaN, as it does in PyTorch.
    if (!(factor >= 1)) {
        at::_foreach_mul_(gradients, factor);
    }
}

void clipGradValue(const std::vector<at::Tensor>& gradients, double clipValue) {
    if (gradients.empty()) {
        return;
    }
    const at::NoGradGuard noGrad;
    at::_foreach_clamp_min_(gradients, -clipValue);
    at::_foreach_clamp_max_(gradients, clipValue);
}

namespace {

/// The norm of each unit, in a shape that goes with the tensor's.
at::Tensor unitNorms(const at::Tensor& tensor) {
    if (tensor.dim() <= 1) {
        return at::linalg_vector_norm(tensor, 2);
    }
    std::vector<std::int64_t> dims(static_cast<std::size_t>(tensor.dim()) - 1);
    std::iota(dims.begin(), dims.end(), 1);
    return at::linalg_vector_norm(tensor, 2, dims, true);
}

/// No gradient that is clipped has a smaller norm; what is smaller is not divided by.
constexpr double kSmallestNorm = 1e-6;

}  // namespace

void clipAdaptively(const std::vector<at::Tensor>& parameters, double factor, double eps) {
    const at::NoGradGuard noGrad;
    for (const at::Tensor& parameter : parameters) {
        const at::Tensor& gradient = parameter.grad();
        if (!gradient.defined() || gradient.numel() == 0) {
            continue;
        }
        const at::Tensor largest = unitNorms(parameter).clamp_min_(eps).mul_(factor);
        const at::Tensor norms = unitNorms(gradient);
        const at::Tensor share = largest.div(norms.clamp_min(kSmallestNorm));
        at::Tensor live = gradient;
        live.mul_(at::where(norms.gt(largest), share, at::scalar_tensor(1.0, share.options())));
    }
}

}  // namespace plumbline::train
