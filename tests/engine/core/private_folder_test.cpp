// Temporary folders: nobody else's business, and gone in the end however their process ended.
#include "core/private_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "core/files.h"
#include "support/temporary_folder.h"

namespace plumbline {
namespace {

class PrivateFolders : public ::testing::Test {
protected:
    PrivateFolders() {
        if (const char* before = std::getenv("TMPDIR")) {
            m_before = before;
        }
        ::setenv("TMPDIR", m_folder.path().c_str(), 1);
    }
    ~PrivateFolders() override { m_before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", m_before.c_str(), 1); }
    /// A folder with something in it.
    std::filesystem::path left(const std::string& name) const {
        std::filesystem::create_directories(m_folder / name / "inner");
        EXPECT_TRUE(writeFileAtomically(m_folder / name / "inner" / "file", "content").has_value());
        return m_folder / name;
    }

    plumbline::testing::TemporaryFolder m_folder;
    std::string m_before;
};

TEST_F(PrivateFolders, AreTheirUsersAloneAndGoneWithWhatIsInThem) {
    std::filesystem::path path;
    {
        auto made = PrivateFolder::make("kind");
        ASSERT_TRUE(made.has_value()) << toSentence(made.error());
        const PrivateFolder folder = *std::move(made);
        path = folder.path();
        EXPECT_EQ(path.parent_path(), m_folder.path());
        struct stat info {};
        ASSERT_EQ(::stat(path.c_str(), &info), 0);
        EXPECT_EQ(info.st_mode & 0777U, 0700U);
        EXPECT_TRUE(writeFileAtomically(path / "file", "content").has_value());
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_TRUE(std::filesystem::is_empty(m_folder.path()));
    ::setenv("TMPDIR", (m_folder / "nothing").c_str(), 1);
    EXPECT_FALSE(PrivateFolder::make("kind").has_value());
}

TEST_F(PrivateFolders, OfAProcessThatWasKilledAreRemovedByTheNextOneAndThoseInUseAreNot) {
    const auto mine = PrivateFolder::make("kind");
    ASSERT_TRUE(mine.has_value());
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto theirs = PrivateFolder::make("kind");
        const bool written = theirs && writeFileAtomically(theirs->path() / "file", "content").has_value();
        (void)!::write(ends[1], written ? "y" : "n", 1);
        for (;;) {
            ::pause();
        }
    }
    char told = 0;
    ASSERT_EQ(::read(ends[0], &told, 1), 1);
    ::close(ends[0]);
    ::close(ends[1]);
    EXPECT_EQ(told, 'y');
    const auto folders = [&] {
        return std::distance(std::filesystem::directory_iterator(m_folder.path()),
                             std::filesystem::directory_iterator());
    };
    EXPECT_TRUE(PrivateFolder::make("kind").has_value());
    EXPECT_EQ(folders(), 2) << "mine and that of a process that lives";
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(folders(), 2) << "a kill leaves it";
    EXPECT_TRUE(PrivateFolder::make("another").has_value());
    EXPECT_EQ(folders(), 2) << "it is none of this kind";
    EXPECT_TRUE(PrivateFolder::make("kind").has_value());
    EXPECT_EQ(folders(), 1);
    EXPECT_TRUE(std::filesystem::exists(mine->path()));
}

TEST_F(PrivateFolders, WhatIsNoneOfThemStaysAndLinksAreNotFollowed) {
    const std::filesystem::path target = left("target"), abandoned = left("kind-12-aB3dE6");
    std::filesystem::create_directory_symlink(target, m_folder / "kind-12-aaaaaa");
    std::filesystem::create_directory_symlink(target, abandoned / "link");
    for (const char* name : {"kind-aB3dE6", "kind-12-aB3dE", "kind-12-aB3dE67", "kind--aB3dE6", "kind-1x-aB3dE6",
                             "kind-12-aB.dE6", "kinder-12-aB3dE6", "other-12-aB3dE6"}) {
        left(name);
    }
    EXPECT_TRUE(writeFileAtomically(m_folder / "kind-12-bbbbbb", "a file").has_value());
    EXPECT_TRUE(PrivateFolder::make("kind").has_value());
    EXPECT_FALSE(std::filesystem::exists(abandoned));
    EXPECT_TRUE(std::filesystem::exists(target / "inner" / "file"));
    EXPECT_TRUE(std::filesystem::is_symlink(m_folder / "kind-12-aaaaaa"));
    EXPECT_TRUE(std::filesystem::exists(m_folder / "kind-12-bbbbbb"));
    for (const char* name : {"kind-aB3dE6", "kind-12-aB3dE", "kind-12-aB3dE67", "kind--aB3dE6", "kind-1x-aB3dE6",
                             "kind-12-aB.dE6", "kinder-12-aB3dE6", "other-12-aB3dE6"}) {
        EXPECT_TRUE(std::filesystem::exists(m_folder / name / "inner" / "file")) << name;
    }
}

}  // namespace
}  // namespace plumbline
