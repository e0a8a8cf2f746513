#include "plan/freezing.h"

#include <algorithm>

#include "core/glob.h"

namespace plumbline::plan {

namespace {

std::int64_t longest(const TrainingPlan& plan, const std::string& name, bool buffer) {
    std::int64_t epochs = 0;
    for (const FreezeSpec& freeze : plan.freeze) {
        if ((!buffer || freeze.buffers) && matchesGlob(freeze.match, name)) {
            epochs = std::max(epochs, freeze.epochs == 0 ? kFrozenForEver : freeze.epochs);
        }
    }
    return epochs;
}

}  // namespace

const OptimizerGroup* groupOf(const OptimizerSpec& spec, const std::string& parameter) {
    const auto match = std::find_if(spec.groups.begin(), spec.groups.end(), [&](const OptimizerGroup& group) { return matchesGlob(group.match, parameter); });
    return match == spec.groups.end() ? nullptr : &*match;
}

std::int64_t epochsFrozen(const TrainingPlan& plan, const std::string& parameter) {
    const OptimizerGroup* group = groupOf(plan.optimizer, parameter);
    return group != nullptr && group->frozen ? kFrozenForEver : longest(plan, parameter, false);
}

std::int64_t epochsStatisticFrozen(const TrainingPlan& plan, const std::string& buffer) { return longest(plan, buffer, true); }

}  // namespace plumbline::plan
