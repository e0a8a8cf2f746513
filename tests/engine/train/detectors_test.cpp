// Each mistake of training.expert is found, and nothing else is.
#include <algorithm>

#include "core/random.h"
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
using diagnostics::Remedy;

/// The remedy of the only finding, as an edit of the project that ran; running again finds nothing.
void expectRemedyMends(TinyProject& project, const std::string& name, const std::string& detector,
                       std::size_t which = 0) {
    TestRun run(project, name);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    ASSERT_EQ(causes(run.sink), Names{detector}) << name;
    ASSERT_GT(run.sink.findings.front().remedies.size(), which);
    const auto mended = applyJsonPatch(project.json, run.sink.findings.front().remedies[which].patch);
    ASSERT_TRUE(mended.has_value()) << toSentence(mended.error());
    project.json = *mended;
    EXPECT_EQ(findingsWith(project, name + "-mended"), Names{}) << name;
}

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

TEST(Detectors, LookAtTheLargestRateWherePatternsNameEveryParameter) {
    TinyProject project;
    project.training()["optimizer"]["groups"] =
        Json::parse(R"([{"match": "hidden.*", "lr": 0.0}, {"match": "*", "lr": 0.02}])");
    project.training()["expert"] = {{"zero_grad_before_step", true}};
    TestRun run(project);
    ASSERT_TRUE(run.start(12).has_value());
    EXPECT_EQ(causes(run.sink), Names{"parameter-not-updating"});
    EXPECT_EQ(run.sink.values("lr/hidden.*"), std::vector<double>(12, 0.0));
    EXPECT_EQ(run.sink.values("lr/*"), run.sink.values("lr"));
    EXPECT_GT(run.sink.last("lr"), 0);
}

TEST(Detectors, FindALayerBehindADeadActivationThoughWeightDecayMovesIt) {
    TinyProject project;
    project.useOnlyLinearLayers();
    project.json["model"]["graph"]["nodes"]["hidden"]["init"] = {
        {"scheme", "constant"}, {"value", -1.0}, {"bias", -1000.0}};
    for (const char* stride : {"1", "\"auto\""}) {
        project.json["monitor"]["stride"] = Json::parse(stride);
        TestRun run(project, std::string("dead") + std::to_string(std::string(stride).size()));
        ASSERT_TRUE(run.start(40).has_value());
        ASSERT_EQ(causes(run.sink), Names{"parameter-not-updating"}) << stride;
        const diagnostics::Finding& finding = run.sink.findings.front();
        EXPECT_EQ(finding.block, "hidden");
        EXPECT_EQ(finding.evidence.at("gradient"), "zero");
        EXPECT_LE(finding.step, 25) << stride;
    }
}

TEST(Detectors, FindALearningRateThatThrowsTheLossFarOutAndOfferWhatMends) {
    TinyProject project;
    project.useOnlyLinearLayers();
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.2}, {"maximize", true}};
    project.training()["scheduler"] = {{"type", "constant"}};
    TestRun run(project, "diverged");
    ASSERT_TRUE(run.start().has_value());
    ASSERT_EQ(causes(run.sink), Names{"loss-diverged"});
    project.json = applyJsonPatch(project.json, run.sink.findings.front().remedies[0].patch).value();
    EXPECT_EQ(findingsWith(project, "minimised"), Names{});
    // Clipped steps that are far too long: the loss goes up, and nowhere beyond what a float holds.
    TinyProject far;
    far.useOnlyLinearLayers();
    far.regressDistance(1);
    far.json["model"]["graph"]["nodes"]["relu"]["type"] = "LeakyReLU";
    far.training()["scheduler"] = {{"type", "constant"}};
    far.training()["clip"] = {{"type", "norm"}, {"max_norm", 1.0}};
    far.training()["optimizer"] = {{"type", "SGD"}, {"lr", 30.0}};
    expectRemedyMends(far, "far", "loss-diverged");
    EXPECT_EQ(far.training()["optimizer"]["lr"], 3.0);
}

TEST(Detectors, HaveOneFindingForARunThatEndsInNan) {
    TinyProject project;
    project.useOnlyLinearLayers();
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 1e30}};
    project.training()["scheduler"] = {{"type", "constant"}};
    TestRun run(project);
    ASSERT_TRUE(run.start().has_value());
    EXPECT_EQ(causes(run.sink), Names{"non-finite"});
    EXPECT_EQ(run.sink.detectors(), Names{"non-finite"}) << "what a NaN holds fast is no finding of its own";
}

TEST(Detectors, FindABranchThatNoLossReaches) {
    TinyProject project;
    project.json["model"]["graph"]["nodes"]["side"] = {
        {"type", "Linear"}, {"from", "hidden"}, {"params", {{"out_features", 2}}}};
    project.json["model"]["graph"]["outputs"]["side"] = "side";
    TestRun run(project);
    ASSERT_TRUE(run.start().has_value());
    ASSERT_EQ(causes(run.sink), Names{"parameter-not-updating"});
    EXPECT_EQ(run.sink.findings.front().block, "side");
    EXPECT_EQ(run.sink.findings.front().evidence.at("gradient"), "undefined");
}

TEST(Detectors, FindALossThatBroadcasts) {
    TinyProject project;
    project.regressDistance(2);
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
    project.json["model"]["graph"]["nodes"]["bn"]["mode"] = "eval";
    EXPECT_EQ(findingsWith(project, "frozen-eval"), Names{});
}

TEST(Detectors, OfferWhatMends) {
    for (const auto& [key, detector] : {std::pair{"validate_in_train_mode", "validation-in-train-mode"},
                                        std::pair{"keep_eval_after_validation", "train-mode-not-restored"},
                                        std::pair{"zero_grad_before_step", "parameter-not-updating"}}) {
        TinyProject project;
        project.training()["expert"] = {{key, true}};
        expectRemedyMends(project, key, detector);
    }
    TinyProject scaler;
    scaler.training()["precision"] = "fp16";
    scaler.training()["expert"] = {{"skip_scaler_update", true}};
    expectRemedyMends(scaler, "scaler", "scaler-frozen");
    TinyProject frozen;
    frozen.json["model"]["graph"]["nodes"]["bn"]["frozen"] = true;
    expectRemedyMends(frozen, "bn", "frozen-batchnorm-drifts");
}

TEST(Detectors, OfferWhatMendsALossThatOverflows) {
    // A step of this size throws a regression without clipping further out each time.
    TinyProject project;
    project.useOnlyLinearLayers();
    project.regressDistance(1);
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.5}};
    project.training()["scheduler"] = {{"type", "constant"}};
    expectRemedyMends(project, "overflow", "non-finite", 1);
    EXPECT_EQ(project.training()["clip"]["max_norm"], 1.0);
}

TEST(Detectors, OfferWhatMendsAScaleAtWhichEveryStepIsSkipped) {
    for (std::size_t remedy = 0; remedy < 2; ++remedy) {
        TinyProject project;
        project.training()["precision"] = "fp16";
        project.training()["grad_scaler"] = {{"init_scale", 1099511627776.0}};
        expectRemedyMends(project, "skips" + std::to_string(remedy), "scaler-frozen", remedy);
    }
}

TEST(Detectors, OfferBf16WhereTheModelOverflowsAtAnyScale) {
    // 3e4 times an input of a few units is beyond fp16, however little the loss is scaled.
    TinyProject project;
    project.useOnlyLinearLayers();
    project.json["model"]["graph"]["nodes"]["large"] = {{"type", "Linear"},
                                                        {"from", "x"},
                                                        {"params", {{"out_features", 4}}},
                                                        {"init", {{"scheme", "constant"}, {"value", 30000.0}}},
                                                        {"frozen", true}};
    project.json["model"]["graph"]["nodes"]["small"] = {{"type", "Sigmoid"}, {"from", "large"}};
    project.json["model"]["graph"]["nodes"]["hidden"]["from"] = "small";
    project.training()["precision"] = "fp16";
    TestRun run(project);
    ASSERT_TRUE(run.start(4).has_value());
    ASSERT_EQ(causes(run.sink), Names{"non-finite"});
    const std::vector<Remedy>& remedies = run.sink.findings.front().remedies;
    const auto bf16 = std::find_if(remedies.begin(), remedies.end(),
                                   [](const Remedy& remedy) { return remedy.title == "Train in bf16"; });
    ASSERT_NE(bf16, remedies.end());
    project.json = applyJsonPatch(project.json, bf16->patch).value();
    EXPECT_EQ(findingsWith(project, "bf16"), Names{});
}

TEST(Detectors, OfferToRefuseALossThatBroadcasts) {
    TinyProject project;
    project.regressDistance(2);
    project.training()["expert"] = {{"allow_broadcast_loss", true}};
    TestRun run(project, "broadcast");
    ASSERT_TRUE(run.start(4).has_value());
    ASSERT_EQ(run.sink.findings.front().remedies.size(), 2U);
    project.json = applyJsonPatch(project.json, run.sink.findings.front().remedies[1].patch).value();
    const auto refused = TestRun(project, "refused").start(4);
    ASSERT_FALSE(refused.has_value()) << "the mistake can no longer be overlooked";
    EXPECT_NE(refused.error().message.find("[B, 2]"), std::string::npos) << refused.error().message;
    project.json["model"]["graph"]["nodes"]["fc"]["params"]["out_features"] =
        1;  // what the sentence and the first remedy say
    EXPECT_EQ(findingsWith(project, "fits"), Names{});
}

TEST(Detectors, FindGradientsThatAreDroppedWithinFewSteps) {
    TinyProject project;
    project.training()["determinism"] = "default";
    project.json["monitor"]["stride"] = "auto";
    project.training()["expert"] = {{"zero_grad_before_step", true}};
    TestRun run(project);
    ASSERT_TRUE(run.start(24).has_value());
    ASSERT_EQ(causes(run.sink), Names{"parameter-not-updating"});
    EXPECT_LE(run.sink.findings.front().step, 12);
    EXPECT_EQ(run.sink.findings.front().block, "") << "it is the whole model";
}

TEST(Detectors, FindInvariantsThatAreBrokenInTheFirstStepsOfADeterministicRun) {
    const auto stepOf = [](TinyProject& project, const std::string& name) {
        project.training()["determinism"] = "deterministic";
        project.json["monitor"]["stride"] = "auto";
        TestRun run(project, name);
        EXPECT_TRUE(run.start(45).has_value());
        return run.sink.findings.empty() ? std::int64_t{-1} : run.sink.findings.front().step;
    };
    TinyProject dropped;
    dropped.training()["expert"] = {{"zero_grad_before_step", true}};
    dropped.training()["scheduler"] = {{"type", "constant"}};
    EXPECT_EQ(stepOf(dropped, "dropped"), 3);
    dropped.training()["scheduler"] = {{"type", "constant"}, {"unit", "step"}, {"warmup", 10}};
    EXPECT_LE(stepOf(dropped, "warmed-up"), 15) << "half the rate is reached in step 5; three steps that count follow";
    TinyProject frozen;
    frozen.json["model"]["graph"]["nodes"]["bn"]["frozen"] = true;
    EXPECT_EQ(stepOf(frozen, "frozen"), 1);
    TinyProject healthy;
    EXPECT_EQ(stepOf(healthy, "healthy"), -1);
}

TEST(Detectors, FindAnInputOfAnotherElementTypeAndOfferWhatMends) {
    TinyProject project;
    project.json["data"]["inputs"]["x"]["dtype"] = "float64";
    expectRemedyMends(project, "float64", "input-dtype");
    TinyProject precise;  // a model that computes its first block in float64 on purpose
    precise.json["model"]["graph"]["inputs"]["x"]["dtype"] = "float64";
    precise.json["model"]["graph"]["nodes"]["cast"] = {
        {"type", "ToDtype"}, {"from", "x"}, {"params", {{"dtype", "float32"}}}};
    precise.json["model"]["graph"]["nodes"]["hidden"]["from"] = "cast";
    EXPECT_EQ(findingsWith(precise, "precise"), Names{});
}

TEST(Detectors, FindALoaderThatIsSlowerThanTrainingAndOfferAWorker) {
    // Images are drawn up and down again: many times what one small Linear takes.
    TinyProject project;
    project.json["data"] = parseJson(R"({
      "sources": {"made": {"type": "generated", "kind": "images", "samples": 1200, "classes": 3, "channels": 1, "size": 8}},
      "inputs": {"x": {"from": "made.image", "transforms": [{"type": "resize", "size": [160, 160]}, {"type": "resize", "size": [2, 2]}, {"type": "to_float"}, {"type": "flatten"}]}},
      "targets": {"label": {"from": "made.label"}},
      "splits": {"train": 0.9, "validation": 0.1, "test": 0.0, "seed": 0},
      "loader": {"batch_size": 12, "workers": 0, "prefetch_batches": 2, "shuffle": true, "drop_last": false}})",
                                     "test")
                               .value();
    project.training()["stop"] = {{"epochs", 1}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    ASSERT_EQ(causes(run.sink), Names{"loader-stall"});
    const diagnostics::Finding& finding = run.sink.findings.front();
    EXPECT_EQ(finding.severity, graph::Severity::kCritical);
    EXPECT_GE(finding.step, 70) << "20 steps to warm up and 50 to judge by";
    EXPECT_LE(finding.step, 75);
    ASSERT_EQ(finding.remedies.size(), 1U) << "without a worker there is nothing to prefetch";
    EXPECT_EQ(finding.remedies[0].title, "Set workers to 1");
}

TEST(Detectors, FindAnActivationThatOverflowsWithoutSpoilingTheLoss) {
    // 3e38 times what is above 1.2 is beyond float32; the sigmoid behind it makes a plain 1 of it.
    TinyProject project;
    Json& nodes = project.json["model"]["graph"]["nodes"];
    nodes = {{"positive", {{"type", "ReLU"}, {"from", "x"}}},
             {"huge",
              {{"type", "Linear"},
               {"from", "positive"},
               {"params", {{"out_features", 8}}},
               {"init", {{"scheme", "constant"}, {"value", 3e38}}},
               {"frozen", true}}},
             {"squash", {{"type", "Sigmoid"}, {"from", "huge"}}},
             {"fc", {{"type", "Linear"}, {"from", "squash"}, {"params", {{"out_features", 3}}}}}};
    TestRun run(project);
    const auto summary = run.start(4);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    ASSERT_EQ(causes(run.sink), Names{"non-finite"});
    EXPECT_EQ(run.sink.findings.front().block, "huge");
    EXPECT_EQ(run.sink.findings.front().step, 1);
    EXPECT_EQ(run.sink.findings.front().evidence.at("what"), "activation");
}

TEST(Detectors, FindLabelsThatHaveNothingToDoWithTheSamples) {
    // Every class next to every cluster: the training loss still falls, since the network learns the samples by heart.
    TinyProject project(600);
    const std::string text = *readFile(project.folder() / "points.csv");
    std::string shuffled = text.substr(0, text.find('\n') + 1);
    Random random(11);
    for (std::size_t at = shuffled.size(); at < text.size();) {
        const std::size_t end = text.find('\n', at);
        shuffled += text.substr(at, end - at - 1) + static_cast<char>('a' + random.below(3)) + "\n";
        at = end + 1;
    }
    ASSERT_TRUE(writeFileAtomically(project.folder() / "points.csv", shuffled).has_value());
    project.json["model"]["graph"]["nodes"]["hidden"]["params"]["out_features"] = 128;
    project.json["model"]["graph"]["nodes"]["drop"]["params"]["p"] = 0.0;
    project.training()["stop"]["epochs"] = 30;
    project.json["monitor"]["detectors"] = {{"accuracy-at-chance", {{"samples", 500}}}};
    for (const char* unit : {"epoch", "step"}) {
        // 23 steps an epoch: every 10 steps is never at an epoch's end.
        project.training()["validation"] = {{"every", std::string(unit) == "step" ? 10 : 1}, {"unit", unit}};
        EXPECT_EQ(findingsWith(project, std::string("labels-") + unit), Names{"accuracy-at-chance"}) << unit;
    }
    // What its first remedy asks to check, put right.
    ASSERT_TRUE(writeFileAtomically(project.folder() / "points.csv", text).has_value());
    EXPECT_EQ(findingsWith(project, "labels-right"), Names{});
}

TEST(Detectors, StaySilentOverWhatOnlyLooksLikeAMistake) {
    const auto silent = [](TinyProject& project, const std::string& name) {
        EXPECT_EQ(findingsWith(project, name), Names{}) << name;
    };
    TinyProject healthy;
    silent(healthy, "healthy");
    TinyProject average;  // BatchNorm that averages over all batches
    average.json["model"]["graph"]["nodes"]["bn"]["params"]["momentum"] = nullptr;
    silent(average, "cumulative");
    TinyProject frozen;  // a frozen layer at a learning rate above zero
    frozen.json["model"]["graph"]["nodes"]["hidden"]["frozen"] = true;
    silent(frozen, "frozen");
    TinyProject stochastic;  // dropout that is meant to stay in validation
    stochastic.json["model"]["graph"]["nodes"]["drop"]["mode"] = "stochastic";
    silent(stochastic, "stochastic");
    TinyProject eval;  // eval on purpose
    eval.json["model"]["graph"]["nodes"]["bn"]["mode"] = "eval";
    silent(eval, "eval");
    TinyProject still;  // a group that is held still
    still.training()["optimizer"]["groups"] = {{{"match", "hidden.*"}, {"lr", 0.0}}};
    silent(still, "still");
    TinyProject settling;  // a scale that begins too high and comes down
    settling.training()["precision"] = "fp16";
    settling.training()["grad_scaler"] = {{"init_scale", 16777216.0}};
    silent(settling, "settling");
    TinyProject accumulating;
    accumulating.training()["accumulation"] = 5;
    silent(accumulating, "accumulating");
    TinyProject perfect;  // a loss of exactly 0: there is nothing left to learn, and no gradient
    perfect.useOnlyLinearLayers();
    perfect.training()["optimizer"] = {{"type", "SGD"}, {"lr", 30.0}};
    perfect.training()["scheduler"] = {{"type", "constant"}};
    perfect.training()["stop"]["epochs"] = 12;
    perfect.training()["seed"] = 1;
    perfect.json["model"]["graph"]["nodes"]["relu"]["type"] = "Tanh";
    perfect.json["monitor"]["detectors"] = {{"loss-diverged", {{"enabled", false}}}};  // its rate is one to tell of
    silent(perfect, "perfect");
    TinyProject unshuffled;
    unshuffled.training()["expert"] = {{"no_shuffle_per_epoch", true}, {"same_worker_seed", true}};
    silent(unshuffled, "unshuffled");
}

}  // namespace
}  // namespace plumbline::test
