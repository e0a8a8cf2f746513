// Which checkpoint of a run is used, and what is known to be missing before there is a run.

#include "core/files.h"
#include "session/run_files.h"
#include "session_fixture.h"

namespace plumbline::session {
namespace {

class CheckpointChoice : public SessionTest {
protected:
    /// A run with these checkpoints; the summary names the best one where there is one.
    std::filesystem::path runWith(const std::vector<std::string>& names) {
        const auto session = make([&](const Call& run) -> Result<RunSummary> {
            EXPECT_TRUE(makeFolder(run.request.runFolder / "checkpoints"));
            auto summary = summaryOf("completed", 20);
            for (const std::string& name : names) {
                EXPECT_TRUE(writeFileAtomically(run.request.runFolder / "checkpoints" / name, "a checkpoint"));
                (name == "best.ckpt" ? summary.bestCheckpoint : summary.checkpoint) = "checkpoints/" + name;
            }
            return summary;
        });
        EXPECT_TRUE(runToEnd(*session));
        return session->runFolder();
    }
    static std::string nameOf(const std::filesystem::path& run, const std::string& which) {
        const auto file = checkpointOfRun(run, which);
        EXPECT_TRUE(file) << which << (file ? "" : toSentence(file.error()));
        return file ? file->filename().string() : "";
    }
};

TEST_F(CheckpointChoice, TheBestOneUnlessAnotherIsNamed) {
    const auto run = runWith({"best.ckpt", "step-000000010.ckpt", "step-000000020.ckpt"});
    EXPECT_EQ(nameOf(run, ""), "best.ckpt");
    EXPECT_EQ(nameOf(run, "best"), "best.ckpt");
    EXPECT_EQ(nameOf(run, "last"), "step-000000020.ckpt");
    EXPECT_EQ(nameOf(run, "10"), "step-000000010.ckpt");
    EXPECT_EQ(nameOf(run, "step-000000010"), "step-000000010.ckpt");
    EXPECT_EQ(nameOf(run, "step-000000010.ckpt"), "step-000000010.ckpt");
}

TEST_F(CheckpointChoice, OneThatIsNotThereIsASentenceWithThoseThatAre) {
    const auto run = runWith({"step-000000010.ckpt"});
    EXPECT_EQ(nameOf(run, ""), "step-000000010.ckpt");
    for (const std::string& which :
         std::vector<std::string>{"best", "11", "step-1", "../../x", std::string(500, 'x')}) {
        const auto file = checkpointOfRun(run, which);
        ASSERT_FALSE(file) << which;
        EXPECT_EQ(file.error().code, "unknown-checkpoint");
        EXPECT_NE(file.error().hint.find("step-000000010"), std::string::npos) << file.error().hint;
    }
    EXPECT_EQ(checkpointOfRun(runWith({}), "last").error().code, "no-checkpoint");
}

/// An engine on a machine without GPUs.
class CpuEngine final : public Engine {
public:
    Result<RunSummary> train(const TrainRequest&, RunSink&, RunControl&, LiveCommands&) override {
        return summaryOf("stopped", 5);
    }
    Result<Measured> evaluate(const EvaluateRequest&, RunControl&) override { return Measured{}; }
    Result<std::vector<Prediction>> predict(const PredictRequest&) override { return {}; }
    Result<ExportReport> exportModel(const ExportRequest&, RunControl&,
                                     const std::function<void(const std::string&)>&) override {
        return ExportReport{};
    }
    Json doctor() override { return Json::object(); }
    Json versions() override { return Json::object(); }
    Status checkDevice(const std::string& device) override {
        asked.push_back(device);
        return device == "cpu" || device == "auto"
                   ? Status{}
                   : Status(fail(ErrorKind::kMachine, "no-such-device", "There is no " + device));
    }
    std::vector<std::string> asked;
};

TEST_F(CheckpointChoice, ADeviceThatIsNotThereIsToldBeforeThereIsARun) {
    auto given = options();
    given.project = project::withSetting(given.project, "training.device", "cuda:0").value();
    given.eventsFile = m_folder / "events.jsonl";
    const auto session = TrainingSession::create(given, std::make_shared<CpuEngine>());
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code, "no-such-device");
    EXPECT_FALSE(std::filesystem::exists(given.runsFolder));
    EXPECT_FALSE(std::filesystem::exists(given.eventsFile));
}

TEST_F(CheckpointChoice, ARunThatBeganOnAGpuStaysAsItWasWhereThereIsNone) {
    const auto first = make([](const Call& run) -> Result<RunSummary> {
        run.sink.record({{"device", "cuda:1"}});
        return summaryOf("stopped", 5);
    });
    ASSERT_TRUE(runToEnd(*first));
    auto given = options();
    given.resumeRun = first->runId();
    const auto engine = std::make_shared<CpuEngine>();
    const auto again = TrainingSession::create(given, engine);
    ASSERT_FALSE(again);
    EXPECT_EQ(engine->asked, std::vector<std::string>{"cuda:1"}) << "what \"auto\" had chosen";
    EXPECT_EQ(stored(*first).status, "stopped");
    EXPECT_FALSE(store::RunReader::open(first->runFolder()).value()->record("summary")->is_null());
}

}  // namespace
}  // namespace plumbline::session
