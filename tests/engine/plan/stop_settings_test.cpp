// What ends a run and which checkpoints stay, as a project says it.

#include <gtest/gtest.h>

#include "plan/plan.h"
#include "plan/setting_reader.h"

namespace plumbline::plan {
namespace {

Json stopping() {
    return Json::parse(
        R"({"losses": [{"type": "MSELoss", "output": "y", "target": "t"}], "optimizer": {"type": "SGD"}})");
}

std::string problemsOf(const Json& training, bool hasValidation = true) {
    const auto plan = readTrainingPlan(training);
    EXPECT_TRUE(plan) << (plan ? "" : toSentence(plan.error()));
    std::string codes;
    for (const PlanProblem& problem :
         plan ? checkPlan(*plan, 100, 10, false, hasValidation) : std::vector<PlanProblem>{}) {
        EXPECT_FALSE(problem.hint.empty()) << problem.code;
        codes += problem.code + (problem.critical ? "! " : " ");
    }
    return codes;
}

TEST(StopSettings, AreReadAndLeaveTheScheduleItsLength) {
    Json json = stopping();
    json["stop"] = {
        {"epochs", 4}, {"seconds", 1.5}, {"target", {{"series", "val.loss"}, {"value", 0.25}, {"mode", "min"}}}};
    json["early_stopping"] = {{"patience", 3}, {"mode", "max"}, {"min_delta", 0.01}, {"restore_best", true}};
    json["checkpoints"] = {{"keep_best", 4}, {"max_mb", 12.5}};
    const auto plan = readTrainingPlan(json);
    ASSERT_TRUE(plan) << toSentence(plan.error());
    EXPECT_EQ(plan->maxSeconds, 1.5);
    EXPECT_EQ(plan->target.series, "val.loss");
    EXPECT_EQ(plan->target.value, 0.25);
    EXPECT_FALSE(plan->target.isMax);
    EXPECT_EQ(plan->earlyStopping.patience, 3);
    EXPECT_EQ(plan->earlyStopping.series, "val.loss");
    EXPECT_TRUE(plan->earlyStopping.isMax);
    EXPECT_EQ(plan->earlyStopping.minDelta, 0.01);
    EXPECT_TRUE(plan->earlyStopping.restoreBest);
    EXPECT_EQ(plan->checkpoints.keepBest, 4);
    EXPECT_EQ(plan->checkpoints.maxMb, 12.5);
    EXPECT_EQ(scheduleLength(*plan, 10),
              scheduleLength(*readTrainingPlan(Json::parse(R"({"stop": {"epochs": 4}})")), 10));
}

TEST(StopSettings, EarlyStoppingThatRestoresChoosesTheBestCheckpointWhereNothingElseDoes) {
    Json json = stopping();
    json["early_stopping"] = {{"patience", 3}, {"restore_best", true}};
    EXPECT_EQ(readTrainingPlan(json)->checkpoints.bestSeries, "val.loss");
    EXPECT_FALSE(readTrainingPlan(json)->checkpoints.bestIsMax);
    EXPECT_EQ(problemsOf(json), "");
    json["early_stopping"]["patience"] = 0;
    EXPECT_EQ(readTrainingPlan(json)->checkpoints.bestSeries, "");
    EXPECT_EQ(problemsOf(json), "restore-without-early-stopping ");
}

TEST(StopSettings, ATargetStatesTheValueThatItWaitsFor) {
    Json json = stopping();
    json["stop"] = {{"target", {{"series", "val.loss"}}}};
    EXPECT_EQ(problemsOf(json), "target-without-value! ") << "0 would be reached by an accuracy at once";
    json["stop"]["target"]["value"] = 0;
    EXPECT_EQ(problemsOf(json), "");
    json["stop"]["target"].erase("series");
    EXPECT_EQ(problemsOf(json), "setting-without-effect ");
}

TEST(StopSettings, AValueThatNoModelCanReachIsRefusedAndOneThatEachHasIsTold) {
    Json json = stopping();
    json["metrics"] = Json::parse(
        R"([{"type": "accuracy", "output": "y", "target": "t"}, {"type": "r2", "output": "y", "target": "t"},
            {"type": "mae", "output": "y", "target": "t"}, {"type": "perplexity", "output": "y", "target": "t"}])");
    const auto problemsAt = [&](const char* series, double value, const char* mode = "auto") {
        json["stop"] = {{"target", {{"series", series}, {"value", value}, {"mode", mode}}}};
        return problemsOf(json);
    };
    EXPECT_EQ(problemsAt("val.accuracy", 95), "target-out-of-reach! ");
    EXPECT_EQ(problemsAt("val.accuracy", 1), "");
    EXPECT_EQ(problemsAt("val.accuracy", 0), "target-always-reached ");
    EXPECT_EQ(problemsAt("val.accuracy", 1, "min"), "mode-against-series target-always-reached ");
    EXPECT_EQ(problemsAt("val.r2", 1.5), "target-out-of-reach! ");
    EXPECT_EQ(problemsAt("val.r2", -3), "");
    EXPECT_EQ(problemsAt("val.mae", -0.1), "target-out-of-reach! ");
    EXPECT_EQ(problemsAt("val.mae", 1e9), "");
    EXPECT_EQ(problemsAt("val.perplexity", 0.5), "target-out-of-reach! ");
    EXPECT_EQ(problemsAt("val.loss", -100), "") << "a loss may be below 0";
    json.erase("stop");
    json["early_stopping"] = {{"patience", 2}, {"series", "val.accuracy"}, {"min_delta", 1}};
    EXPECT_EQ(problemsOf(json), "min-delta-out-of-reach! ");
    json["early_stopping"]["min_delta"] = 0.99;
    EXPECT_EQ(problemsOf(json), "");
    json["early_stopping"] = {{"patience", 2}, {"series", "val.mae"}, {"min_delta", 5}};
    EXPECT_EQ(problemsOf(json), "");
}

TEST(StopSettings, ATableEndsNoRunAndLowersNoRate) {
    Json json = stopping();
    json["metrics"] = Json::parse(
        R"([{"type": "confusion_matrix", "output": "y", "target": "t"}, {"type": "accuracy", "output": "y", "target": "t"}])");
    json["early_stopping"] = {{"patience", 2}, {"mode", "max"}, {"series", "val.accuracy"}};
    EXPECT_EQ(problemsOf(json), "");
    json["early_stopping"]["series"] = "val.confusion_matrix";
    EXPECT_EQ(problemsOf(json), "stop-series-unknown! ");
    json.erase("early_stopping");
    json["scheduler"] = {{"type", "reduce_on_plateau"}, {"patience", 3}, {"series", "val.confusion_matrix"}};
    EXPECT_EQ(problemsOf(json), "plateau-series-unknown! ");
}

TEST(StopSettings, ContradictionsAreRefusedBeforeTheRun) {
    Json json = stopping();
    json["early_stopping"] = {{"patience", 2}};
    EXPECT_EQ(problemsOf(json), "");
    EXPECT_EQ(problemsOf(json, false), "stop-without-validation! ");
    json["validation"] = {{"every", 0}};
    EXPECT_EQ(problemsOf(json), "stop-without-validation! ");
    json.erase("validation");
    for (const char* series : {"val.accuracy", "train.loss", "loss", ""}) {
        json["early_stopping"]["series"] = series;
        EXPECT_EQ(problemsOf(json), "stop-series-unknown! ") << series;
    }
    json = stopping();
    json["stop"] = {{"target", {{"series", "val.f1"}}}};
    EXPECT_EQ(problemsOf(json), "stop-series-unknown! ");
    json["stop"]["target"]["series"] = "val.loss";
    json["stop"]["target"]["mode"] = "max";
    EXPECT_EQ(problemsOf(json, false), "stop-without-validation! mode-against-series ");
    json["stop"]["target"]["mode"] = "min";
    EXPECT_EQ(problemsOf(json, false), "stop-without-validation! ");
    json = stopping();
    json["checkpoints"] = {{"best", {{"series", "val.loss"}, {"mode", "max"}}}};
    json["early_stopping"] = {{"patience", 2}, {"restore_best", true}};
    EXPECT_EQ(problemsOf(json), "best-mode restores-another-best! ");
    json["checkpoints"]["best"]["mode"] = "min";
    EXPECT_EQ(problemsOf(json), "");
    json = stopping();
    json["checkpoints"] = {{"keep_best", 2}};
    EXPECT_EQ(problemsOf(json), "keep-best-without-series ");
    for (const auto& [pointer, value] : std::vector<std::pair<std::string, Json>>{{"/stop/seconds", -1},
                                                                                  {"/early_stopping/patience", 1.5},
                                                                                  {"/early_stopping/min_delta", -0.1},
                                                                                  {"/checkpoints/keep_best", 0},
                                                                                  {"/checkpoints/max_mb", -1},
                                                                                  {"/early_stopping/mode", "least"}}) {
        Json bad = stopping();
        bad[Json::json_pointer(pointer)] = value;
        const auto plan = readTrainingPlan(bad);
        ASSERT_FALSE(plan) << pointer;
        EXPECT_EQ(plan.error().where, "/training" + pointer);
    }
}

TEST(StopSettings, SayWhichOfThemApplyToTheRunThatIsOn) {
    for (const char* live : {"training.early_stopping.patience", "training.checkpoints.every",
                             "training.validation.every", "training.optimizer.lr"}) {
        EXPECT_EQ(findSetting(live)->applies, "live") << live;
    }
    EXPECT_EQ(findSetting("training.early_stopping.min_delta")->applies, "next_run");
}

}  // namespace
}  // namespace plumbline::plan
