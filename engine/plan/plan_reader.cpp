#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/json_errors.h"
#include "core/text.h"
#include "plan/condition.h"
#include "plan/phase_optimizer.h"
#include "plan/plan.h"
#include "plan/setting_reader.h"

namespace plumbline::plan {
namespace {

constexpr const char* kHowToName = "Write full names, with * for anything: discriminator.*";

/// The types that an element of a list may have.
const std::vector<std::string>& typesOf(const std::string& listPath) {
    return elementSettings(listPath).front().choices;
}

Status checkWord(const std::string& word, const std::vector<std::string>& words, const std::string& pointer,
                 const std::string& what) {
    for (const std::string& known : words) {
        if (known == word) {
            return {};
        }
    }
    return fail(ErrorKind::kInvalid, "unknown-choice", fmt::format("{} is \"{}\", which is no {}", pointer, word, what),
                pointer, didYouMean(word, words, fmt::format("Known are {}.", fmt::join(words, ", "))));
}

Unit unitOf(const std::string& text) {
    return text == "step" ? Unit::kStep : Unit::kEpoch;
}

/// The options of the type that `into` has been given. What no type has is told by finish().
void readOptions(JsonObject& object, TypedOptions& into) {
    const TypeSpec* kind = into.kind();
    if (kind == nullptr) {
        return;
    }
    for (const OptionSpec& option : kind->options) {
        const std::string pointer = pointerTo(object.pointer(), option.name);
        const Json* value = object.find(option.name);
        const bool needed = (option.type == "output" || option.type == "target") && !option.optional;
        if (value == nullptr && needed) {
            object.requiredString(option.name);
        } else if (value != nullptr && value->is_null()) {
            object.addError(wrongTypeError(pointer, "a value", *value));
        } else if (value != nullptr) {
            if (const Status status = checkOption(option, *value, pointer); !status) {
                object.addError(status.error());
            }
            into.options[option.name] = *value;
        }
    }
}

/// "output" or "target", where the type has it.
std::string readName(JsonObject& object, const TypedOptions& of, const char* key) {
    const TypeSpec* kind = of.kind();
    return kind == nullptr || kind->has(key) ? object.requiredString(key) : std::string();
}

/// What counts for nothing at all is refused.
void refuseNoWeight(JsonObject& object, const LossSpec& loss) {
    for (const char* key : {"class_weights", "pos_weight"}) {
        const std::vector<double> weights = loss.numbers(key);
        if (!weights.empty() &&
            std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 0; })) {
            object.addError(
                {ErrorKind::kInvalid, "out-of-range",
                 fmt::format("All numbers of {} are 0, so nothing would count", pointerTo(object.pointer(), key)),
                 pointerTo(object.pointer(), key), "Give at least one class a weight above 0."});
        }
    }
}

Result<std::vector<LossSpec>> readLosses(const Json& list, const std::string& pointer) {
    std::vector<LossSpec> losses;
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonObject object(list[i], pointerTo(pointer, i));
        LossSpec loss;
        loss.type = object.requiredString("type");
        loss.output = readName(object, loss, "output");
        loss.target = readName(object, loss, "target");
        loss.weight = object.number("weight", 1.0);
        loss.phase = object.string("phase", "");
        readOptions(object, loss);
        if (!loss.type.empty()) {
            PLUMBLINE_TRY(
                checkWord(loss.type, typesOf("training.losses"), pointerTo(object.pointer(), "type"), "loss"));
        }
        refuseNoWeight(object, loss);
        PLUMBLINE_TRY(object.finish());
        losses.push_back(std::move(loss));
    }
    return losses;
}

Result<std::vector<MetricSpec>> readMetrics(const Json& list, const std::string& pointer) {
    std::vector<MetricSpec> metrics;
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonObject object(list[i], pointerTo(pointer, i));
        MetricSpec metric;
        metric.type = object.requiredString("type");
        metric.output = object.requiredString("output");
        metric.target = object.requiredString("target");
        readOptions(object, metric);
        if (!metric.type.empty()) {
            PLUMBLINE_TRY(
                checkWord(metric.type, typesOf("training.metrics"), pointerTo(object.pointer(), "type"), "metric"));
        }
        PLUMBLINE_TRY(object.finish());
        if (constexpr std::size_t kLongest = 100;
            hasControlCharacter(metric.name()) || metric.name().size() > kLongest) {
            return fail(ErrorKind::kInvalid, "bad-metric-name",
                        fmt::format("{} has a name that is longer than {} bytes or holds a control character",
                                    object.pointer(), kLongest),
                        pointerTo(object.pointer(), "name"), "Give it a short name in one line.");
        }
        if (metric.name() == "loss") {
            return fail(ErrorKind::kInvalid, "metric-twice",
                        fmt::format("{} has the name \"loss\", which is that of the losses' sum", object.pointer()),
                        pointerTo(object.pointer(), "name"), "Give it another name.");
        }
        for (const MetricSpec& other : metrics) {
            if (other.name() == metric.name()) {
                return fail(ErrorKind::kInvalid, "metric-twice",
                            fmt::format("{} names the metric {} a second time", object.pointer(), metric.name()),
                            object.pointer(), "Remove one of the two, or give it a \"name\" of its own.");
            }
        }
        metrics.push_back(std::move(metric));
    }
    return metrics;
}

/// A number of at least 0 that may be left out.
void readOptional(JsonObject& object, const char* key, std::optional<double>& into) {
    if (!object.has(key)) {
        object.find(key);
        return;
    }
    into = object.number(key, 0);
    if (*into < 0 || *into > static_cast<double>(std::numeric_limits<float>::max())) {
        object.addError({ErrorKind::kInvalid, "out-of-range",
                         fmt::format("{} has to be {} and is {}", key,
                                     *into < 0 ? "at least 0" : "small enough for a float32", *into),
                         pointerTo(object.pointer(), key),
                         "Choose another value, or leave it out to take the optimizer's own."});
    }
}

Result<std::vector<OptimizerGroup>> readGroups(const Json& list, const std::string& pointer) {
    std::vector<OptimizerGroup> groups;
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonObject object(list[i], pointerTo(pointer, i));
        OptimizerGroup group;
        group.match = object.requiredString("match");
        readOptional(object, "lr", group.lr);
        readOptional(object, "weight_decay", group.weightDecay);
        group.frozen = object.boolean("frozen", false);
        PLUMBLINE_TRY(object.finish());
        groups.push_back(std::move(group));
    }
    return groups;
}

/// A number of units or epochs.
std::int64_t readCount(JsonObject& object, const char* key, std::int64_t fallback) {
    const std::int64_t count = object.integer(key, fallback);
    if (count < 0) {
        object.addError({ErrorKind::kInvalid, "out-of-range",
                         fmt::format("{} has to be at least 0 and is {}", key, count), pointerTo(object.pointer(), key),
                         "Raise it."});
    }
    return count;
}

Result<std::vector<FreezeSpec>> readFreeze(const Json& list, const std::string& pointer) {
    std::vector<FreezeSpec> all;
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonObject object(list[i], pointerTo(pointer, i));
        FreezeSpec freeze;
        freeze.match = object.requiredString("match");
        freeze.epochs = readCount(object, "epochs", 0);
        freeze.buffers = object.boolean("buffers", true);
        PLUMBLINE_TRY(object.finish());
        all.push_back(std::move(freeze));
    }
    return all;
}

Result<std::vector<SchedulePhase>> readPhases(const Json& list, const std::string& pointer) {
    std::vector<SchedulePhase> phases;
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonObject object(list[i], pointerTo(pointer, i));
        SchedulePhase phase;
        phase.type = object.requiredString("type");
        phase.length = readCount(object, "length", 0);
        readOptions(object, phase);
        if (!phase.type.empty()) {
            PLUMBLINE_TRY(checkWord(phase.type, typesOf("training.scheduler.phases"),
                                    pointerTo(object.pointer(), "type"), "schedule of a sequence"));
        }
        PLUMBLINE_TRY(object.finish());
        phases.push_back(std::move(phase));
    }
    return phases;
}

/// Reads a list setting with the reader of its elements.
template <typename T>
void readList(SettingReader& reader, const std::string& path, const std::string& pointer,
              Result<std::vector<T>> (*readElements)(const Json&, const std::string&), std::vector<T>& into) {
    const Json* list = reader.structured(path);
    if (list == nullptr) {
        return;
    }
    if (auto elements = readElements(*list, pointer + pointerOfDottedPath(path))) {
        into = std::move(*elements);
    } else {
        reader.addError(elements.error());
    }
}

/// What the type does not have of what all others have changes nothing, and is told where it is stated.
void dropWithout(SettingReader& reader, const std::string& pointer, OptimizerSpec& optimizer,
                 std::vector<std::string>& withoutEffect) {
    const TypeSpec* kind = optimizer.kind();
    const auto lacks = [&](const char* setting) {
        const bool without = kind != nullptr && !kind->has(setting);
        const std::string path = std::string("optimizer.") + setting;
        if (without && reader.structured(path) != nullptr) {
            withoutEffect.push_back(pointer + pointerOfDottedPath(path));
        }
        return without;
    };
    if (lacks("weight_decay")) {
        optimizer.weightDecay = 0;
    }
    if (lacks("maximize")) {
        optimizer.maximize = false;
    }
}

OptimizerSpec readOptimizer(SettingReader& reader, const std::string& pointer,
                            std::vector<std::string>& withoutEffect) {
    OptimizerSpec optimizer;
    optimizer.type = reader.text("optimizer.type");
    optimizer.lr = reader.number("optimizer.lr");
    optimizer.weightDecay = reader.number("optimizer.weight_decay");
    reader.options("optimizer.", optimizer, optimizerTypes(), withoutEffect);
    optimizer.maximize = reader.boolean("optimizer.maximize");
    dropWithout(reader, pointer, optimizer, withoutEffect);
    optimizer.implementation = reader.text("optimizer.implementation");
    optimizer.decayNormsAndBiases = reader.boolean("optimizer.decay_norms_and_biases");
    optimizer.layerDecay = reader.number("optimizer.layer_decay");
    optimizer.centralizeGradients = reader.boolean("optimizer.gradient_centralization");
    readList(reader, "optimizer.groups", pointer, readGroups, optimizer.groups);
    return optimizer;
}

/// One pattern; "" and an error where it is none.
std::string readPattern(JsonObject& object, const Json& pattern, const std::string& pointer) {
    if (!pattern.is_string()) {
        object.addError(wrongTypeError(pointer, "a text", pattern));
    } else if (pattern.get_ref<const std::string&>().empty()) {
        object.addError({ErrorKind::kInvalid, "wrong-type",
                         fmt::format("{} is empty, so it matches no parameter", pointer), pointer, kHowToName});
    }
    return pattern.is_string() ? pattern.get<std::string>() : std::string();
}

/// A pattern, or a list of them.
std::vector<std::string> readPatterns(JsonObject& object, const char* key) {
    const Json* value = object.find(key);
    const std::string pointer = pointerTo(object.pointer(), key);
    std::vector<std::string> patterns;
    if (value == nullptr || (value->is_array() && value->empty())) {
        object.addError({ErrorKind::kInvalid, "missing-key",
                         fmt::format("{} names no parameter that the phase trains", pointer), pointer, kHowToName});
    } else if (value->is_string()) {
        patterns.push_back(readPattern(object, *value, pointer));
    } else if (value->is_array()) {
        for (std::size_t i = 0; i < value->size(); ++i) {
            patterns.push_back(readPattern(object, (*value)[i], pointerTo(pointer, i)));
        }
    } else {
        Error error = wrongTypeError(pointer, "a pattern of names or a list of them", *value);
        error.hint = kHowToName;
        object.addError(std::move(error));
    }
    return patterns;
}

/// What is left out in a phase has another default.
Error inPhase(Error error) {
    constexpr std::string_view kDefault = "Where it is left out it is {}.";  // as the readers write it
    if (const std::size_t begin = error.hint.find(kDefault.substr(0, kDefault.find('{'))); begin != std::string::npos) {
        error.hint = error.hint.substr(0, begin) + "Where it is left out the phase takes that of training.optimizer.";
    }
    return error;
}

/// Those that are told already stay the only ones of their place.
void addMissing(std::vector<std::string> pointers, std::vector<std::string>& into) {
    for (std::string& pointer : pointers) {
        if (std::find(into.begin(), into.end(), pointer) == into.end()) {
            into.push_back(std::move(pointer));
        }
    }
}

Result<std::vector<PhaseSpec>> readTrainingPhases(const Json& training, const Json& list, const std::string& pointer,
                                                  std::vector<std::string>& withoutEffect) {
    std::vector<PhaseSpec> phases;
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonObject object(list[i], pointerTo(pointer, i));
        PhaseSpec phase;
        phase.name = object.requiredString("name");
        phase.train = readPatterns(object, "train");
        phase.every = object.integer("every", 1);
        if (phase.every < 1) {
            object.addError({ErrorKind::kInvalid, "out-of-range",
                             fmt::format("every has to be at least 1 and is {}", phase.every),
                             pointerTo(object.pointer(), "every"), "Write 1 for each step."});
        }
        const Json* own = object.find("optimizer");
        if (own != nullptr && !own->is_object()) {
            object.wrongType("optimizer", "an object");
        }
        PLUMBLINE_TRY(object.finish());
        const Json stated = own != nullptr ? *own : Json::object();
        const Json merged{{"optimizer", phaseOptimizer(training, stated)}};
        SettingReader reader(merged, "training", object.pointer());
        std::vector<std::string> lost;
        phase.optimizer = readOptimizer(reader, object.pointer(), lost);
        if (const Status status = reader.finish(); !status) {
            return fail(inPhase(status.error()));
        }
        phase.ownLr = stated.contains("lr");
        phase.ownWeightDecay = stated.contains("weight_decay");
        addMissing(statedWithoutEffect(Json{{"optimizer", stated}}, merged, object.pointer()), lost);
        // What is taken over is told of where it stands.
        std::copy_if(lost.begin(), lost.end(), std::back_inserter(withoutEffect),
                     [&](const std::string& where) { return stated.contains(where.substr(where.rfind('/') + 1)); });
        phases.push_back(std::move(phase));
    }
    return phases;
}

SchedulerSpec readScheduler(SettingReader& reader, const std::string& pointer,
                            std::vector<std::string>& withoutEffect) {
    SchedulerSpec scheduler;
    scheduler.type = reader.text("scheduler.type");
    scheduler.unit = unitOf(reader.text("scheduler.unit"));
    scheduler.warmup = reader.integer("scheduler.warmup");
    if (const Json* start = reader.structured("scheduler.warmup_start")) {
        scheduler.warmupStart = start->get<double>();
    }
    reader.options("scheduler.", scheduler, scheduleTypes(), withoutEffect);
    readList(reader, "scheduler.phases", pointer, readPhases, scheduler.phases);
    return scheduler;
}

/// What ends a run besides its epochs and steps.
void readStops(SettingReader& reader, TrainingPlan& plan) {
    plan.maxSeconds = reader.number("stop.seconds");
    if (const Json* series = reader.structured("stop.target.series")) {
        plan.target.series = series->get<std::string>();
    }
    const Json* value = reader.structured("stop.target.value");
    plan.target.value =
        value != nullptr ? value->get<double>() : std::numeric_limits<double>::quiet_NaN();  // checkStops() asks for it
    plan.earlyStopping.patience = reader.integer("early_stopping.patience");
    plan.earlyStopping.series = reader.text("early_stopping.series");
    plan.earlyStopping.minDelta = reader.number("early_stopping.min_delta");
    plan.earlyStopping.restoreBest = reader.boolean("early_stopping.restore_best");
}

/// Whether larger values of the series are waited for. A series that the plan does not measure is refused with the
/// others.
bool isMax(const TrainingPlan& plan, const std::string& mode, const std::string& series) {
    return mode == "auto" ? largerIsBetter(plan, series).value_or(false) : mode == "max";
}

/// What is better, once it is known what is measured.
void readModes(SettingReader& reader, TrainingPlan& plan) {
    plan.target.isMax = isMax(plan, reader.text("stop.target.mode"), plan.target.series);
    plan.earlyStopping.isMax = isMax(plan, reader.text("early_stopping.mode"), plan.earlyStopping.series);
    const Json* best = reader.structured("checkpoints.best.series");
    const std::string series = best != nullptr ? best->get<std::string>() : "";
    const BestSeries chosen =
        bestSeriesOf(series, isMax(plan, reader.text("checkpoints.best.mode"), series), plan.earlyStopping);
    plan.checkpoints.bestSeries = chosen.series;
    plan.checkpoints.bestIsMax = chosen.isMax;
}

AveragingSpec readAveraging(SettingReader& reader) {
    AveragingSpec averaging;
    averaging.type = reader.text("averaging.type");
    averaging.decay = reader.number("averaging.decay");
    averaging.start = reader.integer("averaging.start");
    averaging.every = reader.integer("averaging.every");
    averaging.unit = unitOf(reader.text("averaging.unit"));
    averaging.useBuffers = reader.boolean("averaging.use_buffers");
    averaging.recalibrateBatchNorm = reader.boolean("averaging.recalibrate_batch_norm");
    return averaging;
}

/// Patterns of blocks; whether they are stated.
bool readPatterns(SettingReader& reader, const std::string& path, const std::string& pointer,
                  std::vector<std::string>& patterns) {
    const Json* list = reader.structured(path);
    if (list == nullptr) {
        return false;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        const Json& pattern = (*list)[i];
        if (!pattern.is_string()) {
            reader.addError(wrongTypeError(pointerTo(pointer + pointerOfDottedPath(path), i), "a text", pattern));
            break;
        }
        patterns.push_back(pattern.get<std::string>());
    }
    return true;
}

ExpertSpec readExpert(SettingReader& reader) {
    ExpertSpec expert;
    expert.clipBeforeUnscale = reader.boolean("expert.clip_before_unscale");
    expert.skipUnscale = reader.boolean("expert.skip_unscale");
    expert.skipScalerUpdate = reader.boolean("expert.skip_scaler_update");
    expert.skipZeroGrad = reader.boolean("expert.skip_zero_grad");
    expert.zeroGradBeforeStep = reader.boolean("expert.zero_grad_before_step");
    expert.validateInTrainMode = reader.boolean("expert.validate_in_train_mode");
    expert.keepEvalAfterValidation = reader.boolean("expert.keep_eval_after_validation");
    expert.schedulerEveryBatch = reader.boolean("expert.scheduler_every_batch");
    expert.schedulerOnSkippedStep = reader.boolean("expert.scheduler_on_skipped_step");
    expert.allowBroadcastLoss = reader.boolean("expert.allow_broadcast_loss");
    expert.sameWorkerSeed = reader.boolean("expert.same_worker_seed");
    expert.noShufflePerEpoch = reader.boolean("expert.no_shuffle_per_epoch");
    return expert;
}

bool isDevice(const std::string& device) {
    if (device == "auto" || device == "cpu" || device == "cuda") {
        return true;
    }
    return device.starts_with("cuda:") && device.size() > 5 && device.size() < 9 &&
           device.find_first_not_of("0123456789", 5) == std::string::npos;
}

}  // namespace

Result<TrainingPlan> readTrainingPlan(const Json& training, const std::string& pointer) {
    SettingReader reader(training, "training", pointer);
    TrainingPlan plan;
    plan.seed = static_cast<std::uint64_t>(reader.integer("seed"));
    plan.device = reader.text("device");
    if (!isDevice(plan.device)) {
        reader.addError(
            {ErrorKind::kInvalid, "unknown-choice",
             fmt::format("{}/device is \"{}\", which is none of auto, cpu, cuda:0 and up", pointer, plan.device),
             pointer + "/device", "Choose auto or cpu."});
    }
    const std::string precision = reader.text("precision");
    plan.precision = precision == "bf16" ? Precision::kBf16 : precision == "fp16" ? Precision::kFp16 : Precision::kFp32;
    plan.determinism = reader.text("determinism");
    plan.memoryFormat = reader.text("memory_format");
    plan.threads = reader.integer("threads");
    plan.epochs = reader.integer("stop.epochs");
    plan.maxSteps = reader.integer("stop.steps");
    readStops(reader, plan);
    readList(reader, "losses", pointer, readLosses, plan.losses);
    readList(reader, "metrics", pointer, readMetrics, plan.metrics);
    plan.optimizer = readOptimizer(reader, pointer, plan.withoutEffect);
    if (const Json* list = reader.structured("phases")) {
        if (auto phases = readTrainingPhases(training, *list, pointer + "/phases", plan.withoutEffect)) {
            plan.phases = std::move(*phases);
        } else {
            reader.addError(phases.error());
        }
    }
    plan.scheduler = readScheduler(reader, pointer, plan.withoutEffect);
    readList(reader, "freeze", pointer, readFreeze, plan.freeze);
    plan.averaging = readAveraging(reader);
    plan.gradientNoise = {reader.number("gradient_noise.eta"), reader.number("gradient_noise.gamma")};
    plan.stochasticDepthEpochs = reader.integer("stochastic_depth.epochs");
    plan.fp32Outputs = !readPatterns(reader, "fp32_blocks", pointer, plan.fp32Blocks);
    readPatterns(reader, "activation_checkpointing.blocks", pointer, plan.activationCheckpointing.blocks);
    plan.activationCheckpointing.budgetMb = reader.number("activation_checkpointing.budget_mb");
    readPatterns(reader, "no_grad", pointer, plan.noGrad);
    plan.clip.type = reader.text("clip.type");
    plan.clip.maxNorm = reader.number("clip.max_norm");
    plan.clip.normType = reader.numberOrInfinity("clip.norm_type");
    plan.clip.clipValue = reader.number("clip.clip_value");
    plan.clip.factor = reader.number("clip.factor");
    plan.clip.eps = reader.number("clip.eps");
    plan.accumulation = reader.integer("accumulation");
    plan.gradScaler.initScale = reader.number("grad_scaler.init_scale");
    plan.gradScaler.growthFactor = reader.number("grad_scaler.growth_factor");
    plan.gradScaler.backoffFactor = reader.number("grad_scaler.backoff_factor");
    plan.gradScaler.growthInterval = reader.integer("grad_scaler.growth_interval");
    plan.gradScaler.minScale = reader.number("grad_scaler.min_scale");
    plan.gradScaler.resetAfterSkips = reader.integer("grad_scaler.reset_after_skips");
    plan.validationEvery = reader.integer("validation.every");
    plan.validationUnit = unitOf(reader.text("validation.unit"));
    plan.sanityBatches = reader.integer("validation.sanity_batches");
    plan.checkpoints.every = reader.integer("checkpoints.every");
    plan.checkpoints.unit = unitOf(reader.text("checkpoints.unit"));
    plan.checkpoints.keepLast = reader.integer("checkpoints.keep_last");
    plan.checkpoints.keepBest = reader.integer("checkpoints.keep_best");
    plan.checkpoints.maxMb = reader.number("checkpoints.max_mb");
    readModes(reader, plan);
    plan.expert = readExpert(reader);
    PLUMBLINE_TRY(reader.finish());
    addMissing(statedWithoutEffect(training, training, pointer), plan.withoutEffect);
    return plan;
}

Result<MonitorPlan> readMonitorPlan(const Json& monitor, const std::string& pointer) {
    MonitorPlan plan;
    JsonObject object(monitor, pointer);
    plan.enabled = object.boolean("enabled", true);
    if (const Json* stride = object.find("stride"); stride != nullptr && *stride != "auto") {
        if (!stride->is_number_integer() || stride->get<std::int64_t>() < 1 || stride->get<std::int64_t>() > 1000000) {
            object.addError({ErrorKind::kInvalid, "out-of-range",
                             fmt::format("{}/stride has to be \"auto\" or an integer from 1 to 1000000 and is {}",
                                         pointer, stride->dump()),
                             pointer + "/stride",
                             "Usual is \"auto\", which keeps the monitor's share of the time small."});
        } else {
            plan.stride = stride->get<std::int64_t>();
        }
    }
    if (const Json* detectors = object.find("detectors")) {
        if (!detectors->is_object()) {
            object.wrongType("detectors", "an object");
        } else {
            for (const auto& [id, settings] : detectors->items()) {
                plan.detectors[id] = settings;
            }
        }
    }
    PLUMBLINE_TRY(object.finish());
    return plan;
}

}  // namespace plumbline::plan
