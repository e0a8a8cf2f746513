// What a run's record holds, and what a resume or a repetition gets back from it.

#include "core/files.h"
#include "session/run_files.h"
#include "session_fixture.h"

namespace plumbline::session {
namespace {

using SessionRecords = SessionTest;

Result<RunSummary> changesOnTheWay(const Call& run) {
    run.sink.record({{"device", "cpu"}, {"threads", 3}, {"data_fingerprint", "f"}});
    run.sink.event({"command", 12.0, {{"path", "training.optimizer.lr"}, {"value", 0.5}, {"step", 3}}});
    run.sink.event({"command", 14.0, {{"path", "training.validation.every"}, {"value", 2}, {"step", 4}}});
    return summaryOf("stopped", 5);
}

Json recordOf(const TrainingSession& session, const std::string& key) {
    const auto reader = store::RunReader::open(session.runFolder());
    EXPECT_TRUE(reader);
    return reader ? (*reader)->record(key).value_or(Json()) : Json();
}

TEST_F(SessionRecords, HoldEverySettingTheCommandLineAndEachResume) {
    auto given = options();
    given.project = project::withSetting(given.project, "training.optimizer.lr", "0.25").value();
    given.commandLine = "plumbline train mlp";
    const auto first = make(given, changesOnTheWay);
    ASSERT_TRUE(runToEnd(*first));
    const Json settings = recordOf(*first, "settings");
    EXPECT_EQ(settings["training.optimizer.lr"], 0.25);
    EXPECT_EQ(settings["training.accumulation"], 1) << "and those that the project does not state";
    for (const plan::SettingSpec& spec : plan::settings()) {
        EXPECT_TRUE(settings.contains(spec.path)) << spec.path;
    }
    EXPECT_EQ(recordOf(*first, "command_line"), "plumbline train mlp");
    auto again = options();
    again.resumeRun = first->runId();
    for (const char* line : {"plumbline resume mlp latest", "plumbline resume mlp best"}) {
        again.commandLine = line;
        const auto resumed = make(again, [](const Call& run) -> Result<RunSummary> {
            run.sink.dropAfter(5, 20);
            return summaryOf("stopped", 6);
        });
        ASSERT_TRUE(runToEnd(*resumed));
    }
    EXPECT_EQ(recordOf(*first, "command_line"), "plumbline train mlp") << "how it began stays";
    EXPECT_EQ(recordOf(*first, "resumes"), (Json{"plumbline resume mlp latest", "plumbline resume mlp best"}));
}

TEST_F(SessionRecords, WhatWasChangedWhileARunWentOnComesBackToAResumeAndARepetition) {
    const auto first = make(changesOnTheWay);
    ASSERT_TRUE(runToEnd(*first));
    std::vector<RecordedCommand> resumed, repeated;
    auto again = options();
    again.resumeRun = first->runId();
    ASSERT_TRUE(runToEnd(*make(again, [&](const Call& run) -> Result<RunSummary> {
        resumed = run.request.commands;
        EXPECT_FALSE(run.request.repeats);
        return summaryOf("stopped", 5);
    })));
    auto repetition = options();
    repetition.repeats = first->runId();
    const auto repeats = make(repetition, [&](const Call& run) -> Result<RunSummary> {
        repeated = run.request.commands;
        EXPECT_TRUE(run.request.repeats);
        EXPECT_EQ(run.request.recorded["threads"], 3) << "with the choices of that run";
        EXPECT_FALSE(run.request.resume);
        return summaryOf("completed", 5);
    });
    ASSERT_TRUE(runToEnd(*repeats));
    EXPECT_EQ(recordOf(*repeats, "repeats"), first->runId());
    for (const auto& commands : {resumed, repeated}) {
        ASSERT_EQ(commands.size(), 2u);
        EXPECT_EQ(commands[0].step, 3);
        EXPECT_EQ(commands[0].tMs, 12.0);
        EXPECT_EQ(commands[0].command.path, "training.optimizer.lr");
        EXPECT_EQ(commands[1].command.value, 2);
    }
}

TEST_F(SessionRecords, TheKBestAreFoundByTheirNamesAndAreNeverTakenForTheNewest) {
    const auto run = make([](const Call&) -> Result<RunSummary> { return summaryOf("stopped", 5); });
    ASSERT_TRUE(runToEnd(*run));
    const std::filesystem::path folder = run->runFolder() / "checkpoints";
    ASSERT_TRUE(makeFolder(folder));
    for (const char* name :
         {"best-000000004.ckpt", "best-000000008.ckpt", "best.ckpt", "step-000000008.ckpt", "step-000000012.ckpt"}) {
        ASSERT_TRUE(writeFileAtomically(folder / name, "x"));
    }
    EXPECT_EQ(checkpointOfRun(run->runFolder())->filename(), "best.ckpt");
    EXPECT_EQ(checkpointOfRun(run->runFolder(), "last")->filename(), "step-000000012.ckpt");
    EXPECT_EQ(checkpointOfRun(run->runFolder(), "best")->filename(), "best.ckpt");
    EXPECT_EQ(checkpointOfRun(run->runFolder(), "best-000000004")->filename(), "best-000000004.ckpt");
    EXPECT_EQ(checkpointOfRun(run->runFolder(), "8")->filename(), "step-000000008.ckpt");
    std::filesystem::remove(folder / "step-000000008.ckpt");
    std::filesystem::remove(folder / "step-000000012.ckpt");
    EXPECT_EQ(checkpointOfRun(run->runFolder(), "last").error().code, "unknown-checkpoint");
}

}  // namespace
}  // namespace plumbline::session
