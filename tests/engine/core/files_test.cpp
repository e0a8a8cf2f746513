#include "core/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "support/temporary_folder.h"

using namespace plumbline;
using plumbline::testing::TemporaryFolder;

TEST(Files, WhatIsWrittenIsReadBack) {
    const TemporaryFolder folder;
    const std::string content("a\0b\n\xff", 5);
    ASSERT_TRUE(writeFileAtomically(folder / "f", content));
    EXPECT_EQ(readFile(folder / "f").value(), content);
}

TEST(Files, AFailedWriteLeavesTheOldFileAndNoTemporaryOne) {
    const TemporaryFolder folder;
    const auto file = folder / "sub";
    ASSERT_TRUE(makeFolder(file));
    ASSERT_TRUE(writeFileAtomically(file / "inner", "kept"));
    // A folder that is not empty cannot be replaced by a file.
    const Status status = writeFileAtomically(file, "new");
    ASSERT_FALSE(status);
    EXPECT_EQ(readFile(file / "inner").value(), "kept");
    int entries = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        ++entries;
    }
    EXPECT_EQ(entries, 1);
}

TEST(Files, AnUncommittedFileIsRemoved) {
    const TemporaryFolder folder;
    ASSERT_TRUE(writeFileAtomically(folder / "f", "old"));
    std::filesystem::path temporary;
    {
        AtomicFile atomic(folder / "f");
        temporary = atomic.temporaryPath();
        ASSERT_TRUE(writeFileAtomically(temporary, "half"));
    }
    EXPECT_FALSE(std::filesystem::exists(temporary));
    EXPECT_EQ(readFile(folder / "f").value(), "old");
}

TEST(Files, ALinkTakesThePlaceOfAFileThatIsThere) {
    const TemporaryFolder folder;
    ASSERT_TRUE(writeFileAtomically(folder / "f", "old"));
    ASSERT_TRUE(writeFileAtomically(folder / "other", "new"));
    AtomicFile atomic(folder / "f");
    std::error_code error;
    std::filesystem::create_hard_link(folder / "other", atomic.clearedPath(), error);
    ASSERT_FALSE(error) << error.message();
    ASSERT_TRUE(atomic.commit());
    EXPECT_TRUE(std::filesystem::equivalent(folder / "f", folder / "other"));
    EXPECT_EQ(readFile(folder / "f").value(), "new");
}

TEST(Files, WhatAKilledWriterLeftIsKnownByItsAgeAndItsProcess) {
    const TemporaryFolder folder;
    const pid_t ended = ::fork();
    if (ended == 0) {
        ::_exit(0);
    }
    ASSERT_EQ(::waitpid(ended, nullptr, 0), ended);
    const auto left = [&](const std::string& name, bool old) {
        const std::filesystem::path file = folder / name;
        EXPECT_TRUE(writeFileAtomically(file, "half"));
        if (old) {
            std::filesystem::last_write_time(file,
                                             std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
        }
        return file;
    };
    const std::string byEnded = std::to_string(ended);
    EXPECT_TRUE(isAbandonedWrite(left("f." + byEnded + "-0.tmp", true)));
    EXPECT_FALSE(isAbandonedWrite(left("f." + byEnded + "-1.tmp", false))) << "another machine may be writing it";
    EXPECT_FALSE(isAbandonedWrite(left("f." + std::to_string(::getpid()) + "-0.tmp", true))) << "its writer lives";
    for (const char* name : {"f.tmp", "f.-0.tmp", "f.x-0.tmp", "f.99999999999-0.tmp", "notes-2024.tmp", "f", "-.tmp"}) {
        EXPECT_FALSE(isAbandonedWrite(left(name, true))) << name;
    }
}

TEST(Files, LinksInACircleAreASentenceAndStayAsTheyAre) {
    const TemporaryFolder folder;
    std::filesystem::create_symlink(folder / "b", folder / "a");
    std::filesystem::create_symlink(folder / "a", folder / "b");
    const Status written = writeFileAtomically(folder / "a", "lost");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, "bad-path");
    for (const char* link : {"a", "b"}) {
        EXPECT_TRUE(std::filesystem::is_symlink(folder / link)) << link;
    }
}

TEST(Files, AFolderIsMadeWhereALinkLeadsTo) {
    const TemporaryFolder folder;
    std::filesystem::create_symlink("far/away", folder / "link");
    ASSERT_TRUE(makeFolder(folder / "link"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_TRUE(std::filesystem::is_directory(folder / "far" / "away"));
    ASSERT_TRUE(makeFolder(std::filesystem::path((folder / "link").string() + "/"))) << "one that is there";
    EXPECT_EQ(followLinks((folder / "link").string() + "/"), folder / "far/away");
}

TEST(Files, ALinkStaysALinkAndWhatItLeadsToIsReplaced) {
    const TemporaryFolder folder;
    ASSERT_TRUE(makeFolder(folder / "elsewhere"));
    ASSERT_TRUE(writeFileAtomically(folder / "elsewhere" / "file", "old"));
    std::filesystem::create_symlink("elsewhere/file", folder / "near");
    std::filesystem::create_symlink(folder / "near", folder / "far");
    std::filesystem::create_symlink("elsewhere/later", folder / "dangling");
    ASSERT_TRUE(writeFileAtomically(folder / "far", "new"));
    ASSERT_TRUE(writeFileAtomically(folder / "dangling", "made"));
    for (const char* link : {"near", "far", "dangling"}) {
        EXPECT_TRUE(std::filesystem::is_symlink(folder / link)) << link;
    }
    EXPECT_EQ(readFile(folder / "elsewhere" / "file").value(), "new");
    EXPECT_EQ(readFile(folder / "elsewhere" / "later").value(), "made");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "elsewhere"), {}), 2);
}

TEST(Files, PermissionsStayWhatTheyWereAndHoldWhileTheFileIsWritten) {
    const TemporaryFolder folder;
    const auto modeOf = [](const std::filesystem::path& file) {
        struct stat info {};
        return ::stat(file.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
    };
    for (const mode_t mode : {0600U, 0640U, 0444U, 0664U}) {
        const auto file = folder / std::to_string(mode);
        ASSERT_TRUE(writeFileAtomically(file, "old"));
        ASSERT_EQ(::chmod(file.c_str(), mode), 0);
        AtomicFile atomic(file);
        FileWriter writer(atomic.temporaryPath(), file);
        writer.write("new", 3);
        EXPECT_EQ(modeOf(atomic.temporaryPath()) & 077, 0U) << std::oct << mode;
        ASSERT_TRUE(writer.close());
        ASSERT_TRUE(atomic.commit());
        EXPECT_EQ(modeOf(file), mode) << std::oct << mode;
        EXPECT_EQ(readFile(file).value(), "new");
    }
}

TEST(Files, AMissingFileAndAFolderAreSentences) {
    const TemporaryFolder folder;
    const auto missing = readFile(folder / "none");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, "file-missing");
    EXPECT_NE(missing.error().message.find("none"), std::string::npos);
    const auto directory = readFile(folder.path());
    ASSERT_FALSE(directory);
    EXPECT_EQ(directory.error().code, "is-a-folder");
}

TEST(Files, AFullDiskIsTheMachinesFault) {
    const Error error = fileError(ENOSPC, "write", "/some/file");
    EXPECT_EQ(error.kind, ErrorKind::kMachine);
    EXPECT_EQ(error.code, "disk-full");
    EXPECT_FALSE(error.hint.empty());
}

TEST(Files, TwoThreadsThatWriteOneFileLeaveOneOfTheTwoWhole) {
    const TemporaryFolder folder;
    const std::string a(1 << 20, 'a');
    const std::string b(1 << 20, 'b');
    const auto write = [&](const std::string& content) {
        for (int round = 0; round < 20; ++round) {
            EXPECT_TRUE(writeFileAtomically(folder / "f", content));
        }
    };
    std::thread other([&] { write(b); });
    write(a);
    other.join();
    const std::string result = readFile(folder / "f").value();
    EXPECT_TRUE(result == a || result == b);
}

TEST(Files, WithoutHomeTheCacheIsTheUsersOwnAllTheSame) {
    const char* home = std::getenv("HOME");
    const std::string before = home != nullptr ? home : "";
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const std::string cacheBefore = cache != nullptr ? cache : "";
    ::unsetenv("HOME");
    ::unsetenv("XDG_CACHE_HOME");
    EXPECT_NE(userCacheFolder().string().substr(0, 5), "/tmp/");
    ::setenv("HOME", before.c_str(), 1);
    if (cache != nullptr) {
        ::setenv("XDG_CACHE_HOME", cacheBefore.c_str(), 1);
    }
}

TEST(Files, EveryFailureOfASystemCallHasANextStepAndNoWriteIsBlamedOnTheProject) {
    for (int value = 1; value < 134; ++value) {
        for (const char* doing : {"read", "write", "make the folder"}) {
            const Error error = fileError(value, doing, "/some/file");
            EXPECT_FALSE(error.hint.empty()) << value;
            EXPECT_NE(error.message.find("/some/file"), std::string::npos) << value;
        }
    }
    for (const int value : {EFBIG, EIO, EMFILE, ENOMEM, ETIMEDOUT, ENXIO, ESTALE}) {
        EXPECT_EQ(fileError(value, "write", "/some/file").kind, ErrorKind::kMachine) << value;
    }
}

TEST(Files, WhatIsNoRegularFileOrTooLargeIsRefusedInsteadOfReadWithoutEnd) {
    const TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    for (const std::filesystem::path& endless : {folder / "pipe", std::filesystem::path("/dev/zero")}) {
        const auto read = readFile(endless);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().code, "not-a-file");
        EXPECT_FALSE(read.error().hint.empty());
    }
    ASSERT_TRUE(writeFileAtomically(folder / "f", std::string(100, 'x')));
    EXPECT_EQ(readFile(folder / "f", 100).value().size(), 100U);
    const auto large = readFile(folder / "f", 99);
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().code, "file-too-large");
}

TEST(Files, AWriterKeepsItsFirstErrorAndSwallowsTheRest) {
    FileWriter writer("/dev/full", "/shown/name");
    writer.write("abc", 3);
    writer.write("def", 3);
    const Status closed = writer.close();
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().code, "disk-full");
    EXPECT_NE(closed.error().message.find("/shown/name"), std::string::npos);
    EXPECT_EQ(FileWriter("/nonexistent/folder/f").close().error().code, "file-missing");
}
