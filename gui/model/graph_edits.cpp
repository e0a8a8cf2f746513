// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/graph_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "gui/model/node_ports.h"

namespace plumbline::gui {

using graph::Graph;
using graph::GraphInput;
using graph::GraphOutput;
using graph::Node;
using graph::Source;

namespace {

const std::string kPrefix = kOutputPrefix;

GraphOutput* findOutput(Graph& graph, const std::string& name) {
    const auto found = std::find_if(graph.outputs.begin(), graph.outputs.end(),
                                    [&](const GraphOutput& output) { return output.name == name; });
    return found == graph.outputs.end() ? nullptr : &*found;
}

GraphInput* findInput(Graph& graph, const std::string& name) {
    const auto found = std::find_if(graph.inputs.begin(), graph.inputs.end(),
                                    [&](const GraphInput& input) { return input.name == name; });
    return found == graph.inputs.end() ? nullptr : &*found;
}

tl::unexpected<Error> missing(const std::string& id) {
    return fail(ErrorKind::kInvalid, "no-such-block", fmt::format("There is no block named \"{}\" here.", id), id);
}

std::string freeOutputName(Graph& graph, const std::string& wanted) {
    std::string name = wanted;
    for (int number = 2; findOutput(graph, name) != nullptr; ++number) {
        name = wanted + std::to_string(number);
    }
    return name;
}

}  // namespace

bool isOutputId(const std::string& id) {
    return id.starts_with(kPrefix);
}

std::string outputId(const std::string& name) {
    return kPrefix + name;
}

std::string outputName(const std::string& id) {
    return id.substr(kPrefix.size());
}

std::string nameForType(const std::string& type) {
    std::string name;
    for (const char c : type) {
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    // The dimension says nothing in a name: conv, not conv2d.
    if (name.size() > 2 && name.back() == 'd' && std::isdigit(static_cast<unsigned char>(name[name.size() - 2])) != 0) {
        name.resize(name.size() - 2);
    }
    return name;
}

Result<std::string> GraphEdits::add(const std::string& type) {
    Graph& target = graph();
    if (type == "Input") {
        GraphInput input;
        input.name = graph::freeName(target, m_graphName.empty() ? "input" : "x");
        if (m_graphName.empty()) {
            input.shape = Json::array({"B", 1});
            input.dtype = "float32";
        }
        target.inputs.push_back(input);
        return input.name;
    }
    if (type == "Output") {
        const std::string name = freeOutputName(target, m_graphName.empty() ? "output" : "y");
        target.outputs.push_back({name, {}});
        return outputId(name);
    }
    const Graph* definition = m_document.definition(type);
    if (definition == nullptr && m_registry.find(type) == nullptr) {
        return fail(ErrorKind::kInvalid, "unknown-block", fmt::format("There is no block type \"{}\".", type), type);
    }
    if (definition != nullptr && !m_graphName.empty()) {
        // A definition may not come to contain itself, at any depth.
        std::vector<std::string> open{type};
        std::set<std::string> seen;
        while (!open.empty()) {
            const std::string name = open.back();
            open.pop_back();
            if (name == m_graphName) {
                return fail(ErrorKind::kInvalid, "contains-itself",
                            fmt::format("\"{}\" contains \"{}\", so it cannot be put into it.", type, m_graphName),
                            type, "Build a new composite from its parts instead.");
            }
            const Graph* inner = m_document.definition(name);
            if (inner == nullptr || !seen.insert(name).second) {
                continue;
            }
            for (const Node& node : inner->nodes) {
                open.push_back(node.type);
            }
        }
    }
    Node node;
    node.type = type;
    node.name = graph::freeName(target, nameForType(type));
    const std::string id = node.name;
    PLUMBLINE_TRY(graph::addNode(target, std::move(node)));
    return id;
}

Result<Source> GraphEdits::sourceAt(const PortAt& output) const {
    Graph& target = graph();
    if (findInput(target, output.node) != nullptr) {
        return Source{output.node, {}};
    }
    const Node* node = target.find(output.node);
    if (node == nullptr) {
        return missing(output.node);
    }
    return sourceOf(node->name, portsOf(m_document, m_registry, node->type), output.port);
}

Status GraphEdits::connect(const PortAt& output, const PortAt& input) {
    PLUMBLINE_ASSIGN(const Source source, sourceAt(output));
    return setSource(input.node, input.port, source);
}

Status GraphEdits::setSource(const std::string& id, int port, const Source& source) {
    Graph& target = graph();
    if (isOutputId(id)) {
        GraphOutput* output = findOutput(target, outputName(id));
        if (output == nullptr) {
            return missing(id);
        }
        output->source = source;
        return {};
    }
    Node* node = target.find(id);
    if (node == nullptr) {
        return missing(id);
    }
    const Ports ports = portsOf(m_document, m_registry, node->type);
    if (port < 0 || port >= static_cast<int>(ports.inputs.size())) {
        return fail(ErrorKind::kInvalid, "no-such-port", fmt::format("\"{}\" has no input {}.", id, port + 1), id);
    }
    std::vector<Connection> connections = connectionsOf(*node, ports);
    if (!ports.inputs[static_cast<std::size_t>(port)].variadic) {
        std::erase_if(connections, [port](const Connection& each) { return each.port == port; });
    } else if (std::any_of(connections.begin(), connections.end(),
                           [&](const Connection& each) { return each.port == port && each.source == source; })) {
        return {};
    }
    if (!source.node.empty()) {
        connections.push_back({port, source});
    }
    std::stable_sort(connections.begin(), connections.end(),
                     [](const Connection& a, const Connection& b) { return a.port < b.port; });
    setConnections(*node, ports, connections);
    return {};
}

Status GraphEdits::disconnect(const PortAt& output, const PortAt& input) {
    PLUMBLINE_ASSIGN(const Source source, sourceAt(output));
    Graph& target = graph();
    if (isOutputId(input.node)) {
        return setSource(input.node, 0, {});
    }
    Node* node = target.find(input.node);
    if (node == nullptr) {
        return missing(input.node);
    }
    const Ports ports = portsOf(m_document, m_registry, node->type);
    std::vector<Connection> connections = connectionsOf(*node, ports);
    std::erase_if(connections, [&](const Connection& each) {
        return each.port == input.port && each.source.node == source.node &&
               outputIndex(ports, each.source.port) == outputIndex(ports, source.port);
    });
    setConnections(*node, ports, connections);
    return {};
}

Status GraphEdits::insertBetween(const std::string& id, const PortAt& output, const PortAt& input) {
    const Node* node = graph().find(id);
    if (node == nullptr) {
        return missing(id);
    }
    const Ports ports = portsOf(m_document, m_registry, node->type);
    if (ports.inputs.empty() || ports.outputs.empty()) {
        return fail(ErrorKind::kInvalid, "no-such-port",
                    fmt::format("\"{}\" has no input and output to put into a wire.", id), id);
    }
    PLUMBLINE_TRY(disconnect(output, input));
    PLUMBLINE_TRY(connect(output, {id, 0}));
    return connect({id, 0}, input);
}

Status GraphEdits::remove(const std::vector<std::string>& ids) {
    Graph& target = graph();
    std::vector<std::string> nodes;
    for (const std::string& id : ids) {
        if (isOutputId(id)) {
            std::erase_if(target.outputs, [&](const GraphOutput& output) { return output.name == outputName(id); });
        } else if (findInput(target, id) != nullptr) {
            std::erase_if(target.inputs, [&](const GraphInput& input) { return input.name == id; });
            for (Node& node : target.nodes) {
                const Ports ports = portsOf(m_document, m_registry, node.type);
                std::vector<Connection> connections = connectionsOf(node, ports);
                if (std::erase_if(connections, [&](const Connection& each) { return each.source.node == id; }) > 0) {
                    setConnections(node, ports, connections);
                }
            }
            for (GraphOutput& output : target.outputs) {
                if (output.source.node == id) {
                    output.source = {};
                }
            }
        } else {
            nodes.push_back(id);
        }
    }
    return nodes.empty() ? Status() : graph::removeNodes(target, nodes, true);
}

Status GraphEdits::rename(const std::string& id, const std::string& to) {
    Graph& target = graph();
    if (isOutputId(id)) {
        GraphOutput* output = findOutput(target, outputName(id));
        if (output == nullptr) {
            return missing(id);
        }
        if (!graph::isIdentifier(to) || (to != output->name && findOutput(target, to) != nullptr)) {
            return fail(ErrorKind::kInvalid, "bad-name",
                        fmt::format("\"{}\" cannot name an output, or there is one already.", to), to,
                        "Use letters, digits and _, not starting with a digit.");
        }
        output->name = to;
        return {};
    }
    GraphInput* input = findInput(target, id);
    if (input == nullptr) {
        return graph::renameNode(target, id, to);
    }
    if (to == id) {
        return {};
    }
    if (!graph::isIdentifier(to) || target.find(to) != nullptr || findInput(target, to) != nullptr) {
        return fail(ErrorKind::kInvalid, "bad-name",
                    fmt::format("\"{}\" cannot name an input, or there is one already.", to), to,
                    "Use letters, digits and _, not starting with a digit.");
    }
    input->name = to;
    for (Node& node : target.nodes) {
        for (graph::Input& each : node.inputs) {
            if (each.source.node == id) {
                each.source.node = to;
            }
        }
    }
    for (GraphOutput& output : target.outputs) {
        if (output.source.node == id) {
            output.source.node = to;
        }
    }
    return {};
}

Result<std::vector<std::string>> GraphEdits::duplicate(const std::vector<std::string>& ids) {
    Graph& target = graph();
    std::map<std::string, std::string> copyOf;
    std::vector<std::string> copies;
    for (const std::string& id : ids) {
        if (const Node* node = target.find(id)) {
            Node copy = *node;
            copy.name = graph::freeName(target, copy.name);
            copyOf[id] = copy.name;
            copies.push_back(copy.name);
            PLUMBLINE_TRY(graph::addNode(target, std::move(copy)));
        } else if (const GraphInput* input = isOutputId(id) ? nullptr : findInput(target, id)) {
            GraphInput copy = *input;
            copy.name = graph::freeName(target, copy.name);
            copyOf[id] = copy.name;
            copies.push_back(copy.name);
            target.inputs.push_back(std::move(copy));
        } else if (const GraphOutput* output = isOutputId(id) ? findOutput(target, outputName(id)) : nullptr) {
            GraphOutput copy = *output;
            copy.name = freeOutputName(target, copy.name);
            copies.push_back(outputId(copy.name));
            target.outputs.push_back(std::move(copy));
        } else {
            return missing(id);
        }
    }
    const std::set<std::string> made(copies.begin(), copies.end());
    for (Node& node : target.nodes) {
        if (!made.contains(node.name)) {
            continue;
        }
        for (graph::Input& input : node.inputs) {
            if (const auto inside = copyOf.find(input.source.node); inside != copyOf.end()) {
                input.source.node = inside->second;
            }
        }
        if (const auto owner = copyOf.find(node.weights); owner != copyOf.end()) {
            node.weights = owner->second;
        }
    }
    for (GraphOutput& output : target.outputs) {
        if (made.contains(outputId(output.name))) {
            if (const auto inside = copyOf.find(output.source.node); inside != copyOf.end()) {
                output.source.node = inside->second;
            }
        }
    }
    return copies;
}

std::vector<Source> GraphEdits::sourcesInto(const std::string& id) const {
    Graph& target = graph();
    if (isOutputId(id)) {
        const GraphOutput* output = findOutput(target, outputName(id));
        return {output ? output->source : Source{}};
    }
    const Node* node = target.find(id);
    if (node == nullptr) {
        return {};
    }
    const Ports ports = portsOf(m_document, m_registry, node->type);
    std::vector<Source> sources(ports.inputs.size());
    for (const Connection& connection : connectionsOf(*node, ports)) {
        sources[static_cast<std::size_t>(connection.port)] = connection.source;
    }
    return sources;
}

}  // namespace plumbline::gui
