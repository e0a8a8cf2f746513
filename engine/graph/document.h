#pragma once
// The block graph as it is written: definitions and one root graph. Plain values; copying one is a snapshot.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace plumbline::graph {

/// Where a node's input comes from: a node or graph input of the same graph, and which of its outputs ("" = the first).
/// Written "conv" or "lstm.h_n".
struct Source {
    std::string node;
    std::string port;
    std::string toString() const { return port.empty() ? node : node + "." + port; }
    friend bool operator==(const Source&, const Source&) = default;
};

/// One connected input. `port` is empty where the file gave a text or a list (then by position); a number is a
/// position.
struct Input {
    std::string port;
    Source source;
    friend bool operator==(const Input&, const Input&) = default;
};

/// An instance of a leaf block type or of a definition.
struct Node {
    std::string name;              ///< an identifier or a number
    std::string type;              ///< leaf type id ("Conv2d") or definition name
    std::vector<Input> inputs;     ///< JSON "from": a text, a list of texts, or an object port → text; "" = left open
    bool listed = false;           ///< a single input by position is written as a list
    Json params = Json::object();  ///< literals or "=expression"
    Json enabled;         ///< null (true), a boolean or "=expression"; a disabled node passes its first input through
    Json repeat;          ///< null, an integer or "=expression": a chain name.0 … name.N-1
    Json init;            ///< null or {"scheme": …}: see graph/init.h
    std::string weights;  ///< path of the node whose parameters this one shares, relative to the same graph; "" = own
    bool frozen = false;  ///< parameters get no gradient
    std::string mode;     ///< "" follows the model; "eval" stays in eval; "stochastic" is meant to stay in train
    std::string note;     ///< a person's remark
    friend bool operator==(const Node&, const Node&) = default;
};

/// A parameter that a definition declares.
struct ParameterDeclaration {
    std::string name;
    std::string type;   ///< "int", "float", "bool", "text", "list"
    Json defaultValue;  ///< null = has to be given
    std::optional<double> min, max;
    std::string help;
    friend bool operator==(const ParameterDeclaration&, const ParameterDeclaration&) = default;
};

/// What comes into a graph. The root graph states shape and dtype; a definition takes what it is given.
struct GraphInput {
    std::string name;
    Json shape;         ///< root: list of integers, symbols or arithmetic texts; null in a definition
    std::string dtype;  ///< root: "float32" …; "" in a definition
    friend bool operator==(const GraphInput&, const GraphInput&) = default;
};

struct GraphOutput {
    std::string name;
    Source source;
    friend bool operator==(const GraphOutput&, const GraphOutput&) = default;
};

/// The root graph or the body of a definition. Nodes keep the order of the file, which is the construction order.
struct Graph {
    std::string name;  ///< definition name; "" for the root
    std::string help;  ///< one line on what the definition does
    std::vector<ParameterDeclaration> parameters;
    std::vector<GraphInput> inputs;
    std::vector<Node> nodes;
    std::vector<GraphOutput> outputs;

    const Node* find(const std::string& nodeName) const;
    Node* find(const std::string& nodeName);
    friend bool operator==(const Graph&, const Graph&) = default;
};

struct Document {
    std::vector<Graph> definitions;
    Graph root;

    const Graph* definition(const std::string& name) const;
    Graph* definition(const std::string& name);
    /// The root for "", else the definition.
    const Graph* graph(const std::string& name) const { return name.empty() ? &root : definition(name); }
    Graph* graph(const std::string& name) { return name.empty() ? &root : definition(name); }
    friend bool operator==(const Document&, const Document&) = default;
};

/// Reads the "model" object of project.json. Strict about keys and types; says nothing about shapes (see resolve.h).
Result<Document> readDocument(const Json& model, const std::string& pointer = "/model");
Json writeDocument(const Document& document);
/// A node as it stands in the file, and its "from" alone (null when nothing is connected).
Json writeNode(const Node& node);
Json writeInputs(const Node& node);

/// JSON pointer of a node: "/model/graph/nodes/conv" or "/model/definitions/ConvBlock/nodes/conv".
std::string pointerOf(const std::string& graphName, const std::string& nodeName);
/// What may name a node: an identifier, or as in PyTorch's lists a number.
bool isValidName(const std::string& name);
/// What may name a definition, an input or an output: letters, digits and _, not starting with a digit.
bool isIdentifier(const std::string& name);
/// What may name a parameter: an identifier that means nothing else in an expression.
bool isParameterName(const std::string& name);

// ---- Edits that keep the graph whole. Each returns the error it would have caused and changes nothing then. ----
Status addNode(Graph& graph, Node node);
/// Removes the nodes; readers of a removed node are reconnected to its first input when `bridge`, else left open.
Status removeNodes(Graph& graph, const std::vector<std::string>& names, bool bridge);
/// Renames a node and every reference to it.
Status renameNode(Graph& graph, const std::string& from, const std::string& to);
/// A free name made from `wanted` ("conv", "conv2", …).
std::string freeName(const Graph& graph, const std::string& wanted);
/// Moves the nodes into a new definition and puts one instance in their place. Refused when the group would feed itself
/// through a block that stays outside.
Status groupNodes(Document& document, const std::string& graphName, const std::vector<std::string>& names,
                  const std::string& definitionName, const std::string& instanceName);

}  // namespace plumbline::graph
