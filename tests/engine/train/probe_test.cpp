// Experiments before a run: what they tell, and that nothing is left of them.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "run_fixture.h"
#include "train/probes/probe.h"

namespace plumbline::test {
namespace {

Json probed(const project::Project& project, session::ProbeKind kind,
            const std::function<void(session::ProbeRequest&)>& change = {}) {
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

TEST(Probe, WhatABlockKeepsIsTheSameInPreflightAndInAProfile) {
    TinyProject tiny;
    const auto keptBy = [&tiny](session::ProbeKind kind) {
        const Json report = probed(tiny.read(), kind, [](session::ProbeRequest& request) { request.steps = 2; });
        std::map<std::string, std::int64_t> kept;
        for (const Json& block : report["blocks"]) {
            kept[block["block"].get<std::string>()] = block["kept_bytes"].get<std::int64_t>();
        }
        return kept;
    };
    const auto kept = keptBy(session::ProbeKind::kPreflight);
    // fc's output stays, and what the block before it let go of is not taken from that.
    EXPECT_GT(kept.at("fc"), 0);
    EXPECT_EQ(kept, keptBy(session::ProbeKind::kProfile));
}

TEST(Probe, PreflightFindsWhatARunWouldFind) {
    TinyProject tiny;
    tiny.json["training"]["expert"] = {{"validate_in_train_mode", true}};
    const Json report = probed(tiny.read(), session::ProbeKind::kPreflight);
    ASSERT_FALSE(report["findings"].empty());
    EXPECT_EQ(report["findings"][0]["detector"], "validation-in-train-mode");
}

TEST(Probe, PreflightTellsWhatOnlyTheDataTellOfTheSettings) {
    TinyProject tiny;
    EXPECT_TRUE(probed(tiny.read(), session::ProbeKind::kPreflight)["warnings"].empty());
    tiny.json["training"]["averaging"] = {{"type", "ema"}, {"start", 100000}};
    const Json warnings = probed(tiny.read(), session::ProbeKind::kPreflight)["warnings"];
    ASSERT_EQ(warnings.size(), 1U) << warnings.dump();
    EXPECT_EQ(warnings[0]["code"], "averaging-never-begins");
    EXPECT_EQ(warnings[0]["severity"], "warning");
}

TEST(Probe, PreflightCountsTheValidationsThatTheRunWillHave) {
    // Six epochs of 12 steps.
    for (const auto& [validation, stop, wanted] :
         {std::tuple{R"({"every": 1})", R"({"epochs": 6})", 6}, std::tuple{R"({"every": 4})", R"({"epochs": 6})", 2},
          std::tuple{R"({"every": 0})", R"({"epochs": 6})", 0},
          std::tuple{R"({"every": 1, "unit": "step"})", R"({"epochs": 6})", 72},
          std::tuple{R"({"every": 5, "unit": "step"})", R"({"epochs": 6})", 15},
          std::tuple{R"({"every": 24, "unit": "step"})", R"({"epochs": 6})", 3},
          std::tuple{R"({"every": 7, "unit": "step"})", R"({"epochs": 6, "steps": 30})", 4},
          std::tuple{R"({"every": 1})", R"({"epochs": 6, "steps": 30})", 2}}) {
        SCOPED_TRACE(std::string(validation) + stop);
        TinyProject tiny;
        tiny.training()["validation"] = parseJson(validation, "validation").value();
        tiny.training()["stop"] = parseJson(stop, "stop").value();
        TestRun run(tiny);
        ASSERT_TRUE(run.start().has_value());
        EXPECT_EQ(run.sink.values("val.loss").size(), static_cast<std::size_t>(wanted)) << "of the run itself";
        const Json report = probed(tiny.read(), session::ProbeKind::kPreflight);
        EXPECT_EQ(report["validations"], wanted);
        const double validations =
            wanted == 0 ? 0.0 : wanted * report["validation"]["batch_ms"].get<double>() * 4;  // 60 samples
        const double steps = std::string(stop).find("steps") != std::string::npos ? 30 : 72;
        EXPECT_NEAR(report["run_seconds"].get<double>(),
                    (steps * report["training"]["batch_ms"].get<double>() + validations) / 1000, 1e-9);
    }
}

TEST(Probe, FindsALearningRateBelowTheOneThatDiverges) {
    TinyProject tiny;
    const Json report = probed(tiny.read(), session::ProbeKind::kLearningRate, [](session::ProbeRequest& request) {
        request.lowest = 1e-5;
        request.highest = 1e4;
    });
    ASSERT_TRUE(report["suggested"].is_number()) << report["explanation"];
    EXPECT_GT(report["suggested"].get<double>(), 1e-4);
    EXPECT_LT(report["suggested"].get<double>(), report["lowest_loss_at"].get<double>());
    ASSERT_TRUE(report["diverged_at"].is_number());
    EXPECT_LT(report["lowest_loss_at"].get<double>(), report["diverged_at"].get<double>());
}

/// The project with all that the learning-rate test proposes.
project::Project withChanges(const TinyProject& tiny, const Json& report) {
    project::Project project = tiny.read();
    for (const Json& change : report["changes"]) {
        auto changed = project::withSetting(project, change["path"].get<std::string>(), change["value"].dump());
        EXPECT_TRUE(changed.has_value()) << change << (changed ? "" : toSentence(changed.error()));
        project = changed.value_or(project);
    }
    return project;
}

/// The highest of each of a run's series of rates.
std::map<std::string, double> highestRates(const TinyProject& tiny, const project::Project& project) {
    static int runs = 0;
    TestRun run(tiny, "run-" + std::to_string(++runs));
    run.request.project = project;
    EXPECT_TRUE(run.start().has_value());
    std::map<std::string, double> highest;
    for (const auto& [name, points] : run.sink.points) {
        if (name == "lr" || name.starts_with("lr/")) {
            for (const RecordingSink::Point& point : points) {
                highest[name] = std::max(highest[name], point.value);
            }
        }
    }
    return highest;
}

TEST(Probe, TheRunThatTakesWhatTheLearningRateTestProposesHasThatRateAtItsHighest) {
    const Json groups = Json::array({{{"match", "fc.*"}, {"lr", 0.2}}, {{"match", "bn.*"}, {"lr", 0.004}}});
    for (
        const char* scheduler :
        {R"({"type": "constant"})", R"({"type": "cosine", "min_lr": 0.001})",
         R"({"type": "one_cycle", "unit": "step", "max_lr": 0.3})", R"({"type": "one_cycle", "unit": "step"})",
         R"({"type": "swa", "unit": "step", "swa_lr": 0.05, "anneal_epochs": 4})",
         R"({"type": "exponential", "unit": "step", "gamma": 1.05})",
         R"({"type": "constant", "unit": "step", "factor": 0.1, "total": 1000})",
         R"({"type": "linear", "unit": "step", "start_factor": 0.2, "end_factor": 0.5})",
         R"({"type": "cosine", "unit": "step", "warmup": 5})",
         R"({"type": "step", "unit": "epoch", "step_size": 1, "gamma": 3})",
         R"({"type": "sequence", "unit": "step", "phases": [{"type": "cyclic", "max_lr": 0.05, "step_size_up": 4, "length": 8}, {"type": "swa", "swa_lr": 0.02, "anneal_epochs": 4}]})",
         R"({"type": "cyclic", "unit": "step", "base_lr": 0.001, "max_lr": 0.05, "step_size_up": 4})",
         R"({"type": "sequence", "unit": "step", "phases": [{"type": "constant", "length": 3}, {"type": "cyclic", "max_lr": 0.3, "step_size_up": 4}]})"}) {
        for (const bool grouped : {false, true}) {
            SCOPED_TRACE(scheduler + std::string(grouped ? " in groups" : ""));
            TinyProject tiny;
            tiny.training()["scheduler"] = parseJson(scheduler, "scheduler").value();
            tiny.training()["stop"]["epochs"] = 2;
            if (grouped) {
                tiny.training()["optimizer"]["groups"] = groups;
            }
            const Json report =
                probed(tiny.read(), session::ProbeKind::kLearningRate, [](session::ProbeRequest& request) {
                    request.lowest = 1e-5;
                    request.highest = 1e3;
                });
            ASSERT_TRUE(report["suggested"].is_number()) << report["explanation"];
            ASSERT_FALSE(report["changes"].empty());
            const auto before = highestRates(tiny, tiny.read()), after = highestRates(tiny, withChanges(tiny, report));
            ASSERT_EQ(before.size(), after.size());
            double most = 0;
            for (const auto& [name, rate] : after) {
                most = std::max(most, rate);
                EXPECT_NEAR(rate / before.at(name), report["factor"].get<double>(),
                            1e-3 * report["factor"].get<double>())
                    << name;
            }
            // For one rate it is rounded to two digits, and one_cycle's steps may miss its top by a little.
            EXPECT_NEAR(most, report["suggested"].get<double>(), 0.06 * report["suggested"].get<double>());
        }
    }
}

TEST(Probe, ARateThatOnlyADefaultGivesStaysAndIsTold) {
    TinyProject tiny;
    tiny.training()["optimizer"]["lr"] = 0.001;
    tiny.training()["scheduler"] = {{"type", "swa"}};
    const Json report = probed(tiny.read(), session::ProbeKind::kLearningRate, [](session::ProbeRequest& request) {
        request.lowest = 1e-5;
        request.highest = 1e3;
    });
    ASSERT_TRUE(report["suggested"].is_number()) << report["explanation"];
    ASSERT_EQ(report["changes"].size(), 1U) << report["changes"];
    EXPECT_EQ(report["changes"][0]["path"], "training.optimizer.lr");
    EXPECT_NEAR(report["changes"][0]["value"].get<double>(), report["suggested"].get<double>(),
                0.06 * report["suggested"].get<double>());
    EXPECT_NE(report["explanation"].get<std::string>().find("training.scheduler.swa_lr is not stated and stays 0.05"),
              std::string::npos)
        << report["explanation"];
}

TEST(Probe, ForOneRateTheProposalIsOneRoundNumber) {
    TinyProject tiny;
    tiny.training()["scheduler"] = {{"type", "one_cycle"}, {"unit", "step"}, {"max_lr", 0.3}};
    const Json report = probed(tiny.read(), session::ProbeKind::kLearningRate, [](session::ProbeRequest& request) {
        request.lowest = 1e-5;
        request.highest = 1e3;
    });
    ASSERT_EQ(report["changes"].size(), 1U) << report["changes"];
    EXPECT_EQ(report["changes"][0]["path"], "training.scheduler.max_lr");
    EXPECT_EQ(report["changes"][0]["from"], 0.3);
    EXPECT_LE(report["changes"][0]["value"].dump().size(), 7U) << report["changes"];
}

TEST(Probe, SuggestsNoRateWhereTheLossOnlyDiffersByChance) {
    TinyProject tiny;
    for (const int seed : {3, 4, 5, 6}) {
        tiny.json["training"]["seed"] = seed;
        const Json report = probed(tiny.read(), session::ProbeKind::kLearningRate, [](session::ProbeRequest& request) {
            request.lowest = 1e-30;
            request.highest = 1e-29;
        });
        EXPECT_TRUE(report["suggested"].is_null()) << seed << " " << report["explanation"];
        EXPECT_NE(report["explanation"].get<std::string>().find("by chance"), std::string::npos)
            << report["explanation"];
    }
}

TEST(Probe, AStepOfTheLearningRateTestIsOneOverAllOfItsBatches) {
    TinyProject tiny;
    tiny.useOnlyLinearLayers();
    tiny.json["training"]["optimizer"] = {{"type", "SGD"}, {"lr", 0.1}};
    const auto losses = [&](int batch, int accumulation) {
        tiny.json["data"]["loader"]["batch_size"] = batch;
        tiny.json["training"]["accumulation"] = accumulation;
        const Json report = probed(tiny.read(), session::ProbeKind::kLearningRate, [](session::ProbeRequest& request) {
            request.lowest = 1e-3;
            request.highest = 0.1;
            request.steps = 10;
        });
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
    for (const auto& [type, code] :
         {std::pair{"LBFGS", "no-rate-for-lbfgs"}, std::pair{"Rprop", "no-rate-for-rprop"}}) {
        TinyProject tiny;
        tiny.json["training"]["optimizer"] = {{"type", type}};
        session::ProbeRequest request;
        request.project = tiny.read();
        request.kind = session::ProbeKind::kLearningRate;
        RunControl control;
        const auto report = train::probe(request, control, {});
        ASSERT_FALSE(report.has_value());
        EXPECT_EQ(report.error().code, code);
        EXPECT_FALSE(report.error().hint.empty());
    }
}

TEST(Probe, MemoryOfABatchEndsTheSearchForItsSize) {
    TinyProject tiny;
    const Json free = probed(tiny.read(), session::ProbeKind::kBatchSize,
                             [](session::ProbeRequest& request) { request.largest = 64; });
    ASSERT_EQ(free["largest"], 64);
    EXPECT_EQ(free["limited_by"], "largest");
    EXPECT_TRUE(free["chosen"].is_number());
    const std::int64_t peak = free["sizes"].back()["peak_memory_bytes"].get<std::int64_t>();
    const Json tight = probed(tiny.read(), session::ProbeKind::kBatchSize, [&](session::ProbeRequest& request) {
        request.largest = 64;
        request.budgetBytes = peak - 1;
    });
    EXPECT_EQ(tight["limited_by"], "memory");
    EXPECT_LT(tight["largest"].get<std::int64_t>(), 64);
    const Json all = probed(tiny.read(), session::ProbeKind::kBatchSize);
    EXPECT_EQ(all["limited_by"], "data");
}

/// The sizes of a list in the report of the search for a batch size.
std::vector<std::int64_t> sizesIn(const Json& report, const char* list) {
    std::vector<std::int64_t> sizes;
    for (const Json& one : report[list]) {
        sizes.push_back(one["batch_size"].get<std::int64_t>());
        EXPECT_TRUE(std::string(list) == "sizes" || !one["reason"].get<std::string>().empty()) << one;
    }
    return sizes;
}

TEST(Probe, EachBatchSizeIsMeasuredOrHasItsReason) {
    for (const char* training :
         {R"({"accumulation": 8})", R"({"scheduler": {"type": "one_cycle", "unit": "step", "total": 100}})", R"({})"}) {
        SCOPED_TRACE(training);
        TinyProject tiny;
        tiny.training().merge_patch(parseJson(training, "training").value());
        const Json report = probed(tiny.read(), session::ProbeKind::kBatchSize);
        std::vector<std::int64_t> all = sizesIn(report, "sizes");
        const std::vector<std::int64_t> measured = all, left = sizesIn(report, "not_tried");
        all.insert(all.end(), left.begin(), left.end());
        std::sort(all.begin(), all.end());
        EXPECT_EQ(all, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 128})) << "180 samples train";
        EXPECT_FALSE(left.empty()) << "BatchNorm takes no single sample";
        // That the split ends is the reason only where everything below was measured.
        EXPECT_EQ(report["limited_by"] == "data", measured.back() == 128) << report["explanation"];
    }
}

TEST(Probe, WhatCanLearnLearnsOneBatchByHeart) {
    TinyProject tiny;
    tiny.json["training"]["optimizer"]["lr"] = 0.1;
    const Json learns =
        probed(tiny.read(), session::ProbeKind::kOverfit, [](session::ProbeRequest& request) { request.steps = 300; });
    EXPECT_TRUE(learns["passed"].get<bool>()) << learns["explanation"];
    EXPECT_LT(learns["last_loss"].get<double>(), 0.2 * learns["first_loss"].get<double>());
    tiny.json["training"]["optimizer"]["lr"] = 1e-12;
    const Json stuck =
        probed(tiny.read(), session::ProbeKind::kOverfit, [](session::ProbeRequest& request) { request.steps = 5; });
    EXPECT_FALSE(stuck["passed"].get<bool>());
    EXPECT_NE(stuck["explanation"].get<std::string>().find("was not learnt"), std::string::npos);
}

/// What the probe says of the tiny project with this loss.
Json overfitted(const Json& loss, const Json& metrics, double lr,
                const std::function<void(TinyProject&)>& change = {}) {
    TinyProject tiny;
    tiny.useOnlyLinearLayers();
    if (change) {
        change(tiny);
    }
    tiny.training()["losses"] = Json::array({loss});
    tiny.training()["metrics"] = metrics;
    tiny.training()["optimizer"]["lr"] = lr;
    return probed(tiny.read(), session::ProbeKind::kOverfit,
                  [](session::ProbeRequest& request) { request.steps = 300; });
}

TEST(Probe, ALossThatCannotGetToZeroIsJudgedByHowLowItCanGet) {
    const Json smooth{
        {"type", "CrossEntropyLoss"}, {"output", "logits"}, {"target", "label"}, {"label_smoothing", 0.3}};
    const Json learns = overfitted(smooth, Json::array(), 0.1);
    // The entropy of 0.8, 0.1, 0.1.
    const double lowest = -(0.8 * std::log(0.8) + 0.2 * std::log(0.1));
    EXPECT_NEAR(learns["lowest_loss"].get<double>(), lowest, 1e-5);
    EXPECT_TRUE(learns["passed"].get<bool>()) << learns["explanation"];
    EXPECT_GT(learns["last_loss"].get<double>(), lowest - 1e-5);
    EXPECT_FALSE(overfitted(smooth, Json::array(), 1e-9)["passed"].get<bool>());
    Json weighted = smooth;
    weighted["class_weights"] = {1.0, 2.0, 5.0};
    const Json heavy = overfitted(weighted, Json::array(), 0.1);
    EXPECT_TRUE(heavy["passed"].get<bool>()) << heavy["explanation"];
    EXPECT_GT(heavy["last_loss"].get<double>(), heavy["lowest_loss"].get<double>() - 1e-5);
}

TEST(Probe, ALossBelowZeroIsNotLearntAtOnceAndWhoSaysSoIsTheMetric) {
    const Json shifted{{"type", "ExpressionLoss"}, {"expression", "mean((logits - distance) ** 2) - 1000000"}};
    const auto regression = [](TinyProject& tiny) { tiny.regressDistance(1); };
    const Json untold = overfitted(shifted, Json::array(), 0.02, regression);
    EXPECT_FALSE(untold["passed"].get<bool>());
    EXPECT_EQ(untold["steps"], 300) << "nothing is learnt at once";
    EXPECT_TRUE(untold["lowest_loss"].is_null());
    EXPECT_NE(untold["explanation"].get<std::string>().find("cannot be told"), std::string::npos)
        << untold["explanation"];
    const Json told = overfitted(
        shifted, Json::array({{{"type", "r2"}, {"output", "logits"}, {"target", "distance"}, {"name", "fit"}}}), 0.02,
        regression);
    EXPECT_TRUE(told["passed"].get<bool>()) << told["explanation"] << told["metrics"];
    EXPECT_NE(told["explanation"].get<std::string>().find("as fit tells"), std::string::npos) << told["explanation"];
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
