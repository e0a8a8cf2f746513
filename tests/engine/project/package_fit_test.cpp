// Packages that blocks name, against the files that are there: what check says without running anything.
#include "project/package_fit.h"

#include <gtest/gtest.h>
#include <algorithm>

#include "blocks/register.h"
#include "core/files.h"
#include "core/processors.h"
#include "support/temporary_folder.h"
#include "support/zip_writer.h"

namespace plumbline::project {
namespace {

using plumbline::testing::packageMembers;
using plumbline::testing::zipOf;

class PackageFit : public ::testing::Test {
protected:
    PackageFit() {
        write(zipOf(packageMembers("code")));
        m_json = parseJson(R"({
  "schema_version": 1, "name": "p",
  "model": {"graph": {
    "inputs": {"x": {"shape": ["B", 4], "dtype": "float32"}},
    "nodes": {
      "features": {"type": "AOTIPackage", "from": ["x"], "params": {"path": "f.pt2", "inputs": "float32 [B, 4]", "output": "float32 [B, 4]"}},
      "fc": {"type": "Linear", "from": "features", "params": {"out_features": 3}}},
    "outputs": {"logits": "fc"}}},
  "data": {
    "sources": {"points": {"type": "csv", "path": "points.csv"}},
    "inputs": {"x": {"from": ["points.a", "points.b", "points.c", "points.d"]}},
    "targets": {"label": {"from": "points.class"}},
    "splits": {"train": 0.6, "validation": 0.2, "test": 0.2}},
  "training": {"device": "cpu", "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}], "optimizer": {"type": "SGD", "lr": 0.1}}})",
                           "p")
                     .value();
    }
    void write(const std::string& content) {
        EXPECT_TRUE(writeFileAtomically(m_folder / "f.pt2", content).has_value());
    }
    /// What is said of blocks that run packages, and of what learns before them.
    std::vector<graph::Problem> problems() {
        const auto project = readProject(m_json, m_folder.path());
        EXPECT_TRUE(project.has_value()) << (project ? "" : toSentence(project.error()));
        return project ? checkProject(*project, blocks::builtinBlocks()).problems : std::vector<graph::Problem>{};
    }
    std::string codes() {
        std::string all;
        for (const graph::Problem& problem : problems()) {
            all += (all.empty() ? "" : " ") + problem.code;
        }
        return all;
    }
    Json& nodes() { return m_json["model"]["graph"]["nodes"]; }

    plumbline::testing::TemporaryFolder m_folder;
    Json m_json;
};

TEST_F(PackageFit, AFeatureExtractorBeforeALayerThatLearnsIsFineAndItsCostsAreSaidToBeUnknown) {
    EXPECT_EQ(codes(), "package-costs");
    const graph::Problem told = problems().front();
    EXPECT_EQ(told.severity, graph::Severity::kInfo);
    EXPECT_EQ(told.block, "features");
}

TEST_F(PackageFit, WhatLearnsBeforeAPackageIsToldNotToLearn) {
    nodes()["before"] = {{"type", "Linear"}, {"from", "x"}, {"params", {{"out_features", 4}}}};
    nodes()["features"]["from"] = Json::array({"before"});
    const std::vector<graph::Problem> all = problems();
    const auto told = std::find_if(all.begin(), all.end(),
                                   [](const graph::Problem& problem) { return problem.code == "unreached-parameter"; });
    ASSERT_NE(told, all.end());
    EXPECT_EQ(told->block, "before");
    EXPECT_NE(told->message.find("gradients stop at features"), std::string::npos) << told->message;
    // With nothing behind it nothing learns at all.
    nodes().erase("fc");
    m_json["model"]["graph"]["outputs"]["logits"] = "features";
    EXPECT_NE(codes().find("nothing-learns"), std::string::npos) << codes();
}

TEST_F(PackageFit, AFileThatIsNotThereOrNoPackageIsCriticalAtItsBlock) {
    const auto critical = [&](const std::string& code) {
        const std::vector<graph::Problem> all = problems();
        ASSERT_FALSE(all.empty()) << code;
        EXPECT_EQ(all.front().code, code);
        EXPECT_EQ(all.front().severity, graph::Severity::kCritical);
        EXPECT_EQ(all.front().block, "features");
        EXPECT_EQ(all.front().pointer, "/model/graph/nodes/features/params/path");
    };
    write("no zip");
    critical("not-a-zip");
    write(zipOf({{"a", "b"}}));
    critical("not-a-package");
    write(zipOf({{"../a", "b"}}));
    critical("damaged-zip");
    write(zipOf(packageMembers("code", "", R"({"AOTI_DEVICE_KEY": "cuda"})")));
    critical("package-elsewhere");
    nodes()["features"]["params"]["path"] = "nothing.pt2";
    critical("file-missing");
    nodes()["features"]["params"]["path"] = "";
    critical("is-a-folder");
}

TEST_F(PackageFit, ARunOnAGpuIsRefused) {
    m_json["training"]["device"] = "cuda:0";
    EXPECT_EQ(codes(),
              hasNvidiaDriver() ? "package-device package-costs" : "package-device package-costs device-not-here");
}

TEST_F(PackageFit, AFileThatManyBlocksNameIsReadOnceUnlessItChanges) {
    int reads = 0;
    PackageReader reader([&](const std::filesystem::path& file, const std::string& model) {
        ++reads;
        return readAotiPackage(file, model);
    });
    const std::filesystem::path file = m_folder / "f.pt2";
    for (int block = 0; block < 3; ++block) {
        EXPECT_TRUE(reader.read(file, "model").has_value());
    }
    EXPECT_EQ(reads, 1);
    EXPECT_EQ(reader.read(file, "another").error().code, "not-a-package") << "one file may hold several models";
    EXPECT_EQ(reads, 2);
    write("no zip");
    EXPECT_EQ(reader.read(file, "model").error().code, "not-a-zip");
    EXPECT_EQ(reader.read(file, "model").error().code, "not-a-zip") << "what is wrong with it is known as well";
    EXPECT_EQ(reads, 3);
    std::filesystem::remove(file);
    EXPECT_EQ(reader.read(file, "model").error().code, "file-missing");
}

TEST_F(PackageFit, EachBlockIsToldOfWhatIsWrongWithTheFileThatTheyShare) {
    nodes()["again"] = nodes()["features"];
    nodes()["again"]["from"] = Json::array({"features"});
    nodes()["fc"]["from"] = "again";
    write("no zip");
    std::string blocks;
    for (const graph::Problem& problem : problems()) {
        blocks += problem.code == "not-a-zip" ? problem.block + " " : "";
    }
    EXPECT_EQ(blocks, "features again ");
}

TEST_F(PackageFit, IsFoundFromTheProjectsFolderAndNamesWhatTrustsIt) {
    const auto project = readProject(m_json, m_folder.path());
    ASSERT_TRUE(project.has_value());
    const graph::ResolvedModel model =
        withPlacedPackages(graph::resolve(project->model, blocks::builtinBlocks()), project->folder);
    EXPECT_EQ(model.find("features")->params.at("path"), (m_folder / "f.pt2").string());
    EXPECT_EQ(model.find("features")->params.at("trust_command"),
              "plumbline trust " + m_folder.path().string() + " features");
    const std::vector<PackageUse> uses = packagesOf(model, "/elsewhere");
    ASSERT_EQ(uses.size(), 1U);
    EXPECT_EQ(uses.front().block, "features");
    EXPECT_EQ(uses.front().file, m_folder / "f.pt2");
}

}  // namespace
}  // namespace plumbline::project
