#include "core/process.h"

#include <gtest/gtest.h>
#include <csignal>

namespace plumbline {
namespace {

TEST(Process, DoesNotInheritWhatThisProgramIgnoresOrBlocks) {
    // A shell cannot take back an ignored signal: the line behind is reached where it was inherited.
    for (const auto& [number, name] : {std::pair{SIGPIPE, "PIPE"}, std::pair{SIGXFSZ, "XFSZ"}}) {
        for (const bool blocked : {false, true}) {
            sigset_t one, before;
            sigemptyset(&one);
            sigaddset(&one, number);
            const auto old = std::signal(number, blocked ? SIG_DFL : SIG_IGN);
            pthread_sigmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &one, &before);
            RunControl control;
            const auto result =
                runProcess({"sh", "-c", std::string("kill -") + name + " $$; echo alive"}, "/", control);
            pthread_sigmask(SIG_SETMASK, &before, nullptr);
            std::signal(number, old);
            ASSERT_TRUE(result.has_value()) << toSentence(result.error());
            EXPECT_EQ(result->exitCode, 128 + number) << name << (blocked ? ", blocked" : ", ignored");
            EXPECT_EQ(result->output.find("alive"), std::string::npos) << name;
        }
    }
}

TEST(Process, GivesTheExitCodeAndWhatWasPrinted) {
    RunControl control;
    const auto result = runProcess({"sh", "-c", "echo out; echo err >&2; exit 3"}, "/", control);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->exitCode, 3);
    EXPECT_EQ(result->output, "out\nerr\n");
    EXPECT_EQ(runProcess({"/none/such"}, "/", control).error().code, "process-failed");
}

}  // namespace
}  // namespace plumbline
