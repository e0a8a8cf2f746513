// Edits that keep a graph whole. Each works on a copy or checks first, so that an error leaves everything as it was.

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "graph/document.h"

namespace plumbline::graph {
namespace {

using Names = std::set<std::string>;

bool isTaken(const Graph& graph, const std::string& name) {
    return graph.find(name) != nullptr || std::any_of(graph.inputs.begin(), graph.inputs.end(),
                                                      [&](const GraphInput& input) { return input.name == name; });
}

tl::unexpected<Error> refuse(std::string code, std::string message, const std::string& where, std::string hint) {
    return fail(ErrorKind::kInvalid, std::move(code), std::move(message), where, std::move(hint));
}

Status checkFree(const Graph& graph, const std::string& name) {
    const std::string where = pointerOf(graph.name, name);
    if (!isValidName(name)) {
        return refuse("bad-name", fmt::format("\"{}\" cannot name a block", name), where,
                      "Use letters, digits and _, not starting with a digit; or a number.");
    }
    if (isTaken(graph, name)) {
        return refuse("name-taken", fmt::format("There is a block or an input named \"{}\" already", name), where,
                      "Choose another name.");
    }
    return {};
}

Status checkThere(const Graph& graph, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (graph.find(name) == nullptr) {
            return refuse("no-such-block", fmt::format("There is no block named \"{}\"", name),
                          pointerOf(graph.name, name), "Choose one of the graph's blocks.");
        }
    }
    return {};
}

/// What a reader of a removed node reads instead: the first thing upstream that stays.
Source bridged(const Graph& graph, const Names& removed, Source source) {
    for (std::size_t step = 0; step <= graph.nodes.size() && removed.contains(source.node); ++step) {
        const Node* node = graph.find(source.node);
        source = node->inputs.empty() ? Source{} : node->inputs.front().source;
    }
    return removed.contains(source.node) ? Source{} : source;
}

void dropOpenInputs(Node& node) {
    if (std::any_of(node.inputs.begin(), node.inputs.end(), [](const Input& input) { return !input.port.empty(); })) {
        std::erase_if(node.inputs, [](const Input& input) { return input.source.node.empty() && !input.port.empty(); });
        return;
    }
    while (!node.inputs.empty() && node.inputs.back().source.node.empty()) {
        node.inputs.pop_back();  // inputs by position: an open one in the middle keeps its place
    }
}

/// The first part of a "weights" path, which names a node of the same graph.
std::string ownerOf(const Node& node) {
    return node.weights.substr(0, node.weights.find('.'));
}

bool contains(const Json& value, const std::string& word) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (!text.starts_with('=')) {
            return false;
        }
        const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
            const std::size_t end = at + word.size();
            if (!isWord(text[at - 1]) && (end == text.size() || !isWord(text[end]))) {
                return true;
            }
        }
        return false;
    }
    return value.is_structured() &&
           std::any_of(value.begin(), value.end(), [&](const Json& item) { return contains(item, word); });
}

bool uses(const Node& node, const std::string& word) {
    return contains(node.params, word) || contains(node.enabled, word) || contains(node.repeat, word);
}

/// The first node outside that reads from the group, directly or not, and feeds it; empty when there is none.
std::string betweenGroup(const Graph& graph, const Names& inside) {
    Names after;  // outside, downstream of the group
    for (bool grew = true; grew;) {
        grew = false;
        for (const Node& node : graph.nodes) {
            const bool reads = std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Input& input) {
                return inside.contains(input.source.node) || after.contains(input.source.node);
            });
            if (reads && !inside.contains(node.name)) {
                grew = after.insert(node.name).second || grew;
            }
        }
    }
    for (const Node& node : graph.nodes) {
        if (!inside.contains(node.name)) {
            continue;
        }
        for (const Input& input : node.inputs) {
            if (after.contains(input.source.node)) {
                return input.source.node;
            }
        }
    }
    return {};
}

/// What flows over the border of a group: each source once, in the order of its first reader.
struct Border {
    std::vector<Source> sources;
    std::vector<std::string> names;
    const std::string& nameFor(const Source& source, const std::string& wanted, const Graph& inner) {
        for (std::size_t i = 0; i < sources.size(); ++i) {
            if (sources[i] == source) {
                return names[i];
            }
        }
        const std::string base = isIdentifier(wanted) ? wanted : "port";
        std::string name = base;
        for (int number = 2; isTaken(inner, name) || std::find(names.begin(), names.end(), name) != names.end();
             ++number) {
            name = base + std::to_string(number);
        }
        sources.push_back(source);
        names.push_back(std::move(name));
        return names.back();
    }
};

}  // namespace

Status addNode(Graph& graph, Node node) {
    PLUMBLINE_TRY(checkFree(graph, node.name));
    graph.nodes.push_back(std::move(node));
    return {};
}

Status removeNodes(Graph& graph, const std::vector<std::string>& names, bool bridge) {
    PLUMBLINE_TRY(checkThere(graph, names));
    const Names removed(names.begin(), names.end());
    const auto without = [&](const Source& source) {
        if (!removed.contains(source.node)) {
            return source;
        }
        return bridge ? bridged(graph, removed, source) : Source{};
    };
    Graph result = graph;
    std::erase_if(result.nodes, [&](const Node& node) { return removed.contains(node.name); });
    for (Node& node : result.nodes) {
        for (Input& input : node.inputs) {
            input.source = without(input.source);
        }
        dropOpenInputs(node);
        if (removed.contains(ownerOf(node))) {
            node.weights.clear();
        }
    }
    for (GraphOutput& output : result.outputs) {
        output.source = without(output.source);
    }
    graph = std::move(result);
    return {};
}

Status renameNode(Graph& graph, const std::string& from, const std::string& to) {
    PLUMBLINE_TRY(checkThere(graph, {from}));
    if (from == to) {
        return {};
    }
    PLUMBLINE_TRY(checkFree(graph, to));
    graph.find(from)->name = to;
    for (Node& node : graph.nodes) {
        for (Input& input : node.inputs) {
            if (input.source.node == from) {
                input.source.node = to;
            }
        }
        if (ownerOf(node) == from) {
            node.weights = to + node.weights.substr(from.size());
        }
    }
    for (GraphOutput& output : graph.outputs) {
        if (output.source.node == from) {
            output.source.node = to;
        }
    }
    return {};
}

std::string freeName(const Graph& graph, const std::string& wanted) {
    std::string base = isValidName(wanted) ? wanted : "block";
    if (!isTaken(graph, base)) {
        return base;
    }
    while (base.size() > 1 && std::isdigit(static_cast<unsigned char>(base.back())) != 0) {
        base.pop_back();
    }
    if (std::isdigit(static_cast<unsigned char>(base.back())) != 0) {
        base = "block";
    }
    for (int number = 2;; ++number) {
        const std::string name = base + std::to_string(number);
        if (!isTaken(graph, name)) {
            return name;
        }
    }
}

Status groupNodes(Document& document, const std::string& graphName, const std::vector<std::string>& names,
                  const std::string& definitionName, const std::string& instanceName) {
    const Graph* graph = document.graph(graphName);
    if (graph == nullptr) {
        return refuse("no-such-definition", fmt::format("There is no definition named \"{}\"", graphName), {},
                      "Choose one of the project's definitions.");
    }
    if (names.empty()) {
        return refuse("nothing-selected", "A group needs at least one block", {}, "Select the blocks to group.");
    }
    PLUMBLINE_TRY(checkThere(*graph, names));
    if (!isIdentifier(definitionName) || document.definition(definitionName) != nullptr) {
        return refuse("name-taken", fmt::format("\"{}\" cannot name a new definition", definitionName), {},
                      "Choose a name that no definition has yet.");
    }
    const Names inside(names.begin(), names.end());
    for (const Node& node : graph->nodes) {
        if (!node.weights.empty() && inside.contains(ownerOf(node)) != inside.contains(node.name)) {
            return refuse("shared-weights-across-group",
                          fmt::format("\"{}\" shares the weights of \"{}\", and only one of them is in the group",
                                      node.name, node.weights),
                          pointerOf(graphName, node.name), "Select both, or end the sharing first.");
        }
    }

    if (const std::string between = betweenGroup(*graph, inside); !between.empty()) {
        return refuse("group-feeds-itself",
                      fmt::format("The group would feed itself through \"{}\", which is not in it", between),
                      pointerOf(graphName, between), "Select that block too.");
    }

    Graph inner;
    inner.name = definitionName;
    for (const Node& node : graph->nodes) {
        if (inside.contains(node.name)) {
            inner.nodes.push_back(node);
        }
    }
    for (const ParameterDeclaration& parameter : graph->parameters) {
        if (std::any_of(inner.nodes.begin(), inner.nodes.end(),
                        [&](const Node& node) { return uses(node, parameter.name); })) {
            inner.parameters.push_back(parameter);
        }
    }

    Border in;
    for (Node& node : inner.nodes) {
        for (Input& input : node.inputs) {
            if (!input.source.node.empty() && !inside.contains(input.source.node)) {
                input.source = {in.nameFor(input.source, in.sources.empty() ? "x" : input.source.node, inner), {}};
            }
        }
    }
    for (const std::string& name : in.names) {
        inner.inputs.push_back({name, nullptr, {}});
    }

    Graph outer = *graph;
    std::erase_if(outer.nodes, [&](const Node& node) { return inside.contains(node.name); });
    PLUMBLINE_TRY(checkFree(outer, instanceName));
    Border out;
    const Graph none;
    const auto fromGroup = [&](Source& source) {
        if (inside.contains(source.node)) {
            const std::string& port = out.nameFor(source, out.sources.empty() ? "y" : source.node, none);
            source = {instanceName, port == out.names.front() ? std::string() : port};
        }
    };
    for (Node& node : outer.nodes) {
        for (Input& input : node.inputs) {
            fromGroup(input.source);
        }
    }
    for (GraphOutput& output : outer.outputs) {
        fromGroup(output.source);
    }
    for (std::size_t i = 0; i < out.sources.size(); ++i) {
        inner.outputs.push_back({out.names[i], out.sources[i]});
    }

    Node instance;
    instance.name = instanceName;
    instance.type = definitionName;
    for (const Source& source : in.sources) {
        instance.inputs.push_back({{}, source});
    }
    for (const ParameterDeclaration& parameter : inner.parameters) {
        instance.params[parameter.name] = "=" + parameter.name;
    }
    // It stands where the first of its blocks stood, so that the order of initialisation changes as little as it can.
    std::size_t position = 0;
    while (!inside.contains(graph->nodes[position].name)) {
        ++position;
    }
    outer.nodes.insert(outer.nodes.begin() + static_cast<std::ptrdiff_t>(position), std::move(instance));
    *document.graph(graphName) = std::move(outer);
    document.definitions.push_back(std::move(inner));
    return {};
}

}  // namespace plumbline::graph
