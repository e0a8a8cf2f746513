// SPDX-License-Identifier: GPL-3.0-or-later
// Which ports a node has, and what is connected to each: the same for leaf types, composites, inputs and outputs.
#pragma once

#include <string>
#include <vector>

#include "graph/block_type.h"
#include "graph/document.h"

namespace plumbline::gui {

struct Ports {
    std::vector<graph::PortSpec> inputs;
    std::vector<graph::PortSpec> outputs;
    bool known = false;  ///< the type exists
};

/// Ports of a leaf type or a definition. An unknown type has one of each, so that its wires can be drawn.
Ports portsOf(const graph::Document& document, const graph::BlockRegistry& registry, const std::string& type);

/// One wire into a node. The last, variadic port takes any number; `order` is its place among them.
struct Connection {
    int port = 0;
    graph::Source source;
};

/// The connected inputs of a node in port order; open ones are left out.
std::vector<Connection> connectionsOf(const graph::Node& node, const Ports& ports);
/// Writes them back in the shortest form: one text, a list by position, or an object by port.
void setConnections(graph::Node& node, const Ports& ports, const std::vector<Connection>& connections);

/// Index of the output a source names; 0 for "" and for a name that is not there.
int outputIndex(const Ports& ports, const std::string& port);
/// The source that stands for an output of a node: the first one needs no port name.
graph::Source sourceOf(const std::string& node, const Ports& ports, int output);

}  // namespace plumbline::gui
