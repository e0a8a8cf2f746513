#pragma once
// Edits for remedies: change a copy of the document, and the patch is what differs.

#include <functional>
#include <optional>
#include <string>

#include "graph/document.h"
#include "graph/problem.h"

namespace plumbline::graph {

/// A node found by its JSON pointer.
struct NodePlace {
    std::string graph;  ///< "" = root
    std::string node;
};
std::optional<NodePlace> placeOf(const Document& document, const std::string& pointer);

/// The remedy that turns `document` into what `edit` makes of its graph; nothing when edit says no or nothing changes.
/// Every value that is replaced or removed is tested first.
std::optional<Remedy> editRemedy(const Document& document, const std::string& pointer, std::string title,
                                 const std::function<bool(Graph& graph, Node& node)>& edit);

}  // namespace plumbline::graph
