// KLDivLoss, PoissonNLLLoss and GaussianNLLLoss of torch.nn: how likely a distribution makes what was seen.

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/kl_div.h>
#include <ATen/ops/log.h>
#include <ATen/ops/poisson_nll_loss.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "train/losses/all_losses.h"
#include "train/losses/support.h"

namespace plumbline::train {
namespace {

class Divergence final : public losses::ElementWise {
public:
    explicit Divergence(const plan::LossSpec& spec) : ElementWise(spec.type), m_logTarget(spec.flag("log_target")) {}

protected:
    at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        return at::kl_div(prediction, target, reduction, m_logTarget);
    }

private:
    bool m_logTarget;
};

class Poisson final : public losses::ElementWise {
public:
    explicit Poisson(const plan::LossSpec& spec)
        : ElementWise(spec.type),
          m_logInput(spec.flag("log_input")),
          m_full(spec.flag("full")),
          m_eps(spec.number("eps")) {}

protected:
    at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        return at::poisson_nll_loss(prediction, target, m_logInput, m_full, m_eps, reduction);
    }

private:
    bool m_logInput, m_full;
    double m_eps;
};

/// As torch.nn.functional.gaussian_nll_loss: the variance is raised to eps without a trace in the gradient.
class Gaussian final : public losses::ElementWise {
public:
    explicit Gaussian(const plan::LossSpec& spec)
        : ElementWise(spec.type), m_full(spec.flag("full")), m_eps(spec.number("eps")) {}

    Status fits(const LossOperands& operands) const override {
        const at::Tensor& mean = operands.prediction();
        if (!varianceLike(mean, operands.outputs[1]).defined()) {
            return losses::misfit(fmt::format("GaussianNLLLoss got an output {} and a variance {}; it wants one of the "
                                              "output's shape, or one number for all of the last dimension.",
                                              losses::shapeText(mean), losses::shapeText(operands.outputs[1])),
                                  "Give both outputs the same shape.");
        }
        return ElementWise::fits(operands);
    }

protected:
    at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        const at::Tensor given = varianceLike(prediction, all.outputs[1]).to(prediction.scalar_type());
        if (given.lt(0).any().item<bool>()) {
            throw std::invalid_argument(
                "the variance that GaussianNLLLoss was given is below 0 somewhere; make that output positive, as with "
                "Sigmoid");
        }
        const at::Tensor variance = given.clone();
        {
            const at::NoGradGuard noGrad;
            variance.clamp_min_(m_eps);
        }
        at::Tensor each = (variance.log() + (prediction - target).square() / variance) * 0.5;
        if (m_full) {
            each = each + 0.5 * std::log(2 * std::numbers::pi);
        }
        return losses::reduce(each, reduction);
    }

private:
    /// Undefined where the shapes do not belong together.
    static at::Tensor varianceLike(const at::Tensor& mean, const at::Tensor& variance) {
        if (variance.sizes() == mean.sizes()) {
            return variance;
        }
        if (mean.dim() > 1 && variance.sizes() == mean.sizes().slice(0, static_cast<std::size_t>(mean.dim() - 1))) {
            return variance.unsqueeze(-1);
        }
        const bool last = variance.dim() == mean.dim() && mean.dim() > 1 && variance.size(-1) == 1 &&
                          variance.sizes().slice(0, static_cast<std::size_t>(mean.dim() - 1)) ==
                              mean.sizes().slice(0, static_cast<std::size_t>(mean.dim() - 1));
        return last ? variance : at::Tensor();
    }

    bool m_full;
    double m_eps;
};

}  // namespace

Result<std::unique_ptr<Loss>> makeKLDiv(const LossRequest& request) {
    return std::make_unique<Divergence>(request.spec);
}
Result<std::unique_ptr<Loss>> makePoissonNLL(const LossRequest& request) {
    return std::make_unique<Poisson>(request.spec);
}
Result<std::unique_ptr<Loss>> makeGaussianNLL(const LossRequest& request) {
    return std::make_unique<Gaussian>(request.spec);
}

}  // namespace plumbline::train
