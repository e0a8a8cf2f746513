#include "train/grad_scaler.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

namespace plumbline::train {

GradScaler::GradScaler(const plan::GradScalerSpec& spec, at::Device device) : m_spec(spec) {
    const at::TensorOptions options = at::TensorOptions().device(device);
    m_scale = at::full({}, spec.initScale, options.dtype(at::kFloat));
    m_growthTracker = at::zeros({}, options.dtype(at::kInt));
}

at::Tensor GradScaler::scale(const at::Tensor& loss) const {
    return loss.mul(m_scale);
}

GradScaler::Stepped& GradScaler::of(const Optimizer& optimizer) {
    for (Stepped& known : m_optimizers) {
        if (known.optimizer == &optimizer) {
            return known;
        }
    }
    return m_optimizers.emplace_back(Stepped{&optimizer, at::zeros_like(m_scale), Stage::kReady, std::nullopt});
}

Status GradScaler::unscale(const Optimizer& optimizer, const std::vector<at::Tensor>& parameters) {
    const at::NoGradGuard noGrad;
    Stepped& stepped = of(optimizer);
    if (stepped.stage != Stage::kReady) {
        return fail(ErrorKind::kRunFailed, "unscale-twice",
                    stepped.stage == Stage::kUnscaled
                        ? "The gradients have already been unscaled since the last update."
                        : "The gradients are unscaled after the optimizer has stepped.",
                    "", "Call unscale once a step, before clip and step.");
    }
    m_gradients.clear();
    for (const at::Tensor& parameter : parameters) {
        if (const at::Tensor& gradient = parameter.grad(); gradient.defined()) {
            m_gradients.push_back(gradient);
        }
    }
    if (!m_gradients.empty()) {
        // PyTorch takes the reciprocal in double and rounds once.
        const at::Tensor inverse = m_scale.to(at::kDouble).reciprocal().to(at::kFloat);
        at::_amp_foreach_non_finite_check_and_unscale_(m_gradients, stepped.foundInf, inverse);
        m_gradients.clear();
    }
    stepped.stage = Stage::kUnscaled;
    return {};
}

bool GradScaler::foundInf(const Optimizer& optimizer) {
    Stepped& stepped = of(optimizer);
    if (!stepped.found) {
        stepped.found = stepped.foundInf.item<float>() != 0;
    }
    return *stepped.found;
}

Result<bool> GradScaler::step(Optimizer& optimizer) {
    if (of(optimizer).stage == Stage::kStepped) {
        return fail(ErrorKind::kRunFailed, "step-twice",
                    "The optimizer has already stepped since the scaler's last update.", "",
                    "Call update after each step.");
    }
    if (of(optimizer).stage == Stage::kReady) {
        PLUMBLINE_TRY(unscale(optimizer));
    }
    const bool applied = !foundInf(optimizer);
    if (applied) {
        optimizer.step();
    }
    m_skipped = m_skipped || !applied;
    of(optimizer).stage = Stage::kStepped;
    return applied;
}

bool GradScaler::update() {
    const at::NoGradGuard noGrad;
    at::Tensor foundInf = m_optimizers.empty() ? at::zeros_like(m_scale) : m_optimizers.front().foundInf;
    for (std::size_t i = 1; i < m_optimizers.size(); ++i) {
        foundInf = foundInf + m_optimizers[i].foundInf;
    }
    at::_amp_update_scale_(m_scale, m_growthTracker, foundInf, m_spec.growthFactor, m_spec.backoffFactor,
                           m_spec.growthInterval);
    if (m_spec.minScale > 0) {
        m_scale.clamp_min_(m_spec.minScale);
    }
    m_skippedInARow = m_skipped ? m_skippedInARow + 1 : 0;
    beginAgain();
    if (m_spec.resetAfterSkips == 0 || m_skippedInARow < m_spec.resetAfterSkips) {
        return false;
    }
    m_scale.fill_(m_spec.initScale);
    m_growthTracker.zero_();
    m_skippedInARow = 0;
    return true;
}

void GradScaler::forgetUpdate() {
    beginAgain();
}

void GradScaler::beginAgain() {
    for (Stepped& stepped : m_optimizers) {
        stepped.foundInf.zero_();
        stepped.stage = Stage::kReady;
        stepped.found.reset();
    }
    m_skipped = false;
}

double GradScaler::currentScale() const {
    return m_scale.item<double>();
}
std::int64_t GradScaler::growthTracker() const {
    return m_growthTracker.item<std::int64_t>();
}

Json GradScaler::saveState() const {
    return {{"scale", currentScale()},
            {"growth_factor", m_spec.growthFactor},
            {"backoff_factor", m_spec.backoffFactor},
            {"growth_interval", m_spec.growthInterval},
            {"_growth_tracker", growthTracker()},
            {"skipped_in_a_row", m_skippedInARow}};
}

Status GradScaler::loadState(const Json& state) {
    JsonObject object(state, "/grad_scaler");
    const double scale = object.number("scale", m_spec.initScale);
    m_spec.growthFactor = object.number("growth_factor", m_spec.growthFactor);
    m_spec.backoffFactor = object.number("backoff_factor", m_spec.backoffFactor);
    m_spec.growthInterval = object.integer("growth_interval", m_spec.growthInterval);
    const std::int64_t tracker = object.integer("_growth_tracker", 0);
    const std::int64_t skipped = object.integer("skipped_in_a_row", 0);
    PLUMBLINE_TRY(object.finish());
    m_scale.fill_(scale);
    m_growthTracker.fill_(tracker);
    m_skippedInARow = skipped;
    beginAgain();
    return {};
}

}  // namespace plumbline::train
