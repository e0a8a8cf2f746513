#pragma once
// Schedules as a project says them, and the values of tests/engine/plan/data.

#include <gtest/gtest.h>

#include "plan/plan.h"

namespace plumbline::test {

inline Json reference(const std::string& name) {
    auto json = readJsonFile(std::string(PLUMBLINE_SOURCE_DIR) + "/tests/engine/plan/data/" + name);
    EXPECT_TRUE(json.has_value()) << (json ? "" : json.error().message);
    return json ? *json : Json::object();
}

/// A plan that trains by SGD with momentum towards one loss, with this schedule.
inline plan::TrainingPlan schedulePlan(const Json& scheduler) {
    const auto plan =
        plan::readTrainingPlan({{"losses", Json::array({{{"type", "MSELoss"}, {"output", "y"}, {"target", "t"}}})},
                                {"optimizer", {{"type", "SGD"}, {"lr", 0.1}, {"momentum", 0.9}}},
                                {"scheduler", scheduler}});
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : toSentence(plan.error()));
    return plan ? *plan : plan::TrainingPlan();
}

inline plan::SchedulerSpec schedulerOf(const Json& scheduler) {
    return schedulePlan(scheduler).scheduler;
}

}  // namespace plumbline::test
