// Schedules that are refused, or warned of, before a run.

#include <gtest/gtest.h>

#include "plan/schedule.h"
#include "schedule_fixture.h"

using namespace plumbline;
using namespace plumbline::plan;
using plumbline::test::schedulePlan;

namespace {

/// A run of 10 epochs of 10 steps.
std::vector<PlanProblem> problemsOf(const Json& scheduler, bool hasValidation = true) {
    return checkPlan(schedulePlan(scheduler), 100, 10, false, hasValidation);
}

}  // namespace

struct ScheduleCase {
    const char* scheduler;
    const char* code;  ///< "" where nothing is wrong
    bool critical = true;
    const char* pointer = "";
};

class CheckSchedule : public ::testing::TestWithParam<ScheduleCase> {};

TEST_P(CheckSchedule, TellsWhatIsWrongWithAPointerAndARemedy) {
    const ScheduleCase& one = GetParam();
    const std::vector<PlanProblem> problems = problemsOf(Json::parse(one.scheduler));
    if (std::string(one.code).empty()) {
        EXPECT_TRUE(problems.empty()) << one.scheduler << ": " << problems.front().message;
        return;
    }
    ASSERT_EQ(problems.size(), 1U) << one.scheduler;
    EXPECT_EQ(problems[0].code, one.code) << problems[0].message;
    EXPECT_EQ(problems[0].critical, one.critical);
    EXPECT_EQ(problems[0].pointer, std::string("/training/scheduler") + one.pointer);
    EXPECT_TRUE(problems[0].message.ends_with('.') && problems[0].hint.ends_with('.'))
        << problems[0].message << problems[0].hint;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, CheckSchedule,
    ::testing::Values(
        ScheduleCase{R"({"type": "one_cycle"})", "schedule-needs-steps", true, "/unit"},
        ScheduleCase{R"({"type": "cyclic"})", "schedule-needs-steps", true, "/unit"},
        ScheduleCase{R"({"type": "one_cycle", "unit": "step"})", ""},
        ScheduleCase{R"({"type": "one_cycle", "unit": "step", "total": 100})", ""},
        ScheduleCase{R"({"type": "one_cycle", "unit": "step", "total": 99})", "one-cycle-too-short", true, "/total"},
        ScheduleCase{R"({"type": "one_cycle", "unit": "step", "total": 100, "warmup": 10})", "one-cycle-after-warmup",
                     false, "/warmup"},
        ScheduleCase{
            R"({"type": "sequence", "unit": "step", "phases": [{"type": "linear", "length": 20}, {"type": "one_cycle"}]})",
            ""},
        ScheduleCase{
            R"({"type": "sequence", "unit": "step", "phases": [{"type": "linear", "length": 20}, {"type": "one_cycle", "total": 60}]})",
            "one-cycle-too-short", true, "/phases/1/total"},
        ScheduleCase{R"({"type": "sequence", "phases": [{"type": "cyclic", "length": 2}, {"type": "cosine"}]})",
                     "schedule-needs-steps", true, "/unit"},
        ScheduleCase{R"({"type": "cosine", "total": 5})", "schedule-shorter-than-run", false, "/total"},
        ScheduleCase{R"({"type": "cosine", "total": 50})", ""},
        ScheduleCase{R"({"type": "polynomial", "total": 5})", "schedule-shorter-than-run", false, "/total"},
        ScheduleCase{R"({"type": "linear", "total": 5})", ""},
        ScheduleCase{R"({"type": "sequence"})", "no-phases", true, "/phases"},
        ScheduleCase{R"({"type": "chained"})", "no-phases", true, "/phases"},
        ScheduleCase{R"({"type": "sequence", "phases": [{"type": "linear"}, {"type": "cosine"}]})",
                     "phase-without-length", true, "/phases/0/length"},
        ScheduleCase{R"({"type": "sequence", "phases": [{"type": "linear", "length": 10}, {"type": "cosine"}]})",
                     "phase-never-begins", false, "/phases/1"},
        ScheduleCase{R"({"type": "sequence", "phases": [{"type": "linear", "length": 3}, {"type": "cosine"}]})", ""},
        ScheduleCase{
            R"({"type": "chained", "phases": [{"type": "constant", "factor": 0.1, "total": 3}, {"type": "cosine"}]})",
            ""},
        ScheduleCase{R"({"type": "chained", "phases": [{"type": "swa"}, {"type": "exponential"}]})", "not-chainable",
                     true, "/phases/0/type"},
        ScheduleCase{R"({"type": "chained", "phases": [{"type": "cosine", "min_lr": 0.01}]})", "not-chainable", true,
                     "/phases/0/min_lr"},
        ScheduleCase{R"({"type": "chained", "phases": [{"type": "cosine", "total": 4}]})", "not-chainable", true,
                     "/phases/0/total"},
        ScheduleCase{R"({"type": "chained", "phases": [{"type": "exponential", "length": 3}]})",
                     "setting-without-effect", false, "/phases/0/length"},
        ScheduleCase{R"({"type": "multi_step", "milestones": [3, 3, 7]})", ""},
        ScheduleCase{R"({"type": "multi_step", "milestones": [7, 3]})", "milestones-not-ascending", true,
                     "/milestones"},
        ScheduleCase{R"({"type": "multi_step"})", "no-milestones", false, "/milestones"},
        ScheduleCase{R"({"type": "cosine_restarts", "min_lr": 0.2})", "min-lr-above-lr", true, "/min_lr"},
        ScheduleCase{R"({"type": "cyclic", "unit": "step", "step_size_up": 10, "base_lr": 0.2})",
                     "base-lr-above-max-lr", false, "/base_lr"},
        ScheduleCase{R"({"type": "cosine", "warmup": 5, "total": 5})", "warmup-too-long", true, "/warmup"},
        ScheduleCase{R"({"type": "constant", "warmup": 5, "total": 5})", ""},
        ScheduleCase{R"({"warmup_start": 0.5})", "setting-without-effect", false, "/warmup_start"},
        ScheduleCase{R"({"type": "reduce_on_plateau", "patience": 3, "factor": 1.0})", "plateau-factor", true,
                     "/factor"},
        ScheduleCase{R"({"type": "reduce_on_plateau", "patience": 3, "series": "val.accuracy"})",
                     "plateau-series-unknown", true, "/series"},
        ScheduleCase{R"({"type": "reduce_on_plateau", "patience": 3, "series": "train.loss"})",
                     "plateau-series-unknown", true, "/series"},
        ScheduleCase{R"({"type": "reduce_on_plateau", "patience": 3})", ""}));

TEST(CheckScheduleOfAPlateau, NeedsAValidation) {
    const std::vector<PlanProblem> problems = problemsOf({{"type", "reduce_on_plateau"}}, false);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].code, "plateau-without-validation");
    TrainingPlan plan = schedulePlan({{"type", "reduce_on_plateau"}});
    plan.validationEvery = 0;
    EXPECT_EQ(checkPlan(plan, 100, 10, false, true).front().code, "plateau-without-validation");
}

TEST(CheckScheduleOfACycle, NeedsAnOptimizerWithAMomentumToMove) {
    TrainingPlan plan = schedulePlan({{"type", "one_cycle"}, {"unit", "step"}});
    for (const TypeSpec& type : optimizerTypes()) {
        plan.optimizer = OptimizerSpec();
        plan.optimizer.type = type.name;
        plan.scheduler.options.erase("cycle_momentum");
        const bool has = type.option("momentum") != nullptr || type.option("betas") != nullptr;
        const std::vector<PlanProblem> problems = checkSchedule(plan, 10, true);
        EXPECT_EQ(problems.empty(), has) << type.name;
        if (!has) {
            EXPECT_EQ(problems.front().code, "momentum-not-there");
            plan.scheduler.options["cycle_momentum"] = false;
            EXPECT_EQ(checkSchedule(plan, 10, true).empty(), !readsRateOnce(plan.optimizer)) << type.name;
        }
    }
}

TEST(CheckScheduleOfAnOptimizerThatReadsTheRateOnce, SaysThatItChangesNothing) {
    const auto warned = [](const char* optimizer, const Json& scheduler) {
        TrainingPlan plan = schedulePlan(scheduler);
        plan.optimizer = OptimizerSpec();
        plan.optimizer.type = optimizer;
        const std::vector<PlanProblem> problems = checkSchedule(plan, 10, true);
        return std::any_of(problems.begin(), problems.end(), [](const PlanProblem& problem) {
            return problem.code == "setting-without-effect" && !problem.critical;
        });
    };
    EXPECT_TRUE(warned("Rprop", {{"type", "exponential"}, {"gamma", 0.5}}));
    EXPECT_TRUE(warned("Rprop", {{"type", "constant"}, {"warmup", 5}}));
    EXPECT_FALSE(warned("Rprop", {{"type", "constant"}}));
    EXPECT_FALSE(warned("RMSprop", {{"type", "exponential"}, {"gamma", 0.5}}));
}

TEST(CheckScheduleWithoutData, SaysNothingOfALengthThatOnlyTheyTell) {
    EXPECT_TRUE(
        checkPlan(schedulePlan({{"type", "one_cycle"}, {"unit", "step"}, {"total", 5}}), -1, 10, false, true).empty());
    TrainingPlan plan = schedulePlan({{"type", "one_cycle"}, {"unit", "step"}, {"total", 5}});
    plan.epochs = 0;
    plan.maxSteps = 6;
    EXPECT_EQ(checkPlan(plan, -1, 10, false, true).front().code, "one-cycle-too-short") << "stop.steps tells it";
}
