// Initial values, bit for bit: against LibTorch's own modules in the same order, and against values seen in Python.

#include <ATen/Context.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <gtest/gtest.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/instancenorm.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/nn/modules/rnn.h>

#include "built_model.h"
#include "graph/init.h"
#include "graph_maker.h"
#include "model/model.h"

namespace plumbline::model {
namespace {

using testing::built;
using testing::chain;
using testing::GraphMaker;

struct Net : torch::nn::Module {
    Net() {
        embedding =
            register_module("embedding", torch::nn::Embedding(torch::nn::EmbeddingOptions(20, 6).padding_idx(2)));
        conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 8, 3)));
        grouped = register_module(
            "grouped", torch::nn::Conv2d(torch::nn::Conv2dOptions(8, 16, {3, 5}).groups(4).bias(false).padding(1)));
        bn = register_module("bn", torch::nn::BatchNorm2d(16));
        lstm = register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(6, 5).num_layers(2).bidirectional(true)));
        gru = register_module("gru", torch::nn::GRU(torch::nn::GRUOptions(10, 4).bias(false)));
        norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({4})));
        group = register_module("group", torch::nn::GroupNorm(2, 4));
        up = register_module("up",
                             torch::nn::ConvTranspose2d(torch::nn::ConvTranspose2dOptions(4, 6, {2, 3}).groups(2)));
        instance = register_module(
            "instance",
            torch::nn::InstanceNorm2d(torch::nn::InstanceNorm2dOptions(4).affine(true).track_running_stats(true)));
        attention = register_module(
            "attention", torch::nn::MultiheadAttention(torch::nn::MultiheadAttentionOptions(8, 2).add_bias_kv(true)));
        cross = register_module("cross", torch::nn::MultiheadAttention(
                                             torch::nn::MultiheadAttentionOptions(8, 2).kdim(6).vdim(4).bias(false)));
        fc = register_module("fc", torch::nn::Linear(7, 3));
        projected = register_module("projected", torch::nn::LSTM(torch::nn::LSTMOptions(4, 5).proj_size(3)));
        out = register_module("out", torch::nn::Linear(torch::nn::LinearOptions(3, 2).bias(false)));
    }
    torch::nn::Embedding embedding{nullptr};
    torch::nn::Conv2d conv{nullptr}, grouped{nullptr};
    torch::nn::BatchNorm2d bn{nullptr};
    torch::nn::LSTM lstm{nullptr}, projected{nullptr};
    torch::nn::GRU gru{nullptr};
    torch::nn::LayerNorm norm{nullptr};
    torch::nn::GroupNorm group{nullptr};
    torch::nn::ConvTranspose2d up{nullptr};
    torch::nn::InstanceNorm2d instance{nullptr};
    torch::nn::MultiheadAttention attention{nullptr}, cross{nullptr};
    torch::nn::Linear fc{nullptr}, out{nullptr};
};

/// The same blocks; what flows between them does not matter here.
GraphMaker sameNet() {
    GraphMaker maker;
    const auto x = maker.input("x", {2, 3});
    const auto add = [&](const char* path, const char* type, Json params, int outputs = 1) {
        maker.leaf(path, type, std::move(params), {x}, outputs);
    };
    add("embedding", "Embedding", {{"num_embeddings", 20}, {"embedding_dim", 6}, {"padding_idx", 2}});
    add("conv", "Conv2d", {{"in_channels", 3}, {"out_channels", 8}, {"kernel_size", 3}});
    add("grouped", "Conv2d",
        {{"in_channels", 8},
         {"out_channels", 16},
         {"kernel_size", {3, 5}},
         {"groups", 4},
         {"bias", false},
         {"padding", 1}});
    add("bn", "BatchNorm2d", {{"num_features", 16}});
    add("lstm", "LSTM", {{"input_size", 6}, {"hidden_size", 5}, {"num_layers", 2}, {"bidirectional", true}}, 3);
    add("gru", "GRU", {{"input_size", 10}, {"hidden_size", 4}, {"bias", false}}, 2);
    add("norm", "LayerNorm", {{"normalized_shape", {4}}});
    add("group", "GroupNorm", {{"num_groups", 2}, {"num_channels", 4}});
    add("up", "ConvTranspose2d", {{"in_channels", 4}, {"out_channels", 6}, {"kernel_size", {2, 3}}, {"groups", 2}});
    add("instance", "InstanceNorm2d", {{"num_features", 4}, {"affine", true}, {"track_running_stats", true}});
    add("attention", "MultiheadAttention", {{"embed_dim", 8}, {"num_heads", 2}, {"add_bias_kv", true}});
    add("cross", "MultiheadAttention", {{"embed_dim", 8}, {"num_heads", 2}, {"kdim", 6}, {"vdim", 4}, {"bias", false}});
    add("fc", "Linear", {{"in_features", 7}, {"out_features", 3}});
    add("projected", "LSTM", {{"input_size", 4}, {"hidden_size", 5}, {"proj_size", 3}}, 3);
    add("out", "Linear", {{"in_features", 3}, {"out_features", 2}, {"bias", false}});
    return maker;
}

TEST(InitialValues, EqualLibTorchsModulesBitForBit) {
    for (const std::uint64_t seed : {0ULL, 7ULL, 123456789012345ULL}) {
        at::manual_seed(seed);
        const Net net;
        const auto model = built(sameNet(), {.seed = seed});
        const auto parameters = net.named_parameters();
        ASSERT_EQ(parameters.size(), model->parameters().size());
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            EXPECT_EQ(model->parameters()[i].name, parameters[i].key());
            EXPECT_TRUE(at::equal(model->parameters()[i].tensor, parameters[i].value())) << parameters[i].key();
        }
        const auto buffers = net.named_buffers();
        for (const NamedState& buffer : model->buffers()) {
            EXPECT_TRUE(at::equal(buffer.tensor, buffers[buffer.name])) << buffer.name;
        }
    }
}

TEST(InitialValues, EqualWhatPythonPrints) {
    // torch.manual_seed(0); nn.Linear(2, 3)
    const auto linear = built(chain({1, 2}, {{"fc", "Linear", {{"in_features", 2}, {"out_features", 3}}}}));
    const std::vector<double> weight = {-0.0053, 0.3793, -0.5820, -0.5204, -0.2723, 0.1896};
    const std::vector<double> bias = {-0.0140, 0.5607, -0.0628};
    for (std::int64_t i = 0; i < 6; ++i) {
        EXPECT_NEAR(linear->parameters()[0].tensor.view(-1)[i].item<double>(), weight[static_cast<std::size_t>(i)],
                    5.1e-5);
    }
    for (std::int64_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(linear->parameters()[1].tensor[i].item<double>(), bias[static_cast<std::size_t>(i)], 5.1e-5);
    }
    // torch.manual_seed(0); nn.Embedding(3, 3)
    const auto table =
        built(chain({1}, {{"e", "Embedding", {{"num_embeddings", 3}, {"embedding_dim", 3}}}}, DType::kInt64));
    const std::vector<double> rows = {1.5410, -0.2934, -2.1788, 0.5684, -1.0845, -1.3986, 0.4033, 0.8380, -0.7193};
    for (std::int64_t i = 0; i < 9; ++i) {
        EXPECT_NEAR(table->parameters()[0].tensor.view(-1)[i].item<double>(), rows[static_cast<std::size_t>(i)],
                    5.1e-5);
    }
}

/// conv and fc, with `init` on conv.
GraphMaker withInit(const Json& init) {
    GraphMaker maker;
    const auto x = maker.input("x", {1, 4, 8, 8});
    maker.leaf("conv", "Conv2d", {{"in_channels", 4}, {"out_channels", 6}, {"kernel_size", 3}}, {x});
    maker.last().init = init;
    maker.leaf("fc", "Linear", {{"in_features", 9}, {"out_features", 5}}, {x});
    return maker;
}

/// What torch::nn::init gives the convolution when it runs after both are made.
template <class Apply>
void expectConv(const Json& init, Apply apply) {
    SCOPED_TRACE(init.dump());
    at::manual_seed(5);
    torch::nn::Conv2d conv(torch::nn::Conv2dOptions(4, 6, 3));
    torch::nn::Linear fc(9, 5);
    apply(conv->weight);
    const auto model = built(withInit(init), {.seed = 5});
    EXPECT_TRUE(at::equal(model->parameters()[0].tensor, conv->weight));
    if (!init.contains("bias")) {
        EXPECT_TRUE(at::equal(model->parameters()[1].tensor, conv->bias));
    }
    EXPECT_TRUE(at::equal(model->parameters()[2].tensor, fc->weight));
    EXPECT_TRUE(at::equal(model->parameters()[3].tensor, fc->bias));
}

TEST(Initialise, EverySchemeEqualsLibTorchsAndLeavesTheOtherBlocksAlone) {
    namespace init = torch::nn::init;
    expectConv({{"scheme", "default"}}, [](const at::Tensor&) {});
    expectConv({{"scheme", "kaiming_normal"}, {"mode", "fan_out"}, {"nonlinearity", "relu"}},
               [](const at::Tensor& w) { init::kaiming_normal_(w, 0, torch::kFanOut, torch::kReLU); });
    expectConv({{"scheme", "kaiming_uniform"}, {"a", 0.2}},
               [](const at::Tensor& w) { init::kaiming_uniform_(w, 0.2, torch::kFanIn, torch::kLeakyReLU); });
    expectConv({{"scheme", "xavier_normal"}, {"gain", 2.0}}, [](const at::Tensor& w) { init::xavier_normal_(w, 2.0); });
    expectConv({{"scheme", "xavier_uniform"}, {"nonlinearity", "tanh"}},
               [](const at::Tensor& w) { init::xavier_uniform_(w, 5.0 / 3.0); });
    expectConv({{"scheme", "orthogonal"}}, [](const at::Tensor& w) { init::orthogonal_(w); });
    expectConv({{"scheme", "normal"}, {"std", 0.02}}, [](const at::Tensor& w) { init::normal_(w, 0.0, 0.02); });
    expectConv({{"scheme", "constant"}, {"value", 0.25}}, [](const at::Tensor& w) { init::constant_(w, 0.25); });
    expectConv({{"scheme", "ones"}}, [](const at::Tensor& w) { init::ones_(w); });
    expectConv({{"scheme", "zeros"}, {"bias", 1}}, [](const at::Tensor& w) { init::zeros_(w); });
}

TEST(Initialise, BiasSetsTheBiases) {
    const auto model = built(withInit({{"scheme", "kaiming_normal"}, {"bias", 0.5}}));
    EXPECT_EQ(model->parameters()[1].tensor.min().item<float>(), 0.5F);
    EXPECT_EQ(model->parameters()[1].tensor.max().item<float>(), 0.5F);
}

TEST(Initialise, OrthogonalRowsAreOrthogonal) {
    GraphMaker maker = chain({1, 9}, {{"fc", "Linear", {{"in_features", 9}, {"out_features", 4}}}});
    maker.last().init = {{"scheme", "orthogonal"}, {"gain", 2.0}};
    const at::Tensor weight = built(maker)->parameters()[0].tensor.detach();
    EXPECT_TRUE(at::allclose(at::matmul(weight, weight.t()), at::eye(4).mul(4.0), 1e-5, 1e-5));
}

TEST(Initialise, TruncatedNormalStaysInItsBounds) {
    for (const auto& [low, high] : {std::pair{-0.5, 1.0}, std::pair{2.5, 4.0}}) {
        GraphMaker maker = chain({1, 64}, {{"fc", "Linear", {{"in_features", 64}, {"out_features", 64}}}});
        maker.last().init = {{"scheme", "trunc_normal"}, {"low", low}, {"high", high}};
        const at::Tensor weight = built(maker)->parameters()[0].tensor.detach();
        EXPECT_GE(weight.min().item<double>(), low);
        EXPECT_LE(weight.max().item<double>(), high);
        EXPECT_GT(weight.std().item<double>(), 0.05);
    }
}

TEST(Initialise, ANormInsideACompositeKeepsItsOnesUnderARandomScheme) {
    GraphMaker maker = chain({2, 4}, {{"bn", "BatchNorm1d", {{"num_features", 4}}}});
    maker.last().init = {{"scheme", "kaiming_normal"}};
    EXPECT_TRUE(at::equal(built(maker)->parameters()[0].tensor, at::ones({4})));
    maker.last().init = {{"scheme", "zeros"}};
    EXPECT_TRUE(at::equal(built(maker)->parameters()[0].tensor, at::zeros({4})));
}

TEST(Initialise, ATransformersWeightsFollowTheSchemeAndItsBiasesTheirNumber) {
    GraphMaker maker = chain(
        {2, 3, 8}, {{"layer", "TransformerEncoderLayer", {{"d_model", 8}, {"nhead", 2}, {"dim_feedforward", 4}}}});
    maker.last().init = {{"scheme", "constant"}, {"value", 0.25}, {"bias", 0.5}};
    const auto model = built(maker);
    for (const NamedState& state : model->parameters()) {
        const float wanted = state.name.ends_with("bias") ? 0.5F : 0.25F;
        EXPECT_EQ(state.tensor.min().item<float>(), wanted) << state.name;
        EXPECT_EQ(state.tensor.max().item<float>(), wanted) << state.name;
    }
}

TEST(Initialise, MistakesAreNamed) {
    const auto codeOf = [](const Json& init) {
        const Status status = graph::checkInit(init, "/model/graph/nodes/conv/init");
        EXPECT_FALSE(status.has_value()) << init.dump();
        EXPECT_EQ(status.error().where, "/model/graph/nodes/conv/init");
        return status ? std::string() : status.error().code;
    };
    EXPECT_EQ(codeOf({{"scheme", "kaming_normal"}}), "init-scheme");
    EXPECT_EQ(codeOf({{"mode", "fan_in"}}), "wrong-type");
    EXPECT_EQ(codeOf("kaiming_normal"), "wrong-type");
    EXPECT_EQ(codeOf({{"scheme", "zeros"}, {"gain", 2}}), "init-unknown-key");
    EXPECT_EQ(codeOf({{"scheme", "kaiming_normal"}, {"mode", "fan"}}), "init-value");
    EXPECT_EQ(codeOf({{"scheme", "kaiming_normal"}, {"nonlinearity", "swish"}}), "init-value");
    EXPECT_EQ(codeOf({{"scheme", "normal"}, {"std", 0}}), "init-value");
    EXPECT_EQ(codeOf({{"scheme", "constant"}, {"value", "0"}}), "init-value");
    EXPECT_EQ(codeOf({{"scheme", "trunc_normal"}, {"low", 3}}), "init-value");
    EXPECT_NE(graph::checkInit({{"scheme", "kaming_normal"}}, "").error().hint.find("kaiming_normal"),
              std::string::npos);

    const auto model = Model::build(withInit({{"scheme", "nonsense"}}).model(), {});
    ASSERT_FALSE(model.has_value());
    EXPECT_EQ(model.error().code, "init-scheme");
}

TEST(ModuleTree, HoldsTheLiveTensorsUnderTheSameNames) {
    const auto model = built(sameNet());
    const std::shared_ptr<torch::nn::Module> tree = model->asModule();
    const auto parameters = tree->named_parameters();
    ASSERT_EQ(parameters.size(), model->parameters().size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        EXPECT_EQ(parameters[i].key(), model->parameters()[i].name);
        EXPECT_TRUE(parameters[i].value().is_same(model->parameters()[i].tensor));
    }
    EXPECT_EQ(tree->named_buffers().size(), model->buffers().size());
    EXPECT_EQ(tree->named_children()["bn"]->name(), "BatchNorm2d");
    EXPECT_TRUE(tree->named_children()["bn"]->is_training());
    model->train(false);
    EXPECT_FALSE(model->asModule()->named_children()["attention"]->named_children()["out_proj"]->is_training());
}

}  // namespace
}  // namespace plumbline::model
