// Schedules that count epochs, which is what they do unless told otherwise: PyTorch's scheduler.step() after each
// epoch.
#include <cmath>
#include <numbers>

#include "exact_resume.h"

namespace plumbline::test {
namespace {

constexpr std::size_t kStepsAnEpoch = 12;
constexpr double kLr = 0.02;

/// Each epoch's rate, in every step of it.
void expectEpochRates(const std::vector<double>& rates, const std::vector<double>& ofEpochs, const std::string& name) {
    ASSERT_EQ(rates.size(), kStepsAnEpoch * ofEpochs.size()) << name;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        EXPECT_NEAR(rates[i], ofEpochs[i / kStepsAnEpoch], 1e-15) << name << ", step " << i + 1;
    }
}

TEST(ScheduleInEpochs, StepsEveryFewEpochsAndGoesOnExactlyFromTheMiddleOfOne) {
    TinyProject project;
    // StepLR(step_size=2, gamma=0.5); the unit is left out.
    project.training()["scheduler"] = {{"type", "step"}, {"step_size", 2}, {"gamma", 0.5}};
    for (const std::int64_t stopAt : {5, 24, 31, 47}) {
        expectEpochRates(expectExactResume(project, stopAt, "step-" + std::to_string(stopAt)),
                         {kLr, kLr, kLr / 2, kLr / 2, kLr / 4, kLr / 4}, "step");
    }
}

TEST(ScheduleInEpochs, WarmsUpAndFallsAsACosineOverTheEpochsThatAreLeft) {
    TinyProject project;
    project.training()["scheduler"] = {{"type", "cosine"}, {"unit", "epoch"}, {"warmup", 2}, {"min_lr", 0.002}};
    // LinearLR over two epochs, then CosineAnnealingLR(T_max=4, eta_min=0.002).
    const auto cosine = [](int epoch) {
        return 0.002 + (kLr - 0.002) * (1 + std::cos(std::numbers::pi * epoch / 4)) / 2;
    };
    for (const std::int64_t stopAt : {7, 36, 40}) {
        expectEpochRates(expectExactResume(project, stopAt, "cosine-" + std::to_string(stopAt)),
                         {kLr / 2, kLr, kLr, cosine(1), 0.011, cosine(3)}, "cosine");
    }
}

TEST(ScheduleInEpochs, StaysConstantAfterItsWarmUp) {
    TinyProject project;
    project.training()["scheduler"] = {{"type", "constant"}, {"warmup", 4}};
    expectEpochRates(expectExactResume(project, 20, "constant"), {kLr / 4, kLr / 2, kLr * 3 / 4, kLr, kLr, kLr},
                     "constant");
}

TEST(ScheduleInEpochs, CountsNoStepsThatAreSkippedAndNoneOfAnAccumulation) {
    TinyProject project;
    project.training()["precision"] = "fp16";
    project.training()["grad_scaler"] = {{"init_scale", 16777216.0}};  // its first steps are skipped
    project.training()["accumulation"] = 5;
    project.training()["scheduler"] = {{"type", "step"}, {"step_size", 1}, {"gamma", 0.5}};
    const std::vector<double> rates = expectExactResume(project, 8, "skipped");
    ASSERT_EQ(rates.size(), 18U) << "three steps an epoch";
    for (std::size_t i = 0; i < rates.size(); ++i) {
        EXPECT_NEAR(rates[i], kLr * std::pow(0.5, static_cast<double>(i / 3)), 1e-15) << i;
    }
}

TEST(ScheduleInEpochs, IsAsLongAsTheRunByItsPlanAlsoWhereThatEndsByItsSteps) {
    TinyProject project;
    project.training()["stop"]["steps"] = 40;  // in the fourth epoch
    project.training()["scheduler"] = {{"type", "cosine"}, {"unit", "epoch"}};
    TestRun run(project);
    ASSERT_TRUE(run.start().has_value());
    EXPECT_NEAR(run.sink.last("lr"), kLr * (1 + std::cos(std::numbers::pi * 3 / 4)) / 2, 1e-15);
    // A checkpoint of version 1 was begun before stop.steps counted for that: it goes on as it began, over six epochs.
    TestRun old(project, "old");
    ASSERT_TRUE(old.start(18).has_value());
    const std::filesystem::path file = train::CheckpointFolder(old.request.runFolder).fileOfStep(18);
    train::Checkpoint checkpoint = train::readCheckpoint(file).value();
    checkpoint.meta["position"].erase("schedule_length");
    ASSERT_TRUE(train::writeCheckpoint(file, checkpoint).has_value());
    ASSERT_TRUE(old.resume(26).has_value());
    EXPECT_NEAR(old.sink.last("lr"), kLr * (1 + std::cos(std::numbers::pi * 2 / 6)) / 2, 1e-15);
}

TEST(ScheduleInEpochs, GoesOnByStepsWhereItsUnitSaysSo) {
    TinyProject project;
    project.training()["scheduler"] = {{"type", "step"}, {"unit", "step"}, {"step_size", 2}, {"gamma", 0.9}};
    const std::vector<double> rates = expectExactResume(project, 31, "by-steps");
    for (std::size_t i = 0; i < rates.size(); ++i) {
        EXPECT_NEAR(rates[i], kLr * std::pow(0.9, static_cast<double>(i / 2)), 1e-15) << i;
    }
}

}  // namespace
}  // namespace plumbline::test
