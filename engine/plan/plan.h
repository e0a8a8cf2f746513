#pragma once
// The "training" and "monitor" objects of project.json as values, and the list of every setting with its meaning.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "plan/setting_spec.h"
#include "plan/typed_options.h"

namespace plumbline::plan {

enum class Precision { kFp32, kBf16, kFp16 };
enum class Unit { kStep, kEpoch };

/// What there is, in the order that forms show.
const std::vector<TypeSpec>& optimizerTypes();
const std::vector<std::string>& fusedOptimizers();  ///< those that LibTorch has one kernel for all parameters for
const std::vector<TypeSpec>& scheduleTypes();
const std::vector<TypeSpec>& lossTypes();
const std::vector<TypeSpec>& metricTypes();

/// Losses: loss_types.cpp. `output` and `target` name what is judged and what it is compared with ("" for a type
/// without one); further ones are options of the type.
struct LossSpec : TypedOptions {
    LossSpec() : TypedOptions(lossTypes, "CrossEntropyLoss") {}
    LossSpec(std::string chosen, std::string judged, std::string compared, double factor = 1.0,
             Json told = Json::object());
    std::string output, target;
    double weight = 1.0;
    std::string phase;  ///< the phase of training.phases that minimises it; "" where there are none
};
/// Metrics: metric_types.cpp.
struct MetricSpec : TypedOptions {
    MetricSpec() : TypedOptions(metricTypes, "accuracy") {}
    MetricSpec(std::string chosen, std::string judged, std::string compared, Json told = Json::object());
    std::string output, target;
    /// The series it is told under, without "train." or "val.": its own name, or the type with what tells it from
    /// others ("top_5_accuracy").
    std::string name() const;
};
/// What a type of metric is, whatever it is told.
struct MetricTraits {
    enum class Judges {
        kClasses,    ///< classes: scores with a class or 0/1 answers a sample, a position or a label
        kExclusive,  ///< likewise, but classes that exclude each other
        kScores,     ///< likewise, with a score for each class: not the one score of a yes or no
        kNumbers,
    };
    Judges judges = Judges::kClasses;
    bool largerIsBetter = true;
    bool isNumber = true;        ///< false: a table, which no series holds
    double least = 0, most = 1;  ///< what it can be
};
/// The default where there is no such type.
MetricTraits metricTraits(const std::string& type);
/// roc_auc and average_precision keep so many scores of a split at most: 200 MB.
constexpr std::int64_t kMostRankedScores = 50'000'000;
/// A confusion matrix has so many classes at most.
constexpr std::int64_t kMostMatrixClasses = 1000;
/// Overrides for parameters whose full name matches a glob pattern; the first group that matches wins.
struct OptimizerGroup {
    std::string match;
    std::optional<double> lr, weightDecay;
    bool frozen = false;
};
/// Optimizers: optimizer_types.cpp.
struct OptimizerSpec : TypedOptions {
    OptimizerSpec() : TypedOptions(optimizerTypes, "SGD") {}
    double lr = 1e-3, weightDecay = 0;
    bool maximize = false;
    std::string implementation = "auto";  ///< auto, fused, foreach
    bool decayNormsAndBiases = true;      ///< false: parameters of one dimension or none have no weight decay
    double layerDecay = 1;  ///< factor of the learning rate from each layer to the one before it, the last having 1
    bool centralizeGradients = false;  ///< Yong et al. 2020
    std::vector<OptimizerGroup> groups;
};
/// A part of each step that trains some of the parameters with an optimizer of its own, as a GAN's discriminator and
/// its generator.
struct PhaseSpec {
    std::string name;
    std::vector<std::string> train;              ///< glob patterns over full names of parameters
    OptimizerSpec optimizer;                     ///< training.optimizer, with what the phase states instead
    bool ownLr = false, ownWeightDecay = false;  ///< the phase states them
    std::int64_t every = 1;                      ///< taken in each so many-th step, the first one included
};
/// One schedule of a sequence or a chain.
struct SchedulePhase : TypedOptions {
    SchedulePhase() : TypedOptions(scheduleTypes, "constant") {}
    std::int64_t length = 0;  ///< in units; 0: what is left
};
/// Schedules: schedule_types.cpp.
struct SchedulerSpec : TypedOptions {
    SchedulerSpec() : TypedOptions(scheduleTypes, "constant") {}
    Unit unit = Unit::kEpoch;
    std::int64_t warmup = 0;  ///< in units
    std::optional<double>
        warmupStart;  ///< share of the rate that the warm-up starts from; none: position t has (t + 1) / warmup
    std::vector<SchedulePhase> phases;  ///< sequence, chained
};
struct ClipSpec {
    std::string type = "none";  ///< none, norm, value, adaptive
    double maxNorm = 1.0;       ///< norm
    double normType = 2.0;      ///< norm; infinity: the largest absolute value
    double clipValue = 1.0;     ///< value
    double factor = 0.01;       ///< adaptive: largest norm of a unit's gradient as a share of the unit's norm
    double eps = 1e-3;          ///< adaptive: smallest norm of a unit that counts
    bool enabled() const { return type != "none"; }
};
struct GradScalerSpec {
    double initScale = 65536, growthFactor = 2, backoffFactor = 0.5;
    std::int64_t growthInterval = 2000;
    double minScale = 0;  ///< the scale does not fall below it; 0: no limit, as in PyTorch
    std::int64_t resetAfterSkips =
        0;  ///< so many skipped steps in a row set the scale back to initScale and halve the learning rate; 0: never
};
/// A second set of weights, averaged over the run, that is validated and kept.
struct AveragingSpec {
    std::string type = "none";  ///< none, ema, swa
    double decay = 0.999;       ///< ema
    std::int64_t start = 0;     ///< in units, from which averaging begins
    std::int64_t every = 1;     ///< in units
    Unit unit = Unit::kStep;
    bool useBuffers = false;           ///< averages buffers too, instead of copying them
    bool recalibrateBatchNorm = true;  ///< swa: a pass over the training split gives BatchNorm its statistics
};
/// Parameters that do not train for the first epochs; those that several match wait for the longest.
struct FreezeSpec {
    std::string match;        ///< glob pattern over full names
    std::int64_t epochs = 0;  ///< 0: the whole run
    bool buffers = true;      ///< running statistics of the matching blocks stay as well
};
struct GradientNoiseSpec {
    double eta = 0, gamma = 0.55;
};  ///< variance eta / (1 + step)^gamma (Neelakantan et al. 2015); eta 0: none
struct CheckpointSpec {
    std::int64_t every = 1;
    Unit unit = Unit::kEpoch;
    std::int64_t keepLast = 2;
    std::string bestSeries;
    bool bestIsMax = true;
    std::int64_t keepBest = 1;  ///< so many of the best by bestSeries
    double maxMb = 0;           ///< of all checkpoints of the run, in 10^6 bytes; 0: no limit
};
/// A value of a validation that ends the run.
struct StopTargetSpec {
    std::string series;  ///< "val.accuracy"; "": none
    double value = 0;
    bool isMax = true;  ///< reached at `value` or above; else at it or below
};
/// Ends the run once a series has not improved for some validations.
struct EarlyStoppingSpec {
    std::int64_t patience = 0;  ///< validations without an improvement; 0: off
    std::string series = "val.loss";
    bool isMax = false;
    double minDelta = 0;       ///< what is to count as an improvement is better by more than this
    bool restoreBest = false;  ///< a run that ends by its plan ends with the weights of its best checkpoint
};
/// Blocks that keep only what flows into them and run again in the backward pass (Chen et al. 2016,
/// torch.utils.checkpoint).
struct ActivationCheckpointingSpec {
    std::vector<std::string> blocks;  ///< patterns of blocks
    double budgetMb = 0;  ///< further blocks are chosen until a step's tensors fit so many 10^6 bytes; 0: none are
    bool enabled() const { return !blocks.empty() || budgetMb > 0; }
};
/// training.expert: mistakes that can be made on purpose.
struct ExpertSpec {
    bool clipBeforeUnscale = false, skipUnscale = false, skipScalerUpdate = false, skipZeroGrad = false,
         zeroGradBeforeStep = false, validateInTrainMode = false, keepEvalAfterValidation = false,
         schedulerEveryBatch = false, schedulerOnSkippedStep = false, allowBroadcastLoss = false,
         sameWorkerSeed = false, noShufflePerEpoch = false;
};

struct TrainingPlan {
    std::uint64_t seed = 0;
    std::string device = "auto";  ///< auto, cpu, cuda:i
    Precision precision = Precision::kFp32;
    std::string determinism = "default";  ///< default, deterministic, research, production, debug
    std::string memoryFormat = "auto";    ///< auto, contiguous, channels_last
    std::int64_t threads = 0;             ///< intra-op; 0 = auto
    std::int64_t epochs = 10;             ///< stop.epochs
    std::int64_t maxSteps = 0;            ///< stop.steps; 0 = no limit
    double maxSeconds = 0;                ///< stop.seconds, of training; 0 = no limit
    StopTargetSpec target;                ///< stop.target
    EarlyStoppingSpec earlyStopping;
    std::vector<LossSpec> losses;
    std::vector<MetricSpec> metrics;
    OptimizerSpec optimizer;
    std::vector<PhaseSpec> phases;  ///< in the order in which a step takes them; empty: one optimizer for all losses
    SchedulerSpec scheduler;
    ClipSpec clip;
    std::int64_t accumulation = 1;
    GradScalerSpec gradScaler;
    std::vector<std::string> fp32Blocks;  ///< patterns of blocks that autocast leaves in float32 …
    bool fp32Outputs = true;              ///< … where none is stated: the blocks that make the model's outputs
    ActivationCheckpointingSpec activationCheckpointing;
    std::vector<std::string> noGrad;  ///< patterns of blocks that run with gradients switched off
    AveragingSpec averaging;
    std::vector<FreezeSpec> freeze;
    GradientNoiseSpec gradientNoise;
    std::int64_t stochasticDepthEpochs =
        0;  ///< over which the p of DropPath blocks rises from 0 to its value; 0: it has it at once
    std::int64_t validationEvery = 1;
    Unit validationUnit = Unit::kEpoch;
    std::int64_t sanityBatches = 2;  ///< of the validation split, evaluated before the first step; 0: none
    CheckpointSpec checkpoints;
    ExpertSpec expert;
    /// Settings that are stated and that the chosen types do not have, as pointers: momentum with Adam.
    std::vector<std::string> withoutEffect;
};

struct MonitorPlan {
    std::int64_t stride = 0;  ///< steps between statistics; 0 = auto (governed)
    bool enabled = true;
    /// Per detector: {"enabled": bool, threshold names …}; absent ones have their defaults.
    std::map<std::string, Json> detectors;
};

Result<TrainingPlan> readTrainingPlan(const Json& training, const std::string& pointer = "/training");
Result<MonitorPlan> readMonitorPlan(const Json& monitor, const std::string& pointer = "/monitor");

/// Every setting of training, data.loader, data.splits and monitor, in form order.
const std::vector<SettingSpec>& settings();

/// What a setting is where it is not stated. `stated` gives the value at a dotted path, or nullptr where there is none.
const Json& defaultOf(const SettingSpec& spec, const std::function<const Json*(const std::string& path)>& stated);
/// The same for what project.json states.
const Json& defaultOf(const SettingSpec& spec, const Json& project);

/// Epochs until the run ends by its plan: stop.epochs, or where that is 0 as many as stop.steps take.
std::int64_t epochsToRun(const TrainingPlan& plan, std::int64_t stepsPerEpoch);
/// How long the run is by its plan, stop.steps included, in the unit that its schedule counts in.
std::int64_t scheduleLength(const TrainingPlan& plan, std::int64_t stepsPerEpoch);

/// What one element of a list setting holds ("training.losses", "training.metrics", "training.optimizer.groups",
/// "training.scheduler.phases", "training.freeze", "training.phases"): paths
/// are the element's keys in the order they are written, `when` refers to them, and the types "output" and "target" are
/// names of the model's outputs and the data's targets. A default of null: may be left out. Empty for other paths.
const std::vector<SettingSpec>& elementSettings(const std::string& listPath);

/// The label that a metric does not count: its own ignore_index, else that of the first loss on the same output that
/// has one.
std::optional<std::int64_t> ignoredLabel(const TrainingPlan& plan, const MetricSpec& metric);
/// Whether a loss says that an output's classes exclude each other, so that a target of its shape holds their
/// probabilities.
bool excludesClasses(const TrainingPlan& plan, const std::string& output);
/// Whether larger values of "val.<name>" or "train.<name>" are better, which the loss's are not. Nothing where the plan
/// measures no number of that name.
std::optional<bool> largerIsBetter(const TrainingPlan& plan, const std::string& series);
/// Which series the best checkpoint is chosen by: checkpoints.best, or where that is not stated and early stopping
/// restores the best, its own. "": none is.
struct BestSeries {
    std::string series;
    bool isMax = true;
};
BestSeries bestSeriesOf(const std::string& checkpointsBest, bool checkpointsBestIsMax, const EarlyStoppingSpec& early);

/// What is wrong with an optimizer's settings by themselves.
Status checkOptimizer(const OptimizerSpec& spec);
/// Settings that contradict each other or the data and model, each with a sentence. `hasValidation`: the split is not
/// empty.
struct PlanProblem {
    bool critical = true;
    std::string code, pointer, message, hint;
};
/// Of these, what concerns the optimizer, and what is frozen, beside the rest of the plan.
std::vector<PlanProblem> checkOptimizerInPlan(const TrainingPlan& plan);
/// The part of checkPlan() about training.phases and the losses that name them.
void checkPhases(const TrainingPlan& plan, std::vector<PlanProblem>& problems);
/// The part of checkPlan() about what ends a run and which checkpoints are kept.
void checkStops(const TrainingPlan& plan, bool hasValidation, std::vector<PlanProblem>& problems);
std::vector<PlanProblem> checkPlan(const TrainingPlan& plan, std::int64_t trainSamples, std::int64_t batchSize,
                                   bool dropLast, bool hasValidation);

}  // namespace plumbline::plan
