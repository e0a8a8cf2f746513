// The "model" object of project.json as a Document: every key and type is checked, shapes are not (see resolve.h).

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "graph/document.h"
#include "graph/init.h"
#include "graph/tensor_type.h"

namespace plumbline::graph {
namespace {

constexpr std::array<std::string_view, 5> kParameterTypes{"int", "float", "bool", "text", "list"};

Error invalid(std::string code, std::string message, const std::string& pointer, std::string hint = {}) {
    return {ErrorKind::kInvalid, std::move(code), std::move(message), pointer, std::move(hint)};
}

bool isExpression(const Json& value) {
    return value.is_string() && value.get_ref<const std::string&>().starts_with('=');
}

Result<Source> readSource(const Json& value, const std::string& pointer) {
    if (!value.is_string()) {
        return fail(invalid("wrong-type", fmt::format("{} has to be a text and is {}", pointer, typeName(value)),
                            pointer, "Write the name of a node or input, as \"conv\" or \"lstm.h_n\"."));
    }
    const auto& text = value.get_ref<const std::string&>();
    const std::size_t dot = text.find('.');
    Source source{text.substr(0, dot), dot == std::string::npos ? std::string() : text.substr(dot + 1)};
    const bool portFits = dot == std::string::npos || isValidName(source.port);
    if (!text.empty() && (!isValidName(source.node) || !portFits)) {
        return fail(invalid("bad-source", fmt::format("{} names \"{}\", which is no node and port", pointer, text),
                            pointer, "Write the name of a node or input, as \"conv\" or \"lstm.h_n\"."));
    }
    return source;
}

Result<std::vector<Input>> readInputs(const Json& from, const std::string& pointer) {
    std::vector<Input> inputs;
    if (from.is_string()) {
        PLUMBLINE_ASSIGN(Source source, readSource(from, pointer));
        inputs.push_back({{}, std::move(source)});
    } else if (from.is_array()) {
        for (std::size_t i = 0; i < from.size(); ++i) {
            PLUMBLINE_ASSIGN(Source source, readSource(from[i], pointerTo(pointer, i)));
            inputs.push_back({{}, std::move(source)});
        }
    } else if (from.is_object()) {
        for (const auto& [port, value] : from.items()) {
            if (!isValidName(port)) {
                return fail(invalid("bad-name", fmt::format("{} has the port \"{}\", which is no name", pointer, port),
                                    pointer, "A port is named by its name or its position."));
            }
            PLUMBLINE_ASSIGN(Source source, readSource(value, pointerTo(pointer, port)));
            inputs.push_back({port, std::move(source)});
        }
    } else {
        return fail(invalid("wrong-type",
                            fmt::format("{} has to be a text, a list or an object and is {}", pointer, typeName(from)),
                            pointer, "Write a source, a list of sources, or an object from port to source."));
    }
    return inputs;
}

/// A member that is an expression or of one other kind.
Json readValue(JsonObject& object, std::string_view key, bool (*fits)(const Json&), std::string_view wanted) {
    const Json* value = object.find(key);
    if (value == nullptr || value->is_null()) {
        return nullptr;
    }
    if (!fits(*value) && !isExpression(*value)) {
        object.wrongType(key, wanted);
    }
    return *value;
}

Result<Node> readNode(const std::string& name, const Json& json, const std::string& pointer) {
    if (!isValidName(name)) {
        return fail(invalid("bad-name", fmt::format("\"{}\" cannot name a block", name), pointer,
                            "Use letters, digits and _, not starting with a digit; or a number."));
    }
    JsonObject object(json, pointer);
    Node node;
    node.name = name;
    node.type = object.requiredString("type");
    if (const Json* from = object.find("from")) {
        auto inputs = readInputs(*from, pointerTo(pointer, "from"));
        if (inputs) {
            node.inputs = *std::move(inputs);
            node.listed = from->is_array() && from->size() < 2;
        } else {
            object.addError(inputs.error());
        }
    }
    if (const Json* params = object.find("params")) {
        if (!params->is_object()) {
            object.wrongType("params", "an object");
        } else {
            node.params = *params;
        }
    }
    node.enabled = readValue(
        object, "enabled", [](const Json& v) { return v.is_boolean(); }, "true, false or an expression");
    node.repeat = readValue(
        object, "repeat", [](const Json& v) { return v.is_number_integer() && v >= 0; },
        "an integer from 0 or an expression");
    if (const Json* init = object.find("init"); init != nullptr && !init->is_null()) {
        if (Status status = checkInit(*init, pointerTo(pointer, "init")); !status) {
            object.addError(std::move(status.error()));
        }
        node.init = *init;
    }
    node.weights = object.string("weights", {});
    node.frozen = object.boolean("frozen", false);
    node.mode = object.string("mode", {});
    if (!node.mode.empty() && node.mode != "eval" && node.mode != "stochastic") {
        object.addError(invalid("unknown-value", fmt::format("{}/mode is \"{}\"", pointer, node.mode),
                                pointerTo(pointer, "mode"),
                                "Use \"eval\" or \"stochastic\", or leave it out to follow the model."));
    }
    node.note = object.string("note", {});
    PLUMBLINE_TRY(object.finish());
    return node;
}

Result<ParameterDeclaration> readParameter(const std::string& name, const Json& json, const std::string& pointer) {
    if (!isParameterName(name)) {
        return fail(invalid("bad-name", fmt::format("\"{}\" cannot name a parameter", name), pointer,
                            "Use letters, digits and _, and no word that expressions use."));
    }
    JsonObject object(json, pointer);
    ParameterDeclaration parameter;
    parameter.name = name;
    parameter.type = object.requiredString("type");
    if (object.has("type") &&
        std::find(kParameterTypes.begin(), kParameterTypes.end(), parameter.type) == kParameterTypes.end()) {
        object.addError(invalid("unknown-value", fmt::format("{}/type is \"{}\"", pointer, parameter.type),
                                pointerTo(pointer, "type"), "Use int, float, bool, text or list."));
    }
    if (const Json* value = object.find("default")) {
        const std::string& type = parameter.type;
        const bool fits = isExpression(*value) || (type == "int" && value->is_number_integer()) ||
                          (type == "float" && value->is_number()) || (type == "bool" && value->is_boolean()) ||
                          (type == "text" && value->is_string()) || (type == "list" && value->is_array());
        if (!fits) {
            object.wrongType("default", "a value of the parameter's type, or an expression");
        }
        parameter.defaultValue = *value;
    }
    for (const auto& [key, target] : {std::pair{"min", &parameter.min}, std::pair{"max", &parameter.max}}) {
        if (object.has(key)) {
            *target = object.number(key, 0);
        }
    }
    parameter.help = object.string("help", {});
    PLUMBLINE_TRY(object.finish());
    return parameter;
}

Status checkShape(const Json& shape, const std::string& pointer) {
    if (!shape.is_array()) {
        return fail(invalid("wrong-type", fmt::format("{} has to be a list and is {}", pointer, typeName(shape)),
                            pointer, "Write, for example, [\"B\", 3, 32, 32]."));
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::string at = pointerTo(pointer, i);
        if (shape[i].is_number_integer()) {
            if (shape[i].is_number_unsigned() && shape[i].get<std::uint64_t>() >= (std::uint64_t{1} << 62)) {
                return fail(invalid("bad-dimension", fmt::format("{} has to be below 2^62", at), at,
                                    "Write a smaller number."));
            }
            if (shape[i] < 1) {
                return fail(invalid("bad-dimension",
                                    fmt::format("{} is {}; a dimension is 1 or more", at, shape[i].dump()), at,
                                    "Write a whole number from 1, or a symbol as \"B\"."));
            }
            continue;
        }
        if (!shape[i].is_string()) {
            return fail(invalid("wrong-type",
                                fmt::format("{} has to be an integer or a text and is {}", at, typeName(shape[i])), at,
                                "Write a whole number, or a symbol as \"B\"."));
        }
        if (const auto dim = Dim::parse(shape[i].get<std::string>()); !dim) {
            Error error = dim.error();
            error.message = fmt::format("{}: {}", at, error.message);
            error.where = at;
            return fail(std::move(error));
        }
    }
    return {};
}

Result<GraphInput> readGraphInput(const std::string& name, const Json& json, const std::string& pointer, bool isRoot) {
    if (!isIdentifier(name)) {
        return fail(invalid("bad-name", fmt::format("\"{}\" cannot name an input", name), pointer,
                            "Use letters, digits and _, not starting with a digit."));
    }
    JsonObject object(json, pointer);
    GraphInput input;
    input.name = name;
    if (isRoot) {
        if (const Json* shape = object.find("shape")) {
            if (const Status status = checkShape(*shape, pointerTo(pointer, "shape")); !status) {
                object.addError(status.error());
            }
            input.shape = *shape;
        } else {
            object.requiredString("shape");
        }
        input.dtype = object.string("dtype", {});
        if (!input.dtype.empty() && !parseDType(input.dtype)) {
            object.addError(invalid("unknown-value", fmt::format("{}/dtype is \"{}\"", pointer, input.dtype),
                                    pointerTo(pointer, "dtype"),
                                    "Use a dtype as PyTorch spells it, as \"float32\" or \"int64\"."));
        }
    }
    PLUMBLINE_TRY(object.finish());
    return input;
}

/// Calls `read(name, value, pointer)` for every member of an optional object member.
template <class Read>
void readMembers(JsonObject& object, std::string_view key, Read read) {
    const Json* members = object.find(key);
    if (members == nullptr) {
        return;
    }
    if (!members->is_object()) {
        object.wrongType(key, "an object");
        return;
    }
    const std::string pointer = pointerTo(object.pointer(), key);
    for (const auto& [name, value] : members->items()) {
        if (const Status status = read(name, value, pointerTo(pointer, name)); !status) {
            object.addError(status.error());
            return;
        }
    }
}

Result<Graph> readGraph(const std::string& name, const Json& json, const std::string& pointer) {
    const bool isRoot = name.empty();
    JsonObject object(json, pointer);
    Graph graph;
    graph.name = name;
    if (!isRoot) {
        graph.help = object.string("help", {});
        readMembers(object, "parameters",
                    [&](const std::string& key, const Json& value, const std::string& at) -> Status {
                        PLUMBLINE_ASSIGN(ParameterDeclaration parameter, readParameter(key, value, at));
                        graph.parameters.push_back(std::move(parameter));
                        return {};
                    });
    }
    readMembers(object, "inputs", [&](const std::string& key, const Json& value, const std::string& at) -> Status {
        PLUMBLINE_ASSIGN(GraphInput input, readGraphInput(key, value, at, isRoot));
        graph.inputs.push_back(std::move(input));
        return {};
    });
    readMembers(object, "nodes", [&](const std::string& key, const Json& value, const std::string& at) -> Status {
        PLUMBLINE_ASSIGN(Node node, readNode(key, value, at));
        graph.nodes.push_back(std::move(node));
        return {};
    });
    readMembers(object, "outputs", [&](const std::string& key, const Json& value, const std::string& at) -> Status {
        if (!isIdentifier(key)) {
            return fail(invalid("bad-name", fmt::format("\"{}\" cannot name an output", key), at,
                                "Use letters, digits and _, not starting with a digit."));
        }
        PLUMBLINE_ASSIGN(Source source, readSource(value, at));
        graph.outputs.push_back({key, std::move(source)});
        return {};
    });
    for (const GraphInput& input : graph.inputs) {
        if (graph.find(input.name) != nullptr) {
            object.addError(invalid("name-taken",
                                    fmt::format("{} has an input and a node named \"{}\"", pointer, input.name),
                                    pointerTo(pointerTo(pointer, "nodes"), input.name), "Rename one of the two."));
        }
    }
    PLUMBLINE_TRY(object.finish());
    return graph;
}

}  // namespace

Result<Document> readDocument(const Json& model, const std::string& pointer) {
    JsonObject object(model, pointer);
    Document document;
    readMembers(object, "definitions", [&](const std::string& key, const Json& value, const std::string& at) -> Status {
        if (!isIdentifier(key)) {
            return fail(invalid("bad-name", fmt::format("\"{}\" cannot name a definition", key), at,
                                "Use letters, digits and _, not starting with a digit."));
        }
        PLUMBLINE_ASSIGN(Graph graph, readGraph(key, value, at));
        document.definitions.push_back(std::move(graph));
        return {};
    });
    if (const Json* graph = object.find("graph")) {
        auto root = readGraph({}, *graph, pointerTo(pointer, "graph"));
        if (root) {
            document.root = *std::move(root);
        } else {
            object.addError(root.error());
        }
    } else {
        object.requiredString("graph");
    }
    PLUMBLINE_TRY(object.finish());
    return document;
}

}  // namespace plumbline::graph
