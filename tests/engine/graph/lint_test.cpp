#include "graph/lints.h"

#include <gtest/gtest.h>

#include "graph_support.h"

namespace plumbline::graph {
namespace {

std::vector<Problem> lintsOf(const Json& model, const std::vector<LossUse>& losses = {}) {
    const Document document = documentOf(model);
    const ResolvedModel result = resolve(document, blocks::builtinBlocks());
    EXPECT_TRUE(result.ok()) << problemsOf(result.problems);
    return lint(result, losses, &document);
}

/// `code` is found, and after each remedy it is not.
void expectMended(const Json& model, const std::string& code, const std::vector<LossUse>& losses = {},
                  std::size_t remedies = 1) {
    const std::vector<Problem> found = lintsOf(model, losses);
    const Problem* problem = findProblem(found, code);
    ASSERT_NE(problem, nullptr) << model.dump() << "\n" << problemsOf(found);
    EXPECT_GE(problem->remedies.size(), remedies) << problem->message;
    for (const Remedy& remedy : problem->remedies) {
        const std::vector<Problem> after = lintsOf(mended(model, remedy), losses);
        EXPECT_EQ(findProblem(after, code), nullptr) << remedy.title << "\n"
                                                     << remedy.patch.dump() << "\n"
                                                     << problemsOf(after);
    }
}

void expectSilent(const Json& model, const std::vector<LossUse>& losses = {}) {
    const std::vector<Problem> found = lintsOf(model, losses);
    EXPECT_TRUE(found.empty()) << model.dump() << "\n" << problemsOf(found);
}

Json twoInputs(const std::string& a, const std::string& b, const std::string& nodes,
               const std::string& outputs = R"({"y": "sum"})") {
    return json("{\"graph\": {\"inputs\": {\"a\": {\"shape\": " + a + "}, \"b\": {\"shape\": " + b +
                "}}, \"nodes\": " + nodes + ", \"outputs\": " + outputs + "}}");
}

const char* const kSum = R"({"sum": {"type": "Add", "from": ["a", "b"]}})";

TEST(Lints, AddOfUnequalShapesIsABroadcast) {
    const Json square = twoInputs(R"(["B", 1])", R"(["B"])", kSum);
    expectMended(square, "implicit-broadcast", {}, 2);
    const auto found = lintsOf(square);
    EXPECT_NE(found[0].message.find("[B, 1] from a with [B] from b"), std::string::npos) << found[0].message;
    EXPECT_NE(found[0].message.find("[B, B]"), std::string::npos) << found[0].message;
    expectMended(twoInputs(R"(["B", 4])", R"(["B", 1])", kSum), "implicit-broadcast");
}

TEST(Lints, AddOfEqualShapesIsNone) {
    expectSilent(twoInputs(R"(["B", 4])", R"(["B", 4])", kSum));
    expectSilent(twoInputs(R"(["B", 4])", R"(["B", 1])",
                           R"({"sum": {"type": "Add", "from": ["a", "b"], "params": {"allow_broadcast": true}}})"));
}

TEST(Lints, AGateIsOnlyWorthARemark) {
    const auto found = lintsOf(
        twoInputs(R"(["B", 4, 8, 8])", R"(["B", 4, 1, 1])", R"({"sum": {"type": "Multiply", "from": ["a", "b"]}})"));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::kInfo);
}

TEST(Lints, ConcatAlongTheBatch) {
    expectMended(
        twoInputs(
            R"(["B", 4])", R"(["B", 3])",
            R"({"n": {"type": "Linear", "from": "b", "params": {"out_features": 4}}, "sum": {"type": "Concat", "from": ["a", "n"], "params": {"dim": 0}}})"),
        "concat-along-batch");
    expectMended(twoInputs(R"([5, "B", 4])", R"([5, "B", 4])",
                           R"({"sum": {"type": "Concat", "from": ["a", "b"], "params": {"dim": -2}}})"),
                 "concat-along-batch");
    expectSilent(twoInputs(R"(["B", 4])", R"(["B", 4])", R"({"sum": {"type": "Concat", "from": ["a", "b"]}})"));
    expectSilent(twoInputs(R"(["T", "B", 4])", R"(["T", "B", 4])",
                           R"({"sum": {"type": "Concat", "from": ["a", "b"], "params": {"dim": 0}}})"));
}

Json head(const std::string& activation, const std::string& params = "{}") {
    return rootModel(R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "act": {"type": ")" +
                         activation + R"(", "from": "fc", "params": )" + params + "}}",
                     R"({"y": "act"})", R"(["B", 4])");
}

TEST(Lints, AnActivationThatTheLossAppliesItself) {
    expectMended(head("Softmax"), "activation-before-loss", {{"CrossEntropyLoss", "y"}});
    expectMended(head("LogSoftmax"), "activation-before-loss", {{"CrossEntropyLoss", "y"}});
    expectMended(head("Sigmoid"), "activation-before-loss", {{"BCEWithLogitsLoss", "y"}});
    EXPECT_EQ(lintsOf(head("LogSoftmax"), {{"CrossEntropyLoss", "y"}})[0].severity, Severity::kInfo)
        << "superfluous, not wrong";
    EXPECT_EQ(lintsOf(head("Softmax"), {{"CrossEntropyLoss", "y"}})[0].severity, Severity::kWarning);
    expectMended(head("Softmax"), "activation-before-loss", {{"FocalLoss", "y"}});
    expectMended(head("Sigmoid"), "activation-before-loss", {{"DiceLoss", "y"}});
    expectMended(head("Sigmoid"), "activation-before-loss", {{"MultiLabelSoftMarginLoss", "y"}});
    EXPECT_EQ(lintsOf(head("LogSoftmax"), {{"DiceCELoss", "y"}})[0].severity, Severity::kWarning)
        << "a softmax of it is none";
    expectSilent(head("Sigmoid"), {{"MSELoss", "y"}});
    expectSilent(head("ReLU"), {{"CrossEntropyLoss", "y"}});
}

TEST(Lints, ALossOfProbabilitiesWantsThemMade) {
    for (const char* loss : {"NLLLoss", "KLDivLoss", "CTCLoss"}) {
        expectSilent(head("LogSoftmax"), {{loss, "y"}});
        expectMended(head("Softmax"), "activation-missing", {{loss, "y"}});
        for (const char* other : {"Sigmoid", "ReLU", "Tanh"}) {
            const auto found = lintsOf(head(other), {{loss, "y"}});
            EXPECT_NE(findProblem(found, "activation-missing"), nullptr) << loss << " after " << other;
        }
    }
    const auto bare = lintsOf(
        rootModel(
            R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "id": {"type": "Identity", "from": "fc"}})",
            R"({"y": "id"})", R"(["B", 4])"),
        {{"NLLLoss", "y"}});
    ASSERT_NE(findProblem(bare, "activation-missing"), nullptr);
    EXPECT_EQ(findProblem(bare, "activation-missing")->block, "fc");
    EXPECT_EQ(findProblem(bare, "activation-missing")->severity, Severity::kWarning);
    expectSilent(head("Sigmoid"), {{"BCELoss", "y"}});
    expectSilent(head("Softmax"), {{"BCELoss", "y"}});
    EXPECT_NE(findProblem(lintsOf(head("Tanh"), {{"BCELoss", "y"}}), "activation-missing"), nullptr);
    expectSilent(head("Tanh"), {{"HingeLoss", "y"}});
}

TEST(Lints, AnActivationBehindAPassThroughIsFoundAndOneBesideTheLossIsNot) {
    expectMended(
        rootModel(
            R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "act": {"type": "Softmax", "from": "fc"}, "out": {"type": "Output", "from": "act"}})",
            R"({"y": "out"})", R"(["B", 4])"),
        "activation-before-loss", {{"CrossEntropyLoss", "y"}});
    expectSilent(
        rootModel(
            R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "act": {"type": "Softmax", "from": "fc"}})",
            R"({"y": "fc", "shares": "act"})", R"(["B", 4])"),
        {{"CrossEntropyLoss", "y"}});
}

TEST(Lints, AParameterBehindADetach) {
    const Json model = rootModel(
        R"({"body": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "stop": {"type": "Detach", "from": "body"},
        "fc": {"type": "Linear", "from": "stop", "params": {"out_features": 2}}})",
        R"({"y": "fc"})", R"(["B", 4])");
    expectMended(model, "unreached-parameter", {{"CrossEntropyLoss", "y"}}, 2);
    const auto found = lintsOf(model, {{"CrossEntropyLoss", "y"}});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NE(found[0].message.find("body has 15 parameters"), std::string::npos) << found[0].message;
    EXPECT_NE(found[0].message.find("gradients stop at stop"), std::string::npos) << found[0].message;
}

TEST(Lints, AParameterOnABranchWithoutALoss) {
    const Json model = rootModel(
        R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 2}}, "extra": {"type": "Linear", "from": "x", "params": {"out_features": 2}}})",
        R"({"y": "fc", "z": "extra"})", R"(["B", 4])");
    expectMended(model, "unreached-parameter", {{"CrossEntropyLoss", "y"}});
    expectSilent(model, {{"CrossEntropyLoss", "y"}, {"MSELoss", "z"}});
    expectSilent(model);
}

TEST(Lints, AParameterThatASecondWayReachesIsFine) {
    expectSilent(
        rootModel(
            R"({"body": {"type": "Linear", "from": "x", "params": {"out_features": 4}}, "stop": {"type": "Detach", "from": "body"}, "sum": {"type": "Add", "from": ["stop", "body"]}})",
            R"({"y": "sum"})", R"(["B", 4])"),
        {{"MSELoss", "y"}});
    expectSilent(
        rootModel(
            R"({"a": {"type": "Linear", "from": "x", "params": {"out_features": 4}}, "stop": {"type": "Detach", "from": "a"}, "b": {"type": "Linear", "from": "stop", "params": {"out_features": 4}, "weights": "a"}})",
            R"({"y": "b"})", R"(["B", 4])"),
        {{"MSELoss", "y"}});
}

TEST(Lints, ADetachedCompositeIsOneFinding) {
    const std::string definitions =
        R"({"Body": {"inputs": {"x": {}}, "nodes": {"a": {"type": "Linear", "from": "x", "params": {"out_features": 4}}, "b": {"type": "Linear", "from": "a", "params": {"out_features": 4}}}, "outputs": {"y": "b"}}})";
    const Json model = rootModel(
        R"({"body": {"type": "Body", "from": "x"}, "stop": {"type": "Detach", "from": "body"}, "fc": {"type": "Linear", "from": "stop", "params": {"out_features": 2}}})",
        R"({"y": "fc"})", R"(["B", 4])", definitions);
    expectMended(model, "unreached-parameter", {{"CrossEntropyLoss", "y"}}, 2);
    EXPECT_EQ(lintsOf(model, {{"CrossEntropyLoss", "y"}})[0].block, "body");
}

TEST(Lints, ARecurrentBlockThatReadsTheBatchAsTime) {
    for (const char* type : {"LSTM", "GRU"}) {
        const std::string nodes =
            std::string(R"({"rnn": {"type": ")") + type + R"(", "from": "x", "params": {"hidden_size": 5}}})";
        expectMended(rootModel(nodes, R"({"y": "rnn"})", R"(["B", 12, 3])"), "sequence-along-batch");
        expectSilent(rootModel(nodes, R"({"y": "rnn"})", R"([12, "B", 3])"));
    }
}

TEST(Lints, AttentionOrPositionsThatReadTheBatchAsTime) {
    for (const char* block : {R"("MultiheadAttention", "from": "x", "params": {"num_heads": 3})",
                              R"("TransformerEncoderLayer", "from": "x", "params": {"nhead": 3})",
                              R"("PositionalEncoding", "from": "x", "params": {})"}) {
        const std::string nodes = std::string(R"({"attend": {"type": )") + block + "}}";
        expectMended(rootModel(nodes, R"({"y": "attend"})", R"(["B", 12, 6])"), "sequence-along-batch");
        expectSilent(rootModel(nodes, R"({"y": "attend"})", R"([12, "B", 6])"));
    }
}

TEST(Lints, ASoftmaxAlongTheBatch) {
    expectMended(rootModel(R"({"soft": {"type": "Softmax", "from": "x", "params": {"dim": 0}}})", R"({"y": "soft"})",
                           R"(["B", 4])"),
                 "softmax-along-batch");
    expectSilent(rootModel(R"({"soft": {"type": "Softmax", "from": "x", "params": {"dim": 1}}})", R"({"y": "soft"})",
                           R"(["B", 4])"));
}

TEST(Lints, ADropoutBetweenTheLastLayerAndALoss) {
    const std::vector<LossUse> loss{{"CrossEntropyLoss", "y"}};
    const char* nodes =
        R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "drop": {"type": "Dropout", "from": "fc", "params": {"p": 0.3}}})";
    const Json model = rootModel(nodes, R"({"y": "drop"})", R"(["B", 4])");
    expectMended(model, "dropout-before-loss", loss, 2);
    const auto found = lintsOf(model, loss);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::kWarning);
    const Json moved = mended(model, found[0].remedies[0])["graph"]["nodes"];
    EXPECT_EQ(found[0].remedies[0].title, "Put drop before fc");
    ASSERT_TRUE(moved.contains("dropout")) << moved.dump();
    EXPECT_EQ(moved["dropout"]["params"]["p"], 0.3);
    EXPECT_EQ(moved["fc"]["from"], "dropout");
    // Behind what only hands values on, and before a sigmoid of a loss that wants one.
    expectMended(
        rootModel(
            R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "drop": {"type": "Dropout2d", "from": "map"},
        "map": {"type": "Reshape", "from": "fc", "params": {"shape": [-1, 3, 1, 1]}}, "flat": {"type": "Flatten", "from": "drop"}, "act": {"type": "Tanh", "from": "flat"}})",
            R"({"y": "act"})", R"(["B", 4])"),
        "dropout-before-loss", {{"MSELoss", "y"}});
}

TEST(Lints, ADropoutBeforeALayerOrThatDropsNothingOrIsMeantIsFine) {
    const std::vector<LossUse> loss{{"CrossEntropyLoss", "y"}};
    const auto last = [&](const std::string& drop) {
        return rootModel(
            R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "drop": {"type": "Dropout", "from": "fc", )" +
                drop + "}}",
            R"({"y": "drop"})", R"(["B", 4])");
    };
    expectSilent(
        rootModel(
            R"({"drop": {"type": "Dropout", "from": "x"}, "fc": {"type": "Linear", "from": "drop", "params": {"out_features": 3}}})",
            R"({"y": "fc"})", R"(["B", 4])"),
        loss);
    expectSilent(last(R"("params": {"p": 0.0})"), loss);
    expectSilent(last(R"("mode": "stochastic")"), loss);
    expectSilent(last(R"("mode": "eval")"), loss);
    expectSilent(last(R"("params": {"p": 0.5})"));  // no loss looks at it
}

TEST(Lints, ABlockThatRunsWithoutGradientsStopsThemAndItsParametersAreUnreached) {
    const Document document = documentOf(rootModel(
        R"({"a": {"type": "Linear", "from": "x", "params": {"out_features": 5}}, "b": {"type": "Linear", "from": "a", "params": {"out_features": 4}},
        "c": {"type": "Linear", "from": "b", "params": {"out_features": 3}}})",
        R"({"y": "c"})", R"(["B", 4])"));
    const ResolvedModel model = resolve(document, blocks::builtinBlocks());
    const std::vector<LossUse> loss{{"CrossEntropyLoss", "y"}};
    EXPECT_TRUE(lint(model, loss, &document).empty());
    const auto found = lint(model, loss, &document, {0, 1, 0});
    ASSERT_EQ(found.size(), 2U) << problemsOf(found);
    for (const Problem& problem : found) {
        EXPECT_EQ(problem.code, "unreached-parameter");
        EXPECT_NE(problem.message.find("gradients stop at b"), std::string::npos) << problem.message;
    }
    const auto all = lint(model, loss, &document, {0, 0, 1});
    const Problem* problem = findProblem(all, "nothing-learns");
    ASSERT_NE(problem, nullptr) << problemsOf(all);
    EXPECT_EQ(problem->severity, Severity::kCritical);
    EXPECT_EQ(problem->pointer, "/training/no_grad");
    EXPECT_NE(problem->message.find("c runs without gradients"), std::string::npos) << problem->message;
}

TEST(Lints, AModelOfWhichNothingIsTrainedOrReachedIsCritical) {
    const std::vector<LossUse> loss{{"CrossEntropyLoss", "y"}};
    const Json detached = rootModel(
        R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "stop": {"type": "Detach", "from": "fc"}})",
        R"({"y": "stop"})", R"(["B", 4])");
    expectMended(detached, "nothing-learns", loss);
    const auto found = lintsOf(detached, loss);
    const Problem* problem = findProblem(found, "nothing-learns");
    ASSERT_NE(problem, nullptr);
    EXPECT_EQ(problem->severity, Severity::kCritical);
    EXPECT_NE(problem->message.find("gradients stop at stop"), std::string::npos) << problem->message;
    // What a gradient would reach is frozen.
    const auto frozen = lintsOf(
        rootModel(
            R"({"body": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "stop": {"type": "Detach", "from": "body"},
        "fc": {"type": "Linear", "from": "stop", "params": {"out_features": 2}, "frozen": true}})",
            R"({"y": "fc"})", R"(["B", 4])"),
        loss);
    EXPECT_NE(findProblem(frozen, "nothing-learns"), nullptr) << problemsOf(frozen);
    for (const char* nodes :
         {R"({"fc": {"type": "Identity", "from": "x"}})",
          R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 4}, "frozen": true}})"}) {
        const auto none = lintsOf(rootModel(nodes, R"({"y": "fc"})", R"(["B", 4])"), loss);
        ASSERT_NE(findProblem(none, "nothing-to-train"), nullptr) << nodes;
        EXPECT_EQ(findProblem(none, "nothing-to-train")->severity, Severity::kCritical);
        EXPECT_EQ(findProblem(lintsOf(rootModel(nodes, R"({"y": "fc"})", R"(["B", 4])")), "nothing-to-train"), nullptr)
            << "without a loss nothing is to be trained";
    }
    // One block that learns is enough, also through a frozen one behind it.
    const auto through = lintsOf(
        rootModel(
            R"({"body": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "fc": {"type": "Linear", "from": "body", "params": {"out_features": 2}, "frozen": true}})",
            R"({"y": "fc"})", R"(["B", 4])"),
        loss);
    EXPECT_TRUE(through.empty()) << problemsOf(through);
}

TEST(Lints, AnInPlaceBlockWhoseInputIsReadElsewhere) {
    const char* nodes =
        R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 4}}, "act": {"type": "ReLU", "from": "fc", "params": {"inplace": true}}, "sum": {"type": "Add", "from": ["act", "fc"]}})";
    expectMended(rootModel(nodes, R"({"y": "sum"})", R"(["B", 4])"), "inplace-shared");
    expectSilent(rootModel(
        R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 4}}, "act": {"type": "ReLU", "from": "fc", "params": {"inplace": true}}})",
        R"({"y": "act"})", R"(["B", 4])"));
}

}  // namespace
}  // namespace plumbline::graph
