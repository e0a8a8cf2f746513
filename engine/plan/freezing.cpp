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
    const auto match = std::find_if(spec.groups.begin(), spec.groups.end(),
                                    [&](const OptimizerGroup& group) { return matchesGlob(group.match, parameter); });
    return match == spec.groups.end() ? nullptr : &*match;
}

const PhaseSpec* phaseOf(const TrainingPlan& plan, const std::string& parameter) {
    const auto trains = [&](const PhaseSpec& phase) {
        return std::any_of(phase.train.begin(), phase.train.end(),
                           [&](const std::string& pattern) { return matchesGlob(pattern, parameter); });
    };
    const auto phase = std::find_if(plan.phases.begin(), plan.phases.end(), trains);
    return phase == plan.phases.end() ? nullptr : &*phase;
}

std::int64_t epochsFrozen(const TrainingPlan& plan, const std::string& parameter) {
    const PhaseSpec* phase = phaseOf(plan, parameter);
    if (!plan.phases.empty() && phase == nullptr) {
        return kFrozenForEver;
    }
    const OptimizerGroup* group = groupOf(phase != nullptr ? phase->optimizer : plan.optimizer, parameter);
    return group != nullptr && group->frozen ? kFrozenForEver : longest(plan, parameter, false);
}

std::int64_t epochsStatisticFrozen(const TrainingPlan& plan, const std::string& buffer) {
    return longest(plan, buffer, true);
}

}  // namespace plumbline::plan
