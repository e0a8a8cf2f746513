#include "graph/graph_plan.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>

#include "core/json_errors.h"
#include "graph/remedy_edit.h"

namespace plumbline::graph {
namespace {

using NameTable = std::unordered_map<std::string_view, int>;

NameTable tableOf(const auto& items) {
    NameTable table;
    table.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        table.emplace(items[i].name, static_cast<int>(i));
    }
    return table;
}

std::string textOr(const std::vector<std::string>& words, const std::string& none) {
    return words.empty() ? none : listed(words);
}

class Planner {
public:
    Planner(const Document& document, const BlockRegistry& registry, ProblemList& problems)
        : m_document(document),
          m_registry(registry),
          m_problems(problems),
          m_definitions(tableOf(document.definitions)) {}

    std::vector<GraphPlan> plan() {
        for (const Graph& definition : m_document.definitions) {
            if (m_registry.find(definition.name) != nullptr) {
                m_problems.critical(
                    "definition-shadows-block", {}, pointerTo("/model/definitions", definition.name),
                    fmt::format("The definition \"{0}\" has the name of a built-in block, which would hide it. Rename "
                                "the definition.",
                                definition.name));
            }
        }
        std::vector<GraphPlan> plans(m_document.definitions.size() + 1);
        plans[0].graph = &m_document.root;
        for (std::size_t i = 0; i < m_document.definitions.size(); ++i) {
            plans[i + 1].graph = &m_document.definitions[i];
        }
        for (GraphPlan& plan : plans) {
            findTypes(plan);
        }
        refuseRecursion(plans);
        for (GraphPlan& plan : plans) {
            connect(plan);
            findCycle(plan);
        }
        return plans;
    }

private:
    void findTypes(GraphPlan& plan) {
        plan.nodes.reserve(plan.graph->nodes.size());
        for (const Node& node : plan.graph->nodes) {
            PlannedNode planned;
            planned.node = &node;
            planned.pointer = pointerOf(plan.graph->name, node.name);
            planned.leaf = m_registry.find(node.type);
            if (planned.leaf != nullptr) {
                for (const PortSpec& port : planned.leaf->spec().outputs) {
                    planned.outputNames.push_back(port.name);
                }
            } else if (const auto it = m_definitions.find(node.type); it != m_definitions.end()) {
                planned.definition = it->second + 1;
                for (const GraphOutput& output : m_document.definitions[static_cast<std::size_t>(it->second)].outputs) {
                    planned.outputNames.push_back(output.name);
                }
            } else {
                reportUnknownType(plan, planned);
            }
            plan.nodes.push_back(std::move(planned));
        }
    }

    void reportUnknownType(const GraphPlan& plan, const PlannedNode& planned) {
        std::vector<std::string> known;
        for (const auto& type : m_registry.all()) {
            known.push_back(type->spec().type);
        }
        for (const Graph& definition : m_document.definitions) {
            known.push_back(definition.name);
        }
        const std::string nearest = nearestWord(planned.node->type, known);
        std::vector<Remedy> remedies;
        if (!nearest.empty()) {
            remedies.push_back(
                replaceValue("Set the type to " + nearest, planned.pointer + "/type", planned.node->type, nearest));
        }
        m_problems.critical("unknown-block", blockName(*plan.graph, planned.node->name), planned.pointer + "/type",
                            fmt::format("{} is of the type \"{}\", which is neither a block nor a definition. {}",
                                        blockName(*plan.graph, planned.node->name), planned.node->type,
                                        didYouMean(nearest, "Choose a type from the palette.")),
                            std::move(remedies));
    }

    /// A definition that contains itself would never end: the node that closes the circle becomes unusable.
    void refuseRecursion(std::vector<GraphPlan>& plans) {
        std::vector<int> state(plans.size(), 0);  // 0 new, 1 on the way, 2 done
        std::vector<std::size_t> way;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            visit(plans, i, state, way);
        }
    }

    void visit(std::vector<GraphPlan>& plans, std::size_t index, std::vector<int>& state,
               std::vector<std::size_t>& way) {
        if (state[index] != 0) {
            return;
        }
        state[index] = 1;
        way.push_back(index);
        for (PlannedNode& node : plans[index].nodes) {
            if (node.definition < 0) {
                continue;
            }
            const auto inner = static_cast<std::size_t>(node.definition);
            if (state[inner] == 1) {
                std::vector<std::string> circle;
                for (auto it = std::find(way.begin(), way.end(), inner); it != way.end(); ++it) {
                    circle.push_back(plans[*it].graph->name);
                }
                const std::string name = blockName(*plans[index].graph, node.node->name);
                m_problems.critical(
                    "recursive-definition", name, node.pointer,
                    circle.size() == 1
                        ? fmt::format("{} puts the definition \"{}\" inside itself. Remove the block.", name, circle[0])
                        : fmt::format("{} closes a circle of definitions: {} contain each other. Remove the block.",
                                      name, listed(circle)));
                node.definition = -1;
            } else if (way.size() >= kMaxNesting) {
                m_problems.critical("nested-too-deep", blockName(*plans[index].graph, node.node->name), node.pointer,
                                    fmt::format("Definitions are nested more than {} deep at {}. Flatten some of them.",
                                                kMaxNesting, blockName(*plans[index].graph, node.node->name)));
                node.definition = -1;
            } else {
                visit(plans, inner, state, way);
            }
        }
        way.pop_back();
        state[index] = 2;
    }

    void connect(GraphPlan& plan) {
        const NameTable inputs = tableOf(plan.graph->inputs);
        const NameTable nodes = tableOf(plan.graph->nodes);
        for (PlannedNode& planned : plan.nodes) {
            connectNode(plan, planned, inputs, nodes);
        }
        for (const GraphOutput& output : plan.graph->outputs) {
            const std::string graphPointer =
                plan.graph->name.empty() ? "/model/graph" : pointerTo("/model/definitions", plan.graph->name);
            const std::string pointer = pointerTo(graphPointer + "/outputs", output.name);
            const std::string name = plan.graph->name.empty()
                                         ? "The output " + output.name
                                         : fmt::format("The output {} of {}", output.name, plan.graph->name);
            if (output.source.node.empty()) {
                m_problems.critical(
                    "output-not-connected", {}, pointer,
                    fmt::format("{} has nothing connected to it. Connect a block to it, or remove it.", name));
            }
            plan.outputs.push_back(
                findSource(plan, output.source, name, {}, pointer, Json(output.source.toString()), inputs, nodes));
        }
    }

    void connectNode(GraphPlan& plan, PlannedNode& planned, const NameTable& inputs, const NameTable& nodes) {
        const std::string name = blockName(*plan.graph, planned.node->name);
        const auto& given = planned.node->inputs;
        const bool isObject =
            std::any_of(given.begin(), given.end(), [](const Input& input) { return !input.port.empty(); });
        const bool isText = !isObject && given.size() == 1 && !planned.node->listed;
        std::vector<PortSpec> ports = portsOf(planned);
        const bool variadic = !ports.empty() && ports.back().variadic;
        std::vector<bool> taken;
        bool misplaced = false;  // a connection that was meant for some port: not to be missed there as well
        for (std::size_t i = 0; i < given.size(); ++i) {
            const Input& input = given[i];
            const std::string fromPointer = planned.pointer + "/from";
            const std::string pointer =
                isText ? fromPointer
                       : pointerTo(fromPointer, isObject ? (input.port.empty() ? std::to_string(i) : input.port)
                                                         : std::to_string(i));
            PlannedSource source;
            if (!input.source.node.empty()) {
                source =
                    findSource(plan, input.source, name, name, pointer, Json(input.source.toString()), inputs, nodes);
            }
            if (!planned.usable()) {
                planned.inputs.push_back(source);
                continue;
            }
            const int port = portIndex(ports, variadic, input, i, name, pointer);
            if (port < 0) {
                misplaced = true;
                continue;
            }
            const auto at = static_cast<std::size_t>(port);
            if (planned.inputs.size() <= at) {
                planned.inputs.resize(at + 1);
                taken.resize(at + 1, false);
            }
            if (taken[at]) {
                m_problems.critical("input-connected-twice", name, pointer,
                                    fmt::format("{} has two connections to its input {}. Remove one of them.", name,
                                                at < ports.size() ? ports[at].name : std::to_string(at)));
                continue;
            }
            taken[at] = true;
            planned.inputs[at] = source;
            if (input.source.node.empty()) {
                taken[at] = false;
            }
        }
        if (!planned.usable()) {
            return;
        }
        const std::size_t fixed = variadic ? ports.size() - 1 : ports.size();
        if (planned.inputs.size() < fixed) {
            planned.inputs.resize(fixed);
        }
        taken.resize(std::max(taken.size(), planned.inputs.size()), false);
        for (std::size_t i = 0; i < planned.inputs.size(); ++i) {
            const bool optional = i < ports.size() && ports[i].optional;
            if (!taken[i] && !optional && !misplaced) {
                const std::string port = i < fixed ? ports[i].name : std::to_string(i);
                m_problems.critical(
                    "input-not-connected", name, planned.pointer,
                    planned.inputs.size() == 1
                        ? fmt::format("{} has nothing connected to its input. Connect a block to it.", name)
                        : fmt::format("{} has nothing connected to its input {}. Connect a block to it.", name, port),
                    planned.inputs.size() == 1 ? connections(*plan.graph, planned) : std::vector<Remedy>());
            }
        }
        if (variadic && planned.inputs.size() <= fixed && !ports.back().optional) {
            m_problems.critical("input-not-connected", name, planned.pointer,
                                fmt::format("{} has nothing connected to its inputs. Connect blocks to them.", name));
        }
    }

    /// Wires from what nobody reads, the nearest block before this one first: most likely the other end of a wire that
    /// is gone.
    std::vector<Remedy> connections(const Graph& graph, const PlannedNode& planned) {
        constexpr std::size_t kMost = 2;
        constexpr int kMostBlocks = 16;  // each offer costs a copy of the graph
        if (++m_offered > kMostBlocks) {
            return {};
        }
        std::set<std::string> read;
        for (const Node& node : graph.nodes) {
            for (const Input& input : node.inputs) {
                read.insert(input.source.node);
            }
        }
        for (const GraphOutput& output : graph.outputs) {
            read.insert(output.source.node);
        }
        const std::set<std::string> behind = readersOf(graph, planned.node->name);
        std::vector<std::string> unread;
        for (const GraphInput& input : graph.inputs) {
            unread.push_back(input.name);
        }
        std::size_t before = unread.size();
        for (const Node& node : graph.nodes) {
            before = node.name == planned.node->name ? unread.size() : before;
            unread.push_back(node.name);
        }
        std::rotate(unread.begin(), unread.begin() + static_cast<std::ptrdiff_t>(before), unread.end());
        std::vector<Remedy> remedies;
        for (auto it = unread.rbegin(); it != unread.rend() && remedies.size() < kMost; ++it) {
            if (read.contains(*it) || behind.contains(*it)) {
                continue;
            }
            auto remedy =
                editRemedy(m_document, planned.pointer, fmt::format("Connect {} to {}", planned.node->name, *it),
                           [&](Graph&, Node& edited) {
                               edited.inputs = {{{}, {*it, {}}}};
                               return true;
                           });
            if (remedy) {
                remedies.push_back(*std::move(remedy));
            }
        }
        return remedies;
    }

    /// The block and all that come after it.
    static std::set<std::string> readersOf(const Graph& graph, const std::string& name) {
        std::set<std::string> behind{name};
        for (std::size_t size = 0; size != behind.size();) {
            size = behind.size();
            for (const Node& node : graph.nodes) {
                if (std::any_of(node.inputs.begin(), node.inputs.end(),
                                [&](const Input& input) { return behind.contains(input.source.node); })) {
                    behind.insert(node.name);
                }
            }
        }
        return behind;
    }

    std::vector<PortSpec> portsOf(const PlannedNode& planned) const {
        if (planned.leaf != nullptr) {
            return planned.leaf->spec().inputs;
        }
        std::vector<PortSpec> ports;
        if (planned.definition > 0) {
            for (const GraphInput& input :
                 m_document.definitions[static_cast<std::size_t>(planned.definition - 1)].inputs) {
                ports.push_back({input.name, false, false, {}});
            }
        }
        return ports;
    }

    int portIndex(const std::vector<PortSpec>& ports, bool variadic, const Input& input, std::size_t position,
                  const std::string& name, const std::string& pointer) {
        constexpr std::size_t kMaxInputs = 10'000;
        std::size_t index = position;
        if (!input.port.empty()) {
            const auto it =
                std::find_if(ports.begin(), ports.end(), [&](const PortSpec& port) { return port.name == input.port; });
            if (it != ports.end()) {
                return static_cast<int>(it - ports.begin());
            }
            const char* end = input.port.data() + input.port.size();
            const auto [rest, code] = std::from_chars(input.port.data(), end, index);
            if (code != std::errc{} || rest != end) {
                std::vector<std::string> known;
                for (const PortSpec& port : ports) {
                    known.push_back(port.name);
                }
                m_problems.critical(
                    "unknown-port", name, pointer,
                    fmt::format("{} has no input \"{}\"; its inputs are: {}. {}", name, input.port,
                                textOr(known, "none"), didYouMean(input.port, known, "Connect to one of these.")));
                return -1;
            }
        }
        if (index < ports.size() || (variadic && index < kMaxInputs)) {
            return static_cast<int>(index);
        }
        m_problems.critical("too-many-inputs", name, pointer,
                            fmt::format("{} takes {} input{} and gets more. Remove the connection from \"{}\".", name,
                                        ports.size(), ports.size() == 1 ? "" : "s", input.source.toString()));
        return -1;
    }

    PlannedSource findSource(const GraphPlan& plan, const Source& source, const std::string& reader,
                             const std::string& block, const std::string& pointer, const Json& written,
                             const NameTable& inputs, const NameTable& nodes) {
        if (source.node.empty()) {
            return {};
        }
        if (const auto it = inputs.find(source.node); it != inputs.end()) {
            if (!source.port.empty()) {
                m_problems.critical("unknown-port", block, pointer,
                                    fmt::format("{} reads \"{}\", and the input {} has no parts. Write \"{}\".", reader,
                                                source.toString(), source.node, source.node),
                                    {replaceValue("Read " + source.node, pointer, written, source.node)});
            }
            return {PlannedSource::Kind::kGraphInput, it->second, 0};
        }
        const auto it = nodes.find(source.node);
        if (it == nodes.end()) {
            std::vector<std::string> known;
            for (const GraphInput& input : plan.graph->inputs) {
                known.push_back(input.name);
            }
            for (const Node& node : plan.graph->nodes) {
                known.push_back(node.name);
            }
            const std::string nearest = nearestWord(source.node, known);
            std::vector<Remedy> remedies;
            if (!nearest.empty()) {
                remedies.push_back(replaceValue("Read " + nearest, pointer, written, nearest));
            }
            m_problems.critical("dangling-wire", block, pointer,
                                fmt::format("{} reads from \"{}\", which is not there. {}", reader, source.node,
                                            didYouMean(nearest, "Connect it to a block that is.")),
                                std::move(remedies));
            return {};
        }
        const PlannedNode& node = plan.nodes[static_cast<std::size_t>(it->second)];
        if (source.port.empty() || !node.usable()) {
            if (node.usable() && node.outputNames.empty()) {
                m_problems.critical(
                    "unknown-port", block, pointer,
                    fmt::format("{} reads from {}, which has no output. Give {} an output, or read another block.",
                                reader, source.node, node.node->type));
                return {};
            }
            return {PlannedSource::Kind::kNode, it->second, 0};
        }
        const auto port = std::find(node.outputNames.begin(), node.outputNames.end(), source.port);
        if (port == node.outputNames.end()) {
            const std::string nearest = nearestWord(source.port, node.outputNames);
            std::vector<Remedy> remedies;
            if (!nearest.empty()) {
                const std::string right = source.node + "." + nearest;
                remedies.push_back(replaceValue("Read " + right, pointer, written, right));
            }
            m_problems.critical(
                "unknown-port", block, pointer,
                fmt::format("{} reads \"{}\", and the outputs of {} are: {}. {}", reader, source.toString(),
                            source.node, textOr(node.outputNames, "none"), didYouMean(nearest, "Read one of these.")),
                std::move(remedies));
            return {};
        }
        return {PlannedSource::Kind::kNode, it->second, static_cast<int>(port - node.outputNames.begin())};
    }

    /// Iterative depth-first search over "reads from"; tells the first circle it meets.
    void findCycle(GraphPlan& plan) {
        std::vector<int> state(plan.nodes.size(), 0);
        std::vector<std::pair<std::size_t, std::size_t>> way;  // node, next input to look at
        for (std::size_t start = 0; start < plan.nodes.size(); ++start) {
            if (state[start] != 0) {
                continue;
            }
            state[start] = 1;
            way.assign(1, {start, 0});
            while (!way.empty()) {
                auto& [node, next] = way.back();
                const std::vector<PlannedSource>& inputs = plan.nodes[node].inputs;
                if (next == inputs.size()) {
                    state[node] = 2;
                    way.pop_back();
                    continue;
                }
                const PlannedSource& source = inputs[next++];
                if (source.kind != PlannedSource::Kind::kNode) {
                    continue;
                }
                const auto from = static_cast<std::size_t>(source.index);
                if (state[from] == 1) {
                    reportCycle(plan, way, from);
                } else if (state[from] == 0) {
                    state[from] = 1;
                    way.emplace_back(from, 0);
                }
            }
        }
    }

    void reportCycle(GraphPlan& plan, const std::vector<std::pair<std::size_t, std::size_t>>& way, std::size_t first) {
        plan.hasCycle = true;
        // Each node of the way reads from the next one and the last reads from `first`: from the last back to it is the
        // flow.
        std::vector<std::string> names;
        for (auto it = way.rbegin(); it->first != first; ++it) {
            names.push_back(plan.nodes[it->first].node->name);
        }
        const std::string block = blockName(*plan.graph, plan.nodes[first].node->name);
        if (names.size() > 6) {
            names = {names[0], names[1], fmt::format("{} more", names.size() - 3), names.back()};
        }
        m_problems.critical("cycle", block, plan.nodes[first].pointer,
                            names.empty()
                                ? fmt::format("{} feeds itself. Remove the connection.", block)
                                : fmt::format("{} feeds itself through {}. Remove one of the connections between them.",
                                              block, listed(names)));
    }

    static constexpr std::size_t kMaxNesting = 64;

    const Document& m_document;
    const BlockRegistry& m_registry;
    int m_offered = 0;  ///< blocks that were offered a wire
    ProblemList& m_problems;
    NameTable m_definitions;
};

}  // namespace

std::vector<GraphPlan> planGraphs(const Document& document, const BlockRegistry& registry, ProblemList& problems) {
    return Planner(document, registry, problems).plan();
}

std::string blockName(const Graph& graph, const std::string& node) {
    return graph.name.empty() ? node : graph.name + "." + node;
}

}  // namespace plumbline::graph
