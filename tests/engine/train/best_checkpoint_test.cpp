// A best checkpoint that is damaged or gone: told, never lied about, and made anew by a run that goes on.

#include <fstream>

#include "run_fixture.h"
#include "train/checkpoint.h"

namespace plumbline::test {
namespace {

void damage(const std::filesystem::path& file) {
    // best.ckpt is a link to a step's file: only this name of it is to be damaged.
    std::string bytes = *readFile(file);
    std::filesystem::remove(file);
    bytes[bytes.size() / 2] ^= 1;
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Six epochs of twelve steps, each worse than the one before: the first is the best.
struct WorseningProject : TinyProject {
    WorseningProject() {
        training()["optimizer"]["lr"] = 0.05;
        training()["scheduler"] = {{"type", "constant"}};
        training()["optimizer"]["maximize"] = true;
        training()["checkpoints"] = {
            {"every", 1}, {"unit", "epoch"}, {"keep_last", 2}, {"best", {{"series", "val.loss"}, {"mode", "min"}}}};
    }
};

std::string warnings(const RecordingSink& sink) {
    std::string all;
    for (const session::Event& event : sink.eventsOf("log")) {
        if (event.data.value("level", "") == "warning") {
            all += event.data.value("message", "") + "\n";
        }
    }
    return all;
}

Json positionOf(const std::filesystem::path& file) {
    const auto checkpoint = train::readCheckpoint(file);
    EXPECT_TRUE(checkpoint.has_value()) << (checkpoint ? "" : toSentence(checkpoint.error()));
    return checkpoint ? checkpoint->meta["position"] : Json::object();
}

TEST(BestCheckpoint, ADamagedOneIsSetAsideAndTheNewestThatWasJudgedTakesItsPlace) {
    const WorseningProject project;
    TestRun run(project);
    ASSERT_TRUE(run.start(40).has_value());  // three epochs and four steps
    const train::CheckpointFolder checkpoints(run.request.runFolder);
    ASSERT_EQ(positionOf(checkpoints.bestFile())["best_step"], 12);
    ASSERT_TRUE(run.resume(48).has_value());
    damage(checkpoints.bestFile());
    ASSERT_EQ(checkpoints.checkBest().error().code, "damaged-checkpoint");
    const auto summary = run.resume(50);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->bestCheckpoint, "checkpoints/best.ckpt");
    EXPECT_TRUE(checkpoints.checkBest().has_value());
    EXPECT_EQ(positionOf(checkpoints.bestFile())["attempted"], 48);
    EXPECT_EQ(positionOf(checkpoints.bestFile())["best_step"], 48);
    EXPECT_TRUE(std::filesystem::exists(checkpoints.bestFile().string() + ".damaged")) << "nothing is thrown away";
    EXPECT_NE(warnings(run.sink).find("is damaged"), std::string::npos) << warnings(run.sink);
    EXPECT_NE(warnings(run.sink).find("of step 48, takes its place"), std::string::npos) << warnings(run.sink);
}

TEST(BestCheckpoint, WhereTheNewestWasNotJudgedTheNextValidationMakesANewOne) {
    for (const bool gone : {false, true}) {
        const WorseningProject project;
        TestRun run(project, gone ? "gone" : "damaged");
        ASSERT_TRUE(run.start(40).has_value());
        const train::CheckpointFolder checkpoints(run.request.runFolder);
        gone ? static_cast<void>(std::filesystem::remove(checkpoints.bestFile())) : damage(checkpoints.bestFile());
        // It ends before the next validation: no best one is claimed, and a second resume still knows.
        const auto summary = run.resume(44);
        ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
        EXPECT_EQ(summary->bestCheckpoint, "");
        EXPECT_FALSE(std::filesystem::exists(checkpoints.bestFile()));
        EXPECT_NE(warnings(run.sink).find("The next one that is judged takes its place"), std::string::npos)
            << warnings(run.sink);
        const auto further = run.resume(50);
        ASSERT_TRUE(further.has_value()) << toSentence(further.error());
        EXPECT_EQ(further->bestCheckpoint, "checkpoints/best.ckpt");
        EXPECT_EQ(positionOf(checkpoints.bestFile())["attempted"], 48)
            << "though an earlier, lost one had a better value";
    }
}

TEST(BestCheckpoint, ARunThatHasEndedGetsANewOneAsWellAndTrainsTheSame) {
    const WorseningProject project;
    TestRun run(project), whole(project, "whole");
    ASSERT_TRUE(whole.start().has_value());
    ASSERT_TRUE(run.start(60).has_value());
    const train::CheckpointFolder checkpoints(run.request.runFolder);
    damage(checkpoints.bestFile());
    ASSERT_TRUE(run.resume().has_value());
    EXPECT_EQ(run.sink.points["train.loss"], whole.sink.points["train.loss"]) << "what is set aside changes no number";
    damage(checkpoints.bestFile());
    const auto summary = run.resume();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->status, "completed");
    EXPECT_TRUE(checkpoints.checkBest().has_value());
    EXPECT_EQ(positionOf(checkpoints.bestFile())["attempted"], 72);
}

TEST(BestCheckpoint, StaysWhatWasJudgedWhereTheNextStepIsOpen) {
    WorseningProject project;
    project.training()["accumulation"] = 4;
    TestRun run(project);
    RunControl control;
    int batches = 0;
    // Three steps an epoch. A pause is seen before every batch: asked for again and again, it counts those of step 4,
    // and stops after two, which have moved the running statistics.
    run.sink.onStep = [&](std::int64_t step) { step == 3 ? control.requestPause() : void(); };
    run.sink.onState = [&](session::RunState state) {
        if (state == session::RunState::kPaused) {
            control.requestResume();
        } else if (state == session::RunState::kRunning && control.stopReason() == StopReason::kNone &&
                   run.sink.points["train.loss"].size() == 3) {
            const bool judged = run.sink.points["val.loss"].size() == 1;
            judged && ++batches == 3 ? control.requestStop() : control.requestPause();
        }
    };
    ASSERT_TRUE(run.start(control).has_value());
    ASSERT_EQ(batches, 3);
    const train::CheckpointFolder checkpoints(run.request.runFolder);
    ASSERT_EQ(positionOf(checkpoints.fileOfStep(3))["best_step"], 3);
    ASSERT_EQ(positionOf(checkpoints.fileOfStep(3))["batch"], 2);
    const std::string before = *readFile(checkpoints.bestFile());
    ASSERT_NE(*readFile(checkpoints.fileOfStep(3)), before);
    run.sink.onStep = {};
    run.sink.onState = {};
    ASSERT_TRUE(run.resume(4).has_value());
    EXPECT_EQ(*readFile(checkpoints.bestFile()), before);
    EXPECT_EQ(warnings(run.sink), "");
}

TEST(BestCheckpoint, ALostOneIsNotReplacedByWeightsThatWerePutBack) {
    WorseningProject project;
    project.training()["early_stopping"] = {{"patience", 2}, {"restore_best", true}};
    TestRun run(project);
    ASSERT_TRUE(run.start().has_value());
    const train::CheckpointFolder checkpoints(run.request.runFolder);
    const Json position = positionOf(checkpoints.fileOfStep(36));
    ASSERT_TRUE(position.value("restored_best", false));
    ASSERT_EQ(position.value("judged_step", 0), 36);
    std::filesystem::remove(checkpoints.bestFile());
    const auto summary = run.resume();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->bestCheckpoint, "") << "what was judged at step 36 are other weights";
    EXPECT_FALSE(std::filesystem::exists(checkpoints.bestFile()));
}

TEST(BestCheckpoint, AWholeOneIsLeftAlone) {
    const WorseningProject project;
    TestRun run(project);
    ASSERT_TRUE(run.start(40).has_value());
    const train::CheckpointFolder checkpoints(run.request.runFolder);
    const std::string before = *readFile(checkpoints.bestFile());
    ASSERT_TRUE(run.resume(44).has_value());
    EXPECT_EQ(*readFile(checkpoints.bestFile()), before);
    EXPECT_EQ(warnings(run.sink), "");
}

}  // namespace
}  // namespace plumbline::test
