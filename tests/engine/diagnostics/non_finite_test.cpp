#include <limits>

#include "detector_fixture.h"

namespace plumbline::diagnostics {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class NonFinite : public DetectorTest {};

TEST_F(NonFinite, NamesTheFirstPlaceAndTheBatch) {
    StepStats stats = trainStep(412);
    stats.loss = kNaN;
    stats.nonFinite = {{"activation", "conv", "output", 12}, {"loss", "", "", 1}, {"gradient", "fc", "fc.weight", 100}};
    stats.gradNonFinite = 100;
    feed(stats);
    const Finding finding = only("non-finite", Severity::kCritical, "conv");
    EXPECT_EQ(finding.step, 412);
    EXPECT_EQ(finding.evidence["what"], "activation");
    EXPECT_EQ(finding.evidence["count"], 12);
    EXPECT_EQ(finding.evidence["loss"], "NaN");
    EXPECT_NE(finding.message.find("step 412 (epoch 4, batch 12)"), std::string::npos) << finding.message;
    EXPECT_NE(finding.message.find("12 values of conv's activation"), std::string::npos) << finding.message;
    EXPECT_EQ(applied(finding.remedies[0])["training"]["optimizer"]["lr"], 0.05);
    EXPECT_EQ(finding.remedies[0].applies, "live");
    EXPECT_EQ(applied(finding.remedies[1])["training"]["clip"], (Json{{"type", "norm"}, {"max_norm", 1.0}}));
}

TEST_F(NonFinite, IsFoundInTheInputAndOffersNoLowerLearningRateForIt) {
    StepStats stats = trainStep(3);
    stats.loss = std::nan("");
    stats.nonFinite = {{"input", "image", "image", 2}, {"activation", "conv", "output", 90}, {"loss", "", "loss", 1}};
    feed(stats);
    const Finding finding = only("non-finite", Severity::kCritical, "image");
    EXPECT_NE(finding.message.find("2 values of the input image are NaN or infinite"), std::string::npos)
        << finding.message;
    ASSERT_EQ(finding.remedies.size(), 1U);
    EXPECT_TRUE(finding.remedies.front().patch.empty());
}

TEST_F(NonFinite, IsFoundInTheLossOfAValidation) {
    StepStats stats = validation(12);
    stats.loss = std::nan("");
    feed(stats);
    EXPECT_NE(only("non-finite", Severity::kCritical, "").message.find("in validation"), std::string::npos);
}

TEST_F(NonFinite, IsFoundInTheLossAlone) {
    StepStats stats = trainStep(3);
    stats.loss = std::numeric_limits<double>::infinity();
    feed(stats);
    EXPECT_NE(only("non-finite", Severity::kCritical, "").message.find("the loss is inf"), std::string::npos)
        << all().front().message;
}

TEST_F(NonFinite, IsFoundInAGradientOfWhichOnlyTheCountIsKnown) {
    StepStats stats = trainStep(3);
    stats.gradNonFinite = 7;
    feed(stats);
    EXPECT_EQ(only("non-finite", Severity::kCritical, "").evidence["count"], 7);
}

TEST_F(NonFinite, IsFoundInAParameter) {
    StepStats stats = trainStep(3);
    stats.nonFinite = {{"parameter", "fc", "fc.weight", 1}};
    feed(stats);
    EXPECT_NE(only("non-finite", Severity::kCritical, "fc").message.find("1 value of fc's parameter fc.weight is"),
              std::string::npos)
        << all().front().message;
}

TEST_F(NonFinite, SaysWhichUpdatesCanHaveSpoiltAParameter) {
    const auto message = [&](std::int64_t clean, std::int64_t step) {
        begin();
        StepStats stats = trainStep(step);
        stats.nonFinite = {{"parameter", "fc", "fc.weight", 4}};
        stats.lastClean = {clean, 1, clean};
        stats.previous = {step - 1, 1, step - 1};
        feed(stats);
        return only("non-finite", Severity::kCritical, "fc").message;
    };
    EXPECT_NE(message(0, 1).find("before anything was trained."), std::string::npos) << all().front().message;
    EXPECT_NE(message(5, 6).find("NaN or infinite: the update of step 5 (epoch 1, batch 5) left it so."),
              std::string::npos)
        << all().front().message;
    EXPECT_NE(message(2, 6).find("an update from step 2 (epoch 1, batch 2) to step 5 (epoch 1, batch 5)"),
              std::string::npos)
        << all().front().message;
    EXPECT_EQ(all().front().evidence["first_update"], 2);
    EXPECT_EQ(all().front().evidence["last_update"], 5);
    EXPECT_EQ(all().front().message.find("first place"), std::string::npos) << all().front().message;
}

TEST_F(NonFinite, OfAnActivationIsNotGoneWhileNobodyLooks) {
    begin({{"non-finite", {{"clear_after", 3}}}});
    StepStats found = trainStep(1);
    found.nonFinite = {{"activation", "fc", "output", 2}};
    feed(found);
    for (std::int64_t step = 2; step <= 9; ++step) {
        StepStats stats = trainStep(step);
        stats.gradNormL2.reset();
        feed(stats);
    }
    EXPECT_FALSE(only("non-finite", Severity::kCritical, "fc").clearedAt);
    feed(trainStep(10));
    EXPECT_EQ(all().front().clearedAt, 10);
}

TEST_F(NonFinite, SpellsTheLossAsEveryOtherNumberIsSpelt) {
    StepStats stats = trainStep(3);
    stats.loss = -std::numeric_limits<double>::quiet_NaN();
    feed(stats);
    EXPECT_NE(only("non-finite", Severity::kCritical, "").message.find("the loss is nan,"), std::string::npos)
        << all().front().message;
}

TEST_F(NonFinite, IsNotAnInfiniteGradientThatTheScalerHandles) {
    for (int i = 1; i < 8; ++i) {
        StepStats stats = trainStep(i);
        stats.usesScaler = stats.foundInf = true;
        stats.applied = false;
        stats.scale = 65536;
        stats.gradNonFinite = 40;
        stats.nonFinite = {{"gradient", "fc", "fc.weight", 40}};
        feed(stats);
    }
    EXPECT_TRUE(isSilent());
}

TEST_F(NonFinite, IsAnInfiniteGradientThatWasAppliedInSpiteOfTheScaler) {
    StepStats stats = trainStep(1);
    stats.usesScaler = true;
    stats.scale = 65536;
    stats.nonFinite = {{"gradient", "fc", "fc.weight", 40}};
    feed(stats);
    only("non-finite", Severity::kCritical, "fc");
}

TEST_F(NonFinite, IsAnActivationEvenWhenTheScalerSkipsTheStep) {
    StepStats stats = trainStep(1);
    stats.usesScaler = stats.foundInf = true;
    stats.applied = false;
    stats.scale = 65536;
    stats.nonFinite = {{"gradient", "fc", "fc.weight", 40}, {"activation", "conv", "output", 1}};
    feed(stats);
    only("non-finite", Severity::kCritical, "conv");
}

TEST_F(NonFinite, OffersBf16InsteadOfFp16AndNoClippingWhereThereIsSome) {
    project()["training"]["precision"] = "fp16";
    project()["training"]["clip"] = {{"type", "norm"}, {"max_norm", 0.5}};
    begin();
    StepStats stats = trainStep(1);
    stats.loss = kNaN;
    feed(stats);
    ASSERT_EQ(all().front().remedies.size(), 2U);
    EXPECT_EQ(applied(all().front().remedies[1])["training"]["precision"], "bf16");
}

TEST_F(NonFinite, SwitchesOnClippingThatWasSwitchedOff) {
    project()["training"]["clip"] = {{"type", "none"}};
    begin();
    StepStats stats = trainStep(1);
    stats.loss = kNaN;
    feed(stats);
    EXPECT_EQ(applied(all().front().remedies[1])["training"]["clip"]["type"], "norm");
}

TEST_F(NonFinite, IsAdviceInALoopWithoutAProject) {
    m_facts.project = nullptr;
    begin();
    StepStats stats = trainStep(1);
    stats.loss = kNaN;
    feed(stats);
    for (const Remedy& remedy : only("non-finite", Severity::kCritical, "").remedies) {
        EXPECT_TRUE(remedy.patch.empty());
        EXPECT_FALSE(remedy.title.empty());
    }
}

TEST_F(NonFinite, ClearsAfterAHundredCleanSteps) {
    StepStats stats = trainStep(1);
    stats.loss = kNaN;
    feed(stats);
    for (int i = 2; i <= 100; ++i) {
        feed(trainStep(i));
    }
    EXPECT_FALSE(all().front().clearedAt);
    feed(trainStep(101));
    EXPECT_EQ(all().front().clearedAt, 101);
}

TEST_F(NonFinite, OfAValidationNamesNoBatchAndTheLastLearningRate) {
    StepStats stats = validation(12);
    stats.loss = kNaN;
    feed(stats);
    const Finding finding = only("non-finite", Severity::kCritical, "");
    EXPECT_EQ(finding.message.find("batch"), std::string::npos) << finding.message;
    EXPECT_FALSE(finding.evidence.contains("batch"));
    EXPECT_EQ(finding.evidence["learning_rate"], 0.1);
}

TEST_F(NonFinite, OffersNoLearningRateWhereNoneIsKnown) {
    m_facts.project = nullptr;
    begin();
    StepStats stats = validation(12);
    stats.loss = kNaN;
    stats.learningRate = 0;
    feed(stats);
    const Finding finding = only("non-finite", Severity::kCritical, "");
    EXPECT_FALSE(finding.evidence.contains("learning_rate"));
    for (const Remedy& remedy : finding.remedies) {
        EXPECT_EQ(remedy.title.find("learning rate"), std::string::npos) << remedy.title;
    }
    begin();
    stats.learningRate = 0.2;
    feed(stats);
    EXPECT_EQ(all().front().remedies.front().title, "Halve the learning rate from 0.2 to 0.1");
}

}  // namespace
}  // namespace plumbline::diagnostics
