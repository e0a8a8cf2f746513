#pragma once
// The rule by which tune-loader chooses the number of workers, apart from the clock.

#include <cstdint>
#include <functional>
#include <vector>

#include "core/error.h"
#include "data/dataset.h"

namespace plumbline::data {

struct WorkerChoice {
    std::vector<SweepPoint> sweep;  ///< every number that was tried, in order
    std::int64_t chosen = 0;
    bool stillGaining = false;  ///< the most that may be tried still brought enough
};

/// Tries 0, 1, 2 … up to `most` workers as long as each brings 5 % or more over the best before it; with `cores` above
/// one, two are tried even where one brought nothing, since one alone only moves the work to another thread. The last
/// that was worth it and its neighbours are measured three times more. Of those within 5 % of the fastest median the
/// steadiest is chosen: the one whose measurements differ least. `samplesPerSecond` measures once.
Result<WorkerChoice> chooseWorkers(std::int64_t cores, std::int64_t most,
                                   const std::function<Result<double>(std::int64_t workers)>& samplesPerSecond);

}  // namespace plumbline::data
