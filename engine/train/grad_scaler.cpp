#include "train/grad_scaler.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

namespace plumbline::train {

GradScaler::GradScaler(const plan::GradScalerSpec& spec, at::Device device) : m_spec(spec) {
    const at::TensorOptions options = at::TensorOptions().device(device);
    m_scale = at::full({}, spec.initScale, options.dtype(at::kFloat));
    m_growthTracker = at::zeros({}, options.dtype(at::kInt));
    m_foundInf = at::zeros({}, options.dtype(at::kFloat));
}

at::Tensor GradScaler::scale(const at::Tensor& loss) const { return loss.mul(m_scale); }

Status GradScaler::unscale(const std::vector<at::Tensor>& parameters) {
    if (m_stage != Stage::kReady) {
        return fail(ErrorKind::kRunFailed, "unscale-twice",
                    m_stage == Stage::kUnscaled ? "The gradients have already been unscaled since the last update."
                                                : "The gradients are unscaled after the optimizer has stepped.",
                    "", "Call unscale once a step, before clip and step.");
    }
    const at::NoGradGuard noGrad;
    m_gradients.clear();
    for (const at::Tensor& parameter : parameters) {
        if (const at::Tensor& gradient = parameter.grad(); gradient.defined()) {
            m_gradients.push_back(gradient);
        }
    }
    m_foundInf.zero_();
    if (!m_gradients.empty()) {
        // PyTorch takes the reciprocal in double and rounds once.
        const at::Tensor inverse = m_scale.to(at::kDouble).reciprocal().to(at::kFloat);
        at::_amp_foreach_non_finite_check_and_unscale_(m_gradients, m_foundInf, inverse);
        m_gradients.clear();
    }
    m_stage = Stage::kUnscaled;
    return {};
}

Result<bool> GradScaler::step(Optimizer& optimizer) {
    if (m_stage == Stage::kStepped) {
        return fail(ErrorKind::kRunFailed, "step-twice", "The optimizer has already stepped since the scaler's last update.", "",
                    "Call update after each step.");
    }
    if (m_stage == Stage::kReady) {
        PLUMBLINE_TRY(unscale(optimizer.parameters()));
    }
    const bool applied = !foundInf();
    if (applied) {
        optimizer.step();
    }
    m_stage = Stage::kStepped;
    return applied;
}

void GradScaler::update() {
    const at::NoGradGuard noGrad;
    at::_amp_update_scale_(m_scale, m_growthTracker, m_foundInf, m_spec.growthFactor, m_spec.backoffFactor, m_spec.growthInterval);
    m_foundInf.zero_();
    m_stage = Stage::kReady;
}

void GradScaler::forgetUpdate() { m_stage = Stage::kReady; }

double GradScaler::currentScale() const { return m_scale.item<double>(); }
std::int64_t GradScaler::growthTracker() const { return m_growthTracker.item<std::int64_t>(); }
bool GradScaler::foundInf() const { return m_foundInf.item<float>() != 0; }

Json GradScaler::saveState() const {
    return {{"scale", currentScale()},
            {"growth_factor", m_spec.growthFactor},
            {"backoff_factor", m_spec.backoffFactor},
            {"growth_interval", m_spec.growthInterval},
            {"_growth_tracker", growthTracker()}};
}

Status GradScaler::loadState(const Json& state) {
    JsonObject object(state, "/grad_scaler");
    const double scale = object.number("scale", m_spec.initScale);
    m_spec.growthFactor = object.number("growth_factor", m_spec.growthFactor);
    m_spec.backoffFactor = object.number("backoff_factor", m_spec.backoffFactor);
    m_spec.growthInterval = object.integer("growth_interval", m_spec.growthInterval);
    const std::int64_t tracker = object.integer("_growth_tracker", 0);
    PLUMBLINE_TRY(object.finish());
    m_scale.fill_(scale);
    m_growthTracker.fill_(tracker);
    m_foundInf.zero_();
    m_stage = Stage::kReady;
    return {};
}

}  // namespace plumbline::train
