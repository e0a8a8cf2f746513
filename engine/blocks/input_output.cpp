// Markers that name what goes in and out, and Identity and Detach: values pass through unchanged.

#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

class PassThrough final : public Block {
public:
    using Block::Block;
    Result<Inference> infer(const InferenceRequest& request) const override {
        return passThrough(request, *request.inputs[0]);
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        if (spec().type == "Identity") {
            return cppModule(request, "Identity", "");
        }
        return cppExpression(request, request.inputs[0] + (spec().type == "Detach" ? ".detach()" : ""));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request,
                      spec().type == "Detach" ? fmt::format("{}.detach()", request.inputs[0]) : request.inputs[0]);
    }
};

BlockSpec passThroughSpec(std::string type, std::string category, std::string summary) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = std::move(category);
    spec.summary = std::move(summary);
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    spec.examples = {{Json::object(), {floats({2, 3})}}, {Json::object(), {floats({2, 3, 4, 5})}}};
    return spec;
}

}  // namespace

void registerInputOutput(graph::BlockRegistry& registry) {
    registry.add(std::make_unique<PassThrough>(
        passThroughSpec("Input", "input", "Marks a value that comes in from outside; passes it on unchanged.")));
    registry.add(std::make_unique<PassThrough>(
        passThroughSpec("Output", "output", "Marks a value that goes out; passes it on unchanged.")));
    registry.add(
        std::make_unique<PassThrough>(passThroughSpec("Identity", "tensor", "Passes its input on unchanged.")));
    registry.add(std::make_unique<PassThrough>(passThroughSpec(
        "Detach", "tensor", "Passes values on and stops gradients: nothing upstream learns through it.")));
}

}  // namespace plumbline::blocks
