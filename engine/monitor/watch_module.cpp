#include <torch/nn/module.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/rnn.h>

#include <algorithm>
#include <map>

#include "monitor/watch.h"

namespace plumbline::monitor {

namespace {

class ModuleModes final : public ModeSource {
public:
    explicit ModuleModes(std::vector<std::shared_ptr<torch::nn::Module>> modules) : m_modules(std::move(modules)) {}
    bool isTraining(std::size_t block) const override { return m_modules[block]->is_training(); }

private:
    std::vector<std::shared_ptr<torch::nn::Module>> m_modules;
};

/// "torch::nn::BatchNorm2dImpl" → "BatchNorm2d"
std::string typeOf(const torch::nn::Module& module) {
    std::string name = module.name();
    if (const std::size_t colon = name.rfind("::"); colon != std::string::npos) {
        name = name.substr(colon + 2);
    }
    return name.ends_with("Impl") ? name.substr(0, name.size() - 4) : name;
}

/// Types of LibTorch that hold no tensor and yet know two modes.
bool hasModes(const std::string& type) {
    return type.find("Dropout") != std::string::npos || type == "RReLU";
}

template <typename Recurrent>
bool dropsBetweenLayers(const torch::nn::Module& module) {
    const auto* recurrent = dynamic_cast<const Recurrent*>(&module);
    return recurrent != nullptr && recurrent->options_base.dropout() > 0 && recurrent->options_base.num_layers() > 1;
}

/// Types of LibTorch that have dropout without a module of its own.
bool dropsInside(const torch::nn::Module& module) {
    const auto* attention = dynamic_cast<const torch::nn::MultiheadAttentionImpl*>(&module);
    return (attention != nullptr && attention->options.dropout() > 0) ||
           dropsBetweenLayers<torch::nn::LSTMImpl>(module) || dropsBetweenLayers<torch::nn::GRUImpl>(module) ||
           dropsBetweenLayers<torch::nn::RNNImpl>(module);
}

}  // namespace

Watch watchModule(const std::shared_ptr<torch::nn::Module>& module) {
    Watch watch;
    std::vector<std::shared_ptr<torch::nn::Module>> modules;
    const auto all = module->named_modules("", /*include_self=*/true);
    for (const auto& item : all) {
        const std::shared_ptr<torch::nn::Module>& one = item.value();
        const auto parameters = one->named_parameters(/*recurse=*/false);
        const auto buffers = one->named_buffers(/*recurse=*/false);
        const std::string type = typeOf(*one);
        if (parameters.is_empty() && buffers.is_empty() && !hasModes(type)) {
            continue;
        }
        const int block = static_cast<int>(watch.facts.blocks.size());
        diagnostics::RunFacts::Block facts;
        facts.path = item.key();
        facts.type = type;
        facts.takesIndices = type.starts_with("Embedding");
        facts.isBatchNorm = buffers.contains("running_mean");
        facts.dropsInside = dropsInside(*one);
        facts.frozen = !parameters.is_empty() &&
                       std::none_of(parameters.begin(), parameters.end(),
                                    [](const auto& parameter) { return parameter.value().requires_grad(); });
        if (facts.isBatchNorm) {
            WatchedNorm norm;
            norm.block = block;
            norm.runningMean = buffers["running_mean"];
            norm.runningVar = buffers.contains("running_var") ? buffers["running_var"] : at::Tensor();
            norm.batchesTracked =
                buffers.contains("num_batches_tracked") ? buffers["num_batches_tracked"] : at::Tensor();
            watch.norms.push_back(std::move(norm));
        }
        for (const auto& parameter : parameters) {
            diagnostics::RunFacts::Parameter known;
            known.name = facts.path.empty() ? parameter.key() : facts.path + '.' + parameter.key();
            known.block = facts.path;
            known.elements = parameter.value().numel();
            known.frozen = !parameter.value().requires_grad();
            known.sparseRows = facts.takesIndices;
            watch.facts.parameters.push_back(std::move(known));
            watch.parameters.push_back(parameter.value());
            watch.parameterBlocks.push_back(block);
        }
        watch.facts.blocks.push_back(std::move(facts));
        modules.push_back(one);
    }
    watch.modes = std::make_unique<ModuleModes>(std::move(modules));
    return watch;
}

}  // namespace plumbline::monitor
