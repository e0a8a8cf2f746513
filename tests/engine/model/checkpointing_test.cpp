// Activation checkpointing and blocks without gradients: the numbers of a plain pass, in less memory.

#include "model/checkpointing.h"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "built_model.h"
#include "graph_maker.h"
#include "model/failure.h"
#include "model/generators.h"
#include "model/memory.h"
#include "model/model.h"

namespace plumbline::model {
namespace {

using testing::built;
using testing::chain;
using testing::ChainLink;
using testing::GraphMaker;
using Units = std::vector<std::vector<int>>;

constexpr std::int64_t kWidth = 16;
const Json kSquare = {{"in_features", kWidth}, {"out_features", kWidth}};

/// bf16 autocast on the CPU for a scope, as a training step has it.
class Bf16 {
public:
    explicit Bf16(bool on) : m_on(on) {
        if (m_on) {
            at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
            at::autocast::set_autocast_enabled(at::kCPU, true);
            at::autocast::increment_nesting();
        }
    }
    ~Bf16() {
        if (m_on) {
            if (at::autocast::decrement_nesting() == 0) {
                at::autocast::clear_cache();
            }
            at::autocast::set_autocast_enabled(at::kCPU, false);
        }
    }
    Bf16(const Bf16&) = delete;
    Bf16& operator=(const Bf16&) = delete;

private:
    bool m_on;
};

/// What a training step with several batches leaves: outputs of the last batch, gradients of parameters and of the
/// input, the generator.
struct Passed {
    std::vector<at::Tensor> outputs, gradients;
    at::Tensor generator;
};

struct PassOptions {
    bool bf16 = false;
    int batches = 1;
    bool inputLearns = false;
    std::function<void(Model&)> prepare = {};
};

Passed passOf(const GraphMaker& maker, const Units& units, const at::Tensor& input, const PassOptions& options = {}) {
    const auto model = built(maker, {.seed = 4});
    model->checkpoint(units);
    if (options.prepare) {
        options.prepare(*model);
    }
    at::manual_seed(11);
    Passed passed;
    at::Tensor x = input.detach().clone();
    if (options.inputLearns) {
        x.set_requires_grad(true);
    }
    for (int batch = 0; batch < options.batches; ++batch) {
        at::Tensor loss;
        {
            const Bf16 autocast(options.bf16);
            auto outputs = model->forward({x});
            EXPECT_TRUE(outputs.has_value()) << (outputs ? "" : toSentence(outputs.error()));
            if (!outputs) {
                return passed;
            }
            passed.outputs.clear();
            for (const at::Tensor& output : *outputs) {
                passed.outputs.push_back(output.detach());
                if (output.requires_grad()) {
                    // Another gradient for each element and output.
                    const at::Tensor part = (output.to(at::kFloat) * (output.to(at::kFloat) + 0.5)).sum();
                    loss = loss.defined() ? loss + 3 * part : part;
                }
            }
        }
        loss.backward();
    }
    for (const NamedState& parameter : model->parameters()) {
        passed.gradients.push_back(parameter.tensor.grad());
    }
    passed.gradients.push_back(x.grad());
    passed.generator = saveGenerators().at("cpu");
    return passed;
}

void expectSame(const Passed& a, const Passed& b, const std::string& what) {
    ASSERT_EQ(a.outputs.size(), b.outputs.size());
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
        EXPECT_TRUE(at::equal(a.outputs[i], b.outputs[i])) << what << ", output " << i;
    }
    ASSERT_EQ(a.gradients.size(), b.gradients.size());
    for (std::size_t i = 0; i < a.gradients.size(); ++i) {
        ASSERT_EQ(a.gradients[i].defined(), b.gradients[i].defined()) << what << ", gradient " << i;
        EXPECT_TRUE(!a.gradients[i].defined() || at::equal(a.gradients[i], b.gradients[i]))
            << what << ", gradient " << i;
    }
    EXPECT_TRUE(at::equal(a.generator, b.generator)) << what;
}

/// Two blocks of five leaves with chance in them, and a head.
GraphMaker deepNet(const std::string& activation = "GELU", const Json& ofActivation = Json::object()) {
    std::vector<ChainLink> links;
    for (const char* block : {"a", "b"}) {
        const std::string prefix = std::string(block) + ".";
        links.push_back({prefix + "norm", "LayerNorm", {{"normalized_shape", {kWidth}}}});
        links.push_back({prefix + "wide", "Linear", kSquare});
        links.push_back({prefix + "act", activation, ofActivation});
        links.push_back({prefix + "drop", "Dropout", {{"p", 0.4}}});
        links.push_back({prefix + "narrow", "Linear", kSquare});
    }
    links.push_back({"drop", "Dropout", {{"p", 0.2}}});
    links.push_back({"head", "Linear", {{"in_features", kWidth}, {"out_features", 3}}});
    return chain({graph::Dim::symbol("B"), kWidth}, links);
}

const Units kBothBlocks = {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}};

TEST(Checkpointing, GivesTheLossesTheGradientsAndTheChanceOfAPlainPass) {
    const at::Tensor x = at::randn({8, kWidth});
    for (const bool bf16 : {false, true}) {
        for (const int batches : {1, 3}) {
            for (const bool inputLearns : {false, true}) {
                const PassOptions options{bf16, batches, inputLearns};
                const Passed plain = passOf(deepNet(), {}, x, options);
                const std::string what = (bf16 ? "bf16, " : "fp32, ") + std::to_string(batches) +
                                         (inputLearns ? " batches, input" : " batches");
                expectSame(plain, passOf(deepNet(), kBothBlocks, x, options), what);
                expectSame(plain, passOf(deepNet(), {{0}, {3}, {5, 6, 7}, {10, 11}}, x, options),
                           what + ", small units");
                expectSame(plain, passOf(deepNet(), {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}, x, options),
                           what + ", all");
            }
        }
    }
}

TEST(Checkpointing, TakesWhatFlowsInBesidesAndWhatFlowsOutOfTheMiddle) {
    GraphMaker maker;
    const auto x = maker.input("x", {graph::Dim::symbol("B"), kWidth});
    const auto stem = maker.leaf("stem", "Linear", kSquare, {x});
    const auto wide = maker.leaf("block.wide", "Linear", kSquare, {stem});
    const auto act = maker.leaf("block.act", "ReLU", {}, {wide});
    const auto sum = maker.leaf("block.sum", "Add", {}, {act, x});
    const auto label = maker.leaf("block.label", "ArgMax", {{"dim", 1}}, {act});
    const auto cut = maker.leaf("block.cut", "Detach", {}, {act});
    const auto residual = maker.leaf("residual", "Add", {}, {sum, stem});
    const auto afterCut = maker.leaf("after_cut", "Linear", kSquare, {cut});
    maker.output("residual", residual);
    maker.output("middle", wide);
    maker.output("label", label);
    maker.output("cut", cut);
    maker.output("after_cut", afterCut);
    const at::Tensor input = at::randn({6, kWidth});
    const Units block = {{1, 2, 3, 4, 5}};
    expectSame(passOf(maker, {}, input), passOf(maker, block, input), "block");
    expectSame(passOf(maker, {}, input, {.inputLearns = true}), passOf(maker, block, input, {.inputLearns = true}),
               "block, input");

    const auto model = built(maker, {.seed = 4});
    model->checkpoint(block);
    const auto outputs = model->forward({input});
    ASSERT_TRUE(outputs.has_value());
    std::vector<bool> learns;
    for (const at::Tensor& output : *outputs) {
        learns.push_back(output.requires_grad());
    }
    EXPECT_EQ(learns, (std::vector<bool>{true, true, false, false, true}));
}

TEST(Checkpointing, TakesIdsAsInput) {
    GraphMaker maker;
    const auto ids = maker.input("ids", {graph::Dim::symbol("B"), 5}, DType::kInt64);
    const auto table =
        maker.leaf("embed.table", "Embedding", {{"num_embeddings", 7}, {"embedding_dim", kWidth}}, {ids});
    const auto drop = maker.leaf("embed.drop", "Dropout", {{"p", 0.3}}, {table});
    maker.output("y", maker.leaf("head", "Linear", kSquare, {drop}));
    const at::Tensor input = at::randint(0, 7, {4, 5}, at::kLong);
    expectSame(passOf(maker, {}, input), passOf(maker, {{0, 1}}, input), "ids");
}

TEST(Checkpointing, RunsAUnitTogetherWhereverItsLeavesStood) {
    GraphMaker maker;
    const auto x = maker.input("x", {graph::Dim::symbol("B"), kWidth});
    const auto a1 = maker.leaf("a.first", "Linear", kSquare, {x});
    const auto b1 = maker.leaf("b.first", "Linear", kSquare, {x});
    const auto a2 = maker.leaf("a.second", "Linear", kSquare, {a1});
    const auto b2 = maker.leaf("b.second", "Linear", kSquare, {b1});
    maker.output("y", maker.leaf("sum", "Add", {}, {a2, b2}));
    const at::Tensor input = at::randn({3, kWidth});
    const Passed plain = passOf(maker, {}, input);
    expectSame(plain, passOf(maker, {{0, 2}}, input), "one");
    expectSame(plain, passOf(maker, {{1, 3}, {0, 2}}, input), "both");
}

TEST(Checkpointing, LeavesWhatABlockOverwritesAsItWas) {
    const at::Tensor x = at::randn({8, kWidth});
    const Json inPlace = {{"inplace", true}};
    const Passed plain = passOf(deepNet("ReLU"), {}, x);
    expectSame(plain, passOf(deepNet("ReLU", inPlace), {}, x), "in place, plain");
    expectSame(plain, passOf(deepNet("ReLU", inPlace), kBothBlocks, x), "in place within");
    expectSame(plain, passOf(deepNet("ReLU", inPlace), {{2, 3, 4}, {7}}, x), "in place at the beginning");
    expectSame(plain, passOf(deepNet("ReLU", inPlace), {{0, 1}, {5, 6}}, x), "in place after it");
    // A block that gives a part of what it got, in front of one that overwrites.
    const std::vector<ChainLink> links = {{"fc", "Linear", kSquare},
                                          {"same", "Identity"},
                                          {"flat", "Flatten"},
                                          {"act", "ReLU", inPlace},
                                          {"head", "Linear", kSquare}};
    const GraphMaker views = chain({graph::Dim::symbol("B"), kWidth}, links);
    expectSame(passOf(views, {}, x), passOf(views, {{1, 2}}, x), "views");
}

TEST(Checkpointing, WeightsThatAreSharedWithABlockOutsideGetBothGradients) {
    GraphMaker shared = chain({graph::Dim::symbol("B"), kWidth},
                              {{"first", "Linear", kSquare}, {"act", "GELU"}, {"again", "Linear", kSquare}});
    shared.last().weightsOf = "first";
    const at::Tensor x = at::randn({8, kWidth});
    expectSame(passOf(shared, {}, x), passOf(shared, {{0, 1}}, x), "fp32");
    // Under autocast the plain pass adds the two up in bf16.
    const Passed plain = passOf(shared, {}, x, {.bf16 = true});
    for (const Units& units : {Units{{0, 1}}, Units{{1, 2}}, Units{{0}, {2}}}) {
        const Passed checkpointed = passOf(shared, units, x, {.bf16 = true});
        for (std::size_t i = 0; i + 1 < plain.gradients.size(); ++i) {
            ASSERT_TRUE(checkpointed.gradients[i].defined());
            EXPECT_TRUE(at::allclose(checkpointed.gradients[i], plain.gradients[i], 2e-2, 2e-2)) << i;
        }
    }
}

TEST(Checkpointing, KeepsOnlyWhatFlowsIntoTheBlocks) {
    installCountingAllocator();
    constexpr std::int64_t kBlocks = 6, kSamples = 512;
    constexpr std::int64_t kBytes = kSamples * kWidth * 4;
    std::vector<ChainLink> links;
    Units units;
    for (int block = 0; block < kBlocks; ++block) {
        const std::string prefix = std::to_string(block) + ".";
        const int first = static_cast<int>(links.size());
        links.insert(links.end(), {{prefix + "first", "Linear", kSquare},
                                   {prefix + "act", "GELU"},
                                   {prefix + "second", "Linear", kSquare},
                                   {prefix + "act2", "GELU"}});
        units.push_back({first, first + 1, first + 2, first + 3});
    }
    const auto model = built(chain({kSamples, kWidth}, links));
    const at::Tensor x = at::randn({kSamples, kWidth});
    const auto bytesKept = [&] {
        const std::int64_t before = tensorMemory().current;
        const auto outputs = model->forward({x});
        return tensorMemory().current - before;
    };
    const auto peakOfAStep = [&] {
        for (const NamedState& parameter : model->parameters()) {
            at::Tensor(parameter.tensor).mutable_grad().reset();
        }
        resetMemoryPeaks();
        const std::int64_t before = tensorMemory().current;
        (*model->forward({x}))[0].sum().backward();
        return tensorMemory().peak - before;
    };
    // Each of the four leaves of a block makes one tensor that the next one's backward pass needs.
    EXPECT_EQ(bytesKept(), 4 * kBlocks * kBytes);
    const std::int64_t plainPeak = peakOfAStep();
    model->checkpoint(units);
    EXPECT_EQ(bytesKept(), kBlocks * kBytes);
    EXPECT_LT(peakOfAStep(), plainPeak - 2 * (kBlocks - 2) * kBytes);
    model->checkpoint({});
    EXPECT_EQ(bytesKept(), 4 * kBlocks * kBytes);
}

TEST(Checkpointing, DoesNothingWhereNothingLearns) {
    const auto model = built(deepNet(), {.seed = 4});
    model->checkpoint(kBothBlocks);
    model->train(false);
    const at::Tensor x = at::randn({8, kWidth});
    at::Tensor evaluated;
    {
        const at::NoGradGuard noGrad;
        evaluated = (*model->forward({x}))[0];
    }
    EXPECT_FALSE(evaluated.requires_grad());
    EXPECT_TRUE(at::equal(evaluated, (*model->forward({x}))[0]));
    for (const NamedState& parameter : model->parameters()) {
        at::Tensor(parameter.tensor).set_requires_grad(false);
    }
    EXPECT_FALSE((*model->forward({x}))[0].requires_grad());
}

TEST(Checkpointing, RunsAgainInTheModesOfTheFirstTime) {
    const at::Tensor x = at::randn({8, kWidth});
    const auto model = built(deepNet(), {.seed = 4});
    const auto gradientOfHead = [&](const Units& units) {
        model->checkpoint(units);
        at::manual_seed(3);
        const at::Tensor loss = (*model->forward({x}))[0].sum();
        model->train(false);  // as a validation in between would
        loss.backward();
        model->train(true);
        at::Tensor first = model->parameters().front().tensor;
        const at::Tensor gradient = first.grad();
        first.mutable_grad().reset();
        return gradient;
    };
    const at::Tensor plain = gradientOfHead({});
    EXPECT_TRUE(at::equal(gradientOfHead(kBothBlocks), plain));
}

class PassCounter final : public LeafObserver {
public:
    int failsAt = -1;
    std::vector<int> first, again, begunAgain;
    void afterLeaf(int leaf, const std::vector<at::Tensor>&) override { first.push_back(leaf); }
    void beforeLeafAgain(int leaf) override {
        begunAgain.push_back(leaf);
        if (leaf == failsAt) {
            throw std::runtime_error("it does not work twice");
        }
    }
    void afterLeafAgain(int leaf, const std::vector<at::Tensor>& outputs) override {
        again.push_back(leaf);
        EXPECT_TRUE(outputs.front().requires_grad());
    }
};

TEST(Checkpointing, AnObserverSeesEachLeafOnceAndTheSecondRunApart) {
    const auto model = built(deepNet(), {.seed = 4});
    model->checkpoint({{5, 6, 7, 8, 9}});
    PassCounter counter;
    model->setObserver(&counter);
    const auto outputs = model->forward({at::randn({8, kWidth})});
    model->setObserver(nullptr);
    EXPECT_EQ(counter.first, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    EXPECT_TRUE(counter.again.empty());
    (*outputs)[0].sum().backward();
    EXPECT_EQ(counter.first.size(), 12U);
    EXPECT_EQ(counter.again, (std::vector<int>{5, 6, 7, 8, 9}));
    EXPECT_EQ(counter.begunAgain, counter.again);
}

TEST(Checkpointing, AnErrorInTheSecondRunNamesTheBlockAndPutsTheGeneratorBack) {
    const auto model = built(deepNet(), {.seed = 4});
    model->checkpoint(kBothBlocks);
    PassCounter counter;
    counter.failsAt = 6;
    model->setObserver(&counter);
    const auto outputs = model->forward({at::randn({8, kWidth})});
    model->setObserver(nullptr);
    const at::Tensor before = saveGenerators().at("cpu");
    Error error;
    try {
        (*outputs)[0].sum().backward();
    } catch (...) {
        error = errorOfCurrentException("The training step failed", "");
    }
    EXPECT_EQ(error.where, "b.wide");
    EXPECT_EQ(error.code, "block-failed");
    EXPECT_EQ(error.message, "The block b.wide (Linear) failed on float32 [8, 16]: it does not work twice.");
    EXPECT_TRUE(at::equal(saveGenerators().at("cpu"), before));
    // The model goes on.
    const auto next = model->forward({at::randn({8, kWidth})});
    ASSERT_TRUE(next.has_value());
    (*next)[0].sum().backward();
}

TEST(GradientsOff, NothingFlowsBackThroughTheBlockAndItsParametersHaveNoGradient) {
    const GraphMaker maker = chain({graph::Dim::symbol("B"), kWidth}, {{"before", "Linear", kSquare},
                                                                       {"off", "Linear", kSquare},
                                                                       {"same", "Identity"},
                                                                       {"after", "Linear", kSquare}});
    const at::Tensor x = at::randn({8, kWidth});
    const Passed all = passOf(maker, {}, x);
    for (const std::vector<char>& off : {std::vector<char>{0, 1, 0, 0}, std::vector<char>{0, 0, 1, 0}}) {
        for (const Units& units : {Units{}, Units{{0, 1, 2, 3}}, Units{{1}}}) {
            const Passed passed =
                passOf(maker, units, x, {.prepare = [&](Model& model) { model.switchGradientsOff(off); }});
            EXPECT_TRUE(at::equal(passed.outputs[0], all.outputs[0]));
            for (std::size_t i = 0; i < 4; ++i) {
                EXPECT_FALSE(passed.gradients[i].defined()) << i;
            }
            EXPECT_TRUE(at::equal(passed.gradients[4], all.gradients[4]));
            EXPECT_TRUE(at::equal(passed.gradients[5], all.gradients[5]));
        }
    }
}

TEST(GradientsOff, WeightsThatAreSharedWithABlockThatLearnsLearnThereAlsoUnderAutocast) {
    GraphMaker shared = chain({graph::Dim::symbol("B"), kWidth},
                              {{"off", "Linear", kSquare}, {"act", "GELU"}, {"learns", "Linear", kSquare}});
    shared.last().weightsOf = "off";
    GraphMaker stopped;
    const auto x = stopped.input("x", {graph::Dim::symbol("B"), kWidth});
    const auto first = stopped.leaf("off", "Linear", kSquare, {x});
    const auto cut = stopped.leaf("cut", "Detach", {}, {stopped.leaf("act", "GELU", {}, {first})});
    stopped.output("y", stopped.leaf("learns", "Linear", kSquare, {cut}));
    stopped.last().weightsOf = "off";
    const at::Tensor input = at::randn({8, kWidth});
    for (const bool bf16 : {false, true}) {
        const Passed expected = passOf(stopped, {}, input, {.bf16 = bf16});
        const Passed passed = passOf(shared, {}, input, {.bf16 = bf16, .prepare = [](Model& model) {
                                                             model.switchGradientsOff({1, 0, 0});
                                                         }});
        expectSame(expected, passed, bf16 ? "bf16" : "fp32");
        EXPECT_TRUE(passed.gradients[0].defined());
    }
}

}  // namespace
}  // namespace plumbline::model
