#include "plan/plan.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "plan/setting_reader.h"

using namespace plumbline;
using namespace plumbline::plan;

namespace {

Json minimal() {
    return Json{{"losses", Json::array({Json{{"type", "MSELoss"}, {"output", "y"}, {"target", "t"}}})},
                {"optimizer", {{"type", "SGD"}}}};
}

bool hasProblem(const std::vector<PlanProblem>& problems, const std::string& code) {
    for (const PlanProblem& problem : problems) {
        if (problem.code == code) {
            return true;
        }
    }
    return false;
}

}  // namespace

TEST(Settings, WhatIsLeftOutIsWhatTheRestOfThePlanMakesOfIt) {
    const SettingSpec& decay = *findSetting("training.optimizer.weight_decay");
    const auto project = [](const char* optimizer) {
        return Json{{"training", {{"optimizer", Json::parse(optimizer)}}}};
    };
    EXPECT_EQ(defaultOf(decay, Json::object()), 0.0);
    for (const char* type : {"SGD", "Adam", "AdamW"}) {
        const Json json = project((std::string(R"({"type": ")") + type + R"("})").c_str());
        const auto plan = readTrainingPlan(json["training"]);
        ASSERT_TRUE(plan.has_value());
        EXPECT_EQ(plan->optimizer.weightDecay, defaultOf(decay, json).get<double>()) << type;
        EXPECT_EQ(plan->optimizer.weightDecay, std::string(type) == "AdamW" ? 0.01 : 0.0);
    }
    EXPECT_EQ(readTrainingPlan(project(R"({"type": "AdamW", "weight_decay": 0})")["training"])->optimizer.weightDecay,
              0.0);
}

TEST(Settings, EachDefaultIsOneThatTheSettingTakes) {
    std::set<std::string> paths;
    for (const SettingSpec& spec : settings()) {
        EXPECT_TRUE(paths.insert(spec.path).second) << spec.path << " stands twice";
        EXPECT_FALSE(spec.help.empty()) << spec.path;
        EXPECT_TRUE(spec.applies == "live" || spec.applies == "next_run") << spec.path;
        if (spec.type != "auto_int") {
            EXPECT_TRUE(checkSetting(spec, spec.defaultValue, spec.path)) << spec.path;
        }
    }
}

TEST(TrainingPlan, AnAbsentSettingHasItsDefault) {
    const auto plan = readTrainingPlan(minimal());
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->optimizer.lr, 0.001);
    EXPECT_EQ(plan->epochs, 10);
    EXPECT_EQ(plan->gradScaler.initScale, 65536.0);
    EXPECT_FALSE(plan->clip.enabled());
    EXPECT_EQ(plan->validationEvery, 1);
}

TEST(TrainingPlan, WeightDecayDefaultsToTheRulesOwn) {
    Json json = minimal();
    EXPECT_EQ(readTrainingPlan(json)->optimizer.weightDecay, 0.0);
    json["optimizer"]["type"] = "AdamW";
    EXPECT_EQ(readTrainingPlan(json)->optimizer.weightDecay, 0.01);
    json["optimizer"]["weight_decay"] = 0.0;
    EXPECT_EQ(readTrainingPlan(json)->optimizer.weightDecay, 0.0);
}

struct BadCase {
    const char* pointer;
    Json value;
    const char* code;
};

class BadPlan : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadPlan, IsOneErrorWithItsPointer) {
    Json json = minimal();
    json[Json::json_pointer(GetParam().pointer)] = GetParam().value;
    const auto plan = readTrainingPlan(json);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, GetParam().code) << plan.error().message;
    EXPECT_EQ(plan.error().where, std::string("/training") + GetParam().pointer);
    EXPECT_EQ(plan.error().exitCode(), 3);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, BadPlan,
    ::testing::Values(BadCase{"/optimizer/lr", "fast", "wrong-type"}, BadCase{"/optimizer/lr", -1, "out-of-range"},
                      BadCase{"/optimizer/lr", 1e300, "out-of-range"}, BadCase{"/optimizer/lrr", 1, "unknown-key"},
                      BadCase{"/optimizer", 3, "wrong-type"}, BadCase{"/optimizer/type", "AdamX", "unknown-choice"},
                      BadCase{"/stop/epochs", 1.5, "wrong-type"}, BadCase{"/stop/epochs", -1, "out-of-range"},
                      BadCase{"/precision", "fp8", "unknown-choice"}, BadCase{"/device", "gpu", "unknown-choice"},
                      BadCase{"/accumulation", 0, "out-of-range"},
                      BadCase{"/losses/0/type", "MSELos", "unknown-choice"},
                      BadCase{"/losses/0/wait", 1, "unknown-key"}, BadCase{"/metrics", Json{{"a", 1}}, "wrong-type"},
                      BadCase{"/seed", -1, "out-of-range"}, BadCase{"/expert/skip_unscale", 1, "wrong-type"},
                      BadCase{"/grad_scaler/growth_factor", 1, "out-of-range"},
                      BadCase{"/losses/0/pos_weight", Json::array({1}), "unknown-key"}));

TEST(TrainingPlan, AnOptionIsCheckedForTheTypeThatHasIt) {
    Json json = minimal();
    json["optimizer"]["type"] = "Adam";
    for (const Json& betas : {Json::array({0.9, 1.0}), Json::array({0.9})}) {
        json["optimizer"]["betas"] = betas;
        const auto plan = readTrainingPlan(json);
        ASSERT_FALSE(plan) << betas;
        EXPECT_EQ(plan.error().code, "out-of-range");
        EXPECT_EQ(plan.error().where, "/training/optimizer/betas");
    }
}

TEST(TrainingPlan, ARangeIsToldByTheBoundThatSomebodyChose) {
    const auto told = [](const char* pointer, const Json& value) {
        Json json = minimal();
        json[Json::json_pointer(pointer)] = value;
        return readTrainingPlan(json).error().message;
    };
    EXPECT_NE(told("/optimizer/lr", -1).find("has to be at least 0 and is -1"), std::string::npos)
        << told("/optimizer/lr", -1);
    EXPECT_NE(told("/optimizer/lr", 1e300).find("has to be small enough for a float32"), std::string::npos)
        << told("/optimizer/lr", 1e300);
}

TEST(TrainingPlan, AMisspeltSettingIsToldTheNearestOne) {
    Json json = minimal();
    json["optimizer"]["weight_decai"] = 1;
    EXPECT_EQ(readTrainingPlan(json).error().hint, "Did you mean \"weight_decay\"?");
}

TEST(MonitorPlan, TakesAutoOrAStride) {
    EXPECT_EQ(readMonitorPlan(Json{{"stride", "auto"}})->stride, 0);
    EXPECT_EQ(readMonitorPlan(Json{{"stride", 10}})->stride, 10);
    EXPECT_FALSE(readMonitorPlan(Json{{"stride", 0}}));
    EXPECT_FALSE(readMonitorPlan(Json{{"stride", "often"}}));
    EXPECT_FALSE(readMonitorPlan(Json{{"stryde", 1}}));
}

TEST(TrainingPlan, ReadsWhichBlocksAreCheckpointedAndWhichRunWithoutGradients) {
    Json json = minimal();
    EXPECT_FALSE(readTrainingPlan(json)->activationCheckpointing.enabled());
    json["activation_checkpointing"] = {{"blocks", Json::array({"encoder.*", "head"})}, {"budget_mb", 12.5}};
    json["no_grad"] = Json::array({"backbone"});
    const auto plan = readTrainingPlan(json);
    ASSERT_TRUE(plan.has_value()) << toSentence(plan.error());
    EXPECT_TRUE(plan->activationCheckpointing.enabled());
    EXPECT_EQ(plan->activationCheckpointing.blocks, (std::vector<std::string>{"encoder.*", "head"}));
    EXPECT_EQ(plan->activationCheckpointing.budgetMb, 12.5);
    EXPECT_EQ(plan->noGrad, (std::vector<std::string>{"backbone"}));
    EXPECT_TRUE(plan->fp32Outputs);
    for (const auto& [pointer, value, code] : std::vector<std::tuple<std::string, Json, std::string>>{
             {"/activation_checkpointing/blocks", Json::array({1}), "wrong-type"},
             {"/activation_checkpointing/budget_mb", -1, "out-of-range"},
             {"/no_grad", "backbone", "wrong-type"},
             {"/no_grad", Json::array({true}), "wrong-type"}}) {
        Json wrong = json;
        wrong[Json::json_pointer(pointer)] = value;
        const auto refused = readTrainingPlan(wrong);
        ASSERT_FALSE(refused.has_value()) << pointer;
        EXPECT_EQ(refused.error().code, code) << pointer;
        EXPECT_EQ(refused.error().where, "/training" + pointer + (value.is_array() ? "/0" : ""))
            << "the name that is none, not the list that is one";
    }
}

TEST(CheckPlan, AHealthyPlanHasNoProblem) {
    EXPECT_TRUE(checkPlan(*readTrainingPlan(minimal()), 100, 32, false, true).empty());
}

TEST(CheckPlan, NamesSettingsThatContradictEachOther) {
    TrainingPlan plan = *readTrainingPlan(minimal());
    plan.optimizer.options["nesterov"] = true;
    plan.checkpoints.bestSeries = "val.accuracy";
    plan.accumulation = 5;
    plan.scheduler.type = "cosine";
    plan.scheduler.unit = Unit::kStep;
    plan.scheduler.warmup = 10;
    plan.scheduler.options = {{"min_lr", 1.0}, {"total", 10}};
    const auto problems = checkPlan(plan, 100, 32, false, false);
    EXPECT_TRUE(hasProblem(problems, "nesterov-needs-momentum"));
    EXPECT_TRUE(hasProblem(problems, "best-without-validation"));
    EXPECT_TRUE(hasProblem(problems, "best-series-unknown"));
    EXPECT_TRUE(hasProblem(problems, "accumulation-too-long"));
    EXPECT_TRUE(hasProblem(problems, "warmup-too-long"));
    EXPECT_TRUE(hasProblem(problems, "min-lr-above-lr"));
}

TEST(CheckPlan, AnEpochWithoutAFullBatchIsRefusedOnlyWithDropLast) {
    const TrainingPlan plan = *readTrainingPlan(minimal());
    EXPECT_TRUE(hasProblem(checkPlan(plan, 10, 32, true, true), "no-full-batch"));
    EXPECT_FALSE(hasProblem(checkPlan(plan, 10, 32, false, true), "no-full-batch"));
    EXPECT_TRUE(hasProblem(checkPlan(plan, 0, 32, false, true), "empty-training-split"));
    TrainingPlan weightless = plan;
    weightless.losses.front().weight = 0;
    EXPECT_TRUE(hasProblem(checkPlan(weightless, 10, 32, false, true), "zero-loss-weight"));
}

TEST(CheckPlan, ARunHasToEnd) {
    TrainingPlan plan = *readTrainingPlan(minimal());
    plan.epochs = 0;
    EXPECT_TRUE(hasProblem(checkPlan(plan, 10, 2, false, true), "no-end"));
    plan.maxSeconds = 3;  // it would end, and have no length
    for (const PlanProblem& problem : checkPlan(plan, 10, 2, false, true)) {
        EXPECT_TRUE(problem.code != "no-end" || problem.message.find("never") == std::string::npos) << problem.message;
    }
    plan.maxSteps = 5;
    EXPECT_FALSE(hasProblem(checkPlan(plan, 10, 2, false, true), "no-end"));
}

TEST(Settings, AFactorThatPyTorchRefusesIsRefusedAtItsLimitToo) {
    Json json = minimal();
    json["grad_scaler"] = {{"growth_factor", 1.0}};
    EXPECT_EQ(readTrainingPlan(json).error().message,
              "/training/grad_scaler/growth_factor has to be above 1 and at most 1000000 and is 1");
    json["grad_scaler"] = {{"backoff_factor", 1.0}};
    EXPECT_EQ(readTrainingPlan(json).error().code, "out-of-range");
    json["grad_scaler"] = {{"growth_factor", 1.5}, {"backoff_factor", 0.9}};
    EXPECT_TRUE(readTrainingPlan(json));
}

TEST(TrainingPlan, LossesTakeOneNumberAClass) {
    Json json = minimal();
    json["losses"][0]["type"] = "CrossEntropyLoss";
    json["losses"][0]["class_weights"] = {1, 0.5, 0};
    json["losses"].push_back({{"type", "BCEWithLogitsLoss"}, {"output", "y"}, {"target", "t"}, {"pos_weight", {4.0}}});
    const auto plan = readTrainingPlan(json);
    ASSERT_TRUE(plan) << toSentence(plan.error());
    EXPECT_EQ(plan->losses[0].options["class_weights"], Json::array({1, 0.5, 0}));
    EXPECT_EQ(plan->losses[1].options["pos_weight"], Json::array({4.0}));
    json["losses"][0].erase("class_weights");
    EXPECT_FALSE(readTrainingPlan(json)->losses[0].options.contains("class_weights"));
    for (const auto& [wrong, code] :
         {std::pair{Json::array(), "out-of-range"}, std::pair{Json(3), "out-of-range"},
          std::pair{Json::array({1, -1}), "out-of-range"}, std::pair{Json::array({0, 0}), "out-of-range"}}) {
        json["losses"][0]["class_weights"] = wrong;
        const auto refused = readTrainingPlan(json);
        ASSERT_FALSE(refused) << wrong;
        EXPECT_EQ(refused.error().code, code);
        EXPECT_EQ(refused.error().where, "/training/losses/0/class_weights");
    }
}

TEST(CheckPlan, AWarmUpThatIsLongerThanTheRunIsTold) {
    TrainingPlan plan = *readTrainingPlan(minimal());
    plan.epochs = 10;
    plan.scheduler.warmup = 1000;
    EXPECT_TRUE(hasProblem(checkPlan(plan, -1, 32, false, true), "warmup-longer-than-run"))
        << "1000 epochs of warm-up in 10";
    plan.scheduler.unit = Unit::kStep;
    EXPECT_FALSE(hasProblem(checkPlan(plan, -1, 32, false, true), "warmup-longer-than-run"))
        << "how many steps there are, the data tell";
    EXPECT_TRUE(hasProblem(checkPlan(plan, 320, 32, false, true), "warmup-longer-than-run")) << "100 steps";
    EXPECT_FALSE(hasProblem(checkPlan(plan, 3200, 32, false, true), "warmup-longer-than-run"));
    plan.maxSteps = 500;
    EXPECT_TRUE(hasProblem(checkPlan(plan, 3200, 32, false, true), "warmup-longer-than-run"));
}

TEST(ScheduleLength, IsWhereThePlanEndsTheRun) {
    TrainingPlan plan = *readTrainingPlan(minimal());
    plan.epochs = 10;
    plan.scheduler.unit = Unit::kStep;
    EXPECT_EQ(scheduleLength(plan, 500), 5000);
    plan.maxSteps = 1001;
    EXPECT_EQ(scheduleLength(plan, 500), 1001);
    plan.scheduler.unit = Unit::kEpoch;
    EXPECT_EQ(scheduleLength(plan, 500), 3) << "the third epoch is begun";
    plan.epochs = 0;
    EXPECT_EQ(scheduleLength(plan, 500), 3);
    plan.maxSteps = 0;
    plan.epochs = 10;
    EXPECT_EQ(scheduleLength(plan, 500), 10);
}
