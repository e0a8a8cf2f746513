// Each switch of training.expert makes the mistake that it names, and the run without it does not.

#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>

#include "run_fixture.h"
#include "train/checkpoint.h"

namespace plumbline::test {
namespace {

/// The same run without and with one switch.
struct Pair {
    RecordingSink right, wrong;
    std::filesystem::path rightFolder, wrongFolder;
};

Pair runBoth(TinyProject& project, const char* key, std::int64_t maxSteps = 0) {
    Pair pair;
    for (const bool on : {false, true}) {
        project.training()["expert"] = {{key, on}};
        TestRun run(project, std::string(key) + (on ? "-on" : "-off"));
        const auto summary = run.start(maxSteps);
        EXPECT_TRUE(summary.has_value()) << key << ": " << (summary ? "" : toSentence(summary.error()));
        (on ? pair.wrong : pair.right) = run.sink;
        (on ? pair.wrongFolder : pair.rightFolder) = run.request.runFolder;
    }
    return pair;
}

/// Without dropout and BatchNorm, all samples in one batch, in float16 with a loss scale.
struct PlainProject : TinyProject {
    explicit PlainProject(double scale) {
        Json& nodes = json["model"]["graph"]["nodes"];
        nodes.erase("bn");
        nodes.erase("drop");
        nodes["relu"]["from"] = "hidden";
        nodes["fc"]["from"] = "relu";
        json["data"]["loader"]["batch_size"] = 180;
        training()["precision"] = "fp16";
        training()["grad_scaler"] = {{"init_scale", scale}, {"growth_interval", 1000}};
        training()["optimizer"] = {{"type", "SGD"}, {"lr", 1e-6}};
        training()["scheduler"] = {{"type", "constant"}};
    }
};

TEST(Expert, ClipBeforeUnscaleClipsTheScaledGradient) {
    PlainProject project(1024);
    project.training()["clip"] = {{"type", "norm"}, {"max_norm", 0.1}};
    const Pair pair = runBoth(project, "clip_before_unscale", 1);
    EXPECT_GT(pair.right.values("grad.norm").front(), 0.1) << "measured before it is clipped";
    EXPECT_NEAR(pair.wrong.values("grad.norm").front(), 0.1 / 1024, 0.1 / 1024 * 1e-2)
        << "clipped to 0.1 and then divided by the scale";
}

TEST(Expert, SkipUnscaleStepsWithTheScaledGradient) {
    PlainProject project(1024);
    const Pair pair = runBoth(project, "skip_unscale", 1);
    EXPECT_NEAR(pair.wrong.values("grad.norm").front() / pair.right.values("grad.norm").front(), 1024, 1);
}

TEST(Expert, SkipScalerUpdateKeepsTheScale) {
    PlainProject project(1024);
    project.training()["grad_scaler"]["growth_interval"] = 2;
    const Pair pair = runBoth(project, "skip_scaler_update");
    EXPECT_EQ(pair.right.values("scaler.scale"), (std::vector<double>{1024, 2048, 2048, 4096, 4096, 8192}));
    EXPECT_EQ(pair.wrong.values("scaler.scale"), std::vector<double>(6, 1024));
}

TEST(Expert, SkipZeroGradAddsEachStepsGradientToTheOnesBefore) {
    PlainProject project(1024);
    project.training()["precision"] = "fp32";
    const Pair pair = runBoth(project, "skip_zero_grad");
    const std::vector<double> right = pair.right.values("grad.norm"), wrong = pair.wrong.values("grad.norm");
    ASSERT_EQ(wrong.size(), 6U);
    for (std::size_t step = 0; step < wrong.size(); ++step) {
        EXPECT_NEAR(right[step], right[0], 1e-3 * right[0]);
        EXPECT_NEAR(wrong[step], static_cast<double>(step + 1) * right[0],
                    1e-3 * right[0] * static_cast<double>(step + 1));
    }
}

TEST(Expert, ZeroGradBeforeStepLeavesTheWeightsAsTheyAre) {
    TinyProject project;
    const Pair pair = runBoth(project, "zero_grad_before_step", 3);
    const auto weights = [](const std::filesystem::path& run, std::int64_t step) {
        const train::CheckpointFolder folder(run);
        return train::readModelState(folder.fileOfStep(step)).value().at("hidden.weight");
    };
    EXPECT_TRUE(at::equal(weights(pair.wrongFolder, 0), weights(pair.wrongFolder, 3)));
    EXPECT_FALSE(at::equal(weights(pair.rightFolder, 0), weights(pair.rightFolder, 3)));
}

TEST(Expert, ValidateInTrainModeDropsActivationsInValidation) {
    TinyProject project;
    const Pair pair = runBoth(project, "validate_in_train_mode", 12);
    EXPECT_EQ(pair.right.values("train.loss"), pair.wrong.values("train.loss"))
        << "up to the first validation nothing differs";
    EXPECT_NE(pair.right.values("val.loss"), pair.wrong.values("val.loss"));
}

TEST(Expert, KeepEvalAfterValidationTrainsOnInEvalMode) {
    TinyProject project;
    const Pair pair = runBoth(project, "keep_eval_after_validation", 24);
    const std::vector<double> right = pair.right.values("train.loss"), wrong = pair.wrong.values("train.loss");
    ASSERT_EQ(right.size(), 24U);
    EXPECT_TRUE(std::equal(right.begin(), right.begin() + 12, wrong.begin()));
    EXPECT_NE(right[12], wrong[12]);
}

TEST(Expert, SchedulerEveryBatchCountsBatchesWhereStepsAreMeant) {
    TinyProject project;
    project.training()["accumulation"] = 4;
    project.training()["scheduler"] = {{"type", "step"}, {"unit", "step"}, {"step_size", 1}, {"gamma", 0.5}};
    const Pair pair = runBoth(project, "scheduler_every_batch", 3);
    EXPECT_EQ(pair.right.values("lr"), (std::vector<double>{0.02, 0.01, 0.005}));
    EXPECT_EQ(pair.wrong.values("lr"), (std::vector<double>{0.02, 0.02 / 16, 0.02 / 256}));
}

TEST(Expert, SchedulerOnSkippedStepMovesOnWithoutAStep) {
    PlainProject project(1e9);
    project.training()["grad_scaler"]["backoff_factor"] = 0.5;
    project.training()["scheduler"] = {{"type", "step"}, {"unit", "step"}, {"step_size", 1}, {"gamma", 0.5}};
    const Pair pair = runBoth(project, "scheduler_on_skipped_step", 3);
    ASSERT_EQ(pair.right.values("scaler.skipped").at(1), 2) << "a scale of 1e9 overflows float16";
    EXPECT_EQ(pair.right.values("lr"), std::vector<double>(3, 1e-6));
    EXPECT_EQ(pair.wrong.values("lr"), (std::vector<double>{1e-6, 5e-7, 2.5e-7}));
}

TEST(Expert, AllowBroadcastLossTrainsOnWhatIsRefusedOtherwise) {
    TinyProject project;
    project.regressDistance(2);
    TestRun refused(project, "refused");
    const auto summary = refused.start(3);
    ASSERT_FALSE(summary.has_value());
    EXPECT_EQ(summary.error().code, "loss-target-shape");
    // A target that is declared to be one number a sample is no mistake.
    project.training()["losses"][0]["scalar_target"] = true;
    TestRun declared(project, "declared");
    ASSERT_TRUE(declared.start(12).has_value());
    EXPECT_TRUE(declared.sink.findings.empty());
    project.training()["losses"][0].erase("scalar_target");
    project.json["data"]["loader"]["batch_size"] = 2;
    project.training()["expert"] = {{"allow_broadcast_loss", true}};
    TestRun allowed(project, "allowed");
    ASSERT_TRUE(allowed.start(3).has_value());
    ASSERT_EQ(allowed.sink.findings.size(), 1U);
    EXPECT_EQ(allowed.sink.findings.front().detector, "loss-target-shape");
}

}  // namespace
}  // namespace plumbline::test
