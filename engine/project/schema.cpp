// JSON Schema (draft 2020-12) of project.json, from the same lists that the reader checks by.

#include "project/project.h"

namespace plumbline::project {
namespace {

Json settingSchema(const plan::SettingSpec& spec);

Json elementSchema(const std::vector<plan::SettingSpec>& keys) {
    Json schema{{"type", "object"}, {"additionalProperties", false}, {"required", Json::array({keys.front().path})}};
    for (const plan::SettingSpec& key : keys) {
        schema["properties"][key.path] = settingSchema(key);
        if (key.type == "output" || key.type == "target") {
            schema["required"].push_back(key.path);
            schema["properties"][key.path].erase("default");
        }
    }
    return schema;
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
    } else if (spec.type == "auto_int") {
        schema["anyOf"] = Json::array({Json{{"const", "auto"}}, Json{{"type", "integer"}, {"minimum", 1}}});
    } else {
        schema["type"] = "string";
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
    if (const auto& keys = plan::elementSettings(spec.path); !keys.empty()) {
        schema["items"] = elementSchema(keys);
    }
    schema["default"] = spec.defaultValue;
    schema["description"] = spec.help;
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
        }
        at = &child;
        start = dot + 1;
    }
}

Json graphSchema(const graph::BlockRegistry& registry, bool definition) {
    Json types = Json::array();
    for (const auto& type : registry.all()) {
        types.push_back(type->spec().type);
    }
    const Json text{{"type", "string"}};
    const Json source{{"anyOf", Json::array({text, Json{{"type", "array"}, {"items", text}},
                                             Json{{"type", "object"}, {"additionalProperties", Json{{"anyOf", Json::array({text, Json{{"type", "array"}, {"items", text}}})}}}}})}};
    Json node;
    node["type"] = "object";
    node["required"] = Json::array({"type"});
    node["additionalProperties"] = false;
    node["properties"] = Json{
        {"type", {{"type", "string"}, {"description", "A block type or a definition of this model."}, {"examples", std::move(types)}}},
        {"from", source},
        {"params", {{"type", "object"}}},
        {"enabled", {{"type", Json::array({"boolean", "string"})}}},
        {"repeat", {{"type", Json::array({"integer", "string"})}}},
        {"init", {{"type", "object"}}},
        {"weights", text},
        {"frozen", {{"type", "boolean"}}},
        {"mode", {{"enum", Json::array({"", "eval", "stochastic"})}}},
        {"note", text}};
    Json inputs{{"type", "object"}};
    if (!definition) {
        inputs["additionalProperties"] = Json{{"type", "object"},
                                              {"required", Json::array({"shape"})},
                                              {"properties", {{"shape", {{"type", "array"}, {"items", {{"type", Json::array({"integer", "string"})}}}}},
                                                              {"dtype", {{"enum", Json::array({"float32", "float64", "int64", "int32", "uint8", "bool"})}}}}}};
    }
    Json graph;
    graph["type"] = "object";
    graph["additionalProperties"] = false;
    graph["properties"] = Json{{"inputs", inputs}, {"nodes", {{"type", "object"}, {"additionalProperties", node}}},
                               {"outputs", {{"type", "object"}, {"additionalProperties", text}}}};
    if (definition) {
        graph["properties"]["help"] = text;
        graph["properties"]["parameters"] = Json{{"type", "object"},
                                                 {"additionalProperties",
                                                  {{"type", "object"},
                                                   {"properties", {{"type", {{"enum", Json::array({"int", "float", "bool", "text", "list"})}}}, {"default", Json::object()},
                                                                   {"min", {{"type", "number"}}}, {"max", {{"type", "number"}}}, {"help", text}}}}}};
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
    schema["properties"]["model"] = Json{{"type", "object"},
                                         {"required", Json::array({"graph"})},
                                         {"additionalProperties", false},
                                         {"properties", {{"definitions", {{"type", "object"}, {"additionalProperties", graphSchema(registry, true)}}},
                                                         {"graph", graphSchema(registry, false)}}}};
    const Json feed{{"type", "object"},
                    {"required", Json::array({"from"})},
                    {"additionalProperties", false},
                    {"properties", {{"from", {{"type", Json::array({"string", "array"})}}}, {"transforms", {{"type", "array"}}}, {"dtype", {{"type", "string"}}}, {"squeeze", {{"type", "boolean"}}}}}};
    schema["properties"]["data"] = Json{{"type", "object"},
                                        {"required", Json::array({"sources", "inputs", "targets"})},
                                        {"additionalProperties", false},
                                        {"properties", {{"sources", {{"type", "object"}, {"additionalProperties", {{"type", "object"}, {"required", Json::array({"type"})}}}}},
                                                        {"inputs", {{"type", "object"}, {"additionalProperties", feed}}},
                                                        {"targets", {{"type", "object"}, {"additionalProperties", feed}}}}}};
    for (const plan::SettingSpec& spec : plan::settings()) {
        place(schema, spec.path, settingSchema(spec));
    }
    for (const char* section : {"training", "monitor"}) {
        schema["properties"][section]["type"] = "object";
        schema["properties"][section]["additionalProperties"] = false;
    }
    return schema;
}

}  // namespace plumbline::project
