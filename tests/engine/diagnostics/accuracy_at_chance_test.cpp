#include "detector_fixture.h"

#include <algorithm>
#include <limits>

namespace plumbline::diagnostics {
namespace {

class AccuracyAtChance : public DetectorTest {
protected:
    std::vector<Finding> epoch(std::int64_t number, double loss, std::int64_t samples, std::int64_t correct,
                               std::int64_t distinct = 10) {
        StepStats stats = trainStep((number + 1) * 100);
        stats.phase = Phase::kEpochEnd;
        stats.epoch = number;
        stats.trainLossEpoch = loss;
        stats.evaluatedSamples = samples;
        stats.correctSamples = correct;
        stats.distinctPredictions = distinct;
        return feed(stats);
    }
};

TEST_F(AccuracyAtChance, IsFoundWhenTheLossFallsAndAnswersStayRandom) {
    epoch(0, 2.3, 3000, 300);
    EXPECT_TRUE(isSilent()) << "the first epoch";
    epoch(1, 1.9, 3000, 310);
    const Finding finding = only("accuracy-at-chance", Severity::kCritical, "");
    EXPECT_EQ(finding.epoch, 1);
    EXPECT_EQ(finding.evidence["samples"], 3000);
    EXPECT_NE(finding.message.find("17 %"), std::string::npos) << finding.message;
    EXPECT_DOUBLE_EQ(applied(finding.remedies[1])["training"]["optimizer"]["lr"].get<double>(), 0.01);
}

TEST_F(AccuracyAtChance, UsesWilsonsIntervalAtNinetyNinePercent) {
    epoch(0, 2.3, 2000, 200);
    epoch(1, 1.0, 2000, 200);
    // p = 0.1, n = 2000, z = 2.575829: centre 0.1013226, half width 0.0173012.
    const Json interval = only("accuracy-at-chance", Severity::kCritical, "").evidence["interval_99"];
    EXPECT_NEAR(interval[0].get<double>(), 0.0840214, 1e-6);
    EXPECT_NEAR(interval[1].get<double>(), 0.1186238, 1e-6);
}

TEST_F(AccuracyAtChance, PutsSmallValidationSetsOfSeveralEpochsTogether) {
    epoch(0, 2.3, 500, 50);
    for (int number = 1; number <= 3; ++number) {
        epoch(number, 1.5, 500, 51);
        EXPECT_TRUE(isSilent()) << "only " << number * 500 << " samples";
    }
    epoch(4, 1.5, 500, 51);
    EXPECT_EQ(only("accuracy-at-chance", Severity::kCritical, "").evidence["samples"], 2000);
}

TEST_F(AccuracyAtChance, IsFoundAtTheShareOfTheLargestClass) {
    m_facts.classes = 2;
    m_facts.majorityShare = 0.9;
    begin();
    epoch(0, 0.7, 4000, 3600);
    epoch(1, 0.3, 4000, 3605);
    EXPECT_NE(only("accuracy-at-chance", Severity::kCritical, "").message.find("always saying the largest class"),
              std::string::npos);
}

TEST_F(AccuracyAtChance, IsNotImbalancedClassesThatBeatTheMajority) {
    m_facts.classes = 2;
    m_facts.majorityShare = 0.9;
    begin();
    epoch(0, 0.7, 4000, 3600);
    for (int number = 1; number < 10; ++number) {
        epoch(number, 0.3, 4000, 3680);
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(AccuracyAtChance, IsNotTheFirstEpoch) {
    epoch(0, 0.1, 100'000, 10'000, 1);
    EXPECT_TRUE(isSilent());
}

TEST_F(AccuracyAtChance, IsNotALossThatHasNotFallenYet) {
    for (int number = 0; number < 10; ++number) {
        epoch(number, 2.3 - 0.02 * number, 3000, 300);
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(AccuracyAtChance, IsNotTooFewSamples) {
    epoch(0, 2.3, 100, 10);
    for (int number = 1; number < 19; ++number) {
        epoch(number, 1.0, 100, 10);
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(AccuracyAtChance, IsNotAModelThatHasJustBegunToLearn) {
    epoch(0, 2.3, 700, 70);
    epoch(1, 2.2, 700, 70);
    epoch(2, 2.1, 700, 70);
    epoch(3, 1.9, 700, 95);
    EXPECT_TRUE(isSilent()) << "the newest epoch is above chance, the three together are not";
}

TEST_F(AccuracyAtChance, IsNotARegression) {
    m_facts.classes = 0;
    begin();
    epoch(0, 2.3, 5000, 0);
    epoch(1, 1.0, 5000, 0);
    EXPECT_TRUE(isSilent());
}

TEST_F(AccuracyAtChance, IsFoundWhenTheAnswerIsAlwaysTheSame) {
    m_facts.majorityShare = 0.3;
    begin();
    epoch(0, 2.3, 300, 60, 1);
    epoch(1, 1.9, 300, 60, 1);
    EXPECT_TRUE(isSilent()) << "one evaluation after the first epoch";
    epoch(2, 1.9, 300, 60, 1);
    const Finding finding = only("accuracy-at-chance", Severity::kCritical, "");
    EXPECT_EQ(finding.evidence["constant_predictions"], true);
    EXPECT_NE(finding.message.find("the same class for every one of 300"), std::string::npos) << finding.message;
}

TEST_F(AccuracyAtChance, ClearsWhenAccuracyRises) {
    epoch(0, 2.3, 3000, 300);
    epoch(1, 1.9, 3000, 300);
    epoch(2, 1.5, 3000, 900);
    EXPECT_EQ(all().front().clearedAt, 300);
}

TEST_F(AccuracyAtChance, TakesTheFirstLossThatIsFiniteAsItsBase) {
    epoch(0, std::numeric_limits<double>::quiet_NaN(), 3000, 300);
    epoch(1, std::numeric_limits<double>::infinity(), 3000, 300);
    epoch(2, 2.3, 3000, 300);
    EXPECT_TRUE(std::none_of(all().begin(), all().end(),
                             [](const Finding& finding) { return finding.detector == "accuracy-at-chance"; }));
    epoch(3, 1.5, 3000, 300);
    EXPECT_TRUE(std::any_of(all().begin(), all().end(),
                            [](const Finding& finding) { return finding.detector == "accuracy-at-chance"; }));
}

TEST_F(AccuracyAtChance, OffersNoLearningRateWhereNoneIsKnown) {
    m_facts.project = nullptr;
    for (const double rate : {0.0, 0.2}) {
        begin();
        for (int number = 0; number < 2; ++number) {
            StepStats stats = trainStep((number + 1) * 100);
            stats.phase = Phase::kEpochEnd;
            stats.epoch = number;
            stats.learningRate = rate;
            stats.trainLossEpoch = number == 0 ? 2.3 : 1.9;
            stats.evaluatedSamples = 3000;
            stats.correctSamples = 300;
            stats.distinctPredictions = 10;
            feed(stats);
        }
        const Finding finding = only("accuracy-at-chance", Severity::kCritical, "");
        ASSERT_EQ(finding.remedies.size(), rate > 0 ? 2U : 1U);
        EXPECT_EQ(finding.remedies.back().title, rate > 0
                                                     ? "Lower the learning rate from 0.2 to 0.02"
                                                     : "Check on the Data page that labels belong to their samples");
    }
}

}  // namespace
}  // namespace plumbline::diagnostics
