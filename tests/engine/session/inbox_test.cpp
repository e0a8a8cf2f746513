// Commands of other processes: what a run takes out of its inbox, and what it refuses.
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>

#include "core/files.h"
#include "session/inbox.h"
#include "session_fixture.h"

namespace plumbline::session {
namespace {

using InboxTest = SessionTest;

/// Trains until it is stopped or `taken` is full, and keeps every command.
Training untilTaken(std::vector<LiveCommand>& taken, std::size_t count) {
    return [&taken, count](const Call& call) -> Result<RunSummary> {
        call.sink.state(RunState::kRunning);
        while (!call.control.stopRequested() && taken.size() < count) {
            for (LiveCommand& command : call.live.take()) {
                call.sink.event({"answer", 1, answerTo(command, {}, 7)});
                taken.push_back(std::move(command));
            }
            std::this_thread::yield();
        }
        return summaryOf(call.control.stopRequested() ? "stopped" : "completed", 7);
    };
}

std::vector<Json> storedEvents(const TrainingSession& session, const std::string& kind) {
    const auto reader = store::RunReader::open(session.runFolder());
    std::vector<Json> found = reader ? (*reader)->events().value_or(std::vector<Json>()) : std::vector<Json>();
    std::erase_if(found, [&](const Json& event) { return event.value("event", "") != kind; });
    return found;
}

bool isToldOf(const TrainingSession& session, const std::string& words) {
    const auto logs = storedEvents(session, "log");
    return std::any_of(logs.begin(), logs.end(),
                       [&](const Json& log) { return log.value("message", "").find(words) != std::string::npos; });
}

TEST_F(InboxTest, TheRunTakesChangesInOrderAndEachIsAnswered) {
    std::vector<LiveCommand> taken;
    const auto session = make(untilTaken(taken, 4));
    ASSERT_NE(session, nullptr);
    session->start(false);
    const auto first =
        leaveMessage(session->runFolder(), {{"training.optimizer.lr", 0.5}, {kProfileInstruction, {{"steps", 3}}}});
    ASSERT_TRUE(first) << toSentence(first.error());
    const auto second =
        leaveMessage(session->runFolder(), {{"training.optimizer.lr", 0.25}, {kCheckpointInstruction, nullptr}});
    ASSERT_TRUE(second);
    EXPECT_LT(*first, *second);
    ASSERT_TRUE(session->wait());
    ASSERT_EQ(taken.size(), 4U);
    EXPECT_EQ(taken[0].path, "training.optimizer.lr");
    EXPECT_EQ(taken[0].value, 0.5);
    EXPECT_EQ(taken[1].value, (Json{{"steps", 3}}));
    EXPECT_EQ(taken[2].value, 0.25);
    EXPECT_EQ(taken[1].id, *first);
    EXPECT_EQ(taken[3].id, *second);
    EXPECT_EQ(storedEvents(*session, "answer").size(), 4U);
    EXPECT_FALSE(std::filesystem::exists(session->runFolder() / "inbox")) << "a run that has ended hears nothing";
}

TEST_F(InboxTest, AStopAPauseAndAGoOnNeedNoStep) {
    std::vector<LiveCommand> taken;
    const auto session = make(untilTaken(taken, 1));
    ASSERT_NE(session, nullptr);
    session->start(false);
    ASSERT_TRUE(leaveMessage(session->runFolder(), {{kPauseInstruction, nullptr}}));
    ASSERT_TRUE(eventually([&] { return session->control().pauseRequested(); }));
    ASSERT_TRUE(leaveMessage(session->runFolder(), {{kGoOnInstruction, nullptr}}));
    ASSERT_TRUE(eventually([&] { return !session->control().pauseRequested(); }));
    ASSERT_TRUE(leaveMessage(session->runFolder(), {{kStopInstruction, nullptr}}));
    const auto summary = session->wait();
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->status, "stopped");
    EXPECT_EQ(session->control().stopReason(), StopReason::kUser);
    EXPECT_EQ(storedEvents(*session, "answer").size(), 3U);
}

TEST_F(InboxTest, AWordToGoOnIsRefusedWhereTheRunIsNotPausedAndWhatIsSoAlreadyIsSaid) {
    std::vector<LiveCommand> taken;
    std::atomic<bool> goOn{false};
    const auto session = make([&](const Call& call) -> Result<RunSummary> {
        call.sink.state(RunState::kRunning);
        while (!goOn) {
            std::this_thread::yield();
        }
        return summaryOf("stopped", 7);
    });
    ASSERT_NE(session, nullptr);
    session->start(false);
    ASSERT_TRUE(leaveMessage(session->runFolder(), {{kGoOnInstruction, nullptr},
                                                    {kPauseInstruction, nullptr},
                                                    {kPauseInstruction, nullptr},
                                                    {kGoOnInstruction, nullptr},
                                                    {kStopInstruction, nullptr},
                                                    {kStopInstruction, nullptr},
                                                    {kGoOnInstruction, nullptr},
                                                    {kPauseInstruction, nullptr},
                                                    {"training.optimizer.lr", 0.5}}));
    const bool heard = eventually([&] { return session->control().stopRequested(); });
    ASSERT_TRUE(heard);
    ASSERT_TRUE(eventually([&] { return storedEvents(*session, "answer").size() >= 8; }));
    goOn = true;
    ASSERT_TRUE(session->wait());
    const auto answers = storedEvents(*session, "answer");
    ASSERT_EQ(answers.size(), 8U) << "the setting is the training thread's to answer";
    const auto code = [&](std::size_t i) { return answers[i].value("code", ""); };
    const auto already = [&](std::size_t i) { return answers[i].value("already", ""); };
    EXPECT_EQ(code(0), "not-paused");
    EXPECT_FALSE(answers[0].value("accepted", true));
    EXPECT_EQ(already(1), "");
    EXPECT_EQ(already(2), "paused");
    EXPECT_TRUE(answers[3].value("accepted", false));
    EXPECT_EQ(already(4), "");
    EXPECT_EQ(already(5), "stopping");
    EXPECT_EQ(code(6), "run-stopping");
    EXPECT_EQ(code(7), "run-stopping");
}

TEST_F(InboxTest, WhatAppliesToTheNextRunIsRefusedAndSoIsAnySettingOfARunThatRepeatsAnother) {
    std::vector<LiveCommand> taken;
    auto session = make(untilTaken(taken, 1));
    ASSERT_NE(session, nullptr);
    session->start(false);
    ASSERT_TRUE(leaveMessage(session->runFolder(),
                             {{"training.stop.epochs", 3}, {"no.such.thing", 1}, {"training.optimizer.lr", 0.1}}));
    ASSERT_TRUE(session->wait());
    const auto answers = storedEvents(*session, "answer");
    ASSERT_EQ(answers.size(), 3U);
    EXPECT_EQ(std::count_if(answers.begin(), answers.end(),
                            [](const Json& answer) {
                                return answer.value("code", "") == "not-live" && !answer.value("hint", "").empty();
                            }),
              2);

    SessionOptions repeating = options();
    repeating.repeats = session->runId();
    std::vector<LiveCommand> none;
    const auto again = make(std::move(repeating), untilTaken(none, 1));
    ASSERT_NE(again, nullptr);
    again->start(false);
    ASSERT_TRUE(leaveMessage(again->runFolder(), {{"training.optimizer.lr", 0.1}, {kStopInstruction, nullptr}}));
    ASSERT_TRUE(again->wait());
    EXPECT_TRUE(none.empty());
    const auto refusals = storedEvents(*again, "answer");
    ASSERT_EQ(refusals.size(), 2U);
    EXPECT_EQ(refusals[0].value("code", ""), "repeats");
}

TEST_F(InboxTest, AMessageThatARunWouldNotTakeIsNotLeft) {
    std::vector<LiveCommand> taken;
    const auto session = make(untilTaken(taken, 100));
    ASSERT_NE(session, nullptr);
    session->start(false);
    const LiveCommand rate{"training.optimizer.lr", 0.5};
    const std::vector<std::vector<LiveCommand>> refused{{},
                                                        std::vector<LiveCommand>(101, rate),
                                                        {rate, {std::string(201, 'a'), 1}},
                                                        {{"training.optimizer.lr", std::string(64 << 10, 'b')}}};
    for (const std::vector<LiveCommand>& commands : refused) {
        const auto left = leaveMessage(session->runFolder(), commands);
        ASSERT_FALSE(left);
        EXPECT_EQ(left.error().kind, ErrorKind::kUsage);
        EXPECT_EQ(left.error().code, "message-size");
        EXPECT_FALSE(left.error().hint.empty());
    }
    const auto most = leaveMessage(session->runFolder(), std::vector<LiveCommand>(100, rate));
    ASSERT_TRUE(most) << toSentence(most.error());
    ASSERT_TRUE(session->wait());
    EXPECT_EQ(taken.size(), 100U);
    EXPECT_TRUE(storedEvents(*session, "log").empty()) << "the run has nothing to refuse";
}

TEST_F(InboxTest, GarbageIsRefusedRemovedAndNeverFollowed) {
    std::vector<LiveCommand> taken;
    const auto session = make(untilTaken(taken, 1));
    ASSERT_NE(session, nullptr);
    const std::filesystem::path inbox = session->runFolder() / "inbox", outside = m_folder / "outside.json";
    const std::string stop = R"({"commands": [{"path": "stop"}]})";
    ASSERT_TRUE(writeFileAtomically(outside, stop));
    session->start(false);
    const auto put = [&](const std::string& name, const std::string& text) {
        EXPECT_TRUE(writeFileAtomically(inbox / name, text));
    };
    put("00000000000000000001-1-0.json", "no JSON at all");
    put("00000000000000000001-1-1.json", R"({"commands": []})");
    put("00000000000000000001-1-2.json", R"({"commands": [{"path": 7}]})");
    put("00000000000000000001-1-3.json", std::string(100'000, ' ') + stop);
    put("00000000000000000001-1-4.json", std::string(300, '[') + std::string(300, ']'));
    put("notes.txt", stop);
    put("00000000000000000001-1-5.json", "{\"commands\": [{\"path\": \"\xff\xfe\"}]}");
    std::filesystem::create_symlink(outside, inbox / "00000000000000000001-1-6.json");
    ASSERT_EQ(::mkfifo((inbox / "00000000000000000001-1-7.json").c_str(), 0600), 0);
    std::filesystem::create_directory(inbox / "00000000000000000001-1-8.json");
    ASSERT_TRUE(eventually([&] {
        return std::distance(std::filesystem::directory_iterator(inbox), std::filesystem::directory_iterator()) == 1;
    })) << "only the folder cannot be removed";
    ASSERT_TRUE(leaveMessage(session->runFolder(), {{"training.optimizer.lr", 0.1}}));
    const auto summary = session->wait();
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->status, "completed") << "nothing of it stopped the run";
    EXPECT_TRUE(std::filesystem::exists(outside));
    for (const char* words : {"1-1-0.json was not taken: it is nothing", "1-1-3.json was not taken: it has more than",
                              "1-1-6.json was not taken: it is no regular file", "notes.txt"}) {
        EXPECT_TRUE(isToldOf(*session, words)) << words;
    }
    EXPECT_EQ(storedEvents(*session, "log").size(), 10U) << "each is told once";
}

TEST_F(InboxTest, WhatIsLeftOfAnEarlierProcessIsNotForAResume) {
    std::vector<LiveCommand> taken;
    auto session = make(untilTaken(taken, 0));
    ASSERT_NE(session, nullptr);
    ASSERT_TRUE(runToEnd(*session));
    const std::string id = session->runId();
    const std::filesystem::path inbox = session->runFolder() / "inbox";
    session.reset();
    ASSERT_TRUE(makeFolder(inbox));  // a kill left it
    ASSERT_TRUE(writeFileAtomically(inbox / "00000000000000000001-1-0.json",
                                    R"({"commands": [{"path": "training.optimizer.lr", "value": 9.0}]})"));
    SessionOptions again = options();
    again.resumeRun = id;
    session = make(std::move(again), untilTaken(taken, 1));
    ASSERT_NE(session, nullptr);
    EXPECT_TRUE(std::filesystem::is_empty(inbox));
    session->start(false);
    ASSERT_TRUE(leaveMessage(session->runFolder(), {{"training.optimizer.lr", 0.125}}));
    ASSERT_TRUE(session->wait());
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0].value, 0.125);
}

TEST_F(InboxTest, ARunWhoseInboxCannotBeMadeGoesOnAndSaysThatItHearsNobody) {
    std::vector<LiveCommand> taken;
    auto session = make(untilTaken(taken, 0));
    ASSERT_NE(session, nullptr);
    ASSERT_TRUE(runToEnd(*session));
    const std::string id = session->runId();
    const std::filesystem::path folder = session->runFolder();
    session.reset();
    std::filesystem::create_directory_symlink(m_folder.path(), folder / "inbox");
    SessionOptions again = options();
    again.resumeRun = id;
    session = make(std::move(again), untilTaken(taken, 0));
    ASSERT_NE(session, nullptr);
    EXPECT_TRUE(runToEnd(*session));
    EXPECT_TRUE(isToldOf(*session, "hears no other process"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "inbox"));
    const auto left = leaveMessage(folder, {{kStopInstruction, nullptr}});
    ASSERT_FALSE(left);
    EXPECT_EQ(left.error().code, "not-listening");
    EXPECT_FALSE(left.error().hint.empty());
}

TEST_F(InboxTest, AnInboxThatDisappearsHarmsNothing) {
    std::vector<LiveCommand> taken;
    const auto session = make(untilTaken(taken, 1));
    ASSERT_NE(session, nullptr);
    session->start(false);
    std::filesystem::remove_all(session->runFolder() / "inbox");
    session->post({"training.optimizer.lr", 0.5});
    EXPECT_TRUE(session->wait());
    EXPECT_EQ(taken.size(), 1U);
}

}  // namespace
}  // namespace plumbline::session
