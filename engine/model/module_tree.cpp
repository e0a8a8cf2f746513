#include "model/module_tree.h"

#include <torch/nn/module.h>

namespace plumbline::model {

namespace {

/// The module at `path` below `root`, made with all modules on the way.
std::shared_ptr<torch::nn::Module> moduleAt(std::map<std::string, std::shared_ptr<torch::nn::Module>>& made,
                                            const std::string& path, const std::string& type) {
    if (const auto found = made.find(path); found != made.end()) {
        return found->second;
    }
    const std::size_t dot = path.rfind('.');
    const std::shared_ptr<torch::nn::Module> parent =
        moduleAt(made, dot == std::string::npos ? std::string() : path.substr(0, dot), "");
    const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
    auto module = std::make_shared<torch::nn::Module>(type.empty() ? name : type);
    parent->register_module(name, module);
    made.emplace(path, module);
    return module;
}

}  // namespace

std::shared_ptr<torch::nn::Module> makeModuleTree(const Model& model) {
    std::map<std::string, std::shared_ptr<torch::nn::Module>> made;
    made.emplace(std::string(), std::make_shared<torch::nn::Module>("Model"));
    const auto& nodes = model.graph().nodes;
    for (std::size_t leaf = 0; leaf < nodes.size(); ++leaf) {
        moduleAt(made, nodes[leaf].path, nodes[leaf].type)->train(model.isTraining(static_cast<int>(leaf)));
    }
    for (const NamedState& state : model.stateDict()) {
        const std::string& path = nodes[static_cast<std::size_t>(state.leaf)].path;
        const std::string name = state.name.substr(path.empty() ? 0 : path.size() + 1);
        torch::nn::Module& module = *made.at(path);
        if (state.buffer) {
            module.register_buffer(name, state.tensor);
        } else {
            module.register_parameter(name, state.tensor, state.tensor.requires_grad());
        }
    }
    return made.at(std::string());
}

}  // namespace plumbline::model
