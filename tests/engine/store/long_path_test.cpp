// Folders whose path is longer than what SQLite takes.

#include "store/database_path.h"
#include "store_fixture.h"

#include <algorithm>
#include <fstream>

namespace plumbline::store {
namespace {

/// A folder below `top` whose path has at least so many bytes.
std::filesystem::path deepFolder(const std::filesystem::path& top, std::size_t bytes) {
    std::filesystem::path folder = top;
    while (folder.string().size() < bytes) {
        folder /=
            std::string(std::min<std::size_t>(200, std::max<std::size_t>(bytes - folder.string().size(), 2) - 1), 'd');
    }
    std::filesystem::create_directories(folder);
    return folder;
}

int openDescriptors() {
    int count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        ++count;
    }
    return count;
}

TEST(LongPath, RunsAreWrittenReadListedAndGoneOnWithAtAnyLengthTheSystemKnows) {
    const testing::TemporaryFolder folder;
    for (const std::size_t bytes : {400U, 450U, 470U, 480U, 490U, 500U, 512U, 600U, 1500U, 3800U}) {
        const int before = openDescriptors();
        const std::filesystem::path runs = deepFolder(folder.path(), bytes) / "runs";
        std::filesystem::path made;
        {
            const auto writer = newRun(runs, "deep");
            ASSERT_NE(writer, nullptr) << bytes;
            made = writer->folder();
            writer->append(writer->declareSeries("loss", 1), point(1, 0.5));
            ASSERT_TRUE(writer->flush()) << bytes;
            // Beside the writer, with its log.
            EXPECT_EQ(pointsOf(made, "loss").size(), 1U) << bytes;
            ASSERT_TRUE(writer->setStatus(withStatus("completed")));
            ASSERT_TRUE(writer->flushDurably());
        }
        EXPECT_FALSE(std::filesystem::exists(made / "run.sqlite-wal")) << bytes;
        auto again = RunWriter::reopen(made);
        ASSERT_TRUE(again) << bytes << ": " << toSentence(again.error());
        again->reset();
        for (int pass = 0; pass < 2; ++pass) {  // the second reads the index
            const auto list = listRuns(runs);
            ASSERT_TRUE(list) << bytes;
            ASSERT_EQ(list->size(), 1U) << bytes;
            EXPECT_EQ(list->front().name, "deep");
        }
        EXPECT_TRUE(std::filesystem::exists(runs / "index.sqlite")) << bytes;
        ASSERT_TRUE(deleteRun(made)) << bytes;
        EXPECT_EQ(openDescriptors(), before) << bytes;
    }
}

TEST(LongPath, ALinkIntoADeepFolderAndARelativePathAreAsLongAsWhatTheyLeadTo) {
    const testing::TemporaryFolder folder;
    const std::filesystem::path deep = deepFolder(folder.path(), 700);
    std::filesystem::create_directory_symlink(deep, folder / "short");
    EXPECT_TRUE(DatabasePath::isTooLong(folder / "short" / "run.sqlite"));
    EXPECT_FALSE(DatabasePath::isTooLong(folder / "run.sqlite"));
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(deep);
    EXPECT_TRUE(DatabasePath::isTooLong("run.sqlite"));
    const auto writer = newRun("runs");
    std::filesystem::current_path(before);
    ASSERT_NE(writer, nullptr);
    ASSERT_NE(newRun(folder / "short" / "runs"), nullptr);
    EXPECT_EQ(listRuns(deep / "runs")->size(), 2U);
}

TEST(RunNames, WhatCouldNotBeFoundByItIsRefusedBeforeThereIsARun) {
    const testing::TemporaryFolder folder;
    for (const std::string name :
         {"latest", "best", "two\nlines", "\x1b[2J", "tab\there", "-x", " ends", "ends ", "\xff"}) {
        const auto writer = RunWriter::create(folder / "runs", name, Json::object());
        ASSERT_FALSE(writer) << name;
        EXPECT_EQ(writer.error().code, "bad-run-name") << name;
        EXPECT_EQ(writer.error().kind, ErrorKind::kUsage);
        EXPECT_EQ(writer.error().message.find('\n'), std::string::npos);
    }
    const auto tooLong = RunWriter::create(folder / "runs", std::string(5000, 'x'), Json::object());
    ASSERT_FALSE(tooLong);
    EXPECT_LT(tooLong.error().message.size(), 200U);
    EXPECT_FALSE(std::filesystem::exists(folder / "runs"));
    for (const std::string name : {"", "latest 2", "Bester Lauf", "wide-net_0.1", "学习率"}) {
        ASSERT_NE(newRun(folder / "runs", name), nullptr) << name;
    }
}

TEST(RunNames, AnOldNameStaysWhileOnlyTheNoteChanges) {
    const testing::TemporaryFolder folder;
    const auto writer = newRun(folder.path(), "fine");
    ASSERT_TRUE(setRunNote(writer->folder(), "fine too", "a\nnote"));
    EXPECT_EQ(setRunNote(writer->folder(), "latest", "").error().code, "bad-run-name");
    EXPECT_EQ(infoOf(writer->folder()).name, "fine too");
    // As an older program let it be named.
    std::ofstream(writer->folder() / "note.json") << R"({"name": "latest", "note": ""})";
    EXPECT_TRUE(setRunNote(writer->folder(), "latest", "with a note"));
    EXPECT_EQ(infoOf(writer->folder()).note, "with a note");
}

}  // namespace
}  // namespace plumbline::store
