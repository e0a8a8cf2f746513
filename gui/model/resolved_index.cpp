// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/resolved_index.h"

#include <functional>
#include <map>
#include <numeric>

namespace plumbline::gui {

using graph::ModuleNode;

ResolvedIndex::ResolvedIndex(const graph::ResolvedModel& model) : m_model(&model) {
    m_byPath.reserve(model.tree.size());
    for (std::size_t i = 0; i < model.tree.size(); ++i) {
        m_byPath.emplace(model.tree[i].path, static_cast<int>(i));
    }
}

int ResolvedIndex::find(const std::string& path) const {
    const auto found = m_byPath.find(path);
    return found == m_byPath.end() ? -1 : found->second;
}

ResolvedIndex::Types ResolvedIndex::types(const std::vector<graph::ValueId>& values) const {
    Types found;
    for (const graph::ValueId id : values) {
        if (id == graph::kNoValue || !m_model->values[static_cast<std::size_t>(id)].known) {
            found.emplace_back();
        } else {
            found.emplace_back(m_model->values[static_cast<std::size_t>(id)].type);
        }
    }
    return found;
}

const std::vector<graph::ValueId>* ResolvedIndex::outputsOf(const std::string& path) const {
    int index = find(path);
    while (index >= 0) {
        const ModuleNode& module = m_model->tree[static_cast<std::size_t>(index)];
        if (module.leaf >= 0) {
            return &m_model->nodes[static_cast<std::size_t>(module.leaf)].outputs;
        }
        if (!module.type.empty() || module.children.empty()) {
            return &module.outputs;
        }
        index = module.children.back();  // a chain gives what its last member gives
    }
    return nullptr;
}

ResolvedIndex::Types ResolvedIndex::outputTypes(const std::string& path) const {
    const auto* outputs = outputsOf(path);
    return outputs ? types(*outputs) : Types();
}

ResolvedIndex::Types ResolvedIndex::inputTypes(const std::string& path) const {
    const int index = find(path);
    if (index < 0) {
        return {};
    }
    const ModuleNode& module = m_model->tree[static_cast<std::size_t>(index)];
    if (module.leaf >= 0) {
        return types(m_model->nodes[static_cast<std::size_t>(module.leaf)].inputs);
    }
    if (module.type.empty() && !module.children.empty()) {
        return inputTypes(m_model->tree[static_cast<std::size_t>(module.children.front())].path);
    }
    return types(module.inputs);
}

std::optional<graph::TensorType> ResolvedIndex::wireType(const Level& level, const std::string& node, int output,
                                                         const std::string& port) const {
    const graph::TensorType* type = wire(level, node, output, port);
    return type ? std::optional(*type) : std::nullopt;
}

const graph::TensorType* ResolvedIndex::wire(const Level& level, const std::string& node, int output,
                                             const std::string& port) const {
    if (!m_model) {
        return nullptr;
    }
    const auto* outputs = outputsOf(level.pathOf(node));
    if (outputs && output >= 0 && static_cast<std::size_t>(output) < outputs->size()) {
        const graph::ValueId id = (*outputs)[static_cast<std::size_t>(output)];
        const bool known = id != graph::kNoValue && m_model->values[static_cast<std::size_t>(id)].known;
        return known ? &m_model->values[static_cast<std::size_t>(id)].type : nullptr;
    }
    const auto named = m_model->wires.find(level.graph + "/" + node + (port.empty() ? std::string() : "." + port));
    return named == m_model->wires.end() ? nullptr : &named->second;
}

void ResolvedIndex::addCost(int tree, Cost& cost, graph::Dim& macs, graph::Dim& bytes) const {
    const ModuleNode& module = m_model->tree[static_cast<std::size_t>(tree)];
    if (module.leaf >= 0) {
        const graph::ResolvedNode& node = m_model->nodes[static_cast<std::size_t>(module.leaf)];
        cost.parameters += node.weightsOf.empty() ? node.cost.parameters : 0;
        macs = macs + node.cost.macs;
        bytes = bytes + node.cost.activationBytes;
        for (const graph::StateSpec& state : node.state) {
            if (state.buffer || node.weightsOf.empty()) {
                cost.stateBytes += std::accumulate(state.dims.begin(), state.dims.end(),
                                                   static_cast<std::int64_t>(sizeOf(state.dtype)), std::multiplies<>());
            }
        }
    }
    for (const int child : module.children) {
        addCost(child, cost, macs, bytes);
    }
}

ResolvedIndex::Cost ResolvedIndex::cost(const std::string& path) const {
    Cost cost;
    const int index = find(path);
    if (index < 0) {
        return cost;
    }
    graph::Dim macs;
    graph::Dim bytes;
    addCost(index, cost, macs, bytes);
    const std::map<std::string, std::int64_t> one{{"B", 1}, {"T", 1}};
    cost.macs = macs.evaluate(one);
    cost.activationBytes = bytes.evaluate(one);
    return cost;
}

std::int64_t ResolvedIndex::memory(const std::string& path, std::int64_t batch) const {
    const int index = find(path);
    if (index < 0) {
        return 0;
    }
    Cost cost;
    graph::Dim macs;
    graph::Dim bytes;
    addCost(index, cost, macs, bytes);
    const auto outputs = bytes.evaluate({{"B", batch}, {"T", 1}});
    return outputs ? cost.stateBytes + *outputs : 0;
}

const graph::ResolvedNode* ResolvedIndex::leaf(const std::string& path) const {
    int index = find(path);
    while (index >= 0) {
        const ModuleNode& module = m_model->tree[static_cast<std::size_t>(index)];
        if (module.leaf >= 0) {
            return &m_model->nodes[static_cast<std::size_t>(module.leaf)];
        }
        if (!module.type.empty() || module.children.empty()) {
            return nullptr;
        }
        index = module.children.front();
    }
    return nullptr;
}

const Json* ResolvedIndex::compositeParams(const std::string& path) const {
    const int index = find(path);
    if (index < 0) {
        return nullptr;
    }
    const ModuleNode* module = &m_model->tree[static_cast<std::size_t>(index)];
    if (module->type.empty() && !module->children.empty()) {
        module = &m_model->tree[static_cast<std::size_t>(module->children.front())];
    }
    return module->leaf < 0 && module->params.is_object() ? &module->params : nullptr;
}

std::string ResolvedIndex::firstInstance(const std::string& definition) const {
    if (m_model) {
        for (const ModuleNode& module : m_model->tree) {
            if (module.type == definition && module.leaf < 0 && !module.path.empty()) {
                return module.path;
            }
        }
    }
    return {};
}

}  // namespace plumbline::gui
