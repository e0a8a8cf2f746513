#pragma once
// The phases of a step: which parameters each of them trains, by which losses, through which blocks.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/model.h"
#include "plan/plan.h"
#include "train/kept_tensors.h"
#include "train/metric_set.h"
#include "train/objective.h"
#include "train/optimizer_set.h"

namespace plumbline::train {

/// Tensors that require no gradient for a scope, as far as they do.
class WithoutGradient {
public:
    explicit WithoutGradient(const std::vector<at::Tensor>& tensors);
    ~WithoutGradient();
    WithoutGradient(const WithoutGradient&) = delete;
    WithoutGradient& operator=(const WithoutGradient&) = delete;

private:
    std::vector<at::Tensor> m_changed;
};

/// One phase, bound to a model.
struct StepPhase {
    std::string name;
    std::int64_t every = 1;
    Optimizer* optimizer = nullptr;
    std::vector<std::size_t> places;     ///< of its parameters in Model::parameters()
    std::vector<at::Tensor> parameters;  ///< these
    std::vector<at::Tensor> others;      ///< all that it does not train
    std::vector<char> losses;            ///< by loss of the objective: whether it is the phase's
    std::vector<char> metricOutputs;     ///< by output: whether metrics over it are gathered here
    std::size_t route = 0;               ///< through the blocks that its losses and metrics need
    /// Running statistics that another phase moves. A block's statistics move in the phase that trains its parameters,
    /// those of a block that no phase trains in the first one that runs it: otherwise they would count a batch more
    /// than once.
    KeptTensors statistics;
};

/// The phases of a plan, in order. One thread.
class Phases {
public:
    /// nullptr where the plan has none. All outlive it.
    static Result<std::unique_ptr<Phases>> make(const plan::TrainingPlan& plan, model::Model& model,
                                                OptimizerSet& optimizers, const Objective& objective,
                                                const MetricSet& metrics);

    std::vector<StepPhase>& all() { return m_phases; }
    /// Those that the step at hand takes: of each, whether it does.
    bool isDue(const StepPhase& phase) const { return m_steps % phase.every == 0; }
    /// Steps so far.
    std::int64_t steps() const { return m_steps; }
    void setSteps(std::int64_t steps) { m_steps = steps; }
    void zeroGrad();

private:
    Phases() = default;
    void chooseRoutes(model::Model& model, const Objective& objective, const MetricSet& metrics);
    void keepStatistics(const model::Model& model);

    std::vector<StepPhase> m_phases;
    std::int64_t m_steps = 0;
};

/// Sets "train.loss.<phase>" among an epoch's values, and takes away those in which nothing counted.
void takePhaseLosses(const Objective& objective, const std::vector<GatheredLoss>& epoch,
                     std::map<std::string, double>& values);

/// What the losses of each phase come to, by "loss.<phase>"; those in which something counted. Empty without phases.
/// `values`: each loss, and whether anything counted for it.
struct LossOver {
    double value = 0;
    bool counts = false;
};
std::map<std::string, double> phaseLosses(const Objective& objective, const std::vector<LossOver>& values);

}  // namespace plumbline::train
