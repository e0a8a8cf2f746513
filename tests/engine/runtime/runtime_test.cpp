// The runtime library as the programs use it: opened by name, behind the Engine interface.
#include <cstdio>
#include <cstdlib>

#include "engine/train/run_fixture.h"
#include "session/engine.h"

namespace plumbline::test {
namespace {

std::shared_ptr<session::Engine> engine() {
    ::setenv("PLUMBLINE_RUNTIME", PLUMBLINE_RUNTIME_FILE, 1);
    auto opened = session::openEngine();
    EXPECT_TRUE(opened.has_value()) << (opened ? "" : toSentence(opened.error()));
    return opened ? *opened : nullptr;
}

/// Runs a command and gives what it printed.
std::string outputOf(const std::string& command) {
    std::string text;
    FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[4096];
    while (pipe != nullptr && std::fgets(buffer, sizeof buffer, pipe) != nullptr) {
        text += buffer;
    }
    if (pipe != nullptr) {
        ::pclose(pipe);
    }
    return text;
}

class Runtime : public ::testing::Test {
protected:
    void SetUp() override {
        m_engine = engine();
        ASSERT_NE(m_engine, nullptr);
    }
    std::shared_ptr<session::Engine> m_engine;
};

TEST_F(Runtime, TrainsEvaluatesAndPredicts) {
    TinyProject project;
    project.training()["checkpoints"]["best"] = {{"series", "val.accuracy"}, {"mode", "max"}};
    TestRun run(project);
    RunControl control;
    const auto summary = m_engine->train(run.request, run.sink, control, run.live);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->status, "completed");
    const std::filesystem::path best = run.request.runFolder / summary->bestCheckpoint;
    const auto test = m_engine->evaluate({run.request.project, best, data::Split::kTest, "cpu"}, control);
    ASSERT_TRUE(test.has_value()) << toSentence(test.error());
    EXPECT_EQ(test->at("test.accuracy"), summary->metrics.at("test.accuracy"));
    EXPECT_EQ(test->at("test.loss"), summary->metrics.at("test.loss"));
    const auto predictions = m_engine->predict({run.request.project, best, {"3,0,0,0", "0,3,0,0", "0,0,3,0"}, "cpu"});
    ASSERT_TRUE(predictions.has_value()) << toSentence(predictions.error());
    ASSERT_EQ(predictions->size(), 3U);
    EXPECT_EQ((*predictions)[0].classes.front().first, "a");
    EXPECT_EQ((*predictions)[1].classes.front().first, "b");
    EXPECT_EQ((*predictions)[2].classes.front().first, "c");
    double sum = 0;
    for (const auto& [name, probability] : (*predictions)[0].classes) {
        sum += probability;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_EQ((*predictions)[0].outputs.at("logits").size(), 3U);
}

TEST_F(Runtime, TurnsWhatGoesWrongIntoASentence) {
    TinyProject project;
    TestRun run(project);
    RunControl control;
    const auto missing = m_engine->evaluate({run.request.project, project.folder() / "none.ckpt", data::Split::kTest, "cpu"}, control);
    ASSERT_FALSE(missing.has_value());
    EXPECT_NE(missing.error().message.find("none.ckpt"), std::string::npos) << missing.error().message;
    // Another model's weights.
    ASSERT_TRUE(m_engine->train([&] { run.request.maxSteps = 2; return run.request; }(), run.sink, control, run.live).has_value());
    project.json["model"]["graph"]["nodes"]["hidden"]["params"]["out_features"] = 17;
    const auto other = m_engine->evaluate({project.read(), run.request.runFolder / "checkpoints/step-000000002.ckpt", data::Split::kTest, "cpu"}, control);
    ASSERT_FALSE(other.has_value());
    EXPECT_FALSE(other.error().message.empty());
}

TEST_F(Runtime, AsksForCudaOnlyWhereItIs) {
    TinyProject project;
    project.training()["device"] = "cuda:0";
    TestRun run(project);
    RunControl control;
    const auto summary = m_engine->train(run.request, run.sink, control, run.live);
    if (m_engine->doctor().at("cuda").at("loaded") == false) {
        ASSERT_FALSE(summary.has_value());
        EXPECT_EQ(summary.error().kind, ErrorKind::kMachine);
    } else {
        EXPECT_TRUE(summary.has_value());
    }
}

TEST_F(Runtime, KnowsTheMachine) {
    const Json doctor = m_engine->doctor();
    EXPECT_GT(doctor.at("gemm_gflops").get<double>(), 0.1);
    EXPECT_GE(doctor.at("threads").at("libtorch").get<int>(), 1);
    EXPECT_TRUE(doctor.at("cuda").contains("reason"));
    EXPECT_EQ(m_engine->versions().at("libtorch"), "2.13.0");
}

TEST(RuntimeLibrary, ShowsOneFunction) {
    const std::string symbols = outputOf(std::string("nm -D --defined-only ") + PLUMBLINE_RUNTIME_FILE + " | grep -c ' T '");
    EXPECT_EQ(std::atoi(symbols.c_str()), 1) << outputOf(std::string("nm -DC --defined-only ") + PLUMBLINE_RUNTIME_FILE + " | grep ' T ' | head");
}

}  // namespace
}  // namespace plumbline::test
