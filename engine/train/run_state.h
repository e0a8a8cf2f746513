#pragma once
// Everything a run has to remember to go on exactly: gathered into a checkpoint and put back from one.

#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "model/model.h"
#include "monitor/monitor.h"
#include "project/project.h"
#include "session/engine.h"
#include "train/checkpoint.h"
#include "train/grad_scaler.h"
#include "train/objective.h"
#include "train/optimizer.h"
#include "train/step.h"

namespace plumbline::train {

/// A loss over several batches: what it was times what counted, summed, and what counted.
struct GatheredLoss { double sum = 0, counted = 0; };

/// Where a run is. Epochs and batches count from 0; steps are optimizer steps.
struct Position {
    std::int64_t epoch = 0;
    std::int64_t batch = 0;             ///< the next one of this epoch
    session::StepCounts steps;
    bool validationPending = false;     ///< a validation that was due at this step has been interrupted
    bool validated = false;             ///< at the end of this epoch's batches
    bool leftInEval = false;            ///< by a validation that does not restore the modes (an expert's mistake)
    std::int64_t judgedSamples = 0, correctSamples = 0, distinctPredictions = 0;  ///< of this epoch's newest validation
    std::int64_t validationEpoch = -1;  ///< the epoch of the newest validation
    std::vector<GatheredLoss> epochLosses;  ///< of this epoch, by loss
    std::int64_t stepSamples = 0;       ///< of the step in the making
    std::vector<double> stepCounted;    ///< of the step in the making, by loss: what its mean is over (Objective::counts)
    std::int64_t scheduleLength = 0;    ///< what a schedule over the whole run takes as its length; 0: a version 1 checkpoint's
    double elapsedMs = 0;
    double bestValue = 0, bestTieLoss = 0;
    std::int64_t bestStep = -1;
    std::int64_t judgedStep = -1;       ///< the step whose weights the newest value of the series that decides is of
    bool hasBest = false;
    std::string bestCheckpoint;
    std::map<std::string, double> values;  ///< last value of each epoch series
    Json live = Json::object();            ///< settings changed while the run went on: dotted path → value
};

/// What takes part; everything outlives it. `scaler` and `monitor` may be nullptr.
struct RunParts {
    model::Model* model = nullptr;
    Optimizer* optimizer = nullptr;
    GradScaler* scaler = nullptr;
    TrainStep* step = nullptr;
    MetricSet* metrics = nullptr;
    monitor::Monitor* monitor = nullptr;
};

Checkpoint captureRun(const RunParts& parts, const Position& position, const project::Project& project, const std::string& fingerprint);
/// Puts everything back, the generators last. A checkpoint of another definition or of other data is refused.
Result<Position> restoreRun(const Checkpoint& checkpoint, const RunParts& parts, const project::Project& project, const std::string& fingerprint);

}  // namespace plumbline::train
