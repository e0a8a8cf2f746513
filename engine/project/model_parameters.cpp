#include "project/model_parameters.h"

namespace plumbline::project {

std::vector<ModelParameter> parametersOf(const graph::ResolvedModel& model) {
    std::vector<ModelParameter> parameters;
    for (std::size_t leaf = 0; leaf < model.nodes.size(); ++leaf) {
        const graph::ResolvedNode& node = model.nodes[leaf];
        for (const graph::StateSpec& state : node.state) {
            if (!state.buffer && node.weightsOf.empty()) {
                parameters.push_back({node.path.empty() ? state.name : node.path + "." + state.name, node.frozen, static_cast<int>(leaf)});
            }
        }
    }
    return parameters;
}

}  // namespace plumbline::project
