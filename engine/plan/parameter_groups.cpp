#include "plan/parameter_groups.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "plan/freezing.h"

namespace plumbline::plan {

namespace {

class Sorter {
public:
    Sorter(const OptimizerSpec& spec, const std::vector<GroupMember>& parameters, const ParameterLayers& layers)
        : m_spec(spec), m_layers(layers) {
        const bool byLayer = spec.layerDecay != 1;
        for (const GroupMember& parameter : parameters) {
            const auto found = layers.ofParameter.find(parameter.name);
            if (const OptimizerGroup* group = groupOf(spec, parameter.name);
                byLayer && found != layers.ofParameter.end() && (group == nullptr || !group->frozen)) {
                m_trained.push_back(found->second);
            }
        }
        std::sort(m_trained.begin(), m_trained.end());
        m_trained.erase(std::unique(m_trained.begin(), m_trained.end()), m_trained.end());
    }

    void add(const GroupMember& parameter, std::size_t index) {
        const OptimizerGroup* pattern = groupOf(m_spec, parameter.name);
        if (pattern != nullptr && pattern->frozen) {
            return;
        }
        const auto kind = m_spec.kind();
        const bool decays = m_spec.decayNormsAndBiases || !isNormOrBias(parameter, m_layers) ||
                            (kind != nullptr && !kind->has("weight_decay"));
        const Key key{pattern == nullptr ? 0 : static_cast<std::size_t>(pattern - m_spec.groups.data()) + 1,
                      placeOf(parameter.name), !decays};
        const auto [place, isNew] = m_groups.try_emplace(key);
        if (isNew) {
            place->second = make(key, pattern);
        }
        place->second.members.push_back(index);
    }

    std::vector<GroupOfParameters> take() {
        std::vector<GroupOfParameters> groups;
        for (auto& [key, group] : m_groups) {
            std::string name = group.name;
            const auto taken = [&](const GroupOfParameters& other) { return other.name == name; };
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
        return static_cast<std::size_t>(std::lower_bound(m_trained.begin(), m_trained.end(), layer->second) -
                                        m_trained.begin()) +
               1;
    }

    GroupOfParameters make(const Key& key, const OptimizerGroup* pattern) const {
        const auto [number, layer, undecayed] = key;
        GroupOfParameters group;
        const auto addToName = [&group](const std::string& part) {
            group.name += (group.name.empty() ? "" : ", ") + part;
        };
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

    const OptimizerSpec& m_spec;
    const ParameterLayers& m_layers;
    std::vector<std::size_t>
        m_trained;  ///< layers that hold trained parameters, in order; empty where layers do not count
    std::map<Key, GroupOfParameters> m_groups;
};

}  // namespace

std::vector<GroupOfParameters> groupsOf(const OptimizerSpec& spec, const std::vector<GroupMember>& parameters,
                                        const ParameterLayers& layers) {
    Sorter sorter(spec, parameters, layers);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        sorter.add(parameters[i], i);
    }
    return sorter.take();
}

bool isNormOrBias(const GroupMember& parameter, const ParameterLayers& layers) {
    const std::string last = parameter.name.substr(parameter.name.rfind('.') + 1);
    return parameter.dimensions <= 1 || last.find("bias") != std::string::npos || layers.norms.contains(parameter.name);
}

std::string groupInPhase(const std::string& phase, const std::string& group) {
    return phase.empty() ? group : group.empty() ? phase : phase + ": " + group;
}

std::string rateSeries(const std::string& phase, const std::string& group) {
    const std::string name = groupInPhase(phase, group);
    return name.empty() ? "lr" : "lr/" + name;
}

}  // namespace plumbline::plan
