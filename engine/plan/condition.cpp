#include "plan/condition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>

#include "core/json_errors.h"
#include "plan/setting_reader.h"

namespace plumbline::plan {
namespace {

const std::string kSection = "training.";

/// The optimizer that a pointer leads into: the plan's, or a phase's.
const OptimizerSpec& optimizerAt(const TrainingPlan& plan, const std::string& pointer) {
    for (std::size_t i = 0; i < plan.phases.size(); ++i) {
        if (pointer.starts_with(fmt::format("/training/phases/{}/", i))) {
            return plan.phases[i].optimizer;
        }
    }
    return plan.optimizer;
}

/// The setting that a pointer stands for; a phase's optimizer has those of training.optimizer.
const SettingSpec* settingAt(const std::string& pointer) {
    const std::size_t optimizer =
        pointer.starts_with("/training/phases/") ? pointer.find("/optimizer/") : std::string::npos;
    std::string path = optimizer == std::string::npos ? pointer.substr(pointer.empty() ? 0 : 1)
                                                      : "training" + pointer.substr(optimizer);
    std::replace(path.begin(), path.end(), '/', '.');
    return findSetting(path);
}

const Json* valueAt(const Json& object, const std::string& path) {
    const Json::json_pointer pointer(pointerOfDottedPath(path));
    return object.contains(pointer) ? &object.at(pointer) : nullptr;
}

}  // namespace

bool Condition::holds(const Json& value) const {
    switch (kind) {
        case Kind::kIsOneOf:
            return value.is_string() &&
                   std::find(values.begin(), values.end(), value.get<std::string>()) != values.end();
        case Kind::kIsAbove:
            return value.is_number() && value.get<double>() > limit;
        case Kind::kIsStated:
            return !value.is_null() && value != "";
        case Kind::kAlways:
            break;
    }
    return true;
}

Condition conditionOf(const std::string& when) {
    const auto cut = [&](const std::string& separator) { return when.find(separator); };
    if (when.ends_with(" stated")) {
        return {Condition::Kind::kIsStated, when.substr(0, when.find(' ')), {}, 0};
    }
    if (const std::size_t at = cut(" > "); at != std::string::npos) {
        return {Condition::Kind::kIsAbove, when.substr(0, at), {}, std::stod(when.substr(at + 3))};
    }
    if (const std::size_t at = cut(" == "); at != std::string::npos) {
        return {Condition::Kind::kIsOneOf, when.substr(0, at), {when.substr(at + 4)}, 0};
    }
    const std::size_t at = cut(" in ");
    if (at == std::string::npos) {
        return {};
    }
    Condition condition{Condition::Kind::kIsOneOf, when.substr(0, at), {}, 0};
    for (std::size_t begin = at + 4; begin < when.size();) {
        const std::size_t comma = std::min(when.find(", ", begin), when.size());
        condition.values.push_back(when.substr(begin, comma - begin));
        begin = comma + 2;
    }
    return condition;
}

std::vector<std::string> statedWithoutEffect(const Json& stated, const Json& all, const std::string& pointer) {
    std::vector<std::string> pointers;
    const auto inAll = [&](const std::string& path) {
        return path.starts_with(kSection) ? valueAt(all, path.substr(kSection.size())) : nullptr;
    };
    for (const SettingSpec& spec : settings()) {
        if (!spec.path.starts_with(kSection) || spec.when.empty()) {
            continue;
        }
        const std::string path = spec.path.substr(kSection.size());
        const Json* value = valueAt(stated, path);
        // What is as if it were not there says nothing; what is switched on by hand is meant to do something.
        if (value == nullptr || value->is_null() || (*value != true && *value == defaultOf(spec, inAll))) {
            continue;
        }
        const Condition condition = conditionOf(spec.when);
        const SettingSpec* decides = findSetting(condition.setting);
        const Json* decisive = inAll(condition.setting);
        if (decides != nullptr &&
            !condition.holds(decisive != nullptr && !decisive->is_null() ? *decisive : defaultOf(*decides, inAll))) {
            pointers.push_back(pointer + pointerOfDottedPath(path));
        }
    }
    return pointers;
}

PlanProblem withoutEffectProblem(const TrainingPlan& plan, const std::string& pointer) {
    const SettingSpec* spec = settingAt(pointer);
    const Condition condition = spec == nullptr ? Condition{} : conditionOf(spec->when);
    PlanProblem problem{
        false, "setting-without-effect", pointer, {}, "Remove it, or choose the type that it was meant for."};
    // The types that have an option can be many: the one that does not is told.
    if (pointer.starts_with("/training/scheduler") || condition.setting == "training.optimizer.type" ||
        condition.kind == Condition::Kind::kAlways) {
        problem.message = fmt::format("{} says something that {} does not have, so it changes nothing.", pointer,
                                      pointer.starts_with("/training/scheduler") ? "the schedule " + plan.scheduler.type
                                                                                 : optimizerAt(plan, pointer).type);
        return problem;
    }
    problem.hint = fmt::format("Remove it, or change {}.", condition.setting);
    switch (condition.kind) {
        case Condition::Kind::kIsAbove:
            problem.message = fmt::format("{} counts only where {} is above {}, so it changes nothing.", pointer,
                                          condition.setting, condition.limit);
            break;
        case Condition::Kind::kIsStated:
            problem.message =
                fmt::format("{} counts only where {} is stated, so it changes nothing.", pointer, condition.setting);
            break;
        case Condition::Kind::kIsOneOf:
        case Condition::Kind::kAlways:
            problem.message = condition.values.size() == 1
                                  ? fmt::format("{} counts only where {} is {}, so it changes nothing.", pointer,
                                                condition.setting, condition.values.front())
                                  : fmt::format("{} counts only where {} is one of {}, so it changes nothing.", pointer,
                                                condition.setting, fmt::join(condition.values, ", "));
            break;
    }
    return problem;
}

}  // namespace plumbline::plan
