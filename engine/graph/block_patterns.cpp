#include "graph/block_patterns.h"

#include <algorithm>

#include "core/glob.h"

namespace plumbline::graph {

namespace {

bool matchesWithin(const std::string& pattern, const std::string& path) {
    for (std::size_t end = path.find('.'); end != std::string::npos; end = path.find('.', end + 1)) {
        if (matchesGlob(pattern, path.substr(0, end))) {
            return true;
        }
    }
    return matchesGlob(pattern, path);
}

}  // namespace

std::vector<int> blocksMatching(const ResolvedModel& model, const std::string& pattern) {
    std::vector<int> found;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        if (matchesWithin(pattern, model.nodes[i].path)) {
            found.push_back(static_cast<int>(i));
        }
    }
    return found;
}

std::vector<int> outputBlocks(const ResolvedModel& model) {
    std::vector<int> found;
    for (const auto& [name, output] : model.outputs) {
        for (ValueId value = output; value != kNoValue;) {
            const int leaf = model.values[static_cast<std::size_t>(value)].producer;
            if (leaf < 0 || std::find(found.begin(), found.end(), leaf) != found.end()) {
                break;
            }
            found.push_back(leaf);
            const ResolvedNode& node = model.nodes[static_cast<std::size_t>(leaf)];
            const bool hasParameters = std::any_of(node.state.begin(), node.state.end(), [](const StateSpec& state) { return !state.buffer; });
            value = hasParameters || node.inputs.size() != 1 ? kNoValue : node.inputs[0];
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace plumbline::graph
