// Runs with averaged weights, noise, a scaler that is set back, blocks in float32 and DropPath: what is validated, kept
// and resumed.
#include <algorithm>
#include <cmath>

#include "exact_resume.h"
#include "train/assembly.h"
#include "train/averaging.h"
#include "train/evaluation.h"
#include "train/training_loop.h"

namespace plumbline::test {

Result<session::RunSummary> trainHere(const session::TrainRequest& request, session::RunSink& sink, RunControl& control,
                                      session::LiveCommands& live) {
    return train::train(request, sink, control, live);
}

namespace {

Json ema(double decay) {
    return {{"type", "ema"}, {"decay", decay}};
}
Json swa(std::int64_t start, std::int64_t every, const char* unit) {
    return {{"type", "swa"}, {"start", start}, {"every", every}, {"unit", unit}};
}

/// What the validation split gives with the weights that evaluate, predict and export take from a checkpoint.
std::map<std::string, double> evaluated(const TestRun& run, const std::string& checkpoint) {
    auto assembly = train::assemble(run.request.project, nullptr, "", nullptr);
    EXPECT_TRUE(assembly.has_value()) << toSentence(assembly.error());
    const auto state = train::readModelState(run.request.runFolder / checkpoint);
    EXPECT_TRUE(state.has_value());
    EXPECT_TRUE(assembly->model->loadStateDict(*state).has_value());
    const auto evaluator = train::Evaluator::make(
        run.request.project.training, run.request.project.data.loader, data::Split::kValidation,
        {assembly->model.get(), &assembly->binder, assembly->dataset, assembly->names, at::kCPU});
    RunControl control;
    const auto result = (*evaluator)->run(control, nullptr, {});
    EXPECT_TRUE(result.has_value());
    return result->values;
}

TEST(AveragedRun, ValidatesAndKeepsTheAveragedWeights) {
    for (const Json& averaging : {ema(0.95), swa(20, 3, "step"), swa(1, 1, "epoch")}) {
        SCOPED_TRACE(averaging.dump());
        TinyProject project;
        project.training()["averaging"] = averaging;
        project.training()["checkpoints"]["best"] = {{"series", "val.loss"}, {"mode", "min"}};
        TestRun run(project);
        const auto summary = run.start();
        ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
        const auto last = train::readCheckpoint(run.request.runFolder / summary->checkpoint);
        ASSERT_TRUE(last.has_value());
        const auto own = last->withPrefix("model."), averaged = last->withPrefix("average.");
        ASSERT_EQ(own.size(), averaged.size());
        EXPECT_FALSE(own.at("fc.weight").equal(averaged.at("fc.weight")));
        for (const auto& [name, value] : evaluated(run, summary->checkpoint)) {
            EXPECT_DOUBLE_EQ(value, summary->metrics.at("val." + name)) << name;
        }
        // The best is the best of what the averaged weights gave.
        const std::vector<double> losses = run.sink.values("val.loss");
        EXPECT_DOUBLE_EQ(evaluated(run, summary->bestCheckpoint).at("loss"),
                         *std::min_element(losses.begin(), losses.end()));
        const Json& state = summary->memory.at("optimizer_state");
        std::int64_t bytes = 0;
        for (const auto& [name, tensor] : averaged) {
            bytes += static_cast<std::int64_t>(tensor.nbytes());
        }
        project.training().erase("averaging");
        TestRun plain(project, "plain");
        const auto without = plain.start();
        ASSERT_TRUE(without.has_value());
        EXPECT_EQ(state.at("current").get<std::int64_t>(),
                  without->memory.at("optimizer_state").at("current").get<std::int64_t>() + bytes);
    }
}

TEST(AveragedRun, TrainsAsWithoutTheAverage) {
    TinyProject project;
    TestRun plain(project, "plain");
    ASSERT_TRUE(plain.start().has_value());
    EXPECT_TRUE(train::readCheckpoint(train::CheckpointFolder(plain.request.runFolder).list().front())
                    ->withPrefix("average.")
                    .empty());
    for (const Json& averaging : {ema(0.9), swa(3, 2, "step")}) {
        project.training()["averaging"] = averaging;
        TestRun run(project, averaging["type"].get<std::string>());
        ASSERT_TRUE(run.start().has_value());
        EXPECT_EQ(run.sink.points["train.loss"], plain.sink.points["train.loss"]);
        EXPECT_EQ(run.sink.points["train.accuracy"], plain.sink.points["train.accuracy"]);
        EXPECT_NE(run.sink.points["val.loss"], plain.sink.points["val.loss"]);
    }
    // An average that keeps nothing of the past is the model itself.
    project.training()["averaging"] = ema(0);
    TestRun same(project, "same");
    ASSERT_TRUE(same.start().has_value());
    EXPECT_EQ(same.sink.points["val.loss"], plain.sink.points["val.loss"]);
}

TEST(AveragedRun, TakesBatchNormsStatisticsAnewWhereThatIsAskedFor) {
    TinyProject project;
    project.training()["averaging"] = swa(0, 2, "step");
    project.training()["averaging"]["recalibrate_batch_norm"] = false;
    TestRun copied(project, "copied");
    const auto a = copied.start();
    ASSERT_TRUE(a.has_value());
    project.training()["averaging"]["recalibrate_batch_norm"] = true;
    TestRun anew(project, "anew");
    const auto b = anew.start();
    ASSERT_TRUE(b.has_value());
    EXPECT_EQ(anew.sink.points["train.loss"], copied.sink.points["train.loss"]);
    EXPECT_NE(anew.sink.points["val.loss"], copied.sink.points["val.loss"]);
    const auto state = train::readModelState(anew.request.runFolder / b->checkpoint);
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(state->at("bn.num_batches_tracked").item<std::int64_t>(), 12);  // the batches of one pass
    const auto other = train::readModelState(copied.request.runFolder / a->checkpoint);
    EXPECT_EQ(other->at("bn.num_batches_tracked").item<std::int64_t>(), 72);
    EXPECT_TRUE(state->at("fc.weight").equal(other->at("fc.weight")));
    // Without a validation it is done at the end.
    project.json["data"]["splits"] = {{"train", 1.0}, {"validation", 0.0}, {"test", 0.0}};
    TestRun unvalidated(project, "unvalidated");
    const auto c = unvalidated.start();
    ASSERT_TRUE(c.has_value()) << toSentence(c.error());
    const auto last = train::readModelState(unvalidated.request.runFolder / c->checkpoint);
    ASSERT_TRUE(last.has_value());
    EXPECT_EQ(last->at("bn.num_batches_tracked").item<std::int64_t>(), 19);
}

TEST(AveragedRun, ABestCheckpointThatNoValidationChoseHasStatisticsOfItsOwnAndAnotherSaysThatItHasNone) {
    TinyProject project;
    project.json["data"]["splits"] = {{"train", 0.6}, {"validation", 0.0}, {"test", 0.4}};
    project.training()["averaging"] = swa(0, 1, "step");
    project.training()["checkpoints"] = {
        {"every", 5}, {"unit", "step"}, {"keep_last", 100}, {"best", {{"series", "train.loss"}, {"mode", "min"}}}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    bool notRecalibrated = true;
    const auto best = train::readModelState(run.request.runFolder / summary->bestCheckpoint, &notRecalibrated);
    ASSERT_TRUE(best.has_value());
    EXPECT_FALSE(notRecalibrated);
    EXPECT_EQ(best->at("bn.num_batches_tracked").item<std::int64_t>(), 12) << "the batches of one pass";
    const auto between =
        train::readModelState(run.request.runFolder / "checkpoints/step-000000020.ckpt", &notRecalibrated);
    ASSERT_TRUE(between.has_value());
    EXPECT_TRUE(notRecalibrated);
    const auto assembly = train::assemble(run.request.project, nullptr, "", nullptr);
    ASSERT_TRUE(assembly.has_value());
    const plan::AveragingSpec& spec = run.request.project.training.averaging;
    EXPECT_NE(train::remarkOnStatistics(spec, *assembly->model, true), "");
    EXPECT_EQ(train::remarkOnStatistics(spec, *assembly->model, false), "");
    EXPECT_EQ(train::remarkOnStatistics(plan::AveragingSpec{}, *assembly->model, true), "");
}

TEST(AveragedRun, ResumesExactly) {
    for (const Json& averaging : {ema(0.9), swa(10, 3, "step"), swa(1, 1, "epoch")}) {
        TinyProject project;
        project.training()["averaging"] = averaging;
        if (averaging["type"] == "ema") {
            project.training()["averaging"]["use_buffers"] = true;
        }
        expectExactResume(project, 31, "middle");
        expectExactResume(project, 24, "end");
    }
}

TEST(AveragedRun, ResumesExactlyAfterAStopWithinTheValidationOfTheAverage) {
    for (const Json& averaging : {ema(0.9), swa(0, 2, "step")}) {
        TinyProject project;
        project.training()["averaging"] = averaging;
        project.training()["validation"] = {{"every", 7}, {"unit", "step"}};
        TestRun whole(project, "whole");
        const auto straight = whole.start();
        ASSERT_TRUE(straight.has_value());
        for (const int stopAfter : averaging["type"] == "ema" ? std::vector<int>{1, 3} : std::vector<int>{1, 3, 14}) {
            // A pause is seen before each batch: of the pass for BatchNorm's statistics, then of the validation.
            TestRun one(project, "parts-" + std::to_string(stopAfter));
            RunControl control;
            int pauses = 0;
            one.sink.onStep = [&](std::int64_t step) { step == 7 ? control.requestPause() : void(); };
            one.sink.onState = [&](session::RunState state) {
                if (state == session::RunState::kPaused) {
                    control.requestResume();
                } else if (state == session::RunState::kRunning && control.stopReason() == StopReason::kNone &&
                           one.sink.points["train.loss"].size() == 7) {
                    ++pauses == stopAfter ? control.requestStop() : control.requestPause();
                }
            };
            const auto stopped = one.start(control);
            ASSERT_TRUE(stopped.has_value()) << toSentence(stopped.error());
            ASSERT_EQ(stopped->steps.attempted, 7);
            one.sink.onStep = {};
            one.sink.onState = {};
            const auto resumed = one.resume();
            ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
            expectSameRun(whole, *straight, one, *resumed, averaging.dump() + std::to_string(stopAfter));
        }
    }
}

TEST(NoisyRun, AddsNoiseOfItsOwnAndResumesExactly) {
    TinyProject project;
    TestRun plain(project, "plain");
    ASSERT_TRUE(plain.start().has_value());
    project.training()["gradient_noise"] = {{"eta", 0.01}};
    project.training()["clip"] = {{"type", "norm"}, {"max_norm", 1e-6}};
    TestRun noisy(project, "noisy");
    const auto summary = noisy.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    // The first step's loss is that of the same weights, batch and dropout; then the noise moves them.
    EXPECT_EQ(noisy.sink.points["train.loss"][0], plain.sink.points["train.loss"][0]);
    EXPECT_NE(noisy.sink.points["train.loss"][5], plain.sink.points["train.loss"][5]);
    expectExactResume(project, 31, "noise");
}

TEST(ScalerRun, TellsEachSkippedStepHalvesTheRateAndResumesExactly) {
    TinyProject project;
    project.training()["precision"] = "fp16";
    project.training()["scheduler"] = {{"type", "constant"}};
    // Three good steps, a scale that is far too large, four skipped steps, and from the beginning.
    project.training()["grad_scaler"] = {{"init_scale", 256.0},
                                         {"growth_factor", 1e6},
                                         {"growth_interval", 3},
                                         {"backoff_factor", 0.9},
                                         {"reset_after_skips", 4}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    ASSERT_GT(summary->steps.skipped, 4);
    const auto skipped = run.sink.eventsOf("skipped");
    ASSERT_EQ(static_cast<std::int64_t>(skipped.size()), summary->steps.skipped);
    EXPECT_EQ(run.sink.last("scaler.skipped"), static_cast<double>(summary->steps.skipped));
    EXPECT_EQ(skipped[0].data["step"], 4);
    EXPECT_EQ(skipped[0].data["scale"], 256e6);
    EXPECT_FLOAT_EQ(skipped[0].data["next_scale"].get<float>(), 230.4e6F);
    EXPECT_FALSE(skipped[0].data["blocks"].empty());
    const std::vector<double> rates = run.sink.values("lr");
    EXPECT_DOUBLE_EQ(rates[6], 0.02);
    EXPECT_DOUBLE_EQ(rates[7], 0.01);
    const auto logs = run.sink.eventsOf("log");
    EXPECT_TRUE(std::any_of(logs.begin(), logs.end(), [](const session::Event& event) {
        return event.data["message"] ==
               "The scaler has skipped 4 steps in a row, so after step 7 its scale is 256 again and the learning rate "
               "0.01 instead of 0.02.";
    }));
    expectExactResume(project, 31, "reset");
    expectExactResume(project, 5, "within-skips");
}

TEST(HalfPrecisionRun, KeepsTheOutputsBlocksOrTheNamedOnesInFloat32) {
    TinyProject project;
    project.training()["precision"] = "bf16";
    TestRun outputs(project, "outputs");
    ASSERT_TRUE(outputs.start(20).has_value());
    EXPECT_EQ(outputs.sink.recorded["fp32_blocks"], Json::array({"fc"}));
    project.training()["fp32_blocks"] = {"*"};
    TestRun all(project, "all");
    ASSERT_TRUE(all.start(20).has_value());
    EXPECT_NE(all.sink.points["train.loss"], outputs.sink.points["train.loss"]);
    project.training()["precision"] = "fp32";
    project.training().erase("fp32_blocks");
    TestRun full(project, "full");
    ASSERT_TRUE(full.start(20).has_value());
    EXPECT_EQ(all.sink.points["train.loss"], full.sink.points["train.loss"]);
    project.training()["precision"] = "bf16";
    project.training()["fp32_blocks"] = {"hiden"};
    TestRun wrong(project, "wrong");
    const auto refused = wrong.start();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "pattern-matches-nothing");
    EXPECT_EQ(refused.error().where, "/training/fp32_blocks/0");
}

TEST(StochasticDepthRun, DropsMoreFromEpochToEpochAndResumesExactly) {
    TinyProject project;
    Json& nodes = project.json["model"]["graph"]["nodes"];
    nodes["drop"] = {{"type", "DropPath"}, {"from", "relu"}, {"params", {{"p", 0.5}}}};
    TestRun always(project, "always");
    ASSERT_TRUE(always.start().has_value());
    project.training()["stochastic_depth"] = {{"epochs", 4}};
    TestRun rising(project, "rising");
    ASSERT_TRUE(rising.start().has_value());
    nodes["drop"]["params"]["p"] = 0.0;
    project.training().erase("stochastic_depth");
    TestRun never(project, "never");
    ASSERT_TRUE(never.start().has_value());
    // The first epoch drops nothing.
    const auto& risen = rising.sink.points["train.loss"];
    const auto& whole = never.sink.points["train.loss"];
    EXPECT_TRUE(std::equal(risen.begin(), risen.begin() + 12, whole.begin()));
    EXPECT_NE(risen[13], whole[13]);
    EXPECT_NE(always.sink.points["train.loss"][0], risen[0]);
    nodes["drop"]["params"]["p"] = 0.5;
    project.training()["stochastic_depth"] = {{"epochs", 4}};
    expectExactResume(project, 31, "depth");
}

TEST(ClippedRun, TakesEachClippingsLimitWhileItRuns) {
    for (const auto& [type, setting] : std::vector<std::pair<std::string, std::string>>{
             {"norm", "max_norm"}, {"value", "clip_value"}, {"adaptive", "factor"}}) {
        TinyProject project;
        project.training()["clip"] = {{"type", type}};
        TestRun plain(project, type), run(project, type + "-live");
        ASSERT_TRUE(plain.start().has_value());
        run.sink.onStep = [&](std::int64_t step) {
            if (step == 5) {
                run.live.post({"training.clip." + setting, 1e-7});
            }
        };
        ASSERT_TRUE(run.start().has_value());
        EXPECT_EQ(run.sink.eventsOf("command").size(), 1U) << type;
        EXPECT_NE(run.sink.points["train.loss"], plain.sink.points["train.loss"]) << type;
        EXPECT_TRUE(std::equal(run.sink.points["train.loss"].begin(), run.sink.points["train.loss"].begin() + 5,
                               plain.sink.points["train.loss"].begin()))
            << type;
    }
}

}  // namespace
}  // namespace plumbline::test
