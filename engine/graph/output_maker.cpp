#include "graph/output_maker.h"

#include <functional>
#include <set>

namespace plumbline::graph {

bool isTransparent(const std::string& type) {
    static const std::set<std::string, std::less<>> kTypes{"Input",   "Output",  "Identity",
                                                           "Flatten", "Reshape", "Permute"};
    return kTypes.contains(type);
}

std::string makerOf(const ResolvedModel& model, ValueId value) {
    // A chain that goes round, as a half-built model may have it, ends after as many blocks as there are.
    for (std::size_t passed = 0; value != kNoValue && passed <= model.nodes.size(); ++passed) {
        const int producer = model.values[static_cast<std::size_t>(value)].producer;
        if (producer < 0) {
            return {};
        }
        const ResolvedNode& node = model.nodes[static_cast<std::size_t>(producer)];
        if (!isTransparent(node.type)) {
            return node.type;
        }
        value = node.inputs.empty() ? kNoValue : node.inputs[0];
    }
    return {};
}

}  // namespace plumbline::graph
