#pragma once
// What happened in one step, as plain numbers. The monitor (or a person's own loop) fills it in; detectors read it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace plumbline::diagnostics {

/// What is known of the model and plan before the first step.
struct RunFacts {
    struct Parameter {
        std::string name;   ///< full name
        std::string block;  ///< path of the leaf block
        std::int64_t elements = 0;
        bool frozen = false;
        bool sparseRows = false;  ///< an embedding, learned positions: single rows may go unused
        std::int64_t every = 1;   ///< its optimizer steps in each so many-th step
    };
    struct Block {
        std::string path, type, mode;  ///< mode as in graph::Node
        std::string pointer;  ///< JSON pointer of the node in project.json (ResolvedNode::pointer); remedies edit there
        bool isBatchNorm = false;
        bool frozen = false;         ///< all its parameters are frozen
        bool evalOnPurpose = false;  ///< in eval before the first training step
        bool takesIndices = false;   ///< Embedding: integer input is right
        bool dropsInside = false;    ///< LSTM, GRU, attention: with dropout of its own
    };
    std::vector<Parameter> parameters;
    std::vector<Block> blocks;
    std::int64_t classes = 0;  ///< that the judged accuracy tells apart; 0 = none
    double majorityShare = 0;  ///< of the largest of them in the validation (else training) split
    bool usesScaler = false;
    std::int64_t batchSize = 0;
    double learningRate = 0;  ///< planned before any schedule, the largest of all groups; 0 = not known
    bool lossMayRise = false;  ///< it is the sum of losses that several optimizers pull at, as a GAN's
    double constantLoss = 0;   ///< what the losses cost whoever says the same for every sample; 0 = not known
    Json project;  ///< the project.json that runs: remedies test its values; null = findings carry advice only
};

/// Bits of where in the loop this record was made.
enum class Phase : std::uint8_t { kTrainStep, kValidation, kEpochEnd };

/// One record. Absent values were not measured in this step.
struct StepStats {
    Phase phase = Phase::kTrainStep;
    std::int64_t step = 0;  ///< optimizer steps attempted so far, this one included
    std::int64_t epoch = 0;
    std::int64_t batch = 0;   ///< training alone
    double loss = 0;          ///< mean over the batch, unscaled
    double learningRate = 0;  ///< the largest of all groups, of this step or the last one before; 0 = none or not known
    /// training.optimizer.lr as the run has it now, told or halved while it went on; 0 = not known.
    double liveLearningRate = 0;
    double stepMs = 0;        ///< whole step, wait included
    double loaderWaitMs = 0;
    bool includesCheckpoint = false;  ///< a checkpoint or a validation fell into this step's time

    bool attempted = true;  ///< an optimizer step was due (accumulation)
    bool applied = true;
    // GradScaler
    bool usesScaler = false;
    double scale = 1;
    bool foundInf = false;
    bool updateCalled = true;
    // Gradients, when measured
    std::optional<double> gradNormL2;  ///< after unscale, before clip
    std::optional<double> gradMaxAbs;
    std::int64_t gradNonFinite = 0;
    struct NonFinite {
        std::string what; /**< loss, activation, gradient, parameter */
        std::string block;
        std::string tensor;
        std::int64_t count = 0;
    };
    std::vector<NonFinite> nonFinite;  ///< in the order they arose
    /// A step of training; step 0 = none.
    struct Place {
        std::int64_t step = 0, epoch = 0, batch = 0;
    };
    Place lastClean;  ///< before this one: the last whose gradients were all looked at and finite
    Place previous;   ///< the training step before this one
    struct BlockNorm {
        int block = 0;
        double gradNormL2 = 0;
        double gradMaxAbs = 0;
    };
    std::vector<BlockNorm> blockNorms;  ///< index into RunFacts::blocks
    /// Whether a parameter changed since it was looked at before (index into RunFacts::parameters). One that is healthy
    /// need not be told of.
    enum class Gradient : std::uint8_t { kUndefined, kZero, kPresent };
    struct Update {
        int parameter = 0;
        bool changed = true;
        Gradient gradient = Gradient::kPresent;
        std::int64_t appliedSteps = 0;  ///< between the two looks; 0 = those since the last record with updates
        std::int64_t zeroSteps =
            0;  ///< applied steps in a row, this one included, in each of which the whole gradient was exactly 0
    };
    std::vector<Update> updates;
    /// A parameter that has been frozen or set free since the record before. Facts follow before the detectors look.
    struct Freezing {
        int parameter = 0;
        bool frozen = false;
    };
    std::vector<Freezing> freezings;
    // Modes
    std::vector<int> blocksInTraining;  ///< validation: blocks found in training mode
    std::vector<int> blocksInEval;      ///< training: blocks found in eval mode
    std::vector<int>
        batchNormMoved;  ///< BatchNorms whose num_batches_tracked or running statistics moved in this phase
    // Loss shapes
    struct LossShape {
        std::string loss, output, target;
        bool elementWise = false;
        std::vector<std::int64_t> prediction, truth;
        bool scalarTarget = false; /**< declared for this loss */
    };
    std::vector<LossShape> lossShapes;  ///< first batch and whenever they change
    struct InputDtype {
        int block = 0;
        std::string dtype, expected;
        std::string input; /**< of the model, "" = not known */
    };
    std::vector<InputDtype> inputDtypes;  ///< mismatches only
    // Epoch end
    double trainLossEpoch = 0;          ///< mean over the epoch; NaN = nothing counted for any loss
    std::int64_t evaluatedSamples = 0;  ///< validation samples in this epoch
    std::int64_t correctSamples = 0;
    std::int64_t distinctPredictions = 0;  ///< 1 = constant
    double noBatchForMs = 0;               ///< loader gave nothing for this long
};

/// Whether the block is known to compute otherwise in training mode than in eval mode. Code of a person's own may do so
/// unseen.
bool dependsOnMode(const RunFacts::Block& block);
/// What a parameter's being frozen makes of the facts: its own and its block's.
void setFrozen(RunFacts& facts, const std::vector<StepStats::Freezing>& freezings);

}  // namespace plumbline::diagnostics
