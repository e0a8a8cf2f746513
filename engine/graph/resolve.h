#pragma once
// From the graph as written to the graph as it will run: expressions evaluated, composites expanded, shapes inferred.

#include <map>
#include <string>
#include <vector>

#include "graph/block_type.h"
#include "graph/document.h"
#include "graph/problem.h"

namespace plumbline::graph {

using ValueId = int;
constexpr ValueId kNoValue = -1;

/// One tensor that flows.
struct ResolvedValue {
    TensorType type;
    bool known = false;  ///< false where inference could not reach it
    int producer = -1;   ///< index in ResolvedModel::nodes; -1 = a graph input
    int port = 0;        ///< which output of the producer, or which graph input
};

/// One leaf of the expanded graph.
struct ResolvedNode {
    std::string path;             ///< "layers.0.conv": the prefix of its parameters' names
    std::string type;             ///< leaf type id
    Json params;                  ///< literals, inferred values filled in (as stated where inference failed)
    std::vector<ValueId> inputs;  ///< in port order, variadic last; kNoValue = an optional input left out
    std::vector<ValueId> outputs;
    std::vector<StateSpec> state;
    Cost cost;
    Json init;              ///< initialisation chosen for it or for an enclosing composite; null = PyTorch's default
    std::string weightsOf;  ///< path of the leaf whose parameters it shares; "" = its own
    bool frozen = false;
    std::string mode;       ///< see Node::mode; inherited from enclosing composites
    std::string pointer;    ///< JSON pointer of the node it came from
    std::string instance;   ///< path of the outermost block on the root canvas it belongs to
    bool inferred = false;  ///< shapes are known and params complete
};

/// The tree of modules in construction order; leaves point into ResolvedModel::nodes.
struct ModuleNode {
    std::string name;  ///< last part of the path
    std::string path;
    std::string type;           ///< leaf type, definition name, or "" for a repeat chain
    int leaf = -1;              ///< index in nodes, -1 for an inner one
    std::vector<int> children;  ///< indices in ResolvedModel::tree
    Json params;                ///< of a definition instance: its parameters' values
    std::string pointer;
    std::vector<ValueId> inputs;   ///< of an instance of a definition: what flows in …
    std::vector<ValueId> outputs;  ///< … and out, in the definition's order
};

struct ResolvedModel {
    std::vector<ResolvedNode> nodes;  ///< construction order
    std::vector<int> executionOrder;  ///< indices in nodes; empty when there is a cycle
    std::vector<ResolvedValue> values;
    std::vector<std::pair<std::string, ValueId>> inputs;   ///< name → value
    std::vector<std::pair<std::string, ValueId>> outputs;  ///< name → value, kNoValue when dangling
    std::vector<ModuleNode> tree;                          ///< tree[0] is the root
    std::vector<Problem> problems;
    /// For the canvas: "<graph>/<node>.<port>" → type in the first instance of that graph ("" = root). A graph input
    /// and the first output of a node are there as "<graph>/<name>" too, so that graph + "/" + Source::toString()
    /// always finds it.
    std::map<std::string, TensorType, std::less<>> wires;

    bool ok() const;                      ///< no critical problem
    std::int64_t parameterCount() const;  ///< shared weights count once
    Dim macs() const;
    /// Samples that costs are of once "B" is 1: more than one where the inputs state the size of a batch.
    std::int64_t samplesOfCosts() const;
    const ResolvedNode* find(const std::string& path) const;
};

/// An inference error as a sentence: `block` in front, `sources[n]` in the place of {n}.
std::string describeInference(const Error& error, const std::string& block, const std::vector<std::string>& sources);

/// The largest model that is expanded; a larger one is a problem ("model-too-large").
constexpr std::size_t kMaxExpandedBlocks = 100'000;

/// Never fails: what cannot be resolved is a problem and everything else is still there.
ResolvedModel resolve(const Document& document, const BlockRegistry& registry);

}  // namespace plumbline::graph
