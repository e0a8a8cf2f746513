#include "plan/setting_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/json_errors.h"

namespace plumbline::plan {
namespace {

/// A hint, and what the setting is where it is left out.
std::string withDefault(const SettingSpec& spec, const std::string& hint) {
    return hint + " " +
           (spec.defaultValue.is_null() ? std::string("It may be left out.")
                                        : fmt::format("Where it is left out it is {}.", spec.defaultValue.dump()));
}

Status typeError(const SettingSpec& spec, const std::string& pointer, std::string_view wanted, const Json& value) {
    Error error = wrongTypeError(pointer, wanted, value);
    error.hint = withDefault(spec, error.hint);
    return fail(std::move(error));
}

/// A list of objects is shown by the key that each of them begins with.
Status listError(const SettingSpec& spec, const std::string& pointer, const Json& value) {
    const std::vector<SettingSpec>& keys = elementSettings(spec.path);
    if (keys.empty()) {
        return typeError(spec, pointer, "a list", value);
    }
    Error error = wrongTypeError(pointer, "a list", value);
    error.hint =
        withDefault(spec, fmt::format("Write a list of objects in brackets, each in braces: [{{\"{}\": {}, …}}].",
                                      keys.front().path, keys.front().defaultValue.dump()));
    return fail(std::move(error));
}

std::string rangeOf(const SettingSpec& spec, bool tooLarge) {
    // The largest float32 is no bound that anybody chose.
    if (!spec.max || *spec.max >= static_cast<double>(std::numeric_limits<float>::max())) {
        return tooLarge        ? "small enough for a float32"
               : spec.aboveMin ? fmt::format("above {}", *spec.min)
                               : fmt::format("at least {}", *spec.min);
    }
    if (!spec.min) {
        return spec.belowMax ? fmt::format("below {}", *spec.max) : fmt::format("at most {}", *spec.max);
    }
    if (spec.aboveMin) {
        return spec.belowMax ? fmt::format("above {} and below {}", *spec.min, *spec.max)
                             : fmt::format("above {} and at most {}", *spec.min, *spec.max);
    }
    return spec.belowMax ? fmt::format("at least {} and below {}", *spec.min, *spec.max)
                         : fmt::format("between {} and {}", *spec.min, *spec.max);
}

Status checkRange(const SettingSpec& spec, double value, const std::string& pointer) {
    if (!std::isfinite(value)) {
        return fail(ErrorKind::kInvalid, "out-of-range", fmt::format("{} is not a finite number", pointer), pointer,
                    withDefault(spec, howToWrite("a number")));
    }
    const bool tooSmall = spec.min && (value < *spec.min || (spec.aboveMin && value == *spec.min));
    const bool tooLarge = spec.max && (value > *spec.max || (spec.belowMax && value == *spec.max));
    if (tooSmall || tooLarge) {
        return fail(ErrorKind::kInvalid, "out-of-range",
                    fmt::format("{} has to be {} and is {}", pointer, rangeOf(spec, tooLarge), value), pointer,
                    withDefault(spec, "Choose a value within that."));
    }
    return {};
}

}  // namespace

const SettingSpec* findSetting(const std::string& path) {
    static const auto byPath = [] {
        std::unordered_map<std::string, const SettingSpec*> map;
        for (const SettingSpec& spec : settings()) {
            map.emplace(spec.path, &spec);
        }
        return map;
    }();
    const auto it = byPath.find(path);
    return it == byPath.end() ? nullptr : it->second;
}

Status checkSetting(const SettingSpec& spec, const Json& value, const std::string& pointer) {
    if (value.is_null() && spec.defaultValue.is_null()) {
        return {};
    }
    if (spec.type == "int") {
        if (!value.is_number_integer()) {
            return typeError(spec, pointer, "an integer", value);
        }
        return checkRange(spec, value.get<double>(), pointer);
    }
    if (spec.type == "float") {
        if (!value.is_number()) {
            return typeError(spec, pointer, "a number", value);
        }
        return checkRange(spec, value.get<double>(), pointer);
    }
    if (spec.type == "float_or_inf") {
        if (value == "inf") {
            return {};
        }
        return value.is_number() ? checkRange(spec, value.get<double>(), pointer)
                                 : typeError(spec, pointer, "a number, or \"inf\"", value);
    }
    if (spec.type == "bool") {
        return value.is_boolean() ? Status{} : typeError(spec, pointer, "true or false", value);
    }
    if (spec.type == "text" || spec.type == "choice") {
        if (!value.is_string()) {
            return typeError(spec, pointer, "a text", value);
        }
        const auto text = value.get<std::string>();
        if (!spec.choices.empty() && std::find(spec.choices.begin(), spec.choices.end(), text) == spec.choices.end()) {
            return fail(ErrorKind::kInvalid, "unknown-choice",
                        fmt::format("{} is \"{}\", which is none of {}", pointer, text, fmt::join(spec.choices, ", ")),
                        pointer, didYouMean(text, spec.choices, withDefault(spec, "Choose one of these.")));
        }
        return {};
    }
    if (spec.type == "list") {
        return value.is_array() ? Status{} : listError(spec, pointer, value);
    }
    return value.is_object() ? Status{} : typeError(spec, pointer, "an object", value);
}

SettingReader::SettingReader(const Json& value, std::string section, std::string pointer)
    : m_value(value), m_section(std::move(section)), m_pointer(std::move(pointer)) {
    if (!value.is_object()) {
        addError(wrongTypeError(m_pointer, "an object", value));
    }
}

void SettingReader::addError(Error error) {
    if (m_status) {
        m_status = fail(std::move(error));
    }
}

const Json* SettingReader::locate(const std::string& path) const {
    const Json* value = &m_value;
    std::size_t start = 0;
    while (value->is_object()) {
        const std::size_t dot = path.find('.', start);
        const auto it = value->find(path.substr(start, dot - start));
        if (it == value->end()) {
            return nullptr;
        }
        if (dot == std::string::npos) {
            return &*it;
        }
        value = &*it;
        start = dot + 1;
    }
    return nullptr;  // an outer value is not an object: finish() says so
}

const Json* SettingReader::checked(const std::string& path, const SettingSpec& spec) {
    const Json* value = locate(path);
    if (value == nullptr) {
        return nullptr;
    }
    const std::string pointer = m_pointer + pointerOfDottedPath(path);
    if (const Status status = checkSetting(spec, *value, pointer); !status) {
        // What it is where it is left out depends on other settings, as on the type that was chosen.
        SettingSpec here = spec;
        here.defaultValue = fallback(spec);
        const Status told = here.defaultValue == spec.defaultValue ? status : checkSetting(here, *value, pointer);
        addError(told ? status.error() : told.error());
        return nullptr;
    }
    return value->is_null() ? nullptr : value;
}

const Json& SettingReader::fallback(const SettingSpec& spec) const {
    return defaultOf(spec, [this](const std::string& path) {
        return path.starts_with(m_section + ".") ? locate(path.substr(m_section.size() + 1)) : nullptr;
    });
}

double SettingReader::number(const std::string& path) {
    const SettingSpec& spec = *findSetting(m_section + "." + path);
    const Json* value = checked(path, spec);
    return (value != nullptr ? *value : fallback(spec)).get<double>();
}

std::int64_t SettingReader::integer(const std::string& path) {
    const SettingSpec& spec = *findSetting(m_section + "." + path);
    const Json* value = checked(path, spec);
    return (value != nullptr ? *value : fallback(spec)).get<std::int64_t>();
}

bool SettingReader::boolean(const std::string& path) {
    const SettingSpec& spec = *findSetting(m_section + "." + path);
    const Json* value = checked(path, spec);
    return (value != nullptr ? *value : fallback(spec)).get<bool>();
}

std::string SettingReader::text(const std::string& path) {
    const SettingSpec& spec = *findSetting(m_section + "." + path);
    const Json* value = checked(path, spec);
    return (value != nullptr ? *value : fallback(spec)).get<std::string>();
}

const Json* SettingReader::structured(const std::string& path) {
    return checked(path, *findSetting(m_section + "." + path));
}

void SettingReader::options(const std::string& prefix, TypedOptions& into, const std::vector<TypeSpec>& types,
                            std::vector<std::string>& withoutEffect) {
    const TypeSpec* kind = into.kind();
    std::set<std::string> seen;
    for (const TypeSpec& type : types) {
        for (const OptionSpec& option : type.options) {
            const OptionSpec* own = kind == nullptr ? nullptr : kind->option(option.name);
            if (!seen.insert(option.name).second) {
                continue;
            }
            const std::string path = prefix + option.name;
            const Json* value = structured(path);
            if (value == nullptr) {
                continue;
            }
            const std::string pointer = m_pointer + pointerOfDottedPath(path);
            if (own == nullptr) {
                withoutEffect.push_back(pointer);
                continue;
            }
            if (const Status status = checkOption(*own, *value, pointer); !status) {
                addError(status.error());
            }
            into.options[option.name] = *value;
        }
    }
}

double SettingReader::numberOrInfinity(const std::string& path) {
    const SettingSpec& spec = *findSetting(m_section + "." + path);
    const Json* value = checked(path, spec);
    const Json& taken = value != nullptr ? *value : fallback(spec);
    return taken.is_number() ? taken.get<double>() : std::numeric_limits<double>::infinity();
}

void SettingReader::checkUnknown(const Json& value, const std::string& path) {
    for (const auto& [key, item] : value.items()) {
        const std::string child = path + "." + key;
        const std::string pointer = m_pointer + pointerOfDottedPath(child.substr(m_section.size() + 1));
        if (findSetting(child) != nullptr) {
            continue;
        }
        const std::string prefix = child + ".";
        const auto inside = [&](const SettingSpec& spec) { return spec.path.starts_with(prefix); };
        if (std::any_of(settings().begin(), settings().end(), inside)) {
            if (item.is_null()) {
                continue;
            }
            if (!item.is_object()) {
                addError(wrongTypeError(pointer, "an object", item));
                return;
            }
            checkUnknown(item, child);
            continue;
        }
        std::vector<std::string> siblings;
        for (const SettingSpec& spec : settings()) {
            if (spec.path.starts_with(path + ".")) {
                const std::string rest = spec.path.substr(path.size() + 1);
                siblings.push_back(rest.substr(0, rest.find('.')));
            }
        }
        addError(unknownKeyError(pointer, key, siblings));
        return;
    }
}

Status SettingReader::finish() {
    if (m_status && m_value.is_object()) {
        checkUnknown(m_value, m_section);
    }
    return m_status;
}

}  // namespace plumbline::plan
