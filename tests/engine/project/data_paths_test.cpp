#include "project/data_paths.h"

#include <gtest/gtest.h>

#include "core/copy_tree.h"
#include "core/files.h"
#include "support/temporary_folder.h"

using namespace plumbline;
using namespace plumbline::project;
using plumbline::testing::TemporaryFolder;

namespace {

Json withSource(const Json& source) {
    return Json{{"name", "p"}, {"data", {{"sources", {{"s", source}}}}}};
}

std::string moved(const std::string& path, const std::filesystem::path& from, const std::filesystem::path& to) {
    return movedProject(withSource({{"type", "csv"}, {"path", path}}), from, to)["data"]["sources"]["s"]["path"];
}

}  // namespace

TEST(DataPaths, WhatTravelsWithAProjectIsTheFolderDataAlone) {
    EXPECT_TRUE(travelsWithProject("data/a.csv"));
    EXPECT_TRUE(travelsWithProject("./data"));
    EXPECT_TRUE(travelsWithProject("other/../data/a.csv"));
    EXPECT_FALSE(travelsWithProject("data/../other.csv"));
    EXPECT_FALSE(travelsWithProject("database.csv"));
    EXPECT_FALSE(travelsWithProject("/data/a.csv"));
}

TEST(DataPaths, AMovedProjectFindsWhatItFoundBefore) {
    const TemporaryFolder folder;
    const auto from = folder / "from";
    for (const auto& to : {folder / "to", folder / "deep" / "er"}) {
        EXPECT_EQ(moved("data/a.csv", from, to), "data/a.csv");
        EXPECT_EQ(moved("/a.csv", from, to), "/a.csv");
        for (const char* path : {"tables/a.csv", "../a.csv"}) {
            EXPECT_EQ(std::filesystem::weakly_canonical(to / moved(path, from, to)),
                      std::filesystem::weakly_canonical(from / path))
                << path << ' ' << to;
        }
    }
    EXPECT_EQ(moved("../a.csv", from, folder / "to"), "../a.csv") << "the same file from there";
    const Json idx = movedProject(withSource({{"type", "idx"}, {"images", "i.idx"}, {"labels", "l.idx"}}), from,
                                  folder / "to")["data"]["sources"]["s"];
    EXPECT_EQ(idx["images"], std::filesystem::weakly_canonical(from / "i.idx").string());
    EXPECT_EQ(idx["labels"], std::filesystem::weakly_canonical(from / "l.idx").string());
    EXPECT_EQ(movedProject(Json{{"name", "p"}}, from, folder / "to"), (Json{{"name", "p"}}));
    EXPECT_EQ(movedProject(withSource(Json(7)), from, folder / "to"), withSource(Json(7)));
}

TEST(DataPaths, PackagesMoveWithTheProjectAsDataDo) {
    const TemporaryFolder folder;
    const auto from = folder / "from";
    const auto node = [](const char* type, const Json& path) {
        return Json{{"type", type}, {"params", {{"path", path}}}};
    };
    const Json graph{{"nodes",
                      {{"a", node("AOTIPackage", "a.pt2")},
                       {"b", node("AOTIPackage", "data/b.pt2")},
                       {"c", node("Linear", "c.pt2")},
                       {"d", node("AOTIPackage", "=file")},
                       {"e", 7}}}};
    const Json moved = movedProject(Json{{"model", {{"graph", graph}, {"definitions", {{"D", graph}, {"E", 7}}}}}},
                                    from, folder / "to");
    for (const Json& nodes : {moved["model"]["graph"]["nodes"], moved["model"]["definitions"]["D"]["nodes"]}) {
        EXPECT_EQ(nodes["a"]["params"]["path"], std::filesystem::weakly_canonical(from / "a.pt2").string());
        EXPECT_EQ(nodes["b"]["params"]["path"], "data/b.pt2");
        EXPECT_EQ(nodes["c"]["params"]["path"], "c.pt2");
        EXPECT_EQ(nodes["d"]["params"]["path"], "=file");
    }
}

TEST(DataPaths, TheStampTellsEveryChangeOfAFile) {
    const TemporaryFolder folder;
    ASSERT_TRUE(makeFolder(folder / "images" / "a"));
    ASSERT_TRUE(writeFileAtomically(folder / "images" / "a" / "1.png", "x"));
    const Json project = withSource({{"type", "image_folder"}, {"path", "images"}});
    const std::string before = dataStamp(project, folder.path());
    EXPECT_EQ(dataStamp(project, folder.path()), before);
    ASSERT_TRUE(writeFileAtomically(folder / "images" / "a" / "1.png", "xy"));
    const std::string larger = dataStamp(project, folder.path());
    EXPECT_NE(larger, before);
    ASSERT_TRUE(writeFileAtomically(folder / "images" / "a" / "2.png", "x"));
    EXPECT_NE(dataStamp(project, folder.path()), larger);
}

TEST(SameTree, TellsEveryDifferenceOfNamesAndContent) {
    const TemporaryFolder folder;
    ASSERT_TRUE(makeFolder(folder / "a" / "deep"));
    const std::string content(200000, 'c');
    ASSERT_TRUE(writeFileAtomically(folder / "a" / "deep" / "f", content));
    ASSERT_TRUE(copyTree(folder / "a", folder / "b"));
    EXPECT_TRUE(sameTree(folder / "a", folder / "b"));
    std::string changed = content;
    changed.back() = 'd';
    ASSERT_TRUE(writeFileAtomically(folder / "b" / "deep" / "f", changed));
    EXPECT_FALSE(sameTree(folder / "a", folder / "b"));
    ASSERT_TRUE(writeFileAtomically(folder / "b" / "deep" / "f", content));
    ASSERT_TRUE(writeFileAtomically(folder / "b" / "more", ""));
    EXPECT_FALSE(sameTree(folder / "a", folder / "b"));
    EXPECT_FALSE(sameTree(folder / "b", folder / "a"));
    EXPECT_FALSE(sameTree(folder / "a", folder / "nowhere"));
    EXPECT_FALSE(sameTree(folder / "a", folder / "a" / "deep" / "f"));
}
