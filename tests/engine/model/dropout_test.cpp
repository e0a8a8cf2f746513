// Dropout against at::dropout, bit for bit: values, gradients, and the generator that both leave.

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "built_model.h"
#include "graph_maker.h"
#include "model/bernoulli.h"
#include "model/dropout.h"
#include "model/model.h"

namespace plumbline::model {
namespace {

at::Tensor numbers(at::IntArrayRef dims, at::ScalarType type = at::kFloat) {
    return at::sin(at::arange(1, at::empty(dims, at::kFloat).numel() + 1, at::kDouble).mul(1.3)).reshape(dims).to(type);
}

struct Given {
    at::Tensor output, gradient;
    std::uint32_t nextDraw = 0;
};

/// Output, gradient of the input, and what the generator gives next.
Given given(const at::Tensor& input, const std::function<at::Tensor(const at::Tensor&)>& function,
            const at::Tensor& weights) {
    at::manual_seed(23);
    at::Tensor leaf = input.detach().clone().requires_grad_();
    Given result;
    result.output = function(leaf);
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    result.nextDraw = generator.get<at::CPUGeneratorImpl>()->random();
    result.output.backward(weights);
    result.gradient = leaf.grad();
    return result;
}

void expectSameAsLibTorch(const at::Tensor& input, double p, const at::Tensor& weights) {
    const Given mine = given(
        input, [&](const at::Tensor& x) { return applyDropout(x, p, true); }, weights);
    const Given theirs = given(
        input, [&](const at::Tensor& x) { return at::dropout(x, p, true); }, weights);
    EXPECT_TRUE(at::equal(mine.output, theirs.output));
    EXPECT_TRUE(at::equal(mine.gradient, theirs.gradient));
    EXPECT_EQ(mine.output.strides(), theirs.output.strides());
    EXPECT_EQ(mine.nextDraw, theirs.nextDraw);
}

TEST(Dropout, IsLibTorchsForEveryTypeSizeAndProbability) {
    for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf}) {
        for (const std::int64_t size : {1, 2, 311, 312, 313, 4096, 10001}) {
            for (const double p : {0.1, 0.25, 0.5, 0.999, 1e-9}) {
                SCOPED_TRACE(::testing::Message() << at::toString(type) << ", " << size << " values, p " << p);
                expectSameAsLibTorch(numbers({size}, type), p, numbers({size}, type).neg());
            }
        }
    }
}

TEST(Dropout, IsLibTorchsWhereNothingAndEverythingIsDropped) {
    for (const double p : {0.0, 1.0}) {
        expectSameAsLibTorch(numbers({50}), p, numbers({50}));
    }
    EXPECT_THROW(applyDropout(numbers({3}), 1.5, true), std::exception);
    EXPECT_EQ(applyDropout(at::zeros({0}), 0.5, true).numel(), 0);
}

TEST(Dropout, GoesByMemoryInEveryLayout) {
    const at::Tensor images = numbers({3, 5, 4, 7});
    const at::Tensor last = images.contiguous(at::MemoryFormat::ChannelsLast);
    for (const at::Tensor& input :
         {last, images.transpose(1, 3), images.permute({3, 0, 2, 1}), images.slice(3, 0, 7, 2)}) {
        for (const bool sameLayout : {true, false}) {
            const at::Tensor weights = numbers(input.sizes());
            expectSameAsLibTorch(input, 0.3, sameLayout ? at::empty_like(input).copy_(weights) : weights);
        }
    }
    // A gradient that is one number everywhere.
    expectSameAsLibTorch(last, 0.3, at::ones({1}).expand(last.sizes()));
}

TEST(Dropout, KeepsWhatIsNotANumber) {
    at::Tensor input = numbers({1000});
    input[3] = std::numeric_limits<float>::quiet_NaN();
    input[4] = std::numeric_limits<float>::infinity();
    at::manual_seed(1);
    const at::Tensor mine = applyDropout(input, 0.5, true);
    at::manual_seed(1);
    const at::Tensor theirs = at::dropout(input, 0.5, true);
    EXPECT_TRUE(at::equal(mine.isnan(), theirs.isnan()));
    EXPECT_TRUE(at::equal(mine.nan_to_num(), theirs.nan_to_num()));
}

TEST(Dropout, WorksInPlaceAlsoOnAView) {
    const at::Tensor weights = numbers({6, 20});
    for (const bool view : {false, true}) {
        const auto inPlace = [view](const std::function<void(at::Tensor&)>& function) {
            return [view, function](const at::Tensor& x) {
                at::Tensor made = x.mul(2.0);
                at::Tensor changed = view ? made.view({120}) : made;
                function(changed);
                return made.mul(1.0);
            };
        };
        const Given mine =
            given(numbers({6, 20}), inPlace([](at::Tensor& x) { applyDropoutInPlace(x, 0.4, true); }), weights);
        const Given theirs =
            given(numbers({6, 20}), inPlace([](at::Tensor& x) { at::dropout_(x, 0.4, true); }), weights);
        EXPECT_TRUE(at::equal(mine.output, theirs.output));
        EXPECT_TRUE(at::equal(mine.gradient, theirs.gradient));
        EXPECT_EQ(mine.nextDraw, theirs.nextDraw);
    }
    at::Tensor leaf = numbers({4}).requires_grad_();
    EXPECT_THROW(applyDropoutInPlace(leaf, 0.5, true), std::exception);
}

TEST(Dropout, LeavesTheInputAloneInEvaluation) {
    at::Tensor input = numbers({10});
    EXPECT_TRUE(applyDropout(input, 0.5, false).is_same(input));
    EXPECT_TRUE(at::equal(applyDropoutInPlace(input, 0.5, false), numbers({10})));
}

TEST(Attention, WithDropoutIsLibTorchsBitForBit) {
    for (const bool causal : {false, true}) {
        testing::GraphMaker maker;
        const graph::ValueId x = maker.input("x", {3, 5, 8});
        maker.output(
            "y",
            maker.leaf(
                "", "MultiheadAttention",
                {{"embed_dim", 8}, {"num_heads", 2}, {"batch_first", true}, {"dropout", 0.3}, {"is_causal", causal}},
                {x}));
        const auto model = testing::built(maker);
        std::map<std::string, at::Tensor> weights;
        for (const NamedState& state : model->stateDict()) {
            weights.emplace(state.name, state.tensor.detach());
        }
        const at::Tensor input = numbers({3, 5, 8});
        at::manual_seed(4);
        const auto got = model->forward({input});
        ASSERT_TRUE(got.has_value()) << toSentence(got.error());
        at::manual_seed(4);
        const at::Tensor packed =
            at::addmm(weights.at("in_proj_bias"), input.reshape({-1, 8}), weights.at("in_proj_weight").t());
        const std::vector<at::Tensor> parts = packed.view({3, 5, 3, 2, -1}).unbind(2);
        const at::Tensor attended = at::scaled_dot_product_attention(
            parts[0].transpose(1, 2), parts[1].transpose(1, 2), parts[2].transpose(1, 2), std::nullopt, 0.3, causal);
        const at::Tensor wanted = at::addmm(weights.at("out_proj.bias"), attended.transpose(1, 2).reshape({-1, 8}),
                                            weights.at("out_proj.weight").t())
                                      .view({3, 5, 8});
        EXPECT_TRUE(at::equal((*got)[0], wanted));
    }
}

TEST(BernoulliDraws, AreLibTorchsOnThisMachineOrAreNotUsed) {
    at::Generator mine = at::detail::createCPUGenerator(8), theirs = at::detail::createCPUGenerator(8);
    // From any position of the generator's state.
    for (int i = 0; i < 5; ++i) {
        (void)mine.get<at::CPUGeneratorImpl>()->random();
        (void)theirs.get<at::CPUGeneratorImpl>()->random();
    }
    std::vector<std::uint8_t> drawn(3001);
    BernoulliDraws(*mine.get<at::CPUGeneratorImpl>(), 0.7).take(drawn.data(), drawn.size());
    const at::Tensor expected = at::zeros({3001}, at::kByte).bernoulli_(0.7, theirs);
    EXPECT_EQ(std::equal(drawn.begin(), drawn.end(), expected.const_data_ptr<std::uint8_t>()), drawsAreLibTorchs());
}

}  // namespace
}  // namespace plumbline::model
