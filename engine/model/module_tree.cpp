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
        moduleAt(made, nodes[leaf].path, nodes[leaf].type);
    }
    for (const NamedState& state : model.stateDict()) {
        // A block with parts has states like "self_attn.out_proj.weight", and a module for each part.
        const std::size_t dot = state.name.rfind('.');
        const std::string name = state.name.substr(dot == std::string::npos ? 0 : dot + 1);
        torch::nn::Module& module =
            *moduleAt(made, dot == std::string::npos ? std::string() : state.name.substr(0, dot), "");
        if (state.buffer) {
            module.register_buffer(name, state.tensor);
        } else {
            module.register_parameter(name, state.tensor, state.tensor.requires_grad());
        }
    }
    for (std::size_t leaf = 0; leaf < nodes.size(); ++leaf) {
        made.at(nodes[leaf].path)->train(model.isTraining(static_cast<int>(leaf)));
    }
    return made.at(std::string());
}

}  // namespace plumbline::model
