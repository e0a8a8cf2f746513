#include "codegen/plan_source.h"

#include <fmt/format.h>

#include "codegen/module_body.h"
#include "core/glob.h"
#include "project/data_fit.h"

namespace plumbline::codegen {
namespace {

std::string runSource(const graph::ResolvedModel& model) {
    std::string arguments;
    for (const auto& [name, value] : model.inputs) {
        // Data of another element type are converted, as the training converts them.
        arguments += fmt::format("{}batch.at({}).to({})", arguments.empty() ? "" : ", ", cppString("input." + name),
                                 cppDType(model.values[static_cast<std::size_t>(value)].type.dtype));
    }
    if (model.outputs.size() == 1) {
        return fmt::format("    return {{{{{}, model->forward({})}}}};\n", cppString(model.outputs[0].first), arguments);
    }
    std::string text = fmt::format("    const auto outputs = model->forward({});\n    return {{", arguments);
    for (std::size_t i = 0; i < model.outputs.size(); ++i) {
        text += fmt::format("{}{{{}, std::get<{}>(outputs)}}", i == 0 ? "" : ", ", cppString(model.outputs[i].first), i);
    }
    return text + "};\n";
}

std::string numberList(const plan::LossSpec& loss, const char* key) {
    std::string text;
    for (const Json& value : loss.options.value(key, Json::array())) {
        text += (text.empty() ? "" : ", ") + cppNumber(value.get<double>());
    }
    return "{" + text + "}";
}

std::string targetOf(const plan::LossSpec& loss) { return fmt::format("batch.at({})", cppString("target." + loss.target)); }

Result<std::string> lossTerm(const plan::LossSpec& loss) {
    const std::string prediction = fmt::format("outputs.at({})", cppString(loss.output));
    const std::string target = targetOf(loss);
    if (loss.type == "CrossEntropyLoss") {
        const std::string weight = loss.options.contains("class_weights") ? fmt::format(".weight(torch::tensor(std::vector<double>{}, {}.options()))", numberList(loss, "class_weights"), prediction) : "";
        return fmt::format("torch::nn::functional::cross_entropy({}, {}, torch::nn::functional::CrossEntropyFuncOptions().ignore_index({}).label_smoothing({}){})", prediction, target,
                           loss.options.value("ignore_index", std::int64_t{-100}), cppNumber(loss.options.value("label_smoothing", 0.0)), weight);
    }
    const char* fitted = loss.options.value("scalar_target", false) ? "spread" : "aligned";
    if (loss.type == "MSELoss") {
        return fmt::format("torch::mse_loss({0}, {2}({0}, {1}))", prediction, target, fitted);
    }
    if (loss.type == "BCEWithLogitsLoss") {
        const std::string weight = loss.options.contains("pos_weight") ? fmt::format(", {{}}, alongClasses({}, {})", numberList(loss, "pos_weight"), prediction) : "";
        return fmt::format("torch::binary_cross_entropy_with_logits({0}, {2}({0}, {1}){3})", prediction, target, fitted, weight);
    }
    return fail(ErrorKind::kInvalid, "export-unsupported", fmt::format("The loss {} cannot be written as C++", loss.type), "/training/losses", "Export as torchscript or state-dict.");
}

/// How much of the loss a batch is: what train::Objective::counts() gives.
std::string countTerm(const plan::LossSpec& loss) {
    if (loss.type != "CrossEntropyLoss") {
        return fmt::format("static_cast<double>({}.size(0))", targetOf(loss));
    }
    return fmt::format("countedLabels({}, {}, {})", targetOf(loss), loss.options.value("ignore_index", std::int64_t{-100}), numberList(loss, "class_weights"));
}

Status lossMarks(const plan::TrainingPlan& plan, std::map<std::string, std::string>& marks) {
    if (plan.losses.empty()) {
        return fail(ErrorKind::kInvalid, "no-loss", "The plan names no loss, so no training program can be written", "/training/losses", "Add one.");
    }
    for (std::size_t i = 0; i < plan.losses.size(); ++i) {
        PLUMBLINE_ASSIGN(const std::string term, lossTerm(plan.losses[i]));
        marks["LOSSES"] += fmt::format("        {},\n", term);
        marks["LOSS_COUNTS"] += fmt::format("        {},\n", countTerm(plan.losses[i]));
        marks["LOSS_WEIGHTS"] += (i == 0 ? "" : ", ") + cppNumber(plan.losses[i].weight);
    }
    return {};
}

std::string scheduleSource(const plan::SchedulerSpec& schedule) {
    std::string text;
    if (schedule.warmup > 0) {
        text += fmt::format("    if (position < {0}) {{\n        return base * static_cast<double>(position + 1) / {0}.0;\n    }}\n", schedule.warmup);
    }
    const std::string position = schedule.warmup > 0 ? fmt::format("(position - {})", schedule.warmup) : std::string("position");
    if (schedule.type == "step") {
        return text + fmt::format("    (void)length;\n    return base * std::pow({}, static_cast<double>({} / {}));\n", cppNumber(schedule.gamma), position, schedule.stepSize);
    }
    if (schedule.type == "cosine") {
        const std::string total = schedule.total > 0 ? std::to_string(schedule.total) : std::string("length");
        text += fmt::format("    const int64_t total = std::max<int64_t>(1, {} - {});\n", total, schedule.warmup);
        text += fmt::format("    const double done = static_cast<double>(std::min<int64_t>({}, total)) / static_cast<double>(total);\n", position);
        if (schedule.total > 0) {
            text += "    (void)length;\n";
        }
        return text + fmt::format("    return {0} + (base - {0}) * (1.0 + std::cos(M_PI * done)) / 2.0;\n", cppNumber(schedule.minLr));
    }
    return text + "    (void)position;\n    (void)length;\n    return base;\n";
}

/// The group of each parameter as the engine chooses it: the first pattern that matches, else group 0.
void groupMarks(const plan::OptimizerSpec& optimizer, const std::vector<std::string>& names, std::map<std::string, std::string>& marks) {
    std::vector<std::vector<std::string>> members(optimizer.groups.size() + 1);
    for (const std::string& name : names) {
        std::size_t group = 0;
        for (std::size_t i = 0; i < optimizer.groups.size() && group == 0; ++i) {
            group = matchesGlob(optimizer.groups[i].match, name) ? i + 1 : 0;
        }
        members[group].push_back(name);
    }
    marks["GROUPS"] = fmt::format("        {{{{}}, {}, {}}},\n", cppNumber(optimizer.lr), cppNumber(optimizer.weightDecay));
    marks["GROUP_NAMES"] = "        {},\n";
    for (std::size_t i = 0; i < optimizer.groups.size(); ++i) {
        if (members[i + 1].empty()) {
            continue;
        }
        const plan::OptimizerGroup& group = optimizer.groups[i];
        marks["GROUPS"] += fmt::format("        {{{{}}, {}, {}}},\n", cppNumber(group.lr.value_or(optimizer.lr)), cppNumber(group.weightDecay.value_or(optimizer.weightDecay)));
        std::string list;
        for (const std::string& name : members[i + 1]) {
            list += fmt::format("{}{}", list.empty() ? "" : ", ", cppString(name));
        }
        marks["GROUP_NAMES"] += fmt::format("        {{{}}},\n", list);
    }
}

std::string optimizerOptions(const plan::OptimizerSpec& optimizer) {
    if (optimizer.type == "SGD") {
        return fmt::format(".momentum({}).dampening({}).nesterov({})", cppNumber(optimizer.momentum), cppNumber(optimizer.dampening), optimizer.nesterov);
    }
    return fmt::format(".betas({{{}, {}}}).eps({}).amsgrad({})", cppNumber(optimizer.beta1), cppNumber(optimizer.beta2), cppNumber(optimizer.eps), optimizer.amsgrad);
}

}  // namespace

std::int64_t samplesAtATime(const graph::ResolvedModel& model) {
    const auto fixed = project::fixedBatch(model);
    return fixed ? fixed->second : 0;
}

Result<std::map<std::string, std::string>> planMarks(const project::Project& project, const graph::ResolvedModel& model, const PlanFacts& facts) {
    const plan::TrainingPlan& plan = project.training;
    if (plan.optimizer.maximize) {
        return fail(ErrorKind::kInvalid, "export-unsupported", "LibTorch's own optimizers have no maximize", "/training/optimizer/maximize", "Negate the loss's weight instead.");
    }
    std::map<std::string, std::string> marks;
    const bool countsSteps = plan.scheduler.unit == plan::Unit::kStep;
    marks["SEED"] = std::to_string(plan.seed) + "ULL";
    const std::int64_t epochs = plan::epochsToRun(plan, facts.stepsAnEpoch);
    marks["EPOCHS"] = std::to_string(epochs);
    marks["MAX_STEPS"] = std::to_string(plan.maxSteps);
    marks["BATCH_SIZE"] = std::to_string(project.data.loader.batchSize);
    marks["FIXED_BATCH"] = std::to_string(samplesAtATime(model));
    marks["SHUFFLE"] = project.data.loader.shuffle ? "true" : "false";
    marks["DROP_LAST"] = project.data.loader.dropLast ? "true" : "false";
    marks["ACCUMULATION"] = std::to_string(plan.accumulation);
    marks["MAX_NORM"] = plan.clip.enabled ? cppNumber(plan.clip.maxNorm) : "0.0";
    marks["NORM_TYPE"] = cppNumber(plan.clip.normType);
    marks["SCHEDULE_COUNTS_STEPS"] = countsSteps ? "true" : "false";
    marks["THREADS"] = std::to_string(facts.threads);
    marks["CHECK_LENGTH"] = std::to_string(plan::scheduleLength(plan, facts.stepsAnEpoch));
    marks["OPTIMIZER"] = plan.optimizer.type;
    marks["OPTIMIZER_OPTIONS"] = optimizerOptions(plan.optimizer);
    marks["LR"] = cppNumber(plan.optimizer.lr);
    marks["RUN"] = runSource(model);
    PLUMBLINE_TRY(lossMarks(plan, marks));
    marks["SCHEDULE"] = scheduleSource(plan.scheduler);
    groupMarks(plan.optimizer, facts.parameterNames, marks);
    return marks;
}

}  // namespace plumbline::codegen
