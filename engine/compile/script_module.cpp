#include "compile/script_module.h"

#include <fmt/format.h>
#include <map>
#include <optional>

namespace plumbline::compile {
namespace {

class TreeBuilder {
public:
    TreeBuilder(const model::Model& model, const std::set<int>* leaves) : m_graph(model.graph()), m_leaves(leaves) {
        for (const model::NamedState& state : model.stateDict()) {
            m_states[static_cast<std::size_t>(state.leaf)].push_back(state);
        }
    }

    /// Nothing where no wanted leaf is inside.
    std::optional<torch::jit::Module> build(int index) {
        const graph::ModuleNode& node = m_graph.tree[static_cast<std::size_t>(index)];
        torch::jit::Module module = empty(fmt::format("m{}", index));
        bool wanted = index == 0;
        if (node.leaf >= 0 && (m_leaves == nullptr || m_leaves->contains(node.leaf))) {
            wanted = true;
            const std::vector<model::NamedState>& states = m_states[static_cast<std::size_t>(node.leaf)];
            addStates(module, fmt::format("m{}", index), states, node.path.empty() ? 0 : node.path.size() + 1);
        }
        for (const int child : node.children) {
            if (const auto inside = build(child)) {
                wanted = true;
                module.register_module(m_graph.tree[static_cast<std::size_t>(child)].name, *inside);
            }
        }
        return wanted ? std::optional(module) : std::nullopt;
    }

private:
    static torch::jit::Module empty(const std::string& type) {
        torch::jit::Module module("__torch__.plumbline." + type);
        module.register_attribute("training", c10::BoolType::get(), true);
        return module;
    }

    /// Registers what stands in the names behind `prefix` characters; "self_attn.out_proj.weight" gets a module for
    /// each part.
    static void addStates(torch::jit::Module& module, const std::string& type,
                          const std::vector<model::NamedState>& states, std::size_t prefix) {
        std::vector<std::string> parts;
        std::map<std::string, std::vector<model::NamedState>> ofPart;
        for (const model::NamedState& state : states) {
            const std::string name = state.name.substr(prefix);
            if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
                std::vector<model::NamedState>& inside = ofPart[name.substr(0, dot)];
                if (inside.empty()) {
                    parts.push_back(name.substr(0, dot));
                }
                inside.push_back(state);
            } else if (state.buffer) {
                module.register_buffer(name, state.tensor);
            } else {
                module.register_parameter(name, state.tensor, false);
            }
        }
        for (const std::string& part : parts) {
            torch::jit::Module inside = empty(type + "_" + part);
            addStates(inside, type + "_" + part, ofPart[part], prefix + part.size() + 1);
            module.register_module(part, inside);
        }
    }

    const graph::ResolvedModel& m_graph;
    const std::set<int>* m_leaves;
    std::map<std::size_t, std::vector<model::NamedState>> m_states;
};

}  // namespace

torch::jit::Module makeScriptModule(const model::Model& model, const std::set<int>* leaves) {
    return *TreeBuilder(model, leaves).build(0);
}

}  // namespace plumbline::compile
