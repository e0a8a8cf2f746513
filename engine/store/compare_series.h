#pragma once
// Whether two runs gave the same numbers, step by step and bit for bit.

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "core/error.h"
#include "store/run_store.h"

namespace plumbline::store {

struct SeriesComparison {
    std::int64_t series = 0, values = 0;  ///< compared
    std::int64_t different = 0;           ///< values
    double largest = 0;                   ///< largest |a - b| / max(1, |a|) of finite values
    /// The difference of the smallest step; its series is "" where there is none. NaN: one of the two has no value
    /// there.
    std::string firstSeries;
    std::int64_t firstStep = 0;
    double firstA = 0, firstB = 0;
    bool equal() const { return different == 0; }
    /// Those of other values, of later steps, of the same runs.
    void add(const SeriesComparison& later);
};

/// Whether a series follows from definition, data and machine alone, and has all its steps: losses, metrics, learning
/// rates and loss scale. What the clock decides (times, throughput, memory, statistics at a stride that adapts) is not.
bool isReproducible(const std::string& series);

/// The series of either run that `which` takes, of the steps from after `afterStep` to `lastStep`.
Result<SeriesComparison> compareSeries(const RunReader& a, const RunReader& b, std::int64_t afterStep = -1,
                                       std::int64_t lastStep = std::numeric_limits<std::int64_t>::max(),
                                       const std::function<bool(const std::string& series)>& which = isReproducible);

}  // namespace plumbline::store
