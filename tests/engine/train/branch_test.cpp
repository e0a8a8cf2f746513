// A new run that goes on from a checkpoint of another, and a run that is repeated from its record.

#include "exact_resume.h"
#include "train/checkpoint.h"

namespace plumbline::test {
namespace {

/// Trains `parent` for so many steps and gives its newest checkpoint.
std::filesystem::path trained(TestRun& parent, std::int64_t steps) {
    const auto summary = parent.start(steps);
    EXPECT_TRUE(summary.has_value()) << (summary ? "" : toSentence(summary.error()));
    return summary ? parent.request.runFolder / summary->checkpoint : std::filesystem::path();
}

std::string logged(const RecordingSink& sink) {
    std::string all;
    for (const session::Event& event : sink.eventsOf("log")) {
        all += event.data.value("message", "") + "\n";
    }
    return all;
}

std::vector<RecordingSink::Point> from(const RecordingSink& sink, const std::string& series, std::int64_t afterStep) {
    std::vector<RecordingSink::Point> points = sink.points.at(series);
    std::erase_if(points, [&](const RecordingSink::Point& point) { return point.step <= afterStep; });
    return points;
}

TEST(Branch, WithTheSameSettingsGoesOnAsTheParentWouldHave) {
    const TinyProject project;
    TestRun whole(project, "whole"), parent(project, "parent"), branch(project, "branch");
    ASSERT_TRUE(whole.start().has_value());
    branch.request.branch = session::BranchPoint{trained(parent, 31), "parent"};  // in the middle of an epoch
    const auto summary = branch.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->status, "completed");
    for (const char* series : {"train.loss", "val.loss", "lr"}) {
        EXPECT_EQ(branch.sink.points[series], from(whole.sink, series, 31)) << series;
    }
    EXPECT_EQ(branch.sink.recorded["parent"]["run"], "parent");
    EXPECT_EQ(branch.sink.recorded["parent"]["step"], 31);
    EXPECT_LT(branch.sink.points["train.loss"].front().elapsedMs, 5000) << "its clock is its own";
    EXPECT_TRUE(std::filesystem::exists(branch.request.runFolder / "checkpoints")) << "and so are its checkpoints";
}

TEST(Branch, AChangedRateOrScheduleKeepsTheOptimizerAndThePlace) {
    TinyProject project;
    TestRun parent(project, "parent");
    const std::filesystem::path checkpoint = trained(parent, 36);
    project.training()["optimizer"]["lr"] = 0.004;
    project.training()["scheduler"] = {{"type", "constant"}};
    TestRun branch(project, "branch");
    branch.request.branch = session::BranchPoint{checkpoint, "parent"};
    ASSERT_TRUE(branch.start(40).has_value());
    EXPECT_EQ(branch.sink.values("lr"), std::vector<double>(4, 0.004));
    EXPECT_EQ(branch.sink.points["train.loss"].front().step, 37);
    EXPECT_EQ(logged(branch.sink).find("afresh"), std::string::npos) << logged(branch.sink);
    const auto state = train::readCheckpoint(branch.request.runFolder / "checkpoints" / "step-000000040.ckpt");
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(state->withPrefix("optimizer.").at("fc.weight.step").item<double>(), 40)
        << "the moments were not begun again";
}

TEST(Branch, WhatHasNoPlaceAnyMoreStartsAfreshAndIsTold) {
    TinyProject project;
    TestRun parent(project, "parent");
    const std::filesystem::path checkpoint = trained(parent, 31);
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.01}, {"momentum", 0.9}};
    project.training()["seed"] = 4;
    project.json["data"]["loader"]["batch_size"] = 20;
    TestRun branch(project, "branch");
    branch.request.branch = session::BranchPoint{checkpoint, "parent"};
    const auto summary = branch.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    const std::string told = logged(branch.sink);
    EXPECT_NE(told.find("it was AdamW and is SGD"), std::string::npos) << told;
    EXPECT_NE(told.find("Epoch 3 begins anew"), std::string::npos) << told;
    EXPECT_NE(told.find("new seed"), std::string::npos) << told;
    EXPECT_EQ(summary->steps.attempted, 31 + 4 * 9) << "epochs 3 to 6 of nine steps each";
}

TEST(Branch, AveragedWeightsThatAreLeftBehindAreTold) {
    TinyProject project;
    project.training()["averaging"] = {{"type", "ema"}, {"decay", 0.9}};
    TestRun parent(project, "parent");
    const std::filesystem::path checkpoint = trained(parent, 31);
    project.training().erase("averaging");
    TestRun branch(project, "branch");
    branch.request.branch = session::BranchPoint{checkpoint, "parent"};
    const auto summary = branch.start(40);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_NE(logged(branch.sink).find("averaged weights"), std::string::npos) << logged(branch.sink);
    const auto state = train::readCheckpoint(branch.request.runFolder / summary->checkpoint);
    ASSERT_TRUE(state.has_value());
    EXPECT_TRUE(state->withPrefix("average.").empty());
}

TEST(Branch, WhatTheParentWasToldStaysOnlyWhereTheNewSettingsReadIt) {
    TinyProject project;
    project.training()["early_stopping"] = {{"patience", 50}};
    project.training()["clip"] = {{"type", "norm"}, {"max_norm", 1.0}};
    TestRun parent(project, "parent");
    parent.sink.onStep = [&](std::int64_t step) {
        if (step == 5) {
            parent.live.post({"training.clip.max_norm", 0.5});
            parent.live.post({"training.early_stopping.patience", 40});
            parent.live.post({"training.optimizer.lr", 0.003});
        }
    };
    const std::filesystem::path checkpoint = trained(parent, 31);
    const auto branched = [&] {
        TestRun branch(project, "branch");
        branch.request.branch = session::BranchPoint{checkpoint, "parent"};
        EXPECT_TRUE(branch.start(33).has_value());
        return logged(branch.sink);
    };
    const std::string all = branched();
    for (const char* path : {"training.clip.max_norm", "training.early_stopping.patience", "training.optimizer.lr"}) {
        EXPECT_NE(all.find(std::string(path) + " stays at"), std::string::npos) << all;
    }
    project.training().erase("clip");
    project.training()["scheduler"] = {
        {"type", "one_cycle"}, {"unit", "step"}, {"max_lr", 0.1}, {"cycle_momentum", false}};
    const std::string some = branched();
    for (const char* path : {"training.clip.max_norm", "training.optimizer.lr"}) {
        EXPECT_EQ(some.find(std::string(path) + " stays at"), std::string::npos) << some;
        EXPECT_NE(some.find(std::string(path) + " is what the project says"), std::string::npos) << some;
    }
    EXPECT_NE(some.find("training.early_stopping.patience stays at"), std::string::npos) << some;
}

/// Stops `parent`, which makes a step of several batches, within its third step; gives that checkpoint.
std::filesystem::path stoppedWithinAStep(TestRun& parent) {
    RunControl control;
    int batches = 0;
    // A pause is seen before every batch.
    parent.sink.onStep = [&](std::int64_t step) { step == 2 ? control.requestPause() : void(); };
    parent.sink.onState = [&](session::RunState state) {
        if (state == session::RunState::kPaused) {
            control.requestResume();
        } else if (state == session::RunState::kRunning && control.stopReason() == StopReason::kNone &&
                   parent.sink.points["train.loss"].size() == 2) {
            ++batches == 2 ? control.requestStop() : control.requestPause();
        }
    };
    EXPECT_TRUE(parent.start(control).has_value());
    parent.sink.onStep = {};
    parent.sink.onState = {};
    return train::CheckpointFolder(parent.request.runFolder).fileOfStep(2);
}

Json frozenHiddenLayer() {
    Json freeze = Json::object();
    freeze["match"] = "hidden.*";
    freeze["epochs"] = 0;
    freeze["buffers"] = true;
    return Json::array({freeze});
}

TEST(Branch, ASettingThatIsStatedAtItsDefaultIsNoChange) {
    TinyProject project;
    project.training()["optimizer"] = {{"lr", 0.02}, {"momentum", 0.9}};
    project.training()["averaging"] = {{"type", "ema"}};
    TestRun whole(project, "whole"), parent(project, "parent");
    ASSERT_TRUE(whole.start().has_value());
    const std::filesystem::path checkpoint = trained(parent, 31);
    project.training()["optimizer"]["type"] = "SGD";
    project.training()["optimizer"]["groups"] = Json::array();
    project.training()["accumulation"] = 1;
    project.training()["precision"] = "fp32";
    project.training()["averaging"]["decay"] = 0.999;
    project.training()["losses"][0]["weight"] = 1.0;
    project.training()["expert"] = {{"skip_zero_grad", false}};
    project.training()["freeze"] = Json::array();
    project.training()["phases"] = Json::array();
    TestRun branch(project, "branch");
    branch.request.branch = session::BranchPoint{checkpoint, "parent"};
    ASSERT_TRUE(branch.start().has_value());
    EXPECT_EQ(logged(branch.sink).find("afresh"), std::string::npos) << logged(branch.sink);
    EXPECT_EQ(logged(branch.sink).find("anew"), std::string::npos) << logged(branch.sink);
    for (const char* series : {"train.loss", "val.loss", "lr"}) {
        EXPECT_EQ(branch.sink.points[series], from(whole.sink, series, 31)) << series;
    }
}

TEST(Branch, AnOpenStepIsBegunAnewWhereItIsMadeAnotherWay) {
    for (const char* const setting : {"lr", "type", "freeze"}) {
        const std::string changed = setting;
        TinyProject project;
        project.training()["accumulation"] = 4;
        TestRun parent(project, "parent");
        const std::filesystem::path checkpoint = stoppedWithinAStep(parent);
        const auto before = train::readCheckpoint(checkpoint);
        ASSERT_TRUE(before.has_value() && before->meta.at("step_open").get<bool>()) << changed;
        if (changed == "lr") {
            project.training()["optimizer"]["lr"] = 0.004;
        } else if (changed == "type") {
            project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.01}};
        } else {
            project.training()["freeze"] = frozenHiddenLayer();
        }
        TestRun branch(project, "branch");
        branch.request.branch = session::BranchPoint{checkpoint, "parent"};
        const auto summary = branch.start(4);
        ASSERT_TRUE(summary.has_value()) << changed << ": " << toSentence(summary.error());
        const bool anew = logged(branch.sink).find("Epoch 1 begins anew") != std::string::npos;
        EXPECT_EQ(anew, changed != "lr") << changed << ": " << logged(branch.sink);
    }
}

TEST(Branch, ANewSeedIsTheGradientNoisesToo) {
    TinyProject project;
    project.training()["gradient_noise"] = {{"eta", 0.01}};
    TestRun parent(project, "parent");
    const std::filesystem::path checkpoint = trained(parent, 31);
    project.training()["seed"] = 4;
    TestRun branch(project, "branch");
    branch.request.branch = session::BranchPoint{checkpoint, "parent"};
    ASSERT_TRUE(branch.start(32).has_value());
    const auto before = train::readCheckpoint(checkpoint);
    const auto after = train::readCheckpoint(train::CheckpointFolder(branch.request.runFolder).fileOfStep(31));
    ASSERT_TRUE(before.has_value() && after.has_value());
    EXPECT_FALSE(after->withPrefix("noise.").at("generator").equal(before->withPrefix("noise.").at("generator")));
    EXPECT_EQ(after->meta.at("noise"), before->meta.at("noise")) << "how far it has faded stays";
}

TEST(Branch, AnExpertsMistakeThatIsTakenBackEndsItsEvalMode) {
    TinyProject project;
    project.training()["expert"] = {{"keep_eval_after_validation", true}};
    TestRun parent(project, "parent");
    const std::filesystem::path checkpoint = trained(parent, 36);
    const auto before = train::readCheckpoint(checkpoint);
    ASSERT_TRUE(before.has_value() && before->meta.at("position").at("left_in_eval").get<bool>());
    project.training().erase("expert");
    TestRun branch(project, "branch");
    branch.request.branch = session::BranchPoint{checkpoint, "parent"};
    ASSERT_TRUE(branch.start(37).has_value());
    const auto after = train::readCheckpoint(train::CheckpointFolder(branch.request.runFolder).fileOfStep(36));
    ASSERT_TRUE(after.has_value());
    EXPECT_FALSE(after->meta.at("position").at("left_in_eval").get<bool>());
}

TEST(Branch, RatesOfOtherParameterGroupsAreNotTakenOver) {
    TinyProject project;
    TestRun parent(project, "parent");
    const std::filesystem::path checkpoint = trained(parent, 36);
    auto state = train::readCheckpoint(checkpoint);
    ASSERT_TRUE(state.has_value());
    for (const bool isChanged : {false, true}) {
        for (Json& rate : state->meta["base_rates"]) {
            rate = 0.5;
        }
        if (isChanged) {
            project.training()["freeze"] = frozenHiddenLayer();
        }
        ASSERT_TRUE(train::writeCheckpoint(checkpoint, *state).has_value());
        TestRun branch(project, isChanged ? "changed" : "same");
        branch.request.branch = session::BranchPoint{checkpoint, "parent"};
        ASSERT_TRUE(branch.start(37).has_value());
        EXPECT_EQ(branch.sink.last("lr") > 0.1, !isChanged) << branch.sink.last("lr");
    }
}

TEST(Branch, AnotherModelAndAPlanThatIsOverAreRefused) {
    TinyProject project;
    TestRun parent(project, "parent");
    const std::filesystem::path checkpoint = trained(parent, 36);
    TinyProject wider;
    wider.json["model"]["graph"]["nodes"]["hidden"]["params"]["out_features"] = 20;
    TestRun other(wider, "other");
    other.request.branch = session::BranchPoint{checkpoint, "parent"};
    const auto refused = other.start();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "checkpoint-of-another-model");
    EXPECT_NE(refused.error().message.find("hidden.weight"), std::string::npos) << refused.error().message;
    project.training()["stop"]["epochs"] = 3;
    TestRun over(project, "over");
    over.request.branch = session::BranchPoint{checkpoint, "parent"};
    EXPECT_EQ(over.start().error().code, "nothing-left-to-train");
}

TEST(Branch, CanBeStoppedAndResumedLikeAnyRun) {
    const TinyProject project;
    TestRun whole(project, "whole"), parent(project, "parent"), branch(project, "branch");
    ASSERT_TRUE(whole.start().has_value());
    branch.request.branch = session::BranchPoint{trained(parent, 14), "parent"};
    ASSERT_TRUE(branch.start(40).has_value());
    ASSERT_TRUE(branch.resume().has_value());
    EXPECT_EQ(branch.sink.points["train.loss"], from(whole.sink, "train.loss", 14));
}

/// Changes while the run goes on: rate, then how often it validates.
void changeOnTheWay(TestRun& run) {
    run.sink.onStep = [&run](std::int64_t step) {
        if (step == 5) {
            run.live.post({"training.optimizer.lr", 0.003});
        }
        if (step == 17) {
            run.live.post({"training.validation.every", 2});
            run.live.post({"training.checkpoints.every", 0});
        }
    };
}

std::vector<session::RecordedCommand> recordedCommands(const RecordingSink& sink) {
    std::vector<session::RecordedCommand> commands;
    for (const session::Event& event : sink.eventsOf("command")) {
        commands.push_back({event.data["step"].get<std::int64_t>(),
                            event.tMs,
                            {event.data["path"].get<std::string>(), event.data["value"]}});
    }
    return commands;
}

TEST(Commands, AreReplayedAtTheirStepsByARunThatRepeatsAnother) {
    const TinyProject project;
    TestRun run(project, "run"), plain(project, "plain"), again(project, "again");
    changeOnTheWay(run);
    ASSERT_TRUE(run.start().has_value() && plain.start().has_value());
    again.request.commands = recordedCommands(run.sink);
    ASSERT_EQ(again.request.commands.size(), 3u);
    again.request.recorded = run.sink.recorded;
    again.request.repeats = true;
    ASSERT_TRUE(again.start().has_value());
    for (const char* series : {"train.loss", "lr", "val.loss"}) {
        EXPECT_EQ(again.sink.points[series], run.sink.points[series]) << series;
        EXPECT_NE(plain.sink.points[series], run.sink.points[series]) << series << ": they changed something";
    }
    EXPECT_EQ(recordedCommands(again.sink).size(), 3u) << "and it records them too";
}

TEST(Commands, AfterTheCheckpointAreReplayedByAResume) {
    const TinyProject project;
    TestRun whole(project, "whole"), killed(project, "killed");
    changeOnTheWay(whole);
    const auto straight = whole.start();
    ASSERT_TRUE(straight.has_value());
    // As after a kill: the checkpoint is older than what was changed since.
    ASSERT_TRUE(killed.start(1).has_value());
    std::filesystem::remove(train::CheckpointFolder(killed.request.runFolder).fileOfStep(1));
    killed.request.commands = recordedCommands(whole.sink);
    const auto resumed = killed.resume();
    ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
    expectSameRun(whole, *straight, killed, *resumed, "killed");
}

TEST(Commands, BeforeTheCheckpointAreItsOwnAndDoNotComeAgain) {
    const TinyProject project;
    TestRun run(project);
    ASSERT_TRUE(run.start(12).has_value());
    run.request.commands = {{5, 0, {"training.optimizer.lr", 0.5}}};
    ASSERT_TRUE(run.resume(14).has_value());
    EXPECT_LT(run.sink.last("lr"), 0.1);
    EXPECT_TRUE(run.sink.eventsOf("command").empty());
}

TEST(Commands, ACadenceThatTheRunCannotHaveIsRefusedWithASentence) {
    TinyProject project;
    TestRun run(project);
    run.live.post({"training.early_stopping.patience", 3});
    run.live.post({"training.validation.every", -1});
    run.live.post({"training.checkpoints.every", 1.5});
    ASSERT_TRUE(run.start(3).has_value());
    EXPECT_TRUE(run.sink.eventsOf("command").empty());
    const std::string told = logged(run.sink);
    EXPECT_NE(told.find("it does not stop early"), std::string::npos) << told;
    EXPECT_NE(told.find("training.validation.every cannot be -1"), std::string::npos) << told;
    EXPECT_NE(told.find("training.checkpoints.every cannot be 1.5"), std::string::npos) << told;
}

TEST(Commands, PatienceCountsFromTheNextValidationOn) {
    TinyProject project;
    project.training()["optimizer"]["maximize"] = true;
    project.training()["early_stopping"] = {{"patience", 100}};
    TestRun run(project);
    run.sink.onStep = [&](std::int64_t step) {
        if (step == 30) {
            run.live.post({"training.early_stopping.patience", 1});
        }
    };
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value());
    EXPECT_EQ(summary->stopCode, "early_stopping");
    EXPECT_EQ(summary->epochs, 3);
}

TEST(Repeat, OtherDataAreRefusedBeforeTheFirstStep) {
    const TinyProject project;
    TestRun run(project, "run"), again(project, "again");
    ASSERT_TRUE(run.start(2).has_value());
    again.request.recorded = run.sink.recorded;
    again.request.recorded["data_fingerprint"] = "another";
    again.request.repeats = true;
    const auto refused = again.start();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "data-changed");
    EXPECT_TRUE(again.sink.points["train.loss"].empty());
}

}  // namespace
}  // namespace plumbline::test
