// Runs of a model with a package of compiled code in it: what is recorded of it, and that nothing goes on with another
// one.

#include "compile/segments.h"
#include "exact_resume.h"
#include "support/test_package.h"
#include "train/assembly.h"
#include "train/packages.h"
#include "train/training_loop.h"

namespace plumbline::test {
namespace {

using plumbline::testing::trustIt;
using plumbline::testing::writePackage;

class PackageRun : public ::testing::Test {
protected:
    PackageRun() {
        writePackage(file());
        Json& nodes = m_project.json["model"]["graph"]["nodes"];
        nodes["features"] = {
            {"type", "AOTIPackage"},
            {"from", Json::array({"x"})},
            {"params", {{"path", "f.pt2"}, {"inputs", "float32 [B, 4]"}, {"output", "float32 [B, 4]"}}}};
        nodes["hidden"]["from"] = "features";
    }
    std::filesystem::path file() const { return m_project.folder() / "f.pt2"; }

    plumbline::testing::PrivateTrust m_trust;
    TinyProject m_project;
};

TEST_F(PackageRun, BeginsOnlyOnceThePackageIsTrustedAndResumesExactly) {
    TestRun run(m_project);
    const auto refused = run.start();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "package-not-trusted");
    EXPECT_NE(refused.error().hint.find("plumbline trust " + m_project.folder().string() + " features"),
              std::string::npos)
        << refused.error().hint;
    trustIt(file());
    expectExactResume(m_project, 12, "package");
}

TEST_F(PackageRun, TheRecordAndTheCheckpointsSayWhichPackageItWas) {
    trustIt(file());
    const Json packages{{"features", sumOf(file()).value().sha256}};
    TestRun run(m_project);
    const auto summary = run.start(8);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(run.sink.recorded.at("packages"), packages);
    EXPECT_EQ(train::readCheckpoint(run.request.runFolder / summary->checkpoint).value().meta.at("packages"), packages);
    // It learns behind the package, and the package has nothing that could.
    EXPECT_FALSE(
        train::readModelState(run.request.runFolder / summary->checkpoint).value().contains("features.weight"));
}

TEST_F(PackageRun, NeitherResumesNorRepeatsNorIsUsedWithAnotherPackage) {
    trustIt(file());
    TestRun run(m_project);
    const auto summary = run.start(8);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    const std::filesystem::path checkpoint = run.request.runFolder / summary->checkpoint;
    {
        auto assembly = train::assemble(run.request.project, nullptr, "", nullptr);
        ASSERT_TRUE(assembly.has_value()) << toSentence(assembly.error());
        EXPECT_TRUE(train::loadModelState(*assembly->model, checkpoint).has_value());
        // Blocks beside it may be compiled for inference; it stays as it is.
        const graph::ResolvedModel& graph = assembly->model->graph();
        assembly->model->train(false);
        for (const compile::Segment& segment : compile::segmentsOf(graph)) {
            EXPECT_EQ(
                compile::reasonAgainst(segment, *assembly->model).find("is compiled already") != std::string::npos,
                segment.blocks.front() == "features")
                << segment.blocks.front();
        }
    }
    writePackage(file(), "another one, which computes the same");
    trustIt(file());
    const auto resumed = run.resume();
    ASSERT_FALSE(resumed.has_value());
    EXPECT_EQ(resumed.error().code, "package-changed");
    EXPECT_EQ(resumed.error().where, "/model/graph/nodes/features/params/path");
    EXPECT_NE(run.sink.recorded.at("packages").at("features"), sumOf(file()).value().sha256)
        << "the record says what it was trained with";
    TestRun again(m_project, "again");
    again.request.recorded = run.sink.recorded;
    again.request.repeats = true;
    const auto repeated = again.start();
    ASSERT_FALSE(repeated.has_value());
    EXPECT_EQ(repeated.error().code, "package-changed");
    auto assembly = train::assemble(run.request.project, nullptr, "", nullptr);
    ASSERT_TRUE(assembly.has_value());
    const Status loaded = train::loadModelState(*assembly->model, checkpoint);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, "package-changed");
}

TEST_F(PackageRun, OneThatLiesEndsTheRunWithASentence) {
    writePackage(file(), "wrong shape");
    trustIt(file());
    TestRun run(m_project);
    const auto summary = run.start(4);
    ASSERT_FALSE(summary.has_value());
    EXPECT_NE(summary.error().message.find("features (AOTIPackage)"), std::string::npos) << summary.error().message;
    EXPECT_NE(summary.error().message.find("gives float32"), std::string::npos) << summary.error().message;
}

TEST_F(PackageRun, ComputesOnTheCpuWhateverThereIsBesideIt) {
    trustIt(file());
    m_project.training()["device"] = "auto";
    const auto deviceOf = [&](const Json& recorded, const std::string& device) {
        const auto assembly = train::assemble(TestRun(m_project).request.project, recorded, device, nullptr);
        return assembly ? assembly->environment.deviceName : assembly.error().code;
    };
    EXPECT_EQ(deviceOf(nullptr, ""), "cpu");
    EXPECT_EQ(deviceOf(Json{{"device", "cuda:0"}}, ""), "cpu") << "before the package was in the model it ran there";
    EXPECT_EQ(deviceOf(nullptr, "cuda:0"), "package-device");
    EXPECT_EQ(deviceOf(nullptr, "cpu"), "cpu");
}

TEST_F(PackageRun, TrainsInHalfPrecisionToo) {
    trustIt(file());
    m_project.training()["precision"] = "bf16";
    TestRun run(m_project);
    const auto summary = run.start(8);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->steps.applied, 8);
}

}  // namespace
}  // namespace plumbline::test
