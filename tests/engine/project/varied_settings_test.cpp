#include "project/varied_settings.h"

#include <gtest/gtest.h>
#include <algorithm>

#include "sample_document.h"

namespace plumbline::project {
namespace {

/// Paths of the settings that are told to change nothing.
std::vector<std::string> useless(const Json& training, const std::vector<VariedSetting>& varied) {
    Json json = sample();
    json["training"].update(training, true);
    const auto project = readProject(json, "/tmp");
    EXPECT_TRUE(project.has_value()) << project.error().message;
    std::vector<std::string> pointers;
    for (const graph::Problem& problem : variedWithoutEffect(*project, varied)) {
        EXPECT_EQ(problem.severity, graph::Severity::kWarning);
        pointers.push_back(problem.pointer);
    }
    return pointers;
}

const std::vector<std::string> kNone;
const std::string kMomentum = "/training/optimizer/momentum";

TEST(VariedSettings, AnOptionThatTheOptimizerDoesNotHaveIsTold) {
    const VariedSetting momentum{"training.optimizer.momentum", {"0", "0.9"}};
    EXPECT_EQ(useless({{"optimizer", {{"type", "AdamW"}}}}, {momentum}), std::vector{kMomentum});
    EXPECT_EQ(useless({{"optimizer", {{"type", "SGD"}}}}, {momentum}), kNone);
}

TEST(VariedSettings, ItIsOfUseWhereAChoiceOfTheOptimizerHasIt) {
    const VariedSetting momentum{"training.optimizer.momentum", {"0", "0.9"}};
    EXPECT_EQ(useless({{"optimizer", {{"type", "AdamW"}}}}, {momentum, {"training.optimizer.type", {"Adam", "SGD"}}}),
              kNone);
    EXPECT_EQ(
        useless({{"optimizer", {{"type", "AdamW"}}}}, {momentum, {"training.optimizer.type", {"\"Adam\"", "\"SGD\""}}}),
        kNone);
    // What the project says counts no longer once the sweep chooses.
    EXPECT_EQ(useless({{"optimizer", {{"type", "SGD"}}}}, {momentum, {"training.optimizer.type", {"Adam", "AdamW"}}}),
              std::vector{kMomentum});
}

TEST(VariedSettings, TheSentenceNamesWhatDecidesAndWhatWouldBeNeeded) {
    Json json = sample();
    json["training"]["optimizer"] = {{"type", "AdamW"}};
    const auto problems =
        variedWithoutEffect(*readProject(json, "/tmp"), {{"training.optimizer.momentum", {"0", "0.9"}}});
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].message,
              "training.optimizer.momentum changes nothing where training.optimizer.type is AdamW. Leave it out, or "
              "set training.optimizer.type to SGD, RMSprop.");
}

TEST(VariedSettings, WhatBelongsToAnotherKindOfScheduleClippingOrPrecisionIsTold) {
    EXPECT_EQ(useless({{"scheduler", {{"type", "cosine"}}}}, {{"training.scheduler.step_size", {"1", "5"}}}),
              std::vector<std::string>{"/training/scheduler/step_size"});
    EXPECT_EQ(useless({{"clip", {{"type", "value"}}}}, {{"training.clip.max_norm", {"0.1", "1"}}}),
              std::vector<std::string>{"/training/clip/max_norm"});
    EXPECT_EQ(useless({{"clip", {{"type", "norm"}}}}, {{"training.clip.max_norm", {"0.1", "1"}}}), kNone);
    EXPECT_EQ(useless(Json::object(), {{"training.grad_scaler.init_scale", {"1", "1024"}}}),
              std::vector<std::string>{"/training/grad_scaler/init_scale"});
    EXPECT_EQ(useless(Json::object(),
                      {{"training.grad_scaler.init_scale", {"1", "1024"}}, {"training.precision", {"fp32", "fp16"}}}),
              kNone);
}

TEST(VariedSettings, WhatAnotherSettingSwitchesOnIsToldWhileThatIsOff) {
    const VariedSetting gamma{"training.gradient_noise.gamma", {"0.5", "0.6"}};
    EXPECT_EQ(useless(Json::object(), {gamma}).size(), 1U);
    EXPECT_EQ(useless({{"gradient_noise", {{"eta", 0.1}}}}, {gamma}), kNone);
    EXPECT_EQ(useless(Json::object(), {gamma, {"training.gradient_noise.eta", {"0", "0.3"}}}), kNone);
    EXPECT_EQ(useless(Json::object(), {{"training.early_stopping.min_delta", {"0", "0.1"}}}).size(), 1U);
    EXPECT_EQ(useless(Json::object(), {{"training.stop.target.value", {"0.5", "0.6"}}}).size(), 1U);
}

TEST(VariedSettings, AmongSeveralOptimizersAStepTheOneThatTakesItOverCounts) {
    const auto phases = [](const Json& first, const Json& second) {
        return Json{{"optimizer", {{"type", "AdamW"}}},
                    {"phases",
                     {{{"name", "a"}, {"train", "a.*"}, {"optimizer", first}},
                      {{"name", "b"}, {"train", "b.*"}, {"optimizer", second}}}}};
    };
    const VariedSetting momentum{"training.optimizer.momentum", {"0", "0.9"}};
    EXPECT_EQ(useless(phases(Json::object(), Json::object()), {momentum}), std::vector{kMomentum});
    EXPECT_EQ(useless(phases({{"type", "SGD"}}, Json::object()), {momentum}), kNone);
    EXPECT_EQ(useless(phases({{"type", "SGD"}, {"momentum", 0.5}}, Json::object()), {momentum}),
              std::vector{kMomentum});
    const VariedSetting lr{"training.optimizer.lr", {"0.1", "0.2"}};
    EXPECT_EQ(useless(phases({{"lr", 0.1}}, {{"lr", 0.1}}), {lr}).size(), 1U);
    EXPECT_EQ(useless(phases({{"lr", 0.1}}, Json::object()), {lr}), kNone);
    EXPECT_EQ(
        useless(phases({{"type", "SGD"}}, Json::object()), {{"training.phases.0.optimizer.momentum", {"0", "0.9"}}}),
        kNone);
    EXPECT_EQ(
        useless(phases({{"type", "SGD"}}, Json::object()), {{"training.phases.1.optimizer.momentum", {"0", "0.9"}}}),
        std::vector<std::string>{"/training/phases/1/optimizer/momentum"});
}

TEST(VariedSettings, ARateInWhosePlaceThereIsAlwaysAnotherIsTold) {
    const VariedSetting lr{"training.optimizer.lr", {"0.01", "0.02"}};
    const VariedSetting decay{"training.optimizer.weight_decay", {"0", "0.1"}};
    const std::vector<std::string> kRate{"/training/optimizer/lr"};
    const auto cycle = [](const Json& more) {
        Json scheduler = {{"type", "one_cycle"}, {"warmup", 0}};
        scheduler.update(more);
        return Json{{"scheduler", std::move(scheduler)}};
    };
    EXPECT_EQ(useless(cycle({{"max_lr", 0.1}}), {lr}), kRate);
    EXPECT_EQ(useless(cycle({{"max_lr", 0.1}}), {decay}), kNone);
    EXPECT_EQ(useless(cycle(Json::object()), {lr}), kNone);
    EXPECT_EQ(useless(cycle({{"max_lr", 0.1}}), {lr, {"training.scheduler.type", {"cosine", "one_cycle"}}}), kNone);
    const auto groups = [](const Json& list) { return Json{{"optimizer", {{"type", "SGD"}, {"groups", list}}}}; };
    EXPECT_EQ(useless(groups({{{"match", "*"}, {"lr", 0.1}}}), {lr}), kRate);
    EXPECT_EQ(useless(groups({{{"match", "*"}, {"lr", 0.1}}}), {decay}), kNone);
    EXPECT_EQ(useless(groups({{{"match", "*"}, {"weight_decay", 0.1}}}), {decay}).size(), 1U);
    EXPECT_EQ(useless(groups({{{"match", "fc.*"}, {"lr", 0.1}}}), {lr}), kNone);
    EXPECT_EQ(useless(groups({{{"match", "fc.*"}}, {{"match", "*"}, {"lr", 0.1}}}), {lr}), kNone);
    EXPECT_EQ(useless(groups({{{"match", "*"}, {"lr", 0.1}}}), {lr, {"training.optimizer.groups.0.lr", {"1", "2"}}}),
              kNone);
}

TEST(VariedSettings, SettingsThatAlwaysMeanSomethingAndUnknownOnesAreLeftAlone) {
    EXPECT_EQ(useless(Json::object(), {{"training.optimizer.lr", {"0.1", "0.2"}},
                                       {"data.loader.batch_size", {"16", "32"}},
                                       {"training.losses.0.weight", {"1", "2"}}}),
              kNone);
}

}  // namespace
}  // namespace plumbline::project
