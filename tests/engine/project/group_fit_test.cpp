// What optimizer groups and metrics say of a model's parameters and outputs.
#include "project/group_fit.h"

#include <gtest/gtest.h>

#include "blocks/register.h"
#include "core/files.h"
#include "core/processors.h"
#include "project/model_parameters.h"
#include "project/project.h"

namespace plumbline::project {
namespace {

/// A sample after an edit, checked without its data.
CheckReport checkedAfter(const std::string& sample, const std::function<void(Json&)>& edit) {
    const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects" / sample;
    Json json = readJsonFile(folder / "project.json").value();
    edit(json);
    const auto project = readProject(json, folder);
    EXPECT_TRUE(project) << (project ? "" : toSentence(project.error()));
    return checkProject(*project, blocks::builtinBlocks());
}

/// "code! pointer" of each problem that the sample by itself does not have.
std::vector<std::string> problemsAfter(const std::string& sample, const std::function<void(Json&)>& edit) {
    std::vector<std::string> problems;
    for (const graph::Problem& problem : checkedAfter(sample, edit).problems) {
        problems.push_back(problem.code + (problem.severity == graph::Severity::kCritical ? "! " : " ") +
                           problem.pointer);
    }
    return problems;
}
using Problems = std::vector<std::string>;

Problems withOptimizer(const char* optimizer) {
    return problemsAfter("wine", [&](Json& json) { json["training"]["optimizer"] = Json::parse(optimizer); });
}

TEST(GroupFit, APatternThatMatchesNothingIsCriticalAndNamesWhatIsNear) {
    EXPECT_EQ(withOptimizer(R"({"type": "AdamW", "groups": [{"match": "output.*", "lr": 0.1}]})"), Problems{});
    EXPECT_EQ(withOptimizer(R"({"type": "AdamW", "groups": [{"match": "outptu.*", "lr": 0.1}]})"),
              Problems{"group-matches-nothing! /training/optimizer/groups/0/match"});
    const CheckReport report = checkedAfter("wine", [](Json& json) {
        json["training"]["optimizer"] =
            Json::parse(R"({"type": "AdamW", "groups": [{"match": "outptu.*", "lr": 0.1}]})");
    });
    EXPECT_NE(report.problems.front().message.find("output.*"), std::string::npos) << report.problems.front().message;
}

TEST(GroupFit, AGroupThatChangesNothingIsWarnedOf) {
    EXPECT_EQ(
        withOptimizer(R"({"type": "AdamW", "groups": [{"match": "*", "lr": 0.1}, {"match": "output.*", "lr": 0.2}]})"),
        Problems{"group-hidden /training/optimizer/groups/1/match"});
    EXPECT_EQ(
        withOptimizer(
            R"({"type": "AdamW", "groups": [{"match": "output.weight", "lr": 0.1}, {"match": "output.*", "lr": 0.2}]})"),
        Problems{});
    EXPECT_EQ(withOptimizer(R"({"type": "AdamW", "groups": [{"match": "output.*"}]})"),
              Problems{"group-sets-nothing /training/optimizer/groups/0"});
    EXPECT_EQ(withOptimizer(R"({"type": "AdamW", "groups": [{"match": "output.*", "frozen": true, "lr": 0.1}]})"),
              Problems{"setting-without-effect /training/optimizer/groups/0/lr"});
    // Rprop follows no schedule either.
    EXPECT_EQ(withOptimizer(R"({"type": "Rprop", "groups": [{"match": "output.*", "weight_decay": 0.1}]})"),
              (Problems{"setting-without-effect /training/scheduler/type",
                        "setting-without-effect /training/optimizer/groups/0/weight_decay"}));
}

TEST(GroupFit, AWeightDecayForNormsAndBiasesAloneIsRefusedWhereTheyHaveNone) {
    EXPECT_EQ(
        withOptimizer(
            R"({"type": "AdamW", "decay_norms_and_biases": false, "groups": [{"match": "*.bias", "weight_decay": 0.3}]})"),
        Problems{"group-decay-without-effect! /training/optimizer/groups/0/weight_decay"});
    EXPECT_EQ(
        withOptimizer(
            R"({"type": "AdamW", "decay_norms_and_biases": false, "groups": [{"match": "output.*", "weight_decay": 0.3}]})"),
        Problems{});
    EXPECT_EQ(withOptimizer(R"({"type": "AdamW", "groups": [{"match": "*.bias", "weight_decay": 0.3}]})"), Problems{});
}

TEST(GroupFit, APhasesGroupsAreAboutWhatItTrains) {
    const auto grouped = [](const char* match) {
        return problemsAfter("dcgan", [&](Json& json) {
            json["training"]["phases"][0]["optimizer"]["groups"] = Json::array({Json{{"match", match}, {"lr", 0.001}}});
        });
    };
    EXPECT_EQ(grouped("discriminator.*"), Problems{});
    EXPECT_EQ(grouped("generator.*"), Problems{"group-matches-nothing! /training/phases/0/optimizer/groups/0/match"});
    EXPECT_EQ(
        problemsAfter(
            "dcgan",
            [](Json& json) {
                json["training"]["optimizer"]["groups"] = Json::array({Json{{"match", "generator.*"}, {"lr", 0.001}}});
            }),
        Problems{})
        << "one phase has such parameters";
}

TEST(GroupFit, ALayersRateIsNotRaisedByTheScheduleEither) {
    const auto decayed = [](double layerDecay) {
        return problemsAfter("wine", [&](Json& json) {
            json["training"]["optimizer"] = {{"type", "AdamW"}, {"lr", 0.01}, {"layer_decay", layerDecay}};
            json["training"]["scheduler"] = {{"type", "cosine"}, {"min_lr", 0.001}};
        });
    };
    EXPECT_EQ(decayed(0.9), Problems{});
    EXPECT_EQ(decayed(0.01), Problems{"min-lr-above-lr! /training/scheduler"});
}

TEST(GroupFit, StochasticDepthWithoutADropPathChangesNothing) {
    EXPECT_EQ(problemsAfter("wine", [](Json& json) { json["training"]["stochastic_depth"]["epochs"] = 2; }),
              Problems{"setting-without-effect /training/stochastic_depth/epochs"});
}

TEST(GroupFit, StochasticDepthOfBlocksThatDropNothingChangesNothing) {
    const auto dropping = [](double p) {
        return problemsAfter("wine", [&](Json& json) {
            json["training"]["stochastic_depth"]["epochs"] = 2;
            Json& graph = json["model"]["graph"];
            graph["nodes"]["drop"] = {{"type", "DropPath"}, {"from", "relu1"}, {"params", {{"p", p}}}};
            graph["nodes"]["output"]["from"] = "drop";
        });
    };
    EXPECT_EQ(dropping(0), Problems{"setting-without-effect /training/stochastic_depth/epochs"});
    EXPECT_EQ(dropping(0.2), Problems{});
}

TEST(GroupFit, ARateForWhatIsFrozenChangesNothingAndIsTold) {
    const auto frozen = [](const char* match, std::int64_t epochs) {
        return problemsAfter("wine", [&](Json& json) {
            json["training"]["optimizer"] =
                Json::parse(R"({"type": "AdamW", "groups": [{"match": "linear0.*", "lr": 0.1}]})");
            json["training"]["freeze"] = Json::array({Json{{"match", match}, {"epochs", epochs}}});
        });
    };
    EXPECT_EQ(frozen("linear0.*", 0), Problems{"group-of-frozen /training/optimizer/groups/0/lr"});
    EXPECT_EQ(frozen("linear0.*", 2), Problems{}) << "it trains from the third epoch on";
    EXPECT_EQ(frozen("linear0.weight", 0), Problems{}) << "the bias trains";
}

TEST(GroupFit, LayerDecayOverOneLayerChangesNothingAndIsTold) {
    const Problems told = problemsAfter("wine", [](Json& json) {
        json["training"]["optimizer"] = {{"type", "AdamW"}, {"layer_decay", 0.9}};
        json["model"]["graph"] = Json::parse(
            R"({"inputs": {"features": {"dtype": "float32", "shape": ["B", 13]}}, "outputs": {"logits": "output"},
                "nodes": {"output": {"type": "Linear", "from": "features", "params": {"out_features": 3}}}})");
    });
    EXPECT_EQ(told, Problems{"setting-without-effect /training/optimizer/layer_decay"});
    EXPECT_EQ(withOptimizer(R"({"type": "AdamW", "layer_decay": 0.9})"), Problems{});
}

TEST(CheckProject, ALimitBelowOneCheckpointAndADeviceThatIsNotHereAreTold) {
    const auto limited = [](double mb, const char* averaging) {
        return problemsAfter("wine", [&](Json& json) {
            json["training"]["checkpoints"]["max_mb"] = mb;
            json["training"]["averaging"] = {{"type", averaging}};
        });
    };
    const Problems told{"checkpoint-above-limit /training/checkpoints/max_mb"};
    double mb = 0;
    for (const graph::ResolvedNode& block : checkedAfter("wine", [](Json&) {}).model.nodes) {
        mb += static_cast<double>(block.cost.parameters) * 4 / 1e6;
    }
    EXPECT_EQ(limited(0.9 * mb, "none"), told);
    EXPECT_EQ(limited(1.5 * mb, "none"), Problems{});
    EXPECT_EQ(limited(1.5 * mb, "ema"), told) << "the averaged weights are in it too";
    const Problems onCuda = problemsAfter("wine", [](Json& json) { json["training"]["device"] = "cuda:0"; });
    EXPECT_EQ(onCuda, hasNvidiaDriver() ? Problems{} : Problems{"device-not-here /training/device"});
}

TEST(GroupFit, AYesThatNothingTellsTheMeaningOfIsWarnedOf) {
    const auto judged = [](const Json& loss, const Json& metric) {
        return problemsAfter("wine", [&](Json& json) {
            const std::string output = json["training"]["losses"][0]["output"];
            json["model"]["graph"]["nodes"]["output"]["params"]["out_features"] = 1;
            Json whole{{"type", "accuracy"}, {"output", output}, {"target", json["training"]["losses"][0]["target"]}};
            whole.update(metric);
            json["training"]["metrics"] = Json::array({whole});
            Json first{{"type", "MSELoss"}, {"output", output}, {"target", whole["target"]}};
            first.update(loss);
            if (first["type"] == "ExpressionLoss") {
                first.erase("output");
                first.erase("target");
                first["expression"] = "mean(output." + output + " ** 2)";
            }
            json["training"]["losses"] = Json::array({first});
            json["training"]["checkpoints"].erase("best");
        });
    };
    EXPECT_EQ(judged(Json::object(), Json::object()), Problems{});
    EXPECT_EQ(judged({{"type", "ExpressionLoss"}}, Json::object()),
              Problems{"metric-input-unknown /training/metrics/0/input"});
    EXPECT_EQ(judged({{"type", "ExpressionLoss"}}, {{"input", "logits"}}), Problems{});
}

}  // namespace
}  // namespace plumbline::project
