#include "train/step.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "model/failure.h"
#include "model/memory.h"
#include "train/clip.h"

namespace plumbline::train {

AutocastScope::AutocastScope(plan::Precision precision, at::DeviceType device)
    : m_device(device), m_active(precision != plan::Precision::kFp32) {
    if (!m_active) {
        return;
    }
    m_enabledBefore = at::autocast::is_autocast_enabled(device);
    m_dtypeBefore = at::autocast::get_autocast_dtype(device);
    at::autocast::set_autocast_dtype(device, precision == plan::Precision::kBf16 ? at::kBFloat16 : at::kHalf);
    at::autocast::set_autocast_enabled(device, true);
    at::autocast::increment_nesting();
}

AutocastScope::~AutocastScope() {
    if (!m_active) {
        return;
    }
    if (at::autocast::decrement_nesting() == 0) {
        at::autocast::clear_cache();
    }
    at::autocast::set_autocast_enabled(m_device, m_enabledBefore);
    at::autocast::set_autocast_dtype(m_device, m_dtypeBefore);
}

ObserverScope::ObserverScope(model::Model& model, model::LeafObserver* observer)
    : m_model(observer != nullptr ? &model : nullptr) {
    if (m_model != nullptr) {
        m_model->setObserver(observer);
    }
}

ObserverScope::~ObserverScope() {
    if (m_model != nullptr) {
        m_model->setObserver(nullptr);
    }
}

double readScalar(const at::Tensor& tensor) {
    if (tensor.is_cpu() && tensor.scalar_type() == at::kFloat) {
        return *static_cast<const float*>(tensor.const_data_ptr());
    }
    return tensor.item<double>();
}

TrainStep::TrainStep(const plan::TrainingPlan& plan, const StepParts& parts, at::Device device)
    : m_parts(parts),
      m_precision(plan.precision),
      m_clip(plan.clip),
      m_expert(plan.expert),
      m_device(device),
      m_noise(GradientNoise::make(plan.gradientNoise, plan.seed, device)) {
    for (const model::NamedState& parameter : parts.model->parameters()) {
        m_parameters.push_back(parameter.tensor);
    }
}

Result<StepOutcome> TrainStep::run(const TensorBatch& batch) {
    std::vector<double> shares = m_parts.objective->counts(batch.targets, batch.samples);
    for (double& share : shares) {
        share = share > 0 ? 1 : 0;
    }
    PLUMBLINE_TRY(accumulate(batch, shares));
    return finish();
}

Status TrainStep::accumulate(const TensorBatch& batch, const std::vector<double>& shares) {
    m_batchIsMeasured = false;
    try {
        if (m_parts.phases != nullptr) [[unlikely]] {
            return accumulatePhases(batch, shares);
        }
        if (!m_open) {
            m_open = true;
            m_counts = false;
            m_loss = 0;
            m_kept.clear();
            if (!m_expert.skipZeroGrad) {
                m_parts.optimizer->zeroGrad();
            }
        }
        if (m_parts.optimizer->needsClosure()) {
            keepBatch(batch, shares);
        }
        at::Tensor loss;
        {
            const AutocastScope autocast(m_precision, m_device.type());
            const ObserverScope observed(*m_parts.model, observer());
            enter(Phase::kForward);
            PLUMBLINE_ASSIGN(const std::vector<at::Tensor> outputs, m_parts.model->forward(batch.inputs));
            enter(Phase::kLoss);
            PLUMBLINE_ASSIGN(loss, m_parts.objective->loss(outputs, batch.targets, shares, m_lossValues));
            if (m_parts.metrics != nullptr) {
                m_parts.metrics->add(outputs, batch.targets);
                m_batchIsMeasured = true;
            }
        }
        m_batchCounts = loss.defined();
        if (m_batchCounts && !loss.requires_grad()) {
            return fail(ErrorKind::kInvalid, "nothing-learns",
                        "The loss does not depend on any parameter that is trained: gradients are stopped on the way, "
                        "or all of its blocks are frozen.",
                        "/model",
                        "Remove what stops them, as a Detach block or a pattern of training.no_grad, or connect a "
                        "trained block to an output that a loss reads.");
        }
        if (m_batchCounts) {
            m_counts = true;
            const model::MemoryScope scope(model::MemoryCategory::kGradients);
            enter(Phase::kBackward);
            (m_parts.scaler != nullptr ? m_parts.scaler->scale(loss) : loss).backward();
        }
        enter(Phase::kNone);
        beginLosses(shares.size());
        readLosses(shares);
        return {};
    } catch (...) {
        return fail(model::errorOfCurrentException("The training step failed", ""));
    }
}

model::LeafObserver* TrainStep::observer() {
    const bool looks = m_parts.monitor != nullptr && m_parts.monitor->measuresActivations();
    model::LeafObserver* const watch = looks ? m_parts.activations : nullptr;
    if (m_profile == nullptr) [[likely]] {
        return watch;
    }
    m_profile->setNext(watch);
    return m_profile;
}

void TrainStep::beginLosses(std::size_t losses) {
    m_batchLoss = 0;
    m_batchValues.assign(losses, 0);
}

/// Once the backward pass is under way: this waits for a device.
void TrainStep::readLosses(const std::vector<double>& shares) {
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (m_lossValues[i].defined()) {
            m_batchValues[i] = readScalar(m_lossValues[i]);
            m_batchLoss += m_parts.objective->weight(i) * m_batchValues[i];
            m_loss += m_parts.objective->weight(i) * shares[i] * m_batchValues[i];
        }
    }
    m_lossValues.clear();
}

Result<StepOutcome> TrainStep::finish() {
    try {
        return m_parts.phases != nullptr ? finishPhases() : finishUnguarded();
    } catch (...) {
        return fail(model::errorOfCurrentException("The optimizer's step failed", ""));
    }
}

void TrainStep::takeStatistics() {
    m_gradients.clear();
    for (const at::Tensor& parameter : m_parameters) {
        m_gradients.push_back(parameter.grad());
    }
    monitor::statisticsOf(m_gradients, m_statistics);
    m_gradients.clear();
}

void TrainStep::clip(const std::vector<at::Tensor>& parameters, const std::vector<monitor::TensorStatistics>* known) {
    if (m_clip.type == "adaptive") {
        clipAdaptively(parameters, m_clip.factor, m_clip.eps);
        return;
    }
    if (!m_clip.enabled()) {
        return;
    }
    for (const at::Tensor& parameter : parameters) {
        if (parameter.grad().defined()) {
            m_gradients.push_back(parameter.grad());
        }
    }
    monitor::TensorStatistics all;
    for (std::size_t i = 0; known != nullptr && i < known->size(); ++i) {
        all.add((*known)[i]);
    }
    if (m_clip.type == "value") {
        clipGradValue(m_gradients, m_clip.clipValue);
    } else if (known != nullptr && all.nonFinite == 0) {
        clipByKnownNorm(m_gradients, m_clip.maxNorm, m_clip.normType == 2.0 ? all.norm() : all.maxAbs);
    } else {
        // What is not finite is left to LibTorch, so that the gradients become what they become in PyTorch.
        clipGradNorm(m_gradients, m_clip.maxNorm, m_clip.normType);
    }
    m_gradients.clear();
}

/// From the statistics, which are of this step.
std::vector<std::string> TrainStep::nonFiniteBlocks() const {
    constexpr std::size_t kTold = 3;
    std::vector<std::string> blocks;
    const std::vector<model::NamedState>& parameters = m_parts.model->parameters();
    for (std::size_t i = 0; i < m_statistics.size() && blocks.size() < kTold; ++i) {
        const std::string& path = m_parts.model->graph().nodes[static_cast<std::size_t>(parameters[i].leaf)].path;
        if (m_statistics[i].nonFinite > 0 && (blocks.empty() || blocks.back() != path)) {
            blocks.push_back(path);
        }
    }
    return blocks;
}

Result<StepOutcome> TrainStep::finishUnguarded() {
    const at::NoGradGuard noGrad;
    m_open = false;
    StepOutcome outcome;
    outcome.loss = m_loss;
    if (!m_counts) {
        outcome.loss = std::nan("");
        outcome.counts = outcome.applied = false;
        return outcome;
    }
    GradScaler* scaler = m_parts.scaler;
    enter(Phase::kOptimizer);
    if (m_expert.clipBeforeUnscale) {
        clip(m_parameters, nullptr);
    }
    if (scaler != nullptr && !m_expert.skipUnscale) {
        PLUMBLINE_TRY(scaler->unscale(*m_parts.optimizer, m_parameters));
    }
    const bool skips = scaler != nullptr && !m_expert.skipUnscale && scaler->foundInf(*m_parts.optimizer);
    const bool measured = isMeasured(), clips = clipsByKnownNorm();
    double measuringMs = 0;
    if (measured || clips || skips) {
        const auto began = std::chrono::steady_clock::now();
        takeStatistics();
        measuringMs = !measured || clips
                          ? 0
                          : std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
    }
    if (m_parts.monitor != nullptr) {
        enter(Phase::kMonitor);
        m_parts.monitor->afterBackward(outcome.loss, measured || clips ? &m_statistics : nullptr, measuringMs);
        enter(Phase::kOptimizer);
    }
    if (skips) {
        outcome.nonFiniteBlocks = nonFiniteBlocks();
    }
    if (!m_expert.clipBeforeUnscale) {
        clip(m_parameters, clips ? &m_statistics : nullptr);
    }
    if (m_noise != nullptr) {
        m_noise->add(m_parameters);
        m_noise->endStep();
    }
    if (m_expert.zeroGradBeforeStep) {
        m_parts.optimizer->zeroGrad();
    }
    const model::MemoryScope scope(model::MemoryCategory::kOptimizerState);
    if (m_parts.optimizer->needsClosure()) {
        PLUMBLINE_TRY(stepThroughClosure());
    } else if (scaler == nullptr || m_expert.skipUnscale) {
        m_parts.optimizer->step();
    } else {
        PLUMBLINE_ASSIGN(outcome.applied, scaler->step(*m_parts.optimizer));
    }
    if (scaler == nullptr) {
        return outcome;
    }
    if (!outcome.applied) {
        outcome.scaleBefore = scaler->currentScale();
    }
    outcome.updateCalled = !m_expert.skipScalerUpdate;
    if (outcome.updateCalled) {
        outcome.scaleReset = scaler->update();
    } else {
        scaler->forgetUpdate();
    }
    if (!outcome.applied) {
        outcome.scaleAfter = scaler->currentScale();
    }
    enter(Phase::kMonitor);
    return outcome;
}

NamedTensors TrainStep::pendingGradients() const {
    NamedTensors pending;
    if (m_open || m_expert.skipZeroGrad) {
        for (const model::NamedState& parameter : m_parts.model->parameters()) {
            if (parameter.tensor.grad().defined()) {
                pending.emplace_back(parameter.name, parameter.tensor.grad());
            }
        }
    }
    return pending;
}

Status TrainStep::restorePending(const std::map<std::string, at::Tensor>& gradients, bool open, double loss,
                                 bool counts) {
    const at::NoGradGuard noGrad;
    m_open = open;
    m_loss = loss;
    m_counts = counts;
    for (const model::NamedState& parameter : m_parts.model->parameters()) {
        const auto saved = gradients.find(parameter.name);
        if (saved == gradients.end()) {
            continue;
        }
        if (saved->second.sizes() != parameter.tensor.sizes()) {
            return fail(ErrorKind::kInvalid, "checkpoint-mismatch",
                        fmt::format("The saved gradient of {} does not have the parameter's shape.", parameter.name),
                        parameter.name, "Use another checkpoint of the run.");
        }
        at::Tensor live = parameter.tensor;
        live.mutable_grad() = at::empty_like(live).copy_(saved->second);
    }
    return {};
}

}  // namespace plumbline::train
