// A Document as the "model" object of project.json, always with the same order of keys.

#include <algorithm>
#include <cmath>

#include "graph/document.h"

namespace plumbline::graph {
Json writeInputs(const Node& node) {
    const std::vector<Input>& inputs = node.inputs;
    if (inputs.empty()) {
        return node.listed ? Json::array() : Json();
    }
    if (std::any_of(inputs.begin(), inputs.end(), [](const Input& input) { return !input.port.empty(); })) {
        Json object = Json::object();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            object[inputs[i].port.empty() ? std::to_string(i) : inputs[i].port] = inputs[i].source.toString();
        }
        return object;
    }
    if (inputs.size() == 1 && !node.listed) {
        return inputs.front().source.toString();
    }
    Json list = Json::array();
    for (const Input& input : inputs) {
        list.push_back(input.source.toString());
    }
    return list;
}

Json writeNode(const Node& node) {
    Json json = {{"type", node.type}};
    if (Json from = writeInputs(node); !from.is_null()) {
        json["from"] = std::move(from);
    }
    if (!node.repeat.is_null()) {
        json["repeat"] = node.repeat;
    }
    if (!node.params.empty()) {
        json["params"] = node.params;
    }
    if (!node.enabled.is_null()) {
        json["enabled"] = node.enabled;
    }
    if (!node.init.is_null()) {
        json["init"] = node.init;
    }
    if (!node.weights.empty()) {
        json["weights"] = node.weights;
    }
    if (node.frozen) {
        json["frozen"] = true;
    }
    if (!node.mode.empty()) {
        json["mode"] = node.mode;
    }
    if (!node.note.empty()) {
        json["note"] = node.note;
    }
    return json;
}

namespace {

Json writeLimit(double value, bool whole) {
    if (whole && std::floor(value) == value && std::abs(value) < 9e15) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

Json writeParameter(const ParameterDeclaration& parameter) {
    Json json = {{"type", parameter.type}};
    if (!parameter.defaultValue.is_null()) {
        json["default"] = parameter.defaultValue;
    }
    if (parameter.min) {
        json["min"] = writeLimit(*parameter.min, parameter.type == "int");
    }
    if (parameter.max) {
        json["max"] = writeLimit(*parameter.max, parameter.type == "int");
    }
    if (!parameter.help.empty()) {
        json["help"] = parameter.help;
    }
    return json;
}

Json writeGraphInput(const GraphInput& input) {
    Json json = Json::object();
    if (!input.shape.is_null()) {
        json["shape"] = input.shape;
    }
    if (!input.dtype.empty()) {
        json["dtype"] = input.dtype;
    }
    return json;
}

Json writeGraph(const Graph& graph) {
    Json json = Json::object();
    if (!graph.help.empty()) {
        json["help"] = graph.help;
    }
    Json::object_t inputs;
    Json::object_t nodes;
    Json::object_t outputs;
    if (!graph.parameters.empty()) {
        Json::object_t parameters;
        for (const ParameterDeclaration& parameter : graph.parameters) {
            parameters.emplace(parameter.name, writeParameter(parameter));
        }
        json["parameters"] = std::move(parameters);
    }
    for (const GraphInput& input : graph.inputs) {
        inputs.emplace(input.name, writeGraphInput(input));
    }
    nodes.reserve(graph.nodes.size());
    for (const Node& node : graph.nodes) {
        // Names are unique in a graph: appending skips a search that would make large graphs quadratic.
        static_cast<std::vector<std::pair<const std::string, Json>>&>(nodes).emplace_back(node.name, writeNode(node));
    }
    for (const GraphOutput& output : graph.outputs) {
        outputs.emplace(output.name, output.source.toString());
    }
    json["inputs"] = std::move(inputs);
    json["nodes"] = std::move(nodes);
    json["outputs"] = std::move(outputs);
    return json;
}

}  // namespace

Json writeDocument(const Document& document) {
    Json json = Json::object();
    if (!document.definitions.empty()) {
        Json::object_t definitions;
        for (const Graph& definition : document.definitions) {
            definitions.emplace(definition.name, writeGraph(definition));
        }
        json["definitions"] = std::move(definitions);
    }
    json["graph"] = writeGraph(document.root);
    return json;
}

}  // namespace plumbline::graph
