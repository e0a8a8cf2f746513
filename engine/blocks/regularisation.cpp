// Dropout, Dropout2d and DropPath.

#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

class Dropout final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        PLUMBLINE_TRY(requireFloating(*request.inputs[0]));
        if (spec().type == "Dropout2d") {
            PLUMBLINE_TRY(requireRank(*request.inputs[0], 3, 4, "[B, C, H, W] or [C, H, W]"));
        }
        return passThrough(request, *request.inputs[0]);
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        return cppModule(request, spec().type,
                         fmt::format("torch::nn::{}Options({}){}", spec().type, cpp(request.params["p"]),
                                     CppOptions(spec(), request).add("inplace").text()));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request,
                      fmt::format("torch.{}{}({}, {}, {})", spec().type == "Dropout" ? "dropout" : "feature_dropout",
                                  request.params["inplace"].get<bool>() ? "_" : "", request.inputs[0],
                                  pythonFloat(request.params["p"]), trainingOf(request)));
    }
};

/// Stochastic depth (Huang et al. 2016) as torchvision.ops.stochastic_depth with mode "row": a mask of one value a
/// sample, which dropout makes out of ones.
class DropPath final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        PLUMBLINE_TRY(requireFloating(*request.inputs[0]));
        PLUMBLINE_TRY(requireRank(*request.inputs[0], 1, kMaxRank, "[B, …]"));
        return passThrough(request, *request.inputs[0]);
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        EmittedCpp code =
            cppModule(request, "Dropout", fmt::format("torch::nn::DropoutOptions({})", cpp(request.params["p"])));
        code.forward = fmt::format("torch::Tensor {0} = {1} * {2}->forward({1}.new_ones({{{1}.size(0){3}}}));",
                                   request.outputs[0], request.inputs[0], request.name, ones(request));
        return code;
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request,
                      fmt::format("{0} * torch.dropout({0}.new_ones([{0}.size(0){1}]), {2}, {3})", request.inputs[0],
                                  ones(request), pythonFloat(request.params["p"]), trainingOf(request)));
    }

private:
    static constexpr std::size_t kMaxRank = 8;
    /// ", 1" for each dimension after the first.
    static std::string ones(const EmitRequest& request) {
        std::string text;
        for (std::size_t dim = 1; dim < request.inputTypes[0].rank(); ++dim) {
            text += ", 1";
        }
        return text;
    }
};

BlockSpec dropPathSpec() {
    BlockSpec spec;
    spec.type = "DropPath";
    spec.category = "regularisation";
    spec.summary =
        "Sets whole samples to zero by chance while training: stochastic depth, in front of the Add of a residual "
        "branch.";
    spec.parameters = {floatParameter("p", 0.1, 0, 1, "Chance of a sample being set to zero in training")};
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    spec.telling = {"p"};
    spec.examples = {{Json::object(), {floats({4, 5})}},
                     {{{"p", 0.5}}, {floats({6, 3, 4, 4})}},
                     {{{"p", 1.0}}, {floats({4, 2, 3})}}};
    return spec;
}

BlockSpec dropoutSpec(std::string type, std::string summary, std::vector<Dim> dims) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = "regularisation";
    spec.summary = std::move(summary);
    spec.parameters = {
        floatParameter("p", 0.5, 0, 1, "Chance of being set to zero in training"),
        boolParameter("inplace", false, "Overwrites its input; whatever else reads that input sees the change")};
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    spec.telling = {"p"};
    spec.examples = {{Json::object(), {floats(dims)}},
                     {{{"p", 0.25}}, {floats(dims)}},
                     {{{"p", 0.1}, {"inplace", true}}, {floats(dims)}}};
    return spec;
}

}  // namespace

void registerRegularisation(graph::BlockRegistry& registry) {
    registry.add(std::make_unique<Dropout>(
        dropoutSpec("Dropout", "Sets single values to zero by chance while training.", {4, 5})));
    registry.add(std::make_unique<Dropout>(
        dropoutSpec("Dropout2d", "Sets whole channels to zero by chance while training.", {2, 3, 4, 4})));
    registry.add(std::make_unique<DropPath>(dropPathSpec()));
}

}  // namespace plumbline::blocks
