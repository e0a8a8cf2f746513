// A run that is on is asked where its steps' time goes, and for a checkpoint: neither changes a number of it.
#include <algorithm>
#include <filesystem>

#include "core/files.h"
#include "exact_resume.h"

namespace plumbline::test {
namespace {

void postAt(TestRun& run, std::int64_t at, const session::LiveCommand& command) {
    run.sink.onStep = [&run, at, command](std::int64_t step) {
        if (step == at) {
            run.live.post(command);
        }
    };
}

bool saysInALog(const TestRun& run, const std::string& words) {
    const auto logs = run.sink.eventsOf("log");
    return std::any_of(logs.begin(), logs.end(), [&](const session::Event& log) {
        return log.data["message"].get<std::string>().find(words) != std::string::npos;
    });
}

TEST(LiveProfile, ChangesNoNumberAndIsKeptWithItsTraceInTheRunsFolder) {
    for (const int accumulation : {1, 2}) {
        TinyProject project;
        project.training()["accumulation"] = accumulation;
        TestRun plain(project, "plain"), looked(project, "looked");
        const auto straight = plain.start();
        postAt(looked, 2, {session::kProfileInstruction, {{"steps", 3}, {"trace", true}}, "message"});
        const auto profiled = looked.start();
        ASSERT_TRUE(straight.has_value() && profiled.has_value());
        expectSameRun(plain, *straight, looked, *profiled, "profiled");

        const auto told = looked.sink.eventsOf("profile");
        ASSERT_EQ(told.size(), 1U);
        EXPECT_EQ(told[0].data["first_step"], 3);
        EXPECT_EQ(told[0].data["step"], 5);
        EXPECT_EQ(told[0].data["file"], "profiles/step-000000005.json");
        EXPECT_EQ(told[0].data["trace"], "profiles/step-000000005.trace.json");
        const auto report = readJsonFile(looked.request.runFolder / "profiles/step-000000005.json");
        ASSERT_TRUE(report.has_value()) << toSentence(report.error());
        EXPECT_EQ((*report)["steps"], 3);
        EXPECT_EQ((*report)["run"], "looked");
        const Json& phases = (*report)["phases"];
        double sum = 0;
        for (const auto& [name, ms] : phases.items()) {
            sum += name == "total_ms" ? 0 : ms.get<double>();
        }
        EXPECT_NEAR(sum, phases["total_ms"].get<double>(), 0.01 * sum);
        for (const char* phase : {"forward_ms", "backward_ms", "optimizer_ms"}) {
            EXPECT_GT(phases[phase].get<double>(), 0) << phase;
        }
        ASSERT_EQ((*report)["blocks"].size(), 5U);
        EXPECT_EQ((*report)["blocks"][0]["block"], "hidden");
        EXPECT_GT((*report)["blocks"][0]["backward_ms"].get<double>(), 0);
        const auto trace = readJsonFile(looked.request.runFolder / "profiles/step-000000005.trace.json");
        ASSERT_TRUE(trace.has_value()) << toSentence(trace.error());
        EXPECT_FALSE((*trace)["traceEvents"].empty());
        // It is no change of a setting, so nothing of it is repeated.
        EXPECT_TRUE(looked.sink.eventsOf("command").empty());
        const auto answers = looked.sink.eventsOf("answer");
        ASSERT_EQ(answers.size(), 1U);
        EXPECT_EQ(answers[0].data["id"], "message");
        EXPECT_EQ(answers[0].data["step"], 2);
        EXPECT_EQ(answers[0].data["accepted"], true);
    }
}

TEST(LiveProfile, EndsItsTraceWhereAnythingElseThanAStepComes) {
    TinyProject project;  // twelve steps an epoch, then a validation
    TestRun run(project);
    postAt(run, 8, {session::kProfileInstruction, {{"steps", 3}, {"trace", true}}});
    ASSERT_TRUE(run.start(20).has_value());
    const auto told = run.sink.eventsOf("profile");
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].data["step"], 11);
    const auto trace = readFile(run.request.runFolder / told[0].data["trace"].get<std::string>());
    ASSERT_TRUE(trace.has_value());
    // One step was traced, the twelfth: two products of matrices forward.
    const std::string product = "\"aten::addmm\"";
    std::size_t products = 0;
    for (std::size_t at = trace->find(product); at != std::string::npos; at = trace->find(product, at + 1)) {
        ++products;
    }
    EXPECT_EQ(products, 2U);
    EXPECT_TRUE(run.sink.eventsOf("answer").empty()) << "nobody waits for one";
}

TEST(LiveProfile, RefusesWhatIsNoNumberOfStepsAndASecondOneAtATime) {
    TinyProject project;
    TestRun run(project);
    run.sink.onStep = [&](std::int64_t step) {
        if (step == 2) {
            for (const Json& value : {Json(), Json{{"steps", 0}}, Json{{"steps", 2.5}}, Json{{"steps", 10'001}},
                                      Json{{"steps", 101}, {"trace", true}}, Json("ten")}) {
                run.live.post({session::kProfileInstruction, value, "wrong"});
            }
            run.live.post({session::kProfileInstruction, {{"steps", 4}}, "first"});
            run.live.post({session::kProfileInstruction, {{"steps", 4}}, "second"});
        }
    };
    ASSERT_TRUE(run.start(12).has_value());
    const auto answers = run.sink.eventsOf("answer");
    ASSERT_EQ(answers.size(), 8U);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(answers[i].data["accepted"], false);
        EXPECT_EQ(answers[i].data["code"], "out-of-range");
        EXPECT_FALSE(answers[i].data["hint"].get<std::string>().empty());
    }
    EXPECT_EQ(answers[6].data["accepted"], true);
    EXPECT_EQ(answers[7].data["code"], "profile-on");
    EXPECT_EQ(run.sink.eventsOf("profile").size(), 1U);
}

TEST(LiveProfile, IsKeptAsFarAsItCameWhereTheRunStopsAndTheResumeIsExact) {
    TinyProject project;
    TestRun whole(project, "whole"), parts(project, "parts");
    const auto straight = whole.start();
    ASSERT_TRUE(straight.has_value());
    RunControl control;
    parts.sink.onStep = [&](std::int64_t step) {
        if (step == 5) {
            parts.live.post({session::kProfileInstruction, {{"steps", 100}}});
        }
        if (step == 7) {
            control.requestStop();
        }
    };
    ASSERT_TRUE(parts.start(control).has_value());
    const auto told = parts.sink.eventsOf("profile");
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].data["steps"], 2);
    EXPECT_EQ(told[0].data["step"], 7);
    parts.sink.onStep = {};
    const auto resumed = parts.resume();
    ASSERT_TRUE(resumed.has_value());
    expectSameRun(whole, *straight, parts, *resumed, "stopped");
}

TEST(LiveProfile, ThatCannotBeWrittenIsToldAndHarmsNothing) {
    TinyProject project;
    TestRun plain(project, "plain"), run(project);
    const auto straight = plain.start();
    ASSERT_TRUE(straight.has_value());
    ASSERT_TRUE(writeFileAtomically(run.request.runFolder / "profiles", "no folder").has_value());
    postAt(run, 3, {session::kProfileInstruction, {{"steps", 2}, {"trace", true}}});
    const auto ended = run.start();
    ASSERT_TRUE(ended.has_value()) << toSentence(ended.error());
    expectSameRun(plain, *straight, run, *ended, "not written");
    const auto told = run.sink.eventsOf("profile");
    ASSERT_EQ(told.size(), 1U);
    EXPECT_FALSE(told[0].data.contains("file"));
    EXPECT_EQ(told[0].data["step"], 5);
    EXPECT_NE(told[0].data["error"]["message"].get<std::string>().find("profiles"), std::string::npos);
    EXPECT_TRUE(saysInALog(run, "profiles"));
}

TEST(LiveCheckpoint, IsWrittenAtTheStepWhereItIsAskedForAndChangesNoNumber) {
    TinyProject project;
    TestRun plain(project, "plain"), run(project);
    const auto straight = plain.start();
    postAt(run, 5, {session::kCheckpointInstruction, nullptr, "save"});
    const auto saved = run.start();
    ASSERT_TRUE(straight.has_value() && saved.has_value());
    expectSameRun(plain, *straight, run, *saved, "saved");
    const auto checkpoints = run.sink.eventsOf("checkpoint");
    EXPECT_TRUE(std::any_of(checkpoints.begin(), checkpoints.end(),
                            [](const session::Event& event) { return event.data["step"] == 5; }));
    ASSERT_EQ(run.sink.eventsOf("answer").size(), 1U);
    EXPECT_EQ(run.sink.eventsOf("answer")[0].data["accepted"], true);
    EXPECT_TRUE(run.sink.eventsOf("command").empty());
}

TEST(LiveCommands, ThatCameBeforeAStopOrAPauseAreTakenBeforeItAndTheRunGoesOnExactly) {
    for (const int accumulation : {1, 2}) {
        TinyProject project;
        project.training()["accumulation"] = accumulation;
        TestRun whole(project, "whole"), parts(project, "parts");
        postAt(whole, 5, {"training.optimizer.lr", 0.003, "rate"});
        const auto straight = whole.start();
        RunControl control;
        parts.sink.onStep = [&](std::int64_t step) {
            if (step == 5) {
                parts.live.post({"training.optimizer.lr", 0.003, "rate"});
                parts.live.post({session::kCheckpointInstruction, nullptr, "save"});
                control.requestStop();
            }
        };
        const auto stopped = parts.start(control);
        ASSERT_TRUE(straight.has_value() && stopped.has_value());
        EXPECT_EQ(stopped->status, "stopped");
        const auto answers = parts.sink.eventsOf("answer");
        ASSERT_EQ(answers.size(), 2U);
        EXPECT_EQ(answers[0].data["path"], "training.optimizer.lr");
        EXPECT_TRUE(answers[0].data["accepted"].get<bool>() && answers[1].data["accepted"].get<bool>());
        EXPECT_EQ(parts.sink.eventsOf("command").size(), 1U);
        parts.sink.onStep = {};
        const auto resumed = parts.resume();
        ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
        expectSameRun(whole, *straight, parts, *resumed, "told and stopped");

        TestRun paused(project, "paused");
        RunControl pausing;
        std::size_t answered = 0;
        paused.sink.onStep = [&](std::int64_t step) {
            if (step == 5) {
                paused.live.post({"training.optimizer.lr", 0.003, "rate"});
                pausing.requestPause();
            }
        };
        paused.sink.onState = [&](session::RunState state) {
            if (state == session::RunState::kPaused) {
                answered = paused.sink.eventsOf("answer").size();
                pausing.requestResume();
            }
        };
        const auto went = paused.start(pausing);
        ASSERT_TRUE(went.has_value());
        EXPECT_EQ(answered, 1U) << "the answer does not wait for the end of the pause";
        expectSameRun(whole, *straight, paused, *went, "told and paused");
    }
}

TEST(LiveSettings, TheRateOfAScheduleThatSetsItByItselfIsNeitherChangedNorHalved) {
    TinyProject project;
    project.training()["precision"] = "fp16";
    project.training()["scheduler"] = {{"type", "one_cycle"}, {"unit", "step"}, {"max_lr", 0.02}};
    TestRun plain(project, "plain");
    ASSERT_TRUE(plain.start(20).has_value());
    project.training()["grad_scaler"] = {{"init_scale", 256.0},
                                         {"growth_factor", 1e6},
                                         {"growth_interval", 3},
                                         {"backoff_factor", 0.9},
                                         {"reset_after_skips", 4}};
    TestRun run(project);
    postAt(run, 10, {"training.optimizer.lr", 0.5, "rate"});
    const auto summary = run.start(20);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    ASSERT_GT(summary->steps.skipped, 3);
    EXPECT_TRUE(saysInALog(run, "The learning rate stays: its schedule sets it by itself."));
    EXPECT_FALSE(saysInALog(run, "instead of"));
    ASSERT_EQ(run.sink.eventsOf("answer").size(), 1U);
    EXPECT_EQ(run.sink.eventsOf("answer")[0].data["code"], "no-effect");
    // A skipped step moves no schedule on: what is applied runs through the same rates.
    std::vector<double> rates = run.sink.values("lr");
    rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
    const std::vector<double> planned = plain.sink.values("lr");
    ASSERT_LE(rates.size(), planned.size());
    EXPECT_TRUE(std::equal(rates.begin(), rates.end(), planned.begin()));
}

TEST(MemorySeries, TellWhatTheTensorsAreForAsTheRunGoesOn) {
    TinyProject project;
    TestRun run(project);
    ASSERT_TRUE(run.start(20).has_value());
    // (4 + 1) × 16, the two of the normalisation, (16 + 1) × 3; AdamW has two moments and a count of each parameter.
    const double parameters = 4.0 * (80 + 32 + 51);
    for (const double bytes : run.sink.values("memory.gradients_bytes")) {
        EXPECT_EQ(bytes, parameters);
    }
    EXPECT_EQ(run.sink.values("memory.gradients_bytes").size(), 2U);
    EXPECT_GE(run.sink.last("memory.optimizer_state_bytes"), 2 * parameters);
    EXPECT_EQ(run.sink.values("memory.prefetch_bytes").size(), 2U);
    EXPECT_EQ(run.sink.values("memory.activations_peak_bytes").size(), 2U);
}

}  // namespace
}  // namespace plumbline::test
