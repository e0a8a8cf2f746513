#pragma once
// When a setting means something: SettingSpec::when, taken apart.

#include <functional>
#include <string>
#include <vector>

#include "core/json.h"
#include "plan/plan.h"

namespace plumbline::plan {

/// "a.type == x", "a.type in x, y", "a.count > 0", "a.series is stated"; "" always holds.
struct Condition {
    enum class Kind { kAlways, kIsOneOf, kIsAbove, kIsStated };
    Kind kind = Kind::kAlways;
    std::string setting;              ///< whose value decides
    std::vector<std::string> values;  ///< kIsOneOf
    double limit = 0;                 ///< kIsAbove

    /// Of the value that the setting has, its default where it is not stated.
    bool holds(const Json& value) const;
};
Condition conditionOf(const std::string& when);

/// Pointers of settings that `stated` has, other than their defaults or switched on, and whose condition does not hold,
/// so that they change nothing. `stated`: the object "training" or a part of it; `all`: what decides, by the same
/// paths; `pointer`: where `stated` stands.
std::vector<std::string> statedWithoutEffect(const Json& stated, const Json& all, const std::string& pointer);
/// What is wrong with a setting of TrainingPlan::withoutEffect.
PlanProblem withoutEffectProblem(const TrainingPlan& plan, const std::string& pointer);

}  // namespace plumbline::plan
