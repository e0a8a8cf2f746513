// Schedules that validations or the momentum take part in, in whole runs.
#include <cmath>

#include "exact_resume.h"
#include "plan/schedule.h"

namespace plumbline::test {
namespace {

constexpr double kPlateauLr = 0.02;
constexpr std::size_t kPlateauSteps = 12;  ///< an epoch

/// Nothing but the first validation counts as a gain.
Json neverBetter() {
    return {
        {"type", "reduce_on_plateau"}, {"patience", 1}, {"factor", 0.5}, {"threshold", 1e6}, {"threshold_mode", "abs"}};
}

std::vector<std::string> reductionsOf(const RecordingSink& sink) {
    std::vector<std::string> lines;
    for (const session::Event& event : sink.eventsOf("log")) {
        if (const auto line = event.data.at("message").get<std::string>(); line.starts_with("After step ")) {
            lines.push_back(line);
        }
    }
    return lines;
}

TEST(SchedulePlateau, ReducesTheRateAfterValidationsWithoutAGainAndSaysSo) {
    TinyProject project;
    project.training()["scheduler"] = neverBetter();
    TestRun run(project);
    ASSERT_TRUE(run.start().has_value());
    const std::vector<double> rates = run.sink.values("lr");
    ASSERT_EQ(rates.size(), 6 * kPlateauSteps);
    const double factors[] = {1, 1, 1, 0.5, 0.5, 0.25};
    for (std::size_t i = 0; i < rates.size(); ++i) {
        EXPECT_DOUBLE_EQ(rates[i], kPlateauLr * factors[i / kPlateauSteps]) << "step " << i + 1;
    }
    const std::vector<std::string> lines = reductionsOf(run.sink);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_TRUE(lines[0].starts_with("After step 36 the learning rate goes from 0.02 to 0.01: val.loss is "))
        << lines[0];
    EXPECT_TRUE(lines[0].ends_with(" and has not got better for 2 validations.")) << lines[0];
    EXPECT_TRUE(lines[1].starts_with("After step 60 the learning rate goes from 0.01 to 0.005: ")) << lines[1];
}

TEST(SchedulePlateau, GoesOnExactlyFromAnywhere) {
    TinyProject project;
    project.training()["scheduler"] = neverBetter();
    for (const std::int64_t stopAt : {5, 36, 50, 60, 61}) {
        expectExactResume(project, stopAt, "plateau-" + std::to_string(stopAt));
    }
}

TEST(SchedulePlateau, FollowsTheSeriesThatItIsGivenAtEachValidation) {
    TinyProject project;
    project.training()["scheduler"] = {{"type", "reduce_on_plateau"},
                                       {"series", "val.accuracy"},
                                       {"mode", "max"},
                                       {"unit", "step"},
                                       {"patience", 2},
                                       {"factor", 0.7},
                                       {"cooldown", 1},
                                       {"warmup", 4}};
    project.training()["validation"] = {{"every", 5}, {"unit", "step"}};
    const std::vector<double> rates = expectExactResume(project, 33, "accuracy");
    TestRun run(project, "again");
    ASSERT_TRUE(run.start().has_value());
    const plan::SchedulerSpec spec = project.read().training.scheduler;
    const plan::Schedule schedule(spec, 72);
    plan::Plateau plateau(spec);
    const auto& validations = run.sink.points.at("val.accuracy");
    std::size_t next = 0;
    ASSERT_EQ(rates.size(), 72U);
    for (std::size_t step = 0; step < rates.size(); ++step) {
        for (; next < validations.size() && validations[next].step <= static_cast<std::int64_t>(step); ++next) {
            plateau.see(validations[next].value);
        }
        EXPECT_DOUBLE_EQ(rates[step], schedule.rate(plateau.reduced(kPlateauLr), static_cast<std::int64_t>(step)))
            << step;
    }
    EXPECT_GT(plateau.reductions(), 0) << "an accuracy of some 60 samples stands still at last";
}

TEST(SchedulePlateau, DoesNotTakeAValidationTwiceThatWasInterrupted) {
    TinyProject project;
    project.training()["scheduler"] = neverBetter();
    TestRun whole(project, "whole"), parts(project, "parts");
    const auto straight = whole.start();
    ASSERT_TRUE(straight.has_value());
    // Stopped at the last step of the third epoch: its validation, which is one too many, comes after the resume.
    RunControl control;
    parts.sink.onStep = [&](std::int64_t step) {
        if (step == 36) {
            control.requestStop();
        }
    };
    ASSERT_TRUE(parts.start(control).has_value());
    parts.sink.onStep = {};
    const auto resumed = parts.resume();
    ASSERT_TRUE(resumed.has_value());
    expectSameRun(whole, *straight, parts, *resumed, "interrupted");
    EXPECT_DOUBLE_EQ(parts.sink.last("lr"), kPlateauLr / 4);
}

TEST(ScheduleOfOneCycle, TakesItsRatesAndIsExactAfterAResume) {
    TinyProject project;
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.1}, {"momentum", 0.9}};
    project.training()["scheduler"] = {{"type", "one_cycle"}, {"unit", "step"}, {"max_lr", 0.2}};
    const std::vector<double> rates = expectExactResume(project, 29, "cycle");
    const plan::Schedule schedule(project.read().training.scheduler, 72);
    ASSERT_EQ(rates.size(), 72U);
    for (std::size_t step = 0; step < rates.size(); ++step) {
        EXPECT_DOUBLE_EQ(rates[step], schedule.rate(0.1, static_cast<std::int64_t>(step))) << step;
    }
}

TEST(ScheduleOfOneCycle, MovesTheMomentumWithTheRate) {
    TinyProject project;
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.1}, {"momentum", 0.9}};
    project.training()["scheduler"] = {{"type", "one_cycle"}, {"unit", "step"}, {"max_lr", 0.2}};
    TestRun moved(project, "moved");
    ASSERT_TRUE(moved.start().has_value());
    project.training()["scheduler"]["cycle_momentum"] = false;
    TestRun still(project, "still");
    ASSERT_TRUE(still.start().has_value());
    EXPECT_EQ(moved.sink.values("lr"), still.sink.values("lr"));
    EXPECT_EQ(moved.sink.values("train.loss").front(), still.sink.values("train.loss").front());
    EXPECT_NE(moved.sink.values("train.loss").back(), still.sink.values("train.loss").back());
}

TEST(ScheduleOfOneCycle, IsRefusedWhereItsTotalIsOverBeforeTheRun) {
    TinyProject project;
    project.training()["scheduler"] = {{"type", "one_cycle"}, {"unit", "step"}, {"total", 71}};
    TestRun run(project);
    const auto refused = run.start();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "one-cycle-too-short");
    EXPECT_EQ(refused.error().where, "/training/scheduler/total");
}

}  // namespace
}  // namespace plumbline::test
