// Each mistake of training.expert is found, and nothing else is.
#include <algorithm>

#include "run_fixture.h"

namespace plumbline::test {
namespace {

/// The causes that a run with this training section finds; consequences fold under them.
std::vector<std::string> causes(const RecordingSink& sink) {
    std::vector<std::string> names;
    for (const diagnostics::Finding& finding : sink.findings) {
        if (finding.cause.empty() && std::find(names.begin(), names.end(), finding.detector) == names.end()) {
            names.push_back(finding.detector);
        }
    }
    return names;
}

std::vector<std::string> findingsWith(TinyProject& project, const std::string& name) {
    TestRun run(project, name);
    const auto summary = run.start();
    EXPECT_TRUE(summary.has_value()) << name << ": " << (summary ? "" : toSentence(summary.error()));
    return causes(run.sink);
}

using Names = std::vector<std::string>;

TEST(Detectors, FindValidationInTrainMode) {
    TinyProject project;
    project.training()["expert"] = {{"validate_in_train_mode", true}};
    EXPECT_EQ(findingsWith(project, "train-mode"), Names{"validation-in-train-mode"});
}

TEST(Detectors, FindThatTrainModeIsNotRestored) {
    TinyProject project;
    project.training()["expert"] = {{"keep_eval_after_validation", true}};
    EXPECT_EQ(findingsWith(project, "keep-eval"), Names{"train-mode-not-restored"});
}

TEST(Detectors, FindAScalerThatIsNotUpdated) {
    TinyProject project;
    project.training()["precision"] = "fp16";
    project.training()["expert"] = {{"skip_scaler_update", true}};
    EXPECT_EQ(findingsWith(project, "no-update"), Names{"scaler-frozen"});
}

TEST(Detectors, FindGradientsDroppedBeforeTheStep) {
    TinyProject project;
    project.training()["expert"] = {{"zero_grad_before_step", true}};
    EXPECT_EQ(findingsWith(project, "zero-grad"), Names{"parameter-not-updating"});
}

TEST(Detectors, FindABranchThatNoLossReaches) {
    TinyProject project;
    project.json["model"]["graph"]["nodes"]["side"] = {{"type", "Linear"}, {"from", "hidden"}, {"params", {{"out_features", 2}}}};
    project.json["model"]["graph"]["outputs"]["side"] = "side";
    TestRun run(project);
    ASSERT_TRUE(run.start().has_value());
    ASSERT_EQ(causes(run.sink), Names{"parameter-not-updating"});
    EXPECT_EQ(run.sink.findings.front().block, "side");
    EXPECT_EQ(run.sink.findings.front().evidence.at("gradient"), "undefined");
}

TEST(Detectors, FindALossThatBroadcasts) {
    TinyProject project;
    project.json["model"]["graph"]["nodes"]["fc"]["params"]["out_features"] = 2;
    project.json["data"]["targets"] = {{"distance", {{"from", "points.distance"}}}};
    project.json["data"]["splits"].erase("stratify");
    project.training()["losses"] = {{{"type", "MSELoss"}, {"output", "logits"}, {"target", "distance"}}};
    project.training()["metrics"] = Json::array();
    project.training()["expert"] = {{"allow_broadcast_loss", true}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(causes(run.sink), Names{"loss-target-shape"});
}

TEST(Detectors, FindTheFirstBlockThatIsNotFinite) {
    TinyProject project;
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 1e30}};
    project.training()["scheduler"] = {{"type", "constant"}};
    TestRun run(project);
    const auto summary = run.start(10);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    ASSERT_FALSE(run.sink.findings.empty());
    EXPECT_EQ(run.sink.findings.front().detector, "non-finite");
    EXPECT_FALSE(run.sink.findings.front().block.empty());
}

TEST(Detectors, FindAFrozenBatchNormThatDrifts) {
    TinyProject project;
    project.json["model"]["graph"]["nodes"]["bn"]["frozen"] = true;
    EXPECT_EQ(findingsWith(project, "frozen"), Names{"frozen-batchnorm-drifts"});
}

TEST(Detectors, FindASplitThatTheModelCannotLearn) {
    TinyProject healthy;
    EXPECT_EQ(findingsWith(healthy, "healthy"), Names{});
}

}  // namespace
}  // namespace plumbline::test
