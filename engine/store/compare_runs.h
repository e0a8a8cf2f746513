#pragma once
// What differs between two runs: their definitions, value by value, and how they ended.

#include <string>
#include <vector>

#include "store/run_store.h"

namespace plumbline::store {

struct ValuePair {
    std::string name;  ///< JSON pointer into the definition, or a metric's name
    Json a, b;         ///< null: not there
};

struct RunComparison {
    std::string a, b;                  ///< ids
    std::vector<ValuePair> settings;   ///< those that differ
    std::vector<ValuePair> metrics;    ///< last values, all of them
};

Result<RunComparison> compareRuns(const RunReader& a, const RunReader& b);

}  // namespace plumbline::store
