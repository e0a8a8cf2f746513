// Metrics of a plan: their names, and what the best checkpoint is chosen by.
#include <gtest/gtest.h>

#include <algorithm>

#include "plan/plan.h"

namespace plumbline::plan {
namespace {

Json measured(const Json& metrics, const Json& best) {
    return Json{{"losses", Json::array({Json{{"type", "CrossEntropyLoss"}, {"output", "y"}, {"target", "t"}}})},
                {"optimizer", {{"type", "SGD"}}},
                {"metrics", metrics},
                {"checkpoints", {{"best", best}}}};
}

Json metricNamed(const std::string& type, const Json& more = Json::object()) {
    Json metric{{"type", type}, {"output", "y"}, {"target", "t"}};
    metric.update(more);
    return metric;
}

std::vector<std::string> codesOf(const Json& training) {
    const auto plan = readTrainingPlan(training);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().message);
    std::vector<std::string> codes;
    for (const PlanProblem& problem : plan ? checkPlan(*plan, 100, 32, false, true) : std::vector<PlanProblem>()) {
        codes.push_back(problem.code);
    }
    return codes;
}

TEST(MetricPlan, EveryTypeSaysWhetherLargerIsBetter) {
    const std::vector<std::string> smaller{"mae", "mse", "rmse", "perplexity"};
    for (const TypeSpec& type : metricTypes()) {
        Json metrics = Json::array({metricNamed(type.name)});
        const TrainingPlan plan = readTrainingPlan(measured(metrics, Json::object())).value();
        const std::optional<bool> larger = largerIsBetter(plan, "val." + plan.metrics[0].name());
        if (type.name == "confusion_matrix") {
            EXPECT_FALSE(larger) << "a table";
            continue;
        }
        ASSERT_TRUE(larger) << type.name;
        EXPECT_EQ(*larger, std::find(smaller.begin(), smaller.end(), type.name) == smaller.end()) << type.name;
    }
    const TrainingPlan plan = readTrainingPlan(measured(Json::array(), Json::object())).value();
    EXPECT_EQ(largerIsBetter(plan, "val.loss"), false);
    EXPECT_EQ(largerIsBetter(plan, "train.loss"), false);
    EXPECT_FALSE(largerIsBetter(plan, "val.accuracy")) << "not measured";
    EXPECT_FALSE(largerIsBetter(plan, "lr"));
}

TEST(MetricPlan, ABestThatIsTheWorstIsWarnedOf) {
    const Json metrics = Json::array(
        {metricNamed("accuracy"), metricNamed("confusion_matrix"), metricNamed("top_k_accuracy", {{"k", 3}})});
    using Codes = std::vector<std::string>;
    EXPECT_EQ(codesOf(measured(metrics, {{"series", "val.accuracy"}, {"mode", "max"}})), Codes{});
    EXPECT_EQ(codesOf(measured(metrics, {{"series", "val.top_3_accuracy"}, {"mode", "max"}})), Codes{});
    EXPECT_EQ(codesOf(measured(metrics, {{"series", "val.loss"}, {"mode", "min"}})), Codes{});
    EXPECT_EQ(codesOf(measured(metrics, {{"series", "val.loss"}, {"mode", "max"}})), Codes{"best-mode"});
    EXPECT_EQ(codesOf(measured(metrics, {{"series", "val.accuracy"}, {"mode", "min"}})), Codes{"best-mode"});
    EXPECT_EQ(codesOf(measured(metrics, {{"series", "val.confusion_matrix"}})), Codes{"best-series-unknown"});
    EXPECT_EQ(codesOf(measured(metrics, {{"series", "val.f1"}})), Codes{"best-series-unknown"});
}

TEST(MetricPlan, WithoutAModeTheBestIsTheBestOfItsSeries) {
    const Json metrics = Json::array({metricNamed("accuracy"), metricNamed("perplexity")});
    const auto isMax = [&](const Json& best) {
        return readTrainingPlan(measured(metrics, best)).value().checkpoints.bestIsMax;
    };
    EXPECT_FALSE(isMax({{"series", "val.loss"}}));
    EXPECT_FALSE(isMax({{"series", "train.loss"}}));
    EXPECT_FALSE(isMax({{"series", "val.perplexity"}}));
    EXPECT_TRUE(isMax({{"series", "val.accuracy"}}));
    EXPECT_FALSE(isMax({{"series", "val.loss"}, {"mode", "auto"}}));
    EXPECT_TRUE(isMax({{"series", "val.loss"}, {"mode", "max"}})) << "what is stated is kept, and warned of";
    EXPECT_EQ(codesOf(measured(metrics, {{"series", "val.loss"}})), std::vector<std::string>{});
    const auto stops = [&](const Json& early) {
        Json json = measured(metrics, Json::object());
        json["early_stopping"] = early;
        json["stop"] = {{"target", {{"series", early["series"]}, {"value", 0.5}}}};
        return readTrainingPlan(json).value();
    };
    EXPECT_TRUE(stops({{"patience", 2}, {"series", "val.accuracy"}}).earlyStopping.isMax);
    EXPECT_FALSE(stops({{"patience", 2}, {"series", "val.loss"}}).earlyStopping.isMax);
    EXPECT_TRUE(stops({{"patience", 2}, {"series", "val.loss"}, {"mode", "max"}}).earlyStopping.isMax);
    EXPECT_TRUE(stops({{"patience", 2}, {"series", "val.accuracy"}}).target.isMax);
    EXPECT_FALSE(stops({{"patience", 2}, {"series", "val.perplexity"}}).target.isMax);
}

TEST(MetricPlan, ANameIsThereOnceAndIsNotTheLosss) {
    const auto codeOf = [](const Json& metrics) {
        const auto plan = readTrainingPlan(measured(metrics, Json::object()));
        return plan ? std::string() : plan.error().code;
    };
    EXPECT_EQ(codeOf(Json::array({metricNamed("f1"), metricNamed("f1", {{"average", "micro"}})})), "metric-twice");
    EXPECT_EQ(codeOf(Json::array({metricNamed("f1"), metricNamed("f1", {{"average", "micro"}, {"name", "f1_micro"}})})),
              "");
    EXPECT_EQ(codeOf(Json::array({metricNamed("f1", {{"name", "loss"}})})), "metric-twice");
    EXPECT_EQ(codeOf(Json::array({metricNamed("top_k_accuracy", {{"k", 0}})})), "out-of-range");
    EXPECT_EQ(codeOf(Json::array({metricNamed("mae", {{"threshold", 0.5}})})), "unknown-key");
}

}  // namespace
}  // namespace plumbline::plan
