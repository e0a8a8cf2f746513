#pragma once
// Processor time of the thread that asks: what other programs on the machine disturb least. For ratios, never for
// limits.

#include <algorithm>
#include <ctime>
#include <limits>

namespace plumbline::testing {

inline double threadMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// The least time that `work` took in so many runs.
double bestOf(int runs, const auto& work) {
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < runs; ++i) {
        const double start = threadMilliseconds();
        work();
        best = std::min(best, threadMilliseconds() - start);
    }
    return best;
}

}  // namespace plumbline::testing
