#include <gtest/gtest.h>

#include "graph_support.h"

namespace plumbline::graph {
namespace {

const char* const kChain = R"({"conv": {"type": "Conv2d", "from": "x", "params": {"out_channels": 4, "kernel_size": 3}},
    "bn": {"type": "BatchNorm2d", "from": "conv"}, "relu": {"type": "ReLU", "from": "bn"},
    "pool": {"type": "AdaptiveAvgPool2d", "from": "relu"}, "flatten": {"type": "Flatten", "from": "pool"},
    "fc": {"type": "Linear", "from": "flatten", "params": {"out_features": 2}}})";

Document chain() {
    return documentOf(rootModel(kChain, R"({"y": "fc"})"));
}

Node relu(const std::string& name) {
    Node node;
    node.name = name;
    node.type = "ReLU";
    return node;
}

TEST(Edit, RemovingABlockBridgesItsReaders) {
    Document document = chain();
    ASSERT_TRUE(removeNodes(document.root, {"bn", "relu"}, true));
    EXPECT_EQ(document.root.find("pool")->inputs[0].source.node, "conv");
    EXPECT_TRUE(resolve(document, blocks::builtinBlocks()).ok());
}

TEST(Edit, RemovingABlockWithoutABridgeLeavesItsReadersOpen) {
    Document document = chain();
    ASSERT_TRUE(removeNodes(document.root, {"fc", "relu"}, false));
    EXPECT_TRUE(document.root.find("pool")->inputs.empty());
    EXPECT_TRUE(document.root.outputs[0].source.node.empty());
    EXPECT_TRUE(readDocument(writeDocument(document)));
    const ResolvedModel model = resolve(document, blocks::builtinBlocks());
    EXPECT_TRUE(findProblem(model.problems, "input-not-connected"));
    EXPECT_TRUE(findProblem(model.problems, "output-not-connected"));
    EXPECT_EQ(shapeOf(model, "/bn"), "B, 4, 6, 6");
}

TEST(Edit, AnOpenInputInTheMiddleKeepsTheOthersInPlace) {
    Document document = documentOf(rootModel(
        R"({"a": {"type": "ReLU", "from": "x"}, "b": {"type": "ReLU", "from": "x"}, "c": {"type": "Concat", "from": ["a", "b", "x"]}})",
        R"({"y": "c"})"));
    ASSERT_TRUE(removeNodes(document.root, {"b"}, false));
    EXPECT_EQ(writeInputs(*document.root.find("c")).dump(), R"(["a","","x"])");
    EXPECT_EQ(documentOf(writeDocument(document)), document);
    EXPECT_TRUE(findProblem(resolve(document, blocks::builtinBlocks()).problems, "input-not-connected"));
}

TEST(Edit, RenamingFollowsEveryReference) {
    Document document = documentOf(rootModel(
        R"({"a": {"type": "LSTM", "from": "x", "params": {"hidden_size": 8}}, "b": {"type": "LSTM", "from": ["x", "a.h_n", "a.c_n"], "params": {"hidden_size": 8}, "weights": "a"}})",
        R"({"y": "a", "z": "b.h_n"})", R"([5, "B", 8])"));
    ASSERT_TRUE(renameNode(document.root, "a", "encoder"));
    EXPECT_EQ(document.root.find("b")->weights, "encoder");
    EXPECT_EQ(document.root.find("b")->inputs[1].source.toString(), "encoder.h_n");
    EXPECT_EQ(document.root.outputs[0].source.node, "encoder");
    const ResolvedModel model = resolve(document, blocks::builtinBlocks());
    EXPECT_TRUE(model.ok()) << problemsOf(model.problems);
}

TEST(Edit, RefusedEditsChangeNothing) {
    Document document = chain();
    const Document before = document;
    EXPECT_FALSE(addNode(document.root, relu("conv")));
    EXPECT_FALSE(addNode(document.root, relu("x")));
    EXPECT_FALSE(addNode(document.root, relu("a b")));
    EXPECT_FALSE(renameNode(document.root, "conv", "bn"));
    EXPECT_FALSE(renameNode(document.root, "nothing", "other"));
    EXPECT_FALSE(removeNodes(document.root, {"conv", "nothing"}, true));
    EXPECT_FALSE(groupNodes(document, "", {}, "Group", "group"));
    EXPECT_FALSE(groupNodes(document, "", {"conv", "relu"}, "Group", "group")) << "bn stands between";
    EXPECT_FALSE(groupNodes(document, "", {"conv"}, "Group", "fc"));
    EXPECT_FALSE(groupNodes(document, "Nothing", {"conv"}, "Group", "group"));
    EXPECT_EQ(document, before);
}

TEST(Edit, FreeNamesCountUp) {
    const Document document = chain();
    EXPECT_EQ(freeName(document.root, "conv"), "conv2");
    EXPECT_EQ(freeName(document.root, "dropout"), "dropout");
    EXPECT_EQ(freeName(document.root, "x"), "x2");
    EXPECT_EQ(freeName(document.root, "not a name"), "block");
}

TEST(Edit, GroupingKeepsParametersShapesAndCosts) {
    Document document = chain();
    const ResolvedModel before = resolve(document, blocks::builtinBlocks());
    ASSERT_TRUE(groupNodes(document, "", {"bn", "conv", "relu"}, "ConvBlock", "block"));
    EXPECT_EQ(documentOf(writeDocument(document)), document);
    const ResolvedModel after = resolve(document, blocks::builtinBlocks());
    ASSERT_TRUE(after.ok()) << problemsOf(after.problems);
    EXPECT_EQ(after.parameterCount(), before.parameterCount());
    EXPECT_EQ(after.macs(), before.macs());
    ASSERT_EQ(after.nodes.size(), before.nodes.size());
    for (std::size_t i = 0; i < after.nodes.size(); ++i) {
        EXPECT_EQ(after.nodes[i].path, (i < 3 ? "block." : "") + before.nodes[i].path) << "order and names stay";
        EXPECT_EQ(after.nodes[i].params, before.nodes[i].params);
        ASSERT_EQ(after.nodes[i].state.size(), before.nodes[i].state.size());
        for (std::size_t k = 0; k < after.nodes[i].state.size(); ++k) {
            EXPECT_EQ(after.nodes[i].state[k].dims, before.nodes[i].state[k].dims);
        }
        EXPECT_EQ(after.values[static_cast<std::size_t>(after.nodes[i].outputs[0])].type,
                  before.values[static_cast<std::size_t>(before.nodes[i].outputs[0])].type);
    }
}

TEST(Edit, AGroupInADefinitionGetsTheParametersItUses) {
    Document document = documentOf(rootModel(
        R"({"a": {"type": "Block", "from": "x", "params": {"channels": 6}}})", R"({"y": "a"})", R"(["B", 3, 8, 8])",
        R"({"Block": {"parameters": {"channels": {"type": "int"}, "p": {"type": "float", "default": 0.1}}, "inputs": {"x": {}},
            "nodes": {"conv": {"type": "Conv2d", "from": "x", "params": {"out_channels": "=channels", "kernel_size": 1}}, "sum": {"type": "Add", "from": ["conv", "conv"]},
                      "drop": {"type": "Dropout", "from": "sum", "params": {"p": "=p"}}}, "outputs": {"y": "drop"}}})"));
    ASSERT_TRUE(groupNodes(document, "Block", {"conv", "sum"}, "Inner", "inner"));
    ASSERT_EQ(document.definition("Inner")->parameters.size(), 1U);
    const ResolvedModel model = resolve(document, blocks::builtinBlocks());
    EXPECT_TRUE(model.ok()) << problemsOf(model.problems);
    EXPECT_EQ(model.nodes[0].path, "a.inner.conv");
    EXPECT_EQ(model.nodes[0].params.at("out_channels"), 6);
}

TEST(Edit, AGroupThatReadsNumberedBlocksCanBeReadAgain) {
    Document document = documentOf(rootModel(
        R"({"0": {"type": "ReLU", "from": "x"}, "1": {"type": "Tanh", "from": "x"}, "2": {"type": "Add", "from": ["0", "1"]},
        "3": {"type": "ReLU", "from": "2"}, "4": {"type": "Add", "from": ["2", "3"]}})",
        R"({"y": "4"})"));
    ASSERT_TRUE(groupNodes(document, "", {"2", "3"}, "Sum", "sum"));
    EXPECT_EQ(documentOf(writeDocument(document)), document);
    EXPECT_TRUE(resolve(document, blocks::builtinBlocks()).ok());
    EXPECT_FALSE(groupNodes(document, "", {"4"}, "1", "last")) << "a definition needs a name that the file may hold";
}

TEST(Edit, NamesThatTheFileMayNotHoldAreKnown) {
    EXPECT_TRUE(isValidName("12") && !isIdentifier("12") && isIdentifier("a1") && !isIdentifier("a-b") &&
                !isIdentifier(""));
    EXPECT_TRUE(isParameterName("channels") && !isParameterName("index") && !isParameterName("None") &&
                !isParameterName("1"));
}

}  // namespace
}  // namespace plumbline::graph
