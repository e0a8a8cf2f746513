// Attention against LibTorch's own modules, which compute it step by step, in values and gradients; what causal means;
// positions.

#include <ATen/Context.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/transformerlayer.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "built_model.h"
#include "graph_maker.h"
#include "model/model.h"

namespace plumbline::model {
namespace {

using testing::built;
using testing::chain;
using testing::GraphMaker;

at::Tensor wave(at::IntArrayRef dims, double shift) {
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        count *= dim;
    }
    return at::sin(at::arange(1, count + 1, at::kDouble).mul(0.7).add(shift)).reshape(dims);
}

/// 0 where a position may look, minus infinity where not.
at::Tensor causalMask(std::int64_t queries, std::int64_t keys) {
    return at::full({queries, keys}, -std::numeric_limits<double>::infinity(), at::kDouble).triu(1);
}

/// Copies the module's weights into the model, names and shapes being the same.
void copyWeights(const torch::nn::Module& from, Model& to) {
    std::map<std::string, at::Tensor> state;
    for (const auto& item : from.named_parameters()) {
        state.emplace(item.key(), item.value().detach());
    }
    const Status loaded = to.loadStateDict(state);
    ASSERT_TRUE(loaded.has_value()) << toSentence(loaded.error());
}

void expectNearly(const at::Tensor& got, const at::Tensor& wanted, const std::string& what) {
    ASSERT_EQ(got.sizes(), wanted.sizes()) << what;
    EXPECT_LE(got.sub(wanted).abs().max().item<double>(), 1e-12 * std::max(1.0, wanted.abs().max().item<double>()))
        << what;
}

/// Values, and gradients of inputs and parameters, of one call of both.
void expectSameCall(const torch::nn::Module& module, Model& model, const std::vector<at::Tensor>& inputs,
                    const std::function<at::Tensor(const std::vector<at::Tensor>&)>& call) {
    std::vector<at::Tensor> mine;
    std::vector<at::Tensor> theirs;
    for (const at::Tensor& input : inputs) {
        mine.push_back(input.clone().requires_grad_());
        theirs.push_back(input.clone().requires_grad_());
    }
    const auto got = model.forward(mine);
    ASSERT_TRUE(got.has_value()) << toSentence(got.error());
    const at::Tensor wanted = call(theirs);
    expectNearly((*got)[0], wanted, "output");
    const at::Tensor weights = wave(wanted.sizes(), 0.3);
    (*got)[0].mul(weights).sum().backward();
    wanted.mul(weights).sum().backward();
    for (std::size_t i = 0; i < mine.size(); ++i) {
        expectNearly(mine[i].grad(), theirs[i].grad(), "gradient of input " + std::to_string(i));
    }
    const auto parameters = module.named_parameters();
    for (const NamedState& state : model.parameters()) {
        expectNearly(state.tensor.grad(), parameters[state.name].grad(), "gradient of " + state.name);
    }
}

TEST(MultiheadAttention, GivesLibTorchsNumbersAndGradients) {
    struct Case {
        bool selfAttention, causal, biasKv, zeroAttention, bias;
    };
    for (const Case& one : {Case{true, false, false, false, true}, Case{true, true, false, false, false},
                            Case{false, false, false, false, true}, Case{false, true, true, true, true},
                            Case{true, true, false, true, true}}) {
        SCOPED_TRACE(::testing::Message()
                     << "self " << one.selfAttention << ", causal " << one.causal << ", bias_kv " << one.biasKv);
        torch::nn::MultiheadAttention module(torch::nn::MultiheadAttentionOptions(8, 2)
                                                 .bias(one.bias)
                                                 .add_bias_kv(one.biasKv)
                                                 .add_zero_attn(one.zeroAttention));
        module->to(at::kDouble);
        GraphMaker maker;
        std::vector<graph::ValueId> ports{maker.input("query", {5, 3, 8})};
        std::vector<at::Tensor> inputs{wave({5, 3, 8}, 0.0)};
        if (!one.selfAttention) {
            ports.push_back(maker.input("key", {6, 3, 8}));
            ports.push_back(maker.input("value", {6, 3, 8}));
            inputs.push_back(wave({6, 3, 8}, 1.0));
            inputs.push_back(wave({6, 3, 8}, 2.0));
        }
        maker.output("y", maker.leaf("", "MultiheadAttention",
                                     {{"embed_dim", 8},
                                      {"num_heads", 2},
                                      {"bias", one.bias},
                                      {"is_causal", one.causal},
                                      {"add_bias_kv", one.biasKv},
                                      {"add_zero_attn", one.zeroAttention}},
                                     ports));
        const auto model = built(maker, {.dtype = DType::kFloat64});
        copyWeights(*module, *model);
        const at::Tensor mask = one.causal ? causalMask(5, one.selfAttention ? 5 : 6) : at::Tensor();
        expectSameCall(*module, *model, inputs, [&](const std::vector<at::Tensor>& given) {
            const at::Tensor& key = given.size() > 1 ? given[1] : given[0];
            return std::get<0>(module->forward(given[0], key, given.size() > 2 ? given[2] : key, {}, true, mask));
        });
    }
}

TEST(TransformerLayers, GiveLibTorchsNumbersAndGradients) {
    for (const bool gelu : {false, true}) {
        torch::nn::TransformerEncoderLayerOptions options(8, 2);
        options.dim_feedforward(12).dropout(0.0);
        gelu ? options.activation(torch::kGELU) : options.activation(torch::kReLU);
        torch::nn::TransformerEncoderLayer module(options);
        module->to(at::kDouble);
        const auto model = built(chain({5, 3, 8}, {{"",
                                                    "TransformerEncoderLayer",
                                                    {{"d_model", 8},
                                                     {"nhead", 2},
                                                     {"dim_feedforward", 12},
                                                     {"dropout", 0.0},
                                                     {"activation", gelu ? "gelu" : "relu"},
                                                     {"is_causal", true}}}}),
                                 {.dtype = DType::kFloat64});
        copyWeights(*module, *model);
        expectSameCall(*module, *model, {wave({5, 3, 8}, 0.0)}, [&](const std::vector<at::Tensor>& given) {
            return module->forward(given[0], causalMask(5, 5));
        });
    }
    torch::nn::TransformerDecoderLayer module(
        torch::nn::TransformerDecoderLayerOptions(8, 2).dim_feedforward(12).dropout(0.0));
    module->to(at::kDouble);
    GraphMaker maker;
    const std::vector<graph::ValueId> ports{maker.input("tgt", {4, 3, 8}), maker.input("memory", {6, 3, 8})};
    maker.output(
        "y",
        maker.leaf("", "TransformerDecoderLayer",
                   {{"d_model", 8}, {"nhead", 2}, {"dim_feedforward", 12}, {"dropout", 0.0}, {"tgt_is_causal", true}},
                   ports));
    const auto model = built(maker, {.dtype = DType::kFloat64});
    copyWeights(*module, *model);
    expectSameCall(
        *module, *model, {wave({4, 3, 8}, 0.0), wave({6, 3, 8}, 1.0)},
        [&](const std::vector<at::Tensor>& given) { return module->forward(given[0], given[1], causalMask(4, 4)); });
}

TEST(Attention, OfBatchFirstInputsIsThatOfTheOthersTurnedRound) {
    for (const char* type : {"MultiheadAttention", "TransformerEncoderLayer"}) {
        Json params{{"embed_dim", 8},       {"d_model", 8},   {"num_heads", 4},   {"nhead", 4},
                    {"dim_feedforward", 6}, {"dropout", 0.0}, {"is_causal", true}};
        const auto timeFirst = built(chain({5, 3, 8}, {{"layer", type, params}}), {.dtype = DType::kFloat64});
        params["batch_first"] = true;
        const auto batchFirst = built(chain({3, 5, 8}, {{"layer", type, params}}), {.dtype = DType::kFloat64});
        const at::Tensor x = wave({5, 3, 8}, 0.0);
        const auto one = timeFirst->forward({x});
        const auto other = batchFirst->forward({x.transpose(0, 1)});
        ASSERT_TRUE(one.has_value() && other.has_value()) << type;
        expectNearly((*other)[0].transpose(0, 1), (*one)[0], type);
    }
}

TEST(Attention, ThatIsCausalSeesNothingLater) {
    const std::vector<std::pair<const char*, Json>> blocks = {
        {"MultiheadAttention", {{"embed_dim", 8}, {"num_heads", 2}, {"batch_first", true}}},
        {"MultiheadAttention",
         {{"embed_dim", 8}, {"num_heads", 2}, {"batch_first", true}, {"add_bias_kv", true}, {"add_zero_attn", true}}},
        {"TransformerEncoderLayer", {{"d_model", 8}, {"nhead", 2}, {"dim_feedforward", 6}, {"batch_first", true}}}};
    for (const auto& [type, common] : blocks) {
        for (const bool causal : {true, false}) {
            Json params = common;
            params["is_causal"] = causal;
            const auto model = built(chain({2, 6, 8}, {{"layer", type, params}}));
            model->train(false);
            const at::Tensor x = wave({2, 6, 8}, 0.0).to(at::kFloat);
            at::Tensor changed = x.clone();
            changed.narrow(1, 4, 2).add_(1.0);
            const auto before = model->forward({x});
            const auto after = model->forward({changed});
            ASSERT_TRUE(before.has_value() && after.has_value());
            const double early =
                (*before)[0].narrow(1, 0, 4).sub((*after)[0].narrow(1, 0, 4)).abs().max().item<double>();
            EXPECT_GT((*before)[0].narrow(1, 4, 2).sub((*after)[0].narrow(1, 4, 2)).abs().max().item<double>(), 1e-3);
            if (causal) {
                EXPECT_LT(early, 1e-6) << type;
            } else {
                EXPECT_GT(early, 1e-4) << type;
            }
        }
    }
}

TEST(TransformerLayers, DropOutOnlyWhileTheyTrain) {
    const auto model =
        built(chain({5, 3, 8}, {{"layer",
                                 "TransformerEncoderLayer",
                                 {{"d_model", 8}, {"nhead", 2}, {"dim_feedforward", 6}, {"dropout", 0.5}}}}));
    const at::Tensor x = wave({5, 3, 8}, 0.0).to(at::kFloat);
    for (const bool training : {false, true}) {
        model->train(training);
        const auto one = model->forward({x});
        const auto other = model->forward({x});
        ASSERT_TRUE(one.has_value() && other.has_value());
        EXPECT_NE(at::equal((*one)[0], (*other)[0]), training);
    }
}

TEST(PositionalEncoding, HoldsTheSinesAndCosinesOfThePaper) {
    const auto model = built(
        chain({6, 2, 8}, {{"positions", "PositionalEncoding", {{"d_model", 8}, {"max_len", 50}, {"dropout", 0.0}}}}));
    const auto sum = model->forward({at::zeros({6, 2, 8})});
    ASSERT_TRUE(sum.has_value()) << toSentence(sum.error());
    for (std::int64_t position = 0; position < 6; ++position) {
        for (std::int64_t i = 0; i < 4; ++i) {
            const double angle = static_cast<double>(position) / std::pow(10000.0, 2.0 * static_cast<double>(i) / 8.0);
            for (const std::int64_t sample : {0, 1}) {
                EXPECT_NEAR((*sum)[0][position][sample][2 * i].item<double>(), std::sin(angle), 1e-6);
                EXPECT_NEAR((*sum)[0][position][sample][2 * i + 1].item<double>(), std::cos(angle), 1e-6);
            }
        }
    }
}

TEST(Positions, ASequenceThatIsTooLongIsRefusedWithItsLength) {
    for (const char* type : {"PositionalEncoding", "LearnedPositionalEncoding"}) {
        const auto model = built(chain({graph::Dim::symbol("B"), graph::Dim::symbol("T"), 8},
                                       {{"positions", type, {{"d_model", 8}, {"max_len", 4}, {"batch_first", true}}}}));
        EXPECT_TRUE(model->forward({at::zeros({9, 4, 8})}).has_value()) << type;
        const auto refused = model->forward({at::zeros({9, 5, 8})});
        ASSERT_FALSE(refused.has_value()) << type;
        EXPECT_NE(refused.error().message.find("knows 4 positions and the sequence has 5"), std::string::npos)
            << refused.error().message;
    }
}

TEST(LearnedPositionalEncoding, LearnsTheVectorsOfThePositionsItSaw) {
    const auto model = built(
        chain({2, 3, 4},
              {{"positions", "LearnedPositionalEncoding", {{"d_model", 4}, {"max_len", 5}, {"batch_first", true}}}}));
    const auto sum = model->forward({at::zeros({2, 3, 4})});
    ASSERT_TRUE(sum.has_value());
    EXPECT_TRUE(at::equal((*sum)[0][1], model->parameters()[0].tensor.narrow(0, 0, 3)));
    (*sum)[0].sum().backward();
    const at::Tensor gradient = model->parameters()[0].tensor.grad();
    EXPECT_EQ(gradient.narrow(0, 0, 3).min().item<double>(), 2.0) << "each of two samples";
    EXPECT_EQ(gradient.narrow(0, 3, 2).abs().max().item<double>(), 0.0);
}

}  // namespace
}  // namespace plumbline::model
