#include "train/recent_pace.h"

#include <gtest/gtest.h>

namespace plumbline::train {
namespace {

TEST(RecentPace, ForgetsTheSlowFirstSteps) {
    RecentPace pace;
    EXPECT_EQ(pace.samplesPerSecond(), 0);
    EXPECT_EQ(pace.secondsFor(10), 0);
    pace.step(32, 5000);
    EXPECT_GT(pace.secondsFor(10), 0);
    for (int i = 0; i < 5; ++i) {
        pace.step(32, 10);
    }
    EXPECT_DOUBLE_EQ(pace.samplesPerSecond(), 3200);
    EXPECT_DOUBLE_EQ(pace.secondsFor(100), 1);
}

TEST(RecentPace, TheTimeLeftIsTheSamplesLeftOverTheThroughput) {
    RecentPace pace;
    for (int i = 0; i < 300; ++i) {
        pace.step(64, i % 3 == 0 ? 30 : 12);
    }
    EXPECT_NEAR(pace.secondsFor(500), 500 * 64 / pace.samplesPerSecond(), 1e-9);
    EXPECT_EQ(pace.secondsFor(0), 0);
    EXPECT_EQ(pace.secondsFor(-3), 0);
}

TEST(RecentPace, FollowsAPaceThatChanges) {
    RecentPace pace;
    for (int i = 0; i < 1000; ++i) {
        pace.step(10, 10);
    }
    for (int i = 0; i < 200; ++i) {
        pace.step(10, 20);
    }
    EXPECT_NEAR(pace.samplesPerSecond(), 500, 1);
}

}  // namespace
}  // namespace plumbline::train
