#pragma once
// A run that was interrupted and resumed against the one that was not.

#include "run_fixture.h"
#include "train/checkpoint.h"

namespace plumbline::test {

/// Every number and every weight of two runs are the same, bit for bit.
inline void expectSameRun(const TestRun& whole, const session::RunSummary& straight, const TestRun& parts,
                          const session::RunSummary& resumed, const std::string& name) {
    EXPECT_EQ(resumed.status, "completed");
    EXPECT_EQ(resumed.metrics, straight.metrics) << name;
    EXPECT_EQ(resumed.steps.applied, straight.steps.applied);
    for (const char* series : {"train.loss", "lr", "grad.norm", "update.ratio/fc", "train.accuracy", "val.loss",
                               "val.accuracy", "scaler.scale"}) {
        const bool there = whole.sink.points.contains(series);
        ASSERT_EQ(parts.sink.points.contains(series), there) << name << " " << series;
        if (there) {
            EXPECT_EQ(parts.sink.points.at(series), whole.sink.points.at(series)) << name << " " << series;
        }
    }
    const auto a = train::readCheckpoint(whole.request.runFolder / straight.checkpoint);
    const auto b = train::readCheckpoint(parts.request.runFolder / resumed.checkpoint);
    ASSERT_TRUE(a.has_value() && b.has_value());
    ASSERT_EQ(a->tensors.size(), b->tensors.size()) << name;
    const auto others = b->withPrefix("");
    for (const auto& [key, tensor] : a->tensors) {
        ASSERT_TRUE(others.contains(key)) << name << " " << key;
        EXPECT_TRUE(tensor.equal(others.at(key))) << name << " " << key;
    }
    for (const char* key : {"grad_scaler", "base_rates", "average", "noise"}) {
        EXPECT_EQ(a->meta[key], b->meta[key]) << name << " " << key;
    }
}

/// Uninterrupted against stopped after `stopAt` steps and resumed. Gives the uninterrupted run's learning rates.
inline std::vector<double> expectExactResume(const TinyProject& project, std::int64_t stopAt, const std::string& name) {
    TestRun whole(project, name + "-whole"), parts(project, name + "-parts");
    const auto straight = whole.start();
    EXPECT_TRUE(straight.has_value()) << toSentence(straight.error());
    RunControl control;
    parts.sink.onStep = [&](std::int64_t step) {
        if (step == stopAt) {
            control.requestStop();
        }
    };
    const auto stopped = parts.start(control);
    EXPECT_TRUE(stopped.has_value()) << toSentence(stopped.error());
    if (!straight || !stopped) {
        return {};
    }
    EXPECT_EQ(stopped->status, "stopped");
    EXPECT_EQ(stopped->stopCode, "user");
    EXPECT_EQ(stopped->steps.attempted, stopAt);
    parts.sink.onStep = {};
    const auto resumed = parts.resume();
    EXPECT_TRUE(resumed.has_value()) << toSentence(resumed.error());
    if (resumed) {
        expectSameRun(whole, *straight, parts, *resumed, name);
    }
    return whole.sink.values("lr");
}

}  // namespace plumbline::test
