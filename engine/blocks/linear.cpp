// Linear: y = x Wᵀ + b over the last dimension.

#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

BlockSpec linearSpec() {
    BlockSpec spec;
    spec.type = "Linear";
    spec.category = "linear";
    spec.summary = "Weighted sums of the last dimension: y = x W^T + b.";
    spec.parameters = {inferredParameter("in_features", "Size of the input's last dimension"),
                       intParameter("out_features", nullptr, 1, "Size of the output's last dimension"),
                       boolParameter("bias", true, "Adds a learned offset")};
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    spec.telling = {"out_features"};
    spec.examples = {{{{"out_features", 3}}, {floats({2, 7})}},
                     {{{"out_features", 3}, {"bias", false}}, {floats({2, 5, 7})}},
                     {{{"in_features", 4}, {"out_features", 1}}, {floats({4})}}};
    return spec;
}

class Linear final : public Block {
public:
    Linear() : Block(linearSpec()) {}

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        PLUMBLINE_TRY(requireFloat32(input));
        PLUMBLINE_TRY(requireRank(input, 1, 64, "[..., features]"));
        PLUMBLINE_ASSIGN(const std::int64_t features,
                         inferredSize(request.params, "in_features", input.dims.back(), "features"));
        const auto out = request.params["out_features"].get<std::int64_t>();
        Inference inference;
        inference.params = request.params;
        inference.params["in_features"] = features;
        TensorType output = input;
        output.dims.back() = out;
        inference.state.push_back({"weight", {out, features}});
        if (request.params["bias"].get<bool>()) {
            inference.state.push_back({"bias", {out}});
        }
        inference.cost.macs = output.elementCount() * Dim(features);
        inference.outputs.push_back(std::move(output));
        return finish(std::move(inference));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        const std::string sizes =
            fmt::format("{}, {}", cpp(request.params["in_features"]), cpp(request.params["out_features"]));
        const std::string options = CppOptions(spec(), request).add("bias").text();
        return cppModule(request, "Linear",
                         options.empty() ? sizes : fmt::format("torch::nn::LinearOptions({}){}", sizes, options));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const std::string module = moduleOf(request);
        const std::string bias = request.params["bias"].get<bool>() ? module + ".bias" : "None";
        return script(request, fmt::format("torch.linear({}, {}.weight, {})", request.inputs[0], module, bias));
    }
};

}  // namespace

void registerLinear(graph::BlockRegistry& registry) {
    registry.add(std::make_unique<Linear>());
}

}  // namespace plumbline::blocks
