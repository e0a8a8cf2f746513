#pragma once
// Everything a run has to remember to go on exactly: gathered into a checkpoint and put back from one.

#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "model/model.h"
#include "monitor/monitor.h"
#include "plan/schedule.h"
#include "project/project.h"
#include "session/engine.h"
#include "train/averaging.h"
#include "train/checkpoint.h"
#include "train/grad_scaler.h"
#include "train/metric_set.h"
#include "train/objective.h"
#include "train/optimizer_set.h"
#include "train/step.h"

namespace plumbline::train {

/// What ends a run besides its epochs and steps, so far (stop_conditions.h).
struct StopState {
    bool hasBest = false;
    double best = 0;  ///< early stopping's, which is what has to be improved
    std::int64_t bestStep = -1;
    std::int64_t waited = 0;  ///< validations since
    std::string code;         ///< what has ended the run: "time", "target", "early_stopping"; "": nothing
    std::int64_t step = 0;    ///< when, and with which value
    double value = 0;
};

/// One of the best checkpoints.
struct RankedCheckpoint {
    std::int64_t step = -1;
    double value = 0, tieLoss = 0;
};

/// Where a run is. Epochs and batches count from 0; steps are optimizer steps.
struct Position {
    std::int64_t epoch = 0;
    std::int64_t batch = 0;  ///< the next one of this epoch
    session::StepCounts steps;
    bool validationPending = false;  ///< a validation that was due at this step has been interrupted
    bool validated = false;          ///< at the end of this epoch's batches
    bool leftInEval = false;         ///< by a validation that does not restore the modes (an expert's mistake)
    std::int64_t judgedSamples = 0, correctSamples = 0, distinctPredictions = 0;  ///< of this epoch's newest validation
    std::int64_t validationEpoch = -1;      ///< the epoch of the newest validation
    std::vector<GatheredLoss> epochLosses;  ///< of this epoch, by loss
    std::int64_t stepSamples = 0;           ///< of the step in the making
    std::vector<double> stepCounted;  ///< of the step in the making, by loss: what its mean is over (Objective::counts)
    std::int64_t scheduleLength =
        0;  ///< what a schedule over the whole run takes as its length; 0: a version 1 checkpoint's
    double elapsedMs = 0;
    double bestValue = 0, bestTieLoss = 0;
    std::int64_t bestStep = -1;
    std::int64_t judgedStep = -1;  ///< the step whose weights the newest value of the series that decides is of
    bool hasBest = false;
    std::string bestCheckpoint;
    std::vector<RankedCheckpoint> ranked;  ///< the best ones, best first, where more than one is kept
    StopState stop;
    std::int64_t beganAt = 0;              ///< steps when the run's clock was at 0: of a branch, its parent's
    double pausedMs = 0;                   ///< of elapsedMs
    bool restoredBest = false;             ///< the weights are the best checkpoint's: the run is over
    std::map<std::string, double> values;  ///< last value of each epoch series
    Json matrices = Json::object();        ///< likewise of the metrics that are tables: "val.confusion_matrix"
    Json live = Json::object();            ///< settings changed while the run went on: dotted path → value
    Json putOff =
        Json::array();  ///< [{"path", "value"}]: settings that are taken before the next step, and are recorded
    std::vector<double> baseRates;  ///< base learning rates by group, as a checkpoint had them; empty: the plan's
};

/// What takes part; everything outlives it. `scaler`, `monitor`, `average` and `plateau` may be nullptr.
struct RunParts {
    model::Model* model = nullptr;
    OptimizerSet* optimizer = nullptr;
    GradScaler* scaler = nullptr;
    TrainStep* step = nullptr;
    MetricSet* metrics = nullptr;
    monitor::Monitor* monitor = nullptr;
    WeightAverage* average = nullptr;
    plan::Plateau* plateau = nullptr;
};

Checkpoint captureRun(const RunParts& parts, const Position& position, const project::Project& project,
                      const std::string& fingerprint);
/// Puts everything back, the generators last. A checkpoint of another definition or of other data is refused.
Result<Position> restoreRun(const Checkpoint& checkpoint, const RunParts& parts, const project::Project& project,
                            const std::string& fingerprint);

}  // namespace plumbline::train
