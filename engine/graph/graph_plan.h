#pragma once
// What can be known of each graph from its text alone: which type a node is, which port each wire goes to, what is
// missing. Made once a graph; resolve() then expands instances without looking names up again.

#include <string>
#include <vector>

#include "graph/block_type.h"
#include "graph/document.h"
#include "graph/problem_list.h"

namespace plumbline::graph {

/// Where an input comes from inside its graph.
struct PlannedSource {
    enum class Kind { kOpen, kGraphInput, kNode } kind = Kind::kOpen;
    int index = 0;  ///< of the input or the node
    int port = 0;   ///< output of the node
};

struct PlannedNode {
    const Node* node = nullptr;
    const BlockType* leaf = nullptr;
    int definition = -1;                   ///< index of its plan; -1 for a leaf or an unusable type
    std::vector<PlannedSource> inputs;     ///< in port order, variadic last
    std::vector<std::string> outputNames;  ///< none when the type is unknown
    std::string pointer;
    bool usable() const { return leaf != nullptr || definition >= 0; }
};

struct GraphPlan {
    const Graph* graph = nullptr;
    std::vector<PlannedNode> nodes;
    std::vector<PlannedSource> outputs;
    bool hasCycle = false;
};

/// plans[0] is the root, plans[i + 1] the i-th definition. Structural problems of every graph are added to `problems`.
std::vector<GraphPlan> planGraphs(const Document& document, const BlockRegistry& registry, ProblemList& problems);

/// How the block of a graph is called in a problem that concerns the graph as such: "conv" or "ConvBlock.conv".
std::string blockName(const Graph& graph, const std::string& node);

}  // namespace plumbline::graph
