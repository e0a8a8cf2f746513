#pragma once
// Things that are chosen by a type's name and have options of their own: optimizers, schedules, losses, metrics. What a
// type can be told stands in one list; settings, forms, the schema and the reader are made from it.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "plan/setting_spec.h"

namespace plumbline::plan {

struct OptionSpec {
    std::string name;
    /// float, int, bool, choice, text, pair (a list of two numbers), numbers or integers (a list), output or target (a
    /// name)
    std::string type;
    Json defaultValue;  ///< null: may be left out; an output or a target with null has to be there unless `optional`
    std::optional<double> min, max;  ///< of a number, or of each number of a list
    bool maxIncluded = true;
    std::vector<std::string> choices;
    std::string unit;
    std::string help;
    bool minIncluded = true;
    bool optional = false;  ///< of an output or a target
};

struct TypeSpec {
    std::string name;
    std::vector<OptionSpec> options = {};
    /// Defaults of settings that every type has ("lr", "weight_decay"), where they differ from the usual one.
    std::vector<std::pair<std::string, Json>> otherDefaults = {};
    /// Settings that every other type has and this one does not: "weight_decay" of Rprop, "target" of
    /// TripletMarginLoss.
    std::vector<std::string> without = {};

    const OptionSpec* option(const std::string& name) const;
    bool has(const std::string& setting) const;  ///< not one of `without`
};

/// Null where there is none of that name.
const TypeSpec* findType(const std::vector<TypeSpec>& types, const std::string& name);
std::vector<std::string> namesOf(const std::vector<TypeSpec>& types);

/// The type that was chosen and what it was told. An option that was not told has its type's default; asking for one
/// that the type does not have is a programming error and gives zero, false or nothing.
class TypedOptions {
public:
    using Types = const std::vector<TypeSpec>& (*)();
    TypedOptions(Types types, std::string chosen) : type(std::move(chosen)), m_types(types) {}

    std::string type;
    Json options = Json::object();

    const TypeSpec* kind() const { return findType(m_types(), type); }
    /// The value, or the default; null where there is neither.
    const Json& option(const std::string& name) const;
    double number(const std::string& name) const;
    std::optional<double> optionalNumber(const std::string& name) const;
    std::int64_t integer(const std::string& name) const;
    bool flag(const std::string& name) const;
    std::string text(const std::string& name) const;
    std::pair<double, double> pair(const std::string& name) const;
    std::vector<double> numbers(const std::string& name) const;
    std::vector<std::int64_t> integers(const std::string& name) const;

private:
    Types m_types;
};

/// One setting for each option name, `prefix` before it, shown where `typePath` is one of the types that have it. An
/// option that has another default with another type says so in SettingSpec::otherDefaults.
std::vector<SettingSpec> settingsOf(const std::vector<TypeSpec>& types, const std::string& prefix,
                                    const std::string& typePath, const std::string& group);
/// SettingSpec::when of a setting that all types have but those that are without it: "" where that is none.
std::string whenHas(const std::vector<TypeSpec>& types, const std::string& typePath, const std::string& setting);

/// Whether a value is one that the option takes; the sentence names what it takes.
Status checkOption(const OptionSpec& option, const Json& value, const std::string& pointer);

OptionSpec numberOption(std::string name, Json value, double min, double max, std::string help);
/// Above `min`, which is no value of it.
OptionSpec aboveOption(std::string name, Json value, double min, double max, std::string help);
/// A share of 0 to under 1.
OptionSpec decayOption(std::string name, double value, std::string help);
OptionSpec integerOption(std::string name, Json value, double min, std::string unit, std::string help);
OptionSpec flagOption(std::string name, bool value, std::string help);
OptionSpec choiceOption(std::string name, std::string value, std::vector<std::string> choices, std::string help);
OptionSpec textOption(std::string name, Json value, std::string help);
OptionSpec pairOption(std::string name, double first, double second, double min, double max, bool maxIncluded,
                      std::string help);
/// A list of numbers, or of whole numbers, that may be left out where `value` is null.
OptionSpec numbersOption(std::string name, Json value, std::optional<double> min, std::string help);
OptionSpec integersOption(std::string name, Json value, std::optional<double> min, std::string help);
/// The name of one of the model's outputs, or of the data's targets, besides "output" and "target".
OptionSpec outputOption(std::string name, std::string help, bool optional = false);
OptionSpec targetOption(std::string name, std::string help, bool optional = false);

}  // namespace plumbline::plan
