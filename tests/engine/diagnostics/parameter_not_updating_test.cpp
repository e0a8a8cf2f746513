#include "detector_fixture.h"

#include <limits>

namespace plumbline::diagnostics {
namespace {

using Gradient = StepStats::Gradient;

class ParameterNotUpdating : public DetectorTest {
protected:
    /// Every parameter moved, but for the given ones.
    StepStats look(std::int64_t step, const std::vector<int>& stuck, Gradient gradient = Gradient::kPresent, std::int64_t applied = 3) {
        StepStats stats = trainStep(step);
        for (int i = 0; i < static_cast<int>(m_facts.parameters.size()); ++i) {
            const bool still = std::find(stuck.begin(), stuck.end(), i) != stuck.end();
            stats.updates.push_back({i, !still, still ? gradient : Gradient::kPresent, applied});
        }
        return stats;
    }
    void steps(std::int64_t from, std::int64_t to) {
        for (std::int64_t step = from; step <= to; ++step) {
            feed(trainStep(step));
        }
    }
};

TEST_F(ParameterNotUpdating, IsFoundAfterThreeAppliedStepsAndSaysThatTheGradientIsUndefined) {
    steps(1, 2);
    feed(look(3, {3}, Gradient::kUndefined));
    const Finding finding = only("parameter-not-updating", Severity::kCritical, "fc");
    EXPECT_EQ(finding.evidence["gradient"], "undefined");
    EXPECT_EQ(finding.evidence["applied_steps"], 3);
    EXPECT_NE(finding.message.find("fc.weight has not changed"), std::string::npos) << finding.message;
}

TEST_F(ParameterNotUpdating, DoesNotCountTheFirstStepsOfAWarmUp) {
    for (std::int64_t step = 1; step <= 9; ++step) {
        StepStats stats = look(step, {3}, Gradient::kPresent, 1);
        stats.learningRate = 0.1 * static_cast<double>(step) / 1000;
        feed(stats);
    }
    EXPECT_TRUE(isSilent()) << "below a hundredth of the plan's rate";
}

TEST_F(ParameterNotUpdating, CountsStepsItselfWhereTheRecordDoesNotSay) {
    feed(look(1, {3}, Gradient::kPresent, 0));
    steps(2, 2);
    feed(look(3, {3}, Gradient::kPresent, 0));
    EXPECT_TRUE(isSilent()) << "two steps lie between the looks";
    feed(look(4, {3}, Gradient::kPresent, 0));
    EXPECT_EQ(only("parameter-not-updating", Severity::kCritical, "fc").evidence["applied_steps"], 3);
}

TEST_F(ParameterNotUpdating, DoesNotCountStepsOfNegligibleRateAmongThoseOfTheRecord) {
    steps(1, 50);
    for (std::int64_t step = 51; step <= 80; ++step) {
        StepStats late = look(step, {3}, Gradient::kPresent, 3);
        late.learningRate = 0.001;
        feed(late);
    }
    EXPECT_TRUE(isSilent()) << "a rate of a hundredth of the largest moves nothing";
    feed(look(81, {3}, Gradient::kPresent, 3));
    EXPECT_TRUE(isSilent()) << "one step that counts";
    steps(82, 83);
    feed(look(84, {3}, Gradient::kPresent, 3));
    EXPECT_FALSE(isSilent());
}

TEST_F(ParameterNotUpdating, SaysThatTheGradientIsZeroAndOffersTheSwitchThatThrowsItAway) {
    project()["training"]["expert"] = {{"zero_grad_before_step", true}};
    begin();
    steps(1, 2);
    feed(look(3, {0, 1, 2, 3}, Gradient::kZero));
    const Finding finding = only("parameter-not-updating", Severity::kCritical, "");
    EXPECT_NE(finding.message.find("All 4 trainable parameters"), std::string::npos) << finding.message;
    EXPECT_EQ(finding.evidence["gradient"], "zero");
    EXPECT_EQ(applied(finding.remedies[0])["training"]["expert"]["zero_grad_before_step"], false);
}

TEST_F(ParameterNotUpdating, HasOneFindingForEachBlockWithItsParameters) {
    steps(1, 2);
    feed(look(3, {1, 2, 3}));
    ASSERT_EQ(all().size(), 2U);
    EXPECT_EQ(all()[0].block, "bn");
    EXPECT_EQ(all()[0].evidence["parameters"].size(), 2U);
    EXPECT_NE(all()[0].message.find("bn.weight and bn.bias have not"), std::string::npos) << all()[0].message;
    EXPECT_EQ(all()[1].block, "fc");
    EXPECT_EQ(all()[1].evidence["gradient"], "present");
}

TEST_F(ParameterNotUpdating, IsNotAFrozenParameter) {
    m_facts.parameters[3].frozen = true;
    begin();
    steps(1, 2);
    feed(look(3, {3}, Gradient::kUndefined));
    EXPECT_TRUE(isSilent());
}

TEST_F(ParameterNotUpdating, IsNotAnEmbeddingOfWhichNoRowWasLookedUp) {
    m_facts.parameters[0].sparseRows = true;
    begin();
    steps(1, 2);
    feed(look(3, {0}, Gradient::kZero));
    EXPECT_TRUE(isSilent());
    feed(look(6, {0}, Gradient::kUndefined));
    EXPECT_FALSE(isSilent()) << "one that the loss does not depend on is found";
}

TEST_F(ParameterNotUpdating, IsNotAStepThatWasSkippedOrHadNoLearningRate) {
    for (int i = 1; i <= 20; ++i) {
        StepStats stats = look(i, {3}, Gradient::kPresent, 0);
        (i % 2 == 0 ? stats.applied : stats.attempted) = false;
        feed(stats);
    }
    for (int i = 21; i <= 40; ++i) {
        StepStats stats = look(i, {3}, Gradient::kPresent, 0);
        stats.learningRate = 0;
        feed(stats);
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(ParameterNotUpdating, IsNotAGroupWhoseLearningRateIsZeroOnPurpose) {
    project()["training"]["optimizer"]["groups"] = {{{"match", "*.bias"}, {"weight_decay", 0}}, {{"match", "fc.*"}, {"lr", 0}}};
    begin();
    steps(1, 2);
    feed(look(3, {3}));
    EXPECT_TRUE(isSilent());
}

TEST_F(ParameterNotUpdating, IsNotTheEndOfAScheduleWhereStepsAreSmallerThanRounding) {
    steps(1, 100);
    for (int i = 101; i <= 140; ++i) {
        StepStats stats = look(i, {1}, Gradient::kPresent, 0);
        stats.learningRate = 1e-9;
        feed(stats);
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(ParameterNotUpdating, IsNotAModelThatHasConverged) {
    StepStats first = trainStep(1);
    first.blockNorms = {{3, 5.0}};
    feed(first);
    for (int i = 2; i <= 20; ++i) {
        StepStats stats = look(i, {3}, Gradient::kPresent, 1);
        stats.blockNorms = {{3, 1e-4}};
        feed(stats);
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(ParameterNotUpdating, IsNotAModelWhoseLossHasComeDownToZero) {
    steps(1, 2);
    StepStats learned = look(3, {0, 1, 2, 3}, Gradient::kZero);
    learned.loss = 0;
    feed(learned);
    EXPECT_TRUE(isSilent());
}

TEST_F(ParameterNotUpdating, IsALossThatIsZeroFromTheStart) {
    for (int i = 1; i <= 3; ++i) {
        StepStats stats = i == 3 ? look(i, {0, 1, 2, 3}, Gradient::kZero) : trainStep(i);
        stats.loss = 0;
        feed(stats);
    }
    EXPECT_FALSE(isSilent()) << "nothing was learned";
}

TEST_F(ParameterNotUpdating, ClearsWhenTheParameterMoves) {
    steps(1, 2);
    feed(look(3, {1, 3}));
    ASSERT_EQ(all().size(), 2U);
    feed(look(6, {1}));
    EXPECT_FALSE(all()[0].clearedAt);
    EXPECT_EQ(all()[1].clearedAt, 6);
    feed(look(9, {1, 3}));
    ASSERT_EQ(all().size(), 3U);
    EXPECT_EQ(all()[2].block, "fc");
}

TEST_F(ParameterNotUpdating, IsNotAWarmUpWhoseFirstStepsRoundingSwallows) {
    // Up to the planned 0.1 over 1,000 steps: every step so far is the largest so far.
    const auto warmUp = [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t step = from; step <= to; ++step) {
            StepStats stats = look(step, {1}, Gradient::kPresent, 1);
            stats.learningRate = 0.1 * static_cast<double>(step) / 1000;
            feed(stats);
        }
    };
    warmUp(1, 499);
    EXPECT_TRUE(isSilent());
    warmUp(500, 510);
    EXPECT_EQ(only("parameter-not-updating", Severity::kCritical, "bn").evidence["gradient"], "present") << "from half of the planned rate on it is told";
}

TEST_F(ParameterNotUpdating, IsOneThatWeightDecayAloneMoves) {
    const auto without = [&](std::int64_t step, std::int64_t zeroSteps) {
        StepStats stats = trainStep(step);
        stats.updates = {{3, true, Gradient::kZero, 1, zeroSteps}};
        return stats;
    };
    for (std::int64_t step = 1; step < 20; ++step) {
        feed(without(step, step));
    }
    EXPECT_TRUE(isSilent()) << "19 steps may be chance";
    feed(without(20, 20));
    const Finding finding = only("parameter-not-updating", Severity::kCritical, "fc");
    EXPECT_EQ(finding.evidence["gradient"], "zero");
    EXPECT_EQ(finding.evidence["applied_steps"], 20);
    EXPECT_EQ(finding.evidence["threshold"], 20);
    EXPECT_NE(finding.message.find("fc.weight has had a gradient of exactly zero in each of the 20 applied steps up to step 20"), std::string::npos) << finding.message;
    EXPECT_NE(finding.message.find("weight decay"), std::string::npos) << finding.message;
    // That its bits move is no recovery; a gradient is.
    feed(without(21, 21));
    EXPECT_FALSE(all()[0].clearedAt);
    StepStats alive = trainStep(22);
    alive.updates = {{3, true, Gradient::kPresent, 1}};
    feed(alive);
    EXPECT_EQ(all()[0].clearedAt, 22);
}

TEST_F(ParameterNotUpdating, IsNoMissingGradientOfWhatIsFrozenLookedUpOrSolved) {
    m_facts.parameters[0].frozen = true;
    m_facts.parameters[1].sparseRows = true;
    begin();
    for (std::int64_t step = 1; step <= 60; ++step) {
        StepStats stats = trainStep(step);
        stats.loss = step == 1 ? 1.0 : 1e-9;
        stats.updates = {{0, true, Gradient::kZero, 1, step}, {1, true, Gradient::kZero, 1, step}, {3, true, Gradient::kZero, 1, step}};
        feed(stats);
    }
    EXPECT_TRUE(isSilent()) << all().front().message;
}

TEST_F(ParameterNotUpdating, LeavesWhatHoldsANanToTheNansOwnFinding) {
    steps(1, 3);
    for (std::int64_t step = 4; step <= 12; ++step) {
        StepStats stats = look(step, {0, 1, 2, 3}, Gradient::kPresent, 3);
        stats.loss = std::numeric_limits<double>::quiet_NaN();
        feed(stats);
    }
    EXPECT_EQ(only("non-finite", Severity::kCritical, "").step, 4);
}

}  // namespace
}  // namespace plumbline::diagnostics
