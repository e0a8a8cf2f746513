// The one list of settings. Paths, words and defaults are PyTorch's where it has them.

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
    /// A number from `min` up that may be left out.
    List& optionalNumber(std::string path, double min, std::string help) {
        return add(std::move(path), "float", nullptr, min, {}, {}, {}, std::move(help), {});
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
        return add(std::move(path), std::move(type), std::move(value), {}, {}, {}, {}, std::move(help), std::move(when));
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
        m_specs.push_back({std::move(path), std::move(type), std::move(value), min, max, std::move(choices), std::move(unit),
                           std::move(help), "next_run", m_group, when.empty() ? m_when : std::move(when), {}});
        return *this;
    }

    std::vector<SettingSpec> m_specs;
    std::string m_group;
    std::string m_when;
};

std::vector<SettingSpec> makeSettings() {
    List list;
    list.group("Run")
        .integer("training.stop.epochs", 10, 0, 1e9, "epochs", "How many times the training split is seen; 0 goes on until stop.steps.")
        .integer("training.stop.steps", 0, 0, kMaxInt, "steps", "Stops after this many optimizer steps; 0 is no limit.")
        .integer("training.seed", 0, 0, kMaxInt, "", "Decides initial weights, order of samples, dropout and augmentation.")
        .text("training.device", "auto", "auto (CUDA where it is, else the CPU), cpu, or cuda:0 and up.")
        .choice("training.precision", "fp32", {"fp32", "bf16", "fp16"},
                "Element type of the forward and backward pass under autocast; parameters stay float32.")
        .choice("training.determinism", "default", {"default", "deterministic", "research", "production", "debug"},
                "deterministic: the same bits every time; research: deterministic cuDNN and full float32; production: cuDNN picks the "
                "fastest kernels and TF32 is allowed; debug: deterministic, and a backward pass that gives NaN ends the run with the "
                "operation's name.")
        .choice("training.memory_format", "auto", {"auto", "contiguous", "channels_last"},
                "Layout of 4-d tensors; auto takes channels_last for convolutional models.")
        .integer("training.threads", 0, 0, 1024, "threads", "Threads one operation may use; 0 lets the program choose.");

    list.group("Goal")
        .structured("training.losses", "list", Json::array(),
                    "What is minimised: a list of {\"type\", \"output\", \"target\", \"weight\"}; types CrossEntropyLoss, "
                    "MSELoss, BCEWithLogitsLoss.")
        .structured("training.metrics", "list", Json::array(),
                    "What is measured: a list of {\"type\", \"output\", \"target\"}; types accuracy, mae, rmse.");

    const std::string sgd = "training.optimizer.type == SGD";
    const std::string adam = "training.optimizer.type in Adam, AdamW";
    list.group("Optimizer")
        .choice("training.optimizer.type", "SGD", {"SGD", "Adam", "AdamW"}, "The update rule, as in torch.optim.")
        .number("training.optimizer.lr", 0.001, 0, kMaxFloat, "", "Learning rate before the schedule.")
        .live()
        .number("training.optimizer.weight_decay", 0, 0, kMaxFloat, "",
                "Decoupled in AdamW (0.01 where it is left out), added to the gradient in SGD and Adam.")
        .defaultsTo(0.01, "training.optimizer.type", "AdamW")
        .live()
        .number("training.optimizer.momentum", 0, 0, 1, "", "Share of the last update that is kept.", sgd)
        .number("training.optimizer.dampening", 0, 0, 1, "", "Damps the gradient's share of the momentum.", sgd)
        .boolean("training.optimizer.nesterov", false, "Looks ahead along the momentum.", sgd)
        .structured("training.optimizer.betas", "list", Json::array({0.9, 0.999}),
                    "Decay of the running mean of the gradient and of its square.", adam)
        .number("training.optimizer.eps", 1e-8, 0, 1, "", "Added to the denominator.", adam)
        .boolean("training.optimizer.amsgrad", false, "Keeps the largest second moment seen.", adam)
        .boolean("training.optimizer.maximize", false, "Maximises the loss instead.")
        .structured("training.optimizer.groups", "list", Json::array(),
                    "Overrides by parameter name: a list of {\"match\": \"*.bn.*\", \"lr\", \"weight_decay\"}; the first match "
                    "wins.");

    const std::string step = "training.scheduler.type == step";
    const std::string cosine = "training.scheduler.type == cosine";
    list.group("Schedule")
        .choice("training.scheduler.type", "constant", {"constant", "step", "cosine"},
                "How the learning rate goes on. cosine: linear warm-up, then half a cosine down to min_lr.")
        .choice("training.scheduler.unit", "epoch", {"step", "epoch"}, "What the schedule counts in.")
        .integer("training.scheduler.warmup", 0, 0, kMaxInt, "units", "Linear rise from near 0 to the full rate over so many units.")
        .integer("training.scheduler.step_size", 1, 1, kMaxInt, "units", "The rate is multiplied by gamma every so many units.", step)
        .number("training.scheduler.gamma", 0.1, 0, 1e6, "", "Factor at each drop.", step)
        .number("training.scheduler.min_lr", 0, 0, kMaxFloat, "", "Where the cosine ends.", cosine)
        .integer("training.scheduler.total", 0, 0, kMaxInt, "units", "Length of warm-up and cosine; 0 is the whole run.", cosine);

    const std::string fp16 = "training.precision == fp16";
    list.group("Step")
        .choice("training.clip.type", "none", {"none", "norm"}, "Limits the gradient after it is unscaled.")
        .number("training.clip.max_norm", 1.0, 1e-30, kMaxFloat, "", "Largest norm of all gradients together.",
                "training.clip.type == norm")
        .live()
        .number("training.clip.norm_type", 2.0, 1, kMaxFloat, "", "Which norm; 2 is the Euclidean one.", "training.clip.type == norm")
        .integer("training.accumulation", 1, 1, 1e6, "batches", "Batches whose gradients are averaged before a step; the tail of an epoch is flushed.")
        .number("training.grad_scaler.init_scale", 65536.0, 1e-30, kMaxFloat, "", "First loss scale.", fp16)
        .number("training.grad_scaler.growth_factor", 2.0, 1, 1e6, "", "Factor after growth_interval good steps.", fp16)
        .aboveMin()
        .number("training.grad_scaler.backoff_factor", 0.5, 1e-6, 1, "", "Factor after a skipped step.", fp16)
        .belowMax()
        .integer("training.grad_scaler.growth_interval", 2000, 1, kMaxInt, "steps", "Good steps before the scale grows.", fp16);

    list.group("Validation and checkpoints")
        .integer("training.validation.every", 1, 0, kMaxInt, "units", "How often the validation split is evaluated; 0 is never.")
        .choice("training.validation.unit", "epoch", {"step", "epoch"}, "What validation.every counts in.")
        .integer("training.checkpoints.every", 1, 0, kMaxInt, "units", "How often a checkpoint is written besides the first and the last; 0 is never.")
        .choice("training.checkpoints.unit", "epoch", {"step", "epoch"}, "What checkpoints.every counts in.")
        .integer("training.checkpoints.keep_last", 2, 1, 1e6, "checkpoints", "Older ones are removed; the best is kept besides.")
        .text("training.checkpoints.best.series", nullptr, "Series whose best value marks the best checkpoint, as val.accuracy.")
        .choice("training.checkpoints.best.mode", "max", {"min", "max"}, "Whether a smaller or a larger value is better.");

    list.group("Data")
        .integer("data.loader.batch_size", 32, 1, 1e6, "samples", "Samples a batch.")
        .integer("data.loader.workers", 1, 0, 256, "threads", "Threads that make batches ahead; 0 makes them in the training thread.")
        .integer("data.loader.prefetch_batches", 4, 1, 1024, "batches", "Batches ready or in the making, over all workers.")
        .boolean("data.loader.shuffle", true, "A new order of the training split every epoch.")
        .boolean("data.loader.drop_last", false, "Leaves out the last batch of an epoch when it is not full.")
        .number("data.splits.train", 0.8, 0, 1, "share", "Share of the samples to train on.")
        .number("data.splits.validation", 0.1, 0, 1, "share", "Share of the samples to choose by.")
        .number("data.splits.test", 0.1, 0, 1, "share", "Share of the samples for the last word.")
        .text("data.splits.stratify", nullptr, "Target whose classes keep their shares in every split.")
        .integer("data.splits.seed", 0, 0, kMaxInt, "", "Which samples fall into which split.");

    list.group("Monitor")
        .structured("monitor.stride", "auto_int", "auto",
                    "Steps between statistics of gradients and updates: auto keeps their cost under 2 % of step time, or a "
                    "number.")
        .boolean("monitor.enabled", true, "Watches the run for silent problems.")
        .structured("monitor.detectors", "object", Json::object(),
                    "Thresholds by detector, as {\"loader-stall\": {\"enabled\": false}}; plumbline detectors lists them.");

    list.group("Expert: mistakes on purpose")
        .boolean("training.expert.clip_before_unscale", false, "Clips the gradient while it is still scaled.")
        .boolean("training.expert.skip_unscale", false, "Clips and logs without unscaling; the step unscales.")
        .boolean("training.expert.skip_scaler_update", false, "Never lets the loss scale adapt.")
        .boolean("training.expert.skip_zero_grad", false, "Gradients of all steps add up.")
        .boolean("training.expert.zero_grad_before_step", false, "Throws the gradient away just before the step.")
        .boolean("training.expert.validate_in_train_mode", false, "Leaves dropout and BatchNorm in training mode in validation.")
        .boolean("training.expert.keep_eval_after_validation", false, "Goes on training in eval mode after the first validation.")
        .boolean("training.expert.scheduler_every_batch", false, "Advances an epoch schedule with every batch.")
        .boolean("training.expert.scheduler_on_skipped_step", false, "Advances the schedule although the scaler skipped the step.")
        .boolean("training.expert.allow_broadcast_loss", false, "Lets an element-wise loss broadcast prediction against target.")
        .boolean("training.expert.same_worker_seed", false, "Every loader worker draws the same augmentation.")
        .boolean("training.expert.no_shuffle_per_epoch", false, "Every epoch has the order of the first.");
    return list.take();
}

std::map<std::string, std::vector<SettingSpec>> makeElements() {
    const std::string classes = "type == CrossEntropyLoss";
    const std::string elementWise = "type in MSELoss, BCEWithLogitsLoss";
    List losses;
    losses.choice("type", "CrossEntropyLoss", {"CrossEntropyLoss", "MSELoss", "BCEWithLogitsLoss"}, "What is minimised, as in torch.nn.")
        .structured("output", "output", "", "Output of the model that is judged.")
        .structured("target", "target", "", "Target of the data it is compared with.")
        .number("weight", 1.0, std::numeric_limits<double>::lowest(), kMaxFloat, "", "Factor in the sum of all losses.")
        .number("label_smoothing", 0.0, 0, 1, "", "Share of each label that is spread over all classes.", classes)
        .integer("ignore_index", -100, -kMaxInt, kMaxInt, "", "Samples with this class do not count.", classes)
        .structured("class_weights", "list", nullptr, "One number a class: how much a sample of that class counts.", classes)
        .structured("pos_weight", "list", nullptr, "One number a class: how much more its positives count.", "type == BCEWithLogitsLoss")
        .boolean("scalar_target", false, "The target is one number a sample, for every element of that sample's output.", elementWise);
    List metrics;
    metrics.choice("type", "accuracy", {"accuracy", "mae", "rmse"}, "What is measured after each evaluation.")
        .structured("output", "output", "", "Output of the model that is judged.")
        .structured("target", "target", "", "Target of the data it is compared with.");
    List groups;
    groups.text("match", "*", "Full names of the parameters, with * for anything: *.bn.*")
        .optionalNumber("lr", 0, "Learning rate of these parameters.")
        .optionalNumber("weight_decay", 0, "Weight decay of these parameters.");
    return {{"training.losses", losses.take()}, {"training.metrics", metrics.take()}, {"training.optimizer.groups", groups.take()}};
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
