#include "detector_fixture.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "support/thread_time.h"

namespace plumbline::diagnostics {
namespace {

using Gradient = StepStats::Gradient;

class ParameterNotUpdating : public DetectorTest {
protected:
    /// Every parameter moved, but for the given ones.
    StepStats look(std::int64_t step, const std::vector<int>& stuck, Gradient gradient = Gradient::kPresent,
                   std::int64_t applied = 3) {
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
    /// A model of so many blocks b0, b1, … with a weight and a bias each: parameters 2 i and 2 i + 1.
    void manyBlocks(int count) {
        m_facts.blocks.clear();
        m_facts.parameters.clear();
        for (int i = 0; i < count; ++i) {
            RunFacts::Block block;
            block.path = "b" + std::to_string(i);
            block.type = "Linear";
            for (const char* name : {".weight", ".bias"}) {
                m_facts.parameters.push_back({block.path + name, block.path, 10, false, false});
            }
            m_facts.blocks.push_back(std::move(block));
        }
        begin();
    }
    /// The weights of the blocks from one to before another stand still, or move.
    StepStats weights(std::int64_t step, int from, int to, bool moved) {
        StepStats stats = trainStep(step);
        for (int block = from; block < to; ++block) {
            stats.updates.push_back({2 * block, moved, moved ? Gradient::kPresent : Gradient::kUndefined, 3});
        }
        return stats;
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

TEST_F(ParameterNotUpdating, RestsBetweenTheStepsThatItsOptimizerTakes) {
    m_facts.parameters[3].every = 5;
    begin();
    for (std::int64_t step = 1; step <= 30; ++step) {
        // It moves in each fifth step; over the four in between it is found to stand still.
        feed(look(step, step % 5 == 1 ? std::vector<int>{} : std::vector<int>{3}, Gradient::kPresent, 1));
    }
    EXPECT_TRUE(isSilent());
    for (std::int64_t step = 31; step <= 50; ++step) {
        feed(look(step, {3}, Gradient::kPresent, 1));
    }
    EXPECT_EQ(only("parameter-not-updating", Severity::kCritical, "fc").evidence["applied_steps"], 15);
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
    project()["training"]["optimizer"]["groups"] = {{{"match", "*.bias"}, {"weight_decay", 0}},
                                                    {{"match", "fc.*"}, {"lr", 0}}};
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
    EXPECT_EQ(only("parameter-not-updating", Severity::kCritical, "bn").evidence["gradient"], "present")
        << "from half of the planned rate on it is told";
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
    EXPECT_NE(finding.message.find(
                  "fc.weight has had a gradient of exactly zero in each of the 20 applied steps up to step 20"),
              std::string::npos)
        << finding.message;
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
        stats.updates = {{0, true, Gradient::kZero, 1, step},
                         {1, true, Gradient::kZero, 1, step},
                         {3, true, Gradient::kZero, 1, step}};
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

TEST_F(ParameterNotUpdating, StaysOpenWhileItsBitsStandStillWhateverItsGradientComesTo) {
    steps(1, 2);
    StepStats found = look(3, {3});
    found.blockNorms = {{3, 5.0}};
    feed(found);
    ASSERT_EQ(all().size(), 1U);
    for (int i = 4; i <= 30; ++i) {
        StepStats stats = look(i, {3}, Gradient::kPresent, 1);
        stats.blockNorms = {{3, i < 20 ? 1e-4 : 5.0}};
        feed(stats);
    }
    ASSERT_EQ(all().size(), 1U) << "told once";
    EXPECT_FALSE(all()[0].clearedAt) << "a small gradient moves nothing";
    feed(look(31, {}));
    EXPECT_EQ(all()[0].clearedAt, 31);
}

TEST_F(ParameterNotUpdating, StaysOpenThoughTheLossComesDownToZero) {
    steps(1, 2);
    feed(look(3, {3}, Gradient::kZero));
    ASSERT_EQ(all().size(), 1U);
    for (int i = 6; i <= 30; i += 3) {
        StepStats stats = look(i, {3}, Gradient::kZero);
        stats.loss = i < 20 ? 0 : 1;
        feed(stats);
    }
    ASSERT_EQ(all().size(), 1U) << "told once";
    EXPECT_FALSE(all()[0].clearedAt);
}

TEST_F(ParameterNotUpdating, ClearsWhenItIsFrozenAndIsLookedAtAgainWhenItIsSetFree) {
    steps(1, 2);
    feed(look(3, {3}));
    ASSERT_EQ(all().size(), 1U);
    StepStats freezes = trainStep(4);
    freezes.freezings = {{3, true}};
    feed(freezes);
    EXPECT_EQ(all()[0].clearedAt, 4);
    feed(look(7, {3}));
    EXPECT_EQ(all().size(), 1U);
    StepStats frees = trainStep(8);
    frees.freezings = {{3, false}};
    feed(frees);
    feed(look(9, {3}, Gradient::kPresent, 1));
    EXPECT_EQ(all().size(), 1U) << "one step since it is free";
    feed(look(12, {3}));
    ASSERT_EQ(all().size(), 2U);
    EXPECT_EQ(all()[1].block, "fc");
}

TEST_F(ParameterNotUpdating, StaysOpenForTheWholeModelWhenAPartOfItIsFrozen) {
    steps(1, 2);
    feed(look(3, {0, 1, 2, 3}));
    StepStats freezes = trainStep(4);
    freezes.freezings = {{0, true}};
    feed(freezes);
    EXPECT_FALSE(only("parameter-not-updating", Severity::kCritical, "").clearedAt);
    freezes.freezings = {{1, true}, {2, true}, {3, true}};
    feed(freezes);
    EXPECT_TRUE(all()[0].clearedAt);
}

TEST_F(ParameterNotUpdating, IsToldOfByItselfWhereTheRestOfTheModelLearnsAgain) {
    steps(1, 2);
    feed(look(3, {0, 1, 2, 3}));
    ASSERT_EQ(all().size(), 1U);
    EXPECT_EQ(all()[0].block, "");
    feed(look(6, {3}));
    ASSERT_EQ(all().size(), 2U);
    EXPECT_EQ(all()[0].clearedAt, 6);
    EXPECT_EQ(all()[1].block, "fc");
    EXPECT_EQ(all()[1].evidence["applied_steps"], 6);
}

TEST_F(ParameterNotUpdating, IsNotTheWholeModelWhereTheOutermostModuleHasNoName) {
    m_facts.blocks[3].path = m_facts.parameters[3].block = "";
    begin();
    steps(1, 2);
    feed(look(3, {3}));
    EXPECT_NE(only("parameter-not-updating", Severity::kCritical, "").message.find("fc.weight has not changed"),
              std::string::npos)
        << all().front().message;
    const Json saved = Json::parse(m_diagnostics->saveState().dump());
    begin();
    ASSERT_TRUE(m_diagnostics->loadState(saved));
    feed(look(6, {}));
    EXPECT_EQ(all().front().clearedAt, 6);
}

TEST_F(ParameterNotUpdating, IsOneFindingWhereVeryManyBlocksStopForOneReason) {
    manyBlocks(10'000);
    steps(1, 2);
    feed(weights(3, 5000, 10'000, false));
    const Finding finding = only("parameter-not-updating", Severity::kCritical, "b5000");
    EXPECT_NE(
        finding.message.find("5000 parameters of 5000 blocks (b5000, b5001, b5002 and 4997 more) have not changed"),
        std::string::npos)
        << finding.message;
    EXPECT_EQ(finding.evidence["blocks"], 5000);
    EXPECT_EQ(finding.evidence["parameters"].size(), 20U);
    const Json saved = Json::parse(m_diagnostics->saveState().dump());
    begin();
    ASSERT_TRUE(m_diagnostics->loadState(saved));
    feed(weights(6, 5000, 10'000, false));
    feed(weights(9, 5000, 9999, true));
    ASSERT_EQ(all().size(), 1U);
    EXPECT_FALSE(all()[0].clearedAt) << "one still stands still";
    feed(weights(12, 9999, 10'000, true));
    EXPECT_EQ(all()[0].clearedAt, 12);
}

TEST_F(ParameterNotUpdating, IsAFindingABlockUpToTwentyAndForEachReason) {
    manyBlocks(100);
    steps(1, 2);
    StepStats stats = weights(3, 0, 20, false);
    for (int block = 20; block < 60; ++block) {
        stats.updates.push_back({2 * block, false, Gradient::kZero, 3});
    }
    feed(stats);
    ASSERT_EQ(all().size(), 21U);
    EXPECT_EQ(all()[19].block, "b19");
    EXPECT_EQ(all()[20].block, "b20");
    EXPECT_EQ(all()[20].evidence["blocks"], 40);
    EXPECT_EQ(all()[20].evidence["gradient"], "zero");
}

TEST_F(ParameterNotUpdating, OfTenTimesTheBlocksTakesTenTimesAsLong) {
    const auto timeOf = [&](int blocks, int runs) {
        manyBlocks(blocks + 1);
        return plumbline::testing::bestOf(runs, [&] {
            begin();
            steps(1, 2);
            std::int64_t step = 3;
            for (const bool moved : {false, true}) {
                for (int from = 0; from < blocks; from += 20) {
                    feed(weights(step++, from, from + 20, moved));
                }
            }
        });
    };
    const double one = timeOf(500, 5), ten = timeOf(5000, 3);
    ASSERT_EQ(all().size(), 5000U);
    EXPECT_TRUE(
        std::all_of(all().begin(), all().end(), [](const Finding& finding) { return finding.clearedAt.has_value(); }));
    std::printf("5,000 blocks stop and learn again: %.2f ms, %.1f times 500 blocks\n", ten, ten / one);
    EXPECT_LT(ten / one, 40.0) << "a quadratic step would make it a hundred times";
}

}  // namespace
}  // namespace plumbline::diagnostics
