#include "support/every_failing_write.h"

#include "core/files.h"
#include "project/project.h"
#include "support/temporary_folder.h"

namespace plumbline::project {
namespace {

using testing::TemporaryFolder;

TEST(FailingSave, LeavesProjectAndLayoutAsTheyWereWhicheverWriteFails) {
    for (const testing::Disk& disk : testing::kDisks) {
        for (const bool hadLayout : {true, false}) {
            const TemporaryFolder folder;
            Project before = readProject(makeFromTemplate("mlp", Json::object(), "sample").value(), folder.path()).value();
            if (hadLayout) {
                before.layout = Json{{"", {{"hidden", {1, 2}}}}};
            }
            Project after = withSetting(before, "training.seed", "7").value();
            after.layout = Json{{"", {{"hidden", {30, 40}}}}};
            const auto begin = [&] {
                std::filesystem::remove_all(folder.path());
                ASSERT_TRUE(saveProject(before));
            };
            begin();
            const long calls = testing::forEveryFailingWrite(
                disk, folder.path(), [&] { return saveProject(after); },
                [&](bool reached, const Status& status, long n) {
                    ASSERT_EQ(status.has_value(), !reached) << "write " << n;
                    const auto now = openProject(folder.path());
                    ASSERT_TRUE(now) << "write " << n << ": " << toSentence(now.error());
                    EXPECT_EQ(now->json, status ? after.json : before.json) << "write " << n;
                    // On a disk that stays full the old layout cannot be written back either; what stands there is whole.
                    if (status || !disk.always) {
                        EXPECT_EQ(now->layout, status ? after.layout : before.layout) << "write " << n;
                    }
                    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
                        EXPECT_EQ(entry.path().extension(), ".json") << "write " << n << ": " << entry.path();
                    }
                    begin();
                });
            EXPECT_GE(calls, 8) << "open, write, sync and rename of two files";
        }
    }
}

}  // namespace
}  // namespace plumbline::project
