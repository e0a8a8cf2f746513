// What a metric that asks for a yes or a no takes an output for.
#include "plan/answer_scale.h"

#include <gtest/gtest.h>

namespace plumbline::plan {
namespace {

AnswerScale scaleWith(std::vector<LossSpec> losses, const std::string& block = {}, Json options = Json::object()) {
    TrainingPlan plan;
    plan.losses = std::move(losses);
    return answerScale(plan, {"accuracy", "y", "t", std::move(options)}, block);
}

TEST(AnswerScale, IsWhatTheLossOnTheOutputTakes) {
    EXPECT_EQ(scaleWith({{"BCELoss", "y", "t"}}), AnswerScale::kProbabilities);
    for (const char* type :
         {"BCEWithLogitsLoss", "FocalLoss", "DiceLoss", "MultiLabelSoftMarginLoss", "SoftMarginLoss", "HingeLoss"}) {
        EXPECT_EQ(scaleWith({{type, "y", "t"}}), AnswerScale::kLogits) << type;
        EXPECT_EQ(scaleWith({{type, "y", "t"}}, "Sigmoid"), AnswerScale::kLogits)
            << type << " applies a sigmoid, or looks at the sign, whatever was there before";
    }
    EXPECT_EQ(scaleWith({{"MSELoss", "y", "t"}, {"BCEWithLogitsLoss", "y", "t"}}), AnswerScale::kLogits);
}

TEST(AnswerScale, ALossThatDrawsTheOutputToTheTargetPutsBothOnOneScale) {
    for (const char* type : {"MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "GaussianNLLLoss"}) {
        EXPECT_EQ(scaleWith({{type, "y", "t"}}), AnswerScale::kProbabilities) << type;
        EXPECT_EQ(scaleWith({{type, "y", "another"}}), AnswerScale::kUnknown) << type;
        EXPECT_EQ(scaleWith({{type, "other", "t"}}), AnswerScale::kUnknown) << type;
    }
}

TEST(AnswerScale, ElseTheBlockTellsAndElseNothingDoes) {
    const LossSpec formula("ExpressionLoss", "", "", 1.0, Json{{"expression", "mean((y - t) ** 2)"}});
    EXPECT_EQ(scaleWith({formula}), AnswerScale::kUnknown);
    EXPECT_EQ(scaleWith({formula}, "Linear"), AnswerScale::kUnknown);
    EXPECT_EQ(scaleWith({formula}, "Sigmoid"), AnswerScale::kProbabilities);
    EXPECT_EQ(scaleWith({}, "Softmax"), AnswerScale::kProbabilities);
    EXPECT_EQ(scaleWith({}), AnswerScale::kUnknown);
}

TEST(AnswerScale, WhatTheMetricStatesCountsFirst) {
    EXPECT_EQ(scaleWith({{"BCELoss", "y", "t"}}, "Sigmoid", {{"input", "logits"}}), AnswerScale::kLogits);
    EXPECT_EQ(scaleWith({}, "", {{"input", "probabilities"}}), AnswerScale::kProbabilities);
    EXPECT_EQ(scaleWith({{"BCELoss", "y", "t"}}, "", {{"input", "auto"}}), AnswerScale::kProbabilities);
}

}  // namespace
}  // namespace plumbline::plan
