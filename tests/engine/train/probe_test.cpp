// Experiments before a run: what they tell, and that nothing is left of them.
#include <cmath>

#include "run_fixture.h"
#include "train/probes/probe.h"

namespace plumbline::test {
namespace {

Json probed(const project::Project& project, session::ProbeKind kind, const std::function<void(session::ProbeRequest&)>& change = {}) {
    session::ProbeRequest request;
    request.project = project;
    request.kind = kind;
    if (change) {
        change(request);
    }
    RunControl control;
    auto report = train::probe(request, control, {});
    EXPECT_TRUE(report.has_value()) << toSentence(report.error());
    return report.value_or(Json::object());
}

TEST(Probe, PreflightTellsTimeMemoryAndWhatEachBlockHolds) {
    TinyProject tiny;
    const Json report = probed(tiny.read(), session::ProbeKind::kPreflight);
    EXPECT_GT(report["training"]["batch_ms"].get<double>(), 0);
    EXPECT_TRUE(report["training"]["loss"].is_number());
    EXPECT_TRUE(report["validation"]["metrics"].contains("val.loss"));
    EXPECT_GT(report["epoch_seconds"].get<double>(), 0);
    EXPECT_GT(report["peak_memory_bytes"].get<std::int64_t>(), report["memory"]["parameters"].get<std::int64_t>());
    EXPECT_EQ(report["memory"]["parameters"], report["memory"]["gradients"]);
    ASSERT_FALSE(report["blocks"].empty());
    for (const Json& block : report["blocks"]) {
        EXPECT_GE(block["peak_bytes"].get<std::int64_t>(), block["kept_bytes"].get<std::int64_t>()) << block.dump();
    }
    EXPECT_TRUE(report["findings"].empty()) << report["findings"].dump();
    EXPECT_FALSE(std::filesystem::exists(tiny.read().folder / "runs"));
}

TEST(Probe, PreflightFindsWhatARunWouldFind) {
    TinyProject tiny;
    tiny.json["training"]["expert"] = {{"validate_in_train_mode", true}};
    const Json report = probed(tiny.read(), session::ProbeKind::kPreflight);
    ASSERT_FALSE(report["findings"].empty());
    EXPECT_EQ(report["findings"][0]["detector"], "validation-in-train-mode");
}

TEST(Probe, FindsALearningRateBelowTheOneThatDiverges) {
    TinyProject tiny;
    const Json report = probed(tiny.read(), session::ProbeKind::kLearningRate, [](session::ProbeRequest& request) { request.lowest = 1e-5; request.highest = 1e4; });
    ASSERT_TRUE(report["suggested"].is_number()) << report["explanation"];
    EXPECT_GT(report["suggested"].get<double>(), 1e-4);
    EXPECT_LT(report["suggested"].get<double>(), report["lowest_loss_at"].get<double>());
    ASSERT_TRUE(report["diverged_at"].is_number());
    EXPECT_LT(report["lowest_loss_at"].get<double>(), report["diverged_at"].get<double>());
}

TEST(Probe, SuggestsNoRateWhereTheLossOnlyDiffersByChance) {
    TinyProject tiny;
    for (const int seed : {3, 4, 5, 6}) {
        tiny.json["training"]["seed"] = seed;
        const Json report = probed(tiny.read(), session::ProbeKind::kLearningRate, [](session::ProbeRequest& request) { request.lowest = 1e-30; request.highest = 1e-29; });
        EXPECT_TRUE(report["suggested"].is_null()) << seed << " " << report["explanation"];
        EXPECT_NE(report["explanation"].get<std::string>().find("by chance"), std::string::npos) << report["explanation"];
    }
}

TEST(Probe, AStepOfTheLearningRateTestIsOneOverAllOfItsBatches) {
    TinyProject tiny;
    tiny.useOnlyLinearLayers();
    tiny.json["training"]["optimizer"] = {{"type", "SGD"}, {"lr", 0.1}};
    const auto losses = [&](int batch, int accumulation) {
        tiny.json["data"]["loader"]["batch_size"] = batch;
        tiny.json["training"]["accumulation"] = accumulation;
        const Json report = probed(tiny.read(), session::ProbeKind::kLearningRate, [](session::ProbeRequest& request) { request.lowest = 1e-3; request.highest = 0.1; request.steps = 10; });
        std::vector<double> all;
        for (const Json& point : report["points"]) {
            all.push_back(point[1].get<double>());
        }
        return all;
    };
    // 180 samples train: neither reaches the end of an epoch within a step.
    const std::vector<double> whole = losses(18, 1), pieces = losses(6, 3);
    ASSERT_EQ(whole.size(), 10U);
    ASSERT_EQ(pieces.size(), 10U);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_NEAR(pieces[i], whole[i], 1e-5) << i;
    }
}

TEST(Probe, RefusesToLookForTheRateOfAnOptimizerThatChoosesItsSteps) {
    TinyProject tiny;
    tiny.json["training"]["optimizer"] = {{"type", "LBFGS"}};
    session::ProbeRequest request;
    request.project = tiny.read();
    request.kind = session::ProbeKind::kLearningRate;
    RunControl control;
    const auto report = train::probe(request, control, {});
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, "no-rate-for-lbfgs");
    EXPECT_FALSE(report.error().hint.empty());
}

TEST(Probe, MemoryOfABatchEndsTheSearchForItsSize) {
    TinyProject tiny;
    const Json free = probed(tiny.read(), session::ProbeKind::kBatchSize, [](session::ProbeRequest& request) { request.largest = 64; });
    ASSERT_EQ(free["largest"], 64);
    EXPECT_EQ(free["limited_by"], "largest");
    EXPECT_TRUE(free["chosen"].is_number());
    const std::int64_t peak = free["sizes"].back()["peak_memory_bytes"].get<std::int64_t>();
    const Json tight = probed(tiny.read(), session::ProbeKind::kBatchSize, [&](session::ProbeRequest& request) { request.largest = 64; request.budgetBytes = peak - 1; });
    EXPECT_EQ(tight["limited_by"], "memory");
    EXPECT_LT(tight["largest"].get<std::int64_t>(), 64);
    const Json all = probed(tiny.read(), session::ProbeKind::kBatchSize);
    EXPECT_EQ(all["limited_by"], "data");
}

TEST(Probe, WhatCanLearnLearnsOneBatchByHeart) {
    TinyProject tiny;
    tiny.json["training"]["optimizer"]["lr"] = 0.1;
    const Json learns = probed(tiny.read(), session::ProbeKind::kOverfit, [](session::ProbeRequest& request) { request.steps = 300; });
    EXPECT_TRUE(learns["passed"].get<bool>()) << learns["explanation"];
    EXPECT_LT(learns["last_loss"].get<double>(), 0.2 * learns["first_loss"].get<double>());
    tiny.json["training"]["optimizer"]["lr"] = 1e-12;
    const Json stuck = probed(tiny.read(), session::ProbeKind::kOverfit, [](session::ProbeRequest& request) { request.steps = 5; });
    EXPECT_FALSE(stuck["passed"].get<bool>());
    EXPECT_NE(stuck["explanation"].get<std::string>().find("was not learnt"), std::string::npos);
}

TEST(Probe, AProfileAccountsForTheStepAndForEachBlock) {
    TinyProject tiny;
    const testing::TemporaryFolder folder;
    const std::string trace = (folder.path() / "trace.json").string();
    const Json report = probed(tiny.read(), session::ProbeKind::kProfile, [&](session::ProbeRequest& request) {
        request.steps = 5;
        request.trace = trace;
    });
    EXPECT_EQ(report["steps"], 5);
    double sum = 0;
    for (const auto& [name, ms] : report["phases"].items()) {
        EXPECT_GE(ms.get<double>(), 0) << name;
        sum += name == "total_ms" ? 0 : ms.get<double>();
    }
    const double total = report["phases"]["total_ms"].get<double>();
    EXPECT_NEAR(sum, total, 1e-6 * total);
    double forward = 0, backward = 0;
    std::vector<std::string> blocks;
    for (const Json& block : report["blocks"]) {
        blocks.push_back(block["block"].get<std::string>());
        forward += block["forward_ms"].get<double>();
        backward += block["backward_ms"].get<double>();
        EXPECT_GT(block["backward_ms"].get<double>(), 0) << block.dump();
        EXPECT_EQ(block["growth_bytes"], 0) << block.dump();
    }
    EXPECT_EQ(blocks, (std::vector<std::string>{"hidden", "bn", "relu", "drop", "fc"}));
    EXPECT_LE(forward, report["phases"]["forward_ms"].get<double>());
    EXPECT_LE(backward, report["phases"]["backward_ms"].get<double>());
    EXPECT_GT(report["blocks"][0]["kept_bytes"].get<std::int64_t>(), 16 * 16 * 4 - 1);  // [16, 16] float32
    EXPECT_FALSE(report["memory"]["timeline"].empty());
    const auto written = readFile(trace);
    ASSERT_TRUE(written.has_value());
    const auto json = parseJson(*written, "trace");
    ASSERT_TRUE(json.has_value()) << toSentence(json.error());
    EXPECT_TRUE(json->contains("traceEvents"));
}

TEST(Probe, StopsWhenItIsAskedTo) {
    TinyProject tiny;
    session::ProbeRequest request;
    request.project = tiny.read();
    request.kind = session::ProbeKind::kOverfit;
    RunControl control;
    control.requestStop();
    const auto report = train::probe(request, control, {});
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, "stopped");
}

}  // namespace
}  // namespace plumbline::test
