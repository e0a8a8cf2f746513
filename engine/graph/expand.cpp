#include "graph/expand.h"

#include <fmt/format.h>
#include <optional>

#include "graph/parameters.h"

namespace plumbline::graph {
namespace {

/// What a block has from the composites around it.
struct Surroundings {
    const Json* init = nullptr;
    std::string mode;
    bool frozen = false;
    std::string instance;    ///< the block on the root canvas
    std::string sharedFrom;  ///< paths that start with this …
    std::string sharedWith;  ///< … share the weights of the path that starts with this instead
};

class Expander {
public:
    Expander(const std::vector<GraphPlan>& plans, ProblemList& problems)
        : m_plans(plans), m_problems(problems), m_recorded(plans.size(), false) {}

    Expanded run() {
        m_result.tree.push_back({});
        const Graph& root = *m_plans[0].graph;
        for (std::size_t i = 0; i < root.inputs.size(); ++i) {
            const int slot = newSlot(newLabel(root.inputs[i].name));
            m_result.slots[static_cast<std::size_t>(slot)].producer = -1;
            m_result.slots[static_cast<std::size_t>(slot)].port = static_cast<int>(i);
            m_result.inputs.push_back(slot);
        }
        for (std::size_t i = 0; i < root.outputs.size(); ++i) {
            m_result.outputs.push_back(newSlot(-1));
        }
        m_result.tree[0].inputs = m_result.inputs;
        m_result.tree[0].outputs = m_result.outputs;
        const Scope scope;
        graph(0, scope, {}, m_result.inputs, m_result.outputs, {}, 0);
        return std::move(m_result);
    }

private:
    int newLabel(std::string label) {
        m_result.labels.push_back(std::move(label));
        return static_cast<int>(m_result.labels.size()) - 1;
    }
    int newSlot(int label) {
        m_result.slots.push_back({-1, -2, 0, label});
        return static_cast<int>(m_result.slots.size()) - 1;
    }
    int newModule(int parent, std::string name, std::string path, std::string type, const std::string& pointer) {
        ModuleNode module;
        module.name = std::move(name);
        module.path = std::move(path);
        module.type = std::move(type);
        module.pointer = pointer;
        const int index = static_cast<int>(m_result.tree.size());
        m_result.tree.push_back(std::move(module));
        m_result.tree[static_cast<std::size_t>(parent)].children.push_back(index);
        return index;
    }
    /// Counts everything that is unfolded; tells once when it gets too much and then stops all unfolding.
    bool mayGrow() {
        if (m_full) {
            return false;
        }
        if (++m_count > kMaxExpandedBlocks || m_members > 10 * kMaxExpandedBlocks) {
            m_full = true;
            m_problems.critical(
                "model-too-large", {}, "/model",
                fmt::format("The model unfolds to more than {} blocks. Lower a repeat, or nest fewer composites.",
                            kMaxExpandedBlocks));
        }
        return !m_full;
    }

    void graph(std::size_t index, const Scope& scope, const std::string& prefix, const std::vector<int>& inputs,
               const std::vector<int>& outputs, const Surroundings& around, int module) {
        const GraphPlan& plan = m_plans[index];
        std::vector<int> first(plan.nodes.size());
        for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
            first[i] = static_cast<int>(m_result.slots.size());
            if (!plan.nodes[i].outputNames.empty()) {
                const int label = newLabel(prefix + plan.nodes[i].node->name);
                for (std::size_t port = 0; port < plan.nodes[i].outputNames.size(); ++port) {
                    newSlot(label);
                }
            }
        }
        if (!m_recorded[index]) {
            m_recorded[index] = true;
            record(plan, inputs, first);
        }
        const auto slotOf = [&](const PlannedSource& source) {
            const auto at = static_cast<std::size_t>(source.index);
            switch (source.kind) {
                case PlannedSource::Kind::kGraphInput:
                    return at < inputs.size() ? inputs[at] : -1;
                case PlannedSource::Kind::kNode:
                    return plan.nodes[at].outputNames.empty() ? -1 : first[at] + source.port;
                case PlannedSource::Kind::kOpen:
                    break;
            }
            return -1;
        };
        std::vector<int> from;
        std::vector<int> to;
        for (std::size_t i = 0; i < plan.nodes.size() && !m_full; ++i) {
            const PlannedNode& planned = plan.nodes[i];
            if (!planned.usable()) {
                continue;
            }
            from.clear();
            for (const PlannedSource& source : planned.inputs) {
                from.push_back(slotOf(source));
            }
            to.clear();
            for (std::size_t port = 0; port < planned.outputNames.size(); ++port) {
                to.push_back(first[i] + static_cast<int>(port));
            }
            node(planned, scope, prefix, from, to, around, module);
        }
        for (std::size_t i = 0; i < outputs.size() && i < plan.outputs.size(); ++i) {
            bind(outputs[i], slotOf(plan.outputs[i]));
        }
    }

    void bind(int slot, int to) { m_result.slots[static_cast<std::size_t>(slot)].alias = to; }

    void record(const GraphPlan& plan, const std::vector<int>& inputs, const std::vector<int>& first) {
        const std::string graph = plan.graph->name + "/";
        for (std::size_t i = 0; i < plan.graph->inputs.size() && i < inputs.size(); ++i) {
            m_result.wires.push_back({graph + plan.graph->inputs[i].name, inputs[i]});
        }
        for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
            const PlannedNode& planned = plan.nodes[i];
            for (std::size_t port = 0; port < planned.outputNames.size(); ++port) {
                const std::string name = graph + planned.node->name;
                if (port == 0) {
                    m_result.wires.push_back({name, first[i]});
                }
                m_result.wires.push_back({name + "." + planned.outputNames[port], first[i] + static_cast<int>(port)});
            }
        }
    }

    void passThrough(const std::vector<int>& from, const std::vector<int>& to) {
        if (!to.empty() && !from.empty() && from[0] >= 0) {
            bind(to[0], from[0]);
        }
    }

    /// A value for "enabled" or "repeat", or nothing when it was told to be wrong.
    std::optional<Json> evaluated(const PlannedNode& planned, const Json& value, const char* key, const Scope& scope,
                                  const std::string& path, bool (*fits)(const Json&), const char* wanted) {
        auto result = evaluateValue(value, scope);
        const std::string pointer = planned.pointer + "/" + key;
        if (!result) {
            if (result.error().code != "unknown-value") {
                m_problems.critical(
                    result.error().code, path, pointer,
                    sentence(fmt::format("{}: {} {}", path, key, result.error().message), result.error().hint));
            }
            return std::nullopt;
        }
        if (!fits(*result)) {
            m_problems.critical(
                "bad-parameter", path, pointer,
                fmt::format("{} has {} = {}; it has to be {}. Correct the value.", path, key, result->dump(), wanted));
            return std::nullopt;
        }
        return *std::move(result);
    }

    void node(const PlannedNode& planned, const Scope& scope, const std::string& prefix, const std::vector<int>& from,
              const std::vector<int>& to, const Surroundings& around, int module) {
        const Node& source = *planned.node;
        const std::string path = prefix + source.name;
        Surroundings inside = around;
        if (!source.init.is_null()) {
            inside.init = &source.init;
        }
        if (!source.mode.empty()) {
            inside.mode = source.mode;
        }
        inside.frozen = around.frozen || source.frozen;
        if (prefix.empty()) {
            inside.instance = source.name;
        }
        if (!source.weights.empty()) {
            inside.sharedFrom = path;
            inside.sharedWith = prefix + source.weights;
        }
        if (source.repeat.is_null()) {
            member(planned, scope, path, source.name, from, to, inside, module);
            return;
        }
        const auto count = evaluated(
            planned, source.repeat, "repeat", scope, path,
            [](const Json& value) { return value.is_number_integer() && value >= 0; }, "a whole number from 0");
        if (!count) {
            return;
        }
        if (*count == 0) {
            passThrough(from, to);
            return;
        }
        const auto last = count->get<std::uint64_t>() - 1;
        const int chain = newModule(module, source.name, path, {}, planned.pointer);
        std::vector<int> inputs = from;
        for (std::uint64_t i = 0; i <= last && !m_full; ++i) {
            if (++m_members > 10 * kMaxExpandedBlocks && !mayGrow()) {
                break;
            }
            const std::string name = std::to_string(i);
            std::vector<int> outputs = to;
            if (i != last) {
                const int label = newLabel(path + "." + name);
                for (int& output : outputs) {
                    output = newSlot(label);
                }
            }
            Scope indexed(&scope);
            indexed.set("index", static_cast<std::int64_t>(i));
            member(planned, indexed, path + "." + name, name, inputs, outputs, inside, chain);
            if (!inputs.empty() && !outputs.empty()) {
                inputs[0] = outputs[0];
            }
        }
    }

    /// One block: a node, or one member of a repeat chain.
    void member(const PlannedNode& planned, const Scope& scope, const std::string& path, const std::string& name,
                const std::vector<int>& from, const std::vector<int>& to, const Surroundings& around, int module) {
        const Node& source = *planned.node;
        if (!source.enabled.is_null()) {
            const auto enabled = evaluated(
                planned, source.enabled, "enabled", scope, path, [](const Json& value) { return value.is_boolean(); },
                "true or false");
            if (!enabled) {
                return;
            }
            if (!enabled->get<bool>()) {
                passThrough(from, to);
                return;
            }
        }
        if (!mayGrow()) {
            return;
        }
        const int child = newModule(module, name, path, source.type, planned.pointer);
        const ParameterOwner owner{path, planned.pointer, source.type};
        if (planned.leaf != nullptr) {
            leaf(planned, checkParameters(planned.leaf->spec().parameters, source.params, scope, owner, m_problems),
                 path, from, to, around, child);
            return;
        }
        const auto definition = static_cast<std::size_t>(planned.definition);
        CheckedParameters checked =
            checkParameters(m_plans[definition].graph->parameters, source.params, scope, owner, m_problems);
        Scope inner;
        for (const auto& [key, value] : checked.values.items()) {
            inner.set(key, value);
        }
        if (!checked.ok()) {  // what is known first: find() takes the first entry of a name
            Scope known;
            for (const std::string& unknown : checked.unknown) {
                known.setUnknown(unknown);
            }
            for (const auto& [key, value] : checked.values.items()) {
                known.set(key, value);
            }
            inner = known;
        }
        ModuleNode& made = m_result.tree[static_cast<std::size_t>(child)];
        made.params = std::move(checked.values);
        made.inputs = from;
        made.outputs = to;
        graph(definition, inner, path + ".", from, to, around, child);
    }

    void leaf(const PlannedNode& planned, CheckedParameters parameters, const std::string& path,
              const std::vector<int>& from, const std::vector<int>& to, const Surroundings& around, int module) {
        const int index = static_cast<int>(m_result.nodes.size());
        m_result.tree[static_cast<std::size_t>(module)].leaf = index;
        for (std::size_t port = 0; port < to.size(); ++port) {
            Slot& slot = m_result.slots[static_cast<std::size_t>(to[port])];
            slot.producer = index;
            slot.port = static_cast<int>(port);
        }
        ResolvedNode node;
        node.path = path;
        node.type = planned.node->type;
        node.params = std::move(parameters.values);
        if (around.init != nullptr) {
            node.init = *around.init;
        }
        node.frozen = around.frozen;
        node.mode = around.mode;
        node.pointer = planned.pointer;
        node.instance = around.instance;
        LeafFacts facts;
        facts.inputs = from;
        facts.outputs = to;
        facts.type = planned.leaf;
        facts.parametersOk = parameters.ok();
        if (!around.sharedFrom.empty()) {
            facts.sharesWith = around.sharedWith + path.substr(around.sharedFrom.size());
        }
        m_result.nodes.push_back(std::move(node));
        m_result.facts.push_back(std::move(facts));
    }

    const std::vector<GraphPlan>& m_plans;
    ProblemList& m_problems;
    std::vector<bool> m_recorded;
    std::size_t m_count = 0;    ///< blocks
    std::size_t m_members = 0;  ///< of repeats, switched off ones too
    bool m_full = false;
    Expanded m_result;
};

}  // namespace

int Expanded::find(int slot) {
    int end = slot;
    // A switched-off circle would go round for ever; the count is the longest way there can be.
    std::size_t steps = 0;
    while (end >= 0 && slots[static_cast<std::size_t>(end)].alias >= 0 && steps++ <= slots.size()) {
        end = slots[static_cast<std::size_t>(end)].alias;
    }
    if (end < 0 || slots[static_cast<std::size_t>(end)].alias >= 0) {
        return -1;
    }
    while (slot != end) {  // the next search along this way takes one step
        Slot& at = slots[static_cast<std::size_t>(slot)];
        slot = at.alias;
        at.alias = end;
    }
    return slots[static_cast<std::size_t>(end)].producer == -2 ? -1 : end;
}

const std::string& Expanded::label(int slot) const {
    static const std::string kNone;
    const int label = slot < 0 ? -1 : slots[static_cast<std::size_t>(slot)].label;
    return label < 0 ? kNone : labels[static_cast<std::size_t>(label)];
}

Expanded expand(const std::vector<GraphPlan>& plans, ProblemList& problems) {
    return Expander(plans, problems).run();
}

}  // namespace plumbline::graph
