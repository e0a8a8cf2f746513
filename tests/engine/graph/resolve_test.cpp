#include <gtest/gtest.h>

#include "graph_support.h"

namespace plumbline::graph {
namespace {

const char* const kConvBlock =
    R"({"ConvBlock": {"parameters": {"channels": {"type": "int", "default": 16, "min": 1}, "stride": {"type": "int", "default": 1},
        "dropout": {"type": "float", "default": 0.0, "min": 0, "max": 1}},
    "inputs": {"x": {}},
    "nodes": {"conv": {"type": "Conv2d", "from": "x", "params": {"out_channels": "=channels", "kernel_size": 3, "stride": "=stride", "padding": 1, "bias": false}},
              "bn": {"type": "BatchNorm2d", "from": "conv"}, "relu": {"type": "ReLU", "from": "bn"},
              "drop": {"type": "Dropout2d", "from": "relu", "params": {"p": "=dropout"}, "enabled": "=dropout > 0"}},
    "outputs": {"y": "drop"}}})";

std::vector<std::string> pathsOf(const ResolvedModel& model) {
    std::vector<std::string> paths;
    for (const ResolvedNode& node : model.nodes) {
        paths.push_back(node.path);
    }
    return paths;
}

TEST(Resolve, TheDigitsProjectHasTheShapesAndNamesOfItsPyTorchTwin) {
    const auto project = readJsonFile(PLUMBLINE_SOURCE_DIR "/tests/engine/graph/digits.json");
    ASSERT_TRUE(project);
    const ResolvedModel model = resolved(project->at("model"));
    ASSERT_TRUE(model.ok()) << problemsOf(model.problems);
    EXPECT_EQ(pathsOf(model), (std::vector<std::string>{"stem.conv", "stem.bn", "stem.relu", "layers.0.conv",
                                                        "layers.0.bn", "layers.0.relu", "layers.1.conv", "layers.1.bn",
                                                        "layers.1.relu", "pool", "flatten", "fc"}));
    EXPECT_EQ(model.parameterCount(), 1 * 32 * 9 + 64 + 32 * 32 * 9 + 64 + 32 * 64 * 9 + 128 + 650);
    EXPECT_EQ(model.macs().evaluate({{"B", 1}}), 32 * 9 * 64 + 32 * 32 * 9 * 16 + 32 * 64 * 9 * 16 + 640);
    EXPECT_EQ(shapeOf(model, "/layers"), "B, 64, 4, 4");
    EXPECT_EQ(shapeOf(model, "ConvBlock/x"), "B, 1, 8, 8") << "the first instance";
    EXPECT_EQ(shapeOf(model, "/fc.output"), "B, 10");
    EXPECT_EQ(model.find("stem.conv")->init.at("scheme"), "kaiming_normal") << "from the composite around it";
    EXPECT_TRUE(model.find("layers.0.conv")->init.is_null());
    EXPECT_EQ(model.find("layers.1.conv")->instance, "layers");
    EXPECT_EQ(model.find("layers.1.conv")->pointer, "/model/definitions/ConvBlock/nodes/conv");
    EXPECT_EQ(model.find("layers.1.conv")->params.at("in_channels"), 32);
    EXPECT_EQ(model.executionOrder.size(), model.nodes.size());
}

TEST(Resolve, TheModuleTreeFollowsTheConstructionOrder) {
    const ResolvedModel model =
        resolved(rootModel(R"J({"stem": {"type": "ConvBlock", "from": "x", "params": {"channels": 4}},
        "layers": {"type": "ConvBlock", "from": "stem", "repeat": 2, "params": {"channels": "=8 * (index + 1)"}}, "act": {"type": "Tanh", "from": "layers"}})J",
                           R"({"y": "act"})", R"(["B", 3, 8, 8])", kConvBlock));
    ASSERT_TRUE(model.ok()) << problemsOf(model.problems);
    const ModuleNode& root = model.tree[0];
    ASSERT_EQ(root.children.size(), 3U);
    const auto child = [&](const ModuleNode& node, std::size_t i) -> const ModuleNode& {
        return model.tree[static_cast<std::size_t>(node.children.at(i))];
    };
    EXPECT_EQ(child(root, 0).type, "ConvBlock");
    EXPECT_EQ(child(root, 0).params.at("channels"), 4);
    EXPECT_EQ(child(root, 1).type, "") << "a chain";
    ASSERT_EQ(child(root, 1).children.size(), 2U);
    EXPECT_EQ(child(child(root, 1), 1).path, "layers.1");
    EXPECT_EQ(child(child(root, 1), 1).params.at("channels"), 16);
    EXPECT_EQ(child(child(root, 1), 1).inputs, child(child(root, 1), 0).outputs);
    EXPECT_EQ(model.nodes[static_cast<std::size_t>(child(root, 2).leaf)].path, "act");
    EXPECT_EQ(child(child(root, 0), 0).path, "stem.conv");
}

TEST(Resolve, NodesMayStandInAnyOrder) {
    const ResolvedModel model = resolved(rootModel(
        R"({"fc": {"type": "Linear", "from": "flat", "params": {"out_features": 2}}, "flat": {"type": "Flatten", "from": "x"}})",
        R"({"y": "fc"})"));
    ASSERT_TRUE(model.ok()) << problemsOf(model.problems);
    EXPECT_EQ(pathsOf(model), (std::vector<std::string>{"fc", "flat"})) << "construction order is the file's";
    EXPECT_EQ(model.executionOrder, (std::vector<int>{1, 0}));
    EXPECT_EQ(shapeOf(model, "/fc"), "B, 2");
}

TEST(Resolve, DefinitionsNest) {
    const std::string definitions =
        R"({"Inner": {"parameters": {"n": {"type": "int"}}, "inputs": {"x": {}}, "nodes": {"fc": {"type": "Linear", "from": "x", "params": {"out_features": "=n"}}}, "outputs": {"y": "fc"}},
        "Outer": {"parameters": {"width": {"type": "int"}, "half": {"type": "int", "default": "=width // 2"}}, "inputs": {"x": {}},
                  "nodes": {"a": {"type": "Inner", "from": "x", "params": {"n": "=width"}}, "b": {"type": "Inner", "from": "a", "params": {"n": "=half"}}}, "outputs": {"y": "b"}}})";
    const ResolvedModel model = resolved(rootModel(R"({"m": {"type": "Outer", "from": "x", "params": {"width": 10}}})",
                                                   R"({"y": "m"})", R"(["B", 7])", definitions));
    ASSERT_TRUE(model.ok()) << problemsOf(model.problems);
    EXPECT_EQ(pathsOf(model), (std::vector<std::string>{"m.a.fc", "m.b.fc"}));
    EXPECT_EQ(shapeOf(model, "/m"), "B, 5");
    EXPECT_EQ(model.parameterCount(), 7 * 10 + 10 + 10 * 5 + 5);
}

TEST(Resolve, ASwitchedOffBlockPassesItsFirstInputOn) {
    const ResolvedModel model = resolved(rootModel(
        R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 5, "kernel_size": 1}, "enabled": false},
        "b": {"type": "ReLU", "from": "a"}})",
        R"({"y": "b"})"));
    ASSERT_TRUE(model.ok()) << problemsOf(model.problems);
    EXPECT_EQ(pathsOf(model), (std::vector<std::string>{"b"}));
    EXPECT_EQ(shapeOf(model, "/a"), "B, 3, 8, 8");
    EXPECT_EQ(model.parameterCount(), 0);
}

TEST(Resolve, MembersOfAChainMaySwitchOffByIndex) {
    const ResolvedModel model = resolved(rootModel(
        R"({"a": {"type": "Conv2d", "from": "x", "repeat": 4, "params": {"out_channels": "=index + 1", "kernel_size": 1}, "enabled": "=index % 2 == 1"}})",
        R"({"y": "a"})"));
    ASSERT_TRUE(model.ok()) << problemsOf(model.problems);
    EXPECT_EQ(pathsOf(model), (std::vector<std::string>{"a.1", "a.3"}));
    EXPECT_EQ(shapeOf(model, "/a"), "B, 4, 8, 8");
}

TEST(Resolve, AChainOfNoneIsAWire) {
    const ResolvedModel model = resolved(rootModel(
        R"({"a": {"type": "ReLU", "from": "x", "repeat": 0}, "b": {"type": "Tanh", "from": "a"}})", R"({"y": "b"})"));
    ASSERT_TRUE(model.ok()) << problemsOf(model.problems);
    EXPECT_EQ(pathsOf(model), (std::vector<std::string>{"b"}));
}

TEST(Resolve, SharedWeightsCountOnce) {
    const std::string twins =
        R"({"left": {"type": "ConvBlock", "from": "x", "params": {"channels": 4}}, "right": {"type": "ConvBlock", "from": "x", "params": {"channels": 4}, "weights": "left"},
        "both": {"type": "Concat", "from": ["left", "right"]}})";
    const ResolvedModel model = resolved(rootModel(twins, R"({"y": "both"})", R"(["B", 3, 8, 8])", kConvBlock));
    ASSERT_TRUE(model.ok()) << problemsOf(model.problems);
    EXPECT_EQ(model.find("right.conv")->weightsOf, "left.conv");
    EXPECT_EQ(model.find("right.bn")->weightsOf, "left.bn");
    EXPECT_EQ(model.parameterCount(), 3 * 4 * 9 + 8);
    EXPECT_EQ(model.macs().evaluate({{"B", 1}}), 2 * 3 * 4 * 9 * 64) << "both are computed";
}

TEST(Resolve, SharingALongChainEndsAtTheOwner) {
    const ResolvedModel model = resolved(rootModel(
        R"({"a": {"type": "Linear", "from": "x", "params": {"out_features": 8}}, "b": {"type": "Linear", "from": "a", "params": {"out_features": 8}, "weights": "a"},
        "c": {"type": "Linear", "from": "b", "params": {"out_features": 8}, "weights": "b"}})",
        R"({"y": "c"})"));
    ASSERT_TRUE(model.ok()) << problemsOf(model.problems);
    EXPECT_EQ(model.find("c")->weightsOf, "a");
}

TEST(Resolve, FreezingAndModesAreInherited) {
    const ResolvedModel model = resolved(rootModel(
        R"({"a": {"type": "ConvBlock", "from": "x", "frozen": true, "mode": "eval"}, "b": {"type": "ConvBlock", "from": "a"}})",
        R"({"y": "b"})", R"(["B", 3, 8, 8])", kConvBlock));
    ASSERT_TRUE(model.ok()) << problemsOf(model.problems);
    EXPECT_TRUE(model.find("a.bn")->frozen);
    EXPECT_EQ(model.find("a.bn")->mode, "eval");
    EXPECT_FALSE(model.find("b.bn")->frozen);
    EXPECT_EQ(model.find("b.bn")->mode, "");
}

TEST(Resolve, SymbolsFlowThroughAllArithmetic) {
    const ResolvedModel model = resolved(rootModel(
        R"({"conv": {"type": "Conv2d", "from": "x", "params": {"out_channels": 4, "kernel_size": 3, "stride": 2, "padding": 1}},
        "pool": {"type": "MaxPool2d", "from": "conv", "params": {"kernel_size": 2}}, "flat": {"type": "Flatten", "from": "pool", "params": {"start_dim": 2}}})",
        R"({"y": "flat"})", R"(["B", 3, "H", "4*W"])"));
    ASSERT_TRUE(model.ok()) << problemsOf(model.problems);
    EXPECT_EQ(shapeOf(model, "/conv"), "B, 4, (H + 1) // 2, 2*W") << "rounded up: (H + 2 - 3) // 2 + 1";
    const auto& dims = model.wires.at("/flat").dims;
    for (std::int64_t h : {7, 8, 9, 30}) {
        EXPECT_EQ(dims[2].evaluate({{"H", h}, {"W", 5}}), ((h + 1) / 2 / 2) * 5) << h;
    }
}

TEST(Resolve, SeveralInputsAndOutputsKeepTheirNames) {
    const Json model =
        json(R"({"graph": {"inputs": {"tokens": {"shape": ["B", "T"], "dtype": "int64"}, "extra": {"shape": ["B", 3]}},
        "nodes": {"embed": {"type": "Embedding", "from": "tokens", "params": {"num_embeddings": 20, "embedding_dim": 6}},
                  "lstm": {"type": "LSTM", "from": "embed", "params": {"hidden_size": 5, "batch_first": true}},
                  "last": {"type": "Select", "from": "lstm.output"}, "join": {"type": "Concat", "from": ["last", "extra"]}},
        "outputs": {"logits": "join", "state": "lstm.c_n"}}})");
    const ResolvedModel result = resolved(model);
    ASSERT_TRUE(result.ok()) << problemsOf(result.problems);
    EXPECT_EQ(result.inputs[1].first, "extra");
    EXPECT_EQ(shapeOf(result, "/join"), "B, 8");
    EXPECT_EQ(shapeOf(result, "/lstm.c_n"), "1, B, 5");
    EXPECT_EQ(result.outputs[1].first, "state");
    EXPECT_EQ(result.values[static_cast<std::size_t>(result.outputs[1].second)].port, 2);
    EXPECT_EQ(result.nodes[1].inputs.size(), 3U) << "optional inputs have their place";
    EXPECT_EQ(result.nodes[1].inputs[1], kNoValue);
}

}  // namespace
}  // namespace plumbline::graph
