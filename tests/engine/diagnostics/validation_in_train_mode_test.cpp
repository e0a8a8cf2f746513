#include "detector_fixture.h"

namespace plumbline::diagnostics {
namespace {

class ValidationInTrainMode : public DetectorTest {};

TEST_F(ValidationInTrainMode, IsFoundAtTheBlockWhoseNumbersItChanges) {
    project()["training"]["expert"] = {{"validate_in_train_mode", true}};
    begin();
    StepStats stats = validation(100);
    stats.blocksInTraining = {0, 2, 3};
    feed(stats);
    const Finding finding = only("validation-in-train-mode", Severity::kCritical, "drop");
    EXPECT_EQ(finding.evidence["blocks_in_training"], Json({"conv", "drop", "fc"}));
    EXPECT_NE(finding.message.find("3 of 4 blocks"), std::string::npos) << finding.message;
    EXPECT_EQ(applied(finding.remedies[0])["training"]["expert"]["validate_in_train_mode"], false);
}

TEST_F(ValidationInTrainMode, IsFoundByABatchNormCounterThatMoves) {
    StepStats stats = validation(100);
    stats.batchNormMoved = {1};
    feed(stats);
    EXPECT_TRUE(only("validation-in-train-mode", Severity::kCritical, "bn").remedies[0].patch.empty())
        << "no switch is set: advice";
}

TEST_F(ValidationInTrainMode, IsNotABlockDeclaredStochastic) {
    m_facts.blocks[2].mode = "stochastic";
    begin();
    StepStats stats = validation(100);
    stats.blocksInTraining = {2};
    feed(stats);
    EXPECT_TRUE(isSilent());
}

TEST_F(ValidationInTrainMode, IsFoundBesideABlockDeclaredStochastic) {
    m_facts.blocks[2].mode = "stochastic";
    begin();
    StepStats stats = validation(100);
    stats.blocksInTraining = {2, 3};
    feed(stats);
    EXPECT_EQ(only("validation-in-train-mode", Severity::kCritical, "fc").evidence["blocks_in_training"],
              Json::array({"fc"}));
}

TEST_F(ValidationInTrainMode, IsNotTrainingInTrainMode) {
    StepStats stats = trainStep(1);
    stats.blocksInTraining = {0, 1, 2, 3};
    stats.batchNormMoved = {1};
    feed(stats);
    feed(validation(100));
    EXPECT_TRUE(isSilent());
}

TEST_F(ValidationInTrainMode, ClearsAtTheNextValidationThatIsRight) {
    StepStats stats = validation(100);
    stats.blocksInTraining = {2};
    feed(stats);
    feed(trainStep(101));
    EXPECT_FALSE(all().front().clearedAt);
    feed(validation(200));
    EXPECT_EQ(all().front().clearedAt, 200);
}

TEST_F(ValidationInTrainMode, IsAWarningThatClaimsNoOtherNumbersWhereNoBlockDependsOnTheMode) {
    m_facts.blocks[1].isBatchNorm = false;
    m_facts.blocks[1].type = "LSTM";  // without dropout of its own
    m_facts.blocks[2].type = "ReLU";
    begin();
    StepStats stats = validation(100);
    stats.blocksInTraining = {0, 1, 2, 3};
    feed(stats);
    const Finding finding = only("validation-in-train-mode", Severity::kWarning, "conv");
    EXPECT_NE(finding.message.find("4 of 4 blocks"), std::string::npos) << finding.message;
    EXPECT_NE(finding.message.find("so the numbers are the same"), std::string::npos) << finding.message;
    EXPECT_EQ(finding.message.find("not the model's"), std::string::npos) << finding.message;
    m_facts.blocks[1].dropsInside = true;
    begin();
    feed(stats);
    EXPECT_NE(only("validation-in-train-mode", Severity::kCritical, "bn").message.find("not the model's"),
              std::string::npos)
        << all().front().message;
}

TEST_F(ValidationInTrainMode, ClaimsNoOtherNumbersOfABlockThatDoesNotDependOnTheMode) {
    StepStats stats = validation(100);
    stats.blocksInTraining = {3};
    feed(stats);
    const Finding finding = only("validation-in-train-mode", Severity::kCritical, "fc");
    EXPECT_NE(finding.message.find("so the numbers are the same"), std::string::npos) << finding.message;
}

}  // namespace
}  // namespace plumbline::diagnostics
