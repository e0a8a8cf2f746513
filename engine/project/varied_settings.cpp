#include "project/varied_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "plan/setting_reader.h"

namespace plumbline::project {
namespace {

const std::string kOptimizer = "training.optimizer.";
const std::string kPhases = "/training/phases";

/// What a setting needs besides a type that has it.
struct Need {
    std::string_view path;
    const char* needed;
    bool isNumber;  ///< to be above 0; else a text that has to be stated
};
constexpr Need kNeeds[] = {{"training.scheduler.warmup_start", "training.scheduler.warmup", true},
                           {"training.gradient_noise.gamma", "training.gradient_noise.eta", true},
                           {"training.early_stopping.series", "training.early_stopping.patience", true},
                           {"training.early_stopping.mode", "training.early_stopping.patience", true},
                           {"training.early_stopping.min_delta", "training.early_stopping.patience", true},
                           {"training.early_stopping.restore_best", "training.early_stopping.patience", true},
                           {"training.stop.target.value", "training.stop.target.series", false},
                           {"training.stop.target.mode", "training.stop.target.series", false}};

std::string textOf(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// A word as it stands in project.json, whichever way it was written: SGD or "SGD".
std::string plainWord(const std::string& value) {
    return value.size() >= 2 && value.front() == '"' && value.back() == '"' ? value.substr(1, value.size() - 2) : value;
}

std::string choicesOf(const std::string& when) {
    const std::size_t one = when.find(" == "), several = when.find(" in ");
    return one != std::string::npos       ? when.substr(one + 4)
           : several != std::string::npos ? when.substr(several + 4)
                                          : std::string();
}

class Looker {
public:
    Looker(const Project& project, const std::vector<VariedSetting>& varied) : m_json(project.json), m_varied(varied) {}

    /// Why it changes nothing, and what to do; nothing where something reads it.
    struct Reason {
        std::string message, hint;
    };
    std::optional<Reason> reasonFor(const std::string& path) const {
        if (path.starts_with(kOptimizer) && !phases().empty()) {
            return ofPhases(path);
        }
        if (const auto phase = phaseOf(path)) {
            const auto& [index, setting] = *phase;
            const plan::SettingSpec* spec = plan::findSetting(kOptimizer + setting);
            return spec == nullptr ? std::nullopt
                                   : ofWhen(path, spec->when, typesOfPhase(index),
                                            fmt::format("training.phases.{}.optimizer.type", index));
        }
        const plan::SettingSpec* spec = plan::findSetting(path);
        if (spec == nullptr) {
            return std::nullopt;
        }
        const std::string decides = spec->when.substr(0, spec->when.find(' '));
        if (auto reason = ofWhen(path, spec->when, valuesOf(decides), decides)) {
            return reason;
        }
        return ofNeeds(path);
    }

private:
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
        return ofWhen(path, spec->when, types, kOptimizer + "type");
    }

    static std::optional<Reason> ofWhen(const std::string& path, const std::string& when,
                                        std::vector<std::string> values, const std::string& decides) {
        const auto holds = [&](const std::string& value) { return plan::holdsFor(when, value); };
        if (when.empty() || values.empty() || std::any_of(values.begin(), values.end(), holds)) {
            return std::nullopt;
        }
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        return Reason{fmt::format("{} changes nothing where {} is {}.", path, decides, fmt::join(values, ", ")),
                      fmt::format("Leave it out, or set {} to {}.", decides, choicesOf(when))};
    }

    std::optional<Reason> ofNeeds(const std::string& path) const {
        const auto need =
            std::find_if(std::begin(kNeeds), std::end(kNeeds), [&](const Need& each) { return each.path == path; });
        if (need == std::end(kNeeds)) {
            return std::nullopt;
        }
        const std::vector<std::string> values = valuesOf(need->needed);
        if (!need->isNumber) {
            return values.empty() ? std::optional(Reason{
                                        fmt::format("{} changes nothing while {} is not set.", path, need->needed),
                                        fmt::format("Set {}.", need->needed)})
                                  : std::nullopt;
        }
        const auto isAbove = [](const std::string& value) { return std::strtod(value.c_str(), nullptr) > 0; };
        return std::any_of(values.begin(), values.end(), isAbove)
                   ? std::nullopt
                   : std::optional(Reason{fmt::format("{} changes nothing while {} is 0.", path, need->needed),
                                          fmt::format("Set {} above 0.", need->needed)});
    }

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
