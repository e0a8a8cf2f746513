#include "support/every_failing_write.h"

#include "core/files.h"
#include "project/project.h"
#include "support/temporary_folder.h"

namespace plumbline::project {
namespace {

using testing::TemporaryFolder;

/// What an interrupted save left does no harm to the next ones, nor does it stay.
void expectSavesGoOn(Project project) {
    for (int i = 0; i < 3; ++i) {
        // The layout alone, then both.
        project.layout = Json{{"", {{"hidden", {100 + i, 200}}}}};
        if (i == 2) {
            project = withSetting(project, "training.seed", "70").value();
        }
        ASSERT_TRUE(saveProject(project));
        const auto now = openProject(project.folder);
        ASSERT_TRUE(now);
        EXPECT_EQ(now->json, project.json);
        EXPECT_EQ(now->layout, project.layout);
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(project.folder), {}), 2)
        << "project.json and layout.json";
}

/// A project as it was saved, and what the save under test writes over it.
struct TwoSaves {
    TwoSaves(const TemporaryFolder& folder, bool hadLayout)
        : before(readProject(makeFromTemplate("mlp", Json::object(), "sample").value(), folder.path()).value()) {
        if (hadLayout) {
            before.layout = Json{{"", {{"hidden", {1, 2}}}}};
        }
        after = withSetting(before, "training.seed", "7").value();
        after.layout = Json{{"", {{"hidden", {30, 40}}}}};
    }
    void begin() const {
        std::filesystem::remove_all(before.folder);
        ASSERT_TRUE(saveProject(before));
    }

    Project before, after;
};

TEST(FailingSave, LeavesProjectAndLayoutAsTheyWereWhicheverWriteFails) {
    for (const testing::Disk& disk : testing::kDisks) {
        for (const bool hadLayout : {true, false}) {
            const TemporaryFolder folder;
            const TwoSaves saves(folder, hadLayout);
            const Project &before = saves.before, &after = saves.after;
            const auto begin = [&] { saves.begin(); };
            begin();
            long failed = 0;
            const long calls = testing::forEveryFailingWrite(
                disk, folder.path(), [&] { return saveProject(after); },
                [&](bool reached, const Status& status, long n) {
                    // Past the commit point both are saved, whatever becomes of tidying up.
                    ASSERT_TRUE(status.has_value() || reached) << "write " << n;
                    failed += status ? 0 : 1;
                    const auto now = openProject(folder.path());
                    ASSERT_TRUE(now) << "write " << n << ": " << toSentence(now.error());
                    EXPECT_EQ(now->json, status ? after.json : before.json) << "write " << n;
                    EXPECT_EQ(now->layout, status ? after.layout : before.layout) << "write " << n;
                    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
                        EXPECT_EQ(entry.path().extension(), ".json") << "write " << n << ": " << entry.path();
                    }
                    expectSavesGoOn(after);
                    begin();
                });
            EXPECT_GE(calls, 8) << "open, write, sync and rename of two files";
            EXPECT_GE(failed, 8);
        }
    }
}

TEST(FailingSave, AKillLeavesProjectAndLayoutOfOneSaveWhereverItComes) {
    const TemporaryFolder folder;
    const TwoSaves saves(folder, true);
    const Project &before = saves.before, &after = saves.after;
    const auto begin = [&] { saves.begin(); };
    begin();
    int old = 0;
    const long calls = testing::forEveryKill(
        folder.path(), [&](long) { return saveProject(after).has_value(); },
        [&](bool killed, long n) {
            const auto now = openProject(folder.path());
            ASSERT_TRUE(now) << "write " << n << ": " << toSentence(now.error());
            const bool isOld = now->json == before.json;
            EXPECT_TRUE(killed || !isOld);
            EXPECT_EQ(now->json, isOld ? before.json : after.json) << "write " << n;
            EXPECT_EQ(now->layout, isOld ? before.layout : after.layout) << "write " << n;
            old += isOld ? 1 : 0;
            if (killed) {
                // A file that was half written is left behind under a name of its own; a save an hour later takes it
                // away.
                for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
                    if (entry.path().extension() == ".tmp") {
                        std::filesystem::last_write_time(
                            entry, std::filesystem::file_time_type::clock::now() - std::chrono::minutes(61));
                    }
                }
                expectSavesGoOn(isOld ? before : after);
            }
            begin();
        });
    EXPECT_GE(old, 6) << "killed before the commit point";
    EXPECT_GE(calls - old, 3) << "and behind it";
}

}  // namespace
}  // namespace plumbline::project
