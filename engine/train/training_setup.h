#pragma once
// What a run works with, built once from the project: model, data, losses, optimizer, monitor.

#include <memory>
#include <string>

#include "core/error.h"
#include "core/run_control.h"
#include "data/dataset.h"
#include "monitor/monitor.h"
#include "plan/schedule.h"
#include "session/engine.h"
#include "session/run_sink.h"
#include "train/assembly.h"
#include "train/averaging.h"
#include "train/checkpointing_choice.h"
#include "train/evaluation.h"
#include "train/freezing.h"
#include "train/grad_scaler.h"
#include "train/metric_publisher.h"
#include "train/metric_set.h"
#include "train/model_watch.h"
#include "train/objective.h"
#include "train/optimizer_set.h"
#include "train/phases.h"
#include "train/run_state.h"
#include "train/step.h"

namespace plumbline::train {

/// Batches, steps and samples of a run, by arithmetic alone.
struct RunLength {
    std::int64_t epochs = 0;
    std::int64_t batchesPerEpoch = 0;
    std::int64_t accumulation = 1;
    std::int64_t batchSize = 1;
    std::int64_t samplesPerEpoch = 0;
    std::int64_t stepLimit = 0;  ///< 0: none
    std::int64_t schedule = 0;   ///< by the plan, in the schedule's unit

    std::int64_t stepsPerEpoch() const { return (batchesPerEpoch + accumulation - 1) / accumulation; }
    std::int64_t totalSteps() const { return epochs * stepsPerEpoch(); }
    /// Steps until the run ends, its limit included.
    std::int64_t lastStep() const { return stepLimit > 0 ? std::min(stepLimit, totalSteps()) : totalSteps(); }
    bool isLimitReached(std::int64_t steps) const { return stepLimit > 0 && steps >= stepLimit; }
    /// The first batch of the step that a batch belongs to.
    std::int64_t firstBatchOfStep(std::int64_t batch) const { return batch / accumulation * accumulation; }
    /// The tail of an epoch is flushed: its last step has as many batches as are left.
    bool endsStep(std::int64_t batchesDone) const {
        return batchesDone % accumulation == 0 || batchesDone == batchesPerEpoch;
    }
    /// Samples of the step that a batch belongs to.
    std::int64_t samplesOfStep(std::int64_t batch) const {
        const std::int64_t first = firstBatchOfStep(batch);
        const std::int64_t end = std::min(first + accumulation, batchesPerEpoch);
        return std::min(end * batchSize, samplesPerEpoch) - first * batchSize;
    }
};

/// Not movable: its parts refer to each other.
struct TrainingSetup {
    TrainingSetup() = default;
    TrainingSetup(const TrainingSetup&) = delete;
    TrainingSetup& operator=(const TrainingSetup&) = delete;

    Assembly assembly;
    RunLength length;
    std::unique_ptr<Objective> objective;
    MetricSet metrics;
    std::unique_ptr<Freezing> freezing;
    CheckpointingChoice checkpointing;  ///< without blocks where none is checkpointed
    std::unique_ptr<OptimizerSet> optimizer;
    std::unique_ptr<Phases> phases;          ///< nullptr where one optimizer has all losses
    std::unique_ptr<GradScaler> scaler;      ///< fp16 only
    std::unique_ptr<WeightAverage> average;  ///< nullptr where the plan wants none
    std::unique_ptr<data::Loader>
        recalibration;  ///< one pass over the training split; nullptr where BatchNorm's statistics are not taken anew
    std::unique_ptr<monitor::Monitor> monitor;     ///< nullptr when it is switched off
    std::unique_ptr<ActivationWatch> activations;  ///< as the monitor
    std::unique_ptr<TrainStep> step;
    std::unique_ptr<plan::Schedule> schedule;
    std::unique_ptr<plan::Plateau> plateau;  ///< nullptr where validations do not change the rate
    std::unique_ptr<data::Loader> loader;
    bool countsVary = false;                ///< batches alike in samples may count differently for a loss
    std::unique_ptr<Evaluator> validation;  ///< nullptr without a validation split
    std::unique_ptr<MetricPublisher> publisher;
    std::string fingerprint;  ///< of the data
    TensorBatch batch;        ///< the one in work

    at::Device device() const { return assembly.environment.device; }
    RunParts parts() {
        return {assembly.model.get(), optimizer.get(), scaler.get(), step.get(), &metrics,
                monitor.get(),        average.get(),   plateau.get()};
    }
};

/// Findings of the monitor go to `sink`, which outlives the setup, as `request` does.
Result<std::unique_ptr<TrainingSetup>> setUpTraining(const session::TrainRequest& request, session::RunSink& sink,
                                                     RunControl& control);

/// Everything that was chosen for the run, as it is recorded: device, threads, seeds, versions, fingerprints.
Json recordOf(const TrainingSetup& setup, const project::Project& project);

}  // namespace plumbline::train
