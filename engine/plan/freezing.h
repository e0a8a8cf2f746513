#pragma once
// What of a model is frozen by the plan, by full names; what its blocks freeze themselves comes on top.

#include <cstdint>
#include <limits>
#include <string>

#include "plan/plan.h"

namespace plumbline::plan {

constexpr std::int64_t kFrozenForEver = std::numeric_limits<std::int64_t>::max();

/// The first group of the optimizer whose pattern matches a parameter; nullptr where none does.
const OptimizerGroup* groupOf(const OptimizerSpec& spec, const std::string& parameter);
/// The first phase whose patterns match a parameter; nullptr where none does, or there are none.
const PhaseSpec* phaseOf(const TrainingPlan& plan, const std::string& parameter);
/// Epochs before a parameter begins to train; where several freezes match it, the longest. One that no phase trains
/// never does.
std::int64_t epochsFrozen(const TrainingPlan& plan, const std::string& parameter);
/// The same for a running statistic.
std::int64_t epochsStatisticFrozen(const TrainingPlan& plan, const std::string& buffer);

}  // namespace plumbline::plan
