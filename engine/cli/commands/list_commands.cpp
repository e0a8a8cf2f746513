// plumbline blocks, detectors, settings, schema

#include <fmt/format.h>

#include "blocks/register.h"
#include "cli/command.h"
#include "diagnostics/detector.h"
#include "plan/plan.h"

namespace plumbline::cli {
namespace {

std::string_view kindName(graph::ParameterKind kind) {
    switch (kind) {
        case graph::ParameterKind::kInt: return "int";
        case graph::ParameterKind::kFloat: return "float";
        case graph::ParameterKind::kBool: return "bool";
        case graph::ParameterKind::kText: return "text";
        case graph::ParameterKind::kChoice: return "choice";
        case graph::ParameterKind::kIntList: return "int or list";
        case graph::ParameterKind::kDimList: return "list";
    }
    return "";
}

Json portsJson(const std::vector<graph::PortSpec>& ports) {
    Json list = Json::array();
    for (const graph::PortSpec& port : ports) {
        list.push_back({{"name", port.name}, {"optional", port.optional}, {"variadic", port.variadic}, {"help", port.help}});
    }
    return list;
}

Json rangeJson(const std::optional<double>& min, const std::optional<double>& max) {
    return {{"min", min ? Json(*min) : Json()}, {"max", max ? Json(*max) : Json()}};
}

Result<int> runBlocks(const Output& output) {
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"type", "category", "what it does"}};
    for (const auto& type : blocks::builtinBlocks().all()) {
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
        list.push_back({{"type", spec.type}, {"category", spec.category}, {"summary", spec.summary}, {"parameters", parameters},
                        {"inputs", portsJson(spec.inputs)}, {"outputs", portsJson(spec.outputs)}});
        rows.push_back({spec.type, spec.category, spec.summary});
    }
    output.document(Json{{"blocks", list}});
    output.table(rows);
    return 0;
}

Result<int> runDetectors(const Output& output) {
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"detector", "severity", "what it finds"}};
    for (const diagnostics::DetectorEntry& entry : diagnostics::detectors()) {
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
        list.push_back({{"id", entry.spec.id}, {"severity", std::string(graph::toString(entry.spec.severity))}, {"summary", entry.spec.summary}, {"thresholds", thresholds}});
        rows.push_back({entry.spec.id, std::string(graph::toString(entry.spec.severity)), entry.spec.summary});
    }
    output.document(Json{{"detectors", list}});
    output.table(rows);
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

Result<int> runSettings(const Output& output) {
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"path", "type", "default", "applies", "what it does"}};
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
    for (const plan::SettingSpec& spec : specs) {
        list.push_back({{"path", spec.path}, {"type", spec.type}, {"default", spec.defaultValue}, {"default_with", otherDefaultsJson(spec)}, {"range", rangeJson(spec.min, spec.max)}, {"choices", spec.choices},
                        {"unit", spec.unit}, {"help", spec.help}, {"applies", spec.applies}, {"group", spec.group}, {"when", spec.when}});
        rows.push_back({spec.path, spec.type, defaultText(spec), spec.applies, spec.help});
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
    add("blocks", "List every block type with its parameters and ports", runBlocks);
    add("detectors", "List every detector with its thresholds", runDetectors);
    add("settings", "List every setting with type, default, range and when it applies", runSettings);
    add("schema", "Print the JSON Schema of project.json", runSchema);
}

}  // namespace plumbline::cli
