// Building, running and changing a model.

#include "model/model.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include <iostream>

#include "built_model.h"
#include "cuda/cuda_runtime.h"
#include "graph_maker.h"
#include "model/memory.h"

namespace plumbline::model {
namespace {

using testing::built;
using testing::chain;
using testing::GraphMaker;

GraphMaker smallNet() {
    return chain(
        {graph::Dim::symbol("B"), 1, 8, 8},
        {{"stem.conv", "Conv2d", {{"in_channels", 1}, {"out_channels", 4}, {"kernel_size", 3}, {"padding", 1}}},
         {"stem.bn", "BatchNorm2d", {{"num_features", 4}}},
         {"stem.relu", "ReLU"},
         {"pool", "MaxPool2d", {{"kernel_size", 2}}},
         {"flatten", "Flatten"},
         {"drop", "Dropout", {{"p", 0.5}}},
         {"fc", "Linear", {{"in_features", 64}, {"out_features", 10}}}});
}

std::vector<std::string> names(const std::vector<NamedState>& states) {
    std::vector<std::string> result;
    for (const NamedState& state : states) {
        result.push_back(state.name);
    }
    return result;
}

TEST(Model, NamesItsStateAsPyTorchDoes) {
    const auto model = built(smallNet());
    EXPECT_EQ(names(model->parameters()),
              (std::vector<std::string>{"stem.conv.weight", "stem.conv.bias", "stem.bn.weight", "stem.bn.bias",
                                        "fc.weight", "fc.bias"}));
    EXPECT_EQ(names(model->buffers()),
              (std::vector<std::string>{"stem.bn.running_mean", "stem.bn.running_var", "stem.bn.num_batches_tracked"}));
    EXPECT_EQ(names(model->stateDict()),
              (std::vector<std::string>{"stem.conv.weight", "stem.conv.bias", "stem.bn.weight", "stem.bn.bias",
                                        "stem.bn.running_mean", "stem.bn.running_var", "stem.bn.num_batches_tracked",
                                        "fc.weight", "fc.bias"}));
}

TEST(Model, GivesTheSameValuesForTheSameSeed) {
    const auto a = built(smallNet(), {.seed = 3});
    const auto b = built(smallNet(), {.seed = 3});
    const auto c = built(smallNet(), {.seed = 4});
    EXPECT_TRUE(at::equal(a->parameters()[0].tensor, b->parameters()[0].tensor));
    EXPECT_FALSE(at::equal(a->parameters()[0].tensor, c->parameters()[0].tensor));
}

TEST(Model, RunsForwardAndBackward) {
    const auto model = built(smallNet());
    const auto outputs = model->forward({at::rand({5, 1, 8, 8})});
    ASSERT_TRUE(outputs.has_value()) << toSentence(outputs.error());
    EXPECT_EQ(outputs->front().sizes(), (std::vector<std::int64_t>{5, 10}));
    outputs->front().sum().backward();
    for (const NamedState& parameter : model->parameters()) {
        EXPECT_TRUE(parameter.tensor.grad().defined()) << parameter.name;
    }
    EXPECT_EQ(model->buffers()[2].tensor.item<std::int64_t>(), 1);
}

TEST(Model, KeepsBatchStatisticsStillInEval) {
    const auto model = built(smallNet());
    model->train(false);
    const at::Tensor input = at::rand({5, 1, 8, 8});
    const auto first = model->forward({input});
    const auto second = model->forward({input});
    EXPECT_TRUE(at::equal(first->front(), second->front()));
    EXPECT_EQ(model->buffers()[2].tensor.item<std::int64_t>(), 0);
}

TEST(Model, LeavesThatSayEvalStayInEvalAndStochasticOnesInTrain) {
    GraphMaker maker;
    const auto x = maker.input("x", {4, 4});
    const auto a = maker.leaf("frozen", "Dropout", {}, {x});
    maker.last().mode = "eval";
    const auto b = maker.leaf("sampled", "Dropout", {}, {a});
    maker.last().mode = "stochastic";
    maker.output("y", maker.leaf("plain", "Dropout", {}, {b}));
    const auto model = built(maker);
    EXPECT_FALSE(model->isTraining(0));
    EXPECT_TRUE(model->isTraining(1));
    EXPECT_TRUE(model->isTraining(2));
    model->train(false);
    EXPECT_FALSE(model->isTraining(0));
    EXPECT_TRUE(model->isTraining(1));
    EXPECT_FALSE(model->isTraining(2));
    model->setTraining(0, true);
    EXPECT_TRUE(model->isTraining(0));
}

TEST(Model, AFrozenBlockHasNoGradient) {
    GraphMaker maker;
    const auto x = maker.input("x", {graph::Dim::symbol("B"), 3});
    const auto a = maker.leaf("a", "Linear", {{"in_features", 3}, {"out_features", 3}}, {x});
    maker.last().frozen = true;
    maker.output("y", maker.leaf("b", "Linear", {{"in_features", 3}, {"out_features", 2}}, {a}));
    const auto model = built(maker);
    EXPECT_TRUE(model->parameters()[0].frozen);
    EXPECT_FALSE(model->parameters()[0].tensor.requires_grad());
    EXPECT_TRUE(model->parameters()[2].tensor.requires_grad());
}

TEST(Model, SharedWeightsAreOneTensorThatCountsOnce) {
    GraphMaker maker;
    const auto left = maker.input("left", {2, 3});
    const auto right = maker.input("right", {2, 3});
    const Json params = {{"in_features", 3}, {"out_features", 3}};
    const auto a = maker.leaf("a", "Linear", params, {left});
    const auto b = maker.leaf("b", "Linear", params, {right});
    maker.last().weightsOf = "a";
    maker.output("y", maker.leaf("sum", "Add", {}, {a, b}));
    const auto model = built(maker);
    EXPECT_EQ(names(model->parameters()), (std::vector<std::string>{"a.weight", "a.bias"}));
    EXPECT_EQ(names(model->stateDict()), (std::vector<std::string>{"a.weight", "a.bias", "b.weight", "b.bias"}));
    EXPECT_TRUE(model->stateDict()[2].shared);
    EXPECT_TRUE(model->stateDict()[2].tensor.is_same(model->parameters()[0].tensor));

    const auto outputs = model->forward({at::ones({2, 3}), at::ones({2, 3})});
    const at::Tensor one = at::linear(at::ones({2, 3}), model->parameters()[0].tensor, model->parameters()[1].tensor);
    EXPECT_TRUE(at::allclose(outputs->front(), one.mul(2)));
}

TEST(Model, ARouteRunsTheBlocksThatItsOutputsNeed) {
    GraphMaker maker;
    const auto x = maker.input("x", {graph::Dim::symbol("B"), 3}),
               other = maker.input("other", {graph::Dim::symbol("B"), 4});
    const auto a = maker.leaf("a", "Linear", {{"in_features", 3}, {"out_features", 3}}, {x});
    const auto b = maker.leaf("b", "Tanh", {}, {a});
    const auto c = maker.leaf("c", "ReLU", {}, {a});
    const auto d = maker.leaf("d", "Linear", {{"in_features", 4}, {"out_features", 2}}, {other});
    maker.output("b", b);
    maker.output("c", c);
    maker.output("d", d);
    maker.output("a", a);
    const auto model = built(maker);
    const std::vector<at::Tensor> inputs{at::rand({2, 3}), at::rand({2, 4})};
    const auto whole = model->forward(inputs);
    ASSERT_TRUE(whole.has_value());
    const std::vector<std::vector<char>> wanted{{0, 1, 0, 0}, {0, 0, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}};
    const std::vector<std::vector<char>> leaves{{1, 0, 1, 0}, {1, 0, 0, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::size_t route = model->addRoute(wanted[i]);
        EXPECT_EQ(route, i + 1);
        EXPECT_EQ(model->leavesOf(route), leaves[i]);
        for (int again = 0; again < 2; ++again) {
            const auto outputs = model->forwardAlong(route, inputs);
            ASSERT_TRUE(outputs.has_value()) << toSentence(outputs.error());
            for (std::size_t output = 0; output < 4; ++output) {
                ASSERT_EQ((*outputs)[output].defined(), wanted[i][output] != 0) << i << " " << output;
                EXPECT_TRUE(wanted[i][output] == 0 || at::equal((*outputs)[output], (*whole)[output]));
            }
        }
    }
    EXPECT_TRUE(at::equal((*model->forward(inputs))[2], (*whole)[2]));
    // What a route does not read is let go of with it.
    at::Tensor unread = at::rand({2, 4});
    ASSERT_TRUE(model->forwardAlong(1, {inputs[0], unread}).has_value());
    EXPECT_EQ(unread.use_count(), 1U);
}

TEST(Model, SharingBetweenUnequalBlocksIsRefused) {
    GraphMaker maker;
    const auto x = maker.input("x", {2, 3});
    maker.leaf("a", "Linear", {{"in_features", 3}, {"out_features", 3}}, {x});
    maker.output("y", maker.leaf("b", "Linear", {{"in_features", 3}, {"out_features", 4}}, {x}));
    maker.last().weightsOf = "a";
    const auto model = Model::build(maker.model(), {});
    ASSERT_FALSE(model.has_value());
    EXPECT_EQ(model.error().code, "weights-do-not-fit");
}

TEST(Model, AnErrorInsideABlockNamesTheBlockAndItsInputs) {
    const auto model = built(chain({graph::Dim::symbol("B"), graph::Dim::symbol("N")},
                                   {{"body.first", "Linear", {{"in_features", 4}, {"out_features", 4}}},
                                    {"body.second", "Linear", {{"in_features", 5}, {"out_features", 4}}}}));
    const auto outputs = model->forward({at::ones({2, 4})});
    ASSERT_FALSE(outputs.has_value());
    const Error& error = outputs.error();
    EXPECT_EQ(error.kind, ErrorKind::kRunFailed);
    EXPECT_EQ(error.code, "block-failed");
    EXPECT_EQ(error.where, "body.second");
    EXPECT_NE(error.message.find("body.second (Linear)"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("float32 [2, 4]"), std::string::npos) << error.message;
    EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
    EXPECT_FALSE(error.hint.empty());
    // And the model is whole afterwards.
    EXPECT_FALSE(model->forward({at::ones({2, 4})}).has_value());
}

TEST(Model, AnIdPastTheEndOfItsTableNamesTheBlockAndTheId) {
    for (const char* maxNorm : {"null", "0.5"}) {
        GraphMaker maker;
        const int ids = maker.input("ids", {graph::Dim::symbol("B"), 3}, DType::kInt64);
        maker.output(
            "y", maker.leaf("words", "Embedding",
                            {{"num_embeddings", 5}, {"embedding_dim", 2}, {"max_norm", Json::parse(maxNorm)}}, {ids}));
        const auto model = built(maker);
        for (const std::int64_t id : {std::int64_t{5}, std::int64_t{-1}}) {
            const auto outputs = model->forward({at::full({2, 3}, id, at::kLong)});
            ASSERT_FALSE(outputs.has_value());
            EXPECT_EQ(outputs.error().kind, ErrorKind::kInvalid);
            EXPECT_NE(outputs.error().message.find("words (Embedding)"), std::string::npos) << outputs.error().message;
            EXPECT_NE(
                outputs.error().message.find("the id " + std::to_string(id) + " is not in its table of 5, from 0 to 4"),
                std::string::npos)
                << outputs.error().message;
        }
        EXPECT_TRUE(model->forward({at::full({2, 3}, 4, at::kLong)}).has_value());
    }
}

TEST(Model, AnInputOfTheWrongSizeIsRefusedAtTheDoor) {
    const auto model = built(smallNet());
    const auto outputs = model->forward({at::ones({5, 1, 9, 8})});
    ASSERT_FALSE(outputs.has_value());
    EXPECT_EQ(outputs.error().code, "input-shape");
    EXPECT_EQ(outputs.error().exitCode(), 3) << "the data or the model are to be changed";
    EXPECT_NE(outputs.error().message.find("[5, 1, 9, 8]"), std::string::npos) << outputs.error().message;
    EXPECT_EQ(model->forward({}).error().code, "input-count");
    EXPECT_EQ(model->forward({at::Tensor()}).error().code, "input-missing");
}

TEST(Model, AnotherNumberOfSamplesThanTheModelTakesAtATimeIsToldApartFromAnotherShape) {
    const auto model = built(chain({4, 3}, {{"fc", "Linear", {{"in_features", 3}, {"out_features", 2}}}}));
    EXPECT_TRUE(model->forward({at::ones({4, 3})}).has_value());
    const Error samples = model->forward({at::ones({1, 3})}).error();
    EXPECT_EQ(samples.code, "input-shape");
    EXPECT_EQ(samples.hint, "Write \"B\" as the input's first dimension.");
    EXPECT_NE(model->forward({at::ones({4, 5})}).error().hint, samples.hint);
    EXPECT_NE(model->forward({at::ones({1, 5})}).error().hint, samples.hint);
}

TEST(Model, ASymbolHasOneValueInAllInputs) {
    GraphMaker maker;
    const auto a = maker.input("a", {graph::Dim::symbol("B"), 1});
    const auto b = maker.input("b", {graph::Dim::symbol("B"), 1});
    maker.output("y", maker.leaf("sum", "Add", {}, {a, b}));
    const auto model = built(maker);
    EXPECT_TRUE(model->forward({at::ones({4, 1}), at::ones({4, 1})}).has_value());
    EXPECT_EQ(model->forward({at::ones({4, 1}), at::ones({1, 1})}).error().code, "input-shape");
}

TEST(Model, ABrokenParameterNamesItsBlock) {
    const auto model = Model::build(chain({2, 3}, {{"body.fc", "Linear", {{"in_features", 3}}}}).model(), {});
    ASSERT_FALSE(model.has_value());
    EXPECT_NE(model.error().message.find("body.fc"), std::string::npos);
    EXPECT_NE(model.error().message.find("out_features"), std::string::npos);
    EXPECT_EQ(Model::build(chain({2, 3}, {{"a", "Nonsense"}}).model(), {}).error().code, "unknown-block");
}

TEST(Model, IntermediatesGoAfterTheirLastReader) {
    installCountingAllocator();
    std::vector<testing::ChainLink> links;
    for (int i = 0; i < 16; ++i) {
        links.push_back({"layers." + std::to_string(i), "Tanh"});
    }
    const auto model = built(chain({graph::Dim::symbol("B"), 1000}, links));
    const at::Tensor input = at::ones({256, 1000});
    const std::int64_t one = input.numel() * 4;
    resetMemoryPeaks();
    const std::int64_t before = tensorMemory().current;
    const auto outputs = model->forward({input});
    ASSERT_TRUE(outputs.has_value());
    EXPECT_EQ(tensorMemory().peak - before, 2 * one);  // a reader and what it reads
    EXPECT_EQ(tensorMemory().current - before, one);   // the output alone
    EXPECT_EQ(tensorMemory(MemoryCategory::kActivations).current, one);
}

TEST(Model, ConvertsToFloat64AfterDrawing) {
    const auto single = built(smallNet(), {.seed = 1});
    const auto twice = built(smallNet(), {.seed = 1, .dtype = DType::kFloat64});
    EXPECT_EQ(twice->parameters()[0].tensor.scalar_type(), at::kDouble);
    EXPECT_EQ(twice->buffers()[0].tensor.scalar_type(), at::kDouble);
    EXPECT_EQ(twice->buffers()[2].tensor.scalar_type(), at::kLong);
    EXPECT_TRUE(at::equal(twice->parameters()[0].tensor, single->parameters()[0].tensor.to(at::kDouble)));
}

TEST(Model, ChannelsLastChangesTheLayoutAndNotTheNumbers) {
    const auto plain = built(smallNet(), {.seed = 1});
    const auto last = built(smallNet(), {.seed = 1, .channelsLast = true});
    EXPECT_TRUE(last->parameters()[0].tensor.is_contiguous(at::MemoryFormat::ChannelsLast));
    EXPECT_TRUE(at::equal(plain->parameters()[0].tensor, last->parameters()[0].tensor));
    plain->train(false);
    last->train(false);
    const at::Tensor input = at::rand({3, 1, 8, 8});
    EXPECT_TRUE(at::allclose(plain->forward({input})->front(), last->forward({input})->front(), 1e-5, 1e-6));
}

TEST(Model, MoreMemoryThanThereIsIsASentenceAboutTheMachine) {
    const Json params = {{"in_features", 1 << 24}, {"out_features", 1 << 24}};  // 1 PiB, past any address space
    const auto model = Model::build(chain({1, 1 << 24}, {{"huge", "Linear", params}}).model(), {});
    ASSERT_FALSE(model.has_value());
    EXPECT_EQ(model.error().kind, ErrorKind::kMachine);
    EXPECT_EQ(model.error().code, "out-of-memory");
    EXPECT_NE(model.error().message.find("huge"), std::string::npos);
}

TEST(Model, GivesTheSameNumbersOnAGpu) {
    if (const Status status = cuda::loadCuda(); !status) {
        GTEST_SKIP() << "no GPU was used: " << toSentence(status.error());
    }
    const auto here = built(smallNet(), {.seed = 1});
    const auto there = built(smallNet(), {.seed = 1, .device = at::kCUDA});
    EXPECT_TRUE(at::equal(here->parameters()[0].tensor, there->parameters()[0].tensor.cpu()));
    here->train(false);
    there->train(false);
    const at::Tensor input = at::rand({3, 1, 8, 8});
    const auto outputs = there->forward({input.to(at::kCUDA)});
    ASSERT_TRUE(outputs.has_value()) << toSentence(outputs.error());
    EXPECT_TRUE(at::allclose(here->forward({input})->front(), outputs->front().cpu(), 1e-4, 1e-5));
}

TEST(Model, ADeviceThatIsNotThereIsASentence) {
    if (cuda::loadCuda()) {
        GTEST_SKIP() << "this machine has a GPU";
    }
    const auto model = Model::build(smallNet().model(), {.device = at::kCUDA});
    ASSERT_FALSE(model.has_value());
    EXPECT_EQ(model.error().code, "no-cuda");
}

class Recorder final : public LeafObserver {
public:
    void afterLeaf(int leaf, const std::vector<at::Tensor>& outputs) override {
        m_seen.emplace_back(leaf, outputs.front().sizes().vec());
    }
    std::vector<std::pair<int, std::vector<std::int64_t>>> m_seen;
};

TEST(Model, AnObserverSeesEveryLeafInOrder) {
    const auto model =
        built(chain({2, 3}, {{"fc", "Linear", {{"in_features", 3}, {"out_features", 5}}}, {"act", "ReLU"}}));
    Recorder recorder;
    model->setObserver(&recorder);
    ASSERT_TRUE(model->forward({at::ones({2, 3})}).has_value());
    model->setObserver(nullptr);
    ASSERT_TRUE(model->forward({at::ones({2, 3})}).has_value());
    ASSERT_EQ(recorder.m_seen.size(), 2U);
    EXPECT_EQ(recorder.m_seen[0].first, 0);
    EXPECT_EQ(recorder.m_seen[1].second, (std::vector<std::int64_t>{2, 5}));
}

TEST(StateDict, GoesFromOneModelToAnother) {
    const auto a = built(smallNet(), {.seed = 1});
    const auto b = built(smallNet(), {.seed = 2});
    std::map<std::string, at::Tensor> state;
    for (const NamedState& item : a->stateDict()) {
        state[item.name] = item.tensor;
    }
    const at::Tensor before = b->parameters()[0].tensor;
    ASSERT_TRUE(b->loadStateDict(state).has_value());
    EXPECT_TRUE(before.is_same(b->parameters()[0].tensor));
    for (std::size_t i = 0; i < a->stateDict().size(); ++i) {
        EXPECT_TRUE(at::equal(a->stateDict()[i].tensor, b->stateDict()[i].tensor));
    }
}

TEST(StateDict, ListsEveryEntryThatDoesNotFitAndChangesNothing) {
    const auto model = built(smallNet());
    std::map<std::string, at::Tensor> state;
    for (const NamedState& item : model->stateDict()) {
        state[item.name] = at::full(item.tensor.sizes(), 7, item.tensor.options().requires_grad(false));
    }
    state.erase("fc.bias");
    state["head.weight"] = at::ones({2});
    state["fc.weight"] = at::ones({3, 64});
    const at::Tensor before = model->parameters()[0].tensor.detach().clone();
    const Status status = model->loadStateDict(state);
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, "state-dict-mismatch");
    EXPECT_NE(status.error().message.find("missing: fc.bias"), std::string::npos) << status.error().message;
    EXPECT_NE(status.error().message.find("unexpected: head.weight"), std::string::npos) << status.error().message;
    EXPECT_NE(status.error().message.find("fc.weight ([3, 64] instead of [10, 64])"), std::string::npos);
    EXPECT_TRUE(at::equal(before, model->parameters()[0].tensor));
}

}  // namespace
}  // namespace plumbline::model
