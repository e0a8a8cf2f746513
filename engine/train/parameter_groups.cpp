#include "train/parameter_groups.h"

#include <utility>

#include "model/model.h"
#include "project/model_parameters.h"

namespace plumbline::train {

ParameterLayers layersOf(const model::Model& model) {
    return project::layersOf(model.graph());
}

std::vector<ParameterGroup> groupParameters(const plan::OptimizerSpec& spec,
                                            const std::vector<NamedParameter>& parameters,
                                            const ParameterLayers& layers) {
    std::vector<plan::GroupMember> members;
    members.reserve(parameters.size());
    for (const NamedParameter& parameter : parameters) {
        members.push_back({parameter.name, static_cast<std::size_t>(parameter.tensor.dim())});
    }
    std::vector<ParameterGroup> groups;
    for (plan::GroupOfParameters& planned : plan::groupsOf(spec, members, layers)) {
        ParameterGroup group;
        group.name = std::move(planned.name);
        for (const std::size_t member : planned.members) {
            group.parameters.push_back(parameters[member]);
        }
        group.lr = planned.lr;
        group.weightDecay = planned.weightDecay;
        group.lrScale = planned.lrScale;
        group.ownRate = planned.ownRate;
        group.ownWeightDecay = planned.ownWeightDecay;
        groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace plumbline::train
