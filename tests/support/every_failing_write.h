#pragma once
// Tries something once for each write it makes, with that write failing: on a full disk and on a broken one, once and
// from there on; or killed at that write.

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>

#include "core/error.h"
#include "support/failing_writes.h"

namespace plumbline::testing {

struct Disk {
    int error;
    bool always;
    const char* code;
};
inline constexpr Disk kDisks[] = {
    {ENOSPC, true, "disk-full"}, {EIO, true, "disk-error"}, {ENOSPC, false, "disk-full"}, {EIO, false, "disk-error"}};

/// `attempt()` is made with the n-th counted call below `folder` failing, for n = 1, 2 … until none fails any more;
/// after each `look(reached, status, n)` sees what became of it, with the disk whole again. How many calls an attempt
/// makes.
template <typename Attempt, typename Look>
long forEveryFailingWrite(const Disk& disk, const std::filesystem::path& folder, Attempt attempt, Look look) {
    long n = 1;
    for (bool reached = true; reached && !::testing::Test::HasFatalFailure(); ++n) {
        plumbline_fail_writes(n, disk.error, disk.always ? 1 : 0, folder.c_str());
        const Status status = attempt();
        reached = plumbline_counted_writes() >= n;
        plumbline_fail_writes(0, 0, 0, "");
        if (!status) {
            // To SQLite a disk that was full for one call alone may look like a broken one.
            const bool told = status.error().code == disk.code || (!disk.always && status.error().code == "disk-error");
            EXPECT_TRUE(told) << "write " << n << ": " << toSentence(status.error());
            EXPECT_EQ(status.error().kind, ErrorKind::kMachine);
            EXPECT_FALSE(status.error().hint.empty());
        }
        look(reached, status, n);
    }
    return n - 2;
}

/// `attempt(n)` is made in a child process that is killed at the n-th counted call below `folder`, half of a write
/// done, for n = 1, 2 … until one comes to its end; after each `look(killed, n)` sees what it left. How many calls an
/// attempt makes.
template <typename Attempt, typename Look>
long forEveryKill(const std::filesystem::path& folder, Attempt attempt, Look look) {
    long n = 1;
    for (bool killed = true; killed && !::testing::Test::HasFatalFailure(); ++n) {
        const pid_t child = ::fork();
        if (child == 0) {
            plumbline_at_write(
                n, [] { ::kill(::getpid(), SIGKILL); }, folder.c_str());
            ::_exit(attempt(n) ? 0 : 1);
        }
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        EXPECT_TRUE(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
            << "attempt " << n << " ended by itself, and badly: " << status;
        look(killed, n);
    }
    return n - 2;
}

}  // namespace plumbline::testing
