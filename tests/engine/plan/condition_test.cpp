// Settings that are stated where they mean nothing, and what lies past the end of the run.
#include "plan/condition.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plumbline::plan {
namespace {

Json training(const Json& more) {
    Json json = Json::parse(
        R"({"losses": [{"type": "MSELoss", "output": "y", "target": "t"}], "optimizer": {"type": "SGD", "lr": 0.1}, "stop": {"epochs": 10}})");
    json.merge_patch(more);
    return json;
}

/// "code pointer" of each problem; 100 samples in batches of 10, unless the data are not known.
std::vector<std::string> problemsOf(const Json& more, std::int64_t samples = 100) {
    const auto plan = readTrainingPlan(training(more));
    EXPECT_TRUE(plan) << (plan ? "" : toSentence(plan.error()));
    std::vector<std::string> problems;
    for (const PlanProblem& problem : plan ? checkPlan(*plan, samples, 10, false, true) : std::vector<PlanProblem>{}) {
        EXPECT_FALSE(problem.message.empty() || problem.hint.empty()) << problem.code;
        problems.push_back(problem.code + (problem.critical ? "! " : " ") + problem.pointer);
    }
    return problems;
}
using Problems = std::vector<std::string>;

/// `stated` is told of at `pointer`, and is not with what makes it count.
void expectTold(const char* stated, const std::string& pointer, const char* with) {
    Json json = Json::parse(stated);
    EXPECT_EQ(problemsOf(json), Problems{"setting-without-effect /training/" + pointer}) << stated;
    json.merge_patch(Json::parse(with));
    EXPECT_EQ(problemsOf(json), Problems{}) << json;
}

TEST(WithoutEffect, IsToldOfEverySettingWhoseConditionDoesNotHold) {
    expectTold(R"({"averaging": {"type": "swa", "decay": 0.5}})", "averaging/decay",
               R"({"averaging": {"type": "ema"}})");
    expectTold(R"({"averaging": {"type": "ema", "recalibrate_batch_norm": false}})", "averaging/recalibrate_batch_norm",
               R"({"averaging": {"type": "swa"}})");
    expectTold(R"({"averaging": {"type": "ema", "recalibrate_batch_norm": true}})", "averaging/recalibrate_batch_norm",
               R"({"averaging": {"type": "swa"}})");
    expectTold(R"({"averaging": {"start": 3}})", "averaging/start", R"({"averaging": {"type": "swa"}})");
    expectTold(R"({"clip": {"max_norm": 0.1}})", "clip/max_norm", R"({"clip": {"type": "norm"}})");
    expectTold(R"({"clip": {"type": "value", "max_norm": 0.1}})", "clip/max_norm", R"({"clip": {"type": "norm"}})");
    expectTold(R"({"gradient_noise": {"gamma": 0.1}})", "gradient_noise/gamma", R"({"gradient_noise": {"eta": 0.1}})");
    expectTold(R"({"scheduler": {"type": "cosine", "phases": [{"type": "linear", "length": 3}]}})", "scheduler/phases",
               R"({"scheduler": {"type": "sequence"}})");
    expectTold(R"({"fp32_blocks": ["head"]})", "fp32_blocks", R"({"precision": "bf16"})");
    expectTold(R"({"grad_scaler": {"init_scale": 4}})", "grad_scaler/init_scale", R"({"precision": "fp16"})");
    expectTold(R"({"optimizer": {"type": "Lion", "implementation": "foreach"}})", "optimizer/implementation",
               R"({"optimizer": {"type": "AdamW"}})");
    expectTold(R"({"early_stopping": {"min_delta": 0.1}})", "early_stopping/min_delta",
               R"({"early_stopping": {"patience": 2}})");
    expectTold(R"({"stop": {"target": {"value": 0.5}}})", "stop/target/value",
               R"({"stop": {"target": {"series": "val.loss"}}})");
    expectTold(R"({"checkpoints": {"best": {"mode": "min"}}})", "checkpoints/best/mode",
               R"({"checkpoints": {"best": {"series": "val.loss"}}})");
    expectTold(R"({"expert": {"skip_unscale": true}})", "expert/skip_unscale", R"({"precision": "fp16"})");
}

TEST(WithoutEffect, WhatIsAsIfItWereNotThereSaysNothing) {
    EXPECT_EQ(
        problemsOf(Json::parse(
            R"({"clip": {"type": "none", "max_norm": 1.0}, "averaging": {"type": "none", "decay": 0.999, "start": 0}, "early_stopping": {"series": "val.loss"}})")),
        Problems{});
}

TEST(WithoutEffect, IsToldOfAPhaseWhereItStandsAndOncePerPlace) {
    Json json = training(
        {{"phases",
          Json::array(
              {Json{{"name", "a"}, {"train", "a.*"}, {"optimizer", {{"type", "Lion"}, {"implementation", "foreach"}}}},
               Json{{"name", "b"}, {"train", "b.*"}}})}});
    json["losses"] = Json::parse(
        R"([{"type": "MSELoss", "output": "y", "target": "t", "phase": "a"}, {"type": "MSELoss", "output": "y", "target": "t", "phase": "b"}])");
    const auto plan = readTrainingPlan(json);
    ASSERT_TRUE(plan) << toSentence(plan.error());
    EXPECT_EQ(plan->withoutEffect, Problems{"/training/phases/0/optimizer/implementation"});
    EXPECT_EQ(problemsOf(Json::parse(R"({"optimizer": {"type": "Lion", "implementation": "fused"}})")),
              Problems{"no-fused-kernel! /training/optimizer/implementation"});
}

TEST(Condition, EverySettingsConditionIsOneThatIsUnderstood) {
    for (const SettingSpec& spec : settings()) {
        const Condition condition = conditionOf(spec.when);
        EXPECT_EQ(condition.kind == Condition::Kind::kAlways, spec.when.empty()) << spec.path << ": " << spec.when;
        const auto decides = [&](const SettingSpec& other) { return other.path == condition.setting; };
        EXPECT_TRUE(spec.when.empty() || std::any_of(settings().begin(), settings().end(), decides))
            << spec.path << ": " << spec.when;
    }
}

TEST(RunLength, WhatTheRunIsTooShortForIsWarnedOf) {
    const auto all = [](const char* more, std::int64_t samples = 100) {
        const Problems problems = problemsOf(Json::parse(more), samples);
        return problems.empty() ? std::string() : problems.size() == 1 ? problems.front() : "several";
    };
    const std::string patience = "patience-outlasts-run /training/early_stopping/patience";
    EXPECT_EQ(all(R"({"early_stopping": {"patience": 10}})"), patience) << "ten validations, the first is the best";
    EXPECT_EQ(all(R"({"early_stopping": {"patience": 9}})"), "");
    EXPECT_EQ(all(R"({"early_stopping": {"patience": 3}, "validation": {"every": 4}})"), patience) << "4, 8 and 10";
    EXPECT_EQ(all(R"({"early_stopping": {"patience": 50}, "validation": {"unit": "step"}})"), "") << "100 of them";
    EXPECT_EQ(all(R"({"early_stopping": {"patience": 50}, "validation": {"unit": "step"}})", -1), "")
        << "how many steps there are, the data tell";
    const std::string plateau = "patience-outlasts-run /training/scheduler/patience";
    EXPECT_EQ(all(R"({"scheduler": {"type": "reduce_on_plateau"}})"), plateau) << "10 by default";
    EXPECT_EQ(all(R"({"scheduler": {"type": "reduce_on_plateau", "patience": 8}})"), plateau)
        << "it would reduce at the last one";
    EXPECT_EQ(all(R"({"scheduler": {"type": "reduce_on_plateau", "patience": 7}})"), "");
    EXPECT_EQ(all(R"({"validation": {"every": 11}})"), "validation-outlasts-run /training/validation/every");
    EXPECT_EQ(all(R"({"validation": {"every": 10}})"), "");
    EXPECT_EQ(all(R"({"validation": {"every": 101, "unit": "step"}})"),
              "validation-outlasts-run /training/validation/every");
}

TEST(RunLength, WhatComesAfterTheEndOfTheRunIsWarnedOf) {
    const auto first = [](const char* more, std::int64_t samples = 100) {
        const Problems problems = problemsOf(Json::parse(more), samples);
        return problems.empty() ? std::string() : problems.front();
    };
    const std::string averaging = "averaging-never-begins /training/averaging/start";
    EXPECT_EQ(first(R"({"averaging": {"type": "ema", "start": 1000}})"), averaging) << "10 epochs of 10 steps";
    EXPECT_EQ(first(R"({"averaging": {"type": "ema", "start": 90}})"), "");
    EXPECT_EQ(first(R"({"averaging": {"type": "ema", "start": 1000}})", -1), "")
        << "how many steps there are, the data tell";
    EXPECT_EQ(
        first(R"({"averaging": {"type": "ema", "unit": "epoch", "start": 5}, "stop": {"epochs": 0, "steps": 40}})"),
        averaging)
        << "4 epochs";
    EXPECT_EQ(first(R"({"averaging": {"type": "ema", "unit": "epoch", "start": 5}, "stop": {"steps": 40}})"), averaging)
        << "4 epochs of 10";
    EXPECT_EQ(first(R"({"freeze": [{"match": "a.*", "epochs": 5}], "stop": {"epochs": 0, "steps": 40}})"),
              "freeze-outlasts-run /training/freeze/0/epochs");
    EXPECT_EQ(first(R"({"stochastic_depth": {"epochs": 11}})"),
              "stochastic-depth-outlasts-run /training/stochastic_depth/epochs");
    EXPECT_EQ(first(R"({"scheduler": {"type": "one_cycle", "unit": "step", "total": 1000, "cycle_momentum": false}})"),
              "schedule-outlasts-run /training/scheduler/total");
    EXPECT_EQ(
        first(R"({"scheduler": {"type": "cyclic", "unit": "step", "step_size_up": 101, "cycle_momentum": false}})"),
        "schedule-outlasts-run /training/scheduler/step_size_up");
    EXPECT_EQ(
        first(R"({"scheduler": {"type": "cyclic", "unit": "step", "step_size_up": 100, "cycle_momentum": false}})"),
        "");
    EXPECT_EQ(first(R"({"scheduler": {"type": "step", "step_size": 10}})"),
              "schedule-outlasts-run /training/scheduler/step_size");
    EXPECT_EQ(first(R"({"scheduler": {"type": "multi_step", "milestones": [10, 20]}})"),
              "schedule-outlasts-run /training/scheduler/milestones");
    EXPECT_EQ(first(R"({"scheduler": {"type": "multi_step", "milestones": [9, 20]}})"), "");
}

TEST(GroupRates, WhatAScheduleSetsOrRaisesIsTold) {
    const char* const groups = R"({"optimizer": {"groups": [{"match": "a.*", "lr": 0.01}]}})";
    const auto with = [&](const char* schedule, const char* optimizer) {
        Json json = Json::parse(optimizer);
        json["scheduler"] = Json::parse(schedule);
        return problemsOf(json);
    };
    EXPECT_EQ(with(R"({"type": "one_cycle", "unit": "step", "max_lr": 0.5, "cycle_momentum": false})", groups),
              Problems{"rate-overridden /training/optimizer/groups/0/lr"});
    EXPECT_EQ(with(R"({"type": "one_cycle", "unit": "step", "cycle_momentum": false})", groups), Problems{})
        << "each group's own rate is its highest";
    EXPECT_EQ(with(R"({"type": "cyclic", "unit": "step", "max_lr": 0.5, "step_size_up": 10, "cycle_momentum": false})",
                   R"({"optimizer": {"layer_decay": 0.5}})"),
              Problems{"rate-overridden /training/optimizer/layer_decay"});
    EXPECT_EQ(
        with(R"({"type": "cyclic", "unit": "step", "base_lr": 0.05, "step_size_up": 10, "cycle_momentum": false})",
             groups),
        Problems{"base-lr-above-max-lr /training/scheduler/base_lr"});
    EXPECT_EQ(with(R"({"type": "cosine", "min_lr": 0.05})", groups),
              Problems{"min-lr-above-lr! /training/scheduler/min_lr"});
    EXPECT_EQ(with(R"({"type": "cosine", "min_lr": 0.01})", groups), Problems{});
}

TEST(ScheduleOptions, AreRefusedWherePyTorchRaises) {
    const auto codeOf = [](const char* schedule) {
        const auto plan = readTrainingPlan(training({{"scheduler", Json::parse(schedule)}}));
        return plan ? std::string() : plan.error().code;
    };
    EXPECT_EQ(codeOf(R"({"type": "linear", "start_factor": 0})"), "out-of-range");
    EXPECT_EQ(codeOf(R"({"type": "linear", "start_factor": 1.1})"), "out-of-range");
    EXPECT_EQ(codeOf(R"({"type": "linear", "start_factor": 1, "end_factor": 0})"), "");
    EXPECT_EQ(codeOf(R"({"type": "linear", "end_factor": 1.1})"), "out-of-range");
    EXPECT_EQ(codeOf(R"({"type": "constant", "factor": 1.5})"), "out-of-range");
    EXPECT_EQ(codeOf(R"({"type": "constant", "factor": 0})"), "");
    EXPECT_EQ(codeOf(R"({"type": "one_cycle", "pct_start": 1.5})"), "out-of-range");
    EXPECT_EQ(codeOf(R"({"type": "cosine_restarts", "T_0": 0})"), "out-of-range");
    EXPECT_EQ(codeOf(R"({"type": "cosine_restarts", "T_mult": 0})"), "out-of-range");
}

}  // namespace
}  // namespace plumbline::plan
