// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of one graph as gestures make them, on plain documents: no widget, no undo, no shapes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "graph/block_type.h"
#include "graph/document.h"

namespace plumbline::gui {

/// On the canvas a graph's inputs and outputs are blocks too. A node's or input's id is its name; an output's has this
/// prefix, because an output may be named as the node it comes from.
inline constexpr const char* kOutputPrefix = "output:";
bool isOutputId(const std::string& id);
std::string outputId(const std::string& name);
std::string outputName(const std::string& id);

struct PortAt {
    std::string node;  ///< id on the canvas
    int port = 0;
};

/// Works on one graph of a document. Every method returns an error instead of leaving the graph half changed; callers
/// work on a copy (ProjectDocument::editModel does).
class GraphEdits {
public:
    GraphEdits(graph::Document& document, const graph::BlockRegistry& registry, std::string graphName)
        : m_document(document), m_registry(registry), m_graphName(std::move(graphName)) {}

    graph::Graph& graph() const { return *m_document.graph(m_graphName); }

    /// A block of this type with a free name made from it. "Input" and "Output" make an input or output of the graph.
    /// Gives back its id.
    Result<std::string> add(const std::string& type);
    /// An input that is not variadic gives up what was connected before.
    Status connect(const PortAt& output, const PortAt& input);
    Status disconnect(const PortAt& output, const PortAt& input);
    /// Puts a block between an output and an input, through its first ports.
    Status insertBetween(const std::string& id, const PortAt& output, const PortAt& input);
    /// Readers of what goes are reconnected to what it read.
    Status remove(const std::vector<std::string>& ids);
    Status rename(const std::string& id, const std::string& to);
    /// The blocks with copies of their wires among themselves and from outside; ids of the copies, in the same order.
    Result<std::vector<std::string>> duplicate(const std::vector<std::string>& ids);

    /// What feeds each input port: empty where open. For an output of the graph, its one source.
    std::vector<graph::Source> sourcesInto(const std::string& id) const;

private:
    Status setSource(const std::string& id, int port, const graph::Source& source);
    Result<graph::Source> sourceAt(const PortAt& output) const;

    graph::Document& m_document;
    const graph::BlockRegistry& m_registry;
    std::string m_graphName;
};

/// "Conv2d" → "conv", "MaxPool2d" → "maxpool", "ConvBlock" → "convblock": what a new block is called.
std::string nameForType(const std::string& type);

}  // namespace plumbline::gui
