#include <gtest/gtest.h>

#include "graph_support.h"

namespace plumbline::graph {
namespace {

Json sample() {
    return json(R"({"definitions": {
        "Head": {"help": "Pools and scores", "parameters": {"classes": {"type": "int", "min": 2, "max": 100, "help": "How many"}, "p": {"type": "float", "default": 0.5, "min": 0.0}},
                 "inputs": {"x": {}}, "nodes": {"0": {"type": "Flatten", "from": "x"}, "1": {"type": "Linear", "from": "0", "params": {"out_features": "=classes"}}}, "outputs": {"y": "1"}}},
        "graph": {"inputs": {"x": {"shape": ["B", 3, "2*T"], "dtype": "float32"}},
                  "nodes": {"rnn": {"type": "LSTM", "from": {"input": "x"}, "params": {"hidden_size": 4, "batch_first": true}, "init": {"scheme": "orthogonal"}, "frozen": true, "mode": "eval", "note": "kept"},
                            "add": {"type": "Add", "from": ["rnn", "rnn.output"]}, "one": {"type": "Concat", "from": ["add"]},
                            "head": {"type": "Head", "from": "one", "params": {"classes": 3}, "enabled": true},
                            "twin": {"type": "Head", "from": "one", "repeat": "=1 + 1", "params": {"classes": 3}, "weights": "head"}},
                  "outputs": {"y": "head", "z": ""}}})");
}

TEST(Document, WhatIsReadIsWrittenAgain) {
    const Json model = sample();
    EXPECT_EQ(writeDocument(documentOf(model)).dump(), model.dump());
}

TEST(Document, AWholeProjectSurvivesExactly) {
    const auto project = readJsonFile(PLUMBLINE_SOURCE_DIR "/tests/engine/graph/digits.json");
    ASSERT_TRUE(project);
    EXPECT_EQ(writeDocument(documentOf(project->at("model"))).dump(), project->at("model").dump());
}

TEST(Document, PortsMayBeNamedOrCounted) {
    const Document document =
        documentOf(rootModel(R"({"a": {"type": "Add", "from": {"1": "x", "0": "x"}}})", R"({"y": "a"})"));
    EXPECT_EQ(document.root.nodes[0].inputs[0].port, "1");
    EXPECT_EQ(writeInputs(document.root.nodes[0]).dump(), R"({"1":"x","0":"x"})");
    EXPECT_EQ(shapeOf(resolve(document, blocks::builtinBlocks()), "/a"), "B, 3, 8, 8");
}

struct BadModel {
    const char* why;
    const char* path;   ///< pointer into the sample that is changed
    const char* value;  ///< new value, or "remove"
    const char* where;  ///< pointer of the error
    const char* code;
};

TEST(Document, EveryMistakeIsOneErrorWithItsPointer) {
    const BadModel cases[] = {
        {"no graph", "/graph", "remove", "/model/graph", "missing-key"},
        {"graph is a list", "/graph", "[]", "/model/graph", "wrong-type"},
        {"unknown key at the top", "/grpah", "{}", "/model/grpah", "unknown-key"},
        {"unknown key of a node", "/graph/nodes/rnn/parms", "{}", "/model/graph/nodes/rnn/parms", "unknown-key"},
        {"unknown key of a graph", "/graph/node", "{}", "/model/graph/node", "unknown-key"},
        {"parameters in the root", "/graph/parameters", "{}", "/model/graph/parameters", "unknown-key"},
        {"no type", "/graph/nodes/rnn/type", "remove", "/model/graph/nodes/rnn/type", "missing-key"},
        {"type is a number", "/graph/nodes/rnn/type", "3", "/model/graph/nodes/rnn/type", "wrong-type"},
        {"from is a number", "/graph/nodes/add/from", "3", "/model/graph/nodes/add/from", "wrong-type"},
        {"from holds a number", "/graph/nodes/add/from/1", "3", "/model/graph/nodes/add/from/1", "wrong-type"},
        {"from is no name", "/graph/nodes/add/from/1", "\"a b\"", "/model/graph/nodes/add/from/1", "bad-source"},
        {"from has two dots", "/graph/nodes/add/from/1", "\"a.b.c\"", "/model/graph/nodes/add/from/1", "bad-source"},
        {"port is no name", "/graph/nodes/rnn/from", "{\"a b\": \"x\"}", "/model/graph/nodes/rnn/from", "bad-name"},
        {"params is a list", "/graph/nodes/rnn/params", "[]", "/model/graph/nodes/rnn/params", "wrong-type"},
        {"enabled is a number", "/graph/nodes/head/enabled", "1", "/model/graph/nodes/head/enabled", "wrong-type"},
        {"repeat is negative", "/graph/nodes/twin/repeat", "-1", "/model/graph/nodes/twin/repeat", "wrong-type"},
        {"repeat is a text", "/graph/nodes/twin/repeat", "\"two\"", "/model/graph/nodes/twin/repeat", "wrong-type"},
        {"init without scheme", "/graph/nodes/rnn/init", "{}", "/model/graph/nodes/rnn/init", "wrong-type"},
        {"frozen is a text", "/graph/nodes/rnn/frozen", "\"yes\"", "/model/graph/nodes/rnn/frozen", "wrong-type"},
        {"unknown mode", "/graph/nodes/rnn/mode", "\"train\"", "/model/graph/nodes/rnn/mode", "unknown-value"},
        {"node is a text", "/graph/nodes/rnn", "\"LSTM\"", "/model/graph/nodes/rnn", "wrong-type"},
        {"nodes is a list", "/graph/nodes", "[]", "/model/graph/nodes", "wrong-type"},
        {"node name with a dot", "/graph/nodes/a.b", "{\"type\": \"ReLU\"}", "/model/graph/nodes/a.b", "bad-name"},
        {"node name that starts with a digit", "/graph/nodes/1a", "{\"type\": \"ReLU\"}", "/model/graph/nodes/1a",
         "bad-name"},
        {"node named like an input", "/graph/nodes/x", "{\"type\": \"ReLU\"}", "/model/graph/nodes/x", "name-taken"},
        {"input without shape", "/graph/inputs/x/shape", "remove", "/model/graph/inputs/x/shape", "missing-key"},
        {"shape is a text", "/graph/inputs/x/shape", "\"B\"", "/model/graph/inputs/x/shape", "wrong-type"},
        {"dimension 0", "/graph/inputs/x/shape/1", "0", "/model/graph/inputs/x/shape/1", "bad-dimension"},
        {"dimension is a float", "/graph/inputs/x/shape/1", "1.5", "/model/graph/inputs/x/shape/1", "wrong-type"},
        {"dimension is no arithmetic", "/graph/inputs/x/shape/1", "\"T +\"", "/model/graph/inputs/x/shape/1",
         "bad-dimension"},
        {"dimension is enormous", "/graph/inputs/x/shape/1", "18446744073709551615", "/model/graph/inputs/x/shape/1",
         "bad-dimension"},
        {"unknown dtype", "/graph/inputs/x/dtype", "\"float\"", "/model/graph/inputs/x/dtype", "unknown-value"},
        {"shape in a definition", "/definitions/Head/inputs/x/shape", "[1]", "/model/definitions/Head/inputs/x/shape",
         "unknown-key"},
        {"output is a list", "/graph/outputs/y", "[]", "/model/graph/outputs/y", "wrong-type"},
        {"definition name is no name", "/definitions/my block", "{}", "/model/definitions/my block", "bad-name"},
        {"definition is a text", "/definitions/Head", "\"x\"", "/model/definitions/Head", "wrong-type"},
        {"parameter without type", "/definitions/Head/parameters/p/type", "remove",
         "/model/definitions/Head/parameters/p/type", "missing-key"},
        {"parameter of an unknown type", "/definitions/Head/parameters/p/type", "\"double\"",
         "/model/definitions/Head/parameters/p/type", "unknown-value"},
        {"default of another type", "/definitions/Head/parameters/p/default", "\"x\"",
         "/model/definitions/Head/parameters/p/default", "wrong-type"},
        {"reserved parameter name", "/definitions/Head/parameters/index", "{\"type\": \"int\"}",
         "/model/definitions/Head/parameters/index", "bad-name"},
        {"min is a text", "/definitions/Head/parameters/p/min", "\"0\"", "/model/definitions/Head/parameters/p/min",
         "wrong-type"},
    };
    for (const BadModel& bad : cases) {
        Json model = sample();
        const Json::json_pointer pointer{bad.path};
        if (std::string(bad.value) == "remove") {
            model.at(pointer.parent_pointer()).erase(pointer.back());
        } else {
            model[pointer] = json(bad.value);
        }
        const auto document = readDocument(model);
        ASSERT_FALSE(document) << bad.why;
        EXPECT_EQ(document.error().where, bad.where) << bad.why << ": " << document.error().message;
        EXPECT_EQ(document.error().code, bad.code) << bad.why << ": " << document.error().message;
        EXPECT_EQ(document.error().exitCode(), 3) << bad.why;
        EXPECT_FALSE(document.error().message.empty()) << bad.why;
    }
}

TEST(Document, NamesAreIdentifiersOrNumbers) {
    for (const char* good : {"conv", "_a", "0", "17", "A1"}) {
        EXPECT_TRUE(isValidName(good)) << good;
    }
    for (const char* bad : {"", "1a", "a.b", "a b", "ä", "a-b"}) {
        EXPECT_FALSE(isValidName(bad)) << bad;
    }
    EXPECT_FALSE(isValidName(std::string(200, 'a')));
}

}  // namespace
}  // namespace plumbline::graph
