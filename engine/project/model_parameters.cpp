#include "project/model_parameters.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/json_errors.h"

namespace plumbline::project {

namespace {

/// "layers.0" for a parameter in a repeat of the root graph, else the block of the root graph.
std::string layerOf(const graph::ResolvedModel& graph, const graph::ResolvedNode& node) {
    const std::string& block = node.instance.empty() ? node.path : node.instance;
    const auto repeats = [&](const graph::ModuleNode& module) {
        return module.path == block && module.leaf < 0 && module.type.empty();
    };
    if (!node.path.starts_with(block + ".") || std::none_of(graph.tree.begin(), graph.tree.end(), repeats)) {
        return block;
    }
    return node.path.substr(0, node.path.find('.', block.size() + 1));
}

}  // namespace

std::vector<ModelParameter> parametersOf(const graph::ResolvedModel& model) {
    std::vector<ModelParameter> parameters;
    for (std::size_t leaf = 0; leaf < model.nodes.size(); ++leaf) {
        const graph::ResolvedNode& node = model.nodes[leaf];
        for (const graph::StateSpec& state : node.state) {
            if (!state.buffer && node.weightsOf.empty()) {
                parameters.push_back({node.path.empty() ? state.name : node.path + "." + state.name, node.frozen,
                                      static_cast<int>(leaf), state.dims.size()});
            }
        }
    }
    return parameters;
}

plan::ParameterLayers layersOf(const graph::ResolvedModel& model) {
    plan::ParameterLayers layers;
    std::map<int, std::vector<std::string>> ofLeaf;
    for (ModelParameter& parameter : parametersOf(model)) {
        if (model.nodes[static_cast<std::size_t>(parameter.leaf)].type.find("Norm") != std::string::npos) {
            layers.norms.insert(parameter.name);
        }
        ofLeaf[parameter.leaf].push_back(std::move(parameter.name));
    }
    std::map<std::string, std::size_t> places;
    for (const int leaf : model.executionOrder) {
        for (const std::string& parameter : ofLeaf[leaf]) {
            const std::string layer = layerOf(model, model.nodes[static_cast<std::size_t>(leaf)]);
            const auto [place, isNew] = places.try_emplace(layer, layers.names.size());
            if (isNew) {
                layers.names.push_back(layer);
            }
            layers.ofParameter[parameter] = place->second;
        }
    }
    return layers;
}

std::string patternHint(const std::string& pattern, const std::vector<ModelParameter>& parameters) {
    std::string stem = pattern.substr(0, pattern.find_first_of("*?["));
    while (stem.ends_with('.')) {
        stem.pop_back();
    }
    const auto depth = std::count(stem.begin(), stem.end(), '.');
    std::vector<std::string> known;  // as deep as it: blocks, then parameters
    for (const ModelParameter& parameter : parameters) {
        std::size_t end = parameter.name.find('.');
        for (auto level = depth; level > 0 && end != std::string::npos; --level) {
            end = parameter.name.find('.', end + 1);
        }
        const std::string block = end == std::string::npos ? parameter.name : parameter.name.substr(0, end) + ".*";
        if (std::find(known.begin(), known.end(), block) == known.end()) {
            known.push_back(block);
        }
    }
    if (known.empty()) {
        return "Give the model a block with weights.";
    }
    const std::string nearest = nearestWord(stem + ".*", known);
    return nearest.empty()
               ? didYouMean(stem, known, fmt::format("Write full names, with * for anything: {}", known.front()))
               : didYouMean(nearest, {});
}

}  // namespace plumbline::project
