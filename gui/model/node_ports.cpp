// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/node_ports.h"

#include <algorithm>

namespace plumbline::gui {

Ports portsOf(const graph::Document& document, const graph::BlockRegistry& registry, const std::string& type) {
    Ports ports;
    if (const graph::Graph* definition = document.definition(type)) {
        ports.known = true;
        for (const graph::GraphInput& input : definition->inputs) {
            ports.inputs.push_back({input.name, false, false, {}});
        }
        for (const graph::GraphOutput& output : definition->outputs) {
            ports.outputs.push_back({output.name, false, false, {}});
        }
        return ports;
    }
    if (const graph::BlockType* leaf = registry.find(type)) {
        ports.known = true;
        ports.inputs = leaf->spec().inputs;
        ports.outputs = leaf->spec().outputs;
        return ports;
    }
    ports.inputs.push_back({"input", false, true, {}});
    ports.outputs.push_back({"output", false, false, {}});
    return ports;
}

std::vector<Connection> connectionsOf(const graph::Node& node, const Ports& ports) {
    std::vector<Connection> found;
    const int last = static_cast<int>(ports.inputs.size()) - 1;
    const bool variadic = last >= 0 && ports.inputs[static_cast<std::size_t>(last)].variadic;
    int position = 0;
    for (const graph::Input& input : node.inputs) {
        int port = position;
        if (!input.port.empty()) {
            const auto named = std::find_if(ports.inputs.begin(), ports.inputs.end(),
                                            [&](const graph::PortSpec& spec) { return spec.name == input.port; });
            port = named == ports.inputs.end() ? -1 : static_cast<int>(named - ports.inputs.begin());
        } else {
            ++position;
            if (port > last) {
                port = variadic ? last : -1;
            }
        }
        if (port >= 0 && !input.source.node.empty()) {
            found.push_back({port, input.source});
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Connection& a, const Connection& b) { return a.port < b.port; });
    return found;
}

void setConnections(graph::Node& node, const Ports& ports, const std::vector<Connection>& connections) {
    node.inputs.clear();
    // By position as long as no port before the last connected one is open.
    int expected = 0;
    bool byPosition = true;
    for (const Connection& connection : connections) {
        const bool more =
            connection.port == expected - 1 && ports.inputs[static_cast<std::size_t>(connection.port)].variadic;
        if (connection.port == expected) {
            ++expected;
        } else if (!more) {
            byPosition = false;
        }
    }
    for (const Connection& connection : connections) {
        node.inputs.push_back(
            {byPosition ? std::string() : ports.inputs[static_cast<std::size_t>(connection.port)].name,
             connection.source});
    }
}

int outputIndex(const Ports& ports, const std::string& port) {
    for (std::size_t i = 0; i < ports.outputs.size(); ++i) {
        if (ports.outputs[i].name == port) {
            return static_cast<int>(i);
        }
    }
    return 0;
}

graph::Source sourceOf(const std::string& node, const Ports& ports, int output) {
    if (output <= 0 || output >= static_cast<int>(ports.outputs.size())) {
        return {node, {}};
    }
    return {node, ports.outputs[static_cast<std::size_t>(output)].name};
}

}  // namespace plumbline::gui
