// Runs in which parameters train differently from each other, or not at all, and runs with an optimizer that takes a
// closure.
#include <set>

#include "exact_resume.h"

namespace plumbline::test {
namespace {

std::map<std::string, at::Tensor> weightsAfter(const TestRun& run, const Result<session::RunSummary>& summary) {
    EXPECT_TRUE(summary.has_value()) << (summary ? "" : toSentence(summary.error()));
    const auto state = summary ? train::readModelState(run.request.runFolder / summary->checkpoint)
                               : Result<std::map<std::string, at::Tensor>>{};
    EXPECT_TRUE(state.has_value());
    return state ? *state : std::map<std::string, at::Tensor>{};
}

std::set<std::string> namesOfOptimizerState(const TestRun& run) {
    std::vector<std::string> damaged;
    const auto checkpoint = train::CheckpointFolder(run.request.runFolder).newestWhole(damaged);
    std::set<std::string> names;
    for (const auto& [name, tensor] :
         checkpoint ? checkpoint->withPrefix("optimizer.") : std::map<std::string, at::Tensor>{}) {
        names.insert(name);
    }
    return names;
}

Json freezeOf(const std::string& match, std::int64_t epochs = 0, bool buffers = true) {
    Json freeze = Json::object();
    freeze["match"] = match;
    freeze["epochs"] = epochs;
    freeze["buffers"] = buffers;
    return freeze;
}

std::string refusalOf(const TinyProject& project) {
    TestRun run(project);
    const auto summary = run.start();
    return summary ? "" : summary.error().code;
}

TEST(Freezing, WhatIsFrozenStaysToTheBitAndBeginsWhenItsEpochsHavePassed) {
    TinyProject project;
    project.training()["freeze"] = Json::array({freezeOf("hidden.*", 2), freezeOf("bn.*", 2)});
    const auto after = [&](std::int64_t steps) {
        TestRun run(project, std::to_string(steps));
        const auto summary = run.start(steps);
        auto weights = weightsAfter(run, summary);
        EXPECT_TRUE(run.sink.findings.empty()) << run.sink.findings.front().message;
        return std::pair(std::move(weights), namesOfOptimizerState(run));
    };
    // 12 steps an epoch.
    const auto [first, firstState] = after(1);
    const auto [frozen, frozenState] = after(24);
    const auto [trained, trainedState] = after(30);
    for (const char* name : {"hidden.weight", "hidden.bias", "bn.weight", "bn.bias", "bn.running_mean",
                             "bn.running_var", "bn.num_batches_tracked"}) {
        EXPECT_TRUE(first.at(name).equal(frozen.at(name))) << name;
        EXPECT_FALSE(frozen.at(name).equal(trained.at(name))) << name;
    }
    EXPECT_FALSE(first.at("fc.weight").equal(frozen.at("fc.weight")));
    EXPECT_EQ(frozenState, (std::set<std::string>{"fc.bias.exp_avg", "fc.bias.exp_avg_sq", "fc.bias.step",
                                                  "fc.weight.exp_avg", "fc.weight.exp_avg_sq", "fc.weight.step"}));
    EXPECT_TRUE(trainedState.contains("bn.weight.exp_avg"));
}

TEST(Freezing, StatisticsMoveOnWhereBuffersAreNotFrozen) {
    TinyProject project;
    project.training()["freeze"] = Json::array({freezeOf("bn.*", 0, false)});
    TestRun one(project, "one"), more(project, "more");
    const auto first = weightsAfter(one, one.start(1)), later = weightsAfter(more, more.start(20));
    EXPECT_TRUE(first.at("bn.weight").equal(later.at("bn.weight")));
    EXPECT_FALSE(first.at("bn.running_mean").equal(later.at("bn.running_mean")));
    EXPECT_EQ(more.sink.detectors(), (std::vector<std::string>{"frozen-batchnorm-drifts"}));
}

TEST(Freezing, AFrozenGroupIsLeftOutOfTheOptimizer) {
    TinyProject project;
    project.training()["optimizer"]["groups"] = {{{"match", "hidden.*"}, {"frozen", true}},
                                                 {{"match", "fc.*"}, {"lr", 0.01}}};
    TestRun one(project, "one"), more(project, "more");
    const auto first = weightsAfter(one, one.start(1)), later = weightsAfter(more, more.start(20));
    EXPECT_TRUE(first.at("hidden.weight").equal(later.at("hidden.weight")));
    EXPECT_FALSE(first.at("bn.weight").equal(later.at("bn.weight")));
    EXPECT_FALSE(namesOfOptimizerState(more).contains("hidden.weight.exp_avg"));
    EXPECT_TRUE(more.sink.findings.empty()) << more.sink.findings.front().message;
    EXPECT_FALSE(more.sink.points.contains("lr/hidden.*"));
    EXPECT_TRUE(more.sink.points.contains("lr/fc.*"));
}

TEST(Freezing, AResumeIsExactBeforeAtAndAfterTheEpochInWhichAllBeginsToTrain) {
    for (const std::int64_t steps : {5, 12, 17}) {
        TinyProject project;
        project.training()["freeze"] = Json::array({freezeOf("hidden.*", 1), freezeOf("bn.*", 1)});
        expectExactResume(project, steps, "frozen");
    }
}

TEST(Freezing, RefusesWhatMatchesNothingAndWhatLeavesNothingToTrain) {
    TinyProject project;
    project.training()["freeze"] = Json::array({freezeOf("backbone.*")});
    EXPECT_EQ(refusalOf(project), "freeze-matches-nothing");
    project.training()["freeze"] = Json::array({freezeOf("*")});
    EXPECT_EQ(refusalOf(project), "nothing-to-train");
    project.training()["freeze"] = Json::array({freezeOf("*", 2)});
    EXPECT_EQ(refusalOf(project), "nothing-to-train");
    project.training().erase("freeze");
    project.training()["optimizer"]["groups"] = {{{"match", "*"}, {"frozen", true}}};
    EXPECT_EQ(refusalOf(project), "nothing-to-train");
}

TEST(LayerDecay, GivesEachLayerItsShareAndASeriesOfItsOwn) {
    TinyProject project;
    project.training()["scheduler"] = {{"type", "constant"}};
    project.training()["optimizer"]["layer_decay"] = 0.5;
    project.training()["optimizer"]["decay_norms_and_biases"] = false;
    TestRun run(project);
    run.sink.onStep = [&](std::int64_t step) {
        if (step == 3) {
            run.live.post({"training.optimizer.lr", 0.004});
        }
    };
    ASSERT_TRUE(run.start(6).has_value());
    EXPECT_EQ(run.sink.values("lr/layer hidden").front(), 0.005);
    EXPECT_EQ(run.sink.values("lr/layer hidden, no weight decay").front(), 0.005);
    EXPECT_EQ(run.sink.values("lr/layer bn, no weight decay").front(), 0.01);
    EXPECT_EQ(run.sink.values("lr/layer fc").front(), 0.02);
    EXPECT_EQ(run.sink.values("lr/layer hidden").back(), 0.001);
    EXPECT_EQ(run.sink.values("lr/layer fc").back(), 0.004);
}

void useLbfgs(TinyProject& project) {
    project.training()["optimizer"] = {
        {"type", "LBFGS"}, {"lr", 0.5}, {"max_iter", 4}, {"history_size", 5}, {"line_search_fn", "strong_wolfe"}};
    project.training()["scheduler"] = {{"type", "constant"}};
}

TEST(ClosureRun, ResumesExactly) {
    TinyProject project;
    useLbfgs(project);
    expectExactResume(project, 8, "lbfgs");
}

TEST(ClosureRun, LearnsAndAStepOfSeveralBatchesIsTheStepOnAllOfThemAtOnce) {
    TinyProject project;
    useLbfgs(project);
    project.useOnlyLinearLayers();
    project.training()["clip"] = {{"type", "norm"}, {"max_norm", 5.0}};
    const auto run = [&](int batchSize, int accumulation) {
        project.json["data"]["loader"]["batch_size"] = batchSize;
        project.training()["accumulation"] = accumulation;
        TestRun made(project, std::to_string(batchSize));
        const auto summary = made.start(6);
        EXPECT_TRUE(summary.has_value()) << (summary ? "" : toSentence(summary.error()));
        EXPECT_TRUE(made.sink.findings.empty()) << made.sink.findings.front().message;
        return made.sink.values("train.loss");
    };
    // 180 training samples, all of them in each step.
    const std::vector<double> pieces = run(64, 3), whole = run(180, 1);
    ASSERT_EQ(pieces.size(), 6U);
    ASSERT_EQ(whole.size(), 6U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(pieces[i], whole[i], 1e-3) << i;
    }
    EXPECT_LT(whole.back(), 0.5 * whole.front());
}

TEST(ClosureRun, ResumesExactlyWithinAnOpenStep) {
    TinyProject project;
    useLbfgs(project);
    project.training()["accumulation"] = 4;
    project.training()["checkpoints"] = {{"every", 1}, {"unit", "step"}, {"keep_last", 3}};
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
            ++batches == 3 ? control.requestStop() : control.requestPause();
        }
    };
    ASSERT_TRUE(parts.start(control).has_value());
    std::vector<std::string> damaged;
    const auto checkpoint = train::CheckpointFolder(parts.request.runFolder).newestWhole(damaged);
    ASSERT_TRUE(checkpoint.has_value());
    ASSERT_TRUE(checkpoint->meta["step_open"].get<bool>());
    EXPECT_EQ(checkpoint->withPrefix("batch.").count("0.input.0"), 1U);
    parts.sink.onStep = {};
    parts.sink.onState = {};
    const auto resumed = parts.resume();
    ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
    expectSameRun(whole, *straight, parts, *resumed, "within a step");
}

}  // namespace
}  // namespace plumbline::test
