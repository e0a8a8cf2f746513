#include "compile/segments.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/block_patterns.h"

namespace plumbline::compile {
namespace {

std::string blockOf(const graph::ResolvedNode& node) {
    return node.instance.empty() ? node.path.substr(0, node.path.find('.')) : node.instance;
}

}  // namespace

std::vector<Segment> segmentsOf(const graph::ResolvedModel& graph) {
    std::map<std::string, std::size_t> last;
    for (std::size_t at = 0; at < graph.executionOrder.size(); ++at) {
        last[blockOf(graph.nodes[static_cast<std::size_t>(graph.executionOrder[at])])] = at;
    }
    std::vector<Segment> segments;
    std::size_t end = 0;  // no block that has begun has leaves from here on
    for (std::size_t at = 0; at < graph.executionOrder.size(); ++at) {
        const std::string block = blockOf(graph.nodes[static_cast<std::size_t>(graph.executionOrder[at])]);
        if (at == end) {
            segments.push_back({{}, at, 0});
        }
        end = std::max(end, last[block] + 1);
        Segment& segment = segments.back();
        segment.count = end - segment.first;
        if (std::find(segment.blocks.begin(), segment.blocks.end(), block) == segment.blocks.end()) {
            segment.blocks.push_back(block);
        }
    }
    return segments;
}

std::string reasonAgainst(const Segment& segment, const model::Model& model) {
    const graph::ResolvedModel& graph = model.graph();
    for (std::size_t at = segment.first; at < segment.first + segment.count; ++at) {
        const int index = graph.executionOrder[at];
        const graph::ResolvedNode& node = graph.nodes[static_cast<std::size_t>(index)];
        if (graph::runsPackage(node)) {
            return fmt::format("{} is compiled already: it runs a package", node.path);
        }
        if (node.mode == "stochastic") {
            return fmt::format("{} stays in training mode (mode \"stochastic\")", node.path);
        }
        if (model.isTraining(index)) {
            return fmt::format("{} is in training mode", node.path);
        }
    }
    return {};
}

Segment joined(const std::vector<Segment>& segments, std::size_t first, std::size_t count) {
    Segment all{{}, segments[first].first, 0};
    for (std::size_t i = first; i < first + count; ++i) {
        all.blocks.insert(all.blocks.end(), segments[i].blocks.begin(), segments[i].blocks.end());
        all.count += segments[i].count;
    }
    return all;
}

std::string nameOf(const Segment& segment) {
    return segment.blocks.size() == 1 ? segment.blocks.front()
                                      : fmt::format("{} … {}", segment.blocks.front(), segment.blocks.back());
}

}  // namespace plumbline::compile
