#pragma once
// What a plan does around a step as C++: clipping, freezing, averaged weights; by the marks of plan.h and average.h.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "plan/plan.h"

namespace plumbline::codegen {

/// A normalisation with running statistics, by the names that those have; several where blocks share them.
struct Statistics {
    std::string block;
    std::vector<std::string> buffers;
};

/// Epochs that a parameter is frozen for, from the beginning: what frozen groups and training.freeze say; 0 is none.
std::int64_t epochsFrozen(const plan::TrainingPlan& plan, const std::string& parameter);
/// The same for the statistics of a normalisation.
std::int64_t epochsFrozen(const plan::TrainingPlan& plan, const Statistics& statistics);
/// Of both: for the whole run.
constexpr std::int64_t kFrozenForEver = INT64_MAX;

/// CLIP, FREEZE, FROZEN, AVERAGES and those of average.h. `parameters`: those that no block freezes.
void stepMarks(const plan::TrainingPlan& plan, const std::vector<std::string>& parameters,
               const std::vector<Statistics>& statistics, std::map<std::string, std::string>& marks);

}  // namespace plumbline::codegen
