#include "model/part.h"

#include <algorithm>
#include <set>

namespace plumbline::model {

Part partOf(const graph::ResolvedModel& graph, std::size_t first, std::size_t count) {
    Part part{first, count, {}, {}};
    std::set<graph::ValueId> made, read, wanted;
    for (const auto& [name, value] : graph.outputs) {
        wanted.insert(value);
    }
    for (std::size_t at = 0; at < graph.executionOrder.size(); ++at) {
        const graph::ResolvedNode& node = graph.nodes[static_cast<std::size_t>(graph.executionOrder[at])];
        const bool inside = at >= first && at < first + count;
        for (const graph::ValueId value : node.inputs) {
            if (value == graph::kNoValue) {
                continue;
            }
            if (!inside) {
                wanted.insert(value);
            } else if (!made.contains(value) && read.insert(value).second) {
                part.inputs.push_back(value);
            }
        }
        if (inside) {
            made.insert(node.outputs.begin(), node.outputs.end());
        }
    }
    for (std::size_t at = first; at < first + count; ++at) {
        const graph::ResolvedNode& node = graph.nodes[static_cast<std::size_t>(graph.executionOrder[at])];
        std::copy_if(node.outputs.begin(), node.outputs.end(), std::back_inserter(part.outputs),
                     [&wanted](graph::ValueId value) { return wanted.contains(value); });
    }
    return part;
}

}  // namespace plumbline::model
