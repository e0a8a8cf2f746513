// What a run is told while it is paused, within a validation and at its end: taken or answered at once, and the same
// again where the run is repeated.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include "core/processors.h"
#include "exact_resume.h"

namespace plumbline::test {
namespace {

/// Once the run is paused: posts, waits until the training thread has taken it, and asks the run to go on.
class TellsInThePause {
public:
    /// `anywhere`: the pause is asked for at some moment of the step after that, else in that step.
    TellsInThePause(TestRun& run, std::int64_t pauseAfter, std::vector<session::LiveCommand> commands,
                    bool anywhere = false)
        : m_run(run) {
        run.sink.onStep = [this, pauseAfter, anywhere](std::int64_t step) {
            if (step == pauseAfter && !m_reached.exchange(true) && !anywhere) {
                m_control.requestPause();
            }
            while (anywhere && step > pauseAfter && !m_asked) {
                std::this_thread::yield();
            }
        };
        run.sink.onState = [this](session::RunState state) {
            m_paused = m_paused || state == session::RunState::kPaused;
        };
        m_thread = std::thread([this, anywhere, commands = std::move(commands)] {
            while (anywhere && !m_reached && !m_over) {
                std::this_thread::yield();
            }
            if (anywhere) {
                m_control.requestPause();
                m_asked = true;
            }
            if (!eventually([this] { return m_paused.load(); })) {
                return;
            }
            for (const session::LiveCommand& command : commands) {
                m_run.live.post(command);
            }
            taken = eventually([this] { return !m_run.live.isPending(); });
            m_control.requestResume();
        });
    }
    ~TellsInThePause() {
        m_over = true;
        m_thread.join();
        m_run.sink.onStep = {};
        m_run.sink.onState = {};
    }
    RunControl& control() { return m_control; }
    std::atomic<bool> taken{false};

private:
    bool eventually(const std::function<bool()>& condition) const {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!condition()) {
            if (m_over || std::chrono::steady_clock::now() > limit) {
                return false;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return true;
    }
    TestRun& m_run;
    RunControl m_control;
    std::atomic<bool> m_reached{false}, m_asked{false}, m_paused{false}, m_over{false};
    std::thread m_thread;
};

/// One whose rate stays as it is told.
struct SteadyProject : TinyProject {
    SteadyProject() { training()["scheduler"] = {{"type", "constant"}}; }
};

std::vector<session::RecordedCommand> recordedBy(const TestRun& run) {
    std::vector<session::RecordedCommand> commands;
    for (const session::Event& event : run.sink.eventsOf("command")) {
        commands.push_back({event.data["step"].get<std::int64_t>(),
                            event.tMs,
                            {event.data["path"].get<std::string>(), event.data["value"]}});
    }
    std::stable_sort(
        commands.begin(), commands.end(),
        [](const session::RecordedCommand& a, const session::RecordedCommand& b) { return a.step < b.step; });
    return commands;
}

/// Posts the command in a pause within the validation of `step`, an epoch's last; once it is answered, the run goes on
/// and `afterwards` is called there.
void tellWithinTheValidation(TestRun& run, RunControl& control, std::int64_t step, const session::LiveCommand& command,
                             const std::function<void()>& afterwards) {
    const auto answered = std::make_shared<bool>(false);
    run.sink.onStep = [&control, step](std::int64_t at) {
        if (at == step) {
            control.requestPause();
        }
    };
    run.sink.onState = [&run, command, afterwards, answered](session::RunState state) {
        if (state == session::RunState::kPaused) {
            run.live.post(command);
        } else if (std::exchange(*answered, false) && afterwards) {
            afterwards();
        }
    };
    run.sink.onEvent = [&control, answered](const session::Event& event) {
        if (event.event == "answer") {
            EXPECT_EQ(event.data["accepted"], true) << event.data;
            *answered = true;
            control.requestResume();
        }
    };
}

/// What a process that is killed now leaves: its checkpoints, and what it has told.
void leaveBehind(const TestRun& run, TestRun& left) {
    std::filesystem::copy(run.request.runFolder, left.request.runFolder,
                          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
    left.sink = run.sink;
    left.sink.forgetCallbacks();
    left.request.commands = recordedBy(left);
}

/// The run once more, with what it recorded.
void expectTheSameAgain(const TinyProject& project, const TestRun& run, const session::RunSummary& summary) {
    TestRun again(project, run.request.runId + "-again");
    again.request.repeats = true;
    again.request.commands = recordedBy(run);
    const auto repeated = again.start();
    ASSERT_TRUE(repeated.has_value()) << toSentence(repeated.error());
    expectSameRun(run, summary, again, *repeated, "repeated");
}

TEST(LiveControl, ASettingIsTakenWhileTheRunIsPaused) {
    for (const int accumulation : {1, 3}) {
        SCOPED_TRACE(accumulation);
        SteadyProject project;
        project.training()["accumulation"] = accumulation;
        TestRun run(project);
        TellsInThePause teller(
            run, 2, {{"training.optimizer.lr", 0.004, "rate"}, {session::kCheckpointInstruction, nullptr, "save"}});
        const auto summary = run.start(teller.control());
        ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
        EXPECT_TRUE(teller.taken) << "it waited for the end of the pause";
        const auto answers = run.sink.eventsOf("answer");
        ASSERT_EQ(answers.size(), 2U);
        EXPECT_EQ(answers[0].data["accepted"], true);
        EXPECT_EQ(answers[0].data["step"], 2);
        EXPECT_FALSE(answers[0].data.contains("after"));
        EXPECT_EQ(answers[1].data["accepted"], true);
        EXPECT_EQ(run.sink.points["lr"][1].value, 0.02);
        EXPECT_EQ(run.sink.points["lr"][2].value, 0.004);
        const auto saved = run.sink.eventsOf("checkpoint");
        EXPECT_TRUE(std::any_of(saved.begin(), saved.end(),
                                [](const session::Event& event) { return event.data["step"] == 2; }));
        expectTheSameAgain(project, run, *summary);
    }
}

TEST(LiveControl, WhereverThePauseComesWithinAStepOverSeveralBatchesTheRunRepeatsExactly) {
    for (int attempt = 0; attempt < 8; ++attempt) {
        SCOPED_TRACE(attempt);
        TinyProject project;
        project.training()["accumulation"] = 11;
        project.training()["expert"] = {{"scheduler_every_batch", attempt % 2 == 1}};
        TestRun run(project);
        TellsInThePause teller(
            run, 3, {{"training.optimizer.lr", 0.004, "rate"}, {session::kProfileInstruction, {{"steps", 1}}, "look"}},
            true);
        const auto summary = run.start(teller.control());
        ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
        EXPECT_TRUE(teller.taken);
        const auto answers = run.sink.eventsOf("answer");
        ASSERT_EQ(answers.size(), 2U);
        EXPECT_EQ(answers[0].data["accepted"], true) << answers[0].data;
        EXPECT_EQ(answers[1].data["accepted"], true) << answers[1].data;
        const std::int64_t first =
            answers[1].data["step"].get<std::int64_t>() + (answers[1].data.value("after", "") == "step" ? 2 : 1);
        ASSERT_EQ(run.sink.eventsOf("profile").size(), 1U);
        EXPECT_EQ(run.sink.eventsOf("profile")[0].data["first_step"], first) << answers[1].data;
        expectTheSameAgain(project, run, *summary);
    }
}

TEST(LiveControl, WithinAValidationEachCommandIsAnsweredAtOnceAndCarriedOutAfterIt) {
    SteadyProject project;
    TestRun run(project);
    // The pause that is asked for in an epoch's last step, its 12th, begins within the validation.
    TellsInThePause teller(run, 12,
                           {{"training.optimizer.lr", 0.004, "rate"},
                            {"training.validation.every", 3, "cadence"},
                            {"training.clip.max_norm", 1.0, "clip"},
                            {session::kProfileInstruction, {{"steps", 2}}, "look"},
                            {session::kProfileInstruction, {{"steps", 2}}, "look again"},
                            {session::kCheckpointInstruction, nullptr, "save"}});
    const auto summary = run.start(teller.control());
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_TRUE(teller.taken);
    std::map<std::string, Json> answers;
    for (const session::Event& answer : run.sink.eventsOf("answer")) {
        answers[answer.data["id"].get<std::string>()] = answer.data;
    }
    ASSERT_EQ(answers.size(), 6U) << "each is answered once";
    ASSERT_EQ(run.sink.eventsOf("answer").size(), 6U);
    for (const char* id : {"rate", "cadence", "look", "save"}) {
        EXPECT_EQ(answers[id]["accepted"], true) << answers[id];
        EXPECT_EQ(answers[id]["after"], "validation") << answers[id];
        EXPECT_EQ(answers[id]["step"], 12) << answers[id];
    }
    EXPECT_EQ(answers["clip"]["code"], "no-effect");
    EXPECT_EQ(answers["look again"]["code"], "profile-on");
    EXPECT_EQ(run.sink.points["lr"][11].value, 0.02);
    EXPECT_EQ(run.sink.points["lr"][12].value, 0.004);
    ASSERT_EQ(run.sink.eventsOf("profile").size(), 1U);
    EXPECT_EQ(run.sink.eventsOf("profile")[0].data["first_step"], 13);
    // The validation that was on went on, so the change counts from the next epoch on: 1, 3 and 6 are validated.
    std::vector<std::int64_t> validated;
    for (const RecordingSink::Point& point : run.sink.points["val.loss"]) {
        validated.push_back(point.step);
    }
    EXPECT_EQ(validated, (std::vector<std::int64_t>{12, 36, 72}));
    expectTheSameAgain(project, run, *summary);
}

TEST(LiveControl, WhatWasAnsweredWithinAValidationThatAStopEndsIsThereForTheResume) {
    SteadyProject project;
    TestRun run(project);
    {
        RunControl control;
        run.sink.onStep = [&](std::int64_t step) {
            if (step == 12) {
                control.requestPause();
            }
        };
        run.sink.onState = [&](session::RunState state) {
            if (state == session::RunState::kPaused) {
                run.live.post({"training.optimizer.lr", 0.004, "rate"});
                control.requestResume();
                control.requestStop();
            }
        };
        const auto stopped = run.start(control);
        ASSERT_TRUE(stopped.has_value()) << toSentence(stopped.error());
        EXPECT_EQ(stopped->steps.attempted, 12);
        run.sink.onStep = {};
        run.sink.onState = {};
    }
    ASSERT_EQ(run.sink.eventsOf("answer").size(), 1U);
    EXPECT_EQ(run.sink.eventsOf("answer")[0].data["accepted"], true);
    ASSERT_TRUE(run.resume().has_value());
    EXPECT_EQ(run.sink.points["lr"][12].value, 0.004);
}

TEST(LiveControl, WhatWasAcceptedWithinAValidationOutlivesAKillThere) {
    const SteadyProject project;
    TestRun run(project), killed(project, "killed"), later(project, "later");
    RunControl control;
    tellWithinTheValidation(run, control, 12, {"training.optimizer.lr", 0.004, "rate"},
                            [&] { leaveBehind(run, killed); });
    const auto pausing = run.sink.onStep;
    run.sink.onStep = [&](std::int64_t step) {
        pausing(step);
        if (step == 13) {
            leaveBehind(run, later);  // the newest checkpoint is of the step's validation, and older than the change
        }
    };
    const auto summary = run.start(control);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    ASSERT_EQ(killed.request.commands.size(), 1U) << "it was accepted and not recorded";
    EXPECT_EQ(killed.request.commands[0].step, 12);
    EXPECT_EQ(later.request.commands.size(), 1U);
    EXPECT_EQ(run.sink.eventsOf("command").size(), 1U) << "a change is recorded once";
    for (TestRun* left : {&killed, &later}) {
        SCOPED_TRACE(left->request.runId);
        const auto resumed = left->resume();
        ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
        expectSameRun(run, *summary, *left, *resumed, left->request.runId);
        EXPECT_EQ(left->sink.eventsOf("command").size(), 1U);
    }
    expectTheSameAgain(project, run, *summary);
}

TEST(LiveControl, AResumeThatEndsBeforeTheStepOfARecordedChangeLeavesItToTheNextOne) {
    const SteadyProject project;
    TestRun run(project), killed(project, "killed");
    run.sink.onStep = [&](std::int64_t step) {
        if (step == 20) {
            run.live.post({"training.optimizer.lr", 0.004, "rate"});
        } else if (step == 22) {
            leaveBehind(run, killed);
        }
    };
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    for (const std::int64_t end : {15, 20}) {
        ASSERT_TRUE(killed.resume(end).has_value());
        killed.request.commands = recordedBy(killed);
        ASSERT_EQ(killed.request.commands.size(), 1U) << end;
    }
    const auto resumed = killed.resume();
    ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
    expectSameRun(run, *summary, killed, *resumed, "killed twice");
}

TEST(LiveControl, WhatWasAcceptedWithinAValidationThatFailsIsThereForTheResume) {
    const SteadyProject project;
    TestRun run(project);
    RunControl control;
    tellWithinTheValidation(run, control, 12, {"training.optimizer.lr", 0.004, "rate"},
                            [] { throw std::runtime_error("the validation fails"); });
    ASSERT_FALSE(run.start(control).has_value());
    run.sink.forgetCallbacks();
    run.request.commands = recordedBy(run);
    ASSERT_EQ(run.request.commands.size(), 1U);
    ASSERT_TRUE(run.resume().has_value());
    EXPECT_EQ(run.sink.points["lr"][11].value, 0.02);
    EXPECT_EQ(run.sink.points["lr"][12].value, 0.004);
}

TEST(LiveControl, AProfileThatWasAcceptedWithinAValidationThatFailsIsToldToBeNone) {
    const SteadyProject project;
    TestRun run(project);
    RunControl control;
    tellWithinTheValidation(run, control, 12, {session::kProfileInstruction, {{"steps", 2}}, "look"},
                            [] { throw std::runtime_error("the validation fails"); });
    ASSERT_FALSE(run.start(control).has_value());
    const auto profiles = run.sink.eventsOf("profile");
    ASSERT_EQ(profiles.size(), 1U);
    EXPECT_EQ(profiles[0].data["error"]["code"], "no-step-profiled");
}

TEST(LiveControl, WhatComesWhileAveragedWeightsGetStatisticsWithoutAValidationIsAnsweredWithThat) {
    SteadyProject project;
    project.json["data"]["splits"] = {{"train", 0.6}, {"validation", 0.0}, {"test", 0.4}};
    project.training()["averaging"] = {{"type", "swa"}, {"start", 0}, {"every", 1}, {"unit", "step"}};
    project.training()["checkpoints"] = {
        {"every", 1}, {"unit", "epoch"}, {"best", {{"series", "train.loss"}, {"mode", "min"}}}};
    TestRun run(project);
    RunControl control;
    tellWithinTheValidation(run, control, 12, {"training.optimizer.lr", 0.004, "rate"}, {});
    const auto summary = run.start(control);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    const auto answers = run.sink.eventsOf("answer");
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0].data["after"], "recalibration") << answers[0].data;
    EXPECT_EQ(run.sink.points["lr"][11].value, 0.02);
    EXPECT_EQ(run.sink.points["lr"][12].value, 0.004);
    expectTheSameAgain(project, run, *summary);
}

TEST(LiveControl, APatienceToldWithinAValidationThatAStopEndsJudgesTheNextOneAndTheRunRepeats) {
    SteadyProject project;
    // Nothing gets better by so much: the first validation is the best, and each later one waits.
    project.training()["early_stopping"] = {{"patience", 3}, {"min_delta", 1e6}};
    TestRun run(project);
    RunControl control;
    tellWithinTheValidation(run, control, 24, {"training.early_stopping.patience", 1, "patience"}, {});
    const auto answering = run.sink.onEvent;
    run.sink.onEvent = [&](const session::Event& event) {
        answering(event);
        if (event.event == "answer") {
            control.requestStop();
        }
    };
    const auto stopped = run.start(control);
    ASSERT_TRUE(stopped.has_value()) << toSentence(stopped.error());
    EXPECT_EQ(stopped->status, "stopped");
    EXPECT_EQ(stopped->steps.attempted, 24);
    run.sink.forgetCallbacks();
    run.request.commands = recordedBy(run);
    const auto summary = run.resume();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->stopCode, "early_stopping");
    EXPECT_EQ(summary->steps.attempted, 36) << "the validation that was on is judged as it was when it began";
    expectTheSameAgain(project, run, *summary);
}

TEST(LiveControl, ARecordedChangeIsTakenAgainAlsoWhereItWouldBeRefusedToday) {
    struct Case {
        Json optimizer, scheduler;
        session::RecordedCommand command;
    };
    for (const Case& each :
         {Case{{{"type", "AdamW"}, {"lr", 0.02}},
               {{"type", "cosine"}, {"min_lr", 0.01}},
               {5, 1, {"training.optimizer.lr", 0.001}}},
          Case{{{"type", "Rprop"}, {"lr", 0.001}}, {{"type", "constant"}}, {5, 1, {"training.optimizer.lr", 0.05}}}}) {
        SCOPED_TRACE(each.scheduler.dump());
        TinyProject project;
        project.training()["optimizer"] = each.optimizer;
        project.training()["scheduler"] = each.scheduler;
        TestRun plain(project, "plain"), again(project, "again");
        ASSERT_TRUE(plain.start(8).has_value());
        again.request.repeats = true;
        again.request.commands = {each.command};
        ASSERT_TRUE(again.start(8).has_value());
        EXPECT_EQ(again.sink.points["lr"][4].value, plain.sink.points["lr"][4].value);
        EXPECT_NE(again.sink.points["lr"][5].value, plain.sink.points["lr"][5].value);
        const auto logs = again.sink.eventsOf("log");
        EXPECT_TRUE(std::none_of(logs.begin(), logs.end(), [](const session::Event& log) {
            return log.data["message"].get<std::string>().find("training.optimizer.lr") != std::string::npos;
        }));
    }
}

TEST(LiveControl, AfterTheLastStepASettingIsRefusedAndAtALimitItIsKeptForTheResume) {
    SteadyProject project;
    TestRun part(project, "part");
    const auto tellAt = [](TestRun& run, std::int64_t at) {
        run.sink.onStep = [&run, at](std::int64_t step) {
            if (step == at) {
                run.live.post({"training.optimizer.lr", 0.004, "rate"});
            }
        };
    };
    project.json["data"]["splits"] = {{"train", 0.6}, {"validation", 0.0}, {"test", 0.4}};
    TestRun unvalidated(project, "unvalidated");
    tellAt(unvalidated, 72);
    const auto ended = unvalidated.start();
    ASSERT_TRUE(ended.has_value()) << toSentence(ended.error());
    ASSERT_EQ(unvalidated.sink.eventsOf("answer").size(), 1U);
    EXPECT_EQ(unvalidated.sink.eventsOf("answer")[0].data["code"], "no-more-steps");
    EXPECT_TRUE(unvalidated.sink.eventsOf("command").empty());

    tellAt(part, 20);
    ASSERT_TRUE(part.start(20).has_value());
    ASSERT_EQ(part.sink.eventsOf("answer").size(), 1U);
    EXPECT_EQ(part.sink.eventsOf("answer")[0].data["accepted"], true);
    part.sink.onStep = {};
    part.request.commands = recordedBy(part);
    ASSERT_TRUE(part.resume(25).has_value());
    EXPECT_EQ(part.sink.points["lr"][19].value, 0.02);
    EXPECT_EQ(part.sink.points["lr"][20].value, 0.004);
}

TEST(LiveControl, ARateThatIsToldIsAnsweredWithWhatTheNextStepHasOfIt) {
    // No validation gains enough for the plateau, so by step 30 the rate has been reduced.
    for (const Json& scheduler : {Json{{"type", "reduce_on_plateau"}, {"patience", 0}, {"threshold", 0.9999}},
                                  Json{{"type", "cosine"}, {"unit", "step"}, {"warmup", 40}},
                                  Json{{"type", "exponential"}, {"gamma", 0.5}}, Json{{"type", "constant"}}}) {
        SCOPED_TRACE(scheduler.dump());
        TinyProject project;
        project.training()["scheduler"] = scheduler;
        TestRun run(project);
        TellsInThePause teller(run, 30, {{"training.optimizer.lr", 0.05, "rate"}});
        ASSERT_TRUE(run.start(teller.control(), 40).has_value());
        ASSERT_TRUE(teller.taken);
        const auto answers = run.sink.eventsOf("answer");
        ASSERT_EQ(answers.size(), 1U);
        ASSERT_EQ(answers[0].data["step"], 30);
        ASSERT_EQ(answers[0].data["rates"].size(), 1U) << answers[0].data;
        const Json& rate = answers[0].data["rates"][0];
        EXPECT_EQ(rate["base"], 0.05);
        EXPECT_EQ(rate["lr"].get<double>(), run.sink.points["lr"][30].value);
        EXPECT_EQ(rate["lr"] == rate["base"], scheduler["type"] == "constant");
    }
}

TEST(LiveControl, ARateBelowTheLowestOfItsScheduleIsRefusedAsCheckDoes) {
    for (const Json& scheduler :
         {Json{{"type", "cosine"}, {"min_lr", 0.01}},
          Json{{"type", "sequence"},
               {"phases", {{{"type", "constant"}, {"length", 1}}, {{"type", "cosine"}, {"min_lr", 0.01}}}}}}) {
        SCOPED_TRACE(scheduler.dump());
        TinyProject project;
        project.training()["scheduler"] = scheduler;
        TestRun run(project);
        TellsInThePause teller(run, 5,
                               {{"training.optimizer.lr", 0.001, "below"}, {"training.optimizer.lr", 0.011, "above"}});
        ASSERT_TRUE(run.start(teller.control(), 8).has_value());
        const auto answers = run.sink.eventsOf("answer");
        ASSERT_EQ(answers.size(), 2U);
        EXPECT_EQ(answers[0].data["accepted"], false);
        EXPECT_EQ(answers[0].data["code"], "min-lr-above-lr");
        EXPECT_EQ(answers[1].data["accepted"], true) << answers[1].data;
        EXPECT_EQ(run.sink.eventsOf("command").size(), 1U);
    }
}

TEST(LiveControl, ARateThatNoStepLooksAtAnyMoreIsRefusedAndOneBeforeTheFirstStepIsNot) {
    SteadyProject project;
    project.training()["optimizer"] = {{"type", "Rprop"}, {"lr", 0.001}};
    TestRun run(project);
    run.live.post({"training.optimizer.lr", 0.002, "early"});
    TellsInThePause teller(run, 3, {{"training.optimizer.lr", 0.05, "late"}});
    ASSERT_TRUE(run.start(teller.control(), 6).has_value());
    const auto answers = run.sink.eventsOf("answer");
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[0].data["accepted"], true) << answers[0].data;
    EXPECT_EQ(answers[1].data["code"], "no-effect") << answers[1].data;
    EXPECT_EQ(run.sink.points["lr"][5].value, 0.002);
    // What was told in time is in effect again after a resume.
    run.sink.onStep = {};
    run.sink.onState = {};
    run.request.commands = recordedBy(run);
    ASSERT_TRUE(run.resume(8).has_value());
    EXPECT_EQ(run.sink.points["lr"][7].value, 0.002);
}

TEST(LiveControl, ARemedyStartsFromTheRateThatTheRunHas) {
    SteadyProject project;
    project.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.02}};
    TestRun run(project);
    run.sink.onStep = [&](std::int64_t step) {
        if (step == 5) {
            run.live.post({"training.optimizer.lr", 1e30});
        }
    };
    ASSERT_TRUE(run.start(40).has_value());
    ASSERT_FALSE(run.sink.findings.empty());
    const diagnostics::Finding& finding = run.sink.findings.front();
    ASSERT_EQ(finding.detector, "non-finite");
    EXPECT_EQ(finding.remedies.at(0).title, "Halve the learning rate from 1e+30 to 5e+29");
    EXPECT_TRUE(applyJsonPatch(project.json, finding.remedies[0].patch).has_value())
        << "the project has the rate that it had";
}

TEST(LiveControl, AResumeThatIsToEndBeforeTheStepThatTheRunHasReachedIsRefusedAndLeavesIt) {
    SteadyProject project;
    TestRun run(project);
    ASSERT_TRUE(run.start(20).has_value());
    const auto refused = run.resume(10);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "nothing-left-to-train");
    EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
    EXPECT_NE(refused.error().hint.find("more than 20"), std::string::npos) << refused.error().hint;
    EXPECT_EQ(run.sink.points["train.loss"].size(), 20U);
    ASSERT_TRUE(run.resume(24).has_value());
    EXPECT_EQ(run.sink.points["train.loss"].size(), 24U);
}

TEST(LiveControl, ARunThatGoesOnWithMoreThreadsThanCoresSaysSo) {
    SteadyProject project;
    project.training()["threads"] = usableProcessors() + 1;
    TestRun run(project);
    ASSERT_TRUE(run.start(2).has_value());
    ASSERT_TRUE(run.resume(4).has_value());
    const auto logs = run.sink.eventsOf("log");
    EXPECT_TRUE(std::any_of(logs.begin(), logs.end(), [](const session::Event& log) {
        return log.data["message"].get<std::string>().find("more than the cores") != std::string::npos;
    }));
}

}  // namespace
}  // namespace plumbline::test
