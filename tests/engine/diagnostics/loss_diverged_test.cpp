#include "detector_fixture.h"

#include <cmath>
#include <limits>

namespace plumbline::diagnostics {
namespace {

class LossDiverged : public DetectorTest {
protected:
    void losses(std::int64_t from, std::int64_t to, double loss, double growth = 1) {
        for (std::int64_t step = from; step <= to; ++step, loss *= growth) {
            StepStats stats = trainStep(step);
            stats.loss = loss;
            feed(stats);
        }
    }
};

TEST_F(LossDiverged, IsFoundOnceFiftyLossesLieFarAboveTheFirstOne) {
    losses(1, 1, 2.0);
    losses(2, 25, 90.0);
    EXPECT_TRUE(isSilent()) << "half of the window is not more than half";
    losses(26, 50, 90.0);
    const Finding finding = only("loss-diverged", Severity::kCritical, "");
    EXPECT_EQ(finding.step, 50);
    EXPECT_EQ(finding.evidence["loss"], 90.0);
    EXPECT_EQ(finding.evidence["threshold"], 8.0);
    EXPECT_NE(finding.message.find("90 (median)"), std::string::npos) << finding.message;
    EXPECT_NE(finding.message.find("45 times the first step's loss of 2"), std::string::npos) << finding.message;
    EXPECT_DOUBLE_EQ(applied(finding.remedies[0])["training"]["optimizer"]["lr"].get<double>(), 0.01);
    EXPECT_EQ(finding.remedies[0].applies, "live");
    EXPECT_EQ(applied(finding.remedies[1])["training"]["clip"]["max_norm"], 1.0);
}

TEST_F(LossDiverged, IsMeasuredByWhatSayingTheSameForEverySampleCostsWhereThatIsMore) {
    m_facts.constantLoss = 2.5;
    begin();
    losses(1, 1, 0.01);  // the first batch was lucky
    losses(2, 200, 9.9);
    EXPECT_TRUE(isSilent());
    losses(201, 260, 10.1);
    EXPECT_NE(only("loss-diverged", Severity::kCritical, "").message.find("saying the same for every sample of 2.5"),
              std::string::npos)
        << all().front().message;
}

TEST_F(LossDiverged, IsNotTheSumOfLossesThatWorkAgainstEachOther) {
    m_facts.lossMayRise = true;
    begin();
    losses(1, 1, 2.0);
    losses(2, 200, 90.0);
    EXPECT_TRUE(isSilent());
}

TEST_F(LossDiverged, OffersToMinimiseWhereTheOptimizerMaximises) {
    project()["training"]["optimizer"]["maximize"] = true;
    begin();
    losses(1, 60, 1.0, 1.5);
    EXPECT_EQ(applied(only("loss-diverged", Severity::kCritical, "").remedies[0])["training"]["optimizer"]["maximize"],
              false);
}

TEST_F(LossDiverged, IsNoSpikeThatGoesAgain) {
    losses(1, 100, 2.0);
    losses(101, 120, 500.0);
    losses(121, 300, 2.0);
    EXPECT_TRUE(isSilent());
}

TEST_F(LossDiverged, IsNoRunThatBeganHighOrThatIsOnItsWayDown) {
    losses(1, 200, 5000.0);
    EXPECT_TRUE(isSilent()) << "inputs of large numbers";
    begin();
    losses(1, 1, 1.0);
    losses(2, 400, 800.0, 0.98);
    EXPECT_TRUE(isSilent()) << "thrown out once, and falling since";
}

TEST_F(LossDiverged, LeavesLossesThatAreNotFiniteToTheirOwnDetector) {
    losses(1, 10, 1.0);
    losses(11, 100, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(only("non-finite", Severity::kCritical, "").detector, "non-finite");
}

TEST_F(LossDiverged, SaysNothingWhereTheFirstLossIsNothing) {
    losses(1, 1, 0.0);
    losses(2, 200, 3.0);
    EXPECT_TRUE(isSilent());
}

TEST_F(LossDiverged, ClearsWhenTheLossIsBackWhereItBeganAndGoesOnAfterAResume) {
    losses(1, 60, 1.0, 1.2);
    ASSERT_EQ(all().size(), 1U);
    losses(61, 90, 30.0);
    const Json saved = Json::parse(m_diagnostics->saveState().dump());
    begin();
    ASSERT_TRUE(m_diagnostics->loadState(saved));
    losses(91, 114, 0.9);
    EXPECT_FALSE(all()[0].clearedAt);
    losses(115, 160, 0.9);
    ASSERT_TRUE(all()[0].clearedAt);
    EXPECT_LE(*all()[0].clearedAt, 118);
}

TEST_F(LossDiverged, TakesTheDeadUnitsThatItLeavesUnderItself) {
    losses(1, 20, 1.0, 2.0);
    StepStats dead = trainStep(21);
    dead.loss = 1e6;
    dead.updates = {{0, true, StepStats::Gradient::kZero, 1, 20}};
    feed(dead);
    ASSERT_EQ(all().size(), 1U);
    EXPECT_TRUE(all()[0].cause.empty());
    losses(22, 60, 1e6);
    ASSERT_EQ(all().size(), 2U);
    EXPECT_EQ(all()[0].detector, "parameter-not-updating");
    EXPECT_EQ(all()[0].cause, "loss-diverged#1");
}

TEST_F(LossDiverged, NamesAndOffersNoLearningRateWhereNoneIsKnown) {
    m_facts.project = nullptr;
    begin();
    for (std::int64_t step = 1; step <= 60; ++step) {
        StepStats stats = trainStep(step);
        stats.learningRate = 0;
        stats.loss = step == 1 ? 1.0 : 90.0;
        feed(stats);
    }
    const Finding finding = only("loss-diverged", Severity::kCritical, "");
    EXPECT_NE(finding.message.find("Lower the learning rate, or clip the gradient."), std::string::npos)
        << finding.message;
    EXPECT_FALSE(finding.evidence.contains("learning_rate"));
    ASSERT_EQ(finding.remedies.size(), 1U);
    EXPECT_EQ(finding.remedies[0].title, "Clip the gradient to a norm of 1");
}

}  // namespace
}  // namespace plumbline::diagnostics
