// Metrics of whole runs: what is told of each split, tables, and values that are not there.
#include "exact_resume.h"
#include "run_fixture.h"

namespace plumbline::test {
namespace {

Json measuredBy(const char* type, const Json& more = Json::object()) {
    Json metric{{"type", type}, {"output", "logits"}, {"target", "label"}};
    metric.update(more);
    return metric;
}

TEST(MetricRun, GoesOnInTheMiddleOfAnEpochWithEveryMetricToTheBit) {
    TinyProject project;
    project.training()["metrics"] = Json::array();
    for (const char* type : {"accuracy", "balanced_accuracy", "f1", "roc_auc", "average_precision", "confusion_matrix",
                             "iou", "perplexity"}) {
        project.training()["metrics"].push_back(measuredBy(type));
    }
    project.training()["metrics"].push_back(measuredBy("top_k_accuracy", {{"k", 2}}));
    (void)expectExactResume(project, 17, "metrics");  // 12 steps an epoch
    TestRun whole(project, "whole"), parts(project, "parts");
    ASSERT_TRUE(whole.start().has_value());
    RunControl control;
    parts.sink.onStep = [&](std::int64_t step) {
        if (step == 17) {
            control.requestStop();
        }
    };
    ASSERT_TRUE(parts.start(control).has_value());
    parts.sink.onStep = {};
    ASSERT_TRUE(parts.resume().has_value());
    for (const char* name : {"train.roc_auc", "train.f1", "train.perplexity", "train.top_2_accuracy",
                             "val.average_precision", "val.iou"}) {
        ASSERT_EQ(whole.sink.values(name).size(), 6U) << name;
        EXPECT_EQ(parts.sink.values(name), whole.sink.values(name)) << name;
    }
    const auto straight = whole.sink.eventsOf("epoch"), resumed = parts.sink.eventsOf("epoch");
    ASSERT_EQ(resumed.size(), straight.size());
    for (std::size_t i = 0; i < straight.size(); ++i) {
        EXPECT_EQ(resumed[i].data.at("matrices"), straight[i].data.at("matrices")) << i;
    }
}

TEST(MetricRun, TellsTablesOfEachEpochAndOfTheTestSplitWithTheNamesOfTheirClasses) {
    TinyProject project;
    project.training()["metrics"] = Json::array({measuredBy("confusion_matrix"), measuredBy("accuracy")});
    project.training()["validation"] = {{"every", 2}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_FALSE(summary->metrics.contains("val.confusion_matrix")) << "it is no number";
    EXPECT_TRUE(run.sink.values("val.confusion_matrix").empty());
    const auto epochs = run.sink.eventsOf("epoch");
    ASSERT_EQ(epochs.size(), 6U);
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        const Json& matrices = epochs[i].data.at("matrices");
        EXPECT_EQ(matrices.contains("val.confusion_matrix"), i % 2 == 1) << i;
        const Json& trained = matrices.at("train.confusion_matrix");
        EXPECT_EQ(trained.at("classes"), Json::parse(R"(["a", "b", "c"])"));
        std::int64_t samples = 0, right = 0;
        for (std::size_t truth = 0; truth < 3; ++truth) {
            for (std::size_t predicted = 0; predicted < 3; ++predicted) {
                const auto count = trained.at("counts").at(truth).at(predicted).get<std::int64_t>();
                samples += count;
                right += truth == predicted ? count : 0;
            }
        }
        EXPECT_EQ(samples, 180);
        EXPECT_EQ(static_cast<double>(right) / 180, epochs[i].data.at("metrics").at("train.accuracy").get<double>());
    }
    const auto tested = run.sink.eventsOf("test");
    ASSERT_EQ(tested.size(), 1U);
    EXPECT_EQ(tested[0].data.at("matrices").at("test.confusion_matrix").at("counts").size(), 3U);
}

TEST(MetricRun, SaysOnceWhyAMetricHasNoValueAndGivesItNone) {
    TinyProject project;
    // A fourth class that no sample has.
    project.json["model"]["graph"]["nodes"]["fc"]["params"]["out_features"] = 4;
    project.training()["metrics"] = Json::array({measuredBy("roc_auc"), measuredBy("f1")});
    project.training()["checkpoints"]["best"] = {{"series", "val.roc_auc"}, {"mode", "max"}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_TRUE(run.sink.values("val.roc_auc").empty());
    EXPECT_EQ(run.sink.values("val.f1").size(), 6U);
    EXPECT_TRUE(summary->bestCheckpoint.empty()) << "no value is never the best";
    int told = 0;
    for (const session::Event& event : run.sink.eventsOf("log")) {
        told += event.data.at("message") == "roc_auc has no value over the split validation: class 3 has no sample."
                    ? 1
                    : 0;
    }
    EXPECT_EQ(told, 1);
    for (const session::Event& event : run.sink.eventsOf("epoch")) {
        EXPECT_TRUE(event.data.at("metrics").at("val.roc_auc").is_null());
    }
}

}  // namespace
}  // namespace plumbline::test
