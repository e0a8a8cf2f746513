#include <ATen/Context.h>

#include <algorithm>
#include <thread>

#include "exact_resume.h"
#include "train/training_loop.h"

namespace plumbline::test {

Result<session::RunSummary> trainHere(const session::TrainRequest& request, session::RunSink& sink, RunControl& control,
                                      session::LiveCommands& live) {
    return train::train(request, sink, control, live);
}

namespace {

TEST(Run, LearnsAndTellsEverything) {
    TinyProject project;
    project.training()["checkpoints"]["best"] = {{"series", "val.accuracy"}, {"mode", "max"}};
    project.training()["clip"] = {{"type", "norm"}, {"max_norm", 1.0}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->status, "completed");
    EXPECT_EQ(summary->stopCode, "epochs");
    EXPECT_EQ(summary->epochs, 6);
    // 180 training samples in batches of 16: 12 steps an epoch, the last of four samples.
    EXPECT_EQ(summary->steps.attempted, 72);
    EXPECT_EQ(summary->steps.applied, 72);
    EXPECT_GE(summary->metrics.at("test.accuracy"), 0.9);
    EXPECT_GE(summary->metrics.at("val.accuracy"), 0.9);
    EXPECT_LT(summary->metrics.at("train.loss"), 0.5);
    EXPECT_GT(summary->samplesPerSecond, 0);
    EXPECT_GT(summary->peakMemoryBytes, 0);
    // 4*16+16, two of 16, 16*3+3; two running statistics of 16 and a counter; AdamW keeps two of each and its step.
    constexpr std::int64_t kTrained = (80 + 32 + 51) * 4;
    EXPECT_EQ(summary->memory["parameters"],
              (Json{{"current", kTrained + 32 * 4 + 8}, {"peak", kTrained + 32 * 4 + 8}}));
    EXPECT_EQ(summary->memory["gradients"], (Json{{"current", kTrained}, {"peak", kTrained}}));
    EXPECT_EQ(summary->memory["optimizer_state"]["peak"], 2 * kTrained + 6 * 4);
    EXPECT_GT(summary->memory["activations"]["peak"], 0);
    EXPECT_EQ(summary->bestCheckpoint, "checkpoints/best.ckpt");
    for (const char* name : {"train.loss", "lr", "step.ms", "loader.wait_ms", "grad.norm", "grad.norm/hidden",
                             "grad.norm/fc", "grad.max", "grad.max/fc", "update.ratio/hidden", "update.ratio/fc"}) {
        EXPECT_EQ(run.sink.points[name].size(), 72U) << name;
    }
    for (const char* name : {"train.accuracy", "val.loss", "val.accuracy"}) {
        EXPECT_EQ(run.sink.points[name].size(), 6U) << name;
    }
    EXPECT_EQ(run.sink.points["throughput.samples_per_second"].size(), 7U);
    EXPECT_EQ(run.sink.points["test.accuracy"].size(), 1U);
    EXPECT_EQ(run.sink.states.front(), session::RunState::kRunning);
    EXPECT_EQ(run.sink.states.back(), session::RunState::kCompleted);
    EXPECT_EQ(run.sink.recorded.at("threads"), 1);
    EXPECT_EQ(run.sink.recorded.at("device"), "cpu");
    EXPECT_EQ(std::count_if(run.sink.events.begin(), run.sink.events.end(),
                            [](const auto& event) { return event.event == "epoch"; }),
              6);
    EXPECT_TRUE(run.sink.detectors().empty()) << run.sink.findings.front().message;
    const train::CheckpointFolder checkpoints(run.request.runFolder);
    EXPECT_EQ(checkpoints.list().size(), 2U);
}

TEST(Run, RepeatsItselfBitForBit) {
    TinyProject project;
    TestRun first(project, "first"), second(project, "second");
    ASSERT_TRUE(first.start().has_value());
    ASSERT_TRUE(second.start().has_value());
    EXPECT_EQ(first.sink.points["train.loss"], second.sink.points["train.loss"]);
    project.training()["seed"] = 4;
    TestRun other(project, "other");
    ASSERT_TRUE(other.start().has_value());
    EXPECT_NE(first.sink.points["train.loss"], other.sink.points["train.loss"]);
}

TEST(Resume, IsExactInTheMiddleOfAnEpoch) {
    TinyProject project;
    expectExactResume(project, 31, "middle");
}

TEST(Resume, IsExactAtTheEndOfAnEpoch) {
    TinyProject project;
    expectExactResume(project, 24, "end");
}

TEST(Resume, IsExactWithAccumulationFp16ScalerAndTwoWorkers) {
    TinyProject project;
    project.training()["accumulation"] = 5;
    project.training()["precision"] = "fp16";
    project.training()["grad_scaler"] = {{"init_scale", 16777216.0}, {"growth_interval", 4}};
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.05}, {"momentum", 0.9}, {"nesterov", true}};
    project.json["data"]["loader"]["workers"] = 2;
    // 12 batches an epoch: steps of 5, 5 and 2 batches.
    expectExactResume(project, 8, "fp16");
}

TEST(Resume, IsExactWithinAnOpenAccumulation) {
    TinyProject project;
    project.training()["accumulation"] = 4;
    project.training()["checkpoints"] = {{"every", 1}, {"unit", "step"}, {"keep_last", 3}};
    TestRun whole(project, "whole"), parts(project, "parts");
    const auto straight = whole.start();
    ASSERT_TRUE(straight.has_value());
    // A pause is seen before every batch: asked for again and again, it counts batches, and stops after two of step 5.
    RunControl control;
    int batches = 0;
    parts.sink.onStep = [&](std::int64_t step) {
        if (step == 4) {
            control.requestPause();
        }
    };
    parts.sink.onState = [&](session::RunState state) {
        if (state == session::RunState::kPaused) {
            control.requestResume();
        } else if (state == session::RunState::kRunning && control.stopReason() == StopReason::kNone &&
                   parts.sink.points["train.loss"].size() == 4) {
            ++batches == 3 ? control.requestStop() : control.requestPause();
        }
    };
    ASSERT_TRUE(parts.start(control).has_value());
    std::vector<std::string> damaged;
    const auto checkpoint = train::CheckpointFolder(parts.request.runFolder).newestWhole(damaged);
    ASSERT_TRUE(checkpoint.has_value());
    EXPECT_TRUE(std::any_of(checkpoint->tensors.begin(), checkpoint->tensors.end(), [](const auto& tensor) {
        return tensor.first == "gradient.fc.weight";
    })) << "the step was open";
    parts.sink.onStep = {};
    parts.sink.onState = {};
    const auto resumed = parts.resume();
    ASSERT_TRUE(resumed.has_value());
    EXPECT_EQ(resumed->metrics, straight->metrics);
    for (const char* series : {"train.loss", "lr", "grad.norm", "train.accuracy", "val.loss"}) {
        EXPECT_EQ(parts.sink.points[series], whole.sink.points[series]) << series;
    }
    EXPECT_TRUE(parts.sink.findings.empty());
}

TEST(Resume, IsExactInEvalModeThatAValidationLeftBehind) {
    TinyProject project;
    project.training()["expert"] = {{"keep_eval_after_validation", true}};
    expectExactResume(project, 31, "left-in-eval");
}

TEST(Resume, IsExactWhenGradientsAreNeverDropped) {
    TinyProject project;
    project.training()["expert"] = {{"skip_zero_grad", true}};
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 1e-4}};
    expectExactResume(project, 31, "kept-gradients");
}

TEST(Resume, ChecksTheLossesShapesAgainAndTellsOfThemOnce) {
    TinyProject project;
    project.regressDistance(2);
    project.training()["expert"] = {{"allow_broadcast_loss", true}};
    TestRun run(project);
    ASSERT_TRUE(run.start(5).has_value());
    ASSERT_EQ(run.sink.findings.size(), 1U);
    ASSERT_TRUE(run.resume(10).has_value());
    EXPECT_EQ(run.sink.findings.size(), 1U) << "it is open still, and not told twice";
    // A finding that was told only after the checkpoint is found again.
    TestRun fresh(project, "fresh");
    ASSERT_TRUE(fresh.start(1).has_value());
    fresh.sink.findings.clear();
    std::filesystem::remove(train::CheckpointFolder(fresh.request.runFolder).fileOfStep(1));
    ASSERT_TRUE(fresh.resume(3).has_value());
    ASSERT_EQ(fresh.sink.findings.size(), 1U);
    EXPECT_EQ(fresh.sink.findings.front().step, 1);
}

TEST(Run, ValidatesEveryFewStepsAndKeepsTheModelThatWasMeasuredAsTheBest) {
    TinyProject project;
    project.training()["stop"]["epochs"] = 3;
    project.training()["validation"] = {{"every", 7}, {"unit", "step"}};
    project.training()["checkpoints"]["best"] = {{"series", "val.loss"}, {"mode", "min"}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    std::vector<std::int64_t> steps;
    std::int64_t best = 0;
    double lowest = 1e9;
    for (const RecordingSink::Point& point : run.sink.points["val.loss"]) {
        steps.push_back(point.step);
        if (point.value < lowest) {
            lowest = point.value;
            best = point.step;
        }
    }
    EXPECT_EQ(steps, (std::vector<std::int64_t>{7, 14, 21, 28, 35, 36}))
        << "12 steps an epoch; the last one is always validated";
    ASSERT_EQ(summary->bestCheckpoint, "checkpoints/best.ckpt");
    const auto checkpoint = train::readCheckpoint(run.request.runFolder / summary->bestCheckpoint);
    ASSERT_TRUE(checkpoint.has_value());
    EXPECT_EQ(checkpoint->meta.at("position").at("attempted"), best);
}

TEST(Resume, PassesOverADamagedCheckpoint) {
    TinyProject project;
    TestRun whole(project, "whole"), parts(project, "parts");
    ASSERT_TRUE(whole.start().has_value());
    ASSERT_TRUE(parts.start(30).has_value());
    const train::CheckpointFolder checkpoints(parts.request.runFolder);
    std::filesystem::resize_file(checkpoints.list().front(), 500);
    const auto resumed = parts.resume();
    ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
    EXPECT_EQ(parts.sink.points["train.loss"], whole.sink.points["train.loss"]);
}

TEST(Resume, RefusesAnotherDefinitionAndOtherData) {
    TinyProject project;
    TestRun run(project);
    ASSERT_TRUE(run.start(5).has_value());
    const project::Project before = run.request.project;
    const Json recorded = run.sink.recorded;
    project.training()["optimizer"]["lr"] = 0.5;
    run.request.project = project.read();
    EXPECT_EQ(run.resume().error().code, "definition-changed");
    run.request.project = before;
    const std::string text = *readFile(project.folder() / "points.csv");
    ASSERT_TRUE(writeFileAtomically(project.folder() / "points.csv", text + "1,1,1,1,2,a\n").has_value());
    EXPECT_EQ(run.resume().error().code, "data-changed");
    EXPECT_EQ(run.sink.recorded, recorded) << "it stays the record of the data that the run had";
}

TEST(Run, StopsAtTheStepLimitWithoutChangingTheSchedule) {
    TinyProject project;
    TestRun whole(project, "whole"), limited(project, "limited");
    ASSERT_TRUE(whole.start().has_value());
    const auto summary = limited.start(20);
    ASSERT_TRUE(summary.has_value());
    EXPECT_EQ(summary->stopCode, "max_steps");
    EXPECT_EQ(summary->steps.attempted, 20);
    EXPECT_EQ(summary->epochs, 1);
    EXPECT_EQ(limited.sink.points["lr"].back(), whole.sink.points["lr"][19]);
    EXPECT_EQ(limited.sink.points["train.loss"].back(), whole.sink.points["train.loss"][19]);
}

TEST(Run, FlushesTheTailOfAnAccumulationWithTheRightDivisor) {
    // Two steps over batches of 64 and 64, and of the 52 that are left, are steps on 128 and 52 samples.
    TinyProject project;
    project.useOnlyLinearLayers();
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.1}};
    project.json["data"]["loader"]["batch_size"] = 64;
    project.training()["accumulation"] = 2;
    TestRun pieces(project, "pieces");
    ASSERT_TRUE(pieces.start().has_value());
    project.json["data"]["loader"]["batch_size"] = 128;
    project.training()["accumulation"] = 1;
    TestRun whole(project, "whole");
    ASSERT_TRUE(whole.start().has_value());
    ASSERT_EQ(pieces.sink.points["train.loss"].size(), whole.sink.points["train.loss"].size());
    for (std::size_t i = 0; i < whole.sink.points["train.loss"].size(); ++i) {
        EXPECT_NEAR(pieces.sink.points["train.loss"][i].value, whole.sink.points["train.loss"][i].value, 2e-6);
    }
}

TEST(Run, TakesLiveSettingsAtAStepAndKeepsThemAfterAResume) {
    TinyProject project;
    project.training()["scheduler"] = {{"type", "constant"}};
    TestRun run(project);
    run.sink.onStep = [&](std::int64_t step) {
        if (step == 10) {
            run.live.post({"training.optimizer.lr", 0.005});
            run.live.post({"training.stop.epochs", 99});
        }
    };
    ASSERT_TRUE(run.start(20).has_value());
    EXPECT_EQ(run.sink.points["lr"][9].value, 0.02);
    EXPECT_EQ(run.sink.points["lr"][10].value, 0.005);
    const auto commands = std::count_if(run.sink.events.begin(), run.sink.events.end(),
                                        [](const auto& event) { return event.event == "command"; });
    EXPECT_EQ(commands, 1);
    run.sink.onStep = {};
    ASSERT_TRUE(run.resume(25).has_value());
    EXPECT_EQ(run.sink.points["lr"].back().value, 0.005);
}

TEST(Run, PausesBetweenBatchesAndGoesOn) {
    TinyProject project;
    TestRun run(project);
    RunControl control;
    run.sink.onStep = [&](std::int64_t step) {
        if (step == 10) {
            control.requestPause();
        }
    };
    // The pause is entered at the next batch; the sink is told, and there the run is asked to go on.
    std::thread waker([&] {
        while (!control.pauseRequested()) {
            std::this_thread::yield();
        }
        control.requestResume();
    });
    ASSERT_TRUE(run.start(control).has_value());
    waker.join();
    EXPECT_EQ(run.sink.points["train.loss"].size(), 72U);
}

TEST(Run, TrainsInHalfPrecision) {
    for (const char* precision : {"bf16", "fp16"}) {
        TinyProject project;
        project.training()["precision"] = precision;
        TestRun run(project, precision);
        const auto summary = run.start();
        ASSERT_TRUE(summary.has_value()) << precision << toSentence(summary.error());
        EXPECT_GE(summary->metrics.at("val.accuracy"), 0.85) << precision;
        EXPECT_TRUE(run.sink.detectors().empty()) << precision << run.sink.findings.front().message;
    }
}

TEST(Run, TrainsARegression) {
    TinyProject project;
    project.regressDistance(1);
    project.training()["metrics"] = {{{"type", "mae"}, {"output", "logits"}, {"target", "distance"}},
                                     {{"type", "rmse"}, {"output", "logits"}, {"target", "distance"}}};
    project.training()["stop"]["epochs"] = 20;
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_LT(summary->metrics.at("test.mae"), 0.6);
    EXPECT_NEAR(summary->metrics.at("test.rmse"), std::sqrt(summary->metrics.at("test.loss")), 1e-4);
    EXPECT_TRUE(run.sink.detectors().empty()) << run.sink.findings.front().message;
}

TEST(Run, SaysWhatIsWrongWithTheProject) {
    TinyProject project;
    project.training()["losses"][0]["target"] = "nothing";
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_FALSE(summary.has_value());
    EXPECT_EQ(summary.error().code, "unknown-target");
    EXPECT_EQ(run.sink.states.back(), session::RunState::kFailed);
}

TEST(Run, TheBestWeightsAreThoseThatWereValidatedInTheMiddleOfAnEpoch) {
    TinyProject project;
    project.training()["validation"] = {{"every", 5}, {"unit", "step"}};
    project.training()["checkpoints"]["best"] = {{"series", "val.loss"}, {"mode", "min"}};
    TestRun run(project);
    ASSERT_TRUE(run.start().has_value());
    const auto& losses = run.sink.points["val.loss"];
    const auto best =
        std::min_element(losses.begin(), losses.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    const auto kept = train::readCheckpoint(train::CheckpointFolder(run.request.runFolder).bestFile());
    ASSERT_TRUE(kept.has_value());
    EXPECT_EQ(kept->meta["position"]["attempted"], best->step);
    EXPECT_EQ(kept->meta["position"]["best"], best->value);
}

/// Runs `project`, and once more with `asked` called in the step before a validation that lies within an epoch.
void expectSameAfterAsking(TinyProject& project, const std::string& name, const std::function<void(RunControl&)>& asked,
                           bool stops) {
    project.training()["validation"] = {{"every", 7}, {"unit", "step"}};
    TestRun whole(project, name + "-whole"), parts(project, name + "-parts");
    ASSERT_TRUE(whole.start().has_value());
    RunControl control;
    parts.sink.onStep = [&](std::int64_t step) {
        if (step == 7) {
            asked(control);
        }
    };
    std::size_t validatedWhenPaused = 99;
    parts.sink.onState = [&](session::RunState state) {
        if (state == session::RunState::kPaused) {
            validatedWhenPaused = parts.sink.points["val.loss"].size();
            control.requestResume();
        }
    };
    const auto first = parts.start(control);
    ASSERT_TRUE(first.has_value()) << toSentence(first.error());
    if (stops) {
        EXPECT_EQ(first->status, "stopped");
        EXPECT_EQ(first->steps.attempted, 7);
        EXPECT_TRUE(parts.sink.points["val.loss"].empty()) << "the validation was not finished";
        parts.sink.onStep = {};
        ASSERT_TRUE(parts.resume().has_value());
    } else {
        EXPECT_EQ(validatedWhenPaused, 0U) << "it paused within the validation";
    }
    for (const char* series : {"train.loss", "lr", "grad.norm", "train.accuracy", "val.loss", "val.accuracy"}) {
        EXPECT_EQ(parts.sink.points[series], whole.sink.points[series]) << name << " " << series;
    }
}

TEST(Run, StopsWithinAValidationAndDoesItAgainAfterAResume) {
    TinyProject project;
    expectSameAfterAsking(
        project, "stop", [](RunControl& control) { control.requestStop(); }, true);
}

TEST(Run, PausesWithinAValidationAndGoesOn) {
    TinyProject project;
    expectSameAfterAsking(
        project, "pause", [](RunControl& control) { control.requestPause(); }, false);
}

TEST(Run, RecordsAndSetsWhatItsDeterminismMeansAndPutsItBack) {
    const auto flagsOf = [](const char* determinism) {
        TinyProject project;
        project.training()["determinism"] = determinism;
        TestRun run(project);
        Json during;
        run.sink.onStep = [&](std::int64_t) {
            const at::Context& context = at::globalContext();
            during = {{"deterministic_algorithms", context.deterministicAlgorithms()},
                      {"cudnn_deterministic", context.deterministicCuDNN()},
                      {"cudnn_benchmark", context.benchmarkCuDNN()},
                      {"tf32", context.allowTF32CuBLAS()},
                      {"tf32_cudnn", context.allowTF32CuDNN()}};
        };
        EXPECT_TRUE(run.start(1).has_value()) << determinism;
        Json recorded = run.sink.recorded["flags"];
        EXPECT_EQ(recorded["detect_anomaly"], determinism == std::string("debug"));
        recorded.erase("detect_anomaly");
        EXPECT_EQ(during, recorded) << determinism;
        return during;
    };
    const Json before = flagsOf("default");
    EXPECT_EQ(flagsOf("research"), (Json{{"deterministic_algorithms", false},
                                         {"cudnn_deterministic", true},
                                         {"cudnn_benchmark", false},
                                         {"tf32", false},
                                         {"tf32_cudnn", false}}));
    EXPECT_EQ(flagsOf("production"), (Json{{"deterministic_algorithms", false},
                                           {"cudnn_deterministic", false},
                                           {"cudnn_benchmark", true},
                                           {"tf32", true},
                                           {"tf32_cudnn", true}}));
    EXPECT_EQ(flagsOf("debug"), flagsOf("deterministic"));
    EXPECT_EQ(flagsOf("default"), before) << "a run leaves the flags as they were";
}

TEST(Run, TakesChannelsLastByItselfForAConvolutionAloneAndRecordsIt) {
    TinyProject project;
    TestRun dense(project, "dense");
    ASSERT_TRUE(dense.start(1).has_value());
    EXPECT_EQ(dense.sink.recorded["memory_format"], "contiguous");
    project.json["model"]["graph"] = parseJson(R"({
      "inputs": {"x": {"shape": ["B", 2, 8, 8]}},
      "nodes": {"conv": {"type": "Conv2d", "from": "x", "params": {"out_channels": 4, "kernel_size": 3}},
                "flat": {"type": "Flatten", "from": "conv"}, "fc": {"type": "Linear", "from": "flat", "params": {"out_features": 3}}},
      "outputs": {"logits": "fc"}})",
                                               "test")
                                         .value();
    project.json["data"] = parseJson(R"({
      "sources": {"made": {"type": "generated", "kind": "images", "samples": 60, "classes": 3, "channels": 2, "size": 8}},
      "inputs": {"x": {"from": "made.image"}}, "targets": {"label": {"from": "made.label"}}})",
                                     "test")
                               .value();
    TestRun automatic(project, "automatic");
    const auto summary = automatic.start(2);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(automatic.sink.recorded["memory_format"], "channels_last");
    project.training()["memory_format"] = "contiguous";
    TestRun asked(project, "asked");
    ASSERT_TRUE(asked.start(2).has_value());
    EXPECT_EQ(asked.sink.recorded["memory_format"], "contiguous");
}

TEST(Run, WithoutAnEpochLimitGoesOnUntilItsSteps) {
    TinyProject project;
    project.training()["stop"] = {{"epochs", 0}, {"steps", 30}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->steps.attempted, 30);
    EXPECT_EQ(summary->status, "completed");
    EXPECT_EQ(summary->stopCode, "max_steps");
}

TEST(Run, TakesAnInputThatNoBlockReadsAndThatHasAnotherElementType) {
    TinyProject project;
    project.json["model"]["graph"]["inputs"]["unused"] = {{"shape", {"B"}}, {"dtype", "float32"}};
    project.json["data"]["inputs"]["unused"] = {{"from", "points.class"}};
    TestRun run(project);
    const auto summary = run.start(3);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_TRUE(run.sink.detectors().empty());
}

TEST(Run, DebugNamesTheOperationWhoseBackwardGivesNaN) {
    TinyProject project;
    project.training()["determinism"] = "debug";
    TestRun run(project);
    ASSERT_TRUE(run.start(3).has_value()) << "a healthy run is not disturbed";
    EXPECT_EQ(run.sink.recorded["flags"]["detect_anomaly"], true);
    project.training()["optimizer"]["lr"] = 1e38;
    TestRun broken(project, "broken");
    const auto summary = broken.start();
    ASSERT_FALSE(summary.has_value());
    EXPECT_NE(summary.error().message.find("Backward"), std::string::npos) << summary.error().message;
}

TEST(Resume, MarksTheBestAgainWhenTheKillCameBetweenWritingAndMarking) {
    TinyProject project;
    project.training()["checkpoints"]["best"] = {{"series", "val.loss"}, {"mode", "min"}};
    TestRun run(project);
    ASSERT_TRUE(run.start(12).has_value());
    const train::CheckpointFolder checkpoints(run.request.runFolder);
    std::filesystem::remove(checkpoints.bestFile());
    ASSERT_TRUE(run.resume(13).has_value());
    const auto best = train::readCheckpoint(checkpoints.bestFile());
    ASSERT_TRUE(best.has_value()) << toSentence(best.error());
    EXPECT_EQ(best->meta["position"]["attempted"], 12);
}

/// A third of the labels, unevenly over the batches, does not count.
void ignoreTheFirstClass(TinyProject& project) {
    project.useOnlyLinearLayers();
    project.training()["losses"][0]["ignore_index"] = 0;
    project.training()["scheduler"] = {{"type", "constant"}};
    project.training()["stop"]["epochs"] = 2;
}

TEST(Run, AStepOverSeveralBatchesIsTheStepOnAllOfThemWhereLabelsAreIgnoredAndWeighted) {
    TinyProject project;
    ignoreTheFirstClass(project);
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.3}};
    const auto run = [&](std::int64_t batch, std::int64_t accumulation) {
        project.json["data"]["loader"]["batch_size"] = batch;
        project.training()["accumulation"] = accumulation;
        auto made = std::make_unique<TestRun>(project, std::to_string(batch));
        made->request.project.training.losses[0].options["class_weights"] = {1.0, 0.2, 3.0};
        const auto summary = made->start();
        EXPECT_TRUE(summary.has_value()) << toSentence(summary.error());
        return made;
    };
    // One sample a batch: every third batch holds nothing that counts.
    const auto whole = run(36, 1), pieces = run(1, 36), uneven = run(9, 4);
    ASSERT_EQ(whole->sink.points["train.loss"].size(), 10U);
    for (const auto& other : {pieces.get(), uneven.get()}) {
        ASSERT_EQ(other->sink.points["train.loss"].size(), 10U);
        for (const char* series : {"train.loss", "val.loss", "grad.norm"}) {
            for (std::size_t i = 0; i < whole->sink.points[series].size(); ++i) {
                EXPECT_NEAR(other->sink.points[series][i].value, whole->sink.points[series][i].value, 5e-6)
                    << series << " " << i;
            }
        }
        for (std::size_t i = 0; i < 2; ++i) {
            const auto mean = [&](TestRun& of) {
                return of.sink.eventsOf("epoch").at(i).data["metrics"]["train.loss"].get<double>();
            };
            EXPECT_NEAR(mean(*other), mean(*whole), 5e-6);
        }
        EXPECT_TRUE(other->sink.findings.empty()) << other->sink.findings.front().message;
    }
}

TEST(Run, AStepOfIgnoredLabelsAloneChangesNothingAndIsNoFinding) {
    TinyProject project;
    ignoreTheFirstClass(project);
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.0}, {"momentum", 0.9}};
    project.json["data"]["loader"]["batch_size"] = 1;
    TestRun single(project, "single");
    const auto summary = single.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->steps.attempted, 360);
    EXPECT_EQ(summary->steps.skipped, 120) << "a third of the samples";
    EXPECT_EQ(single.sink.points["train.loss"].size(), 240U) << "a mean over nothing is no point";
    EXPECT_EQ(single.sink.points["lr"].size(), 360U);
    project.json["data"]["loader"]["batch_size"] = 180;
    TestRun whole(project, "whole");
    const auto straight = whole.start();
    ASSERT_TRUE(straight.has_value());
    EXPECT_NEAR(summary->metrics.at("train.loss"), straight->metrics.at("train.loss"), 1e-6)
        << "without a rate it is the loss of one model over the same samples";
    const auto detectors = single.sink.detectors();
    EXPECT_EQ(std::count(detectors.begin(), detectors.end(), "non-finite"), 0);
}

TEST(Resume, IsExactWithinAnAccumulationThatCountsLabels) {
    TinyProject project;
    ignoreTheFirstClass(project);
    project.training()["accumulation"] = 5;
    expectExactResume(project, 4, "counted");
    // And with a batch of the step done: a pause is seen before every batch.
    TestRun whole(project, "whole"), parts(project, "parts");
    const auto straight = whole.start();
    ASSERT_TRUE(straight.has_value());
    RunControl control;
    int batches = 0;
    parts.sink.onStep = [&](std::int64_t step) { step == 2 ? control.requestPause() : void(); };
    parts.sink.onState = [&](session::RunState state) {
        if (state == session::RunState::kPaused) {
            control.requestResume();
        } else if (state == session::RunState::kRunning && control.stopReason() == StopReason::kNone &&
                   parts.sink.points["train.loss"].size() == 2) {
            ++batches == 2 ? control.requestStop() : control.requestPause();
        }
    };
    ASSERT_TRUE(parts.start(control).has_value());
    std::vector<std::string> damaged;
    const auto checkpoint = train::CheckpointFolder(parts.request.runFolder).newestWhole(damaged);
    ASSERT_TRUE(checkpoint.has_value());
    ASSERT_TRUE(checkpoint->meta["step_open"].get<bool>());
    parts.sink.onStep = {};
    parts.sink.onState = {};
    const auto resumed = parts.resume();
    ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
    EXPECT_EQ(resumed->metrics, straight->metrics);
    EXPECT_EQ(parts.sink.points["train.loss"], whole.sink.points["train.loss"]);
}

TEST(Resume, AnEpochThatEndedAfterTheCheckpointEndsOnceOnly) {
    TinyProject project;
    project.training()["checkpoints"] = {{"every", 12}, {"unit", "step"}, {"keep_last", 9}};
    TestRun whole(project, "whole"), parts(project, "parts");
    ASSERT_TRUE(whole.start().has_value());
    // 12 steps an epoch: the checkpoint of step 12 is from before the epoch's end. A kill after that leaves it the
    // newest.
    ASSERT_TRUE(parts.start(14).has_value());
    const train::CheckpointFolder checkpoints(parts.request.runFolder);
    std::filesystem::remove(checkpoints.fileOfStep(14));
    ASSERT_EQ(train::readCheckpoint(checkpoints.fileOfStep(12))->meta["position"]["batch"], 12);
    const auto resumed = parts.resume();
    ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
    EXPECT_EQ(parts.sink.eventsOf("epoch").size(), 6U);
    for (const char* series : {"train.loss", "train.accuracy", "val.loss", "val.accuracy", "test.loss"}) {
        EXPECT_EQ(parts.sink.points[series], whole.sink.points[series]) << series;
    }
    // The next checkpoint is from after an epoch's end: what belongs to it stays.
    const auto again = parts.resume();
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(parts.sink.eventsOf("epoch").size(), 6U);
    EXPECT_EQ(parts.sink.points["val.loss"].size(), 6U);
    EXPECT_EQ(parts.sink.points["test.loss"].size(), 1U);
    EXPECT_EQ(parts.sink.points["test.loss"].front().epoch, 6) << "there is no epoch 7 of 6";
}

TEST(Resume, TheLastValidationIsDoneAlthoughTheStepLimitIsReached) {
    TinyProject project;
    project.training()["stop"]["steps"] = 24;
    project.training()["checkpoints"]["best"] = {{"series", "val.loss"}, {"mode", "min"}};
    TestRun run(project);
    RunControl control;
    run.sink.onStep = [&](std::int64_t step) { step == 24 ? control.requestStop() : void(); };
    const auto stopped = run.start(control);
    ASSERT_TRUE(stopped.has_value());
    EXPECT_EQ(stopped->status, "stopped");
    ASSERT_EQ(run.sink.points["val.loss"].size(), 1U) << "the stop came before the second validation";
    run.sink.onStep = {};
    const auto resumed = run.resume();
    ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
    EXPECT_EQ(resumed->status, "completed");
    EXPECT_EQ(resumed->epochs, 2);
    EXPECT_EQ(run.sink.points["val.loss"].size(), 2U);
    EXPECT_EQ(run.sink.eventsOf("epoch").size(), 2U);
}

TEST(Resume, OfACheckpointOfVersion1GoesOnWithItsEpochsLossAndItsSchedule) {
    TinyProject project;
    project.training()["stop"]["steps"] = 40;
    TestRun run(project);
    ASSERT_TRUE(run.start(18).has_value());
    const std::filesystem::path file = train::CheckpointFolder(run.request.runFolder).fileOfStep(18);
    train::Checkpoint checkpoint = train::readCheckpoint(file).value();
    Json& position = checkpoint.meta["position"];
    const Json gathered = position["epoch_losses"][0];
    position["epoch_loss_sum"] = gathered[0];
    position["epoch_samples"] = gathered[1].get<std::int64_t>();
    for (const char* key : {"epoch_losses", "step_counted", "schedule_length", "validation_epoch"}) {
        position.erase(key);
    }
    checkpoint.meta.erase("step_counts");
    ASSERT_TRUE(train::writeCheckpoint(file, checkpoint).has_value());
    TestRun straight(project, "straight");
    ASSERT_TRUE(straight.start(24).has_value());
    const auto resumed = run.resume(24);
    ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
    EXPECT_EQ(run.sink.points["train.loss"][18].value, straight.sink.points["train.loss"][18].value);
    project.training()["stop"].erase("steps");
    TestRun longer(project, "longer");
    ASSERT_TRUE(longer.start(24).has_value());
    EXPECT_EQ(run.sink.points["lr"].back(), longer.sink.points["lr"].back())
        << "stop.steps did not count for the schedule then";
    EXPECT_NE(run.sink.points["lr"].back(), straight.sink.points["lr"].back());
}

TEST(Run, ASchedulesLengthIsThatOfTheRunByItsPlan) {
    TinyProject project;
    project.training()["stop"]["steps"] = 30;
    project.training()["scheduler"] = {{"type", "cosine"}, {"unit", "step"}};
    TestRun run(project);
    ASSERT_TRUE(run.start().has_value());
    EXPECT_EQ(run.sink.points["lr"].front().value, 0.02);
    EXPECT_LT(run.sink.points["lr"].back().value, 0.02 * 0.01);
}

TEST(Run, AnEpochWithoutAValidationTellsOfNone) {
    TinyProject project;
    project.training()["validation"] = {{"every", 2}, {"unit", "epoch"}};
    TestRun run(project);
    ASSERT_TRUE(run.start().has_value());
    const auto epochs = run.sink.eventsOf("epoch");
    ASSERT_EQ(epochs.size(), 6U);
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        EXPECT_EQ(epochs[i].data["metrics"].contains("val.loss"), i % 2 == 1) << i;
        EXPECT_TRUE(epochs[i].data["metrics"].contains("train.loss"));
    }
}

/// A run without a stop, and one that is stopped after the first batch of its first validation and resumed.
void expectExactAfterAStopWithinAValidation(const TinyProject& project) {
    TestRun whole(project, "whole"), parts(project, "parts");
    const auto straight = whole.start();
    ASSERT_TRUE(straight.has_value()) << toSentence(straight.error());
    RunControl control;
    int pauses = 0;
    parts.sink.onStep = [&](std::int64_t step) { step == 12 ? control.requestPause() : void(); };
    parts.sink.onState = [&](session::RunState state) {
        if (state == session::RunState::kPaused) {
            control.requestResume();
        } else if (state == session::RunState::kRunning && control.stopReason() == StopReason::kNone &&
                   parts.sink.points["train.loss"].size() == 12) {
            // A pause is seen before each batch: the stop comes after the first one of the validation.
            ++pauses == 3 ? control.requestStop() : control.requestPause();
        }
    };
    ASSERT_TRUE(parts.start(control).has_value());
    ASSERT_EQ(pauses, 3);
    ASSERT_TRUE(parts.sink.points["val.loss"].empty());
    parts.sink.onStep = {};
    parts.sink.onState = {};
    const auto resumed = parts.resume();
    ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
    EXPECT_EQ(resumed->metrics, straight->metrics);
    EXPECT_EQ(parts.sink.points["val.loss"], whole.sink.points["val.loss"]);
    EXPECT_EQ(parts.sink.points["train.loss"], whole.sink.points["train.loss"]);
}

TEST(Resume, IsExactAfterAStopInTheMiddleOfAValidationThatMovesBatchNorm) {
    TinyProject project;
    project.training()["expert"] = {{"validate_in_train_mode", true}};
    expectExactAfterAStopWithinAValidation(project);
}

TEST(Resume, IsExactAfterAStopInTheMiddleOfAValidationWithBlocksThatStayStochastic) {
    for (const char* block : {"drop", "bn"}) {
        SCOPED_TRACE(block);
        TinyProject project;
        project.json["model"]["graph"]["nodes"][block]["mode"] = "stochastic";
        expectExactAfterAStopWithinAValidation(project);
    }
}

TEST(Resume, AStopThatComesBeforeTheStateIsBackSaysSoAndDropsNothing) {
    TinyProject project;
    TestRun run(project);
    ASSERT_TRUE(run.start(12).has_value());
    const auto points = run.sink.points;
    const train::CheckpointFolder checkpoints(run.request.runFolder);
    const std::string newest = *readFile(checkpoints.fileOfStep(12));
    RunControl control;
    control.requestStop(StopReason::kInterrupt);  // as while the data are read
    run.request.resume = true;
    run.request.recorded = run.sink.recorded;
    const auto summary = run.start(control);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->status, "stopped");
    EXPECT_EQ(summary->stopCode, "interrupt");
    EXPECT_EQ(summary->stopMessage, "Stopped before it began.");
    EXPECT_EQ(run.sink.states.back(), session::RunState::kStopped);
    EXPECT_EQ(run.sink.points, points);
    EXPECT_EQ(*readFile(checkpoints.fileOfStep(12)), newest);
}

TEST(Run, SaysOfALiveSettingThatItHasNoEffect) {
    TinyProject project;
    project.training()["optimizer"]["groups"] = {{{"match", "*"}, {"weight_decay", 0.1}}};
    TestRun run(project);
    run.sink.onStep = [&](std::int64_t step) {
        if (step == 2) {
            run.live.post({"training.clip.max_norm", 0.5});
        }
    };
    ASSERT_TRUE(run.start(5).has_value());
    EXPECT_TRUE(run.sink.eventsOf("command").empty()) << "it clips nothing";
    const auto logs = run.sink.eventsOf("log");
    EXPECT_EQ(std::count_if(logs.begin(), logs.end(),
                            [](const session::Event& log) {
                                return log.data["message"].get<std::string>().find("its clipping is none") !=
                                       std::string::npos;
                            }),
              1);
    project.training()["clip"] = {{"type", "norm"}, {"max_norm", 1.0}};
    TestRun clips(project, "clips");
    clips.sink.onStep = [&](std::int64_t step) {
        if (step == 2) {
            clips.live.post({"training.clip.max_norm", 0.5});
        }
    };
    ASSERT_TRUE(clips.start(5).has_value());
    EXPECT_EQ(clips.sink.eventsOf("command").size(), 1U);
}

}  // namespace
}  // namespace plumbline::test
