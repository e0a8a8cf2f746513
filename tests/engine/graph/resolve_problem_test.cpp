// What is wrong with a model, told so that a person knows what to do; and everything else is still shown.

#include <gtest/gtest.h>

#include "graph_support.h"

namespace plumbline::graph {
namespace {

struct Wrong {
    const char* nodes;
    const char* outputs;
    const char* code;
    const char* pointer;  ///< below /model/graph
    const char* says;     ///< part of the message
};

TEST(Problems, AWireThatIsGoneCanBePutBackByARemedy) {
    const Json model = rootModel(
        R"({"a": {"type": "ReLU", "from": "x"}, "b": {"type": "Tanh"}, "c": {"type": "ReLU", "from": "b"}, "d": {"type": "ReLU", "from": "c"}})",
        R"({"y": "c"})");
    const ResolvedModel broken = resolved(model);
    const Problem* problem = findProblem(broken.problems, "input-not-connected");
    ASSERT_NE(problem, nullptr);
    ASSERT_EQ(problem->remedies.size(), 1U) << "d comes after b, and c and x are read";
    EXPECT_EQ(problem->remedies[0].title, "Connect b to a");
    EXPECT_EQ(findProblem(resolved(mended(model, problem->remedies[0])).problems, "input-not-connected"), nullptr);
}

TEST(Problems, AKernelLargerThanItsInputIsMadeAsLargeAsFits) {
    const Json model = rootModel(
        R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 4, "kernel_size": 11, "padding": 1}}})",
        R"({"y": "a"})");
    const ResolvedModel broken = resolved(model);
    const Problem* problem = findProblem(broken.problems, "shape-mismatch");
    ASSERT_NE(problem, nullptr);
    ASSERT_EQ(problem->remedies.size(), 1U);
    EXPECT_EQ(problem->remedies[0].title, "Set kernel_size to 10");
    EXPECT_TRUE(resolved(mended(model, problem->remedies[0])).ok());
}

TEST(Problems, EachHasItsCodePointerAndSentence) {
    const Wrong cases[] = {
        {R"({"a": {"type": "Conv2D", "from": "x", "params": {}}})", R"({"y": "a"})", "unknown-block", "/nodes/a/type",
         "Did you mean \"Conv2d\"?"},
        {R"({"a": {"type": "Telescope", "from": "x"}})", R"({"y": "a"})", "unknown-block", "/nodes/a/type",
         "neither a block nor a definition"},
        {R"({"conv1": {"type": "ReLU", "from": "x"}, "b": {"type": "ReLU", "from": "conv"}})", R"({"y": "b"})",
         "dangling-wire", "/nodes/b/from", "Did you mean \"conv1\"?"},
        {R"({"a": {"type": "ReLU", "from": "x"}})", R"({"y": "b9"})", "dangling-wire", "/outputs/y",
         "The output y reads from \"b9\""},
        {R"({"a": {"type": "ReLU"}})", R"({"y": "a"})", "input-not-connected", "/nodes/a",
         "a has nothing connected to its input"},
        {R"({"a": {"type": "Add"}})", R"({"y": "a"})", "input-not-connected", "/nodes/a",
         "nothing connected to its inputs"},
        {R"({"a": {"type": "ReLU", "from": ["x", "x"]}})", R"({"y": "a"})", "too-many-inputs", "/nodes/a/from/1",
         "takes 1 input"},
        {R"({"a": {"type": "ReLU", "from": {"inptu": "x"}}})", R"({"y": "a"})", "unknown-port", "/nodes/a/from/inptu",
         "Did you mean \"input\"?"},
        {R"({"a": {"type": "Flatten", "from": "x", "params": {"end_dim": 2}}, "b": {"type": "LSTM", "from": "a", "params": {"hidden_size": 3}}, "c": {"type": "ReLU", "from": "b.hn"}})",
         R"({"y": "c"})", "unknown-port", "/nodes/c/from", "output, h_n and c_n"},
        {R"({"a": {"type": "ReLU", "from": {"input": "x", "0": "x"}}})", R"({"y": "a"})", "input-connected-twice",
         "/nodes/a/from/0", "two connections"},
        {R"({"a": {"type": "Add", "from": ["x", "c"]}, "b": {"type": "ReLU", "from": "a"}, "c": {"type": "Tanh", "from": "b"}})",
         R"({"y": "c"})", "cycle", "/nodes/a", "a feeds itself through b and c"},
        {R"({"a": {"type": "ReLU", "from": "a"}})", R"({"y": "a"})", "cycle", "/nodes/a", "a feeds itself."},
        {R"({"a": {"type": "ReLU", "from": "b", "enabled": false}, "b": {"type": "ReLU", "from": "a", "enabled": false}})",
         R"({"y": "a"})", "cycle", "/nodes/a", "feeds itself"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 4}}})", R"({"y": "a"})",
         "missing-parameter", "/nodes/a/params/kernel_size", "a needs kernel_size"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 4, "kernel_size": 3, "paddin": 1}}})",
         R"({"y": "a"})", "unknown-parameter", "/nodes/a/params/paddin", "Did you mean \"padding\"?"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 0, "kernel_size": 3}}})", R"({"y": "a"})",
         "bad-parameter", "/nodes/a/params/out_channels", "a has out_channels = 0; it has to be 1 or more"},
        {R"({"a": {"type": "Dropout", "from": "x", "params": {"p": 1.5}}})", R"({"y": "a"})", "bad-parameter",
         "/nodes/a/params/p", "between 0 and 1"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": "four", "kernel_size": 3}}})",
         R"({"y": "a"})", "bad-parameter", "/nodes/a/params/out_channels", "a whole number"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": "=8 / 2", "kernel_size": 3}}})",
         R"({"y": "a"})", "bad-parameter", "/nodes/a/params/out_channels", "Use // instead of /"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 4, "kernel_size": 3, "padding": "sane"}}})",
         R"({"y": "a"})", "bad-parameter", "/nodes/a/params/padding", "Did you mean \"same\"?"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 99999999999, "kernel_size": 3}}})",
         R"({"y": "a"})", "bad-parameter", "/nodes/a/params/out_channels", "2^31"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 4, "kernel_size": [3, 3, 3]}}})",
         R"({"y": "a"})", "bad-parameter", "/nodes/a/params/kernel_size", "list of 2"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 2000000000, "kernel_size": 2000000000, "padding": 1000000000}}})",
         R"({"y": "a"})", "too-large", "/nodes/a", "memory"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": "=4 *", "kernel_size": 3}}})",
         R"({"y": "a"})", "bad-expression", "/nodes/a/params/out_channels", "column"},
        {R"({"a": {"type": "ReLU", "from": "x", "enabled": "=1 + 1"}})", R"({"y": "a"})", "bad-parameter",
         "/nodes/a/enabled", "true or false"},
        {R"({"a": {"type": "ReLU", "from": "x", "repeat": "=1.5"}})", R"({"y": "a"})", "bad-parameter",
         "/nodes/a/repeat", "a whole number from 0"},
        {R"({"a": {"type": "ReLU", "from": "x", "repeat": 2000000000}})", R"({"y": "a"})", "model-too-large", "",
         "Lower a repeat"},
        {R"({"a": {"type": "ReLU", "from": "x", "enabled": false, "repeat": 2000000000}})", R"({"y": "a"})",
         "model-too-large", "", "Lower a repeat"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 4, "kernel_size": 9}}})", R"({"y": "a"})",
         "shape-mismatch", "/nodes/a/params/kernel_size", "gets [B, 3, 8, 8] from x"},
        {R"({"a": {"type": "BatchNorm1d", "from": "x"}})", R"({"y": "a"})", "shape-mismatch", "/nodes/a",
         "expects [B, C] or [B, C, L] and gets [B, 3, 8, 8] from x"},
        {R"({"a": {"type": "ToDtype", "from": "x", "params": {"dtype": "int64"}}, "b": {"type": "Linear", "from": "a", "params": {"out_features": 2}}})",
         R"({"y": "b"})", "dtype-mismatch", "/nodes/b", "gets int64 from a"},
        {R"({"a": {"type": "Embedding", "from": "x", "params": {"num_embeddings": 2, "embedding_dim": 2}}})",
         R"({"y": "a"})", "dtype-mismatch", "/nodes/a", "gets float32 from x"},
        {R"({"a": {"type": "Permute", "from": "x", "params": {"dims": [1, 0, 2, 3]}}, "b": {"type": "Conv2d", "from": "a", "params": {"out_channels": 2, "kernel_size": 1}}})",
         R"({"y": "b"})", "size-not-fixed", "/nodes/b", "needs a fixed number of channels and gets B from a"},
        {R"({"a": {"type": "MaxPool2d", "from": "x", "params": {"kernel_size": 2}}, "b": {"type": "Add", "from": ["x", "a"]}})",
         R"({"y": "b"})", "shape-mismatch", "/nodes/b", "gets [B, 3, 8, 8] from x and [B, 3, 4, 4] from a"},
        {R"({"a": {"type": "Linear", "from": "x", "params": {"out_features": 8}}, "b": {"type": "Linear", "from": "a", "params": {"out_features": 9}, "weights": "a"}})",
         R"({"y": "b"})", "weights-differ", "/nodes/b", "different shapes"},
        {R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 3, "kernel_size": 1}}, "b": {"type": "Conv2d", "from": "a", "params": {"out_channels": 3, "kernel_size": 1, "stride": 2}, "weights": "a"}})",
         R"({"y": "b"})", "weights-differ", "/nodes/b", "their stride differs"},
        {R"({"b": {"type": "Linear", "from": "x", "params": {"out_features": 8}, "weights": "nothing"}})",
         R"({"y": "b"})", "weights-owner-missing", "/nodes/b", "nothing, which is not there"},
        {R"({"b": {"type": "Linear", "from": "x", "params": {"out_features": 8}, "weights": "c"}, "c": {"type": "Linear", "from": "b", "params": {"out_features": 8}}})",
         R"({"y": "c"})", "weights-owner-later", "/nodes/b", "comes after it"},
        {R"({"a": {"type": "LSTM", "from": {"input": "f"}, "params": {"hidden_size": 4}, "enabled": false}, "f": {"type": "Flatten", "from": "x", "params": {"start_dim": 2}}, "b": {"type": "ReLU", "from": "a.h_n"}})",
         R"({"y": "b"})", "no-value", "/nodes/b", "switched off"},
        {R"({})", R"({})", "empty-model", "", "no blocks yet"},
        {R"({"a": {"type": "ReLU", "from": "x"}})", R"({})", "no-output", "/outputs", "no output"},
        {R"({"a": {"type": "ReLU", "from": "x"}})", R"({"y": ""})", "output-not-connected", "/outputs/y",
         "The output y"},
        {R"({"a": {"type": "ReLU", "from": "x.y"}})", R"({"y": "a"})", "unknown-port", "/nodes/a/from", "has no parts"},
    };
    for (const Wrong& wrong : cases) {
        const ResolvedModel model = resolved(rootModel(wrong.nodes, wrong.outputs));
        EXPECT_FALSE(model.ok()) << wrong.nodes;
        const Problem* problem = findProblem(model.problems, wrong.code);
        ASSERT_NE(problem, nullptr) << wrong.code << " in " << wrong.nodes << "\n" << problemsOf(model.problems);
        const std::string pointer =
            std::string(wrong.code) == "model-too-large" ? "/model" : std::string("/model/graph") + wrong.pointer;
        EXPECT_EQ(problem->pointer, pointer) << problem->message;
        EXPECT_NE(problem->message.find(wrong.says), std::string::npos) << problem->message;
        EXPECT_EQ(problem->message.find('{'), std::string::npos) << problem->message;
        EXPECT_TRUE(problem->message.ends_with('.') || problem->message.ends_with('?')) << problem->message;
        if (std::string(wrong.code) == "cycle") {
            EXPECT_TRUE(model.executionOrder.empty());
        }
        int critical = 0;
        for (const Problem& one : model.problems) {
            critical += one.severity == Severity::kCritical ? 1 : 0;
        }
        EXPECT_EQ(critical, 1) << "one cause, one problem: " << wrong.nodes << "\n" << problemsOf(model.problems);
    }
}

TEST(Problems, ADisagreementSaysWhoWantsWhatAndOffersTheFix) {
    const Json model =
        rootModel(R"({"block1": {"type": "Conv2d", "from": "x", "params": {"out_channels": 16, "kernel_size": 1}},
        "conv2": {"type": "Conv2d", "from": "block1", "params": {"in_channels": 32, "out_channels": 4, "kernel_size": 1}}, "act": {"type": "ReLU", "from": "conv2"}})",
                  R"({"y": "act"})");
    const ResolvedModel before = resolved(model);
    ASSERT_EQ(before.problems.size(), 1U) << problemsOf(before.problems);
    const Problem& problem = before.problems[0];
    EXPECT_EQ(problem.message,
              "conv2 expects 32 channels and gets 16 from block1. Set in_channels to 16, or connect a block with 32.");
    EXPECT_EQ(problem.pointer, "/model/graph/nodes/conv2/params/in_channels");
    EXPECT_EQ(shapeOf(before, "/act"), "B, 4, 8, 8") << "the rest is still shown";
    ASSERT_EQ(problem.remedies.size(), 2U);
    EXPECT_EQ(problem.remedies[0].title, "Set in_channels to 16");
    for (const Remedy& remedy : problem.remedies) {
        const ResolvedModel after = resolved(mended(model, remedy));
        EXPECT_TRUE(after.problems.empty()) << remedy.title << "\n" << problemsOf(after.problems);
    }
}

TEST(Problems, RemediesOfOtherProblemsHoldToo) {
    const std::pair<const char*, const char*> cases[] = {
        {"unknown-block", R"({"a": {"type": "Relu", "from": "x"}})"},
        {"dangling-wire", R"({"conv1": {"type": "ReLU", "from": "x"}, "a": {"type": "ReLU", "from": ["conv"]}})"},
        {"unknown-parameter",
         R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channel": 4, "kernel_size": 3}}})"},
        {"bad-parameter", R"({"a": {"type": "Dropout", "from": "x", "params": {"p": 1.5}}})"},
        {"bad-parameter", R"({"a": {"type": "GELU", "from": "x", "params": {"approximate": "tan"}}})"},
        {"dtype-mismatch",
         R"({"i": {"type": "ToDtype", "from": "x", "params": {"dtype": "float64"}}, "a": {"type": "Linear", "from": "i", "params": {"out_features": 2}}})"},
        {"dtype-mismatch",
         R"({"a": {"type": "Embedding", "from": {"input": "x"}, "params": {"num_embeddings": 5, "embedding_dim": 2}}})"},
        {"inferred-disagrees", R"({"a": {"type": "LayerNorm", "from": "x", "params": {"normalized_shape": [8, 9]}}})"},
        {"inferred-disagrees", R"({"a": {"type": "BatchNorm2d", "from": "x", "params": {"num_features": "=2 + 2"}}})"},
    };
    for (const auto& [code, nodes] : cases) {
        const Json model = rootModel(nodes, R"({"y": "a"})");
        const ResolvedModel before = resolved(model);
        const Problem* problem = findProblem(before.problems, code);
        ASSERT_NE(problem, nullptr) << nodes << problemsOf(before.problems);
        ASSERT_FALSE(problem->remedies.empty()) << nodes;
        const ResolvedModel after = resolved(mended(model, problem->remedies[0]));
        EXPECT_TRUE(after.ok()) << nodes << "\n" << problemsOf(after.problems);
    }
}

TEST(Problems, InADefinitionTheyAreToldOnceWithThePathOfTheFirstInstance) {
    const std::string definitions = R"({"Block": {"parameters": {"n": {"type": "int", "max": 8}}, "inputs": {"x": {}},
        "nodes": {"fc": {"type": "Linear", "from": "x", "params": {"in_features": 3, "out_features": "=n"}}}, "outputs": {"y": "fc"}}})";
    const ResolvedModel model =
        resolved(rootModel(R"({"a": {"type": "Block", "from": "x", "repeat": 5, "params": {"n": 8}}})", R"({"y": "a"})",
                           R"(["B", 8])", definitions));
    ASSERT_EQ(model.problems.size(), 1U) << problemsOf(model.problems);
    EXPECT_EQ(model.problems[0].block, "a.0.fc");
    EXPECT_EQ(model.problems[0].message,
              "a.0.fc expects 3 features and gets 8 from x. Set in_features to 8, or connect a block with 3.");
}

TEST(Problems, AMissingParameterOfADefinitionIsToldOnceAndNotInsideIt) {
    const std::string definitions =
        R"({"Block": {"parameters": {"n": {"type": "int"}, "m": {"type": "int", "default": "=n * 2"}}, "inputs": {"x": {}},
        "nodes": {"fc": {"type": "Linear", "from": "x", "params": {"out_features": "=n"}}, "fc2": {"type": "Linear", "from": "fc", "params": {"out_features": "=m"}}}, "outputs": {"y": "fc2"}}})";
    const ResolvedModel model =
        resolved(rootModel(R"({"a": {"type": "Block", "from": "x"}})", R"({"y": "a"})", R"(["B", 8])", definitions));
    ASSERT_EQ(model.problems.size(), 1U) << problemsOf(model.problems);
    EXPECT_EQ(model.problems[0].code, "missing-parameter");
    EXPECT_EQ(model.problems[0].pointer, "/model/graph/nodes/a/params/n");
}

TEST(Problems, DefinitionsThatContainThemselvesAreRefused) {
    const std::string self =
        R"({"A": {"inputs": {"x": {}}, "nodes": {"a": {"type": "A", "from": "x"}}, "outputs": {"y": "a"}}})";
    EXPECT_NE(
        findProblem(
            resolved(rootModel(R"({"a": {"type": "A", "from": "x"}})", R"({"y": "a"})", R"(["B"])", self)).problems,
            "recursive-definition"),
        nullptr);
    const std::string circle =
        R"({"A": {"inputs": {"x": {}}, "nodes": {"b": {"type": "B", "from": "x"}}, "outputs": {"y": "b"}},
        "B": {"inputs": {"x": {}}, "nodes": {"a": {"type": "A", "from": "x"}}, "outputs": {"y": "a"}}})";
    const ResolvedModel model =
        resolved(rootModel(R"({"a": {"type": "A", "from": "x"}})", R"({"y": "a"})", R"(["B"])", circle));
    ASSERT_NE(findProblem(model.problems, "recursive-definition"), nullptr);
    EXPECT_NE(findProblem(model.problems, "recursive-definition")->message.find("A and B"), std::string::npos);
}

TEST(Problems, ADefinitionThatDoublesItselfManyTimesIsTooLargeAtOnce) {
    std::string definitions =
        R"({"D0": {"inputs": {"x": {}}, "nodes": {"a": {"type": "ReLU", "from": "x"}}, "outputs": {"y": "a"}})";
    for (int i = 1; i <= 40; ++i) {
        const std::string inner = "D" + std::to_string(i - 1);
        definitions += ", \"D" + std::to_string(i) + R"(": {"inputs": {"x": {}}, "nodes": {"a": {"type": ")" + inner +
                       R"(", "from": "x"}, "b": {"type": ")" + inner + R"(", "from": "a"}}, "outputs": {"y": "b"}})";
    }
    const ResolvedModel model =
        resolved(rootModel(R"({"a": {"type": "D40", "from": "x"}})", R"({"y": "a"})", R"(["B"])", definitions + "}"));
    EXPECT_NE(findProblem(model.problems, "model-too-large"), nullptr);
    EXPECT_LE(model.nodes.size(), kMaxExpandedBlocks);
}

TEST(Problems, AHalfBuiltModelShowsWhatCanBeKnown) {
    const ResolvedModel model =
        resolved(rootModel(R"({"a": {"type": "Conv2d", "from": "x", "params": {"out_channels": 4, "kernel_size": 3}},
        "b": {"type": "Conv2d", "from": "a", "params": {"out_channels": 4}}, "c": {"type": "ReLU", "from": "b"}, "d": {"type": "ReLU"}, "e": {"type": "Tanh", "from": "a"}})",
                           R"({"y": "c"})"));
    EXPECT_EQ(shapeOf(model, "/a"), "B, 4, 6, 6");
    EXPECT_EQ(shapeOf(model, "/e"), "B, 4, 6, 6");
    EXPECT_EQ(shapeOf(model, "/c"), "unknown");
    EXPECT_EQ(model.problems.size(), 4U) << problemsOf(
        model.problems);  // b lacks a parameter, d an input; nothing reads d and e
    EXPECT_EQ(model.nodes.size(), 5U);
    EXPECT_EQ(model.executionOrder.size(), 5U);
}

TEST(Problems, ABlockThatNobodyReadsIsAWarning) {
    const ResolvedModel model = resolved(
        rootModel(R"({"a": {"type": "ReLU", "from": "x"}, "b": {"type": "Tanh", "from": "x"}})", R"({"y": "a"})"));
    EXPECT_TRUE(model.ok());
    ASSERT_EQ(model.problems.size(), 1U);
    EXPECT_EQ(model.problems[0].code, "unread-block");
    EXPECT_EQ(model.problems[0].block, "b");
}

}  // namespace
}  // namespace plumbline::graph
