#pragma once
// One optimizer step: forward, loss, scale, backward, unscale, clip, noise, step, update. What the training loop
// repeats and what an export is verified with.

#include <ATen/core/Tensor.h>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/model.h"
#include "monitor/monitor.h"
#include "plan/plan.h"
#include "train/batch.h"
#include "train/grad_scaler.h"
#include "train/gradient_noise.h"
#include "train/metric_set.h"
#include "train/objective.h"
#include "train/optimizer.h"
#include "train/phases.h"
#include "train/profile/step_profile.h"

namespace plumbline::train {

/// Autocast to half precision for a scope; nothing for fp32.
class AutocastScope {
public:
    AutocastScope(plan::Precision precision, at::DeviceType device);
    ~AutocastScope();
    AutocastScope(const AutocastScope&) = delete;
    AutocastScope& operator=(const AutocastScope&) = delete;

private:
    at::DeviceType m_device;
    at::ScalarType m_dtypeBefore = at::kFloat;
    bool m_active;
    bool m_enabledBefore = false;
};

struct StepOutcome {
    double loss = 0;      ///< over what counts in the step; NaN when that is nothing
    bool counts = true;   ///< false: nothing in the step counted for any loss, so the optimizer was left alone
    bool applied = true;  ///< false: the scaler skipped it, or nothing counted
    bool updateCalled = true;
    double scaleBefore = 1,
           scaleAfter = 1;  ///< of a step that the scaler skipped: its scale in the step, and from it on
    std::vector<std::string> nonFiniteBlocks;  ///< of such a step: the first blocks whose gradients were not finite
    std::vector<double> phaseLosses;           ///< by phase of the plan; NaN of one that was not taken
    bool scaleReset =
        false;  ///< after too many skipped steps the scale was set back: the learning rate is to be halved
};

/// What a step works on; everything outlives it.
struct StepParts {
    model::Model* model = nullptr;
    Objective* objective = nullptr;
    Optimizer* optimizer = nullptr;       ///< not used where there are phases
    GradScaler* scaler = nullptr;         ///< fp16 only
    MetricSet* metrics = nullptr;         ///< gathers over the epoch; may be nullptr
    monitor::Monitor* monitor = nullptr;  ///< may be nullptr
    model::LeafObserver* activations =
        nullptr;               ///< looks at the model in the steps that the monitor measures; may be nullptr
    Phases* phases = nullptr;  ///< a step of several optimizers; nullptr: one for all losses
};

/// The exporter and the tests run `run(batch)`; the loop accumulates. One thread, the one that built the model.
class TrainStep {
public:
    TrainStep(const plan::TrainingPlan& plan, const StepParts& parts, at::Device device);

    /// One whole step on one batch.
    Result<StepOutcome> run(const TensorBatch& batch);

    /// Forward and backward of one batch; where there are phases, all of the step but the last one's update. `shares`:
    /// how much of what counts for each loss in the step is in this batch (Objective::counts), 0 … 1. Drops the
    /// gradients of the step before, first.
    Status accumulate(const TensorBatch& batch, const std::vector<double>& shares);
    /// The optimizer's part: unscale, clip, noise, step, update.
    Result<StepOutcome> finish();
    /// Mean loss of the batch that accumulate() was given last, without the losses that had no share in it.
    double batchLoss() const { return m_batchLoss; }
    /// Whether any loss had a share in it.
    bool batchCounts() const { return m_batchCounts; }
    /// Each loss's mean over that batch, without the weight in the plan; 0 where it had no share.
    const std::vector<double>& batchValues() const { return m_batchValues; }
    /// Whether a loss was computed at all: not where its phase was not due.
    bool tookLoss(std::size_t loss) const { return m_lossTaken.empty() || m_lossTaken[loss] != 0; }
    /// Whether the batch is in the metrics, also where accumulate() failed after that.
    bool batchIsMeasured() const { return m_batchIsMeasured; }
    /// Whether accumulate() has been called since the last finish().
    bool isOpen() const { return m_open; }

    /// Whether the open step has changed weights: then there is no way back to its beginning.
    bool hasChanged() const { return m_changed; }
    /// nullptr where the plan has none.
    Phases* phases() const { return m_parts.phases; }

    /// Told what the step does, until it is taken away with nullptr.
    void setProfile(StepProfile* profile) { m_profile = profile; }

    /// How gradients are clipped; may change between two steps.
    const plan::ClipSpec& clipping() const { return m_clip; }
    void setClipping(const plan::ClipSpec& clip) { m_clip = clip; }
    /// nullptr where the plan wants none.
    GradientNoise* noise() const { return m_noise.get(); }

    /// Gradients that a checkpoint has to hold for an exact resume: of an open step, or all where they are never
    /// dropped.
    NamedTensors pendingGradients() const;
    double pendingLoss() const { return m_loss; }
    /// Whether anything has counted in the open step so far.
    bool pendingCounts() const { return m_counts; }
    Status restorePending(const std::map<std::string, at::Tensor>& gradients, bool open, double loss, bool counts);
    /// Batches of an open step, where the optimizer will want their loss again: a checkpoint holds them as well.
    NamedTensors pendingBatches() const;
    void restoreBatches(const std::map<std::string, at::Tensor>& saved);

private:
    void enter(Phase phase) const {
        if (m_profile != nullptr) [[unlikely]] {
            m_profile->enter(phase);
        }
    }
    struct KeptBatch {
        TensorBatch batch;
        std::vector<double> shares;
    };
    // closure_step.cpp
    void keepBatch(const TensorBatch& batch, const std::vector<double>& shares);
    Status stepThroughClosure();
    double lossAgain();
    // phase_step.cpp
    Status accumulatePhases(const TensorBatch& batch, const std::vector<double>& shares);
    Result<StepOutcome> finishPhases();
    Status runPhase(StepPhase& phase, const TensorBatch& batch, const std::vector<double>& shares, bool& counts);
    Status measurePhase(StepPhase& phase);
    Status stepPhase(StepPhase& phase, bool isLast);
    bool isMeasured() const { return m_parts.monitor != nullptr && m_parts.monitor->measures(); }
    /// On the CPU one pass gives both what is clipped by and what the monitor wants.
    bool clipsByKnownNorm() const {
        return m_clip.type == "norm" && (m_clip.normType == 2.0 || std::isinf(m_clip.normType)) &&
               !m_expert.clipBeforeUnscale && m_device.is_cpu();
    }

    /// Of a forward pass: who looks at the leaves.
    model::LeafObserver* observer();
    /// `known`: statistics of all the gradients, by parameter; nullptr: not known.
    void clip(const std::vector<at::Tensor>& parameters, const std::vector<monitor::TensorStatistics>* known);
    void takeStatistics();
    std::vector<std::string> nonFiniteBlocks() const;
    void beginLosses(std::size_t losses);
    /// Adds those that have just been computed.
    void readLosses(const std::vector<double>& shares);
    Result<StepOutcome> finishUnguarded();

    StepParts m_parts;
    StepProfile* m_profile = nullptr;
    plan::Precision m_precision;
    plan::ClipSpec m_clip;
    plan::ExpertSpec m_expert;
    at::Device m_device;
    std::unique_ptr<GradientNoise> m_noise;
    bool m_open = false;
    bool m_counts = false;
    double m_loss = 0;
    bool m_batchCounts = false;
    bool m_batchIsMeasured = false;
    double m_batchLoss = 0;
    std::vector<double> m_batchValues;  ///< by loss
    std::vector<char> m_lossTaken;      ///< by loss, in a step of phases; else empty
    std::vector<at::Tensor> m_lossValues;
    std::vector<at::Tensor> m_parameters;  ///< in the model's order
    std::vector<at::Tensor> m_gradients;
    std::vector<monitor::TensorStatistics> m_statistics;       ///< by parameter
    std::vector<monitor::TensorStatistics> m_phaseStatistics;  ///< of the phase at hand, by its parameters
    bool m_changed = false;
    StepPhase* m_last = nullptr;  ///< the open step's phase whose update finish() does
    StepOutcome m_outcome;        ///< of the open step's phases so far
    double m_measuringMs = 0;
    std::vector<KeptBatch> m_kept;  ///< of the open step, for an optimizer that needs a closure
};

/// Makes somebody the model's observer for a scope.
class ObserverScope {
public:
    ObserverScope(model::Model& model, model::LeafObserver* observer);
    ~ObserverScope();
    ObserverScope(const ObserverScope&) = delete;
    ObserverScope& operator=(const ObserverScope&) = delete;

private:
    model::Model* m_model;
};

/// The value of a one-element tensor, without the detour of item() where it lies on the CPU.
double readScalar(const at::Tensor& tensor);

}  // namespace plumbline::train
