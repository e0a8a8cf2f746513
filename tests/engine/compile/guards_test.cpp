// What compiled code was not made for runs as leaves, and is counted.

#include <ATen/ops/equal.h>

#include "compile_fixture.h"

namespace plumbline::compile::testing {
namespace {

std::int64_t ranEager(const CompiledModel& made, const std::string& reason) {
    std::int64_t calls = 0;
    const Json report = made.report();
    for (const Json& unit : report["units"]) {
        calls += unit["ran_eager"].value(reason, std::int64_t{0});
    }
    return calls;
}

TEST(CompiledGuard, TakesABatchOfAnySize) {
    const auto model = stack();
    const std::vector<Tensors> others{{at::randn({3, 3, 8, 8})}, {at::randn({1, 3, 8, 8})}, {at::randn({9, 3, 8, 8})}};
    const std::vector<Tensors> reference = referenceOf(*model, others);
    const auto made = compiled(*model, samplesOf({0, 3, 8, 8}));
    ASSERT_NE(made, nullptr);
    for (std::size_t i = 0; i < others.size(); ++i) {
        expectSame(reference[i], forward(*model, others[i]));
    }
    EXPECT_EQ(made->report()["units"][0]["took_effect"], 1.0) << made->report().dump(2);
}

TEST(CompiledGuard, RunsTheLeavesWhereASizeChangesThatWasAlwaysTheSame) {
    const auto model = modelOf(R"(["B", 3, "H", "W"])", kStack, "relu2");
    const Tensors wider{at::randn({6, 3, 8, 10})};
    const Tensors reference = forward(*model, wider);
    const auto made = compiled(*model, samplesOf({0, 3, 8, 8}));
    ASSERT_NE(made, nullptr);
    EXPECT_TRUE(at::equal(reference[0], forward(*model, wider)[0]));
    EXPECT_EQ(ranEager(*made, "inputs of another shape or element type"), 1) << made->report().dump(2);
    EXPECT_EQ(made->report()["units"][0]["took_effect"], 0.0);
}

TEST(CompiledGuard, NoticesThatAWeightChanged) {
    const auto model = stack();
    const std::vector<Tensors> samples = samplesOf({0, 3, 8, 8});
    const Tensors before = forward(*model, samples[0]);
    auto made = compiled(*model, samples);
    ASSERT_NE(made, nullptr);
    EXPECT_FALSE(made->stale());
    {
        const at::NoGradGuard noGrad;
        at::Tensor(model->parameters()[0].tensor).mul_(1.5);
    }
    EXPECT_TRUE(made->stale());
    const Tensors after = forward(*model, samples[0]);
    EXPECT_EQ(ranEager(*made, "the weights changed after it was compiled"), 1) << made->report().dump(2);
    EXPECT_NE(differenceOf(before, after).refusal, "");
    made.reset();
    EXPECT_TRUE(at::equal(after[0], forward(*model, samples[0])[0]));  // the leaves gave it
    made = compiled(*model, samples);
    EXPECT_FALSE(made->stale());
    expectSame(after, forward(*model, samples[0]));
    EXPECT_EQ(made->report()["units"][0]["took_effect"], 1.0);
}

TEST(CompiledGuard, NoticesWeightsThatAreLoaded) {
    const auto model = stack();
    const auto made = compiled(*model, samplesOf({0, 3, 8, 8}));
    ASSERT_NE(made, nullptr);
    std::map<std::string, at::Tensor> state;
    for (const model::NamedState& one : model->stateDict()) {
        state.emplace(one.name, one.tensor.clone());
    }
    ASSERT_TRUE(model->loadStateDict(state));
    EXPECT_TRUE(made->stale());
}

TEST(CompiledGuard, GivesTheErrorOfTheLeavesForInputsThatDoNotFit) {
    const auto model = stack();
    const std::vector<Tensors> wrong{
        {at::randn({6, 4, 8, 8})}, {at::randn({6, 3, 8})}, {at::randn({6, 3, 8, 8}, at::kDouble)}, {}};
    std::vector<std::string> sentences;
    const at::NoGradGuard noGrad;
    for (const Tensors& inputs : wrong) {
        const auto outputs = model->forward(inputs);
        ASSERT_FALSE(outputs.has_value());
        sentences.push_back(toSentence(outputs.error()));
    }
    const auto made = compiled(*model, samplesOf({0, 3, 8, 8}));
    ASSERT_NE(made, nullptr);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        const auto outputs = model->forward(wrong[i]);
        ASSERT_FALSE(outputs.has_value());
        EXPECT_EQ(toSentence(outputs.error()), sentences[i]);
    }
}

TEST(CompiledGuard, RunsTheLeavesWhereGradientsAreRecorded) {
    const auto model = stack();
    const std::vector<Tensors> samples = samplesOf({0, 3, 8, 8});
    const auto made = compiled(*model, samples);
    ASSERT_NE(made, nullptr);
    const auto outputs = model->forward(samples[0]);
    ASSERT_TRUE(outputs) << toSentence(outputs.error());
    EXPECT_TRUE(outputs->front().requires_grad());
    EXPECT_EQ(ranEager(*made, "gradients were recorded"), 1);
}

TEST(CompiledGuard, RunsTheLeavesInTrainingMode) {
    const auto model = stack();
    const std::vector<Tensors> samples = samplesOf({0, 3, 8, 8});
    const at::Tensor mean = model->buffers()[0].tensor.clone();
    const auto made = compiled(*model, samples);
    ASSERT_NE(made, nullptr);
    EXPECT_TRUE(at::equal(mean, model->buffers()[0].tensor));
    model->train(true);
    forward(*model, samples[0]);
    EXPECT_FALSE(at::equal(mean, model->buffers()[0].tensor));  // BatchNorm counted the batch
    EXPECT_EQ(made->report()["units"][0]["compiled_calls"], 0);
}

TEST(CompiledGuard, ShowsAnObserverEveryLeaf) {
    struct Counter final : model::LeafObserver {
        void afterLeaf(int /*leaf*/, const std::vector<at::Tensor>& /*outputs*/) override { ++leaves; }
        std::size_t leaves = 0;
    } counter;
    const auto model = stack();
    const std::vector<Tensors> samples = samplesOf({0, 3, 8, 8});
    const auto made = compiled(*model, samples);
    ASSERT_NE(made, nullptr);
    model->setObserver(&counter);
    forward(*model, samples[0]);
    model->setObserver(nullptr);
    EXPECT_EQ(counter.leaves, model->graph().nodes.size());
}

}  // namespace
}  // namespace plumbline::compile::testing
