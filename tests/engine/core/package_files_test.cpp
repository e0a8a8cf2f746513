// What is read of a compiled package before anything of it runs, and the list of those that may: sums, zip files, what
// a package says, trust.

#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "core/aoti_package.h"
#include "core/files.h"
#include "core/json.h"
#include "core/run_control.h"
#include "core/sha256.h"
#include "core/trusted_files.h"
#include "core/zip_file.h"
#include "support/temporary_folder.h"
#include "support/zip_writer.h"

namespace plumbline {
namespace {

using testing::packageMembers;
using testing::TemporaryFolder;
using testing::ZipMember;
using testing::zipOf;

std::string sumOfText(const std::string& text, std::size_t piece) {
    Sha256 sum;
    for (std::size_t at = 0; at < text.size(); at += piece) {
        sum.add(text.data() + at, std::min(piece, text.size() - at));
    }
    return sum.finish();
}

TEST(Sha256Sum, IsTheStandardsForItsExamplesWhateverPiecesTheyComeIn) {
    EXPECT_EQ(sumOfText("", 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    for (const std::size_t piece : {1U, 3U, 63U, 64U, 65U, 1000U}) {
        EXPECT_EQ(sumOfText("abc", piece), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") << piece;
        EXPECT_EQ(sumOfText("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", piece),
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
            << piece;
        EXPECT_EQ(sumOfText(std::string(1'000'000, 'a'), piece),
                  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
            << piece;
    }
}

class Zip : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& content) {
        const std::filesystem::path file = m_folder / "a.zip";
        std::ofstream(file, std::ios::binary) << content;
        return file;
    }
    std::string codeOf(const std::string& content) {
        const auto zip = ZipFile::open(write(content));
        return zip ? "" : zip.error().code;
    }

    TemporaryFolder m_folder;
};

TEST_F(Zip, ListsAndReadsWhatIsInIt) {
    const std::string plain(10'000, 'x');
    std::string packed(compressBound(plain.size()), '\0');
    z_stream stream{};
    ASSERT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    ASSERT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    ZipMember large{"c", "large"};
    large.zip64 = true;
    ZipMember deflated{"folder/b", packed, static_cast<std::uint32_t>(plain.size())};
    deflated.method = 8;
    const auto zip = ZipFile::open(write(zipOf({{"a", "hello"}, deflated, large, {"folder/", ""}}, plain)));
    ASSERT_TRUE(zip.has_value()) << toSentence(zip.error());
    ASSERT_EQ(zip->entries().size(), 4U);
    EXPECT_EQ(zip->read(zip->entries()[0], 100).value(), "hello");
    EXPECT_EQ(zip->read(zip->entries()[1], 20'000).value(), plain);
    EXPECT_EQ(zip->read(zip->entries()[2], 100).value(), "large");
    EXPECT_EQ(zip->totalBytes(), 5U + 10'000U + 5U);
    EXPECT_FALSE(zip->read(zip->entries()[1], 100).has_value());
}

TEST_F(Zip, CutOffAnywhereIsASentence) {
    const std::string whole = zipOf({{"a", "hello"}, {"b", "world"}});
    ASSERT_EQ(codeOf(whole), "");
    for (std::size_t length = 0; length < whole.size(); ++length) {
        EXPECT_NE(codeOf(whole.substr(0, length)), "") << length;
    }
}

TEST_F(Zip, OneBitWrongAnywhereEndsInAListOrASentence) {
    const std::string whole = zipOf({{"a", "hello"}, {"b", "world"}});
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
        std::string wrong = whole;
        wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ (1 << (bit % 8)));
        const auto zip = ZipFile::open(write(wrong));
        if (!zip) {
            EXPECT_FALSE(zip.error().message.empty()) << bit;
            continue;
        }
        for (const ZipEntry& entry : zip->entries()) {
            const auto content = zip->read(entry, 1 << 20);
            EXPECT_TRUE(content.has_value() || !content.error().message.empty()) << bit;
        }
    }
}

TEST_F(Zip, NamesThatLeadOutOfAFolderAreRefused) {
    for (const char* name : {"../a", "a/../../b", "/etc/passwd", "a/./b", "a//b", "a\\b", "..", ".", "", "a\nb"}) {
        EXPECT_EQ(codeOf(zipOf({{"fine", "x"}, {name, "x"}})), "damaged-zip") << name;
    }
    EXPECT_EQ(codeOf(zipOf({{"a", "x"}, {"a", "y"}})), "damaged-zip");
    EXPECT_EQ(codeOf(zipOf({{"a..b", "x"}, {"a/..b", "y"}})), "");
}

TEST_F(Zip, SizesThatTheFileHasNoRoomForAreRefused) {
    EXPECT_EQ(codeOf(zipOf({{"a", "x", 0xfffffffe}})), "damaged-zip");
    ZipMember bomb{"a", "xx", 1'000'000'000};
    bomb.method = 8;
    EXPECT_EQ(codeOf(zipOf({bomb})), "damaged-zip");
    EXPECT_EQ(codeOf(zipOf({{"a", "x", 0, 0x7fffffff}})), "damaged-zip");
    ZipMember encrypted{"a", "x"};
    encrypted.flags = 1;
    EXPECT_EQ(codeOf(zipOf({encrypted})), "damaged-zip");
    ZipMember unknown{"a", "x"};
    unknown.method = 14;
    EXPECT_EQ(codeOf(zipOf({unknown})), "damaged-zip");
}

TEST_F(Zip, AWrongChecksumIsSeenWhenTheEntryIsRead) {
    ZipMember wrong{"a", "hello"};
    wrong.wrongChecksum = true;
    const auto zip = ZipFile::open(write(zipOf({wrong})));
    ASSERT_TRUE(zip.has_value());
    EXPECT_EQ(zip->read(zip->entries()[0], 100).error().code, "damaged-zip");
}

TEST_F(Zip, WhatIsNoFileIsASentence) {
    EXPECT_EQ(ZipFile::open(m_folder / "nothing").error().code, "file-missing");
    EXPECT_EQ(ZipFile::open(m_folder.path()).error().code, "is-a-folder");
    EXPECT_EQ(ZipFile::open("/dev/zero").error().code, "not-a-file");
    ASSERT_EQ(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(ZipFile::open(m_folder / "pipe").error().code, "not-a-file");
    EXPECT_EQ(codeOf("no zip at all"), "not-a-zip");
}

class Package : public Zip {
protected:
    Result<AotiPackage> package(const std::vector<ZipMember>& members, const std::string& model = "model") {
        return readAotiPackage(write(zipOf(members)), model);
    }
};

TEST_F(Package, SaysForWhichDeviceItWasCompiled) {
    const auto cpu = package(packageMembers("code"));
    ASSERT_TRUE(cpu.has_value()) << toSentence(cpu.error());
    EXPECT_EQ(cpu->device, "cpu");
    EXPECT_EQ(cpu->bytes, std::filesystem::file_size(m_folder / "a.zip"));
    EXPECT_TRUE(runsHere(*cpu, "a.zip").has_value());
}

TEST_F(Package, ForAnotherMachineIsRefused) {
    for (const char* metadata :
         {R"({"AOTI_DEVICE_KEY": "cuda"})", R"({"AOTI_DEVICE_KEY": "cpu", "AOTI_PLATFORM": "win32"})",
          R"({"AOTI_DEVICE_KEY": "cpu", "AOTI_MACHINE": "vax"})"}) {
        const auto read = package(packageMembers("code", "", metadata));
        ASSERT_TRUE(read.has_value()) << metadata;
        const Status runs = runsHere(*read, "a.zip");
        ASSERT_FALSE(runs.has_value()) << metadata;
        EXPECT_EQ(runs.error().code, "package-elsewhere");
        EXPECT_FALSE(runs.error().hint.empty());
    }
}

TEST_F(Package, WhatIsNoneIsASentence) {
    EXPECT_EQ(package({{"a", "hello"}}).error().code, "not-a-package");
    EXPECT_EQ(package(packageMembers("code"), "other").error().message.find("it has \"model\"") == std::string::npos,
              false);
    for (const char* metadata : {"", "{", "[]", "{}", R"({"AOTI_DEVICE_KEY": 7})", "\xff"}) {
        EXPECT_EQ(package(packageMembers("code", "", metadata)).error().code, "not-a-package") << metadata;
    }
    std::vector<ZipMember> source = packageMembers("code");
    source[2].name = "test/data/aotinductor/model/code.wrapper.cpp";
    const auto read = package(source);
    EXPECT_NE(read.error().message.find("source code"), std::string::npos) << read.error().message;
    std::vector<ZipMember> twice = packageMembers("code");
    twice.push_back({"test/data/aotinductor/model/other.wrapper.so", "code"});
    EXPECT_EQ(package(twice).error().code, "not-a-package");
}

class Trust : public ::testing::Test {
protected:
    Trust() { ::setenv("XDG_CONFIG_HOME", (m_folder / "config").c_str(), 1); }
    ~Trust() override { ::unsetenv("XDG_CONFIG_HOME"); }
    std::filesystem::path file(const std::string& content) {
        const std::filesystem::path path = m_folder / "file";
        EXPECT_TRUE(writeFileAtomically(path, content).has_value());
        return path;
    }

    TemporaryFolder m_folder;
};

TEST_F(Trust, GoesByWhatIsInAFileAndCanBeTakenBack) {
    const auto sum = sumOf(file("abc"));
    ASSERT_TRUE(sum.has_value());
    EXPECT_EQ(sum->sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sum->bytes, 3U);
    EXPECT_FALSE(isTrusted(sum->sha256).value());
    ASSERT_TRUE(trustFile(m_folder / "file", *sum).has_value());
    ASSERT_TRUE(trustFile(m_folder / "file", *sum).has_value());
    EXPECT_TRUE(isTrusted(sum->sha256).value());
    EXPECT_EQ(trustedFiles().value().size(), 1U);
    EXPECT_FALSE(isTrusted(sumOf(file("abd")).value().sha256).value());
    struct stat info {};
    ASSERT_EQ(::stat(trustListFile().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U);
    EXPECT_TRUE(distrustFile(sum->sha256).value());
    EXPECT_FALSE(distrustFile(sum->sha256).value());
    EXPECT_FALSE(isTrusted(sum->sha256).value());
}

TEST_F(Trust, IsNotHadFromAListThatIsDamagedOrThatOthersCanWrite) {
    const FileSum sum = sumOf(file("abc")).value();
    ASSERT_TRUE(trustFile(m_folder / "file", sum).has_value());
    ASSERT_EQ(::chmod(trustListFile().c_str(), 0666), 0);
    EXPECT_EQ(isTrusted(sum.sha256).error().code, "trust-list");
    for (const char* content : {"", "{", "[]", "{}", R"({"format": 2, "files": []})", R"({"format": 1, "files": 7})",
                                R"({"format": 1, "files": [7]})", R"({"format": 1, "files": [{"sha256": "*"}]})"}) {
        ASSERT_TRUE(writeFileAtomically(trustListFile(), content).has_value());
        ASSERT_EQ(::chmod(trustListFile().c_str(), 0600), 0);
        EXPECT_EQ(isTrusted(sum.sha256).error().code, "trust-list") << content;
        EXPECT_FALSE(trustFile(m_folder / "file", sum).has_value()) << content;
        EXPECT_EQ(readFile(trustListFile()).value(), content);
    }
}

TEST_F(Trust, IsNotHadFromAFolderThatOthersCanWriteNorFromARelativeOne) {
    const FileSum sum = sumOf(file("abc")).value();
    ASSERT_TRUE(trustFile(m_folder / "file", sum).has_value());
    const std::filesystem::path folder = trustListFile().parent_path();
    for (const mode_t mode : {0770U, 0707U}) {
        ASSERT_EQ(::chmod(folder.c_str(), mode), 0);
        EXPECT_EQ(isTrusted(sum.sha256).error().code, "trust-list");
    }
    ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
    EXPECT_TRUE(isTrusted(sum.sha256).value());
    // A folder in which there is no list yet is made ours.
    std::filesystem::remove(trustListFile());
    ASSERT_EQ(::chmod(folder.c_str(), 0777), 0);
    ASSERT_TRUE(trustFile(m_folder / "file", sum).has_value());
    EXPECT_TRUE(isTrusted(sum.sha256).value());
    // The working directory may be a project's.
    ::setenv("XDG_CONFIG_HOME", "here", 1);
    EXPECT_TRUE(userConfigFolder().is_absolute()) << userConfigFolder();
}

TEST_F(Trust, AFileIsReadNoFurtherThanItIsWantedAndThereIsRoom) {
    RunControl control;
    control.requestStop();
    EXPECT_EQ(sumOf(file("abc"), &control).error().code, "stopped");
    EXPECT_EQ(copyWithSum(file("abc"), m_folder / "stopped", &control).error().code, "stopped");
    // Nothing but its size is large; read to its end it would take an hour.
    std::filesystem::resize_file(m_folder / "file", std::uintmax_t{1} << 40);
    EXPECT_EQ(sumOf(m_folder / "file").error().code, "file-too-large");
    // What cannot be written is told at once.
    std::filesystem::resize_file(m_folder / "file", std::uintmax_t{8} << 20);
    struct rlimit before {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit small { 1U << 20, before.rlim_max };
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto copied = copyWithSum(m_folder / "file", m_folder / "large");
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(copied.error().code, "disk-full");
}

TEST_F(Trust, APipeIsNotEvenOpened) {
    const std::filesystem::path pipe = m_folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int watch = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    ASSERT_GE(watch, 0);
    ASSERT_GE(::inotify_add_watch(watch, pipe.c_str(), IN_OPEN), 0);
    EXPECT_EQ(sumOf(pipe).error().code, "not-a-file");
    EXPECT_EQ(ZipFile::open(pipe).error().code, "not-a-file");
    std::array<char, 4096> event{};
    EXPECT_LT(::read(watch, event.data(), event.size()), 0) << "it was opened";
    ::close(watch);
    EXPECT_EQ(sumOf("/dev/null").error().code, "not-a-file");
    EXPECT_EQ(sumOf(m_folder / "nothing").error().code, "file-missing");
    EXPECT_EQ(sumOf(m_folder.path()).error().code, "is-a-folder");
}

TEST_F(Trust, LosesNothingWhenSeveralAreTrustedAtOnce) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([i] {
            Sha256 sum;
            sum.add(&i, sizeof i);
            EXPECT_TRUE(trustFile("file", {4, sum.finish()}).has_value());
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(trustedFiles().value().size(), 8U);
}

TEST_F(Trust, TheSumOfACopyIsTheCopys) {
    const auto sum = copyWithSum(file("abc"), m_folder / "copy");
    ASSERT_TRUE(sum.has_value());
    EXPECT_EQ(sum->sha256, sumOf(m_folder / "copy").value().sha256);
    EXPECT_FALSE(copyWithSum(m_folder / "file", m_folder / "copy").has_value());
    struct stat info {};
    ASSERT_EQ(::stat((m_folder / "copy").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U);
}

}  // namespace
}  // namespace plumbline
