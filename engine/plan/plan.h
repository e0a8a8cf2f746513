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

namespace plumbline::plan {

enum class Precision { kFp32, kBf16, kFp16 };
enum class Unit { kStep, kEpoch };

struct LossSpec { std::string type; std::string output; std::string target; double weight = 1.0; Json options; };
struct MetricSpec { std::string type; std::string output; std::string target; std::string name() const; };
/// Overrides for parameters whose full name matches a glob pattern; the first group that matches wins.
struct OptimizerGroup { std::string match; std::optional<double> lr, weightDecay; };
struct OptimizerSpec {
    std::string type = "SGD";  ///< SGD, Adam, AdamW
    double lr = 1e-3, weightDecay = 0, momentum = 0, dampening = 0, beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
    bool nesterov = false, amsgrad = false, maximize = false;
    std::vector<OptimizerGroup> groups;
};
struct SchedulerSpec {
    std::string type = "constant";  ///< constant, step, cosine
    Unit unit = Unit::kEpoch;
    std::int64_t stepSize = 1;      ///< step: every so many units
    double gamma = 0.1;             ///< step: times this
    std::int64_t warmup = 0;        ///< in units, linear from 0 (exclusive) to the base rate
    double minLr = 0;               ///< cosine: where it ends
    std::int64_t total = 0;         ///< cosine: length in units; 0 = the whole run
};
struct ClipSpec { bool enabled = false; double maxNorm = 1.0; double normType = 2.0; };
struct GradScalerSpec { double initScale = 65536, growthFactor = 2, backoffFactor = 0.5; std::int64_t growthInterval = 2000; };
struct CheckpointSpec {
    std::int64_t every = 1; Unit unit = Unit::kEpoch; std::int64_t keepLast = 2;
    std::string bestSeries; bool bestIsMax = true;
};
/// training.expert: mistakes that can be made on purpose.
struct ExpertSpec {
    bool clipBeforeUnscale = false, skipUnscale = false, skipScalerUpdate = false, skipZeroGrad = false, zeroGradBeforeStep = false,
         validateInTrainMode = false, keepEvalAfterValidation = false, schedulerEveryBatch = false, schedulerOnSkippedStep = false,
         allowBroadcastLoss = false, sameWorkerSeed = false, noShufflePerEpoch = false;
};

struct TrainingPlan {
    std::uint64_t seed = 0;
    std::string device = "auto";        ///< auto, cpu, cuda:i
    Precision precision = Precision::kFp32;
    std::string determinism = "default";///< default, deterministic, research, production, debug
    std::string memoryFormat = "auto";  ///< auto, contiguous, channels_last
    std::int64_t threads = 0;           ///< intra-op; 0 = auto
    std::int64_t epochs = 10;           ///< stop.epochs
    std::int64_t maxSteps = 0;          ///< stop.steps; 0 = no limit
    std::vector<LossSpec> losses;
    std::vector<MetricSpec> metrics;
    OptimizerSpec optimizer;
    SchedulerSpec scheduler;
    ClipSpec clip;
    std::int64_t accumulation = 1;
    GradScalerSpec gradScaler;
    std::int64_t validationEvery = 1; Unit validationUnit = Unit::kEpoch;
    CheckpointSpec checkpoints;
    ExpertSpec expert;
};

struct MonitorPlan {
    std::int64_t stride = 0;  ///< steps between statistics; 0 = auto (governed)
    bool enabled = true;
    /// Per detector: {"enabled": bool, threshold names …}; absent ones have their defaults.
    std::map<std::string, Json> detectors;
};

Result<TrainingPlan> readTrainingPlan(const Json& training, const std::string& pointer = "/training");
Result<MonitorPlan> readMonitorPlan(const Json& monitor, const std::string& pointer = "/monitor");

/// One setting as forms, `plumbline settings`, the JSON Schema and the docs show it.
struct SettingSpec {
    std::string path;     ///< "training.optimizer.lr"
    std::string type;     ///< int, float, bool, text, choice, list, object, auto_int ("auto" or an integer)
    Json defaultValue;
    std::optional<double> min, max;
    std::vector<std::string> choices;
    std::string unit;
    std::string help;
    std::string applies;  ///< "live" or "next_run"
    std::string group;    ///< heading in a form: "Optimizer", "Schedule", …
    std::string when;     ///< "training.scheduler.type == step": when the setting means something; "" = always
    /// Another default where another setting has a certain value, as AdamW's own weight decay.
    struct OtherDefault { std::string setting, value; Json defaultValue; };
    std::vector<OtherDefault> otherDefaults = {};
    bool aboveMin = false, belowMax = false;  ///< min, or max, is no value of it itself
};
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

/// What one element of a list setting holds ("training.losses", "training.metrics", "training.optimizer.groups"): paths
/// are the element's keys in the order they are written, `when` refers to them, and the types "output" and "target" are
/// names of the model's outputs and the data's targets. A default of null: may be left out. Empty for other paths.
const std::vector<SettingSpec>& elementSettings(const std::string& listPath);

/// Settings that contradict each other or the data and model, each with a sentence. `hasValidation`: the split is not empty.
struct PlanProblem { bool critical = true; std::string code, pointer, message, hint; };
std::vector<PlanProblem> checkPlan(const TrainingPlan& plan, std::int64_t trainSamples, std::int64_t batchSize, bool dropLast, bool hasValidation);

}  // namespace plumbline::plan
