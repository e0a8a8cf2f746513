#pragma once
// Edits for remedies: change a copy of the graph, and the patch is what differs.

#include <functional>
#include <optional>
#include <string>

#include "graph/document.h"
#include "graph/problem.h"

namespace plumbline::graph {

/// A node found by its JSON pointer.
struct NodePlace {
    const Graph* graph = nullptr;
    const Node* node = nullptr;
};
std::optional<NodePlace> placeOf(const Document& document, const std::string& pointer);

/// The remedy that makes of the node's graph what `edit` makes of it; nothing when `edit` says no or nothing changes.
/// Every value that is replaced or removed is tested first. `edit` keeps the order of nodes and adds new ones at the
/// end.
std::optional<Remedy> editRemedy(const Document& document, const std::string& pointer, std::string title,
                                 const std::function<bool(Graph& graph, Node& node)>& edit);

/// Puts a block of `type` between input `index` (`port` when the inputs are named) of `node` and what it reads.
bool insertBefore(Graph& graph, Node& node, std::size_t index, const std::string& port, const std::string& type,
                  Json params);

}  // namespace plumbline::graph
