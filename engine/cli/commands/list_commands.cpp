// plumbline blocks, detectors, settings, schema

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "blocks/register.h"
#include "cli/command.h"
#include "core/json_errors.h"
#include "core/text.h"
#include "diagnostics/detector.h"
#include "plan/plan.h"

namespace plumbline::cli {
namespace {

std::string_view kindName(graph::ParameterKind kind) {
    switch (kind) {
        case graph::ParameterKind::kInt:
            return "int";
        case graph::ParameterKind::kFloat:
            return "float";
        case graph::ParameterKind::kBool:
            return "bool";
        case graph::ParameterKind::kText:
            return "text";
        case graph::ParameterKind::kChoice:
            return "choice";
        case graph::ParameterKind::kIntList:
            return "int or list";
        case graph::ParameterKind::kDimList:
            return "list";
    }
    return "";
}

Json portsJson(const std::vector<graph::PortSpec>& ports) {
    Json list = Json::array();
    for (const graph::PortSpec& port : ports) {
        list.push_back(
            {{"name", port.name}, {"optional", port.optional}, {"variadic", port.variadic}, {"help", port.help}});
    }
    return list;
}

Json rangeJson(const std::optional<double>& min, const std::optional<double>& max) {
    return {{"min", min ? Json(*min) : Json()}, {"max", max ? Json(*max) : Json()}};
}

/// "≥ 1", "0 … 1", "zeros, reflect"; empty where anything goes.
std::string rangeText(const std::optional<double>& min, const std::optional<double>& max,
                      const std::vector<std::string>& choices) {
    if (!choices.empty()) {
        return fmt::format("{}", fmt::join(choices, ", "));
    }
    return min && max ? fmt::format("{:g} … {:g}", *min, *max)
           : min      ? fmt::format("≥ {:g}", *min)
           : max      ? fmt::format("≤ {:g}", *max)
                      : "";
}

/// Those of `all` that `wanted` names, in that order; all where it names none.
template <typename Item>
Result<std::vector<const Item*>> chosen(const std::vector<std::pair<std::string, const Item*>>& all,
                                        const std::vector<std::string>& wanted, const char* what) {
    std::vector<const Item*> found;
    std::vector<std::string> names;
    for (const auto& [name, item] : all) {
        names.push_back(name);
        if (wanted.empty()) {
            found.push_back(item);
        }
    }
    for (const std::string& name : wanted) {
        const auto place = std::find(names.begin(), names.end(), name);
        if (place == names.end()) {
            return fail(ErrorKind::kUsage, fmt::format("unknown-{}", what),
                        fmt::format("There is no {} \"{}\".", what, name), {},
                        didYouMean(name, names, fmt::format("plumbline {}s lists them.", what)));
        }
        found.push_back(all[static_cast<std::size_t>(place - names.begin())].second);
    }
    return found;
}

/// One block: what it does, its ports, then a line a parameter.
void tellBlock(const graph::BlockSpec& spec, const Output& output) {
    const auto ports = [](const std::vector<graph::PortSpec>& all) {
        std::vector<std::string> names;
        for (const graph::PortSpec& port : all) {
            names.push_back(port.name + (port.variadic ? "…" : port.optional ? " (optional)" : ""));
        }
        return fmt::format("{}", fmt::join(names, ", "));
    };
    output.line(fmt::format("{} ({}): {}", spec.type, spec.category, spec.summary));
    output.line(fmt::format("inputs: {}; outputs: {}", ports(spec.inputs), ports(spec.outputs)));
    std::vector<std::vector<std::string>> rows{{"parameter", "type", "default", "range", "what it is"}};
    for (const graph::ParameterSpec& parameter : spec.parameters) {
        const std::string byDefault = parameter.inferred                 ? "inferred"
                                      : parameter.defaultValue.is_null() ? ""
                                                                         : parameter.defaultValue.dump();
        rows.push_back({parameter.name, std::string(kindName(parameter.kind)), byDefault,
                        rangeText(parameter.min, parameter.max, parameter.choices), parameter.help});
    }
    if (rows.size() > 1) {
        output.table(rows);
    }
}

Result<int> runBlocks(const std::vector<std::string>& wanted, const Output& output) {
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"type", "category", "what it does"}};
    std::vector<std::pair<std::string, const graph::BlockType*>> all;
    for (const auto& type : blocks::builtinBlocks().all()) {
        all.emplace_back(type->spec().type, &*type);
    }
    PLUMBLINE_ASSIGN(const auto types, chosen(all, wanted, "block"));
    for (const graph::BlockType* type : types) {
        const graph::BlockSpec& spec = type->spec();
        Json parameters = Json::array();
        for (const graph::ParameterSpec& parameter : spec.parameters) {
            parameters.push_back({{"path", parameter.name},
                                  {"type", std::string(kindName(parameter.kind))},
                                  {"default", parameter.defaultValue},
                                  {"range", rangeJson(parameter.min, parameter.max)},
                                  {"choices", parameter.choices},
                                  {"inferred", parameter.inferred},
                                  {"help", parameter.help},
                                  {"applies", "next_run"}});
        }
        list.push_back({{"type", spec.type},
                        {"category", spec.category},
                        {"summary", spec.summary},
                        {"parameters", parameters},
                        {"inputs", portsJson(spec.inputs)},
                        {"outputs", portsJson(spec.outputs)}});
        rows.push_back({spec.type, spec.category, spec.summary});
    }
    output.document(Json{{"blocks", list}});
    if (wanted.empty()) {
        output.table(rows);
        return 0;
    }
    for (const graph::BlockType* type : types) {
        tellBlock(type->spec(), output);
    }
    return 0;
}

/// One detector: what it finds, then a line a threshold.
void tellDetector(const diagnostics::DetectorSpec& spec, const Output& output) {
    output.line(fmt::format("{} ({}): {}", spec.id, graph::toString(spec.severity), spec.summary));
    std::vector<std::vector<std::string>> rows{{"threshold", "default", "unit", "range", "what it is"}};
    for (const diagnostics::ThresholdSpec& threshold : spec.thresholds) {
        rows.push_back({threshold.name, fmt::format("{:g}", threshold.defaultValue), threshold.unit,
                        rangeText(threshold.min, threshold.max, {}), threshold.help});
    }
    if (rows.size() > 1) {
        output.table(rows);
    }
}

Result<int> runDetectors(const std::vector<std::string>& wanted, const Output& output) {
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"detector", "severity", "what it finds"}};
    std::vector<std::pair<std::string, const diagnostics::DetectorEntry*>> all;
    for (const diagnostics::DetectorEntry& entry : diagnostics::detectors()) {
        all.emplace_back(entry.spec.id, &entry);
    }
    PLUMBLINE_ASSIGN(const auto entries, chosen(all, wanted, "detector"));
    for (const diagnostics::DetectorEntry* which : entries) {
        const diagnostics::DetectorEntry& entry = *which;
        Json thresholds = Json::array();
        for (const diagnostics::ThresholdSpec& threshold : entry.spec.thresholds) {
            thresholds.push_back({{"path", fmt::format("monitor.detectors.{}.{}", entry.spec.id, threshold.name)},
                                  {"type", "float"},
                                  {"default", threshold.defaultValue},
                                  {"range", rangeJson(threshold.min, threshold.max)},
                                  {"unit", threshold.unit},
                                  {"help", threshold.help},
                                  {"applies", "next_run"}});
        }
        list.push_back({{"id", entry.spec.id},
                        {"severity", std::string(graph::toString(entry.spec.severity))},
                        {"summary", entry.spec.summary},
                        {"thresholds", thresholds}});
        rows.push_back({entry.spec.id, std::string(graph::toString(entry.spec.severity)), entry.spec.summary});
    }
    output.document(Json{{"detectors", list}});
    if (wanted.empty()) {
        output.table(rows);
        return 0;
    }
    for (const diagnostics::DetectorEntry* entry : entries) {
        tellDetector(entry->spec, output);
    }
    return 0;
}

/// "0.0", and where another setting decides "0.0; 0.01 with training.optimizer.type AdamW".
std::string defaultText(const plan::SettingSpec& spec) {
    std::string text = spec.defaultValue.dump();
    for (const plan::SettingSpec::OtherDefault& other : spec.otherDefaults) {
        text += fmt::format("; {} with {} {}", other.defaultValue.dump(), other.setting, other.value);
    }
    return text;
}

Json otherDefaultsJson(const plan::SettingSpec& spec) {
    Json list = Json::array();
    for (const plan::SettingSpec::OtherDefault& other : spec.otherDefaults) {
        list.push_back({{"setting", other.setting}, {"value", other.value}, {"default", other.defaultValue}});
    }
    return list;
}

/// Whether a person means this setting: its path, the beginning of it or its last part.
bool isNamed(const std::string& path, const std::string& name) {
    return path == name || path.starts_with(name + ".") || path.ends_with("." + name);
}

/// Of all, those that are named; a name that fits none is refused.
Result<std::vector<plan::SettingSpec>> settingsNamed(const std::vector<plan::SettingSpec>& all,
                                                     const std::vector<std::string>& wanted) {
    std::vector<plan::SettingSpec> found;
    for (const std::string& name : wanted) {
        const std::size_t before = found.size();
        std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                     [&](const plan::SettingSpec& spec) { return isNamed(spec.path, name); });
        if (found.size() == before) {
            std::vector<std::string> names;
            for (const plan::SettingSpec& spec : all) {
                names.push_back(spec.path);
                names.push_back(spec.path.substr(spec.path.rfind('.') + 1));
            }
            return fail(ErrorKind::kUsage, "unknown-setting",
                        fmt::format("There is no setting \"{}\".", shortened(name)), {},
                        didYouMean(name, names, "plumbline settings lists them."));
        }
    }
    return wanted.empty() ? all : found;
}

Result<int> runSettings(const std::vector<std::string>& wanted, const Output& output) {
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"path", "type", "default", "range", "applies", "what it does"}};
    std::vector<plan::SettingSpec> specs;
    for (const plan::SettingSpec& spec : plan::settings()) {
        specs.push_back(spec);
        // N stands for a place in the list, from 0.
        for (plan::SettingSpec element : plan::elementSettings(spec.path)) {
            element.path = fmt::format("{}.N.{}", spec.path, element.path);
            element.group = spec.group;
            specs.push_back(std::move(element));
        }
    }
    PLUMBLINE_ASSIGN(const auto named, settingsNamed(specs, wanted));
    for (const plan::SettingSpec& spec : named) {
        list.push_back({{"path", spec.path},
                        {"type", spec.type},
                        {"default", spec.defaultValue},
                        {"default_with", otherDefaultsJson(spec)},
                        {"range", rangeJson(spec.min, spec.max)},
                        {"choices", spec.choices},
                        {"unit", spec.unit},
                        {"help", spec.help},
                        {"applies", spec.applies},
                        {"group", spec.group},
                        {"when", spec.when}});
        rows.push_back({spec.path, spec.type, defaultText(spec), rangeText(spec.min, spec.max, spec.choices),
                        spec.applies, spec.help});
    }
    output.document(Json{{"settings", list}});
    output.table(rows);
    return 0;
}

Result<int> runSchema(const Output& output) {
    const Json schema = project::projectSchema(blocks::builtinBlocks());
    output.document(schema);
    output.line(schema.dump(2));
    return 0;
}

}  // namespace

void registerLists(CLI::App& app, Invocation& invocation) {
    const auto add = [&](const char* name, const char* help, Result<int> (*run)(const Output&)) {
        app.add_subcommand(name, help)->callback([&invocation, run] { invocation.run = run; });
    };
    const auto addNamed = [&](const char* name, const char* help, const char* item, const char* which,
                              Result<int> (*run)(const std::vector<std::string>&, const Output&)) {
        auto wanted = std::make_shared<std::vector<std::string>>();
        CLI::App* command = app.add_subcommand(name, help);
        command->add_option(item, *wanted, which);
        command->callback([&invocation, wanted, run] {
            invocation.run = [wanted, run](const Output& output) { return run(*wanted, output); };
        });
    };
    addNamed("blocks", "List the block types; of those named, parameters and ports", "TYPE", "Block types, as Conv2d",
             runBlocks);
    addNamed("detectors", "List the detectors; of those named, thresholds", "ID", "Detectors, as loader-stall",
             runDetectors);
    addNamed("settings", "List the settings, or those named, with type, default, range and when each applies", "PATH",
             "Settings, as training.optimizer or lr", runSettings);
    add("schema", "Print the JSON Schema of project.json", runSchema);
}

}  // namespace plumbline::cli
