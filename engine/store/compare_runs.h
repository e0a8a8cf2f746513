#pragma once
// What differs between two runs: their definitions, value by value, and how they ended.

#include <optional>
#include <string>
#include <vector>

#include "store/run_store.h"

namespace plumbline::store {

/// A setting that was changed while a run went on.
struct ChangedValue {
    std::int64_t step = 0;  ///< the first step that had it
    Json value;
};

struct ValuePair {
    std::string name;  ///< JSON pointer into the definition, or a metric's name
    Json a, b;         ///< null: not there
    std::vector<ChangedValue> changesOfA, changesOfB;

    /// b - a, where both are numbers.
    std::optional<double> difference() const;
};

struct RunComparison {
    std::string a, b;                 ///< ids
    std::vector<ValuePair> settings;  ///< those that differ, or were changed while one of the runs went on
    std::vector<ValuePair> metrics;   ///< last values, all of them
};

Result<RunComparison> compareRuns(const RunReader& a, const RunReader& b);

}  // namespace plumbline::store
