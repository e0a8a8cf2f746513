#include "graph/reach.h"

#include <algorithm>

#include "graph/block_patterns.h"

namespace plumbline::graph {

Reach reachOf(const ResolvedModel& model, const std::vector<std::string>& outputs,
              const std::vector<char>& gradientsOff) {
    Reach reach{std::vector<char>(model.nodes.size()), std::vector<int>(model.nodes.size(), -1)};
    const auto producerOf = [&](ValueId id) {
        return id == kNoValue ? -1 : model.values[static_cast<std::size_t>(id)].producer;
    };
    for (const auto& [name, id] : model.outputs) {
        if (const int from = producerOf(id);
            from >= 0 && std::find(outputs.begin(), outputs.end(), name) != outputs.end()) {
            reach.leaves[static_cast<std::size_t>(from)] = 1;
        }
    }
    for (auto it = model.executionOrder.rbegin(); it != model.executionOrder.rend(); ++it) {
        const auto index = static_cast<std::size_t>(*it);
        const ResolvedNode& node = model.nodes[index];
        if (index < gradientsOff.size() && gradientsOff[index] != 0 && reach.leaves[index] != 0) {
            reach.leaves[index] = 0;
            reach.blockers[index] = *it;
        }
        const bool passes = reach.leaves[index] != 0 && !stopsGradients(node);
        for (const ValueId id : node.inputs) {
            const int from = producerOf(id);
            if (from < 0) {
                continue;
            }
            int& blocker = reach.blockers[static_cast<std::size_t>(from)];
            if (passes) {
                reach.leaves[static_cast<std::size_t>(from)] = 1;
            } else if (reach.leaves[index] != 0) {
                blocker = *it;
            } else if (reach.blockers[index] >= 0 && blocker < 0) {
                blocker = reach.blockers[index];
            }
        }
    }
    return reach;
}

}  // namespace plumbline::graph
