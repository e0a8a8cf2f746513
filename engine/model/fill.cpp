#include "model/fill.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/diag.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace plumbline::model {

Fans fansOf(const at::Tensor& tensor) {
    if (tensor.dim() < 2) {
        throw std::invalid_argument("Fan in and fan out need a tensor with at least two dimensions.");
    }
    std::int64_t field = 1;
    for (std::int64_t dim = 2; dim < tensor.dim(); ++dim) {
        field *= tensor.size(dim);
    }
    return {tensor.size(1) * field, tensor.size(0) * field};
}

double gainOf(const std::string& nonlinearity, double slope) {
    if (nonlinearity == "linear" || nonlinearity == "sigmoid" || nonlinearity.starts_with("conv")) {
        return 1.0;
    }
    if (nonlinearity == "tanh") {
        return 5.0 / 3.0;
    }
    if (nonlinearity == "relu") {
        return std::sqrt(2.0);
    }
    if (nonlinearity == "leaky_relu") {
        return std::sqrt(2.0 / (1.0 + std::pow(slope, 2.0)));
    }
    if (nonlinearity == "selu") {
        return 3.0 / 4.0;
    }
    throw std::invalid_argument(fmt::format("There is no gain for the nonlinearity {}.", nonlinearity));
}

void fillConstant(const at::Tensor& tensor, double value) {
    const at::NoGradGuard noGrad;
    tensor.fill_(value);
}

void fillUniform(const at::Tensor& tensor, double low, double high) {
    const at::NoGradGuard noGrad;
    tensor.uniform_(low, high);
}

void fillNormal(const at::Tensor& tensor, double mean, double std) {
    const at::NoGradGuard noGrad;
    tensor.normal_(mean, std);
}

namespace {

double normalCdf(double x) {
    return (1.0 + std::erf(x / std::sqrt(2.0))) / 2.0;
}

/// Rejection from the normal distribution: cheap while most draws fall inside the bounds.
void redrawOutside(const at::Tensor& tensor, double mean, double std, double low, double high) {
    const auto representable = [&](double value) { return at::empty({}, tensor.options()).fill_(value).item(); };
    const at::Scalar lowest = representable(low);
    const at::Scalar highest = representable(high);
    at::Tensor result = tensor.normal_(mean, std);
    for (;;) {
        const at::Tensor outside = result.lt(lowest).logical_or(result.gt(highest));
        if (!outside.any().item<bool>()) {
            break;
        }
        result = at::where(outside, at::empty_like(result).normal_(mean, std), result);
    }
    if (!result.is_same(tensor)) {
        tensor.copy_(result);
    }
}

/// Rejection from the uniform distribution, for bounds in the tail.
void rejectUniform(const at::Tensor& tensor, double mean, double std, double low, double high) {
    const double mode = std::max(low, std::min(mean, high));
    const double logPeak = -0.5 * std::pow((mode - mean) / std, 2.0);
    at::Tensor candidates = at::empty_like(tensor);
    at::Tensor accept = at::empty_like(tensor);
    const auto toLogDensity = [&] { candidates.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(logPeak); };

    tensor.uniform_(low, high);
    candidates.copy_(tensor);
    toLogDensity();
    at::Tensor pending = accept.uniform_().log_().gt(candidates);
    at::Tensor result = tensor;
    while (pending.any().item<bool>()) {
        candidates.uniform_(low, high);
        result = at::where(pending, candidates, result);
        toLogDensity();
        pending = at::where(pending, accept.uniform_().log_().gt(candidates), pending);
    }
    if (!result.is_same(tensor)) {
        tensor.copy_(result);
    }
}

}  // namespace

void fillTruncatedNormal(const at::Tensor& tensor, double mean, double std, double low, double high) {
    const at::NoGradGuard noGrad;
    const double inside = normalCdf((high - mean) / std) - normalCdf((low - mean) / std);
    if (inside > 0.3) {
        redrawOutside(tensor, mean, std, low, high);
    } else {
        rejectUniform(tensor, mean, std, low, high);
    }
}

namespace {

/// Standard deviation of both Kaiming schemes; nothing to do for an empty tensor is told by 0.
double kaimingStd(const at::Tensor& tensor, double slope, bool fanOut, const std::string& nonlinearity) {
    const Fans fans = fansOf(tensor);
    return gainOf(nonlinearity, slope) / std::sqrt(static_cast<double>(fanOut ? fans.out : fans.in));
}

double xavierStd(const at::Tensor& tensor, double gain) {
    const Fans fans = fansOf(tensor);
    return gain * std::sqrt(2.0 / static_cast<double>(fans.in + fans.out));
}

}  // namespace

void fillKaimingUniform(const at::Tensor& tensor, double slope, bool fanOut, const std::string& nonlinearity) {
    if (tensor.numel() == 0) {
        return;
    }
    const double bound = std::sqrt(3.0) * kaimingStd(tensor, slope, fanOut, nonlinearity);
    fillUniform(tensor, -bound, bound);
}

void fillKaimingNormal(const at::Tensor& tensor, double slope, bool fanOut, const std::string& nonlinearity) {
    if (tensor.numel() != 0) {
        fillNormal(tensor, 0.0, kaimingStd(tensor, slope, fanOut, nonlinearity));
    }
}

void fillXavierUniform(const at::Tensor& tensor, double gain) {
    const double bound = std::sqrt(3.0) * xavierStd(tensor, gain);
    fillUniform(tensor, -bound, bound);
}

void fillXavierNormal(const at::Tensor& tensor, double gain) {
    fillNormal(tensor, 0.0, xavierStd(tensor, gain));
}

void fillOrthogonal(const at::Tensor& tensor, double gain) {
    if (tensor.dim() < 2) {
        throw std::invalid_argument("An orthogonal start needs a tensor with at least two dimensions.");
    }
    if (tensor.numel() == 0) {
        return;
    }
    const at::NoGradGuard noGrad;
    const std::int64_t rows = tensor.size(0);
    const std::int64_t columns = tensor.numel() / rows;
    at::Tensor flattened = at::empty({rows, columns}, tensor.options()).normal_(0.0, 1.0);
    if (rows < columns) {
        flattened.t_();
    }
    auto [q, r] = at::linalg_qr(flattened);
    q.mul_(at::diag(r, 0).sign());
    if (rows < columns) {
        q.t_();
    }
    tensor.view_as(q).copy_(q);
    tensor.mul_(gain);
}

void fillLikeLinear(const at::Tensor& weight, const at::Tensor& bias) {
    fillKaimingUniform(weight, std::sqrt(5.0), false, "leaky_relu");
    if (bias.defined()) {
        const std::int64_t fanIn = fansOf(weight).in;
        const double bound = fanIn > 0 ? 1.0 / std::sqrt(static_cast<double>(fanIn)) : 0.0;
        fillUniform(bias, -bound, bound);
    }
}

}  // namespace plumbline::model
