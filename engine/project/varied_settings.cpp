#include "project/varied_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "plan/condition.h"
#include "plan/schedule.h"
#include "plan/setting_reader.h"

namespace plumbline::project {
namespace {

const std::string kOptimizer = "training.optimizer.";
const std::string kPhases = "/training/phases";

/// What they need is told by a check of its own each, not by their SettingSpec::when.
struct Need {
    std::string_view path;
    const char* when;
};
constexpr Need kNeeds[] = {{"training.scheduler.warmup_start", "training.scheduler.warmup > 0"},
                           {"training.early_stopping.restore_best", "training.early_stopping.patience > 0"}};

plan::Condition conditionOf(const plan::SettingSpec& spec) {
    const auto need =
        std::find_if(std::begin(kNeeds), std::end(kNeeds), [&](const Need& each) { return each.path == spec.path; });
    return plan::conditionOf(need != std::end(kNeeds) ? need->when : spec.when);
}

std::string textOf(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// A word as it stands in project.json, whichever way it was written: SGD or "SGD".
std::string plainWord(const std::string& value) {
    return value.size() >= 2 && value.front() == '"' && value.back() == '"' ? value.substr(1, value.size() - 2) : value;
}

class Looker {
public:
    Looker(const Project& project, const std::vector<VariedSetting>& varied)
        : m_plan(project.training), m_json(project.json), m_varied(varied) {}

    /// Why it changes nothing, and what to do; nothing where something reads it.
    struct Reason {
        std::string message, hint;
    };
    std::optional<Reason> reasonFor(const std::string& path) const {
        if (auto others = ofOthers(path)) {
            return others;
        }
        if (path.starts_with(kOptimizer) && !phases().empty()) {
            return ofPhases(path);
        }
        if (const auto phase = phaseOf(path)) {
            const auto& [index, setting] = *phase;
            const plan::SettingSpec* spec = plan::findSetting(kOptimizer + setting);
            return spec == nullptr ? std::nullopt
                                   : unlessHolds(path, conditionOf(*spec), typesOfPhase(index),
                                                 fmt::format("training.phases.{}.optimizer.type", index));
        }
        const plan::SettingSpec* spec = plan::findSetting(path);
        if (spec == nullptr) {
            return std::nullopt;
        }
        const plan::Condition condition = conditionOf(*spec);
        return unlessHolds(path, condition, valuesOf(condition.setting), condition.setting);
    }

private:
    bool isVariedBelow(const std::string& prefix) const {
        return std::any_of(m_varied.begin(), m_varied.end(),
                           [&](const VariedSetting& each) { return each.path.starts_with(prefix); });
    }

    /// A rate or a weight decay of an optimizer in whose place every parameter has another one.
    std::optional<Reason> ofOthers(const std::string& path) const {
        const auto phase = phaseOf(path);
        const std::string setting = phase                          ? phase->second
                                    : path.starts_with(kOptimizer) ? path.substr(kOptimizer.size())
                                                                   : "";
        const bool isRate = setting == "lr";
        if (!isRate && setting != "weight_decay") {
            return std::nullopt;
        }
        if (isRate && !isVariedBelow("training.scheduler") && !plan::followsBase(m_plan.scheduler)) {
            return Reason{fmt::format("{} changes nothing: the schedule sets the rate by itself.", path),
                          "Leave max_lr out, or try its values instead."};
        }
        const std::vector<plan::OptimizerGroup>& groups = phase && phase->first < m_plan.phases.size()
                                                              ? m_plan.phases[phase->first].optimizer.groups
                                                              : m_plan.optimizer.groups;
        const auto takesAll = std::find_if(groups.begin(), groups.end(),
                                           [](const plan::OptimizerGroup& group) { return group.match == "*"; });
        const bool isOwn = takesAll != groups.end() && (phase || phases().empty()) &&
                           !isVariedBelow(path.substr(0, path.size() - setting.size()) + "groups") &&
                           std::all_of(groups.begin(), takesAll + 1, [&](const plan::OptimizerGroup& group) {
                               return group.frozen || (isRate ? group.lr : group.weightDecay).has_value();
                           });
        return isOwn ? std::optional(Reason{
                           fmt::format("{} changes nothing: every group of parameters has a value of its own.", path),
                           "Try the groups' values instead, or leave them out."})
                     : std::nullopt;
    }

    const VariedSetting* find(const std::string& path) const {
        const auto found = std::find_if(m_varied.begin(), m_varied.end(),
                                        [&](const VariedSetting& each) { return each.path == path; });
        return found == m_varied.end() ? nullptr : &*found;
    }

    const Json* stated(const std::string& path) const {
        const Json::json_pointer pointer(pointerOfDottedPath(path));
        return m_json.contains(pointer) && !m_json.at(pointer).is_null() ? &m_json.at(pointer) : nullptr;
    }

    /// All that a setting can be in the trials; nothing where it has no value.
    std::vector<std::string> valuesOf(const std::string& path) const {
        if (const VariedSetting* varied = find(path)) {
            std::vector<std::string> values;
            std::transform(varied->values.begin(), varied->values.end(), std::back_inserter(values), plainWord);
            return values;
        }
        if (const Json* value = stated(path)) {
            return {textOf(*value)};
        }
        const plan::SettingSpec* spec = plan::findSetting(path);
        const Json fallback = spec == nullptr ? Json() : plan::defaultOf(*spec, m_json);
        return fallback.is_null() ? std::vector<std::string>{} : std::vector{textOf(fallback)};
    }

    Json phases() const {
        const Json::json_pointer pointer(kPhases);
        const Json list = m_json.contains(pointer) ? m_json.at(pointer) : Json();
        return list.is_array() ? list : Json::array();
    }

    static std::string ofPhase(std::size_t index, const std::string& setting) {
        return fmt::format("training.phases.{}.optimizer.{}", index, setting);
    }

    /// The phase and the setting of its optimizer that a path leads to.
    std::optional<std::pair<std::size_t, std::string>> phaseOf(const std::string& path) const {
        for (std::size_t i = 0; i < phases().size(); ++i) {
            if (const std::string prefix = ofPhase(i, ""); path.starts_with(prefix)) {
                return std::pair(i, path.substr(prefix.size()));
            }
        }
        return std::nullopt;
    }

    bool phaseStates(std::size_t index, const std::string& setting) const {
        return find(ofPhase(index, setting)) != nullptr || stated(ofPhase(index, setting)) != nullptr;
    }

    std::vector<std::string> typesOfPhase(std::size_t index) const {
        return valuesOf(phaseStates(index, "type") ? ofPhase(index, "type") : kOptimizer + "type");
    }

    /// A phase takes of the plan's optimizer what it does not state itself.
    std::optional<Reason> ofPhases(const std::string& path) const {
        const std::string setting = path.substr(kOptimizer.size());
        const plan::SettingSpec* spec = plan::findSetting(path);
        if (spec == nullptr) {
            return std::nullopt;
        }
        std::vector<std::string> types;
        for (std::size_t i = 0; i < phases().size(); ++i) {
            if (!phaseStates(i, setting)) {
                const std::vector<std::string> own = typesOfPhase(i);
                types.insert(types.end(), own.begin(), own.end());
            }
        }
        if (types.empty()) {
            return Reason{fmt::format("{} changes nothing: each phase of the step has its own.", path),
                          "Try training.phases.0.optimizer instead, or leave it out of the phases."};
        }
        return unlessHolds(path, conditionOf(*spec), types, kOptimizer + "type");
    }

    /// `values`: all that what decides can be; `decides`: its path.
    static std::optional<Reason> unlessHolds(const std::string& path, const plan::Condition& condition,
                                             std::vector<std::string> values, const std::string& decides) {
        using Kind = plan::Condition::Kind;
        const auto holds = [&](const std::string& value) {
            return condition.holds(condition.kind == Kind::kIsAbove ? Json(std::strtod(value.c_str(), nullptr))
                                                                    : Json(value));
        };
        // A type that nothing is known of may be any.
        if (condition.kind == Kind::kAlways || (condition.kind == Kind::kIsOneOf && values.empty()) ||
            std::any_of(values.begin(), values.end(), holds)) {
            return std::nullopt;
        }
        if (condition.kind == Kind::kIsStated) {
            return Reason{fmt::format("{} changes nothing while {} is not set.", path, decides),
                          fmt::format("Set {}.", decides)};
        }
        if (condition.kind == Kind::kIsAbove) {
            return Reason{fmt::format("{} changes nothing while {} is {}.", path, decides, condition.limit),
                          fmt::format("Set {} above {}.", decides, condition.limit)};
        }
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        return Reason{fmt::format("{} changes nothing where {} is {}.", path, decides, fmt::join(values, ", ")),
                      fmt::format("Leave it out, or set {} to {}.", decides, fmt::join(condition.values, ", "))};
    }

    const plan::TrainingPlan& m_plan;
    const Json& m_json;
    const std::vector<VariedSetting>& m_varied;
};

}  // namespace

std::vector<graph::Problem> variedWithoutEffect(const Project& project, const std::vector<VariedSetting>& varied) {
    std::vector<graph::Problem> problems;
    const Looker looker(project, varied);
    for (const VariedSetting& each : varied) {
        if (const auto reason = looker.reasonFor(each.path)) {
            problems.push_back({graph::Severity::kWarning,
                                "varied-without-effect",
                                {},
                                pointerOfDottedPath(each.path),
                                reason->message + " " + reason->hint,
                                {}});
        }
    }
    return problems;
}

}  // namespace plumbline::project
