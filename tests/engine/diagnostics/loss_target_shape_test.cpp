#include "detector_fixture.h"

namespace plumbline::diagnostics {
namespace {

class LossTargetShape : public DetectorTest {
protected:
    StepStats with(std::vector<std::int64_t> prediction, std::vector<std::int64_t> truth,
                   bool elementWise = true) const {
        StepStats stats = trainStep(1);
        stats.lossShapes = {
            {"MSELoss", "y", "price", elementWise, std::move(prediction), std::move(truth), m_declared}};
        return stats;
    }
    bool m_declared = false;
};

TEST_F(LossTargetShape, IsFoundWhereAColumnMeetsARow) {
    project()["training"]["expert"] = {{"allow_broadcast_loss", true}};
    begin();
    feed(with({64, 1}, {64}));
    const Finding finding = only("loss-target-shape", Severity::kCritical, "y");
    EXPECT_NE(finding.message.find("[64, 1]"), std::string::npos) << finding.message;
    EXPECT_NE(finding.message.find("makes that [64, 64]"), std::string::npos) << finding.message;
    EXPECT_EQ(finding.evidence["target_shape"], Json::array({64}));
    EXPECT_TRUE(finding.remedies[0].patch.empty());
    EXPECT_EQ(applied(finding.remedies[1])["training"]["expert"]["allow_broadcast_loss"], false);
}

TEST_F(LossTargetShape, IsNotEqualShapes) {
    feed(with({64, 1}, {64, 1}));
    feed(with({64}, {64}));
    EXPECT_TRUE(isSilent());
}

TEST_F(LossTargetShape, IsNotALossThatWantsDifferentShapes) {
    feed(with({64, 10}, {64}, false));
    EXPECT_TRUE(isSilent());
}

TEST_F(LossTargetShape, IsNotADeclaredScalarTarget) {
    m_declared = true;
    feed(with({64, 10}, {64, 1}));
    feed(with({64, 10}, {}));
    EXPECT_TRUE(isSilent());
    feed(with({64, 1}, {64}));
    EXPECT_FALSE(isSilent()) << "a row against a column is never what was declared";
}

TEST_F(LossTargetShape, IsFoundInALossBesideOneWithADeclaredScalarTarget) {
    m_declared = true;
    StepStats stats = with({64, 10}, {64, 1});
    stats.lossShapes.push_back({"MSELoss", "z", "size", true, {16, 4}, {16, 1}, false});
    feed(stats);
    only("loss-target-shape", Severity::kCritical, "z");
}

TEST_F(LossTargetShape, StandsUntilNoLossOnTheOutputIsWrong) {
    StepStats stats = with({64, 1}, {64});
    stats.lossShapes.push_back({"MSELoss", "y", "size", true, {64, 1}, {64, 1}, false});
    feed(stats);
    EXPECT_FALSE(only("loss-target-shape", Severity::kCritical, "y").clearedAt)
        << "another loss on that output is right";
    const Json state = m_diagnostics->saveState();
    begin();
    ASSERT_TRUE(m_diagnostics->loadState(state));
    stats.lossShapes.erase(stats.lossShapes.begin());
    feed(stats);
    EXPECT_FALSE(all().front().clearedAt) << "after a resume as well";
    feed(with({64, 1}, {64, 1}));
    EXPECT_TRUE(all().front().clearedAt);
}

TEST_F(LossTargetShape, ClearsWhenTheShapesAgreeAgain) {
    feed(with({64, 1}, {64}));
    feed(trainStep(2));
    EXPECT_FALSE(all().front().clearedAt) << "shapes are told only when they change";
    StepStats right = with({64, 1}, {64, 1});
    right.step = 3;
    feed(right);
    EXPECT_EQ(all().front().clearedAt, 3);
}

}  // namespace
}  // namespace plumbline::diagnostics
