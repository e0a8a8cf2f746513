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

std::vector<int> outermostMatching(const ResolvedModel& model, const std::string& pattern) {
    std::vector<int> found, open;
    const auto openChildren = [&](const ModuleNode& block) {
        open.insert(open.end(), block.children.rbegin(), block.children.rend());
    };
    if (!model.tree.empty()) {
        openChildren(model.tree.front());
    }
    while (!open.empty()) {
        const int index = open.back();
        open.pop_back();
        const ModuleNode& block = model.tree[static_cast<std::size_t>(index)];
        const bool isChain = block.leaf < 0 && block.type.empty();
        if (!matchesGlob(pattern, block.path)) {
            openChildren(block);
        } else if (isChain) {
            found.insert(found.end(), block.children.begin(), block.children.end());
        } else {
            found.push_back(index);
        }
    }
    return found;
}

std::vector<int> leavesOf(const ResolvedModel& model, int block) {
    std::vector<int> leaves, open{block};
    while (!open.empty()) {
        const ModuleNode& at = model.tree[static_cast<std::size_t>(open.back())];
        open.pop_back();
        if (at.leaf >= 0) {
            leaves.push_back(at.leaf);
        }
        open.insert(open.end(), at.children.rbegin(), at.children.rend());
    }
    return leaves;
}

bool runsPackage(const ResolvedNode& node) {
    return node.type == "AOTIPackage";
}

bool stopsGradients(const ResolvedNode& node) {
    return node.type == "Detach" || runsPackage(node) || node.type == "ArgMax" ||
           (node.type == "ToDtype" &&
            !isFloatingPoint(parseDType(node.params.value("dtype", "float32")).value_or(DType::kFloat32)));
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
            const bool hasParameters =
                std::any_of(node.state.begin(), node.state.end(), [](const StateSpec& state) { return !state.buffer; });
            value = hasParameters || node.inputs.size() != 1 ? kNoValue : node.inputs[0];
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace plumbline::graph
