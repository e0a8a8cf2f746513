// The part of TrainStep for a step of several phases. Each that is due runs forward and backward and updates its own
// parameters before the next one begins, which so works against the updated ones: the alternation of a GAN's two
// optimizers.
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "model/memory.h"
#include "monitor/tensor_statistics.h"
#include "train/step.h"

namespace plumbline::train {

namespace {

/// What counts for the losses of a phase; of the others nothing.
std::vector<double> sharesOf(const StepPhase& phase, const std::vector<double>& shares) {
    std::vector<double> own(shares.size());
    for (std::size_t loss = 0; loss < shares.size(); ++loss) {
        own[loss] = phase.losses[loss] != 0 ? shares[loss] : 0;
    }
    return own;
}

}  // namespace

Status TrainStep::accumulatePhases(const TensorBatch& batch, const std::vector<double>& shares) {
    if (m_open) {
        return fail(ErrorKind::kInvalid, "phases-with-accumulation",
                    "A step of several phases is taken on one batch, and this is its second.", "/training/accumulation",
                    "Set accumulation to 1 and raise data.loader.batch_size.");
    }
    Phases& phases = *m_parts.phases;
    m_open = true;
    m_counts = m_changed = m_batchCounts = false;
    m_loss = m_measuringMs = 0;
    m_last = nullptr;
    m_outcome = {};
    m_outcome.phaseLosses.assign(phases.all().size(), std::numeric_limits<double>::quiet_NaN());
    m_statistics.assign(m_parameters.size(), {});
    phases.zeroGrad();
    beginLosses(shares.size());
    m_lossTaken.assign(shares.size(), 0);
    for (std::size_t i = 0; i < phases.all().size(); ++i) {
        StepPhase& phase = phases.all()[i];
        if (!phases.isDue(phase)) {
            continue;
        }
        if (m_last != nullptr) {
            const at::NoGradGuard noGrad;
            PLUMBLINE_TRY(measurePhase(*m_last));
            PLUMBLINE_TRY(stepPhase(*m_last, false));
            m_last = nullptr;
        }
        const double before = m_loss;
        bool counts = false;
        PLUMBLINE_TRY(runPhase(phase, batch, shares, counts));
        if (counts) {
            m_last = &phase;
            m_counts = m_batchCounts = true;
            m_outcome.phaseLosses[i] = m_loss - before;
        }
    }
    return {};
}

/// Forward and backward of one phase, through the blocks that it needs and into its parameters alone.
Status TrainStep::runPhase(StepPhase& phase, const TensorBatch& batch, const std::vector<double>& shares,
                           bool& counts) {
    const std::vector<double> own = sharesOf(phase, shares);
    for (std::size_t loss = 0; loss < own.size(); ++loss) {
        m_lossTaken[loss] = phase.losses[loss] != 0 ? 1 : m_lossTaken[loss];
    }
    const WithoutGradient others(phase.others);
    at::Tensor loss;
    {
        const AutocastScope autocast(m_precision, m_device.type());
        const ObserverScope observed(*m_parts.model, observer());
        enter(Phase::kForward);
        phase.statistics.keep();
        PLUMBLINE_ASSIGN(std::vector<at::Tensor> outputs, m_parts.model->forwardAlong(phase.route, batch.inputs));
        enter(Phase::kLoss);
        PLUMBLINE_ASSIGN(loss, m_parts.objective->loss(outputs, batch.targets, own, m_lossValues));
        if (m_parts.metrics != nullptr) {
            for (std::size_t output = 0; output < outputs.size(); ++output) {
                if (phase.metricOutputs[output] == 0) {
                    outputs[output].reset();
                }
            }
            m_parts.metrics->add(outputs, batch.targets);
            m_batchIsMeasured = true;
        }
    }
    counts = loss.defined();
    if (counts && !loss.requires_grad()) {
        return fail(ErrorKind::kInvalid, "nothing-learns",
                    fmt::format("The loss of the phase \"{}\" does not depend on any parameter that it trains: "
                                "gradients are stopped on the way, or it names other blocks.",
                                phase.name),
                    "/training/phases",
                    "Remove what stops them, as a Detach block or a pattern of training.no_grad, or name the "
                    "parameters that the phase's losses depend on.");
    }
    if (counts) {
        const model::MemoryScope scope(model::MemoryCategory::kGradients);
        enter(Phase::kBackward);
        (m_parts.scaler != nullptr ? m_parts.scaler->scale(loss) : loss).backward();
    }
    phase.statistics.putBack();  // not before: the backward pass asks that nobody has written to them
    enter(Phase::kNone);
    readLosses(own);
    if (counts && m_parts.monitor != nullptr) {
        m_parts.monitor->sawBatchLoss(
            m_loss, m_parts.monitor->lastStep().batch);  // before an update spreads what is not finite
    }
    return {};
}

/// Unscales the phase's gradients and measures them where somebody wants to know.
Status TrainStep::measurePhase(StepPhase& phase) {
    enter(Phase::kOptimizer);
    GradScaler* const scaler = m_parts.scaler;
    if (scaler != nullptr) {
        PLUMBLINE_TRY(scaler->unscale(*phase.optimizer, phase.parameters));
    }
    const bool skips = scaler != nullptr && scaler->foundInf(*phase.optimizer);
    if (!isMeasured() && !clipsByKnownNorm() && !skips) {
        return {};
    }
    const auto began = std::chrono::steady_clock::now();
    for (const at::Tensor& parameter : phase.parameters) {
        m_gradients.push_back(parameter.grad());
    }
    monitor::statisticsOf(m_gradients, m_phaseStatistics);
    m_gradients.clear();
    for (std::size_t i = 0; i < phase.places.size(); ++i) {
        m_statistics[phase.places[i]] = m_phaseStatistics[i];
    }
    if (isMeasured() && !clipsByKnownNorm()) {
        m_measuringMs += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
    }
    if (skips) {
        m_outcome.nonFiniteBlocks = nonFiniteBlocks();  // of the phases so far
    }
    return {};
}

/// Clips, adds noise and updates, once the gradients are measured.
Status TrainStep::stepPhase(StepPhase& phase, bool isLast) {
    enter(Phase::kOptimizer);
    if (m_parts.monitor != nullptr && !isLast) {
        m_parts.monitor->beforePartOfStep();
    }
    clip(phase.parameters, clipsByKnownNorm() ? &m_phaseStatistics : nullptr);
    if (m_noise != nullptr) {
        m_noise->add(phase.parameters);
        m_changed = true;  // also where the scaler skips the update: the noise's generator is not put back
    }
    const model::MemoryScope scope(model::MemoryCategory::kOptimizerState);
    if (m_parts.scaler == nullptr) {
        phase.optimizer->step();
        m_changed = true;
        return {};
    }
    PLUMBLINE_ASSIGN(const bool applied, m_parts.scaler->step(*phase.optimizer));
    m_outcome.applied = m_outcome.applied && applied;
    m_changed = m_changed || applied;
    return {};
}

Result<StepOutcome> TrainStep::finishPhases() {
    const at::NoGradGuard noGrad;
    Phases& phases = *m_parts.phases;
    m_open = false;
    phases.setSteps(phases.steps() + 1);
    m_outcome.loss = m_loss;
    if (!m_counts) {
        m_outcome.loss = std::nan("");
        m_outcome.counts = m_outcome.applied = false;
        return m_outcome;
    }
    if (m_last != nullptr) {
        PLUMBLINE_TRY(measurePhase(*m_last));
    }
    if (m_parts.monitor != nullptr) {
        enter(Phase::kMonitor);
        m_parts.monitor->afterBackward(m_outcome.loss, isMeasured() || clipsByKnownNorm() ? &m_statistics : nullptr,
                                       m_measuringMs);
    }
    if (m_last != nullptr) {
        PLUMBLINE_TRY(stepPhase(*m_last, true));
    }
    if (m_noise != nullptr) {
        m_noise->endStep();  // whichever of the phases was the last one in which something counted
    }
    m_changed = false;
    if (GradScaler* const scaler = m_parts.scaler; scaler != nullptr) {
        if (!m_outcome.applied) {
            m_outcome.scaleBefore = scaler->currentScale();
        }
        m_outcome.scaleReset = scaler->update();
        if (!m_outcome.applied) {
            m_outcome.scaleAfter = scaler->currentScale();
        }
    }
    enter(Phase::kMonitor);
    return m_outcome;
}

}  // namespace plumbline::train
