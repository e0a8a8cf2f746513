// The runtime library as the programs use it: opened by name, behind the Engine interface.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

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
    EXPECT_EQ(test->metrics.at("test.accuracy"), summary->metrics.at("test.accuracy"));
    EXPECT_EQ(test->metrics.at("test.loss"), summary->metrics.at("test.loss"));
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

TEST_F(Runtime, SaysWhereBatchNormsStatisticsAreNotThoseOfTheAveragedWeights) {
    TinyProject project;
    project.json["data"]["splits"] = {{"train", 0.6}, {"validation", 0.0}, {"test", 0.4}};
    project.training()["averaging"] = {{"type", "swa"}, {"start", 0}, {"every", 1}, {"unit", "step"}};
    project.training()["checkpoints"] = {{"every", 5}, {"unit", "step"}, {"keep_last", 100}};
    TestRun run(project);
    RunControl control;
    const auto summary = m_engine->train(run.request, run.sink, control, run.live);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    const auto said = [&](const std::filesystem::path& checkpoint) {
        const auto predictions = m_engine->predict({run.request.project, checkpoint, {"3,0,0,0", "0,3,0,0"}, "cpu"});
        EXPECT_TRUE(predictions.has_value()) << (predictions ? "" : toSentence(predictions.error()));
        const auto measured = m_engine->evaluate({run.request.project, checkpoint, data::Split::kTest, "cpu"}, control);
        EXPECT_TRUE(measured.has_value()) << (measured ? "" : toSentence(measured.error()));
        const std::string remark = predictions->back().remark;
        EXPECT_EQ(measured->remarks, remark.empty() ? std::vector<std::string>{} : std::vector{remark});
        return remark;
    };
    EXPECT_NE(said(run.request.runFolder / "checkpoints/step-000000020.ckpt").find("BatchNorm"), std::string::npos);
    EXPECT_EQ(said(run.request.runFolder / summary->checkpoint), "") << "the run's end gave it its own";
}

/// Other content of the same length, changed when the old one was: what nobody could tell apart without reading it.
void replaceUnseen(const std::filesystem::path& file) {
    const auto changed = std::filesystem::last_write_time(file);
    {
        std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
        stream << std::string(static_cast<std::size_t>(std::filesystem::file_size(file)), 'x');
    }
    std::filesystem::last_write_time(file, changed);
}

TEST_F(Runtime, AsksTheSameModelAgainWithoutReadingItAgain) {
    TinyProject project;
    TestRun run(project);
    RunControl control;
    const auto summary = m_engine->train(run.request, run.sink, control, run.live);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    const std::filesystem::path checkpoint = run.request.runFolder / summary->checkpoint;
    const session::PredictRequest request{run.request.project, checkpoint, {"3,0,0,0"}, "cpu"};
    const auto first = m_engine->predict(request);
    ASSERT_TRUE(first.has_value()) << toSentence(first.error());
    replaceUnseen(checkpoint);
    const auto again = m_engine->predict(request);
    ASSERT_TRUE(again.has_value()) << toSentence(again.error());
    EXPECT_EQ(again->front().outputs, first->front().outputs);
    // Anything that shows has it read anew: another time of change here, another project, a run in between.
    std::filesystem::last_write_time(checkpoint,
                                     std::filesystem::last_write_time(checkpoint) + std::chrono::seconds(1));
    EXPECT_FALSE(m_engine->predict(request).has_value());
}

TEST_F(Runtime, EvaluatesAndPredictsWithCompiledBlocksWhatTheBlocksGive) {
    TinyProject project;
    TestRun run(project);
    RunControl control;
    const auto summary = m_engine->train(run.request, run.sink, control, run.live);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    const std::filesystem::path checkpoint = run.request.runFolder / summary->checkpoint;
    const auto plain = m_engine->evaluate({run.request.project, checkpoint, data::Split::kTest, "cpu"}, control);
    const auto compiled =
        m_engine->evaluate({run.request.project, checkpoint, data::Split::kTest, "cpu", true}, control);
    ASSERT_TRUE(plain.has_value() && compiled.has_value()) << (compiled ? "" : toSentence(compiled.error()));
    EXPECT_TRUE(plain->compiled.is_null());
    EXPECT_FALSE(compiled->compiled.at("units").empty());
    ASSERT_EQ(plain->metrics.size(), compiled->metrics.size());
    for (const auto& [name, value] : plain->metrics) {
        EXPECT_NEAR(compiled->metrics.at(name), value, 1e-5 * std::max(1.0, std::abs(value))) << name;
    }
    Json report;
    session::PredictRequest request{run.request.project, checkpoint, {"3,0,0,0", "0,3,0,0"}, "cpu"};
    const auto answers = m_engine->predict(request);
    request.compile = true;
    request.compiled = [&report](const Json& told) { report = told; };
    const auto again = m_engine->predict(request);
    ASSERT_TRUE(answers.has_value() && again.has_value()) << (again ? "" : toSentence(again.error()));
    EXPECT_FALSE(report.at("units").empty());
    for (std::size_t i = 0; i < answers->size(); ++i) {
        EXPECT_EQ((*again)[i].classes.front().first, (*answers)[i].classes.front().first);
        EXPECT_NEAR((*again)[i].classes.front().second, (*answers)[i].classes.front().second, 1e-5);
    }
    const auto told = m_engine->compile({run.request.project, checkpoint, 4}, control);
    ASSERT_TRUE(told.has_value()) << toSentence(told.error());
    EXPECT_EQ(told->at("total").at("blocks"), report.at("total").at("blocks"));
    for (const Json& unit : told->at("units")) {
        EXPECT_TRUE(unit.at("outcome") == "compiled" ? unit.at("took_effect") == 1.0
                                                     : !unit.at("reason").get<std::string>().empty())
            << unit.dump(2);
    }
}

TEST_F(Runtime, PredictsAnewOnceTheProjectOrTheWeightsAreOthers) {
    TinyProject project;
    TestRun run(project);
    RunControl control;
    const auto summary = m_engine->train(run.request, run.sink, control, run.live);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    const auto logits = [&](const project::Project& from, const std::string& checkpoint) {
        const auto predictions = m_engine->predict({from, run.request.runFolder / checkpoint, {"3,0,0,0"}, "cpu"});
        return predictions ? predictions->front().outputs : Json(toSentence(predictions.error()));
    };
    const Json trained = logits(run.request.project, summary->checkpoint);
    EXPECT_NE(logits(run.request.project, "checkpoints/step-000000000.ckpt"), trained);
    EXPECT_EQ(logits(run.request.project, summary->checkpoint), trained);
    project.json["data"]["inputs"]["x"]["transforms"] =
        parseJson(R"([{"type": "normalize", "mean": [5], "std": [2]}])", "test").value();
    EXPECT_NE(logits(project.read(), summary->checkpoint), trained);
    EXPECT_EQ(logits(run.request.project, summary->checkpoint), trained);
}

TEST_F(Runtime, TellsLibTorchsWarningsAsEventsOfTheRunAndPrintsNothing) {
    TinyProject project;
    Json& nodes = project.json["model"]["graph"]["nodes"];
    nodes["map"] = {{"type", "Reshape"}, {"from", "x"}, {"params", {{"shape", {-1, 1, 2, 2}}}}};
    // A kernel of even size under padding "same" is what LibTorch warns of.
    nodes["conv"] = {{"type", "Conv2d"},
                     {"from", "map"},
                     {"params", {{"out_channels", 2}, {"kernel_size", 2}, {"padding", "same"}}}};
    nodes["flat"] = {{"type", "Flatten"}, {"from", "conv"}};
    nodes["hidden"]["from"] = "flat";
    TestRun run(project);
    RunControl control;
    run.request.maxSteps = 4;
    ::testing::internal::CaptureStderr();
    const auto summary = m_engine->train(run.request, run.sink, control, run.live);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    int told = 0;
    for (const session::Event& event : run.sink.eventsOf("log")) {
        const std::string message = event.data.value("message", "");
        told += message.starts_with("LibTorch warns: Using padding='same' with even kernel lengths") &&
                        message.ends_with(".")
                    ? 1
                    : 0;
    }
    EXPECT_EQ(told, 1) << "once a run";
}

TEST_F(Runtime, TurnsWhatGoesWrongIntoASentence) {
    TinyProject project;
    TestRun run(project);
    RunControl control;
    const auto missing =
        m_engine->evaluate({run.request.project, project.folder() / "none.ckpt", data::Split::kTest, "cpu"}, control);
    ASSERT_FALSE(missing.has_value());
    EXPECT_NE(missing.error().message.find("none.ckpt"), std::string::npos) << missing.error().message;
    // Another model's weights.
    ASSERT_TRUE(m_engine
                    ->train(
                        [&] {
                            run.request.maxSteps = 2;
                            return run.request;
                        }(),
                        run.sink, control, run.live)
                    .has_value());
    project.json["model"]["graph"]["nodes"]["hidden"]["params"]["out_features"] = 17;
    const auto other = m_engine->evaluate(
        {project.read(), run.request.runFolder / "checkpoints/step-000000002.ckpt", data::Split::kTest, "cpu"},
        control);
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

TEST_F(Runtime, RefusesAllElseWhileARunGoesOnAndSoKeepsItsNumbers) {
    TinyProject project;
    project.training()["validation"]["sanity_batches"] = 0;  // where it would wait already
    TestRun run(project);
    RunControl control;
    control.requestPause();
    std::thread training([&] {
        const auto summary = m_engine->train(run.request, run.sink, control, run.live);
        EXPECT_TRUE(summary.has_value()) << toSentence(summary.error());
    });
    // The run waits at its first batch, with its checkpoint of step 0 written.
    const std::filesystem::path first = run.request.runFolder / "checkpoints/step-000000000.ckpt";
    while (!std::filesystem::exists(first)) {
        std::this_thread::yield();
    }
    RunControl other;
    EXPECT_EQ(m_engine->predict({run.request.project, first, {"3,0,0,0"}, "cpu"}).error().code, "engine-busy");
    EXPECT_EQ(m_engine->evaluate({run.request.project, first, data::Split::kTest, "cpu"}, other).error().code,
              "engine-busy");
    EXPECT_EQ(
        m_engine->exportModel({run.request.project, first, "state-dict", project.folder() / "out", false}, other, {})
            .error()
            .code,
        "engine-busy");
    control.requestResume();
    training.join();
    const std::filesystem::path last = run.request.runFolder / "checkpoints/step-000000072.ckpt";
    EXPECT_TRUE(m_engine->predict({run.request.project, last, {"3,0,0,0"}, "cpu"}).has_value())
        << "after the run it is free again";
}

TEST_F(Runtime, OneLogitTellsBetweenTwoClasses) {
    TinyProject project;
    project.json["data"]["sources"] =
        parseJson(R"({"made": {"type": "generated", "kind": "clusters", "samples": 200, "classes": 2, "features": 4}})",
                  "test")
            .value();
    project.json["data"]["inputs"] = parseJson(R"({"x": {"from": "made.features"}})", "test").value();
    project.json["data"]["targets"] =
        parseJson(R"({"label": {"from": "made.label", "dtype": "float32"}})", "test").value();
    project.json["model"]["graph"]["nodes"]["fc"]["params"]["out_features"] = 1;
    project.training()["losses"] =
        parseJson(R"([{"type": "BCEWithLogitsLoss", "output": "logits", "target": "label"}])", "test").value();
    project.training()["metrics"] = Json::array();
    TestRun run(project);
    RunControl control;
    const auto summary = m_engine->train(run.request, run.sink, control, run.live);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    // Sample 0 is of class 0 and sample 1 of class 1.
    const auto predictions =
        m_engine->predict({run.request.project, run.request.runFolder / summary->checkpoint, {"0", "1"}, "cpu"});
    ASSERT_TRUE(predictions.has_value()) << toSentence(predictions.error());
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& classes = (*predictions)[i].classes;
        ASSERT_EQ(classes.size(), 2U);
        EXPECT_EQ(classes.front().first, std::to_string(i));
        EXPECT_GT(classes.front().second, 0.5);
        EXPECT_NEAR(classes.front().second + classes.back().second, 1, 1e-12);
    }
}

TEST_F(Runtime, ClassesAreProbabilitiesWhateverTheLossTakes) {
    for (const auto& [loss, activation] :
         {std::pair{"NLLLoss", "LogSoftmax"}, {"FocalLoss", ""}, {"DiceCELoss", ""}, {"MultiMarginLoss", ""}}) {
        TinyProject project;
        project.training()["losses"] = {{{"type", loss}, {"output", "logits"}, {"target", "label"}}};
        if (*activation != '\0') {
            project.json["model"]["graph"]["nodes"]["act"] = {
                {"type", activation}, {"from", "fc"}, {"params", {{"dim", 1}}}};
            project.json["model"]["graph"]["outputs"]["logits"] = "act";
        }
        TestRun run(project, loss);
        RunControl control;
        const auto summary = m_engine->train(run.request, run.sink, control, run.live);
        ASSERT_TRUE(summary.has_value()) << loss << ": " << toSentence(summary.error());
        EXPECT_GT(summary->metrics.at("val.accuracy"), 0.8) << loss;
        const auto predictions =
            m_engine->predict({run.request.project, run.request.runFolder / summary->checkpoint, {"3,0,0,0"}, "cpu"});
        ASSERT_TRUE(predictions.has_value()) << loss << ": " << toSentence(predictions.error());
        const auto& classes = predictions->front().classes;
        ASSERT_EQ(classes.size(), 3U) << loss;
        EXPECT_EQ(classes.front().first, "a") << loss;
        EXPECT_NEAR(classes[0].second + classes[1].second + classes[2].second, 1, 1e-6) << loss;
    }
}

TEST_F(Runtime, LooksAtTheMachineWithoutChangingTheNumbersOfARun) {
    TinyProject project;
    TestRun alone(project, "alone"), watched(project, "watched");
    RunControl control;
    ASSERT_TRUE(m_engine->train(alone.request, alone.sink, control, alone.live).has_value());
    watched.sink.onStep = [&](std::int64_t step) {
        if (step == 5) {
            (void)m_engine->doctor();
        }
    };
    ASSERT_TRUE(m_engine->train(watched.request, watched.sink, control, watched.live).has_value());
    EXPECT_EQ(watched.sink.points["train.loss"], alone.sink.points["train.loss"])
        << "dropout draws from the generator that nobody else uses";
}

TEST_F(Runtime, KnowsTheMachine) {
    const Json doctor = m_engine->doctor();
    EXPECT_GT(doctor.at("gemm_gflops").get<double>(), 0.1);
    EXPECT_GE(doctor.at("threads").at("libtorch").get<int>(), 1);
    EXPECT_GE(doctor.at("threads").at("hardware").get<int>(), 1);
#ifdef __SANITIZE_ADDRESS__
    EXPECT_EQ(doctor.at("allocator").at("malloc_settings"), false)
        << "its allocator takes no settings, and that is told";
#else
    EXPECT_EQ(doctor.at("allocator").at("malloc_settings"), true);
    EXPECT_EQ(doctor.at("allocator").at("mmap_threshold"), 1 << 30);
    EXPECT_GT(doctor.at("allocator").at("trim_threshold"), 1 << 30);
    EXPECT_EQ(doctor.at("allocator").at("top_pad"), 64 << 20);
#endif
    EXPECT_TRUE(doctor.at("versions").contains("driver"));
    EXPECT_TRUE(doctor.at("cuda").contains("reason"));
    EXPECT_EQ(m_engine->versions().at("libtorch"), "2.13.0");
}

TEST_F(Runtime, NamesTheDriverWhereCudaLoads) {
    const Json doctor = m_engine->doctor();
    const Json driver = doctor.at("versions").at("driver");
    if (doctor.at("cuda").at("loaded") == true) {
        ASSERT_TRUE(driver.is_string());
        EXPECT_NE(driver.get<std::string>().find('.'), std::string::npos) << driver;
    } else {
        EXPECT_TRUE(driver.is_null() || driver.is_string());
    }
}

TEST(RuntimeLibrary, ShowsOneFunction) {
    const std::string symbols =
        outputOf(std::string("nm -D --defined-only ") + PLUMBLINE_RUNTIME_FILE + " | grep -c ' T '");
    EXPECT_EQ(std::atoi(symbols.c_str()), 1)
        << outputOf(std::string("nm -DC --defined-only ") + PLUMBLINE_RUNTIME_FILE + " | grep ' T ' | head");
}

}  // namespace
}  // namespace plumbline::test
