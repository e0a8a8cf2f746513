// Remedies that change a number are proved by the run that follows.
#include <algorithm>

#include "run_fixture.h"

namespace plumbline::test {
namespace {

/// The first finding of this detector, which the run has to end with.
const diagnostics::Finding* findingOf(const TestRun& run, const std::string& detector) {
    for (const diagnostics::Finding& finding : run.sink.findings) {
        if (finding.detector == detector) {
            return &finding;
        }
    }
    return nullptr;
}

/// Carries out the remedy whose title begins so.
void apply(TinyProject& project, const diagnostics::Finding& finding, const std::string& title) {
    for (const diagnostics::Remedy& remedy : finding.remedies) {
        if (remedy.title.starts_with(title)) {
            const auto mended = applyJsonPatch(project.json, remedy.patch);
            ASSERT_TRUE(mended.has_value()) << toSentence(mended.error());
            ASSERT_NE(*mended, project.json);
            project.json = *mended;
            return;
        }
    }
    FAIL() << "no remedy " << title;
}

TEST(Remedies, HalfTheLearningRateMendsALossThatJustOverflows) {
    TinyProject project;
    project.useOnlyLinearLayers();
    project.regressDistance(1);
    project.training()["scheduler"] = {{"type", "constant"}};
    // The first rate, of doubled ones, at which the run is thrown further out with each step.
    std::unique_ptr<TestRun> run;
    double lr = 0.005;
    for (bool overflows = false; !overflows && lr < 100; lr *= overflows ? 1 : 2) {
        project.training()["optimizer"] = {{"type", "SGD"}, {"lr", lr}};
        run = std::make_unique<TestRun>(project, "lr-" + std::to_string(lr));
        const auto summary = run->start();
        ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
        overflows = findingOf(*run, "non-finite") != nullptr;
    }
    const diagnostics::Finding* const overflow = findingOf(*run, "non-finite");
    ASSERT_NE(overflow, nullptr);
    EXPECT_FALSE(std::isfinite(run->sink.last("train.loss")));
    apply(project, *overflow, "Halve the learning rate");
    EXPECT_DOUBLE_EQ(project.training()["optimizer"]["lr"].get<double>(), lr / 2);
    TestRun mended(project, "mended");
    ASSERT_TRUE(mended.start().has_value());
    EXPECT_TRUE(mended.sink.findings.empty()) << mended.sink.findings.front().message;
    EXPECT_LT(mended.sink.last("train.loss"), mended.sink.values("train.loss").front());
}

TEST(Remedies, ATenthOfTheLearningRateMendsAModelThatGivesOneClassForEverything) {
    // So large a step leaves no ReLU of a deep chain on any slope: the last bias alone answers.
    TinyProject project(1800);
    Json nodes = Json::object();
    std::string from = "x";
    for (int i = 0; i < 6; ++i) {
        const std::string name = std::to_string(i);
        nodes["linear" + name] = {{"type", "Linear"}, {"from", from}, {"params", {{"out_features", 16}}}};
        nodes["relu" + name] = {{"type", "ReLU"}, {"from", "linear" + name}};
        from = "relu" + name;
    }
    nodes["fc"] = {{"type", "Linear"}, {"from", from}, {"params", {{"out_features", 3}}}};
    project.json["model"]["graph"]["nodes"] = nodes;
    project.json["data"]["loader"]["shuffle"] = false;
    project.training()["optimizer"] = {{"type", "AdamW"}, {"lr", 1.0}};
    project.training()["scheduler"] = {{"type", "constant"}};
    TestRun run(project, "before");
    ASSERT_TRUE(run.start().has_value());
    const diagnostics::Finding* const chance = findingOf(run, "accuracy-at-chance");
    ASSERT_NE(chance, nullptr);
    EXPECT_TRUE(chance->evidence.at("constant_predictions").get<bool>());
    apply(project, *chance, "Lower the learning rate");
    EXPECT_DOUBLE_EQ(project.training()["optimizer"]["lr"].get<double>(), 0.1);
    TestRun mended(project, "after");
    const auto summary = mended.start();
    ASSERT_TRUE(summary.has_value());
    EXPECT_TRUE(mended.sink.findings.empty()) << mended.sink.findings.front().message;
    EXPECT_GT(summary->metrics.at("val.accuracy"), 0.9);
}

}  // namespace
}  // namespace plumbline::test
