#include "train/parameter_groups.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

#include "model/model.h"
#include "plan/freezing.h"

namespace plumbline::train {

namespace {

/// "layers.0" for a parameter in a repeat of the root graph, else the block of the root graph.
std::string layerOf(const graph::ResolvedModel& graph, const graph::ResolvedNode& node) {
    const std::string& block = node.instance.empty() ? node.path : node.instance;
    const auto repeats = [&](const graph::ModuleNode& module) { return module.path == block && module.leaf < 0 && module.type.empty(); };
    if (!node.path.starts_with(block + ".") || std::none_of(graph.tree.begin(), graph.tree.end(), repeats)) {
        return block;
    }
    return node.path.substr(0, node.path.find('.', block.size() + 1));
}

class Sorter {
public:
    Sorter(const plan::OptimizerSpec& spec, const std::vector<NamedParameter>& parameters, const ParameterLayers& layers) : m_spec(spec), m_layers(layers) {
        const bool byLayer = spec.layerDecay != 1;
        for (const NamedParameter& parameter : parameters) {
            const auto found = layers.ofParameter.find(parameter.name);
            if (const plan::OptimizerGroup* group = plan::groupOf(spec, parameter.name); byLayer && found != layers.ofParameter.end() && (group == nullptr || !group->frozen)) {
                m_trained.push_back(found->second);
            }
        }
        std::sort(m_trained.begin(), m_trained.end());
        m_trained.erase(std::unique(m_trained.begin(), m_trained.end()), m_trained.end());
    }

    void add(const NamedParameter& parameter) {
        const plan::OptimizerGroup* pattern = plan::groupOf(m_spec, parameter.name);
        if (pattern != nullptr && pattern->frozen) {
            return;
        }
        const auto kind = m_spec.kind();
        const bool decays = m_spec.decayNormsAndBiases || parameter.tensor.dim() > 1 || (kind != nullptr && !kind->has("weight_decay"));
        const Key key{pattern == nullptr ? 0 : static_cast<std::size_t>(pattern - m_spec.groups.data()) + 1, placeOf(parameter.name), !decays};
        const auto [place, isNew] = m_groups.try_emplace(key);
        if (isNew) {
            place->second = make(key, pattern);
        }
        place->second.parameters.push_back(parameter);
    }

    std::vector<ParameterGroup> take() {
        std::vector<ParameterGroup> groups;
        for (auto& [key, group] : m_groups) {
            std::string name = group.name;
            const auto taken = [&](const ParameterGroup& other) { return other.name == name; };
            for (int n = 2; std::any_of(groups.begin(), groups.end(), taken); ++n) {
                name = fmt::format("{} ({})", group.name, n);
            }
            group.name = name;
            groups.push_back(std::move(group));
        }
        return groups;
    }

private:
    /// Pattern, from 1, or 0; layer among the trained ones, from 1, or 0; without weight decay.
    using Key = std::tuple<std::size_t, std::size_t, bool>;

    std::size_t placeOf(const std::string& parameter) const {
        const auto layer = m_layers.ofParameter.find(parameter);
        if (m_trained.empty() || layer == m_layers.ofParameter.end()) {
            return 0;
        }
        return static_cast<std::size_t>(std::lower_bound(m_trained.begin(), m_trained.end(), layer->second) - m_trained.begin()) + 1;
    }

    ParameterGroup make(const Key& key, const plan::OptimizerGroup* pattern) const {
        const auto [number, layer, undecayed] = key;
        ParameterGroup group;
        const auto addToName = [&group](const std::string& part) { group.name += (group.name.empty() ? "" : ", ") + part; };
        group.lr = m_spec.lr;
        group.weightDecay = m_spec.weightDecay;
        if (pattern != nullptr) {
            group.name = pattern->match;
            group.ownRate = pattern->lr.has_value();
            group.lr = pattern->lr.value_or(m_spec.lr);
            group.ownWeightDecay = pattern->weightDecay.has_value();
            group.weightDecay = pattern->weightDecay.value_or(m_spec.weightDecay);
        }
        if (layer > 0) {
            addToName("layer " + m_layers.names[m_trained[layer - 1]]);
            group.lrScale = std::pow(m_spec.layerDecay, static_cast<double>(m_trained.size() - layer));
            group.lr *= group.lrScale;
        }
        if (undecayed) {
            addToName("no weight decay");
            group.weightDecay = 0;
            group.ownWeightDecay = true;
        }
        return group;
    }

    const plan::OptimizerSpec& m_spec;
    const ParameterLayers& m_layers;
    std::vector<std::size_t> m_trained;  ///< layers that hold trained parameters, in order; empty where layers do not count
    std::map<Key, ParameterGroup> m_groups;
};

}  // namespace

ParameterLayers layersOf(const model::Model& model) {
    const graph::ResolvedModel& graph = model.graph();
    ParameterLayers layers;
    std::map<int, std::vector<std::string>> ofLeaf;
    for (const model::NamedState& parameter : model.parameters()) {
        ofLeaf[parameter.leaf].push_back(parameter.name);
    }
    std::map<std::string, std::size_t> places;
    for (const int leaf : graph.executionOrder) {
        for (const std::string& parameter : ofLeaf[leaf]) {
            const std::string layer = layerOf(graph, graph.nodes[static_cast<std::size_t>(leaf)]);
            const auto [place, isNew] = places.try_emplace(layer, layers.names.size());
            if (isNew) {
                layers.names.push_back(layer);
            }
            layers.ofParameter[parameter] = place->second;
        }
    }
    return layers;
}

std::vector<ParameterGroup> groupParameters(const plan::OptimizerSpec& spec, const std::vector<NamedParameter>& parameters, const ParameterLayers& layers) {
    Sorter sorter(spec, parameters, layers);
    for (const NamedParameter& parameter : parameters) {
        sorter.add(parameter);
    }
    return sorter.take();
}

}  // namespace plumbline::train
