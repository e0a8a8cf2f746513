// What a metric is refused for before a run: the output, the target or the amount is not what it judges.
#include "project/metric_fit.h"

#include <gtest/gtest.h>

#include "blocks/register.h"
#include "core/files.h"
#include "project/data_fit.h"

namespace plumbline::project {
namespace {

/// The wine sample (13 numbers, 3 classes) with one metric, after an edit: the data's refusal, or nothing.
template <typename Edit>
Error refusalOf(const Json& metric, Edit edit) {
    const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects/wine";
    Json json = readJsonFile(folder / "project.json").value();
    Json whole{{"output", json["training"]["losses"][0]["output"]},
               {"target", json["training"]["losses"][0]["target"]}};
    whole.update(metric);
    json["training"]["metrics"] = Json::array({whole});
    edit(json);
    const auto project = readProject(json, folder);
    EXPECT_TRUE(project) << (project ? "" : project.error().message);
    const Status fits = checkData(*project, graph::resolve(project->model, blocks::builtinBlocks()));
    return fits ? Error{} : fits.error();
}
std::string codeFor(const Json& metric) {
    return refusalOf(metric, [](Json&) {}).code;
}

/// One number to predict instead of a class: the output has one score.
void regress(Json& json) {
    json["data"]["targets"]["number"] = {{"from", "wine.alcohol"}};
    json["model"]["graph"]["inputs"]["features"]["shape"] = {"B", 12};
    json["model"]["graph"]["nodes"]["output"]["params"]["out_features"] = 1;
    json["training"]["losses"][0] = {
        {"type", "MSELoss"}, {"output", json["training"]["losses"][0]["output"]}, {"target", "number"}};
    json["training"]["metrics"][0]["target"] = "number";
}

TEST(MetricFit, ClassesAreJudgedByWhatTellsClassesApart) {
    for (const char* type : {"accuracy", "balanced_accuracy", "f1", "roc_auc", "average_precision", "confusion_matrix",
                             "iou", "dice", "perplexity"}) {
        EXPECT_EQ(codeFor({{"type", type}}), "") << type;
    }
    EXPECT_EQ(codeFor({{"type", "top_k_accuracy"}, {"k", 2}}), "");
    for (const char* type : {"mae", "mse", "rmse", "r2"}) {
        const Error error = refusalOf({{"type", type}}, [](Json&) {});
        EXPECT_EQ(error.code, "metric-target") << type;
        EXPECT_EQ(error.where, "/training/metrics/0");
        EXPECT_NE(error.hint.find("accuracy"), std::string::npos) << error.hint;
    }
}

TEST(MetricFit, NumbersAreJudgedByWhatComparesNumbers) {
    for (const char* type : {"mae", "mse", "rmse", "r2"}) {
        const Error error = refusalOf({{"type", type}}, regress);
        EXPECT_EQ(error.code, "") << error.message;
    }
    for (const char* type : {"accuracy", "f1", "roc_auc", "balanced_accuracy", "confusion_matrix", "iou"}) {
        const Error error = refusalOf({{"type", type}}, regress);
        EXPECT_EQ(error.code, "metric-target") << type << error.message;
        EXPECT_NE(error.hint.find("r2"), std::string::npos) << error.hint;
    }
    EXPECT_EQ(refusalOf({{"type", "perplexity"}}, regress).code, "metric-shape");
    const Error wide = refusalOf({{"type", "rmse"}}, [](Json& json) {
        regress(json);
        json["model"]["graph"]["nodes"]["output"]["params"]["out_features"] = 2;
        json["training"]["losses"][0]["scalar_target"] = true;
    });
    EXPECT_EQ(wide.code, "metric-target-shape") << wide.message;
    EXPECT_NE(wide.message.find("[B, 2]"), std::string::npos) << wide.message;
}

TEST(MetricFit, AnAverageOfTwoClassesIsNotForMore) {
    EXPECT_EQ(codeFor({{"type", "f1"}, {"average", "binary"}}), "metric-average");
    EXPECT_EQ(codeFor({{"type", "f1"}, {"average", "weighted"}}), "");
}

TEST(MetricFit, ATableHasAtMostAThousandClasses) {
    const auto widen = [](Json& json) { json["model"]["graph"]["nodes"]["output"]["params"]["out_features"] = 1001; };
    EXPECT_EQ(refusalOf({{"type", "confusion_matrix"}}, widen).code, "metric-shape");
    EXPECT_EQ(refusalOf({{"type", "accuracy"}}, widen).code, "");
}

TEST(MetricFit, ChecksOfTheModelAloneFindWhatNeedsNoData) {
    const auto problemsOf = [](const Json& metric) {
        const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects/wine";
        Json json = readJsonFile(folder / "project.json").value();
        Json whole{{"output", json["training"]["losses"][0]["output"]},
                   {"target", json["training"]["losses"][0]["target"]}};
        whole.update(metric);
        json["training"]["metrics"] = Json::array({whole});
        std::vector<std::string> codes;
        for (const graph::Problem& problem :
             checkProject(readProject(json, folder).value(), blocks::builtinBlocks()).problems) {
            codes.push_back(problem.code);
        }
        return codes;
    };
    EXPECT_EQ(problemsOf({{"type", "accuracy"}}), std::vector<std::string>{});
    EXPECT_EQ(problemsOf({{"type", "top_k_accuracy"}}), std::vector<std::string>{"metric-always-one"});
    EXPECT_EQ(problemsOf({{"type", "precision"}, {"average", "binary"}}), std::vector<std::string>{"metric-average"});
}

}  // namespace
}  // namespace plumbline::project
