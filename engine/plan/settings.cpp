// The one list of settings. Paths, words and defaults are PyTorch's where it has them.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>

#include "plan/plan.h"
#include "plan/setting_reader.h"

namespace plumbline::plan {
namespace {

constexpr double kMaxInt = 9007199254740992.0;  // 2^53: every integer up to here is exact in JSON readers
constexpr double kMaxFloat = std::numeric_limits<float>::max();

class List {
public:
    List& group(std::string name, std::string when = {}) {
        m_group = std::move(name);
        m_when = std::move(when);
        return *this;
    }
    List& integer(std::string path, std::int64_t value, double min, double max, std::string unit, std::string help,
                  std::string when = {}) {
        return add(std::move(path), "int", value, min, max, {}, std::move(unit), std::move(help), std::move(when));
    }
    List& number(std::string path, double value, double min, double max, std::string unit, std::string help,
                 std::string when = {}) {
        return add(std::move(path), "float", value, min, max, {}, std::move(unit), std::move(help), std::move(when));
    }
    /// A number, or the text "inf".
    List& numberOrInfinity(std::string path, double value, double min, std::string help, std::string when = {}) {
        return add(std::move(path), "float_or_inf", value, min, kMaxFloat, {}, {}, std::move(help), std::move(when));
    }
    /// The options of each type of a table.
    List& options(const std::vector<TypeSpec>& types, const std::string& prefix, const std::string& typePath) {
        for (SettingSpec& spec : settingsOf(types, prefix, typePath, m_group)) {
            m_specs.push_back(std::move(spec));
        }
        return *this;
    }
    /// The setting added last has the defaults that the types of a table give it.
    List& defaultsBy(const std::vector<TypeSpec>& types, const std::string& typePath) {
        const std::string name = m_specs.back().path.substr(m_specs.back().path.rfind('.') + 1);
        for (const TypeSpec& type : types) {
            for (const auto& [setting, value] : type.otherDefaults) {
                if (setting == name) {
                    defaultsTo(value, typePath, type.name);
                }
            }
        }
        return *this;
    }
    /// A number that may be left out.
    List& optionalNumber(std::string path, double min, double max, std::string help, std::string when = {}) {
        return add(std::move(path), "float", nullptr, min, max, {}, {}, std::move(help), std::move(when));
    }
    List& boolean(std::string path, bool value, std::string help, std::string when = {}) {
        return add(std::move(path), "bool", value, {}, {}, {}, {}, std::move(help), std::move(when));
    }
    List& choice(std::string path, std::string value, std::vector<std::string> choices, std::string help,
                 std::string when = {}) {
        return add(std::move(path), "choice", std::move(value), {}, {}, std::move(choices), {}, std::move(help),
                   std::move(when));
    }
    List& text(std::string path, Json value, std::string help, std::string when = {}) {
        return add(std::move(path), "text", std::move(value), {}, {}, {}, {}, std::move(help), std::move(when));
    }
    List& structured(std::string path, std::string type, Json value, std::string help, std::string when = {}) {
        return add(std::move(path), std::move(type), std::move(value), {}, {}, {}, {}, std::move(help),
                   std::move(when));
    }
    /// The setting added last takes effect at a step boundary of a running run.
    List& live() {
        m_specs.back().applies = "live";
        return *this;
    }
    /// The setting added last has another default where `setting` is `value`.
    List& defaultsTo(Json defaultValue, std::string setting, std::string value) {
        m_specs.back().otherDefaults.push_back({std::move(setting), std::move(value), std::move(defaultValue)});
        return *this;
    }
    /// The limit of the setting added last is no value of it itself.
    List& aboveMin() {
        m_specs.back().aboveMin = true;
        return *this;
    }
    List& belowMax() {
        m_specs.back().belowMax = true;
        return *this;
    }
    std::vector<SettingSpec> take() { return std::move(m_specs); }

private:
    List& add(std::string path, std::string type, Json value, std::optional<double> min, std::optional<double> max,
              std::vector<std::string> choices, std::string unit, std::string help, std::string when) {
        m_specs.push_back({std::move(path),
                           std::move(type),
                           std::move(value),
                           min,
                           max,
                           std::move(choices),
                           std::move(unit),
                           std::move(help),
                           "next_run",
                           m_group,
                           when.empty() ? m_when : std::move(when),
                           {}});
        return *this;
    }

    std::vector<SettingSpec> m_specs;
    std::string m_group;
    std::string m_when;
};

std::vector<SettingSpec> makeSettings() {
    List list;
    list.group("Run")
        .integer("training.stop.epochs", 10, 0, 1e9, "epochs",
                 "How many times the training split is seen; 0 goes on until stop.steps.")
        .integer("training.stop.steps", 0, 0, kMaxInt, "steps", "Stops after this many optimizer steps; 0 is no limit.")
        .number("training.stop.seconds", 0, 0, 1e9, "s",
                "Stops after this much time of training, pauses left out; a resumed run counts on. 0 is no limit; "
                "schedules keep their length.")
        .text("training.stop.target.series", nullptr, "Series of a validation that ends the run, as val.accuracy.")
        .optionalNumber("training.stop.target.value", -kMaxFloat, kMaxFloat, "The value at which it does.",
                        "training.stop.target.series is stated")
        .choice("training.stop.target.mode", "auto", {"auto", "min", "max"},
                "max: at the value or above; min: at it or below; auto: whichever is better for the series.",
                "training.stop.target.series is stated")
        .integer("training.seed", 0, 0, kMaxInt, "",
                 "Decides initial weights, order of samples, dropout and augmentation.")
        .text("training.device", "auto", "auto (CUDA where it is, else the CPU), cpu, or cuda:0 and up.")
        .choice("training.precision", "fp32", {"fp32", "bf16", "fp16"},
                "Element type of the forward and backward pass under autocast; parameters stay float32.")
        .choice("training.determinism", "default", {"default", "deterministic", "research", "production", "debug"},
                "default: LibTorch's own flags; deterministic: deterministic algorithms and cuDNN, no TF32, the same "
                "bits every time; research: "
                "deterministic cuDNN without autotuning, no TF32; production: cuDNN picks the fastest kernels and TF32 "
                "is allowed; debug: as "
                "deterministic, and a backward pass that gives NaN ends the run with the operation's name. The run's "
                "record has each flag.")
        .choice("training.memory_format", "auto", {"auto", "contiguous", "channels_last"},
                "Layout of 4-d tensors; auto takes channels_last for convolutional models, unless a trial in the first "
                "seconds of a longer run shows the other one to be faster.")
        .integer("training.threads", 0, 0, 1024, "threads",
                 "Threads one operation may use; 0 lets the program choose: by the model's size, and in a longer run "
                 "by a trial in its first seconds.");

    list.group("Goal")
        .structured(
            "training.losses", "list", Json::array(),
            "What is minimised: a list of {\"type\", \"output\", \"target\", \"weight\"}; types as in torch.nn.")
        .structured("training.metrics", "list", Json::array(),
                    "What is measured: a list of {\"type\", \"output\", \"target\"}, as accuracy, f1, roc_auc, rmse.");

    const std::string optimizer = "training.optimizer.type";
    list.group("Optimizer")
        .choice(optimizer, "SGD", namesOf(optimizerTypes()), "The update rule, as in torch.optim.")
        .number("training.optimizer.lr", 0.001, 0, kMaxFloat, "", "Learning rate before the schedule.")
        .defaultsBy(optimizerTypes(), optimizer)
        .live()
        .number("training.optimizer.weight_decay", 0, 0, kMaxFloat, "",
                "Decoupled in AdamW (0.01 where it is left out) and Lion, added to the gradient elsewhere.",
                whenHas(optimizerTypes(), optimizer, "weight_decay"))
        .defaultsBy(optimizerTypes(), optimizer)
        .live()
        .options(optimizerTypes(), "training.optimizer.", optimizer)
        .boolean("training.optimizer.maximize", false, "Maximises the loss instead.",
                 whenHas(optimizerTypes(), optimizer, "maximize"))
        .choice("training.optimizer.implementation", "auto", {"auto", "fused", "foreach"},
                "One kernel for all parameters, or one operation after the other over all of them; auto takes fused. "
                "Their last digits differ.",
                fmt::format("{} in {}", optimizer, fmt::join(fusedOptimizers(), ", ")))
        .boolean(
            "training.optimizer.decay_norms_and_biases", true,
            "Off: biases, the weights of normalisations and other parameters of one dimension have no weight decay.",
            whenHas(optimizerTypes(), optimizer, "weight_decay"))
        .number("training.optimizer.layer_decay", 1, 0, 1, "",
                "Factor of the learning rate from each layer to the one before it; the last layer has the full rate.")
        .aboveMin()
        .boolean("training.optimizer.gradient_centralization", false,
                 "Takes the mean over its inputs from the gradient of each weight of two dimensions or more.")
        .structured("training.optimizer.groups", "list", Json::array(),
                    "Overrides by parameter name: a list of {\"match\": \"*.bn.*\", \"lr\", \"weight_decay\", "
                    "\"frozen\"}; the first match "
                    "wins.")
        .structured("training.freeze", "list", Json::array(),
                    "Parameters that do not train for the first epochs, by name: a list of {\"match\": \"backbone.*\", "
                    "\"epochs\", \"buffers\"}.")
        .structured("training.phases", "list", Json::array(),
                    "Several optimizers in one step, as a GAN has: a list of {\"name\", \"train\", \"optimizer\", "
                    "\"every\"}; each phase trains the parameters of its pattern with "
                    "the losses that name it.");

    const std::string schedule = "training.scheduler.type";
    list.group("Schedule")
        .choice(schedule, "constant", namesOf(scheduleTypes()),
                "How the learning rate goes on, as in torch.optim.lr_scheduler. sequence: one schedule after the "
                "other; chained: all at once, their factors multiplied.")
        .choice("training.scheduler.unit", "epoch", {"step", "epoch"},
                "What the schedule counts in. one_cycle and cyclic count steps.")
        .integer("training.scheduler.warmup", 0, 0, kMaxInt, "units",
                 "Linear rise to the full rate over so many units, in front of the schedule.")
        .optionalNumber("training.scheduler.warmup_start", 0, 1e6,
                        "Share of the full rate that the warm-up starts from; where it is left out unit t of it has t "
                        "+ 1 of warmup shares.")
        .options(scheduleTypes(), "training.scheduler.", schedule)
        .structured("training.scheduler.phases", "list", Json::array(),
                    "The schedules of a sequence, each with its length in units, or of a chain.",
                    "training.scheduler.type in sequence, chained");

    const std::string fp16 = "training.precision == fp16";
    list.group("Step")
        .choice("training.clip.type", "none", {"none", "norm", "value", "adaptive"},
                "Limits the gradient after it is unscaled: its norm, each of its values, or its norm as a share of the "
                "weights' (Brock et al. 2021).")
        .number("training.clip.max_norm", 1.0, 1e-30, kMaxFloat, "", "Largest norm of all gradients together.",
                "training.clip.type == norm")
        .live()
        .numberOrInfinity("training.clip.norm_type", 2.0, 1,
                          "Which norm; 2 is the Euclidean one, \"inf\" the largest absolute value.",
                          "training.clip.type == norm")
        .number("training.clip.clip_value", 1.0, 1e-30, kMaxFloat, "",
                "Largest absolute value of a gradient's element.", "training.clip.type == value")
        .live()
        .number("training.clip.factor", 0.01, 1e-30, kMaxFloat, "",
                "Largest norm of an output unit's gradient as a share of the norm of its weights.",
                "training.clip.type == adaptive")
        .live()
        .number("training.clip.eps", 1e-3, 0, kMaxFloat, "", "Weights count with at least this norm.",
                "training.clip.type == adaptive")
        .integer("training.accumulation", 1, 1, 1e6, "batches",
                 "Batches whose gradients are averaged before a step; the tail of an epoch is flushed.")
        .number("training.grad_scaler.init_scale", 65536.0, 1e-30, kMaxFloat, "", "First loss scale.", fp16)
        .number("training.grad_scaler.growth_factor", 2.0, 1, 1e6, "", "Factor after growth_interval good steps.", fp16)
        .aboveMin()
        .number("training.grad_scaler.backoff_factor", 0.5, 1e-6, 1, "", "Factor after a skipped step.", fp16)
        .belowMax()
        .integer("training.grad_scaler.growth_interval", 2000, 1, kMaxInt, "steps",
                 "Good steps before the scale grows.", fp16)
        .number("training.grad_scaler.min_scale", 0, 0, kMaxFloat, "", "The scale does not fall below this.", fp16)
        .integer(
            "training.grad_scaler.reset_after_skips", 0, 0, kMaxInt, "steps",
            "So many skipped steps in a row set the scale back to init_scale and halve the learning rate; 0 is never.",
            fp16)
        .structured("training.fp32_blocks", "list", nullptr,
                    "Names of blocks, with * for anything, that autocast leaves in float32; those that make the "
                    "model's outputs where it is left out.",
                    "training.precision in bf16, fp16")
        .structured("training.activation_checkpointing.blocks", "list", Json::array(),
                    "Names of blocks, with * for anything, that keep only what flows into them and run again in the "
                    "backward pass: less memory, more time, the same numbers.")
        .number("training.activation_checkpointing.budget_mb", 0, 0, 1e9, "MB",
                "Memory for all tensors of a step: so many blocks are checkpointed, besides those that are named, that "
                "it fits. 0: none are chosen.")
        .structured("training.no_grad", "list", Json::array(),
                    "Names of blocks, with * for anything, that run with gradients switched off: none flows back "
                    "through them, and their parameters do not train.")
        .number("training.gradient_noise.eta", 0, 0, kMaxFloat, "",
                "Normal noise on the gradient, of variance eta / (1 + step) ^ gamma; 0 is none.")
        .number("training.gradient_noise.gamma", 0.55, 0, 1e3, "", "How fast the noise falls.",
                "training.gradient_noise.eta > 0")
        .integer("training.stochastic_depth.epochs", 0, 0, kMaxInt, "epochs",
                 "Epochs over which the p of DropPath blocks rises linearly from 0 to its value; 0: it has it from the "
                 "start.");

    const std::string averages = "training.averaging.type in ema, swa";
    list.group("Averaged weights")
        .choice("training.averaging.type", "none", {"none", "ema", "swa"},
                "A second set of weights that is validated, kept and exported: ema, an exponential moving average; "
                "swa, the mean (Izmailov et al. 2018).")
        .number("training.averaging.decay", 0.999, 0, 1, "", "ema: share of the average that is kept at each update.",
                "training.averaging.type == ema")
        .choice("training.averaging.unit", "step", {"step", "epoch"}, "What start and every count in.", averages)
        .integer("training.averaging.start", 0, 0, kMaxInt, "units", "Units of training before averaging begins.",
                 averages)
        .integer("training.averaging.every", 1, 1, kMaxInt, "units", "Units between two updates of the average.",
                 averages)
        .boolean("training.averaging.use_buffers", false, "Averages buffers as well instead of copying the newest.",
                 averages)
        .boolean("training.averaging.recalibrate_batch_norm", true,
                 "BatchNorm's running statistics are taken anew for the averaged weights, in one pass over the "
                 "training split, before each validation.",
                 "training.averaging.type == swa");

    const std::string stops = "training.early_stopping.patience > 0";
    list.group("Early stopping")
        .integer("training.early_stopping.patience", 0, 0, 1e9, "validations",
                 "Ends the run after so many validations without an improvement; 0 is off.")
        .live()
        .text("training.early_stopping.series", "val.loss", "Series of a validation that has to improve.", stops)
        .choice("training.early_stopping.mode", "auto", {"auto", "min", "max"},
                "Whether a smaller or a larger value is an improvement; auto goes by the series.", stops)
        .number("training.early_stopping.min_delta", 0, 0, kMaxFloat, "",
                "A value counts as an improvement when it is better than the best by more than this.", stops)
        .boolean("training.early_stopping.restore_best", false,
                 "A run that ends by its plan ends with the weights of its best checkpoint.");

    list.group("Validation and checkpoints")
        .integer("training.validation.every", 1, 0, kMaxInt, "units",
                 "How often the validation split is evaluated; 0 is never.")
        .live()
        .choice("training.validation.unit", "epoch", {"step", "epoch"}, "What validation.every counts in.")
        .integer("training.validation.sanity_batches", 2, 0, 1e6, "batches",
                 "Validation batches that are evaluated before the first step, so that what cannot be validated fails "
                 "at once; nothing else comes of them. 0 is none.")
        .integer("training.checkpoints.every", 1, 0, kMaxInt, "units",
                 "How often a checkpoint is written besides the first and the last; 0 is never.")
        .live()
        .choice("training.checkpoints.unit", "epoch", {"step", "epoch"}, "What checkpoints.every counts in.")
        .integer("training.checkpoints.keep_last", 2, 1, 1e6, "checkpoints",
                 "Older ones are removed; the best is kept besides.")
        .integer("training.checkpoints.keep_best", 1, 1, 1000, "checkpoints",
                 "So many of the best by checkpoints.best.series are kept.")
        .number("training.checkpoints.max_mb", 0, 0, 1e9, "MB",
                "Space for all checkpoints of a run: the oldest are removed first, the newest and the best never. 0 is "
                "no limit.")
        .text("training.checkpoints.best.series", nullptr,
              "Series whose best value marks the best checkpoint, as val.accuracy.")
        .choice("training.checkpoints.best.mode", "auto", {"auto", "min", "max"},
                "Whether a smaller or a larger value is better; auto goes by the series.",
                "training.checkpoints.best.series is stated");

    list.group("Data")
        .integer("data.loader.batch_size", 32, 1, 1e6, "samples", "Samples a batch.")
        .integer("data.loader.workers", 1, 0, 256, "threads",
                 "Threads that make batches ahead; 0 makes them in the training thread.")
        .integer("data.loader.prefetch_batches", 4, 1, 1024, "batches",
                 "Batches ready or in the making, over all workers.")
        .boolean("data.loader.shuffle", true, "A new order of the training split every epoch.")
        .boolean("data.loader.drop_last", false, "Leaves out the last batch of an epoch when it is not full.")
        .number("data.splits.train", 0.8, 0, 1, "share", "Share of the samples to train on.")
        .number("data.splits.validation", 0.1, 0, 1, "share", "Share of the samples to choose by.")
        .number("data.splits.test", 0.1, 0, 1, "share", "Share of the samples for the last word.")
        .text("data.splits.stratify", nullptr, "Target whose classes keep their shares in every split.")
        .integer("data.splits.seed", 0, 0, kMaxInt, "", "Which samples fall into which split.");

    list.group("Monitor")
        .structured(
            "monitor.stride", "auto_int", "auto",
            "Steps between statistics of gradients and updates: auto keeps their cost under 2 % of step time, or a "
            "number.")
        .boolean("monitor.enabled", true, "Watches the run for silent problems.")
        .structured(
            "monitor.detectors", "object", Json::object(),
            "Thresholds by detector, as {\"loader-stall\": {\"enabled\": false}}; plumbline detectors lists them.");

    list.group("Expert: mistakes on purpose")
        .boolean("training.expert.clip_before_unscale", false, "Clips the gradient while it is still scaled.", fp16)
        .boolean("training.expert.skip_unscale", false, "Clips, logs and steps with the gradient that is still scaled.",
                 fp16)
        .boolean("training.expert.skip_scaler_update", false, "Never lets the loss scale adapt.", fp16)
        .boolean("training.expert.skip_zero_grad", false, "Gradients of all steps add up.")
        .boolean("training.expert.zero_grad_before_step", false, "Throws the gradient away just before the step.")
        .boolean("training.expert.validate_in_train_mode", false,
                 "Leaves dropout and BatchNorm in training mode in validation.")
        .boolean("training.expert.keep_eval_after_validation", false,
                 "Goes on training in eval mode after the first validation.")
        .boolean("training.expert.scheduler_every_batch", false, "Advances an epoch schedule with every batch.")
        .boolean("training.expert.scheduler_on_skipped_step", false,
                 "Advances the schedule although the scaler skipped the step.", fp16)
        .boolean("training.expert.allow_broadcast_loss", false,
                 "Lets an element-wise loss broadcast prediction against target.")
        .boolean("training.expert.same_worker_seed", false, "Every loader worker draws the same augmentation.")
        .boolean("training.expert.no_shuffle_per_epoch", false, "Every epoch has the order of the first.");
    return list.take();
}

/// Schedules that can follow each other or be chained.
const std::vector<TypeSpec>& phaseTypes() {
    static const std::vector<TypeSpec> types = [] {
        std::vector<TypeSpec> kept = scheduleTypes();
        std::erase_if(kept, [](const TypeSpec& type) {
            return type.name == "sequence" || type.name == "chained" || type.name == "reduce_on_plateau";
        });
        return kept;
    }();
    return types;
}

std::map<std::string, std::vector<SettingSpec>> makeElements() {
    List losses;
    losses.choice("type", "CrossEntropyLoss", namesOf(lossTypes()), "What is minimised, as in torch.nn.")
        .structured("output", "output", "", "Output of the model that is judged.",
                    whenHas(lossTypes(), "type", "output"))
        .structured("target", "target", "", "Target of the data it is compared with.",
                    whenHas(lossTypes(), "type", "target"))
        .number("weight", 1.0, std::numeric_limits<double>::lowest(), kMaxFloat, "", "Factor in the sum of all losses.")
        .text("phase", nullptr, "The phase that minimises it, where training.phases has some.")
        .options(lossTypes(), "", "type");
    List metrics;
    metrics.choice("type", "accuracy", namesOf(metricTypes()), "What is measured after each evaluation.")
        .structured("output", "output", "", "Output of the model that is judged.")
        .structured("target", "target", "", "Target of the data it is compared with.")
        .options(metricTypes(), "", "type");
    List groups;
    groups.text("match", "*", "Full names of the parameters, with * for anything: *.bn.*")
        .optionalNumber("lr", 0, kMaxFloat, "Learning rate of these parameters.")
        .optionalNumber("weight_decay", 0, kMaxFloat, "Weight decay of these parameters.")
        .boolean("frozen", false, "They do not train.");
    List freeze;
    freeze.text("match", "*", "Full names of the parameters, with * for anything: *.bn.*")
        .integer("epochs", 0, 0, kMaxInt, "epochs", "Epochs before they train; 0: they never do.")
        .boolean("buffers", true, "Running statistics beside them, as BatchNorm's, stay as they are too.");
    List parts;
    parts.text("name", "phase", "What losses and series call the phase.")
        .structured("train", "patterns", "*",
                    "Full names of the parameters that it trains, with * for anything, or a list of such patterns: "
                    "discriminator.*")
        .integer("every", 1, 1, kMaxInt, "steps", "It is taken in each so many-th step.")
        .structured("optimizer", "object", Json::object(),
                    "What differs from training.optimizer, as {\"lr\": 0.0002}.");
    List phases;
    phases.choice("type", "constant", namesOf(phaseTypes()), "The schedule.")
        .integer("length", 0, 0, kMaxInt, "units", "Units that it lasts; 0 is what is left.")
        .options(phaseTypes(), "", "type");
    return {{"training.losses", losses.take()},
            {"training.metrics", metrics.take()},
            {"training.optimizer.groups", groups.take()},
            {"training.freeze", freeze.take()},
            {"training.phases", parts.take()},
            {"training.scheduler.phases", phases.take()}};
}

}  // namespace

const std::vector<SettingSpec>& settings() {
    static const std::vector<SettingSpec> list = makeSettings();
    return list;
}

const std::vector<SettingSpec>& elementSettings(const std::string& listPath) {
    static const std::map<std::string, std::vector<SettingSpec>> all = makeElements();
    static const std::vector<SettingSpec> none;
    const auto found = all.find(listPath);
    return found == all.end() ? none : found->second;
}

const Json& defaultOf(const SettingSpec& spec, const std::function<const Json*(const std::string& path)>& stated) {
    for (const SettingSpec::OtherDefault& other : spec.otherDefaults) {
        const Json* value = stated(other.setting);
        const SettingSpec* decides = findSetting(other.setting);
        if (value == nullptr && decides != nullptr) {
            value = &decides->defaultValue;
        }
        if (value != nullptr && *value == other.value) {
            return other.defaultValue;
        }
    }
    return spec.defaultValue;
}

const Json& defaultOf(const SettingSpec& spec, const Json& project) {
    return defaultOf(spec, [&project](const std::string& path) -> const Json* {
        const Json::json_pointer pointer(pointerOfDottedPath(path));
        return project.contains(pointer) ? &project.at(pointer) : nullptr;
    });
}

}  // namespace plumbline::plan
