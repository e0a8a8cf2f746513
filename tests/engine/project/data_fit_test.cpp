#include "project/data_fit.h"

#include <gtest/gtest.h>

#include "blocks/register.h"
#include "core/files.h"

using namespace plumbline;
using namespace plumbline::project;

namespace {

/// The wine sample (13 numbers, 3 classes) with an edit.
template <typename Edit>
Status fits(Edit edit) {
    const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects/wine";
    Json json = readJsonFile(folder / "project.json").value();
    edit(json);
    const Project project = readProject(json, folder).value();
    return checkData(project, graph::resolve(project.model, blocks::builtinBlocks()));
}

}  // namespace

TEST(DataFit, SampleFits) {
    const Status fit = fits([](Json&) {});
    EXPECT_TRUE(fit) << fit.error().message;
}

TEST(DataFit, InputOfAnotherWidthIsRefusedWithBothShapes) {
    const Status fit = fits([](Json& json) {
        json["model"]["graph"]["inputs"]["features"]["shape"] = Json::array({"B", 12});
    });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "input-shape");
    EXPECT_EQ(fit.error().kind, ErrorKind::kInvalid);
    EXPECT_NE(fit.error().message.find("[B, 13]"), std::string::npos) << fit.error().message;
    EXPECT_NE(fit.error().message.find("[B, 12]"), std::string::npos) << fit.error().message;
}

TEST(DataFit, ALossThatCountsNoSampleIsRefused) {
    const auto weighted = [](const Json& weights) {
        return fits([&](Json& json) { json["training"]["losses"][0]["class_weights"] = weights; });
    };
    EXPECT_TRUE(weighted({0, 0, 1}));
    EXPECT_TRUE(fits([](Json& json) { json["training"]["losses"][0]["ignore_index"] = 0; }))
        << "the other classes count";
    const Status nothing = fits([](Json& json) {
        json["training"]["losses"][0]["ignore_index"] = 2;
        json["training"]["losses"][0]["class_weights"] = {0, 0, 1};
    });
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().code, "nothing-counts");
    EXPECT_EQ(nothing.error().where, "/training/losses/0");
}

TEST(DataFit, WhatOnlyTheDataTellOfTheSettingsIsWarnedOf) {
    const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects/wine";
    const auto warned = [&](const Json& training) {
        Json json = readJsonFile(folder / "project.json").value();
        json["training"].merge_patch(training);
        const Project project = readProject(json, folder).value();
        std::vector<plan::PlanProblem> warnings;
        EXPECT_TRUE(checkData(project, graph::resolve(project.model, blocks::builtinBlocks()), nullptr, &warnings));
        std::vector<std::string> places;
        for (const plan::PlanProblem& warning : warnings) {
            places.push_back(warning.code + " " + warning.pointer);
        }
        return places;
    };
    using Places = std::vector<std::string>;
    EXPECT_EQ(warned(Json::object()), Places{});
    EXPECT_EQ(warned(Json::parse(R"({"losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"},
                                                {"type": "CrossEntropyLoss", "output": "logits", "target": "label", "class_weights": [0, 0, 1], "ignore_index": 2}]})")),
              Places{"nothing-counts /training/losses/1"});
    EXPECT_EQ(
        warned(Json::parse(R"({"early_stopping": {"patience": 500}, "validation": {"unit": "step", "every": 4}})")),
        Places{"patience-outlasts-run /training/early_stopping/patience"});
    EXPECT_EQ(warned({{"averaging", {{"type", "ema"}, {"start", 100000}}}}),
              Places{"averaging-never-begins /training/averaging/start"});
    EXPECT_EQ(warned(Json::parse(
                  R"({"losses": [{"type": "FocalLoss", "output": "logits", "target": "label", "alpha": 0.3}]})")),
              Places{"setting-without-effect /training/losses/0/alpha"});
}

TEST(DataFit, InputThatNothingFeedsIsRefused) {
    const Status fit = fits([](Json& json) {
        json["data"]["inputs"]["other"] = json["data"]["inputs"]["features"];
        json["data"]["inputs"].erase("features");
    });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "input-without-data");
}

TEST(DataFit, ClassThatTheOutputLacksIsRefused) {
    const Status fit =
        fits([](Json& json) { json["model"]["graph"]["nodes"]["output"]["params"]["out_features"] = 2; });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "label-out-of-range");
    EXPECT_EQ(fit.error().where, "/training/losses/0");
}

TEST(DataFit, MissingFileIsTheDatasOwnError) {
    const Status fit = fits([](Json& json) { json["data"]["sources"]["wine"]["path"] = "data/nowhere.csv"; });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().kind, ErrorKind::kInvalid);
}

TEST(DataFit, ElementWiseLossOnAClassIsRefusedWithBothShapes) {
    const Status fit = fits([](Json& json) { json["training"]["losses"][0]["type"] = "MSELoss"; });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "loss-target-shape");
    EXPECT_EQ(fit.error().where, "/training/losses/0");
    EXPECT_NE(fit.error().message.find("[B, 3]"), std::string::npos) << fit.error().message;
    EXPECT_NE(fit.error().hint.find("CrossEntropyLoss"), std::string::npos) << fit.error().hint;
}

TEST(DataFit, OneNumberASampleFitsAColumnAndWhatIsDeclared) {
    const auto one = [](Json& json) {
        json["training"]["losses"][0]["type"] = "MSELoss";
        json["model"]["graph"]["nodes"]["output"]["params"]["out_features"] = 1;
        json["training"]["metrics"] = Json::array();
    };
    EXPECT_TRUE(fits(one)) << "[B, 1] and [B]";
    EXPECT_TRUE(fits([](Json& json) {
        json["training"]["losses"][0]["type"] = "MSELoss";
        json["training"]["losses"][0]["scalar_target"] = true;
    }));
    EXPECT_TRUE(fits([](Json& json) {
        json["training"]["losses"][0]["type"] = "MSELoss";
        json["training"]["expert"]["allow_broadcast_loss"] = true;  // a mistake to be found while it trains
    }));
}

TEST(DataFit, ANumberIsNoClass) {
    const Status fit = fits([](Json& json) {
        json["data"]["targets"]["number"] = {{"from", "wine.alcohol"}};
        json["model"]["graph"]["inputs"]["features"]["shape"] = {"B", 12};  // a target is no input
        json["training"]["losses"][0]["target"] = "number";
    });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "loss-target-shape") << fit.error().message;
}

namespace {

/// A project over generated samples: `kind` and its options, the model's input and nodes (the last is "fc"), and an
/// edit.
Json generated(const std::string& source, const std::string& input, const std::string& nodes) {
    return parseJson(R"({"schema_version": 1, "name": "t", "model": {"definitions": {}, "graph": {"inputs": {"x": )" +
                         input + R"(}, "nodes": )" + nodes + R"(, "outputs": {"logits": "fc"}}},
      "data": {"sources": {"g": )" +
                         source + R"(}, "inputs": {"x": {"from": "g.)" +
                         (source.find("sequences") != std::string::npos ? "tokens" : "features") + R"("}},
               "targets": {"label": {"from": "g.label"}}, "splits": {"train": 0.8, "validation": 0.1, "test": 0.1, "seed": 0},
               "loader": {"batch_size": 16, "workers": 0}},
      "training": {"seed": 0, "device": "cpu", "stop": {"epochs": 1}, "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}],
                   "metrics": [], "optimizer": {"type": "SGD", "lr": 0.1}}, "monitor": {}})",
                     "test")
        .value();
}

Status fitsSoFar(const Json& json) {
    const Project project = readProject(json, "").value();
    return checkData(project, graph::resolve(project.model, blocks::builtinBlocks()));
}

Json sentences(int vocabulary, int rows) {
    return generated(
        R"({"type": "generated", "kind": "sequences", "samples": 160, "classes": 3, "length": 12, "vocabulary": )" +
            std::to_string(vocabulary) + "}",
        R"({"shape": ["B", 12], "dtype": "int64"})",
        R"({"id": {"type": "Identity", "from": "x"}, "e": {"type": "Embedding", "from": "id", "params": {"num_embeddings": )" +
            std::to_string(rows) +
            R"(, "embedding_dim": 4}}, "m": {"type": "Mean", "from": "e", "params": {"dim": [1]}}, "fc": {"type": "Linear", "from": "m", "params": {"out_features": 3}}})");
}

Json points(int samples, const std::string& nodes, const std::string& shape = R"(["B", 6])") {
    return generated(R"({"type": "generated", "kind": "clusters", "classes": 3, "features": 6, "samples": )" +
                         std::to_string(samples) + "}",
                     R"({"shape": )" + shape + R"(, "dtype": "float32"})", nodes);
}

const char* const kNormed =
    R"({"b": {"type": "BatchNorm1d", "from": "x"}, "fc": {"type": "Linear", "from": "b", "params": {"out_features": 3}}})";
const char* const kPlain = R"({"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}})";

/// Refused as invalid, with this code and place; message and next step hold these texts.
void expectRefused(const Status& fit, const std::string& code, const std::string& where, const std::string& message,
                   const std::string& hint) {
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, code);
    EXPECT_EQ(fit.error().kind, ErrorKind::kInvalid);
    EXPECT_EQ(fit.error().where, where);
    EXPECT_NE(fit.error().message.find(message), std::string::npos) << fit.error().message;
    EXPECT_NE(fit.error().hint.find(hint), std::string::npos) << fit.error().hint;
}

}  // namespace

TEST(DataFit, AnIdPastTheEndOfItsTableIsRefusedWithBlockAndValue) {
    EXPECT_TRUE(fitsSoFar(sentences(20, 20)));
    expectRefused(fitsSoFar(sentences(20, 19)), "id-out-of-range", "/model/graph/nodes/e",
                  "the id 19, and e looks ids up in a table of 19, from 0 to 18", "20 or more");
}

TEST(DataFit, IdsAreLookedForInEverySplit) {
    // One sample alone has the largest id: it is found whichever split it fell into.
    Json json = sentences(20, 20);
    json["data"]["sources"] = parseJson(R"({"t": {"type": "csv", "path": "ids.csv"}})", "test").value();
    json["data"]["inputs"]["x"] = {{"from", {"t.a", "t.b"}}, {"dtype", "int64"}};
    json["data"]["targets"]["label"]["from"] = "t.label";
    json["model"]["graph"]["inputs"]["x"]["shape"] = {"B", 2};
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "plumbline-ids";
    ASSERT_TRUE(makeFolder(folder));
    for (int largest = 0; largest < 40; ++largest) {
        std::string text = "a,b,label\n";
        for (int row = 0; row < 40; ++row) {
            text += std::to_string(row == largest ? 20 : row % 20) + ",3," +
                    (row % 3 == 0   ? "p"
                     : row % 3 == 1 ? "q"
                                    : "r") +
                    "\n";
        }
        ASSERT_TRUE(writeFileAtomically(folder / "ids.csv", text));
        const Project project = readProject(json, folder).value();
        const Status fit = checkData(project, graph::resolve(project.model, blocks::builtinBlocks()));
        ASSERT_FALSE(fit) << largest;
        EXPECT_EQ(fit.error().code, "id-out-of-range") << toSentence(fit.error());
    }
    std::filesystem::remove_all(folder);
}

TEST(DataFit, OneColumnThatIsPickedIsJudgedByItselfAndWhatABlockMadeByNobody) {
    const auto picked = [](int column, int rows) {
        return points(
            160,
            R"({"s": {"type": "Select", "from": "x", "params": {"dim": 1, "index": )" + std::to_string(column) +
                R"(}}, "i": {"type": "ToDtype", "from": "s", "params": {"dtype": "int64"}}, "e": {"type": "Embedding", "from": "i", "params": {"num_embeddings": )" +
                std::to_string(rows) +
                R"(, "embedding_dim": 4}}, "fc": {"type": "Linear", "from": "e", "params": {"out_features": 3}}})");
    };
    const Status fit = fitsSoFar(picked(0, 1000));
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "id-out-of-range") << "numbers around a centre are below 0 as well";
    EXPECT_NE(fit.error().message.find("the id -"), std::string::npos) << fit.error().message;
    const Json made = points(
        160,
        R"({"a": {"type": "Sigmoid", "from": "x"}, "i": {"type": "ToDtype", "from": "a", "params": {"dtype": "int64"}},
        "e": {"type": "Embedding", "from": "i", "params": {"num_embeddings": 2, "embedding_dim": 4}}, "f": {"type": "Flatten", "from": "e"}, "fc": {"type": "Linear", "from": "f", "params": {"out_features": 3}}})");
    const Status unknown = fitsSoFar(made);
    EXPECT_TRUE(unknown) << toSentence(unknown.error());
}

TEST(DataFit, ALastBatchOfOneIsRefusedWhereABlockNormalisesOverTheBatch) {
    // 61 samples: 49 train, which is three batches of 16 and one more sample.
    expectRefused(fitsSoFar(points(61, kNormed)), "batch-of-one", "/data/loader/batch_size",
                  "The last batch of the train split, of 49 samples, has 1, and b (BatchNorm1d)", "drop_last");
    Json single = points(61, kNormed);
    single["data"]["loader"]["batch_size"] = 1;
    single["data"]["loader"]["drop_last"] = true;
    expectRefused(fitsSoFar(single), "batch-of-one", "/data/loader/batch_size", "has 1", "batch_size to 2");
}

TEST(DataFit, ALastBatchOfOneIsFineWhereNothingNeedsMore) {
    const auto with = [](auto edit) {
        Json json = points(61, kNormed);
        edit(json);
        const Status fit = fitsSoFar(json);
        return fit ? std::string() : toSentence(fit.error());
    };
    EXPECT_EQ(with([](Json& json) { json["data"]["loader"]["drop_last"] = true; }), "");
    EXPECT_NE(with([](Json& json) { json["data"]["loader"]["batch_size"] = 12; }), "") << "49 is four of 12 and one";
    EXPECT_EQ(with([](Json& json) { json["data"]["loader"]["batch_size"] = 15; }), "");
    EXPECT_EQ(with([](Json& json) { json["model"]["graph"]["nodes"]["b"]["mode"] = "eval"; }), "");
    EXPECT_EQ(with([](Json& json) { json["model"]["graph"]["nodes"]["b"]["type"] = "LayerNorm"; }), "");
    const Status several = fitsSoFar(generated(
        R"({"type": "generated", "kind": "sequences", "samples": 61, "classes": 3, "length": 12, "vocabulary": 5})",
        R"({"shape": ["B", 12], "dtype": "int64"})",
        R"({"e": {"type": "Embedding", "from": "x", "params": {"num_embeddings": 5, "embedding_dim": 4}}, "b": {"type": "BatchNorm1d", "from": "e"}, "f": {"type": "Flatten", "from": "b"},
            "fc": {"type": "Linear", "from": "f", "params": {"out_features": 3}}})"));
    EXPECT_TRUE(several) << "each channel has 4 values: " << toSentence(several.error());
}

TEST(DataFit, AModelOfAFixedBatchWantsBatchesOfThatSizeInEverySplit) {
    EXPECT_TRUE(fitsSoFar(points(160, kPlain, "[16, 6]"))) << "128, 16 and 16 samples";
    const Status fit = fitsSoFar(points(170, kPlain, "[16, 6]"));
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "fixed-batch");
    EXPECT_NE(fit.error().message.find("has a fixed batch of 16"), std::string::npos) << fit.error().message;
    EXPECT_TRUE(fitsSoFar(points(170, kPlain)));
}

TEST(DataFit, ATrainingSplitThatGivesNoBatchIsRefused) {
    Json json = points(15, kPlain);
    json["data"]["loader"]["drop_last"] = true;
    const Status fit = fitsSoFar(json);
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "no-batches");
}
