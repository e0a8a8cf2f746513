// Whole runs of two adversaries: what they tell, and that they go on exactly.
#include <cmath>
#include <numeric>
#include <set>

#include "blocks/register.h"
#include "exact_resume.h"
#include "project/planned_rates.h"
#include "project/project.h"
#include "train/epoch_values.h"
#include "train/probes/probe.h"

namespace plumbline::test {
namespace {

/// A generator of points and a discriminator, in one step.
struct Adversarial : TinyProject {
    Adversarial() {
        Json& graph = json["model"]["graph"];
        graph["inputs"] = {{"z", {{"shape", {"B", 4}}, {"dtype", "float32"}}},
                           {"x", {{"shape", {"B", 4}}, {"dtype", "float32"}}}};
        json["model"]["definitions"] = parseJson(R"json({
          "Generator": {"parameters": {}, "inputs": {"z": {}}, "outputs": {"y": "out"}, "nodes": {
            "hidden": {"type": "Linear", "from": "z", "params": {"out_features": 16}}, "bn": {"type": "BatchNorm1d", "from": "hidden"},
            "relu": {"type": "ReLU", "from": "bn"}, "out": {"type": "Linear", "from": "relu", "params": {"out_features": 4}}}},
          "Discriminator": {"parameters": {}, "inputs": {"x": {}}, "outputs": {"y": "out"}, "nodes": {
            "hidden": {"type": "Linear", "from": "x", "params": {"out_features": 16}}, "relu": {"type": "LeakyReLU", "from": "hidden"},
            "drop": {"type": "Dropout", "from": "relu", "params": {"p": 0.1}}, "out": {"type": "Linear", "from": "drop", "params": {"out_features": 1}}}}})json",
                                                 "")
                                           .value();
        graph["nodes"] = parseJson(R"json({
          "generator": {"type": "Generator", "from": "z"},
          "discriminator": {"type": "Discriminator", "from": "x"},
          "again": {"type": "Discriminator", "from": "generator", "weights": "discriminator"}})json",
                                   "")
                             .value();
        graph["outputs"] = {{"real", "discriminator"}, {"judged", "again"}, {"fake", "generator"}};
        Json& inputs = json["data"]["inputs"];
        const Json points = inputs["x"];
        inputs = {{"x", points}, {"z", points}};
        inputs["z"]["transforms"] =
            parseJson(R"json([{"type": "normalize", "statistics": "train"}, {"type": "add_noise", "std": 1}])json", "")
                .value();
        Json& plan = training();
        plan["losses"] = parseJson(R"json([
          {"type": "ExpressionLoss", "expression": "mean(softplus(-real)) + mean(softplus(judged))", "phase": "discriminator"},
          {"type": "ExpressionLoss", "expression": "mean(softplus(-judged))", "phase": "generator"}])json",
                                   "")
                             .value();
        plan["metrics"] = Json::array();
        plan.erase("checkpoints");
        plan["optimizer"] = {{"type", "Adam"}, {"lr", 0.002}, {"betas", {0.5, 0.999}}};
        plan["phases"] = parseJson(R"json([{"name": "discriminator", "train": "discriminator.*"},
                                           {"name": "generator", "train": "generator.*", "optimizer": {"type": "RMSprop", "lr": 0.003}, "every": 2}])json",
                                   "")
                             .value();
    }
};

TEST(PhaseRun, TellsThePhasesLossesApart) {
    const Adversarial project;
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->status, "completed");
    const std::vector<double> all = run.sink.values("train.loss"),
                              judging = run.sink.values("train.loss.discriminator"),
                              generating = run.sink.values("train.loss.generator");
    ASSERT_EQ(judging.size(), all.size());
    ASSERT_EQ(generating.size(), (all.size() + 1) / 2);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_NEAR(all[i], judging[i] + (i % 2 == 0 ? generating[i / 2] : 0), 1e-9);
    }
    EXPECT_NEAR(summary->metrics.at("val.loss"),
                summary->metrics.at("val.loss.discriminator") + summary->metrics.at("val.loss.generator"), 1e-9);
    // Of the last epoch: 12 steps, and the generator in every other one, none of them with the smaller last batch.
    EXPECT_NEAR(summary->metrics.at("train.loss.generator"),
                std::accumulate(generating.end() - 6, generating.end(), 0.0) / 6, 1e-9);
    ASSERT_EQ(all.size(), 72U);
    EXPECT_TRUE(run.sink.points.contains("lr/generator") && run.sink.points.contains("lr/discriminator"));
    EXPECT_EQ(run.sink.values("lr/generator").front() / run.sink.values("lr/discriminator").front(), 1.5);
    EXPECT_EQ(run.sink.detectors(), std::vector<std::string>{});
}

TEST(PhaseRun, HasTheRatesThatItsPlanShows) {
    Adversarial project;
    project.training()["scheduler"] =
        parseJson(R"json({"type": "cosine", "unit": "step", "warmup": 5, "min_lr": 0.0001})json", "").value();
    project.training()["phases"][1]["optimizer"]["groups"] =
        parseJson(
            R"json([{"match": "generator.out.*", "lr": 0.01}, {"match": "generator.hidden.*", "frozen": true}])json",
            "")
            .value();
    project.training()["phases"][0]["optimizer"] =
        parseJson(R"json({"layer_decay": 0.5, "decay_norms_and_biases": false})json", "").value();
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    const std::vector<double> all = run.sink.values("lr");
    const project::Project& read = run.request.project;
    const std::vector<plan::RateSeries> series =
        project::rateSeriesOf(read.training, graph::resolve(read.model, blocks::builtinBlocks()));
    const plan::PlannedRates planned =
        plan::plannedRates(read.training, static_cast<std::int64_t>(all.size()) / read.training.epochs, 10'000, series);
    ASSERT_EQ(planned.points.size(), all.size());
    std::set<std::string> written, shown{"lr"};
    for (const auto& [name, points] : run.sink.points) {
        if (name == "lr" || name.starts_with("lr/")) {
            written.insert(name);
        }
    }
    for (const plan::PlannedSeries& each : planned.series) {
        shown.insert(each.name);
        EXPECT_EQ(run.sink.values(each.name), each.rates) << each.name;
    }
    EXPECT_EQ(written, shown);
    for (std::size_t step = 0; step < all.size(); ++step) {
        EXPECT_EQ(all[step], planned.points[step].lr) << step;
    }
}

TEST(PhaseRun, GoesOnExactly) {
    expectExactResume(Adversarial(), 7, "phases");
    Adversarial other;
    other.training()["averaging"] = {{"type", "ema"}, {"decay", 0.9}};
    other.training()["gradient_noise"] = {{"eta", 0.01}};
    other.training()["clip"] = {{"type", "norm"}, {"max_norm", 0.5}};
    expectExactResume(other, 8, "phases-with-noise");
}

TEST(PhaseRun, HasTheSameNumbersWithActivationCheckpointing) {
    Adversarial project;
    project.training()["phases"][1]["every"] = 1;
    TestRun plain(project, "plain");
    const auto straight = plain.start();
    ASSERT_TRUE(straight.has_value()) << toSentence(straight.error());
    // All that holds no running statistics: the dropout of the discriminator draws the same again.
    project.training()["activation_checkpointing"] = {
        {"blocks", {"discriminator", "again", "generator.hidden", "generator.relu", "generator.out"}}};
    TestRun checkpointed(project, "checkpointed");
    const auto ended = checkpointed.start();
    ASSERT_TRUE(ended.has_value()) << toSentence(ended.error());
    EXPECT_EQ(checkpointed.sink.recorded["activation_checkpointing"]["blocks"].size(), 5U);
    expectSameRun(plain, *straight, checkpointed, *ended, "checkpointed phases");
    for (const char* series :
         {"train.loss.discriminator", "train.loss.generator", "val.loss.discriminator", "val.loss.generator"}) {
        ASSERT_TRUE(plain.sink.points.contains(series)) << series;
        EXPECT_EQ(checkpointed.sink.points[series], plain.sink.points[series]) << series;
    }
    project.training()["activation_checkpointing"]["blocks"] = {"generator"};  // which has a BatchNorm
    TestRun refused(project, "refused");
    const auto refusal = refused.start(1);
    ASSERT_FALSE(refusal.has_value());
    EXPECT_EQ(refusal.error().code + " " + refusal.error().where,
              "checkpointed-state /training/activation_checkpointing/blocks/0");
}

TEST(PhaseRun, ABlockWithoutGradientsThatIsAllOfAPhaseIsRefusedByTheRunAsByTheCheck) {
    const auto refusal = [](const Json& patterns, const std::string& name) {
        Adversarial project;
        project.training()["no_grad"] = patterns;
        TestRun run(project, name);
        const auto ended = run.start(2);
        EXPECT_TRUE(ended || !ended.error().hint.empty());
        return ended ? std::string() : ended.error().code + " " + ended.error().where;
    };
    EXPECT_EQ(refusal({"generator"}, "whole"), "nothing-to-train /training/no_grad");
    EXPECT_EQ(refusal({"again"}, "between"), "nothing-learns /training/phases");
    EXPECT_EQ(refusal({"generator.hidden", "generator.bn"}, "part"), "");
}

TEST(PhaseRun, StopsEarlyByThePhasesLoss) {
    Adversarial project;
    TestRun plain(project, "plain");
    ASSERT_TRUE(plain.start().has_value());
    const std::vector<double> given = plain.sink.values("val.loss.generator");
    ASSERT_EQ(given.size(), 6U);
    ASSERT_NE(given[0], given[1]);  // so that one of the modes ends at the second validation
    for (const bool isMax : {false, true}) {
        std::size_t last = 1;  // the first validation that is no better than all before it
        while (last + 1 < given.size() && (isMax ? given[last] > given[last - 1] : given[last] < given[last - 1])) {
            ++last;
        }
        project.training()["early_stopping"] = {
            {"patience", 1}, {"series", "val.loss.generator"}, {"mode", isMax ? "max" : "min"}};
        TestRun run(project, isMax ? "max" : "min");
        const auto summary = run.start();
        ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
        EXPECT_EQ(run.sink.values("val.loss.generator"),
                  std::vector<double>(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(last) + 1));
        EXPECT_EQ(summary->steps.attempted, 12 * static_cast<std::int64_t>(last + 1));
        EXPECT_TRUE(last + 1 == given.size() || summary->stopCode == "early_stopping") << summary->stopCode;
    }
}

TEST(PhaseRun, AValidationInWhichNothingCountedKeepsNoLossOfTheOneBefore) {
    const project::Project project = Adversarial().read();
    RecordingSink sink;
    train::TrainingSetup setup;
    train::Position position;
    train::RunReporter reporter(sink, position);
    const std::map<std::string, double> trained{
        {"train.loss", 3}, {"train.loss.discriminator", 2}, {"train.loss.generator", 1}};
    position.values = trained;
    position.values.insert({{"val.loss", 3}, {"val.loss.discriminator", 2}, {"val.loss.generator", 1}});
    train::EpochValues(project.training, setup, reporter, position).take("val.", {}, {}, Json::object());
    EXPECT_EQ(position.values, trained);
}

TEST(PhaseRun, ChangesTheRateOfPhasesThatStateNone) {
    const Adversarial project;
    TestRun run(project);
    run.sink.onStep = [&](std::int64_t step) {
        if (step == 4) {
            run.live.post({"training.optimizer.lr", 0.01});
        }
    };
    ASSERT_TRUE(run.start().has_value());
    const std::vector<double> judging = run.sink.values("lr/discriminator"),
                              generating = run.sink.values("lr/generator");
    EXPECT_NEAR(judging.back() / judging.front() / (generating.back() / generating.front()), 5, 1e-9);
}

TEST(PhaseRun, ProbesThatLookForAFallingLossAreRefused) {
    const Adversarial project;
    TestRun run(project);
    RunControl control;
    for (const session::ProbeKind kind : {session::ProbeKind::kLearningRate, session::ProbeKind::kOverfit,
                                          session::ProbeKind::kPreflight, session::ProbeKind::kProfile}) {
        session::ProbeRequest request;
        request.project = run.request.project;
        request.kind = kind;
        const auto report = train::probe(request, control, {});
        const bool refused = kind == session::ProbeKind::kLearningRate || kind == session::ProbeKind::kOverfit;
        EXPECT_EQ(report.has_value(), !refused) << (report ? "" : toSentence(report.error()));
        EXPECT_TRUE(!refused || report.error().where == "/training/phases");
    }
}

}  // namespace
}  // namespace plumbline::test
