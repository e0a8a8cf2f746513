#include "detector_fixture.h"

namespace plumbline::diagnostics {
namespace {

class LoaderStall : public DetectorTest {
protected:
    void run(int steps, double waitMs) {
        for (int i = 0; i < steps; ++i) {
            StepStats stats = trainStep(++m_step);
            stats.loaderWaitMs = waitMs;
            feed(stats);
        }
    }
    std::int64_t m_step = 0;
};

TEST_F(LoaderStall, IsAWarningAboveAFifthOfTheStep) {
    run(69, 3);
    EXPECT_TRUE(isSilent()) << "20 steps to start and 50 to measure";
    run(1, 3);
    const Finding finding = only("loader-stall", Severity::kWarning, "");
    EXPECT_NE(finding.message.find("30 %"), std::string::npos) << finding.message;
    EXPECT_EQ(finding.evidence["threshold"], 0.2);
    EXPECT_EQ(finding.remedies[0].title, "Set workers to 2");
    EXPECT_EQ(applied(finding.remedies[0])["data"]["loader"]["workers"], 2);
    EXPECT_EQ(applied(finding.remedies[1])["data"]["loader"]["prefetch_batches"], 8);
}

TEST_F(LoaderStall, IsCriticalAboveHalfOfTheStep) {
    run(70, 6);
    only("loader-stall", Severity::kCritical, "");
}

TEST_F(LoaderStall, BecomesCriticalUnderTheSameIdWhenItGetsWorse) {
    run(70, 3);
    only("loader-stall", Severity::kWarning, "");
    run(50, 7);
    only("loader-stall", Severity::kCritical, "");
}

TEST_F(LoaderStall, IsCriticalWhenNoBatchComesForHalfAMinute) {
    StepStats stats = trainStep(1);
    stats.noBatchForMs = 29'000;
    feed(stats);
    EXPECT_TRUE(isSilent());
    stats.noBatchForMs = 31'000;
    EXPECT_EQ(feed(stats).size(), 1U);
    EXPECT_TRUE(feed(stats).empty()) << "once";
    EXPECT_NE(only("loader-stall", Severity::kCritical, "").message.find("31 s"), std::string::npos);
}

TEST_F(LoaderStall, IsNotAMedianOfExactlyAFifth) {
    run(500, 2);
    EXPECT_TRUE(isSilent());
}

TEST_F(LoaderStall, IsNotTheStartOfTheFirstEpoch) {
    run(20, 9);
    run(500, 0.5);
    EXPECT_TRUE(isSilent());
}

TEST_F(LoaderStall, IsNotEveryThirdStepThatWaits) {
    for (int i = 0; i < 600; ++i) {
        run(1, i % 3 == 0 ? 9 : 0.1);
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(LoaderStall, IsNotACheckpointOrAValidation) {
    for (int i = 0; i < 600; ++i) {
        StepStats stats = trainStep(++m_step);
        stats.loaderWaitMs = 9;
        if (i % 2 == 0) {
            stats.includesCheckpoint = true;
        } else {
            stats.phase = Phase::kValidation;
        }
        feed(stats);
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(LoaderStall, ClearsWhenTheLoaderKeepsUpAgain) {
    run(70, 3);
    run(60, 1.8);
    EXPECT_FALSE(all().front().clearedAt) << "just below the threshold it could flicker";
    run(60, 0.5);
    EXPECT_TRUE(all().front().clearedAt);
}

TEST_F(LoaderStall, IsToldToHangEvenWhereItWasSlowBefore) {
    run(70, 6);
    only("loader-stall", Severity::kCritical, "");
    StepStats stats = trainStep(++m_step);
    stats.noBatchForMs = 31'000;
    feed(stats);
    ASSERT_EQ(all().size(), 2U) << "that no batch comes at all is news";
    EXPECT_TRUE(all()[0].clearedAt) << "it takes the place of the finding about slow batches";
    EXPECT_NE(all()[1].message.find("31 s"), std::string::npos) << all()[1].message;
    run(1, 6);
    EXPECT_TRUE(all()[1].clearedAt) << "batches come again";
    run(1, 6);
    ASSERT_EQ(all().size(), 3U) << "and are as slow as before";
    EXPECT_FALSE(all()[2].clearedAt);
}

TEST_F(LoaderStall, BeginsAfreshWithTheNextRun) {
    run(70, 6);
    StepStats stats = trainStep(++m_step);
    stats.noBatchForMs = 31'000;
    feed(stats);
    m_diagnostics->start(m_facts);
    EXPECT_EQ(feed(stats).size(), 1U) << "told in the second run as in the first";
    m_diagnostics->start(m_facts);
    m_step = 0;
    run(70, 6);
    only("loader-stall", Severity::kCritical, "");
}

}  // namespace
}  // namespace plumbline::diagnostics
