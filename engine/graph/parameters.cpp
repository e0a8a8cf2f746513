#include "graph/parameters.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/json_errors.h"

namespace plumbline::graph {
namespace {

/// Larger whole numbers make no sense as a size and would overflow the shape rules.
constexpr double kLargest = 2147483647.0;

/// What a value has to be; common to leaf parameters and declared ones.
struct Wanted {
    const std::string& name;
    ParameterKind kind;
    std::optional<double> min, max;
    const std::vector<std::string>& choices;
    bool nullable = false;
    bool anyList = false;  ///< a declared list may hold anything
};

std::string numberText(double value) {
    return std::floor(value) == value && std::abs(value) < 1e15 ? fmt::format("{}", static_cast<std::int64_t>(value))
                                                                : fmt::format("{}", value);
}

std::string rangeText(const Wanted& wanted) {
    if (wanted.min && wanted.max) {
        return fmt::format("between {} and {}", numberText(*wanted.min), numberText(*wanted.max));
    }
    return wanted.min ? fmt::format("{} or more", numberText(*wanted.min))
                      : fmt::format("{} or less", numberText(wanted.max.value_or(kLargest)));
}

std::string kindText(const Wanted& wanted) {
    switch (wanted.kind) {
        case ParameterKind::kInt:
            return "a whole number";
        case ParameterKind::kFloat:
            return "a number";
        case ParameterKind::kBool:
            return "true or false";
        case ParameterKind::kText:
            return "a text";
        case ParameterKind::kChoice:
            return "one of " + listed(wanted.choices);
        case ParameterKind::kIntList:
            return wanted.choices.empty() ? "a whole number or a list of them"
                                          : "a whole number, a list of them, or " + listed(wanted.choices);
        case ParameterKind::kDimList:
            return wanted.anyList ? "a list" : "a list of whole numbers";
    }
    return "a value";
}

class Checker {
public:
    Checker(const ParameterOwner& owner, ProblemList& problems) : m_owner(owner), m_problems(problems) {}

    void unknownNames(const Json& stated, const auto& known) {
        for (const auto& [key, value] : stated.items()) {
            if (std::any_of(known.begin(), known.end(),
                            [&name = key](const auto& spec) { return spec.name == name; })) {
                continue;
            }
            std::vector<std::string> names;
            for (const auto& spec : known) {
                names.push_back(spec.name);
            }
            const std::string nearest = nearestWord(key, names);
            std::vector<Remedy> remedies;
            if (!nearest.empty() && !stated.contains(nearest)) {
                Remedy rename;
                rename.title = fmt::format("Rename {} to {}", key, nearest);
                rename.patch = Json::array({{{"op", "test"}, {"path", at(key)}, {"value", value}},
                                            {{"op", "move"}, {"from", at(key)}, {"path", at(nearest)}}});
                remedies.push_back(std::move(rename));
            }
            remedies.push_back(removeValue("Remove " + key, at(key), value));
            const std::string hint =
                didYouMean(nearest, names.empty() ? std::string(kRemoveIt) : fmt::format("It has {}.", listed(names)));
            m_problems.critical(
                "unknown-parameter", m_owner.block, at(key),
                fmt::format("{}: {} has no parameter \"{}\". {}", m_owner.block, m_owner.type, key, hint),
                std::move(remedies));
        }
    }

    /// The checked value, or nothing when it was told to be wrong or follows from something that was.
    std::optional<Json> value(const Wanted& wanted, const Json& raw, const Scope& scope) {
        if (!holdsExpression(raw)) {
            return check(wanted, raw, raw);
        }
        auto evaluated = evaluateValue(raw, scope);
        if (!evaluated) {
            if (evaluated.error().code != "unknown-value") {
                m_problems.critical(
                    evaluated.error().code, m_owner.block, at(wanted.name),
                    sentence(fmt::format("{}: {} {}", m_owner.block, wanted.name, evaluated.error().message),
                             evaluated.error().hint));
            }
            return std::nullopt;
        }
        return check(wanted, *std::move(evaluated), raw);
    }

    void missing(const std::string& name, const std::string& help) {
        m_problems.critical(
            "missing-parameter", m_owner.block, m_owner.pointer + "/params/" + name,
            help.empty() ? fmt::format("{} needs {}, which has no default. Set it.", m_owner.block, name)
                         : fmt::format("{} needs {}, which has no default ({}). Set it.", m_owner.block, name, help));
    }

private:
    std::string at(std::string_view name) const { return pointerTo(m_owner.pointer + "/params", name); }

    std::optional<Json> check(const Wanted& wanted, Json value, const Json& raw) {
        if (value.is_null()) {
            return wanted.nullable ? std::optional(std::move(value)) : wrongKind(wanted, value, raw);
        }
        switch (wanted.kind) {
            case ParameterKind::kInt:
                return value.is_number_integer() ? number(wanted, std::move(value), raw)
                                                 : wrongKind(wanted, value, raw);
            case ParameterKind::kFloat:
                if (!value.is_number()) {
                    return wrongKind(wanted, value, raw);
                }
                return number(wanted, Json(value.get<double>()), raw);
            case ParameterKind::kBool:
                return value.is_boolean() ? std::optional(std::move(value)) : wrongKind(wanted, value, raw);
            case ParameterKind::kText:
                return value.is_string() ? std::optional(std::move(value)) : wrongKind(wanted, value, raw);
            case ParameterKind::kChoice:
                return choice(wanted, std::move(value), raw);
            case ParameterKind::kIntList:
                if (value.is_string() && !wanted.choices.empty()) {
                    return choice(wanted, std::move(value), raw);
                }
                if (value.is_number_integer()) {
                    return number(wanted, std::move(value), raw);
                }
                return list(wanted, std::move(value), raw);
            case ParameterKind::kDimList:
                return list(wanted, std::move(value), raw);
        }
        return std::nullopt;
    }

    std::optional<Json> list(const Wanted& wanted, Json value, const Json& raw) {
        if (!value.is_array() || (value.empty() && !wanted.anyList)) {
            return wrongKind(wanted, value, raw);
        }
        for (const Json& item : value) {
            if (wanted.anyList || (item.is_null() && wanted.nullable)) {
                continue;
            }
            if (!item.is_number_integer()) {
                return wrongKind(wanted, value, raw);
            }
            if (!number(wanted, item, raw)) {
                return std::nullopt;
            }
        }
        return value;
    }

    std::optional<Json> choice(const Wanted& wanted, Json value, const Json& raw) {
        if (value.is_string() && std::find(wanted.choices.begin(), wanted.choices.end(),
                                           value.get_ref<const std::string&>()) != wanted.choices.end()) {
            return value;
        }
        const std::string nearest =
            value.is_string() ? nearestWord(value.get_ref<const std::string&>(), wanted.choices) : std::string();
        std::vector<Remedy> remedies;
        if (!nearest.empty() && !holdsExpression(raw)) {
            remedies.push_back(
                replaceValue(fmt::format("Set {} to {}", wanted.name, nearest), at(wanted.name), raw, nearest));
        }
        m_problems.critical("bad-parameter", m_owner.block, at(wanted.name),
                            fmt::format("{} has {} = {}; it has to be {}.{}", m_owner.block, wanted.name, value.dump(),
                                        kindText(wanted), nearest.empty() ? "" : " " + didYouMean(nearest, {})),
                            std::move(remedies));
        return std::nullopt;
    }

    std::optional<Json> number(const Wanted& wanted, Json value, const Json& raw) {
        const double size = value.get<double>();
        const bool whole = value.is_number_integer();
        if ((wanted.min && size < *wanted.min) || (wanted.max && size > *wanted.max)) {
            std::vector<Remedy> remedies;
            const double nearest = wanted.min && size < *wanted.min ? *wanted.min : *wanted.max;
            if (raw.is_number()) {
                const Json fixed = whole ? Json(static_cast<std::int64_t>(nearest)) : Json(nearest);
                remedies.push_back(
                    replaceValue(fmt::format("Set {} to {}", wanted.name, fixed.dump()), at(wanted.name), raw, fixed));
            }
            m_problems.critical("bad-parameter", m_owner.block, at(wanted.name),
                                fmt::format("{} has {} = {}; it has to be {}. Set it to {}.", m_owner.block,
                                            wanted.name, value.dump(), rangeText(wanted), numberText(nearest)),
                                std::move(remedies));
            return std::nullopt;
        }
        if (whole && std::abs(size) > kLargest) {
            m_problems.critical("bad-parameter", m_owner.block, at(wanted.name),
                                fmt::format("{} has {} = {}, which is larger than any size can be. Set it below 2^31.",
                                            m_owner.block, wanted.name, value.dump()));
            return std::nullopt;
        }
        return value;
    }

    std::nullopt_t wrongKind(const Wanted& wanted, const Json& value, const Json& raw) {
        const bool division = wanted.kind == ParameterKind::kInt && value.is_number_float() && holdsExpression(raw);
        m_problems.critical(
            "bad-parameter", m_owner.block, at(wanted.name),
            fmt::format("{} has {} = {}; it has to be {}. {}", m_owner.block, wanted.name, value.dump(),
                        kindText(wanted), division ? "Use // instead of / for a whole number." : "Correct the value."));
        return std::nullopt;
    }

    const ParameterOwner& m_owner;
    ProblemList& m_problems;
};

ParameterKind kindOf(const std::string& type) {
    return type == "int"     ? ParameterKind::kInt
           : type == "float" ? ParameterKind::kFloat
           : type == "bool"  ? ParameterKind::kBool
           : type == "text"  ? ParameterKind::kText
                             : ParameterKind::kDimList;
}

/// Appends without looking for the key first: the names of a spec are unique.
void append(Json& object, const std::string& name, Json value) {
    static_cast<std::vector<std::pair<const std::string, Json>>&>(object.get_ref<Json::object_t&>())
        .emplace_back(name, std::move(value));
}

}  // namespace

CheckedParameters checkParameters(const std::vector<ParameterSpec>& specs, const Json& stated, const Scope& scope,
                                  const ParameterOwner& owner, ProblemList& problems) {
    CheckedParameters result;
    Checker checker(owner, problems);
    std::size_t found = 0;
    result.values.get_ref<Json::object_t&>().reserve(specs.size());
    for (const ParameterSpec& spec : specs) {
        const auto it = stated.find(spec.name);
        found += it != stated.end() ? 1 : 0;
        const bool isStated = it != stated.end() && !(it->is_null() && !spec.nullable);
        if (!isStated) {
            if (spec.defaultValue.is_null() && !spec.inferred && !spec.nullable) {
                checker.missing(spec.name, spec.help);
                result.unknown.push_back(spec.name);
            }
            append(result.values, spec.name, spec.defaultValue);
            continue;
        }
        auto value = checker.value({spec.name, spec.kind, spec.min, spec.max, spec.choices, spec.nullable}, *it, scope);
        if (value) {
            append(result.values, spec.name, *std::move(value));
        } else {
            append(result.values, spec.name, *it);
            result.unknown.push_back(spec.name);
        }
    }
    if (found != stated.size()) {
        checker.unknownNames(stated, specs);
    }
    return result;
}

CheckedParameters checkParameters(const std::vector<ParameterDeclaration>& declared, const Json& stated,
                                  const Scope& scope, const ParameterOwner& owner, ProblemList& problems) {
    static const std::vector<std::string> kNoChoices;
    CheckedParameters result;
    Checker checker(owner, problems);
    Scope inner;
    for (const ParameterDeclaration& parameter : declared) {
        const Wanted wanted{parameter.name, kindOf(parameter.type),  parameter.min, parameter.max, kNoChoices,
                            false,          parameter.type == "list"};
        const auto it = stated.find(parameter.name);
        std::optional<Json> value;
        if (it != stated.end() && !it->is_null()) {
            value = checker.value(wanted, *it, scope);
        } else if (!parameter.defaultValue.is_null()) {
            value = checker.value(wanted, parameter.defaultValue, inner);
        } else {
            checker.missing(parameter.name, parameter.help);
        }
        if (value) {
            inner.set(parameter.name, *value);
            append(result.values, parameter.name, *std::move(value));
        } else {
            inner.setUnknown(parameter.name);
            append(result.values, parameter.name, it != stated.end() ? *it : Json());
            result.unknown.push_back(parameter.name);
        }
    }
    checker.unknownNames(stated, declared);
    return result;
}

}  // namespace plumbline::graph
