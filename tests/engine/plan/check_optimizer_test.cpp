#include <gtest/gtest.h>
#include <algorithm>

#include "plan/plan.h"

namespace plumbline::plan {
namespace {

TrainingPlan planWith(const Json& optimizer, const Json& more = Json::object()) {
    Json json = more;
    json["losses"] = Json::array({Json{{"type", "MSELoss"}, {"output", "y"}, {"target", "t"}}});
    json["optimizer"] = optimizer;
    auto plan = readTrainingPlan(json);
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : toSentence(plan.error()));
    return plan ? *plan : TrainingPlan{};
}

std::string firstProblem(const TrainingPlan& plan, bool critical = true) {
    for (const PlanProblem& problem : checkPlan(plan, 100, 10, false, true)) {
        if (problem.critical == critical) {
            EXPECT_FALSE(problem.hint.empty()) << problem.message;
            return problem.code;
        }
    }
    return "";
}

TEST(CheckOptimizer, EveryTypeIsFineAsItIs) {
    for (const TypeSpec& type : optimizerTypes()) {
        const TrainingPlan plan = planWith({{"type", type.name}});
        EXPECT_TRUE(checkPlan(plan, 100, 10, false, true).empty()) << type.name;
        EXPECT_GT(plan.optimizer.lr, 0) << type.name;
    }
}

TEST(CheckOptimizer, WarnsOfARateThatIsFarBeyondUseAndOfNoOther) {
    EXPECT_EQ(firstProblem(planWith({{"type", "AdamW"}, {"lr", 1e9}}), false), "rate-beyond-use");
    EXPECT_EQ(firstProblem(planWith({{"type", "Adam"}, {"lr", 11}}), false), "rate-beyond-use");
    EXPECT_EQ(firstProblem(planWith({{"type", "SGD"}, {"lr", 1e9}}), false), "rate-beyond-use");
    EXPECT_EQ(firstProblem(planWith({{"type", "Adam"}, {"lr", 1}}), false), "");
    EXPECT_EQ(firstProblem(planWith({{"type", "SGD"}, {"lr", 1.0}}), false), "");
    EXPECT_EQ(firstProblem(planWith({{"type", "SGD"}, {"lr", 100}}), false), "");
    for (const PlanProblem& problem : checkPlan(planWith({{"type", "AdamW"}, {"lr", 1e9}}), 100, 10, false, true)) {
        EXPECT_NE(problem.message.find("0.0001 to 0.01"), std::string::npos) << problem.message;
        EXPECT_EQ(problem.pointer, "/training/optimizer/lr");
    }
}

TEST(CheckOptimizer, NamesSettingsThatContradictEachOther) {
    EXPECT_EQ(firstProblem(planWith({{"type", "SGD"}, {"momentum", 0.9}, {"dampening", 0.1}, {"nesterov", true}})),
              "nesterov-needs-momentum");
    EXPECT_EQ(firstProblem(planWith({{"type", "Rprop"}, {"etas", {0.5, 0.9}}})), "etas-out-of-order");
    EXPECT_EQ(firstProblem(planWith({{"type", "Rprop"}, {"etas", {0, 1.2}}})), "etas-out-of-order");
    EXPECT_EQ(firstProblem(planWith({{"type", "Rprop"}, {"step_sizes", {1, 0.5}}})), "step-sizes-out-of-order");
    EXPECT_EQ(firstProblem(planWith({{"type", "NAdam"}, {"implementation", "fused"}})), "no-fused-kernel");
    for (const std::string& type : fusedOptimizers()) {
        EXPECT_EQ(firstProblem(planWith({{"type", type}, {"implementation", "fused"}})), "") << type;
    }
    EXPECT_EQ(readTrainingPlan(Json{{"optimizer", {{"type", "Adam"}, {"betas", {0.9, 1.0}}}}}).error().code,
              "out-of-range");
}

TEST(CheckOptimizer, LbfgsIsRefusedWhereItCannotWorkAsPyTorchs) {
    const Json lbfgs{{"type", "LBFGS"}};
    EXPECT_EQ(firstProblem(planWith(lbfgs, {{"precision", "fp16"}})), "lbfgs-with-scaler");
    EXPECT_EQ(firstProblem(planWith(lbfgs, {{"precision", "bf16"}})), "");
    EXPECT_EQ(firstProblem(planWith(lbfgs, {{"gradient_noise", {{"eta", 0.1}}}})), "lbfgs-needs-the-gradient");
    Json freeze = Json::array({Json{{"match", "backbone.*"}, {"epochs", 2}}});
    EXPECT_EQ(firstProblem(planWith(lbfgs, {{"freeze", freeze}})), "lbfgs-with-unfreezing");
    freeze[0]["epochs"] = 0;
    EXPECT_EQ(firstProblem(planWith(lbfgs, {{"freeze", freeze}})), "");
    Json grouped = lbfgs;
    grouped["groups"] = Json::array({Json{{"match", "head.*"}, {"lr", 0.1}}});
    EXPECT_EQ(firstProblem(planWith(grouped)), "lbfgs-takes-one-group");
    grouped["groups"] = Json::array({Json{{"match", "head.*"}, {"frozen", true}}});
    EXPECT_EQ(firstProblem(planWith(grouped)), "");
}

TEST(CheckOptimizer, WhatATypeDoesNotHaveChangesNothingAndIsTold) {
    const TrainingPlan plan = planWith({{"type", "Rprop"}, {"weight_decay", 0.1}, {"maximize", true}});
    EXPECT_EQ(plan.optimizer.weightDecay, 0);
    EXPECT_TRUE(plan.optimizer.maximize);
    EXPECT_EQ(plan.withoutEffect, (std::vector<std::string>{"/training/optimizer/weight_decay"}));
    EXPECT_EQ(firstProblem(plan, false), "setting-without-effect");
    EXPECT_FALSE(planWith({{"type", "LBFGS"}, {"maximize", true}}).optimizer.maximize);
}

TEST(CheckOptimizer, NormsAndBiasesLeftOutOfNoWeightDecayIsTold) {
    EXPECT_EQ(firstProblem(planWith({{"type", "SGD"}, {"decay_norms_and_biases", false}}), false),
              "setting-without-effect");
    EXPECT_EQ(firstProblem(planWith({{"type", "AdamW"}, {"decay_norms_and_biases", false}}), false), "")
        << "it has one by default";
    Json grouped{{"type", "SGD"}, {"decay_norms_and_biases", false}};
    grouped["groups"] = Json::array({Json{{"match", "head.*"}, {"weight_decay", 0.1}}});
    EXPECT_EQ(firstProblem(planWith(grouped), false), "");
}

TEST(CheckOptimizer, WhatASettingIsWhereItIsLeftOutIsThatOfTheChosenType) {
    const auto hint = [](const Json& training) {
        const auto plan = readTrainingPlan(training);
        EXPECT_FALSE(plan);
        return plan ? std::string() : plan.error().hint;
    };
    EXPECT_NE(hint({{"optimizer", {{"type", "Adadelta"}, {"lr", "fast"}}}}).find("it is 1.0"), std::string::npos);
    EXPECT_NE(hint({{"optimizer", {{"type", "AdamW"}, {"weight_decay", -1}}}}).find("it is 0.01"), std::string::npos);
    EXPECT_NE(hint({{"optimizer", {{"type", "SGD"}, {"weight_decay", -1}}}}).find("it is 0."), std::string::npos);
    EXPECT_NE(hint({{"scheduler", {{"type", "reduce_on_plateau"}, {"factor", "half"}}}}).find("it is 0.1"),
              std::string::npos);
}

TEST(CheckOptimizer, AFreezeThatOutlastsTheRunIsTold) {
    Json more{{"stop", {{"epochs", 5}}}, {"freeze", Json::array({Json{{"match", "backbone.*"}, {"epochs", 5}}})}};
    EXPECT_EQ(firstProblem(planWith({{"type", "SGD"}}, more), false), "freeze-outlasts-run");
    more["freeze"][0]["epochs"] = 4;
    EXPECT_EQ(firstProblem(planWith({{"type", "SGD"}}, more), false), "");
}

}  // namespace
}  // namespace plumbline::plan
