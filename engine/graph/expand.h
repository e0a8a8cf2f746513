#pragma once
// First half of resolve(): composites, repeats and switches unfolded into leaves and the module tree. No shapes yet.

#include <string>
#include <vector>

#include "graph/graph_plan.h"
#include "graph/resolve.h"

namespace plumbline::graph {

/// A place where a tensor will be: an output of a leaf, or another name for another slot.
struct Slot {
    int alias = -1;     ///< the slot this one stands for
    int producer = -2;  ///< index of the leaf; -1 = graph input; -2 = nothing is bound to it
    int port = 0;
    int label = -1;  ///< in Expanded::labels: what a person calls it
};

/// Where a wire of a graph's first instance ended up.
struct WireSlot {
    std::string name;  ///< key of ResolvedModel::wires
    int slot = -1;
};

struct LeafFacts {
    std::vector<int> inputs;   ///< slots, -1 = nothing connected
    std::vector<int> outputs;  ///< slots
    const BlockType* type = nullptr;
    bool parametersOk = true;
    std::string sharesWith;  ///< path of the leaf whose weights it is to share; "" = none
};

struct Expanded {
    std::vector<ResolvedNode> nodes;  ///< without inputs, outputs and anything inferred
    std::vector<LeafFacts> facts;     ///< one a node
    std::vector<ModuleNode> tree;     ///< inputs and outputs are slots
    std::vector<Slot> slots;
    std::vector<std::string> labels;
    std::vector<int> inputs;   ///< slots of the root's inputs
    std::vector<int> outputs;  ///< slots of the root's outputs
    std::vector<WireSlot> wires;

    /// The slot behind all aliases; -1 when it ends nowhere.
    int find(int slot);
    const std::string& label(int slot) const;
};

Expanded expand(const std::vector<GraphPlan>& plans, ProblemList& problems);

}  // namespace plumbline::graph
