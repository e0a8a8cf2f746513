#pragma once
// What the monitor looks at in a model that was built from a block graph.

#include "data/dataset.h"
#include "model/model.h"
#include "monitor/monitor.h"
#include "monitor/watch.h"
#include "plan/plan.h"
#include "train/batch.h"
#include "train/generators.h"

namespace plumbline::train {

/// `model` outlives the watch.
monitor::Watch watchModel(const model::Model& model);

/// What the monitor has to know of the plan's phases.
void tellPhases(const plan::TrainingPlan& plan, monitor::Watch& watch);

/// Classes and the largest one's share of what the plan's first accuracy judges; 0 where there is none.
struct ClassFacts {
    std::int64_t classes = 0;
    double majorityShare = 0;
};
ClassFacts classFacts(const plan::TrainingPlan& plan, const data::Dataset& dataset);
/// What the plan's losses cost whoever says the same for every sample: each class alike, or a target's mean. 0 where no
/// loss tells.
double constantLoss(const plan::TrainingPlan& plan, const graph::ResolvedModel& graph, const data::Dataset& dataset);

/// Looks at what each leaf gives, while it is the model's observer, and tells the monitor what is not finite.
class ActivationWatch final : public model::LeafObserver {
public:
    /// `monitor` outlives the watch, and is one of watchModel().
    explicit ActivationWatch(monitor::Monitor& monitor) : m_monitor(monitor) {}
    void afterLeaf(int leaf, const std::vector<at::Tensor>& outputs) override;

private:
    monitor::Monitor& m_monitor;
};

/// What a forward pass leaves behind, as it is now: generators and the model's buffers.
class ForwardTraces {
public:
    explicit ForwardTraces(model::Model& model);
    /// Puts everything back.
    void restore();

private:
    model::Model& m_model;
    GeneratorStates m_generators;
    std::vector<at::Tensor> m_buffers;
};

/// Runs the batch again and appends the first block whose output is not finite. Generators, BatchNorm statistics and
/// modes are afterwards as they were before.
void findFirstNonFiniteBlock(model::Model& model, const std::vector<at::Tensor>& inputs, plan::Precision precision,
                             std::vector<diagnostics::StepStats::NonFinite>& found);

}  // namespace plumbline::train
