#include "detector_fixture.h"

namespace plumbline::diagnostics {
namespace {

class FrozenBatchNormDrifts : public DetectorTest {
protected:
    static StepStats moved(std::int64_t step, std::vector<int> blocks) {
        StepStats stats = trainStep(step);
        stats.batchNormMoved = std::move(blocks);
        return stats;
    }
};

TEST_F(FrozenBatchNormDrifts, IsAWarningAndOffersEvalModeAtTheNode) {
    m_facts.blocks[1].frozen = true;
    begin();
    feed(moved(7, {1}));
    const Finding finding = only("frozen-batchnorm-drifts", Severity::kWarning, "bn");
    EXPECT_EQ(finding.step, 7);
    EXPECT_EQ(applied(finding.remedies[0])["model"]["graph"]["nodes"]["bn"]["mode"], "eval");
    EXPECT_TRUE(feed(moved(8, {1})).empty()) << "once";
}

TEST_F(FrozenBatchNormDrifts, IsNotABatchNormInEval) {
    m_facts.blocks[1].frozen = true;
    begin();
    StepStats stats = trainStep(1);
    stats.blocksInEval = {1};
    feed(stats);
    EXPECT_TRUE(isSilent());
}

TEST_F(FrozenBatchNormDrifts, IsNotABatchNormThatLearns) {
    feed(moved(1, {1}));
    EXPECT_TRUE(isSilent());
}

TEST_F(FrozenBatchNormDrifts, IsAdviceWhereTheNodeIsNotKnown) {
    m_facts.blocks[1].frozen = true;
    m_facts.blocks[1].pointer.clear();
    begin();
    feed(moved(1, {1}));
    EXPECT_TRUE(only("frozen-batchnorm-drifts", Severity::kWarning, "bn").remedies[0].patch.empty());
}

TEST_F(FrozenBatchNormDrifts, IsNotABatchNormOfWhichAParameterHasBeenSetFree) {
    m_facts.blocks[1].frozen = m_facts.parameters[1].frozen = m_facts.parameters[2].frozen = true;
    begin();
    StepStats stats = moved(1, {1});
    stats.freezings = {{1, false}, {2, false}};
    feed(stats);
    stats = moved(2, {1});
    stats.freezings = {{1, true}};
    feed(stats);
    EXPECT_TRUE(isSilent()) << "its bias learns";
    stats = moved(3, {1});
    stats.freezings = {{2, true}};
    feed(stats);
    EXPECT_EQ(only("frozen-batchnorm-drifts", Severity::kWarning, "bn").step, 3);
}

}  // namespace
}  // namespace plumbline::diagnostics
