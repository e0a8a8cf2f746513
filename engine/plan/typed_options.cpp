#include "plan/typed_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace plumbline::plan {
namespace {

constexpr double kMaxInt = 9007199254740992.0;  // 2^53: every integer up to here is exact in JSON readers

bool isList(const OptionSpec& option) {
    return option.type == "pair" || option.type == "numbers" || option.type == "integers";
}
bool isName(const OptionSpec& option) {
    return option.type == "output" || option.type == "target";
}

/// "a number from 0 to 1"
std::string inWords(const std::string& what, const OptionSpec& option) {
    const bool open =
        !option.max || *option.max >= static_cast<double>(std::numeric_limits<float>::max()) || *option.max >= kMaxInt;
    if (!option.min || *option.min <= -static_cast<double>(std::numeric_limits<float>::max()) ||
        *option.min <= -kMaxInt) {
        return open ? what : fmt::format("{} of at most {}", what, *option.max);
    }
    if (open) {
        return option.minIncluded ? fmt::format("{} of at least {}", what, *option.min)
                                  : fmt::format("{} above {}", what, *option.min);
    }
    if (option.minIncluded) {
        return option.maxIncluded ? fmt::format("{} from {} to {}", what, *option.min, *option.max)
                                  : fmt::format("{} from {} to under {}", what, *option.min, *option.max);
    }
    return option.maxIncluded ? fmt::format("{} above {} and at most {}", what, *option.min, *option.max)
                              : fmt::format("{} above {} and under {}", what, *option.min, *option.max);
}

bool inRange(const OptionSpec& option, const Json& value) {
    if (!value.is_number() || (option.type == "integers" && !value.is_number_integer())) {
        return false;
    }
    const double number = value.get<double>();
    return std::isfinite(number) &&
           (!option.min || (option.minIncluded ? number >= *option.min : number > *option.min)) &&
           (!option.max || (option.maxIncluded ? number <= *option.max : number < *option.max));
}

std::string wanted(const OptionSpec& option) {
    if (option.type == "bool") {
        return "true or false";
    }
    if (option.type == "choice") {
        return fmt::format("one of {}", fmt::join(option.choices, ", "));
    }
    const char* const what = option.type == "int"        ? "a whole number"
                             : option.type == "pair"     ? "a list of two numbers"
                             : option.type == "numbers"  ? "a list of numbers"
                             : option.type == "integers" ? "a list of whole numbers"
                             : option.type == "float"    ? "a number"
                                                         : "a text";
    return inWords(what, option);
}

bool takes(const OptionSpec& option, const Json& value) {
    if (value.is_null()) {
        return option.defaultValue.is_null() && (!isName(option) || option.optional);
    }
    if (option.type == "bool") {
        return value.is_boolean();
    }
    if (option.type == "choice") {
        return value.is_string() && std::find(option.choices.begin(), option.choices.end(), value.get<std::string>()) !=
                                        option.choices.end();
    }
    if (option.type == "text" || isName(option)) {
        return value.is_string();
    }
    if (option.type == "int") {
        return value.is_number_integer() && inRange(option, value);
    }
    if (isList(option)) {
        return value.is_array() &&
               (option.type == "pair"
                    ? value.size() == 2
                    : !value.empty() || (option.defaultValue.is_array() && option.defaultValue.empty())) &&
               std::all_of(value.begin(), value.end(), [&](const Json& each) { return inRange(option, each); });
    }
    return inRange(option, value);
}

SettingSpec settingOf(const OptionSpec& option, const std::string& prefix, const std::string& group) {
    SettingSpec spec;
    spec.path = prefix + option.name;
    spec.type = isList(option) ? "list" : option.type;
    spec.defaultValue = option.defaultValue;
    if (!isList(option)) {
        spec.min = option.min;
        spec.max = option.max;
        spec.aboveMin = option.min && !option.minIncluded;
        spec.belowMax = option.max && !option.maxIncluded;
    }
    spec.optional = option.optional;
    spec.choices = option.choices;
    spec.unit = option.unit;
    spec.help = option.help;
    spec.applies = "next_run";
    spec.group = group;
    return spec;
}

/// Makes room in a setting for another type's option of the same name: what it takes is checked again by the type
/// itself.
void widen(SettingSpec& spec, const OptionSpec& option) {
    for (const std::string& choice : option.choices) {
        if (std::find(spec.choices.begin(), spec.choices.end(), choice) == spec.choices.end()) {
            spec.choices.push_back(choice);
        }
    }
    if (isList(option)) {
        return;
    }
    const bool lower = spec.min && (!option.min || *option.min < *spec.min);
    const bool higher = spec.max && (!option.max || *option.max > *spec.max);
    spec.aboveMin =
        lower ? option.min && !option.minIncluded : spec.aboveMin && !(option.min == spec.min && option.minIncluded);
    spec.belowMax =
        higher ? option.max && !option.maxIncluded : spec.belowMax && !(option.max == spec.max && option.maxIncluded);
    spec.min = lower ? option.min : spec.min;
    spec.max = higher ? option.max : spec.max;
}

}  // namespace

const OptionSpec* TypeSpec::option(const std::string& wantedName) const {
    const auto found =
        std::find_if(options.begin(), options.end(), [&](const OptionSpec& each) { return each.name == wantedName; });
    return found == options.end() ? nullptr : &*found;
}

bool TypeSpec::has(const std::string& setting) const {
    return std::find(without.begin(), without.end(), setting) == without.end();
}

const TypeSpec* findType(const std::vector<TypeSpec>& types, const std::string& name) {
    const auto found =
        std::find_if(types.begin(), types.end(), [&](const TypeSpec& type) { return type.name == name; });
    return found == types.end() ? nullptr : &*found;
}

std::vector<std::string> namesOf(const std::vector<TypeSpec>& types) {
    std::vector<std::string> names;
    for (const TypeSpec& type : types) {
        names.push_back(type.name);
    }
    return names;
}

const Json& TypedOptions::option(const std::string& name) const {
    static const Json none;
    if (const auto told = options.find(name); told != options.end()) {
        return *told;
    }
    const TypeSpec* spec = kind();
    const OptionSpec* known = spec == nullptr ? nullptr : spec->option(name);
    return known == nullptr ? none : known->defaultValue;
}

double TypedOptions::number(const std::string& name) const {
    const Json& value = option(name);
    return value.is_number() ? value.get<double>() : 0;
}

std::optional<double> TypedOptions::optionalNumber(const std::string& name) const {
    const Json& value = option(name);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::int64_t TypedOptions::integer(const std::string& name) const {
    const Json& value = option(name);
    return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

bool TypedOptions::flag(const std::string& name) const {
    const Json& value = option(name);
    return value.is_boolean() && value.get<bool>();
}

std::string TypedOptions::text(const std::string& name) const {
    const Json& value = option(name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::pair<double, double> TypedOptions::pair(const std::string& name) const {
    const std::vector<double> both = numbers(name);
    return both.size() == 2 ? std::pair(both[0], both[1]) : std::pair(0.0, 0.0);
}

std::vector<double> TypedOptions::numbers(const std::string& name) const {
    std::vector<double> values;
    for (const Json& value : option(name)) {
        values.push_back(value.get<double>());
    }
    return values;
}

std::vector<std::int64_t> TypedOptions::integers(const std::string& name) const {
    std::vector<std::int64_t> values;
    for (const Json& value : option(name)) {
        values.push_back(value.get<std::int64_t>());
    }
    return values;
}

std::vector<SettingSpec> settingsOf(const std::vector<TypeSpec>& types, const std::string& prefix,
                                    const std::string& typePath, const std::string& group) {
    std::vector<SettingSpec> settings;
    std::vector<std::vector<std::string>> owners;
    for (const TypeSpec& type : types) {
        for (const OptionSpec& option : type.options) {
            const auto found = std::find_if(settings.begin(), settings.end(),
                                            [&](const SettingSpec& spec) { return spec.path == prefix + option.name; });
            const auto place = static_cast<std::size_t>(found - settings.begin());
            if (found == settings.end()) {
                settings.push_back(settingOf(option, prefix, group));
                owners.emplace_back();
            } else {
                widen(*found, option);
                if (option.defaultValue != found->defaultValue) {
                    found->otherDefaults.push_back({typePath, type.name, option.defaultValue});
                }
            }
            owners[place].push_back(type.name);
        }
    }
    for (std::size_t i = 0; i < settings.size(); ++i) {
        if (owners[i].size() < types.size()) {
            settings[i].when = owners[i].size() == 1 ? fmt::format("{} == {}", typePath, owners[i].front())
                                                     : fmt::format("{} in {}", typePath, fmt::join(owners[i], ", "));
        }
    }
    return settings;
}

std::string whenHas(const std::vector<TypeSpec>& types, const std::string& typePath, const std::string& setting) {
    std::vector<std::string> owners;
    for (const TypeSpec& type : types) {
        if (type.has(setting)) {
            owners.push_back(type.name);
        }
    }
    return owners.size() == types.size() ? std::string() : fmt::format("{} in {}", typePath, fmt::join(owners, ", "));
}

Status checkOption(const OptionSpec& option, const Json& value, const std::string& pointer) {
    if (takes(option, value)) {
        return {};
    }
    return fail(ErrorKind::kInvalid, "out-of-range",
                fmt::format("{} has to be {} and is {}", pointer, wanted(option), value.dump()), pointer,
                option.defaultValue.is_null()
                    ? std::string("Leave it out to have none.")
                    : fmt::format("Where it is left out it is {}.", option.defaultValue.dump()));
}

OptionSpec numberOption(std::string name, Json value, double min, double max, std::string help) {
    return {std::move(name), "float", std::move(value), min, max, true, {}, {}, std::move(help)};
}

OptionSpec aboveOption(std::string name, Json value, double min, double max, std::string help) {
    return {std::move(name), "float", std::move(value), min, max, true, {}, {}, std::move(help), false};
}

OptionSpec decayOption(std::string name, double value, std::string help) {
    return {std::move(name), "float", value, 0, 1, false, {}, {}, std::move(help)};
}

OptionSpec integerOption(std::string name, Json value, double min, std::string unit, std::string help) {
    return {std::move(name), "int", std::move(value), min, kMaxInt, true, {}, std::move(unit), std::move(help)};
}

OptionSpec flagOption(std::string name, bool value, std::string help) {
    return {std::move(name), "bool", value, {}, {}, true, {}, {}, std::move(help)};
}

OptionSpec choiceOption(std::string name, std::string value, std::vector<std::string> choices, std::string help) {
    return {std::move(name), "choice", std::move(value), {}, {}, true, std::move(choices), {}, std::move(help)};
}

OptionSpec textOption(std::string name, Json value, std::string help) {
    return {std::move(name), "text", std::move(value), {}, {}, true, {}, {}, std::move(help)};
}

OptionSpec pairOption(std::string name, double first, double second, double min, double max, bool maxIncluded,
                      std::string help) {
    return {std::move(name), "pair", Json::array({first, second}), min, max, maxIncluded, {}, {}, std::move(help)};
}

OptionSpec numbersOption(std::string name, Json value, std::optional<double> min, std::string help) {
    return {std::move(name), "numbers", std::move(value), min, {}, true, {}, {}, std::move(help)};
}

OptionSpec integersOption(std::string name, Json value, std::optional<double> min, std::string help) {
    return {std::move(name), "integers", std::move(value), min, {}, true, {}, {}, std::move(help)};
}

OptionSpec outputOption(std::string name, std::string help, bool optional) {
    return {std::move(name), "output", nullptr, {}, {}, true, {}, {}, std::move(help), true, optional};
}

OptionSpec targetOption(std::string name, std::string help, bool optional) {
    return {std::move(name), "target", nullptr, {}, {}, true, {}, {}, std::move(help), true, optional};
}

}  // namespace plumbline::plan
