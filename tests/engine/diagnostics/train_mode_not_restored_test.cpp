#include "detector_fixture.h"

namespace plumbline::diagnostics {
namespace {

class TrainModeNotRestored : public DetectorTest {
protected:
    static StepStats inEval(std::int64_t step, std::vector<int> blocks) {
        StepStats stats = trainStep(step);
        stats.blocksInEval = std::move(blocks);
        return stats;
    }
};

TEST_F(TrainModeNotRestored, IsFoundInTheFirstStepAfterTheValidation) {
    project()["training"]["expert"] = {{"keep_eval_after_validation", true}};
    begin();
    feed(trainStep(99));
    feed(validation(100));
    feed(inEval(101, {1, 2}));
    const Finding finding = only("train-mode-not-restored", Severity::kCritical, "bn");
    EXPECT_EQ(finding.step, 101);
    EXPECT_EQ(finding.evidence["blocks_in_eval"], Json({"bn", "drop"}));
    EXPECT_EQ(applied(finding.remedies[0])["training"]["expert"]["keep_eval_after_validation"], false);
}

TEST_F(TrainModeNotRestored, IsNotEvalSetOnPurpose) {
    m_facts.blocks[1].evalOnPurpose = true;
    m_facts.blocks[2].mode = "eval";
    begin();
    feed(inEval(99, {1, 2}));
    feed(validation(100));
    feed(inEval(101, {1, 2}));
    EXPECT_TRUE(isSilent());
}

TEST_F(TrainModeNotRestored, IsNotEvalThatWasThereBeforeTheFirstValidation) {
    feed(inEval(50, {3}));
    feed(validation(100));
    feed(inEval(101, {3}));
    EXPECT_TRUE(isSilent());
}

TEST_F(TrainModeNotRestored, IsNotTheValidationItself) {
    StepStats stats = validation(100);
    stats.blocksInEval = {0, 1, 2, 3};
    feed(stats);
    feed(trainStep(101));
    EXPECT_TRUE(isSilent());
}

TEST_F(TrainModeNotRestored, NamesOnlyTheBlocksThatWereLeftBehind) {
    m_facts.blocks[1].evalOnPurpose = true;
    begin();
    feed(trainStep(1));
    feed(validation(100));
    feed(inEval(101, {1, 2}));
    EXPECT_EQ(only("train-mode-not-restored", Severity::kCritical, "drop").evidence["blocks_in_eval"],
              Json::array({"drop"}));
}

TEST_F(TrainModeNotRestored, StaysOpenWhileTheLoaderGivesNothing) {
    feed(trainStep(1));
    feed(validation(1));
    StepStats stats = trainStep(2);
    stats.blocksInEval = {1};
    feed(stats);
    ASSERT_EQ(all().size(), 1U);
    StepStats waiting = trainStep(2);
    waiting.attempted = waiting.applied = false;
    waiting.noBatchForMs = 1000;
    feed(waiting);
    EXPECT_FALSE(all().front().clearedAt);
}

TEST_F(TrainModeNotRestored, ClearsWhenTrainingModeIsBack) {
    feed(trainStep(1));
    feed(validation(100));
    feed(inEval(101, {2}));
    feed(trainStep(102));
    EXPECT_EQ(all().front().clearedAt, 102);
}

TEST_F(TrainModeNotRestored, IsAWarningThatClaimsNoOtherTrainingWhereNoBlockDependsOnTheMode) {
    m_facts.blocks[1].isBatchNorm = false;
    m_facts.blocks[1].type = "LayerNorm";
    m_facts.blocks[2].type = "ReLU";
    begin();
    feed(trainStep(99));
    feed(validation(100));
    feed(inEval(101, {0, 1, 2, 3}));
    const Finding finding = only("train-mode-not-restored", Severity::kWarning, "conv");
    EXPECT_NE(finding.message.find("4 of 4 blocks"), std::string::npos) << finding.message;
    EXPECT_NE(finding.message.find("so training is the same"), std::string::npos) << finding.message;
    EXPECT_EQ(finding.message.find("dropout is off"), std::string::npos) << finding.message;
}

TEST_F(TrainModeNotRestored, StandsAtABlockThatDependsOnTheMode) {
    feed(trainStep(99));
    feed(validation(100));
    feed(inEval(101, {0, 2, 3}));
    EXPECT_NE(only("train-mode-not-restored", Severity::kCritical, "drop").message.find("dropout is off"),
              std::string::npos)
        << all().front().message;
}

}  // namespace
}  // namespace plumbline::diagnostics
