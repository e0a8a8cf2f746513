// A whole network written as a document: names, counts and order as torchvision's ResNet-18 has them.

#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "blocks/register.h"
#include "core/json.h"
#include "model/memory.h"
#include "model/model.h"

namespace plumbline::model {
namespace {

constexpr const char* kResNet18 = R"({
  "definitions": {
    "Downsample": {
      "parameters": {"channels": {"type": "int", "default": 64}, "stride": {"type": "int", "default": 1}},
      "inputs": {"x": {}},
      "nodes": {
        "0": {"type": "Conv2d", "from": "x", "params": {"out_channels": "=channels", "kernel_size": 1, "stride": "=stride", "bias": false}},
        "1": {"type": "BatchNorm2d", "from": "0"}
      },
      "outputs": {"y": "1"}
    },
    "BasicBlock": {
      "parameters": {"channels": {"type": "int", "default": 64}, "stride": {"type": "int", "default": 1},
                     "project": {"type": "bool", "default": false}},
      "inputs": {"x": {}},
      "nodes": {
        "conv1": {"type": "Conv2d", "from": "x", "params": {"out_channels": "=channels", "kernel_size": 3, "stride": "=stride", "padding": 1, "bias": false}},
        "bn1": {"type": "BatchNorm2d", "from": "conv1"},
        "relu": {"type": "ReLU", "from": "bn1"},
        "conv2": {"type": "Conv2d", "from": "relu", "params": {"out_channels": "=channels", "kernel_size": 3, "padding": 1, "bias": false}},
        "bn2": {"type": "BatchNorm2d", "from": "conv2"},
        "downsample": {"type": "Downsample", "from": "x", "params": {"channels": "=channels", "stride": "=stride"}, "enabled": "=project"},
        "add": {"type": "Add", "from": ["bn2", "downsample"]},
        "relu2": {"type": "ReLU", "from": "add"}
      },
      "outputs": {"y": "relu2"}
    }
  },
  "graph": {
    "inputs": {"image": {"shape": ["B", 3, 64, 64], "dtype": "float32"}},
    "nodes": {
      "conv1": {"type": "Conv2d", "from": "image", "params": {"out_channels": 64, "kernel_size": 7, "stride": 2, "padding": 3, "bias": false}},
      "bn1": {"type": "BatchNorm2d", "from": "conv1"},
      "relu": {"type": "ReLU", "from": "bn1"},
      "maxpool": {"type": "MaxPool2d", "from": "relu", "params": {"kernel_size": 3, "stride": 2, "padding": 1}},
      "layer1": {"type": "BasicBlock", "from": "maxpool", "repeat": 2},
      "layer2": {"type": "BasicBlock", "from": "layer1", "repeat": 2, "params": {"channels": 128, "stride": "=2 if index == 0 else 1", "project": "=index == 0"}},
      "layer3": {"type": "BasicBlock", "from": "layer2", "repeat": 2, "params": {"channels": 256, "stride": "=2 if index == 0 else 1", "project": "=index == 0"}},
      "layer4": {"type": "BasicBlock", "from": "layer3", "repeat": 2, "params": {"channels": 512, "stride": "=2 if index == 0 else 1", "project": "=index == 0"}},
      "avgpool": {"type": "AdaptiveAvgPool2d", "from": "layer4", "params": {"output_size": 1}},
      "flatten": {"type": "Flatten", "from": "avgpool"},
      "fc": {"type": "Linear", "from": "flatten", "params": {"out_features": 1000}}
    },
    "outputs": {"logits": "fc"}
  }
})";

graph::ResolvedModel resolved() {
    const auto json = parseJson(kResNet18, "ResNet-18");
    EXPECT_TRUE(json.has_value());
    const auto document = graph::readDocument(*json);
    EXPECT_TRUE(document.has_value()) << toSentence(document.error());
    return graph::resolve(*document, blocks::builtinBlocks());
}

TEST(ResNet18, HasTorchvisionsStateDict) {
    const auto model = Model::build(resolved(), {});
    ASSERT_TRUE(model.has_value()) << toSentence(model.error());
    std::int64_t parameters = 0;
    for (const NamedState& parameter : (*model)->parameters()) {
        parameters += parameter.tensor.numel();
    }
    EXPECT_EQ(parameters, 11'689'512);
    EXPECT_EQ((*model)->graph().parameterCount(), 11'689'512);
    EXPECT_EQ((*model)->parameters().size(), 62U);
    const std::vector<NamedState> state = (*model)->stateDict();
    ASSERT_EQ(state.size(), 122U);
    std::vector<std::string> names;
    for (const NamedState& item : state) {
        names.push_back(item.name);
    }
    EXPECT_EQ(std::vector<std::string>(names.begin(), names.begin() + 8),
              (std::vector<std::string>{"conv1.weight", "bn1.weight", "bn1.bias", "bn1.running_mean", "bn1.running_var",
                                        "bn1.num_batches_tracked", "layer1.0.conv1.weight", "layer1.0.bn1.weight"}));
    const auto at = [&](const char* name) { return std::find(names.begin(), names.end(), name) - names.begin(); };
    EXPECT_LT(at("layer2.0.bn2.num_batches_tracked"), at("layer2.0.downsample.0.weight"));
    EXPECT_EQ(at("layer2.0.downsample.0.weight") + 1, at("layer2.0.downsample.1.weight"));
    EXPECT_LT(at("layer2.0.downsample.1.num_batches_tracked"), at("layer2.1.conv1.weight"));
    EXPECT_EQ(at("fc.bias"), 121);
}

TEST(ResNet18, RunsAndLearnsThroughEveryParameter) {
    const auto model = Model::build(resolved(), {});
    ASSERT_TRUE(model.has_value()) << toSentence(model.error());
    const auto outputs = (*model)->forward({at::rand({2, 3, 64, 64})});
    ASSERT_TRUE(outputs.has_value()) << toSentence(outputs.error());
    EXPECT_EQ(outputs->front().sizes(), (std::vector<std::int64_t>{2, 1000}));
    outputs->front().square().sum().backward();
    for (const NamedState& parameter : (*model)->parameters()) {
        EXPECT_TRUE(parameter.tensor.grad().defined()) << parameter.name;
    }
}

}  // namespace
}  // namespace plumbline::model
