#include "codegen/plan_source.h"

#include <fmt/format.h>
#include <utility>

#include "codegen/loss_source.h"
#include "codegen/module_body.h"
#include "codegen/schedule_source.h"
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
        return fmt::format("    return {{{{{}, model->forward({})}}}};\n", cppString(model.outputs[0].first),
                           arguments);
    }
    std::string text = fmt::format("    const auto outputs = model->forward({});\n    return {{", arguments);
    for (std::size_t i = 0; i < model.outputs.size(); ++i) {
        text +=
            fmt::format("{}{{{}, std::get<{}>(outputs)}}", i == 0 ? "" : ", ", cppString(model.outputs[i].first), i);
    }
    return text + "};\n";
}

/// Each group with the names of its parameters; the first has those that no list names.
void groupMarks(const plan::OptimizerSpec& optimizer, const std::vector<ParameterGroup>& groups,
                std::map<std::string, std::string>& marks) {
    if (groups.empty()) {
        marks["GROUPS"] =
            fmt::format("        {{{}, {}, {{}}}},\n", cppNumber(optimizer.lr), cppNumber(optimizer.weightDecay));
        marks["GROUP_NAMES"] = "        {},\n";
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        marks["GROUPS"] +=
            fmt::format("        {{{}, {}, {{}}}},\n", cppNumber(groups[i].lr), cppNumber(groups[i].weightDecay));
        std::string names;
        for (const std::string& name : groups[i].parameters) {
            names += i == 0 ? std::string() : fmt::format("{}{}", names.empty() ? "" : ", ", cppString(name));
        }
        marks["GROUP_NAMES"] += fmt::format("        {{{}}},\n", names);
    }
}

Status optimizerMarks(const plan::TrainingPlan& plan, const std::vector<ParameterGroup>& groups,
                      const std::string& momentum, std::map<std::string, std::string>& marks) {
    PLUMBLINE_ASSIGN(const OptimizerSource optimizer, optimizerSource(plan.optimizer));
    if (plan.optimizer.type == "LBFGS" && groups.size() > 1) {
        return fail(ErrorKind::kInvalid, "export-unsupported",
                    "LBFGS has one learning rate for all parameters, and the plan gives some of them another",
                    "/training/optimizer", "Remove the groups and layer_decay.");
    }
    marks["RULE"] = optimizer.text;
    marks["RULE_NAME"] = optimizer.rule;
    marks["OPTIMIZER"] = optimizer.make;
    const bool centralizes = plan.optimizer.centralizeGradients;
    marks["OPTIMIZER_FLAGS"] =
        plan.optimizer.maximize || centralizes ? fmt::format(", {}, {}", plan.optimizer.maximize, centralizes) : "";
    marks["MOMENTUM"] =
        momentum.empty() || optimizer.momentum.empty()
            ? ""
            : fmt::format("    optimizer.rule.{} = momentumAt(position, length);\n", optimizer.momentum);
    groupMarks(plan.optimizer, groups, marks);
    return {};
}

Status scheduleMarks(const plan::TrainingPlan& plan, const ScheduleSource& schedule,
                     std::map<std::string, std::string>& marks) {
    if (plan.scheduler.type == "reduce_on_plateau" &&
        (plan.scheduler.text("series") != "val.loss" || plan.validationEvery != 1 ||
         plan.validationUnit != plan::Unit::kEpoch)) {
        return fail(
            ErrorKind::kInvalid, "export-unsupported",
            "The exported program validates once an epoch and measures val.loss alone, and reduce_on_plateau follows "
            "something else",
            "/training/scheduler",
            "Let scheduler.series be val.loss and validation.every 1 epoch, or export as torchscript or state-dict.");
    }
    marks["SCHEDULE_COUNTS_STEPS"] = plan.scheduler.unit == plan::Unit::kStep ? "true" : "false";
    marks["FOLLOWS_VALIDATION"] = schedule.plateau.empty() ? "false" : "true";
    marks["SCHEDULE"] = schedule.rate + (schedule.momentum.empty() ? "" : "\n" + schedule.momentum);
    marks["PLATEAU"] =
        schedule.plateau.empty() ? "    void add(double, const std::vector<double*>&) {}\n" : schedule.plateau;
    return {};
}

/// What the written programs cannot follow.
Status refuseWhatIsLeftOut(const plan::TrainingPlan& plan) {
    if (!plan.phases.empty()) {
        return fail(ErrorKind::kInvalid, "export-unsupported",
                    "The exported program trains with one optimizer, and the training has several phases",
                    "/training/phases", "Export as torchscript or state-dict, which hold the model and its weights.");
    }
    if (plan.gradientNoise.eta > 0) {
        return fail(ErrorKind::kInvalid, "export-unsupported",
                    "The exported program cannot draw the gradient noise that the training draws",
                    "/training/gradient_noise/eta",
                    "Set gradient_noise.eta to 0, or export as torchscript or state-dict.");
    }
    if (plan.stochasticDepthEpochs > 0) {
        return fail(ErrorKind::kInvalid, "export-unsupported",
                    "The exported program cannot let the share of dropped paths rise",
                    "/training/stochastic_depth/epochs",
                    "Set stochastic_depth.epochs to 0, or export as torchscript or state-dict.");
    }
    if (!plan.noGrad.empty()) {
        return fail(ErrorKind::kInvalid, "export-unsupported",
                    "The exported program trains every block with gradients, and the plan switches them off in some",
                    "/training/no_grad", "Empty training.no_grad, or export as torchscript or state-dict.");
    }
    const plan::ExpertSpec& expert = plan.expert;
    const std::pair<const char*, bool> mistakes[] = {{"clip_before_unscale", expert.clipBeforeUnscale},
                                                     {"skip_unscale", expert.skipUnscale},
                                                     {"skip_scaler_update", expert.skipScalerUpdate},
                                                     {"skip_zero_grad", expert.skipZeroGrad},
                                                     {"zero_grad_before_step", expert.zeroGradBeforeStep},
                                                     {"validate_in_train_mode", expert.validateInTrainMode},
                                                     {"keep_eval_after_validation", expert.keepEvalAfterValidation},
                                                     {"scheduler_every_batch", expert.schedulerEveryBatch},
                                                     {"scheduler_on_skipped_step", expert.schedulerOnSkippedStep},
                                                     {"allow_broadcast_loss", expert.allowBroadcastLoss},
                                                     {"same_worker_seed", expert.sameWorkerSeed},
                                                     {"no_shuffle_per_epoch", expert.noShufflePerEpoch}};
    for (const auto& [name, made] : mistakes) {
        if (made) {
            return fail(ErrorKind::kInvalid, "export-unsupported",
                        fmt::format("The exported program does not make the mistake {} on purpose", name),
                        fmt::format("/training/expert/{}", name),
                        "Switch it off, or export as torchscript or state-dict.");
        }
    }
    return {};
}

}  // namespace

std::int64_t samplesAtATime(const graph::ResolvedModel& model) {
    const auto fixed = project::fixedBatch(model);
    return fixed ? fixed->second : 0;
}

Result<std::map<std::string, std::string>> planMarks(const project::Project& project, const graph::ResolvedModel& model,
                                                     const PlanFacts& facts) {
    const plan::TrainingPlan& plan = project.training;
    PLUMBLINE_TRY(refuseWhatIsLeftOut(plan));
    std::map<std::string, std::string> marks;
    marks["SEED"] = std::to_string(plan.seed) + "ULL";
    marks["EPOCHS"] = std::to_string(plan::epochsToRun(plan, facts.stepsAnEpoch));
    marks["MAX_STEPS"] = std::to_string(plan.maxSteps);
    marks["BATCH_SIZE"] = std::to_string(project.data.loader.batchSize);
    marks["FIXED_BATCH"] = std::to_string(samplesAtATime(model));
    marks["SHUFFLE"] = project.data.loader.shuffle ? "true" : "false";
    marks["DROP_LAST"] = project.data.loader.dropLast ? "true" : "false";
    marks["ACCUMULATION"] = std::to_string(plan.accumulation);
    marks["THREADS"] = std::to_string(facts.threads);
    marks["CHECK_LENGTH"] = std::to_string(plan::scheduleLength(plan, facts.stepsAnEpoch));
    marks["RUN"] = runSource(model);
    std::vector<std::string> outputs;
    for (const auto& [name, value] : model.outputs) {
        outputs.push_back(name);
    }
    PLUMBLINE_TRY(lossMarks(plan.losses, outputs, marks));
    const ScheduleSource schedule = scheduleSource(plan.scheduler);
    PLUMBLINE_TRY(scheduleMarks(plan, schedule, marks));
    PLUMBLINE_TRY(optimizerMarks(plan, facts.groups, schedule.momentum, marks));
    stepMarks(plan, facts.parameterNames, facts.statistics, marks);
    return marks;
}

}  // namespace plumbline::codegen
