#pragma once
// What the benchmarks share: clocks, and the median of several runs as JSON.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

#include "core/json.h"
#include "support/thread_time.h"

namespace plumbline::bench {

using Clock = std::chrono::steady_clock;

inline double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

using testing::threadMilliseconds;

inline double median(std::vector<double> values) {
    if (values.empty()) {
        return 0;
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Wall time and processor time of several runs of `work`.
template <class Work>
Json timed(int runs, Work&& work) {
    std::vector<double> wall, processor;
    for (int i = 0; i < runs; ++i) {
        const Clock::time_point start = Clock::now();
        const double before = threadMilliseconds();
        work();
        processor.push_back(threadMilliseconds() - before);
        wall.push_back(millisecondsSince(start));
    }
    return {{"runs", runs},
            {"median_ms", median(wall)},
            {"least_ms", *std::min_element(wall.begin(), wall.end())},
            {"median_cpu_ms", median(processor)}};
}

/// The most memory that this process ever held, in bytes.
inline std::int64_t peakResidentBytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

inline int print(const Json& result) {
    std::cout << result.dump(2) << std::endl;
    return result.contains("error") ? 1 : 0;
}

}  // namespace plumbline::bench
