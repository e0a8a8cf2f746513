// How LibTorch and the runtime are found and opened, with stand-ins for both. openEngine keeps what it opened, so each
// case has a process of its own.

#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "session/engine.h"
#include "support/temporary_folder.h"

namespace plumbline::session {
namespace {

/// Runs `work` in a child; its text.
std::string inChild(const std::function<std::string()>& work) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const std::string text = work();
        [[maybe_unused]] const ssize_t written = ::write(ends[1], text.data(), text.size());
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(got));
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << "it crashed";
    return text;
}

std::string openedWith(const std::string& libtorch, const std::string& runtime) {
    return inChild([&]() -> std::string {
        ::setenv("PLUMBLINE_LIBTORCH", libtorch.c_str(), 1);
        ::setenv("PLUMBLINE_RUNTIME", runtime.c_str(), 1);
        ::unsetenv("OMP_WAIT_POLICY");
        const auto engine = openEngine();
        if (!engine) {
            EXPECT_EQ(engine.error().kind, ErrorKind::kMachine);
            return engine.error().code + (engine.error().hint.empty() ? " and no hint" : "");
        }
        if (openEngine().value() != *engine) {
            return "opened twice";
        }
        const char* policy = std::getenv("OMP_WAIT_POLICY");
        return (*engine)->doctor()["engine"].get<std::string>() + " " + (policy != nullptr ? policy : "no policy");
    });
}

const std::string kFake = FAKE_LIBTORCH;

TEST(OpenEngine, GivesTheRuntimesEngineOnceAndSetsTheWaitPolicyBefore) {
    EXPECT_EQ(openedWith(kFake, kFake + "/libfake_runtime_good.so"), "small PASSIVE");
}

TEST(OpenEngine, MakesASentenceOfANumberOfThreadsThatTheThreadLibraryWouldIgnore) {
    const auto remarkAbout = [](const std::string& value) {
        return inChild([&]() -> std::string {
            ::setenv("OMP_NUM_THREADS", value.c_str(), 1);
            prepareProcess();
            const std::vector<std::string> remarks = takeOpeningRemarks();
            const char* left = std::getenv("OMP_NUM_THREADS");
            return (remarks.empty() ? "nothing" : remarks.front()) +
                   (left != nullptr ? std::string(" left as ") + left : " taken away") +
                   (takeOpeningRemarks().empty() ? "" : ", twice");
        });
    };
    for (const std::string fine : {"1", "16", "4,2,1"}) {
        EXPECT_EQ(remarkAbout(fine), "nothing left as " + fine);
    }
    for (const std::string wrong : {"abc", "", "0", "-2", "2x", "4,", ",4", "99999999999"}) {
        EXPECT_EQ(
            remarkAbout(wrong),
            "The environment variable OMP_NUM_THREADS is \"" + wrong +
                "\", which the thread library does not understand; it is ignored. Correct or unset it. taken away");
    }
}

TEST(OpenEngine, SaysWhenTheRuntimeIsOfAnotherVersion) {
    EXPECT_EQ(openedWith(kFake, kFake + "/libfake_runtime_mismatched.so"), "runtime-mismatch");
    EXPECT_EQ(openedWith(kFake, kFake + "/lib/libc10.so"), "runtime-mismatch");
}

TEST(OpenEngine, SaysWhenTheRuntimeIsMissingOrBroken) {
    const testing::TemporaryFolder folder;
    std::ofstream(folder / "broken.so") << "this is not a library";
    EXPECT_EQ(openedWith(kFake, folder / "broken.so"), "runtime-broken");
    EXPECT_EQ(openedWith(kFake, folder / "missing.so"), "runtime-missing");
}

TEST(OpenEngine, SaysWhenLibTorchIsBroken) {
    const testing::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "lib");
    std::ofstream(folder / "lib/libc10.so") << "cut short";
    std::ofstream(folder / "lib/libtorch_cpu.so") << "cut short";
    EXPECT_EQ(openedWith(folder.path(), kFake + "/libfake_runtime_good.so"), "libtorch-broken");
}

TEST(FindLibTorch, TakesThePersonsFolderWithLibOrTorchLib) {
    const testing::TemporaryFolder folder;
    std::filesystem::create_directories(folder / "torch/lib");
    for (const char* name : {"libc10.so", "libtorch_cpu.so"}) {
        std::ofstream(folder / "torch/lib" / name) << "x";
    }
    const auto find = [](const std::filesystem::path& named) {
        return inChild([&]() -> std::string {
            ::setenv("PLUMBLINE_LIBTORCH", named.c_str(), 1);
            const auto found = findLibTorch();
            return found ? found->libraryFolder.string() : found.error().code;
        });
    };
    const std::string expected = (folder / "torch/lib").string();
    EXPECT_EQ(find(folder.path()), expected);
    EXPECT_EQ(find(folder / "torch"), expected);
    EXPECT_EQ(find(folder / "torch/lib"), expected);
    EXPECT_EQ(find(folder / "elsewhere"), "libtorch-missing");
}

TEST(FindLibTorch, LooksInTheUsersCacheAndSaysHowToFetchIt) {
    const testing::TemporaryFolder folder;
    const std::string text = inChild([&]() -> std::string {
        ::unsetenv("PLUMBLINE_LIBTORCH");
        ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
        const auto found = findLibTorch();
        return found ? "found" : toSentence(found.error());
    });
    EXPECT_NE(text.find(folder.path().string()), std::string::npos) << text;
    EXPECT_NE(text.find("fetch"), std::string::npos) << text;
}

}  // namespace
}  // namespace plumbline::session
