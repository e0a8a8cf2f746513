#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/json_errors.h"
#include "plan/plan.h"
#include "plan/setting_reader.h"

namespace plumbline::plan {
namespace {

/// The types that an element of a list may have.
const std::vector<std::string>& typesOf(const std::string& listPath) { return elementSettings(listPath).front().choices; }

Status checkWord(const std::string& word, const std::vector<std::string>& words, const std::string& pointer,
                 const std::string& what) {
    for (const std::string& known : words) {
        if (known == word) {
            return {};
        }
    }
    return fail(ErrorKind::kInvalid, "unknown-choice", fmt::format("{} is \"{}\", which is no {}", pointer, word, what), pointer,
                didYouMean(word, words, fmt::format("Known are {}.", fmt::join(words, ", "))));
}

Unit unitOf(const std::string& text) { return text == "step" ? Unit::kStep : Unit::kEpoch; }

/// A list of weights, one a class; null where it is left out. How many there have to be, the model says.
Json readWeights(JsonObject& object, const char* key) {
    const Json* list = object.find(key);
    if (list == nullptr) {
        return nullptr;
    }
    const auto isWeight = [](const Json& value) { return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0; };
    if (!list->is_array() || list->empty() || !std::all_of(list->begin(), list->end(), isWeight)) {
        object.addError({ErrorKind::kInvalid, "wrong-type", fmt::format("{} has to be a list of numbers that are not negative, one a class", pointerTo(object.pointer(), key)),
                         pointerTo(object.pointer(), key), "Give one number a class, as [1, 2.5]."});
        return nullptr;
    }
    if (std::all_of(list->begin(), list->end(), [](const Json& value) { return value.get<double>() == 0; })) {
        object.addError({ErrorKind::kInvalid, "out-of-range", fmt::format("All numbers of {} are 0, so nothing would count", pointerTo(object.pointer(), key)),
                         pointerTo(object.pointer(), key), "Give at least one class a weight above 0."});
    }
    return *list;
}

Result<std::vector<LossSpec>> readLosses(const Json& list, const std::string& pointer) {
    std::vector<LossSpec> losses;
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonObject object(list[i], pointerTo(pointer, i));
        LossSpec loss;
        loss.type = object.requiredString("type");
        loss.output = object.requiredString("output");
        loss.target = object.requiredString("target");
        loss.weight = object.number("weight", 1.0);
        loss.options = Json::object();
        if (loss.type == "CrossEntropyLoss") {
            loss.options["label_smoothing"] = object.number("label_smoothing", 0.0);
            loss.options["ignore_index"] = object.integer("ignore_index", -100);
            if (Json weights = readWeights(object, "class_weights"); !weights.is_null()) {
                loss.options["class_weights"] = std::move(weights);
            }
            const double smoothing = loss.options["label_smoothing"].get<double>();
            if (smoothing < 0 || smoothing > 1) {
                object.addError({ErrorKind::kInvalid, "out-of-range",
                                 fmt::format("label_smoothing has to be between 0 and 1 and is {}", smoothing),
                                 pointerTo(object.pointer(), "label_smoothing"), "Usual is 0.1; 0 smooths nothing."});
            }
        } else {
            loss.options["scalar_target"] = object.boolean("scalar_target", false);
            if (loss.type == "BCEWithLogitsLoss") {
                if (Json weights = readWeights(object, "pos_weight"); !weights.is_null()) {
                    loss.options["pos_weight"] = std::move(weights);
                }
            }
        }
        PLUMBLINE_TRY(object.finish());
        PLUMBLINE_TRY(checkWord(loss.type, typesOf("training.losses"), pointerTo(object.pointer(), "type"), "loss"));
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
        PLUMBLINE_TRY(object.finish());
        PLUMBLINE_TRY(checkWord(metric.type, typesOf("training.metrics"), pointerTo(object.pointer(), "type"), "metric"));
        for (const MetricSpec& other : metrics) {
            if (other.type == metric.type) {
                return fail(ErrorKind::kInvalid, "metric-twice",
                            fmt::format("{} names the metric {} a second time", object.pointer(), metric.type), object.pointer(),
                            "Remove one of the two.");
            }
        }
        metrics.push_back(std::move(metric));
    }
    return metrics;
}

Result<std::vector<OptimizerGroup>> readGroups(const Json& list, const std::string& pointer) {
    std::vector<OptimizerGroup> groups;
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonObject object(list[i], pointerTo(pointer, i));
        OptimizerGroup group;
        group.match = object.requiredString("match");
        for (auto [key, member] : {std::pair{"lr", &group.lr}, std::pair{"weight_decay", &group.weightDecay}}) {
            if (!object.has(key)) {
                object.find(key);
                continue;
            }
            *member = object.number(key, 0);
            if (**member < 0) {
                object.addError({ErrorKind::kInvalid, "out-of-range",
                                 fmt::format("{} has to be at least 0 and is {}", key, **member),
                                 pointerTo(object.pointer(), key), "Raise it, or leave it out to take the optimizer's own."});
            }
        }
        PLUMBLINE_TRY(object.finish());
        groups.push_back(std::move(group));
    }
    return groups;
}

OptimizerSpec readOptimizer(SettingReader& reader, const std::string& pointer) {
    OptimizerSpec optimizer;
    optimizer.type = reader.text("optimizer.type");
    optimizer.lr = reader.number("optimizer.lr");
    optimizer.weightDecay = reader.number("optimizer.weight_decay");
    optimizer.momentum = reader.number("optimizer.momentum");
    optimizer.dampening = reader.number("optimizer.dampening");
    optimizer.nesterov = reader.boolean("optimizer.nesterov");
    optimizer.eps = reader.number("optimizer.eps");
    optimizer.amsgrad = reader.boolean("optimizer.amsgrad");
    optimizer.maximize = reader.boolean("optimizer.maximize");
    if (const Json* betas = reader.structured("optimizer.betas")) {
        const auto inRange = [](const Json& beta) { return beta.is_number() && beta.get<double>() >= 0 && beta.get<double>() < 1; };
        if (betas->size() == 2 && inRange((*betas)[0]) && inRange((*betas)[1])) {
            optimizer.beta1 = (*betas)[0].get<double>();
            optimizer.beta2 = (*betas)[1].get<double>();
        } else {
            reader.addError({ErrorKind::kInvalid, "out-of-range",
                             fmt::format("{}/optimizer/betas has to be two numbers from 0 to under 1 and is {}", pointer, betas->dump()),
                             pointer + "/optimizer/betas", "Usual is [0.9, 0.999]."});
        }
    }
    if (const Json* list = reader.structured("optimizer.groups")) {
        auto groups = readGroups(*list, pointer + "/optimizer/groups");
        if (groups) {
            optimizer.groups = std::move(*groups);
        } else {
            reader.addError(groups.error());
        }
    }
    return optimizer;
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

std::string MetricSpec::name() const { return type; }

Result<TrainingPlan> readTrainingPlan(const Json& training, const std::string& pointer) {
    SettingReader reader(training, "training", pointer);
    TrainingPlan plan;
    plan.seed = static_cast<std::uint64_t>(reader.integer("seed"));
    plan.device = reader.text("device");
    if (!isDevice(plan.device)) {
        reader.addError({ErrorKind::kInvalid, "unknown-choice",
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
    if (const Json* list = reader.structured("losses")) {
        auto losses = readLosses(*list, pointer + "/losses");
        losses ? void(plan.losses = std::move(*losses)) : reader.addError(losses.error());
    }
    if (const Json* list = reader.structured("metrics")) {
        auto metrics = readMetrics(*list, pointer + "/metrics");
        metrics ? void(plan.metrics = std::move(*metrics)) : reader.addError(metrics.error());
    }
    plan.optimizer = readOptimizer(reader, pointer);
    plan.scheduler.type = reader.text("scheduler.type");
    plan.scheduler.unit = unitOf(reader.text("scheduler.unit"));
    plan.scheduler.stepSize = reader.integer("scheduler.step_size");
    plan.scheduler.gamma = reader.number("scheduler.gamma");
    plan.scheduler.warmup = reader.integer("scheduler.warmup");
    plan.scheduler.minLr = reader.number("scheduler.min_lr");
    plan.scheduler.total = reader.integer("scheduler.total");
    plan.clip.enabled = reader.text("clip.type") == "norm";
    plan.clip.maxNorm = reader.number("clip.max_norm");
    plan.clip.normType = reader.number("clip.norm_type");
    plan.accumulation = reader.integer("accumulation");
    plan.gradScaler.initScale = reader.number("grad_scaler.init_scale");
    plan.gradScaler.growthFactor = reader.number("grad_scaler.growth_factor");
    plan.gradScaler.backoffFactor = reader.number("grad_scaler.backoff_factor");
    plan.gradScaler.growthInterval = reader.integer("grad_scaler.growth_interval");
    plan.validationEvery = reader.integer("validation.every");
    plan.validationUnit = unitOf(reader.text("validation.unit"));
    plan.checkpoints.every = reader.integer("checkpoints.every");
    plan.checkpoints.unit = unitOf(reader.text("checkpoints.unit"));
    plan.checkpoints.keepLast = reader.integer("checkpoints.keep_last");
    if (const Json* series = reader.structured("checkpoints.best.series")) {
        plan.checkpoints.bestSeries = series->get<std::string>();
    }
    plan.checkpoints.bestIsMax = reader.text("checkpoints.best.mode") == "max";
    plan.expert = readExpert(reader);
    PLUMBLINE_TRY(reader.finish());
    return plan;
}

Result<MonitorPlan> readMonitorPlan(const Json& monitor, const std::string& pointer) {
    MonitorPlan plan;
    JsonObject object(monitor, pointer);
    plan.enabled = object.boolean("enabled", true);
    if (const Json* stride = object.find("stride"); stride != nullptr && *stride != "auto") {
        if (!stride->is_number_integer() || stride->get<std::int64_t>() < 1 || stride->get<std::int64_t>() > 1000000) {
            object.addError({ErrorKind::kInvalid, "out-of-range",
                             fmt::format("{}/stride has to be \"auto\" or an integer from 1 to 1000000 and is {}", pointer,
                                         stride->dump()),
                             pointer + "/stride", "Usual is \"auto\", which keeps the monitor's share of the time small."});
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
