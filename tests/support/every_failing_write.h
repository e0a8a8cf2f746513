#pragma once
// Tries something once for each write it makes, with that write failing: on a full disk and on a broken one, once and from there on.

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "core/error.h"
#include "support/failing_writes.h"

namespace plumbline::testing {

struct Disk { int error; bool always; const char* code; };
inline constexpr Disk kDisks[] = {{ENOSPC, true, "disk-full"}, {EIO, true, "disk-error"}, {ENOSPC, false, "disk-full"}, {EIO, false, "disk-error"}};

/// `attempt()` is made with the n-th counted call below `folder` failing, for n = 1, 2 … until none fails any more; after each
/// `look(reached, status, n)` sees what became of it, with the disk whole again. How many calls an attempt makes.
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

}  // namespace plumbline::testing
