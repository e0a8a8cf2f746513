// Batches and splits at their ends: a last batch of another size, a batch of one, an empty split, a class that a split
// lacks.
#include <algorithm>
#include <cmath>

#include "split_rows.h"

namespace plumbline::test {
namespace {

TEST(EdgeCases, ALastBatchOfAnotherSizeCountsByItsSamples) {
    TinyProject project(305);  // 183 of them train: in batches of 16 the last has 7; 61 validate, the last has 13
    project.useOnlyLinearLayers();
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.0}};
    project.training()["scheduler"] = {{"type", "constant"}};
    project.training()["stop"]["epochs"] = 1;
    project.json["data"]["splits"].erase("stratify");
    std::map<std::string, double> whole;
    for (const int batch : {1000, 16, 1}) {
        project.json["data"]["loader"]["batch_size"] = batch;
        TestRun run(project, "batch-" + std::to_string(batch));
        const auto summary = run.start();
        ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
        EXPECT_EQ(summary->steps.attempted, batch == 1000 ? 1 : batch == 16 ? 12 : 183);
        if (whole.empty()) {
            whole = summary->metrics;
        }
        for (const auto& [series, value] : whole) {
            EXPECT_NEAR(summary->metrics.at(series), value, 1e-5 * std::max(1.0, std::abs(value)))
                << series << " in batches of " << batch;
        }
    }
}

TEST(EdgeCases, ABatchOfOneTrainsWhereNothingNormalisesOverTheBatchAndIsRefusedElsewhere) {
    TinyProject project(15);
    project.json["data"]["loader"]["batch_size"] = 1;
    project.json["data"]["splits"].erase("stratify");
    const auto refused = TestRun(project, "refused").start();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "batch-of-one");
    EXPECT_FALSE(refused.error().hint.empty());
    project.useOnlyLinearLayers();
    TestRun run(project, "linear");
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_TRUE(std::isfinite(summary->metrics.at("train.loss")));
    EXPECT_TRUE(std::isfinite(summary->metrics.at("val.loss")));
}

TEST(EdgeCases, ARunWithoutAValidationOrATestSplitHasNoValuesOfThem) {
    TinyProject project;
    project.json["data"]["splits"] = {{"train", 1.0}, {"validation", 0.0}, {"test", 0.0}, {"seed", 0}};
    project.training()["stop"]["epochs"] = 2;
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->status, "completed");
    EXPECT_TRUE(summary->metrics.contains("train.loss"));
    for (const auto& [series, value] : summary->metrics) {
        EXPECT_TRUE(series.starts_with("train.")) << series;
    }
    for (const auto& [series, points] : run.sink.points) {
        EXPECT_FALSE((series.starts_with("val.") || series.starts_with("test.")) && !points.empty()) << series;
    }
    EXPECT_TRUE(run.sink.findings.empty());
}

TEST(EdgeCases, AnEmptyTrainingSplitIsRefusedWithARemedy) {
    TinyProject project;
    // No whole batch is none as well.
    project.json["data"]["loader"]["batch_size"] = 1000;
    project.json["data"]["loader"]["drop_last"] = true;
    const auto refused = TestRun(project).start();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "no-batches") << toSentence(refused.error());
    EXPECT_FALSE(refused.error().hint.empty());
    project.json["data"]["splits"] = {{"train", 0.0}, {"validation", 0.5}, {"test", 0.5}, {"seed", 0}};
    const auto read = project::readProject(project.json, project.folder());
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, "splits-train");
    EXPECT_FALSE(read.error().hint.empty());
}

TEST(EdgeCases, AClassThatTheValidationLacksIsToldAndTheOthersAreMeasured) {
    TinyProject project;
    // One sample of a fourth class, which only one split can have.
    auto text = readFile(project.folder() / "points.csv");
    ASSERT_TRUE(text.has_value());
    ASSERT_TRUE(writeFileAtomically(project.folder() / "points.csv", *text + "9,9,9,9,18,d\n").has_value());
    project.json["model"]["graph"]["nodes"]["fc"]["params"]["out_features"] = 4;
    project.json["data"]["splits"] = {{"train", 0.6}, {"validation", 0.2}, {"test", 0.2}, {"seed", 0}};
    project.training()["stop"]["epochs"] = 2;
    project.training()["metrics"] = {{{"type", "accuracy"}, {"output", "logits"}, {"target", "label"}},
                                     {{"type", "balanced_accuracy"}, {"output", "logits"}, {"target", "label"}},
                                     {{"type", "f1"}, {"output", "logits"}, {"target", "label"}},
                                     {{"type", "roc_auc"}, {"output", "logits"}, {"target", "label"}}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_TRUE(std::isfinite(summary->metrics.at("val.loss")));
    EXPECT_TRUE(std::isfinite(summary->metrics.at("val.accuracy")));
    std::int64_t told = 0;
    for (const session::Event& event : run.sink.eventsOf("log")) {
        const std::string message = event.data.value("message", "");
        told +=
            message.find("has no sample of 1 class") != std::string::npos && message.find(": d") != std::string::npos
                ? 1
                : 0;
    }
    EXPECT_GE(told, 2) << "two of the three splits lack it";
}

TEST(EdgeCases, AValidationInWhichNothingCountsHasNoLossAndIsNoImprovement) {
    TinyProject project;
    project.json["data"]["splits"] = {{"train", 0.6}, {"validation", 0.2}, {"test", 0.2}, {"seed", 0}};
    changeRows(project, data::Split::kValidation, 1000, [](std::vector<std::string>& cells) { cells.back() = "a"; });
    project.training()["losses"][0]["ignore_index"] = 0;
    project.training()["metrics"] = Json::array();
    project.training()["early_stopping"] = {{"patience", 2}, {"series", "val.loss"}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_FALSE(summary->metrics.contains("val.loss"));
    EXPECT_TRUE(run.sink.values("val.loss").empty());
    EXPECT_EQ(summary->stopCode, "early_stopping");
    EXPECT_EQ(summary->epochs, 2);
    EXPECT_TRUE(std::isfinite(summary->metrics.at("train.loss")));
}

}  // namespace
}  // namespace plumbline::test
