// Dropout and Dropout2d.

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
        return cppModule(request, spec().type, fmt::format("torch::nn::{}Options({}){}", spec().type, cpp(request.params["p"]),
                                                           CppOptions(spec(), request).add("inplace").text()));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request, fmt::format("torch.{}{}({}, {}, {})", spec().type == "Dropout" ? "dropout" : "feature_dropout",
                                           request.params["inplace"].get<bool>() ? "_" : "", request.inputs[0], pythonFloat(request.params["p"]),
                                           trainingOf(request)));
    }
};

BlockSpec dropoutSpec(std::string type, std::string summary, std::vector<Dim> dims) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = "regularisation";
    spec.summary = std::move(summary);
    spec.parameters = {floatParameter("p", 0.5, 0, 1, "Chance of being set to zero in training"),
                       boolParameter("inplace", false, "Overwrites its input; whatever else reads that input sees the change")};
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    spec.telling = {"p"};
    spec.examples = {{Json::object(), {floats(dims)}}, {{{"p", 0.25}}, {floats(dims)}}, {{{"p", 0.1}, {"inplace", true}}, {floats(dims)}}};
    return spec;
}

}  // namespace

void registerRegularisation(graph::BlockRegistry& registry) {
    registry.add(std::make_unique<Dropout>(dropoutSpec("Dropout", "Sets single values to zero by chance while training.", {4, 5})));
    registry.add(std::make_unique<Dropout>(dropoutSpec("Dropout2d", "Sets whole channels to zero by chance while training.", {2, 3, 4, 4})));
}

}  // namespace plumbline::blocks
