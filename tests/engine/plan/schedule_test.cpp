#include "plan/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "schedule_fixture.h"

using namespace plumbline;
using namespace plumbline::plan;
using plumbline::test::reference;
using plumbline::test::schedulerOf;

namespace {

/// Largest absolute value: differences count as a share of it.
double scaleOf(const Json& values) {
    double scale = 0;
    for (const Json& value : values) {
        scale = std::max(scale, std::abs(value.get<double>()));
    }
    return scale;
}

/// The words of torch.optim.lr_scheduler as a project says them.
Json settingsOfReference(const Json& one) {
    const std::string name = one.at("scheduler").get<std::string>();
    const Json& told = one.at("options");
    if (name == "SequentialLR") {
        return Json::parse(
            R"({"type": "sequence", "phases": [{"type": "linear", "start_factor": 0.1, "total": 10, "length": 10}, {"type": "cosine", "total": 50}]})");
    }
    if (name == "ChainedScheduler") {
        return Json::parse(
            R"({"type": "chained", "phases": [{"type": "constant", "factor": 0.1, "total": 5}, {"type": "exponential", "gamma": 0.97}]})");
    }
    if (name == "LambdaLR") {
        return told.get<std::string>().starts_with("inverse")
                   ? Json{{"type", "inverse_sqrt"}, {"warmup", 10}}
                   : Json{{"type", "cosine"}, {"warmup", 10}, {"warmup_start", 0.0}, {"total", 60}};
    }
    if (name == "MultiplicativeLR") {
        return {{"type", "exponential"}, {"gamma", 0.96}};
    }
    const std::map<std::string, std::string> types{{"StepLR", "step"},
                                                   {"MultiStepLR", "multi_step"},
                                                   {"ExponentialLR", "exponential"},
                                                   {"CosineAnnealingLR", "cosine"},
                                                   {"CosineAnnealingWarmRestarts", "cosine_restarts"},
                                                   {"OneCycleLR", "one_cycle"},
                                                   {"LinearLR", "linear"},
                                                   {"ConstantLR", "constant"},
                                                   {"PolynomialLR", "polynomial"},
                                                   {"CyclicLR", "cyclic"},
                                                   {"ReduceLROnPlateau", "reduce_on_plateau"},
                                                   {"SWALR", "swa"}};
    const std::map<std::string, std::string> words{
        {"T_max", "total"}, {"total_steps", "total"}, {"total_iters", "total"}, {"eta_min", "min_lr"}};
    Json settings{{"type", types.at(name)}};
    for (const auto& [word, value] : told.items()) {
        settings[words.contains(word) ? words.at(word) : word] = value;
    }
    return settings;
}

void expectCurve(const Schedule& schedule, const Json& one, const std::string& what) {
    const double scale = scaleOf(one.at("lr"));
    for (std::size_t i = 0; i < one.at("lr").size(); ++i) {
        const auto position = static_cast<std::int64_t>(i);
        ASSERT_NEAR(schedule.rate(0.1, position), one.at("lr")[i].get<double>(), 1e-12 * scale) << what << " at " << i;
        ASSERT_EQ(schedule.momentum(position).has_value(), one.contains("momentum")) << what;
        if (one.contains("momentum")) {
            ASSERT_NEAR(*schedule.momentum(position), one.at("momentum")[i].get<double>(), 1e-12)
                << what << " at " << i;
        }
    }
    if (one.contains("lr_after")) {
        EXPECT_NEAR(schedule.rate(0.1, static_cast<std::int64_t>(one.at("lr").size())),
                    one.at("lr_after").get<double>(), 1e-12 * scale)
            << what;
    }
}

}  // namespace

TEST(Schedule, GivesTheRatesAndMomentaOfPyTorch) {
    const Json json = reference("schedulers.json");
    std::size_t compared = 0;
    for (const Json& one : json.at("cases")) {
        if (one.at("scheduler") == "ReduceLROnPlateau") {
            continue;
        }
        const SchedulerSpec spec = schedulerOf(settingsOfReference(one));
        expectCurve(Schedule(spec, 60), one, one.at("scheduler").get<std::string>() + " " + one.at("options").dump());
        ++compared;
    }
    EXPECT_EQ(compared, 23U);
}

TEST(Schedule, GivesTheRatesOfEachGroup) {
    const Json json = reference("schedulers.json");
    const Schedule schedule(schedulerOf({{"type", "cosine"}, {"total", 60}, {"min_lr", 0.001}}), 60);
    const Json& rates = json.at("two_groups").at("lr");
    ASSERT_FALSE(rates.empty());
    for (std::size_t i = 0; i < rates.size(); ++i) {
        EXPECT_NEAR(schedule.rate(0.1, static_cast<std::int64_t>(i)), rates[i][0].get<double>(), 1e-13) << i;
        EXPECT_NEAR(schedule.rate(0.01, static_cast<std::int64_t>(i)), rates[i][1].get<double>(), 1e-14) << i;
    }
}

TEST(Schedule, OfOtherSettingsGivesWhatTheRulesGiveStepByStep) {
    const Json json = reference("schedules_by_steps.json");
    ASSERT_EQ(json.at("cases").size(), 19U);
    for (const Json& one : json.at("cases")) {
        expectCurve(Schedule(schedulerOf(one.at("scheduler")), one.at("run").get<std::int64_t>()), one,
                    one.at("scheduler").dump());
    }
}

TEST(Schedule, OnAPlateauReducesAsPyTorchDoes) {
    const Json json = reference("schedulers.json");
    std::size_t compared = 0;
    for (const Json& one : json.at("cases")) {
        if (one.at("scheduler") != "ReduceLROnPlateau") {
            continue;
        }
        const SchedulerSpec spec = schedulerOf(settingsOfReference(one));
        const Schedule schedule(spec, 60);
        Plateau plateau(spec), resumed(spec);
        for (std::size_t i = 0; i < 60; ++i) {
            const double want = one.at("lr")[i].get<double>();
            ASSERT_NEAR(schedule.rate(plateau.reduced(0.1), static_cast<std::int64_t>(i)), want, 1e-12 * want)
                << one.at("options").dump() << " at " << i;
            plateau.see(json.at("metric")[i].get<double>());
            // As a checkpoint after each validation would bring it back.
            resumed.setState(*parseJson(resumed.state().dump(), "state"));
            resumed.see(json.at("metric")[i].get<double>());
            ASSERT_EQ(resumed.state(), plateau.state());
        }
        EXPECT_NEAR(plateau.reduced(0.1), one.at("lr_after").get<double>(), 1e-18);
        ++compared;
    }
    EXPECT_EQ(compared, 3U);
}

TEST(Schedule, OnAPlateauTakesWhatIsNoNumberForNoGain) {
    Plateau plateau(schedulerOf({{"type", "reduce_on_plateau"}, {"patience", 1}, {"factor", 0.5}, {"cooldown", 2}}));
    EXPECT_FALSE(plateau.see(std::nan("")));
    EXPECT_TRUE(plateau.see(std::nan("")));
    EXPECT_DOUBLE_EQ(plateau.reduced(0.2), 0.1);
    for (const double value : {3.0, 3.0, 3.0}) {
        EXPECT_FALSE(plateau.see(value)) << "two that do not count, and one";
    }
    EXPECT_TRUE(plateau.see(3.0));
    EXPECT_EQ(plateau.reductions(), 2);
}

TEST(Schedule, OnAPlateauLeavesOutAReductionThatIsTooSmall) {
    Plateau plateau(schedulerOf({{"type", "reduce_on_plateau"}, {"patience", 0}, {"factor", 0.5}, {"eps", 0.03}}));
    for (int i = 0; i < 6; ++i) {
        plateau.see(1.0);
    }
    EXPECT_EQ(plateau.reductions(), 5);
    EXPECT_DOUBLE_EQ(plateau.reduced(0.2), 0.05) << "0.2, 0.1, 0.05; the next would be less than 0.03 lower";
    EXPECT_DOUBLE_EQ(plateau.reduced(0.04), 0.04);
}

TEST(Schedule, WarmsUpInFrontOfAnyAndThenTakesWhatIsLeft) {
    const Schedule cosine(schedulerOf({{"type", "cosine"}, {"warmup", 10}}), 60);
    EXPECT_DOUBLE_EQ(cosine.rate(2.0, 0), 0.2);
    EXPECT_DOUBLE_EQ(cosine.rate(2.0, 9), 2.0);
    EXPECT_DOUBLE_EQ(cosine.rate(2.0, 10), 2.0);
    EXPECT_DOUBLE_EQ(cosine.rate(2.0, 35), 1.0);
    EXPECT_DOUBLE_EQ(cosine.rate(2.0, 60), 0.0);
    EXPECT_DOUBLE_EQ(cosine.rate(2.0, 85), 1.0) << "rises again, as PyTorch's";

    const Schedule started(schedulerOf({{"type", "constant"}, {"warmup", 4}, {"warmup_start", 0.2}}), 60);
    for (const auto& [position, rate] : {std::pair{0, 0.2}, {1, 0.4}, {3, 0.8}, {4, 1.0}, {59, 1.0}}) {
        EXPECT_DOUBLE_EQ(started.rate(1.0, position), rate) << position;
    }

    const Schedule cycle(schedulerOf({{"type", "one_cycle"}, {"unit", "step"}, {"warmup", 20}}), 80);
    const Schedule alone(schedulerOf({{"type", "one_cycle"}, {"unit", "step"}}), 60);
    EXPECT_DOUBLE_EQ(cycle.rate(0.1, 47), alone.rate(0.1, 27));
    EXPECT_DOUBLE_EQ(*cycle.momentum(47), *alone.momentum(27));
    EXPECT_DOUBLE_EQ(*cycle.momentum(5), 0.95) << "waits where it begins";
}

TEST(Schedule, StaysAtItsEndWhereThatIsAllItHas) {
    for (const char* type : {"one_cycle", "linear", "polynomial", "swa"}) {
        const Schedule schedule(schedulerOf({{"type", type}, {"unit", "step"}}), 60);
        EXPECT_DOUBLE_EQ(schedule.rate(0.1, 1'000'000), schedule.rate(0.1, 1'000)) << type;
        EXPECT_GE(schedule.rate(0.1, 1'000), 0.0) << type;
    }
}

TEST(Schedule, TakesLengthsAsLargeAsAFileCanSayThem) {
    const std::int64_t large = std::numeric_limits<std::int64_t>::max();
    const Schedule sequence(
        schedulerOf(Json::parse(R"({"type": "sequence", "phases": [{"type": "constant", "length": 9000000000000000000},
                                                        {"type": "step", "length": 9000000000000000000}, {"type": "cosine"}]})")),
        60);
    EXPECT_DOUBLE_EQ(sequence.rate(0.1, 59), 0.1);
    const Schedule restarts(
        schedulerOf({{"type", "cosine_restarts"}, {"T_0", 9007199254740992}, {"T_mult", 9007199254740992}}), 60);
    EXPECT_TRUE(std::isfinite(restarts.rate(0.1, large - 1)));
    EXPECT_DOUBLE_EQ(restarts.rate(0.1, 0), 0.1);
}

TEST(Schedule, MovesMomentumInTheirPhasesAndLeavesItBetweenThem) {
    const Schedule sequence(
        schedulerOf(Json::parse(R"({"type": "sequence", "unit": "step", "phases": [{"type": "linear", "length": 10},
        {"type": "one_cycle", "length": 30, "max_momentum": 0.9, "base_momentum": 0.7}, {"type": "constant"}]})")),
        100);
    const Schedule cycle(
        schedulerOf({{"type", "one_cycle"}, {"unit", "step"}, {"max_momentum", 0.9}, {"base_momentum", 0.7}}), 30);
    EXPECT_DOUBLE_EQ(*sequence.momentum(0), 0.9);
    EXPECT_DOUBLE_EQ(*sequence.momentum(20), *cycle.momentum(10));
    EXPECT_DOUBLE_EQ(*sequence.momentum(99), *cycle.momentum(29));
    EXPECT_FALSE(Schedule(schedulerOf({{"type", "one_cycle"}, {"cycle_momentum", false}}), 30).momentum(3).has_value());
}

TEST(PlannedRates, AreThoseOfTheScheduleHoweverLongTheRunIs) {
    TrainingPlan plan;
    plan.optimizer.lr = 0.1;
    plan.scheduler = schedulerOf({{"type", "cosine"}, {"unit", "step"}, {"warmup", 100}});
    plan.epochs = 1000;
    EXPECT_TRUE(plannedRates(plan, 0, 2000).points.empty()) << "how many steps there are, the data tell";
    const PlannedRates planned = plannedRates(plan, 5000, 2000);
    EXPECT_EQ(planned.length, 5'000'000);
    EXPECT_EQ(planned.known, 5'000'000);
    ASSERT_EQ(planned.points.size(), 2000U);
    EXPECT_EQ(planned.points.front().position, 0);
    EXPECT_EQ(planned.points.back().position, 4'999'999);
    const Schedule schedule(plan.scheduler, planned.length);
    for (const PlannedPoint& point : planned.points) {
        ASSERT_EQ(point.lr, schedule.rate(0.1, point.position));
    }
    plan.scheduler.unit = Unit::kEpoch;
    EXPECT_EQ(plannedRates(plan, 0, 2000).points.size(), 1000U);
}

TEST(Schedule, FollowsTheOptimizersRateWhereAnyOfItsRatesDoes) {
    EXPECT_TRUE(followsBase(schedulerOf(Json::object())));
    EXPECT_TRUE(followsBase(schedulerOf({{"type", "one_cycle"}})));
    const Json cycle = {{"type", "one_cycle"}, {"max_lr", 0.1}};
    EXPECT_FALSE(followsBase(schedulerOf(cycle)));
    Json warm = cycle;
    warm["warmup"] = 2;
    EXPECT_TRUE(followsBase(schedulerOf(warm))) << "it rises to the optimizer's";
    EXPECT_TRUE(followsBase(schedulerOf({{"type", "swa"}, {"swa_lr", 0.05}, {"anneal_epochs", 5}})));
    EXPECT_FALSE(followsBase(schedulerOf({{"type", "swa"}, {"swa_lr", 0.05}, {"anneal_epochs", 0}})))
        << "it is at swa_lr from the start";
    Json first = cycle;
    first["length"] = 100'000;
    EXPECT_TRUE(followsBase(schedulerOf({{"type", "sequence"}, {"phases", {first, {{"type", "cosine"}}}}})))
        << "late, and yet";
    EXPECT_FALSE(followsBase(schedulerOf({{"type", "sequence"}, {"phases", {first, cycle}}})));
}

TEST(PlannedRates, EndWhereAValidationCanReduceTheRate) {
    TrainingPlan plan;
    plan.epochs = 30;
    plan.scheduler = schedulerOf({{"type", "reduce_on_plateau"}, {"patience", 4}});
    plan.validationEvery = 2;
    EXPECT_EQ(plannedRates(plan, 7, 2000).known, 10);
    plan.scheduler.unit = Unit::kStep;
    EXPECT_EQ(plannedRates(plan, 7, 2000).known, 70);
    plan.validationUnit = Unit::kStep;
    EXPECT_EQ(plannedRates(plan, 7, 2000).known, 10);
    plan.scheduler.options["patience"] = 1000;
    EXPECT_EQ(plannedRates(plan, 7, 2000).known, 210) << "all of the run";
}
