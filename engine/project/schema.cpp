// JSON Schema (draft 2020-12) of project.json, from the same lists that the reader checks by.

#include "core/dtype.h"
#include "data/source.h"
#include "data/transform.h"
#include "diagnostics/detector.h"
#include "plan/condition.h"
#include "project/project.h"

namespace plumbline::project {
namespace {

Json settingSchema(const plan::SettingSpec& spec);

/// What a list setting holds, for each of its types; null where its elements are plain values.
Json elementsSchema(const std::string& listPath) {
    const std::vector<plan::SettingSpec>& specs = plan::elementSettings(listPath);
    if (specs.empty()) {
        return nullptr;
    }
    const auto element = [&](const std::string& type) {
        Json schema{{"type", "object"},
                    {"additionalProperties", false},
                    {"required", Json::array()},
                    {"properties", Json::object()}};
        for (const plan::SettingSpec& spec : specs) {
            const bool isType = !type.empty() && spec.path == "type";
            if (!type.empty() && !plan::conditionOf(spec.when).holds(type)) {
                continue;
            }
            schema["properties"][spec.path] =
                isType ? Json{{"const", type}, {"description", spec.help}} : settingSchema(spec);
            if (spec.defaultValue.is_null()) {
                // It may be left out, and is a value where it is there.
                schema["properties"][spec.path]["type"] = schema["properties"][spec.path]["type"].at(0);
                schema["properties"][spec.path].erase("default");
            }
            if (isType || spec.path == "match" ||
                (listPath == "training.phases" && (spec.path == "name" || spec.path == "train")) ||
                ((spec.type == "output" || spec.type == "target") && !spec.optional)) {
                schema["required"].push_back(spec.path);
                schema["properties"][spec.path].erase("default");
            }
        }
        return schema;
    };
    if (specs.front().choices.empty()) {
        return element("");
    }
    Json any = Json::array();
    for (const std::string& type : specs.front().choices) {
        any.push_back(element(type));
    }
    return {{"anyOf", std::move(any)}};
}

Json settingSchema(const plan::SettingSpec& spec) {
    Json schema;
    if (spec.type == "int") {
        schema["type"] = "integer";
    } else if (spec.type == "float") {
        schema["type"] = "number";
    } else if (spec.type == "bool") {
        schema["type"] = "boolean";
    } else if (spec.type == "list") {
        schema["type"] = "array";
    } else if (spec.type == "object") {
        schema["type"] = "object";
    } else if (spec.type == "patterns") {
        schema["anyOf"] = Json::array(
            {Json{{"type", "string"}}, Json{{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}}});
    } else if (spec.type == "float_or_inf") {
        schema["anyOf"] = Json::array({Json{{"const", "inf"}}, Json{{"type", "number"}}});
    } else if (spec.type == "auto_int") {
        schema["anyOf"] =
            Json::array({Json{{"const", "auto"}}, Json{{"type", "integer"}, {"minimum", 1}, {"maximum", 1000000}}});
    } else {
        schema["type"] = "string";
    }
    if (const Json items = elementsSchema(spec.path); !items.is_null()) {
        schema["items"] = items;
    }
    if (!spec.choices.empty()) {
        schema["enum"] = spec.choices;
    }
    if (spec.defaultValue.is_null() && schema.contains("type")) {
        schema["type"] = Json::array({schema["type"], "null"});
    }
    if (spec.min) {
        schema[spec.aboveMin ? "exclusiveMinimum" : "minimum"] = *spec.min;
    }
    if (spec.max) {
        schema[spec.belowMax ? "exclusiveMaximum" : "maximum"] = *spec.max;
    }
    schema["default"] = spec.defaultValue;
    schema["description"] = spec.applies == "live" ? spec.help + " It can change while a run is on." : spec.help;
    return schema;
}

/// Puts the schema at the dotted path, making the objects on the way.
void place(Json& root, const std::string& path, Json schema) {
    Json* at = &root;
    std::size_t start = 0;
    for (;;) {
        const std::size_t dot = path.find('.', start);
        Json& child = (*at)["properties"][path.substr(start, dot - start)];
        if (dot == std::string::npos) {
            child = std::move(schema);
            return;
        }
        if (child.is_null()) {
            child = Json{{"type", "object"}, {"additionalProperties", false}};
            if (start > 0 && path.starts_with("training.")) {
                child["type"] = Json::array({"object", "null"});  // as if it were left out
            }
        }
        at = &child;
        start = dot + 1;
    }
}

Json expression() {
    return {{"type", "string"}, {"pattern", "^="}};
}
Json orExpression(Json schema) {
    return {{"anyOf", Json::array({std::move(schema), expression()})}};
}

/// The options of each source type by name; what they hold is read with the file they tell of.
Json sourceSchema() {
    Json any = Json::array();
    for (const data::SourceType& source : data::sourceTypes()) {
        Json schema{{"type", "object"},
                    {"required", Json::array({"type"})},
                    {"additionalProperties", false},
                    {"properties", {{"type", {{"const", std::string(source.name)}}}}}};
        for (const std::string& key : source.required) {
            schema["required"].push_back(key);
            schema["properties"][key] = Json{{"type", "string"}};
        }
        for (const std::string& key : source.optional) {
            schema["properties"][key] = Json::object();
        }
        any.push_back(std::move(schema));
    }
    return {{"anyOf", std::move(any)}};
}

Json feedSchema() {
    Json types = Json::array();
    for (const data::TransformType& type : data::transformTypes()) {
        types.push_back(std::string(type.name));
    }
    const Json text{{"type", "string"}};
    const Json transform{{"type", "object"},
                         {"required", Json::array({"type"})},
                         {"properties", {{"type", {{"enum", std::move(types)}}}}}};
    return {{"type", "object"},
            {"required", Json::array({"from"})},
            {"additionalProperties", false},
            {"properties",
             {{"from", {{"anyOf", Json::array({text, Json{{"type", "array"}, {"items", text}, {"minItems", 1}}})}}},
              {"transforms", {{"type", "array"}, {"items", transform}}},
              {"dtype", {{"enum", Json::array({"float32", "float64", "int64", "int32", "uint8"})}}},
              {"squeeze", {{"type", "boolean"}}}}}};
}

Json detectorsSchema() {
    Json properties = Json::object();
    for (const diagnostics::DetectorEntry& entry : diagnostics::detectors()) {
        Json settings{{"enabled", {{"type", "boolean"}}}};
        for (const diagnostics::ThresholdSpec& threshold : entry.spec.thresholds) {
            settings[threshold.name] = Json{{"type", "number"},
                                            {"minimum", threshold.min},
                                            {"maximum", threshold.max},
                                            {"default", threshold.defaultValue},
                                            {"description", threshold.help}};
        }
        properties[entry.spec.id] =
            Json{{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(settings)}};
    }
    return properties;
}

Json graphSchema(const graph::BlockRegistry& registry, bool definition) {
    Json types = Json::array();
    for (const auto& type : registry.all()) {
        types.push_back(type->spec().type);
    }
    const Json text{{"type", "string"}};
    const Json source{
        {"anyOf",
         Json::array({text, Json{{"type", "array"}, {"items", text}},
                      Json{{"type", "object"},
                           {"additionalProperties",
                            Json{{"anyOf", Json::array({text, Json{{"type", "array"}, {"items", text}}})}}}}})}};
    Json node;
    node["type"] = "object";
    node["required"] = Json::array({"type"});
    node["additionalProperties"] = false;
    node["properties"] = Json{
        {"type",
         {{"type", "string"},
          {"description", "A block type or a definition of this model."},
          {"examples", std::move(types)}}},
        {"from", source},
        {"params", {{"type", "object"}}},
        {"enabled", orExpression({{"type", Json::array({"boolean", "null"})}})},
        {"repeat",
         {{"anyOf", Json::array({Json{{"type", "integer"}, {"minimum", 0}}, Json{{"type", "null"}}, expression()})}}},
        {"init", {{"type", Json::array({"object", "null"})}}},
        {"weights", text},
        {"frozen", {{"type", "boolean"}}},
        {"mode", {{"enum", Json::array({"", "eval", "stochastic"})}}},
        {"note", text}};
    Json inputs{{"type", "object"}, {"additionalProperties", {{"type", "object"}, {"additionalProperties", false}}}};
    if (!definition) {
        Json dtypes = Json::array();
        for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kFloat16, DType::kBFloat16, DType::kInt64,
                                  DType::kInt32, DType::kInt16, DType::kInt8, DType::kUInt8, DType::kBool}) {
            dtypes.push_back(std::string(toString(dtype)));
        }
        const Json dim{{"anyOf", Json::array({Json{{"type", "integer"}, {"minimum", 1}}, text})}};
        inputs["additionalProperties"]["required"] = Json::array({"shape"});
        inputs["additionalProperties"]["properties"] =
            Json{{"shape", {{"type", "array"}, {"items", dim}}}, {"dtype", {{"enum", std::move(dtypes)}}}};
    }
    Json graph;
    graph["type"] = "object";
    graph["additionalProperties"] = false;
    graph["properties"] = Json{{"inputs", inputs},
                               {"nodes", {{"type", "object"}, {"additionalProperties", node}}},
                               {"outputs", {{"type", "object"}, {"additionalProperties", text}}}};
    if (definition) {
        graph["properties"]["help"] = text;
        graph["properties"]["parameters"] =
            Json{{"type", "object"},
                 {"additionalProperties",
                  {{"type", "object"},
                   {"required", Json::array({"type"})},
                   {"additionalProperties", false},
                   {"properties",
                    {{"type", {{"enum", Json::array({"int", "float", "bool", "text", "list"})}}},
                     {"default", Json::object()},
                     {"min", {{"type", "number"}}},
                     {"max", {{"type", "number"}}},
                     {"help", text}}}}}};
    }
    return graph;
}

}  // namespace

Json projectSchema(const graph::BlockRegistry& registry) {
    Json schema;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = "Plumbline project";
    schema["type"] = "object";
    schema["required"] = Json::array({"schema_version", "name", "model", "data", "training"});
    schema["additionalProperties"] = false;
    schema["properties"]["schema_version"] = Json{{"const", kSchemaVersion}};
    schema["properties"]["name"] = Json{{"type", "string"}};
    schema["properties"]["description"] = Json{{"type", "string"}};
    schema["properties"]["model"] =
        Json{{"type", "object"},
             {"required", Json::array({"graph"})},
             {"additionalProperties", false},
             {"properties",
              {{"definitions", {{"type", "object"}, {"additionalProperties", graphSchema(registry, true)}}},
               {"graph", graphSchema(registry, false)}}}};
    const Json feed = feedSchema();
    schema["properties"]["data"] = Json{{"type", "object"},
                                        {"additionalProperties", false},
                                        {"properties",
                                         {{"sources", {{"type", "object"}, {"additionalProperties", sourceSchema()}}},
                                          {"inputs", {{"type", "object"}, {"additionalProperties", feed}}},
                                          {"targets", {{"type", "object"}, {"additionalProperties", feed}}}}}};
    for (const plan::SettingSpec& spec : plan::settings()) {
        place(schema, spec.path, settingSchema(spec));
    }
    for (const char* section : {"training", "monitor"}) {
        schema["properties"][section]["type"] = "object";
        schema["properties"][section]["additionalProperties"] = false;
    }
    Json& detectors = schema["properties"]["monitor"]["properties"]["detectors"];
    detectors["additionalProperties"] = false;
    detectors["properties"] = detectorsSchema();
    return schema;
}

}  // namespace plumbline::project
