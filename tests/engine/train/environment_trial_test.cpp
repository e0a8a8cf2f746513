// Threads and layout by measuring: what is measured, what is remembered, and that nothing else comes of it.
#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "run_fixture.h"
#include "train/assembly.h"
#include "train/environment_trial.h"
#include "train/generators.h"
#include "train/trial_memory.h"

namespace plumbline::test {
namespace {

/// Two convolutions on images made on the spot, with threads and layout left open.
struct OpenProject : TinyProject {
    OpenProject() {
        json["model"]["graph"] = parseJson(R"({
          "inputs": {"x": {"shape": ["B", 3, 16, 16]}},
          "nodes": {"conv1": {"type": "Conv2d", "from": "x", "params": {"out_channels": 8, "kernel_size": 3, "padding": 1}}, "bn": {"type": "BatchNorm2d", "from": "conv1"},
                    "relu": {"type": "ReLU", "from": "bn"}, "drop": {"type": "Dropout", "from": "relu", "params": {"p": 0.2}},
                    "conv2": {"type": "Conv2d", "from": "drop", "params": {"out_channels": 8, "kernel_size": 3, "padding": 1}},
                    "flat": {"type": "Flatten", "from": "conv2"}, "fc": {"type": "Linear", "from": "flat", "params": {"out_features": 3}}},
          "outputs": {"logits": "fc"}})",
                                           "test")
                                     .value();
        json["data"] = parseJson(R"({
          "sources": {"made": {"type": "generated", "kind": "images", "samples": 120, "classes": 3, "channels": 3, "size": 16}},
          "inputs": {"x": {"from": "made.image"}}, "targets": {"label": {"from": "made.label"}}, "loader": {"batch_size": 16, "workers": 0}})",
                                 "test")
                           .value();
        training()["determinism"] = "default";
        training().erase("threads");
    }
};

/// Whatever a trial costs and brings, it is made, counts and is remembered.
train::TrialLimits always() {
    return {0, 0, 0, 1e6, 1e12, 0.05, 1e9};
}

struct Outcome {
    train::Environment estimated, chosen;
};

Outcome tried(const project::Project& project, const std::filesystem::path& memory, const train::TrialLimits& limits,
              bool measures = true, bool stopped = false) {
    RunControl control;
    if (stopped) {
        control.requestStop();
    }
    Outcome outcome;
    const auto assembly = train::assemble(
        project, nullptr, "", nullptr, [&](const auto& graph, const auto& dataset, train::Environment& environment) {
            outcome.estimated = environment;
            train::chooseByTrial({project, measures, memory, control, limits}, graph, dataset, environment);
            outcome.chosen = environment;
        });
    EXPECT_TRUE(assembly.has_value()) << toSentence(assembly.error());
    return outcome;
}

TEST(EnvironmentTrial, MeasuresEveryCandidateAndTakesAnotherThanTheEstimateOnlyWhereItIsFasterByEnough) {
    const OpenProject project;
    const testing::TemporaryFolder folder;
    const Outcome outcome = tried(project.read(), folder / "first", always());
    EXPECT_EQ(outcome.chosen.memoryFormatBy, "measured");
    const Json& candidates = outcome.chosen.trial["candidates"];
    ASSERT_GE(candidates.size(), 2U);
    double estimated = 0, chosen = 0, fastest = 1e300;
    for (const Json& candidate : candidates) {
        const double ms = candidate["ms"].get<double>();
        EXPECT_GT(ms, 0);
        const auto is = [&](const train::Environment& environment) {
            return candidate["threads"] == environment.threads &&
                   candidate["memory_format"] == (environment.channelsLast ? "channels_last" : "contiguous");
        };
        estimated = is(outcome.estimated) ? ms : estimated;
        chosen = is(outcome.chosen) ? ms : chosen;
        fastest = std::min(fastest, ms);
    }
    ASSERT_GT(chosen, 0);
    EXPECT_TRUE(chosen == estimated || chosen <= 0.95 * estimated) << outcome.chosen.trial.dump();
    EXPECT_FALSE(train::trialSentence(outcome.chosen).empty());
    EXPECT_EQ(outcome.chosen.choices()["chosen_by"]["memory_format"], "measured");
    // A gain that nothing reaches leaves the estimate.
    train::TrialLimits never = always();
    never.gain = 0.999;
    const Outcome kept = tried(project.read(), folder / "second", never);
    EXPECT_EQ(kept.chosen.channelsLast, kept.estimated.channelsLast);
    EXPECT_EQ(kept.chosen.threads, kept.estimated.threads);
    EXPECT_EQ(kept.chosen.memoryFormatBy, "measured");
}

TEST(EnvironmentTrial, OfAShortBatchOnlyTheLayoutIsTried) {
    const OpenProject project;
    const testing::TemporaryFolder folder;
    train::TrialLimits limits = always();
    limits.shortestThreadedStepMs = 1e9;
    const Outcome outcome = tried(project.read(), folder.path(), limits);
    EXPECT_EQ(outcome.chosen.memoryFormatBy, "measured");
    EXPECT_EQ(outcome.chosen.threadsBy, "estimated");
    EXPECT_EQ(outcome.chosen.trial["candidates"].size(), 2U);
    limits.shortestStepMs = 1e9;
    EXPECT_EQ(tried(project.read(), folder / "none", limits).chosen.memoryFormatBy, "estimated");
}

TEST(EnvironmentTrial, LeavesNoTraceInGeneratorsAndFlags) {
    OpenProject project;
    project.training()["determinism"] = "production";
    const testing::TemporaryFolder folder;
    const auto before = train::saveGenerators();
    const bool benchmark = at::globalContext().benchmarkCuDNN();
    RunControl control;
    const project::Project read = project.read();
    bool same = false;
    const auto assembly = train::assemble(
        read, nullptr, "", nullptr, [&](const auto& graph, const auto& dataset, train::Environment& environment) {
            train::chooseByTrial({read, true, folder / "m", control, always()}, graph, dataset, environment);
            same = std::ranges::all_of(
                before, [](const auto& state) { return train::saveGenerators().at(state.first).equal(state.second); });
            EXPECT_EQ(at::globalContext().benchmarkCuDNN(), benchmark);
        });
    ASSERT_TRUE(assembly.has_value());
    EXPECT_TRUE(same);
    EXPECT_EQ(at::get_num_threads(), assembly->environment.threads);
}

TEST(EnvironmentTrial, AnOutcomeIsRememberedForTheSameModelAndNoOther) {
    OpenProject project;
    const testing::TemporaryFolder folder;
    const Outcome first = tried(project.read(), folder.path(), always());
    const Outcome again = tried(project.read(), folder.path(), {}, false);
    EXPECT_EQ(again.chosen.memoryFormatBy, "remembered");
    EXPECT_EQ(again.chosen.channelsLast, first.chosen.channelsLast);
    EXPECT_EQ(again.chosen.threads, first.chosen.threads);
    EXPECT_EQ(again.chosen.trial, first.chosen.trial);
    EXPECT_NE(train::trialSentence(again.chosen).find("earlier run"), std::string::npos);
    project.json["data"]["loader"]["batch_size"] = 8;
    EXPECT_EQ(tried(project.read(), folder.path(), {}, false).chosen.memoryFormatBy, "estimated");
    project.json["data"]["loader"]["batch_size"] = 16;
    project.training()["memory_format"] = "contiguous";
    EXPECT_EQ(tried(project.read(), folder.path(), {}, false).chosen.memoryFormatBy, "set");
    project.training()["memory_format"] = "auto";
    project.training()["determinism"] = "research";
    EXPECT_EQ(tried(project.read(), folder.path(), always()).chosen.memoryFormatBy, "estimated")
        << "the same bits at every start";
}

TEST(EnvironmentTrial, ThatTheEstimateStaysIsRememberedTooUntilTheRunIsMuchLonger) {
    OpenProject project;
    const testing::TemporaryFolder folder;
    train::TrialLimits noTime = always();
    noTime.mostMs = 0;
    EXPECT_EQ(tried(project.read(), folder.path(), noTime).chosen.memoryFormatBy, "estimated");
    EXPECT_EQ(tried(project.read(), folder.path(), always()).chosen.memoryFormatBy, "estimated") << "as it began";
    project.training()["stop"]["epochs"] = 100;
    EXPECT_EQ(tried(project.read(), folder.path(), always()).chosen.memoryFormatBy, "measured");
}

TEST(EnvironmentTrial, AShortRunAStopAndAMemoryThatIsNoUseLeaveTheEstimate) {
    OpenProject project;
    const testing::TemporaryFolder folder;
    EXPECT_EQ(tried(project.read(), folder / "short", {}).chosen.memoryFormatBy, "estimated") << "over in a second";
    EXPECT_EQ(tried(project.read(), folder / "stopped", always(), true, true).chosen.memoryFormatBy, "estimated");
    EXPECT_FALSE(std::filesystem::exists(folder / "short"));
    // A file where the folder would be: measured all the same, and not kept.
    ASSERT_TRUE(writeFileAtomically(folder / "file", "").has_value());
    EXPECT_EQ(tried(project.read(), folder / "file", always()).chosen.memoryFormatBy, "measured");
    // What a memory holds that is damaged or foreign.
    (void)tried(project.read(), folder / "m", always());
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "m")) {
        files.push_back(entry.path());
    }
    ASSERT_EQ(files.size(), 1U);
    for (const char* damaged : {"", "{", "[]", R"({"version": 1})",
                                R"({"version": 1, "threads": "many", "memory_format": "contiguous", "trial": {}})",
                                R"({"version": 1, "threads": null, "memory_format": "sideways", "trial": {}})",
                                R"({"version": 1, "threads": 0, "memory_format": null, "trial": {}})",
                                R"({"version": 2, "threads": 1, "memory_format": "contiguous", "trial": {}})"}) {
        ASSERT_TRUE(writeFileAtomically(files[0], damaged).has_value());
        EXPECT_EQ(tried(project.read(), folder / "m", {}, false).chosen.memoryFormatBy, "estimated") << damaged;
    }
    // Usable, with a trial of which nothing can be told.
    ASSERT_TRUE(
        writeFileAtomically(
            files[0],
            R"({"version": 1, "threads": 1, "memory_format": "contiguous", "trial": {"candidates": [1, {"threads": "x"}], "estimated": {}}})")
            .has_value());
    const Outcome odd = tried(project.read(), folder / "m", {}, false);
    EXPECT_EQ(odd.chosen.memoryFormatBy, "remembered");
    EXPECT_FALSE(odd.chosen.channelsLast);
    EXPECT_EQ(train::trialSentence(odd.chosen), "");
}

TEST(EnvironmentTrial, ARunWithWhatATrialChoseHasTheNumbersOfOneThatWasToldSo) {
    OpenProject project;
    const testing::TemporaryFolder cache;
    const char* const before = std::getenv("XDG_CACHE_HOME");
    const std::string cacheBefore = before != nullptr ? before : "";
    ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
    const Outcome outcome = tried(project.read(), userCacheFolder() / "trials", always());
    TestRun chosen(project, "chosen");
    const auto summary = chosen.start(10);
    TestRun again(project, "again");
    again.request.recorded = chosen.sink.recorded;
    const auto repeated = again.start(10);
    ::setenv("XDG_CACHE_HOME", (cache.path() / "empty").c_str(), 1);
    project.training()["memory_format"] = outcome.chosen.channelsLast ? "channels_last" : "contiguous";
    project.training()["threads"] = outcome.chosen.threads;
    TestRun told(project, "told");
    const auto stated = told.start(10);
    before != nullptr ? ::setenv("XDG_CACHE_HOME", cacheBefore.c_str(), 1) : ::unsetenv("XDG_CACHE_HOME");
    ASSERT_TRUE(summary.has_value() && repeated.has_value() && stated.has_value());
    EXPECT_EQ(chosen.sink.recorded["chosen_by"]["memory_format"], "remembered");
    EXPECT_EQ(again.sink.recorded["chosen_by"]["memory_format"], "recorded");
    EXPECT_EQ(again.sink.recorded["trial"], chosen.sink.recorded["trial"]) << "what was measured goes with it";
    EXPECT_EQ(told.sink.recorded["chosen_by"]["memory_format"], "set");
    EXPECT_EQ(chosen.sink.values("train.loss"), told.sink.values("train.loss"));
    EXPECT_EQ(again.sink.values("train.loss"), told.sink.values("train.loss"));
    const auto logs = chosen.sink.eventsOf("log");
    EXPECT_TRUE(std::any_of(logs.begin(), logs.end(), [](const session::Event& event) {
        return event.data.value("message", "").starts_with("Computes with ");
    }));
}

/// What the only file of a memory holds.
Json onlyOutcome(const std::filesystem::path& memory) {
    for (const auto& entry : std::filesystem::directory_iterator(memory)) {
        return parseJson(readFile(entry.path()).value(), "outcome").value();
    }
    return nullptr;
}

TEST(EnvironmentTrial, EndsAfterTheFirstStepWhereNoOthersFitWhatItMayCost) {
    const OpenProject project;
    const testing::TemporaryFolder folder;
    train::TrialLimits little = always();
    little.mostMs = 1e-3;
    EXPECT_EQ(tried(project.read(), folder / "time", little).chosen.memoryFormatBy, "estimated");
    EXPECT_EQ(onlyOutcome(folder / "time")["trial"]["steps"], 1);
    train::TrialLimits share = always();
    share.mostOfRun = 1e-9;
    EXPECT_EQ(tried(project.read(), folder / "share", share).chosen.memoryFormatBy, "estimated");
    EXPECT_EQ(onlyOutcome(folder / "share")["trial"]["steps"], 1);
}

TEST(EnvironmentTrial, RoundsThatDisagreeHoldForTheRunAndAreNotRemembered) {
    const OpenProject project;
    const testing::TemporaryFolder folder;
    train::TrialLimits strict = always();
    strict.disagreement = -1;
    EXPECT_EQ(tried(project.read(), folder / "m", strict).chosen.memoryFormatBy, "measured");
    EXPECT_FALSE(std::filesystem::exists(folder / "m"));
}

TEST(EnvironmentTrial, NoneIsMadeWithActivationCheckpointing) {
    OpenProject project;
    const testing::TemporaryFolder folder;
    for (const Json& setting : {Json{{"blocks", {"conv2"}}}, Json{{"budget_mb", 100}}}) {
        project.training()["activation_checkpointing"] = setting;
        EXPECT_EQ(tried(project.read(), folder / "m", always()).chosen.memoryFormatBy, "estimated") << setting.dump();
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "m"));
}

TEST(EnvironmentTrial, RunsBlocksWithoutGradientsAsTheRunDoes) {
    OpenProject project;
    const testing::TemporaryFolder folder;
    EXPECT_EQ(tried(project.read(), folder / "m", always()).chosen.memoryFormatBy, "measured");
    project.training()["no_grad"] = {"conv1"};
    EXPECT_EQ(tried(project.read(), folder / "m", {}, false).chosen.memoryFormatBy, "estimated")
        << "another run than the one that is remembered";
    EXPECT_EQ(tried(project.read(), folder / "m", always()).chosen.memoryFormatBy, "measured");
    // No gradient goes back through the last block: a step of it is none.
    project.training()["no_grad"] = {"fc"};
    EXPECT_EQ(tried(project.read(), folder / "m", always()).chosen.memoryFormatBy, "estimated");
}

TEST(TrialMemory, AnOutcomeHoldsForThirtyDays) {
    const testing::TemporaryFolder folder;
    const train::TrialMemory memory(folder.path());
    memory.keep("key", {{"threads", 2}, {"memory_format", nullptr}, {"trial", Json::object()}});
    const std::filesystem::path file = folder / "key.json";
    const auto aged = [&](int days) {
        std::filesystem::last_write_time(file,
                                         std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * days));
    };
    aged(29);
    EXPECT_EQ(memory.find("key")["threads"], 2);
    aged(31);
    EXPECT_TRUE(memory.find("key").is_null());
    memory.keep("key", {{"threads", 3}, {"memory_format", nullptr}, {"trial", Json::object()}});
    EXPECT_EQ(memory.find("key")["threads"], 3);
}

TEST(TrialMemory, KeepsTwoHundredOutcomesAtMost) {
    const testing::TemporaryFolder folder;
    const train::TrialMemory memory(folder.path());
    for (int i = 0; i < 205; ++i) {
        memory.keep("key" + std::to_string(i), {{"threads", 1}, {"memory_format", nullptr}, {"trial", Json::object()}});
    }
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        files += entry.path().extension() == ".json" ? 1 : 0;
    }
    EXPECT_EQ(files, 200U);
    EXPECT_EQ(memory.find("key204")["threads"], 1);
    EXPECT_TRUE(memory.find("unknown").is_null());
}

}  // namespace
}  // namespace plumbline::test
