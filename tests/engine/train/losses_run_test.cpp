// Runs with several losses, and what is told of their sums.
#include "run_fixture.h"

namespace plumbline::test {
namespace {

/// Two heads on the same layer: the class, and the distance from the origin.
class TwoHeads : public TinyProject {
public:
    TwoHeads() {
        useOnlyLinearLayers();
        json["model"]["graph"]["nodes"]["far"] = {
            {"type", "Linear"}, {"from", "relu"}, {"params", {{"out_features", 1}}}};
        json["model"]["graph"]["outputs"]["distance"] = "far";
        json["data"]["targets"]["metres"] = {{"from", "points.distance"}};
        training()["stop"]["epochs"] = 3;
    }
    void use(const char* losses) { training()["losses"] = Json::parse(losses); }
};

double lastOf(const TwoHeads& project, const std::string& name, const std::string& series) {
    TestRun run(project, name);
    const auto summary = run.start();
    EXPECT_TRUE(summary.has_value()) << (summary ? "" : toSentence(summary.error()));
    return summary ? summary->metrics.at(series) : std::nan("");
}

const char* const kBoth = R"([{"type": "CrossEntropyLoss", "output": "logits", "target": "label"},
                              {"type": "HuberLoss", "output": "distance", "target": "metres", "weight": 0.5, "delta": 2}])";

TEST(LossRuns, TwoLossesOnTwoOutputsAreLearnedTogether) {
    TwoHeads project;
    project.use(kBoth);
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_LT(summary->metrics.at("val.loss"), run.sink.values("val.loss").front());
    EXPECT_GT(summary->metrics.at("val.accuracy"), 0.8);
}

TEST(LossRuns, WhatIsToldIsTheWeightedSumAndASumIsOfTheWholeSplit) {
    TwoHeads project;
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.0}};
    project.use(kBoth);
    for (const std::string series : {"val.loss", "train.loss"}) {
        project.use(kBoth);
        const double both = lastOf(project, "both-" + series, series);
        project.use(R"([{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}])");
        const double classes = lastOf(project, "classes-" + series, series);
        project.use(R"([{"type": "HuberLoss", "output": "distance", "target": "metres", "delta": 2}])");
        const double distance = lastOf(project, "distance-" + series, series);
        EXPECT_NEAR(both, classes + 0.5 * distance, 1e-6 * both) << series;
        project.use(
            R"([{"type": "HuberLoss", "output": "distance", "target": "metres", "delta": 2, "reduction": "sum"}])");
        EXPECT_NEAR(lastOf(project, "sum-" + series, series), distance * (series == "val.loss" ? 60 : 180),
                    1e-4 * distance * 180)
            << series;
    }
}

TEST(LossRuns, BatchesThatMakeAStepAreOneBatchForEveryReduction) {
    for (const std::string reduction : {"mean", "sum"}) {
        TwoHeads project;
        project.training()["optimizer"] = {{"type", "SGD"}, {"lr", reduction == "sum" ? 0.0005 : 0.05}};
        project.use(R"([{"type": "FocalLoss", "output": "logits", "target": "label", "ignore_index": 2},
                        {"type": "DiceCELoss", "output": "logits", "target": "label", "class_weights": [1, 2, 0.5]},
                        {"type": "ExpressionLoss", "expression": ""}])");
        Json& losses = project.training()["losses"];
        losses[0]["reduction"] = losses[2]["reduction"] = reduction;
        losses[2]["expression"] = reduction + "(abs(distance - metres))";
        const double whole = lastOf(project, "whole-" + reduction, "val.loss");
        project.json["data"]["loader"]["batch_size"] = 4;
        project.training()["accumulation"] = 4;
        EXPECT_NEAR(lastOf(project, "parts-" + reduction, "val.loss"), whole, 1e-4 * std::abs(whole)) << reduction;
    }
}

TEST(LossRuns, AFormulaThatGivesSeveralNumbersEndsInOneSentence) {
    TwoHeads project;
    project.use(R"x([{"type": "ExpressionLoss", "expression": "square(distance - metres)"}])x");
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_FALSE(summary.has_value());
    EXPECT_EQ(summary.error().code, "loss-target-shape");
    EXPECT_NE(summary.error().message.find("a loss is one number"), std::string::npos) << summary.error().message;
}

}  // namespace
}  // namespace plumbline::test
