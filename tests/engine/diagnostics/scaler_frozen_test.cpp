#include "detector_fixture.h"

namespace plumbline::diagnostics {
namespace {

class ScalerFrozen : public DetectorTest {
protected:
    void SetUp() override {
        m_facts.usesScaler = true;
        project()["training"]["precision"] = "fp16";
        begin();
    }
    static StepStats step(std::int64_t number, bool applied, double scale = 65536) {
        StepStats stats = trainStep(number);
        stats.usesScaler = true;
        stats.applied = applied;
        stats.foundInf = !applied;
        stats.scale = scale;
        stats.gradNonFinite = applied ? 0 : 5;
        return stats;
    }
};

TEST_F(ScalerFrozen, IsFoundAfterEightSkippedStepsInARow) {
    for (int i = 1; i <= 7; ++i) {
        feed(step(i, false));
        ASSERT_TRUE(isSilent());
    }
    feed(step(8, false));
    const Finding finding = only("scaler-frozen", Severity::kCritical, "");
    EXPECT_EQ(finding.step, 8);
    EXPECT_EQ(finding.evidence["consecutive_skips"], 8);
    EXPECT_NE(finding.message.find("8 optimizer steps"), std::string::npos) << finding.message;
    EXPECT_EQ(applied(finding.remedies[0])["training"]["precision"], "bf16");
    EXPECT_EQ(applied(finding.remedies[1])["training"]["grad_scaler"]["init_scale"], 1024);
}

TEST_F(ScalerFrozen, IsFoundWhenTheScaleFallsBelowOne) {
    feed(step(1, true, 1.0));
    EXPECT_TRUE(isSilent());
    feed(step(2, false, 0.5));
    EXPECT_NE(only("scaler-frozen", Severity::kCritical, "").message.find("fallen to 0.5"), std::string::npos);
}

TEST_F(ScalerFrozen, IsFoundWhenUpdateIsNotCalledAndOffersTheSwitch) {
    project()["training"]["expert"] = {{"skip_scaler_update", true}};
    begin();
    StepStats stats = step(1, true);
    stats.updateCalled = false;
    feed(stats);
    const Finding finding = only("scaler-frozen", Severity::kCritical, "");
    EXPECT_EQ(finding.evidence["update_called"], false);
    EXPECT_EQ(applied(finding.remedies[0])["training"]["expert"]["skip_scaler_update"], false);
}

TEST_F(ScalerFrozen, IsNotTheFirstSkipsWhileTheScaleSettles) {
    std::int64_t number = 0;
    for (const int skips : {5, 2, 7, 1}) {
        for (int i = 0; i < skips; ++i) {
            feed(step(++number, false, 1024));
        }
        feed(step(++number, true, 1024));
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(ScalerFrozen, IsNotAConstantScaleWithoutSkips) {
    for (int i = 1; i < 5000; ++i) {
        feed(step(i, true, 65536));
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(ScalerFrozen, IsNotAStepThatOnlyAccumulates) {
    for (int i = 1; i < 50; ++i) {
        StepStats stats = step(i, false);
        stats.attempted = false;
        stats.updateCalled = false;
        stats.gradNonFinite = 0;
        feed(stats);
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(ScalerFrozen, IsNotARunWithoutAScaler) {
    for (int i = 1; i < 50; ++i) {
        StepStats stats = trainStep(i);
        stats.scale = 0;
        stats.updateCalled = false;
        feed(stats);
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(ScalerFrozen, ClearsOnceStepsGoThroughAgain) {
    for (int i = 1; i <= 8; ++i) {
        feed(step(i, false));
    }
    feed(step(9, true));
    EXPECT_FALSE(all().front().clearedAt) << "one step is no recovery";
    for (int i = 10; i <= 16; ++i) {
        feed(step(i, true));
    }
    EXPECT_EQ(all().front().clearedAt, 16);
}

TEST_F(ScalerFrozen, TakesItsThresholdsFromTheSettings) {
    begin({{"scaler-frozen", {{"consecutive_skips", 2}}}});
    feed(step(1, false));
    EXPECT_TRUE(isSilent());
    feed(step(2, false));
    EXPECT_FALSE(isSilent());
}

}  // namespace
}  // namespace plumbline::diagnostics
