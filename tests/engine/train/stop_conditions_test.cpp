// What ends a run besides its epochs and steps, and what a resume makes of it.

#include "train/stop_conditions.h"
#include "exact_resume.h"

namespace plumbline::test {
namespace {

plan::TrainingPlan stopPlan(std::int64_t patience, double minDelta, bool isMax) {
    plan::TrainingPlan plan;
    plan.earlyStopping = {patience, "val.x", isMax, minDelta, false};
    return plan;
}

/// The validation, counted from 1, at which early stopping ends a run that gives these values; 0: never.
int stopsAt(const plan::TrainingPlan& plan, const std::vector<double>& values) {
    train::Position position;
    train::StopConditions stops(plan, position, true);
    for (std::size_t i = 0; i < values.size(); ++i) {
        ++position.steps.attempted;
        position.values["val.x"] = values[i];
        stops.judge(plan.earlyStopping.patience);
        if (stops.reached()) {
            return static_cast<int>(i) + 1;
        }
    }
    return 0;
}

TEST(StopConditions, EarlyStoppingCountsValidationsSinceTheLastImprovement) {
    const double nan = std::nan("");
    EXPECT_EQ(stopsAt(stopPlan(2, 0, false), {3, 2, 2, 1, 1.5, 1}), 6);
    EXPECT_EQ(stopsAt(stopPlan(2, 0, true), {1, 2, 3, 4, 5}), 0);
    EXPECT_EQ(stopsAt(stopPlan(1, 0, true), {1, 2, 2}), 3);
    EXPECT_EQ(stopsAt(stopPlan(2, 0.5, false), {3, 2.6, 2.5, 2.4}), 3) << "0.5 is no more than 0.5";
    EXPECT_EQ(stopsAt(stopPlan(2, 0.5, false), {3, 2.6, 2.4, 2.2, 1.8}), 0)
        << "what counts is the best, not the value before";
    EXPECT_EQ(stopsAt(stopPlan(2, 0, false), {nan, nan, 1}), 2);
    EXPECT_EQ(stopsAt(stopPlan(2, 0, false), {3, nan, 2, nan, nan}), 5);
    EXPECT_EQ(stopsAt(stopPlan(0, 0, false), {1, 2, 3, 4}), 0);
}

TEST(StopConditions, AValidationWithoutAValueIsNoImprovement) {
    const plan::TrainingPlan plan = stopPlan(2, 0, false);
    train::Position position;
    train::StopConditions stops(plan, position, true);
    position.values["val.x"] = 1;
    stops.judge(plan.earlyStopping.patience);
    position.values.erase("val.x");
    stops.judge(plan.earlyStopping.patience);
    EXPECT_FALSE(stops.reached());
    stops.judge(plan.earlyStopping.patience);
    EXPECT_TRUE(stops.reached());
    EXPECT_EQ(position.stop.waited, 2);
}

TEST(StopConditions, ATargetIsReachedAtItsValue) {
    for (const bool isMax : {true, false}) {
        plan::TrainingPlan plan;
        plan.target = {"val.x", 0.9, isMax};
        EXPECT_EQ(stopsAt(plan, isMax ? std::vector<double>{0.5, 0.89, 0.9} : std::vector<double>{2, 0.91, 0.9}), 3);
        EXPECT_EQ(stopsAt(plan, {std::nan("")}), 0);
    }
}

/// A run whose training makes things worse from the first step on.
struct StoppingProject : TinyProject {
    StoppingProject() {
        training()["optimizer"]["maximize"] = true;
        training()["scheduler"] = {{"type", "cosine"}, {"unit", "step"}};
        training()["early_stopping"] = {{"patience", 2}, {"series", "val.loss"}, {"mode", "min"}};
    }
};

TEST(StopConditions, ARunThatDoesNotImproveEndsCompletedWithTheReasonAndItsNumbers) {
    const StoppingProject project;
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->status, "completed");
    EXPECT_EQ(summary->stopCode, "early_stopping");
    EXPECT_EQ(summary->epochs, 3) << "the first is the best, two more are waited for";
    EXPECT_NE(summary->stopMessage.find("val.loss has not been better than"), std::string::npos)
        << summary->stopMessage;
    EXPECT_TRUE(summary->metrics.contains("test.loss"));
    const auto again = run.resume();
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->stopCode, "early_stopping") << "what has ended stays so";
    EXPECT_EQ(again->steps.attempted, summary->steps.attempted);
}

TEST(StopConditions, TheScheduleIsThatOfTheWholePlan) {
    StoppingProject project;
    TestRun stopped(project, "stopped");
    ASSERT_TRUE(stopped.start().has_value());
    project.training().erase("early_stopping");
    TestRun whole(project, "whole");
    ASSERT_TRUE(whole.start().has_value());
    const std::vector<double> rates = stopped.sink.values("lr"), all = whole.sink.values("lr");
    ASSERT_LT(rates.size(), all.size());
    EXPECT_EQ(rates, std::vector<double>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rates.size())));
}

TEST(StopConditions, AResumeEndsWhereTheUninterruptedRunDoes) {
    StoppingProject project;
    project.training()["validation"] = {{"every", 5}, {"unit", "step"}};
    project.training()["early_stopping"]["patience"] = 4;
    TestRun whole(project, "whole"), parts(project, "parts");
    const auto straight = whole.start();
    ASSERT_TRUE(straight.has_value());
    ASSERT_EQ(straight->stopCode, "early_stopping");
    ASSERT_NE(straight->steps.attempted % 12, 0) << "in the middle of an epoch";
    ASSERT_TRUE(parts.start(7).has_value());
    ASSERT_TRUE(parts.resume(10).has_value());
    ASSERT_TRUE(parts.resume(16).has_value());
    const auto resumed = parts.resume();
    ASSERT_TRUE(resumed.has_value());
    EXPECT_EQ(resumed->stopMessage, straight->stopMessage);
    expectSameRun(whole, *straight, parts, *resumed, "early stopping");
}

TEST(StopConditions, ATargetEndsTheRunAtTheValidationThatReachesIt) {
    TinyProject project;
    project.training()["validation"] = {{"every", 4}, {"unit", "step"}};
    project.training()["stop"] = {{"epochs", 50},
                                  {"target", {{"series", "val.accuracy"}, {"value", 0.6}, {"mode", "max"}}}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->stopCode, "target");
    EXPECT_EQ(summary->status, "completed");
    const auto accuracy = run.sink.values("val.accuracy");
    EXPECT_GE(accuracy.back(), 0.6);
    EXPECT_TRUE(std::all_of(accuracy.begin(), accuracy.end() - 1, [](double value) { return value < 0.6; }));
    EXPECT_EQ(summary->steps.attempted % 4, 0);
}

TEST(StopConditions, TimeOfTrainingEndsTheRunBetweenTwoStepsAndForGood) {
    TinyProject project;
    project.training()["accumulation"] = 3;
    project.training()["stop"] = {{"epochs", 1000000}, {"seconds", 0.3}};
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->stopCode, "time");
    EXPECT_EQ(summary->status, "completed");
    EXPECT_GE(run.sink.points["train.loss"].back().elapsedMs, 1);
    const auto checkpoint = train::readCheckpoint(run.request.runFolder / summary->checkpoint);
    ASSERT_TRUE(checkpoint.has_value());
    EXPECT_FALSE(checkpoint->meta["step_open"].get<bool>());
    const auto again = run.resume();
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->stopCode, "time");
    EXPECT_EQ(again->steps.attempted, summary->steps.attempted);
}

TEST(StopConditions, RestoreBestGivesTheLastCheckpointTheWeightsOfTheBest) {
    StoppingProject project;
    project.training()["early_stopping"]["restore_best"] = true;
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    const train::CheckpointFolder checkpoints(run.request.runFolder);
    const auto last = train::readModelState(run.request.runFolder / summary->checkpoint),
               best = train::readModelState(checkpoints.bestFile());
    ASSERT_TRUE(last.has_value() && best.has_value());
    for (const auto& [name, tensor] : *best) {
        EXPECT_TRUE(tensor.equal(last->at(name))) << name;
    }
    EXPECT_TRUE(train::readCheckpoint(run.request.runFolder / summary->checkpoint)
                    ->meta["position"]["restored_best"]
                    .get<bool>());
    project.training()["early_stopping"]["restore_best"] = false;
    TestRun plain(project, "plain");
    const auto other = plain.start();
    ASSERT_TRUE(other.has_value());
    const auto unrestored = train::readModelState(plain.request.runFolder / other->checkpoint);
    EXPECT_FALSE(unrestored->at("fc.weight").equal(best->at("fc.weight"))) << "the last weights are others";
}

}  // namespace
}  // namespace plumbline::test
