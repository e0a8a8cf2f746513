#pragma once
// A dataset over sources that are open already: what Dataset::open() makes, and tests and benchmarks with sources of
// their own.

#include <memory>
#include <utility>
#include <vector>

#include "data/dataset.h"
#include "data/source.h"

namespace plumbline::data {

using NamedSources = std::vector<std::pair<std::string, std::unique_ptr<Source>>>;

/// Splits, fits and measures.
Result<std::shared_ptr<const Dataset>> makeDataset(const DataSpec& spec, NamedSources sources,
                                                   RunControl* control = nullptr);

}  // namespace plumbline::data
