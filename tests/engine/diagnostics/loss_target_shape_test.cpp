#include "detector_fixture.h"

namespace plumbline::diagnostics {
namespace {

class LossTargetShape : public DetectorTest {
protected:
    static StepStats with(std::vector<std::int64_t> prediction, std::vector<std::int64_t> truth, bool elementWise = true) {
        StepStats stats = trainStep(1);
        stats.lossShapes = {{"MSELoss", "y", "price", elementWise, std::move(prediction), std::move(truth)}};
        return stats;
    }
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
    m_facts.declaredScalarTarget = true;
    begin();
    feed(with({64, 10}, {64, 1}));
    feed(with({64, 10}, {}));
    EXPECT_TRUE(isSilent());
    feed(with({64, 1}, {64}));
    EXPECT_FALSE(isSilent()) << "a row against a column is never what was declared";
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
