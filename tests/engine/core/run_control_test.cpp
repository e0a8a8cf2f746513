#include "core/run_control.h"

#include <gtest/gtest.h>
#include <future>

using namespace plumbline;

TEST(RunControl, KeepsTheFirstReason) {
    RunControl control;
    EXPECT_FALSE(control.stopRequested());
    control.requestStop(StopReason::kFinding);
    control.requestStop(StopReason::kUser);
    EXPECT_EQ(control.stopReason(), StopReason::kFinding);
}

TEST(RunControl, APausedWorkerGoesOnWhenResumed) {
    RunControl control;
    control.requestPause();
    auto worker = std::async(std::launch::async, [&] { control.waitWhilePaused(); });
    EXPECT_EQ(worker.wait_for(std::chrono::milliseconds(30)), std::future_status::timeout);
    control.requestResume();
    EXPECT_EQ(worker.wait_for(std::chrono::seconds(5)), std::future_status::ready);
}

TEST(RunControl, StopEndsAPauseAlsoFromASignalHandler) {
    RunControl control;
    control.requestPause();
    auto worker = std::async(std::launch::async, [&] { control.waitWhilePaused(); });
    control.requestStopFromSignal(StopReason::kTerminate);
    EXPECT_EQ(worker.wait_for(std::chrono::seconds(5)), std::future_status::ready);
}

TEST(RunControl, WaitingWithoutAPauseReturnsAtOnce) {
    RunControl control;
    control.waitWhilePaused();
    control.requestPause();
    control.requestResume();
    control.waitWhilePaused();
}
