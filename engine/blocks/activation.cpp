// Element-wise functions and softmax: shape and, except where noted, dtype stay.

#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

/// What an activation's emitters need beside its parameters.
struct Activation {
    std::string (*cppArguments)(const BlockSpec& spec, const EmitRequest& request);
    std::string (*script)(const std::string& input, const Json& params);
    bool takesIntegers = false;
    bool promotes = false;  ///< integers become float32
};

bool inPlace(const Json& params) {
    return params.contains("inplace") && params.at("inplace").get<bool>();
}

class ActivationBlock final : public Block {
public:
    ActivationBlock(BlockSpec spec, Activation activation) : Block(std::move(spec)), m_activation(activation) {}

    Result<Inference> infer(const InferenceRequest& request) const override {
        TensorType output = *request.inputs[0];
        if (m_activation.promotes && !isFloatingPoint(output.dtype)) {
            output.dtype = DType::kFloat32;
        }
        if (!m_activation.takesIntegers) {
            PLUMBLINE_TRY(requireFloating(output));
        } else if (output.dtype == DType::kBool) {
            return wrong("dtype-mismatch", "expects numbers and gets bool from {0}",
                         "Insert a ToDtype block with dtype float32.", "float32");
        }
        if (request.params.contains("dim")) {
            PLUMBLINE_TRY(dimIndex(request.params["dim"].get<std::int64_t>(), output.rank(), "dim"));
        }
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        if (spec().type == "SiLU" && inPlace(request.params)) {  // LibTorch's SiLU module has no inplace
            return cppExpression(request, fmt::format("torch::silu_({})", request.inputs[0]));
        }
        return cppModule(request, spec().type, m_activation.cppArguments(spec(), request));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request, m_activation.script(request.inputs[0], request.params));
    }

private:
    Activation m_activation;
};

BlockSpec activationSpec(std::string type, std::string summary, std::vector<ParameterSpec> parameters) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = "activation";
    spec.summary = std::move(summary);
    spec.parameters = std::move(parameters);
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    spec.examples = {{Json::object(), {floats({2, 5})}}, {Json::object(), {floats({2, 3, 4, 4})}}};
    return spec;
}

ParameterSpec inplaceParameter() {
    return boolParameter("inplace", false, "Overwrites its input; whatever else reads that input sees the change");
}

std::string noArguments(const BlockSpec& /*spec*/, const EmitRequest& /*request*/) {
    return {};
}

/// "torch::nn::ReLUOptions().inplace(true)", or nothing when nothing is to be said.
std::string cppArguments(std::string_view type, const CppOptions& options) {
    return options.text().empty() ? std::string() : fmt::format("torch::nn::{}Options(){}", type, options.text());
}

void registerRectifiers(graph::BlockRegistry& registry) {
    BlockSpec relu = activationSpec("ReLU", "max(0, x).", {inplaceParameter()});
    relu.examples.push_back({{{"inplace", true}}, {floats({2, 5})}});
    registry.add(std::make_unique<ActivationBlock>(
        std::move(relu), Activation{[](const BlockSpec& spec, const EmitRequest& request) {
                                        return cppArguments("ReLU", CppOptions(spec, request).add("inplace"));
                                    },
                                    [](const std::string& input, const Json& params) {
                                        return fmt::format("torch.relu{}({})", inPlace(params) ? "_" : "", input);
                                    },
                                    true}));

    BlockSpec leaky = activationSpec(
        "LeakyReLU", "x above zero, negative_slope * x below.",
        {floatParameter("negative_slope", 0.01, std::nullopt, std::nullopt, "Slope below zero"), inplaceParameter()});
    leaky.telling = {"negative_slope"};
    leaky.examples.push_back({{{"negative_slope", 0.2}}, {floats({2, 5})}});
    leaky.examples.push_back({{{"negative_slope", 0.2}, {"inplace", true}}, {floats({2, 5})}});
    registry.add(std::make_unique<ActivationBlock>(
        std::move(leaky),
        Activation{[](const BlockSpec& spec, const EmitRequest& request) {
                       return cppArguments("LeakyReLU", CppOptions(spec, request).add("negative_slope").add("inplace"));
                   },
                   [](const std::string& input, const Json& params) {
                       return fmt::format("torch.leaky_relu{}({}, {})", inPlace(params) ? "_" : "", input,
                                          pythonFloat(params.at("negative_slope")));
                   }}));
}

void registerSmooth(graph::BlockRegistry& registry) {
    BlockSpec gelu =
        activationSpec("GELU", "x times the normal distribution's share below x.",
                       {choiceParameter("approximate", "none", {"none", "tanh"}, "Exact, or the formula with tanh")});
    gelu.examples.push_back({{{"approximate", "tanh"}}, {floats({2, 5})}});
    registry.add(std::make_unique<ActivationBlock>(
        std::move(gelu), Activation{[](const BlockSpec& spec, const EmitRequest& request) {
                                        return cppArguments("GELU", CppOptions(spec, request).add("approximate"));
                                    },
                                    [](const std::string& input, const Json& params) {
                                        return fmt::format("torch.gelu({}, approximate={})", input,
                                                           params.at("approximate").dump());
                                    }}));

    BlockSpec silu = activationSpec("SiLU", "x times sigmoid(x).", {inplaceParameter()});
    silu.examples.push_back({{{"inplace", true}}, {floats({2, 5})}});
    registry.add(std::make_unique<ActivationBlock>(
        std::move(silu), Activation{noArguments, [](const std::string& input, const Json& params) {
                                        return fmt::format("torch.silu{}({})", inPlace(params) ? "_" : "", input);
                                    }}));
    registry.add(std::make_unique<ActivationBlock>(
        activationSpec("Sigmoid", "1 / (1 + exp(-x)): any number to between 0 and 1.", {}),
        Activation{noArguments,
                   [](const std::string& input, const Json&) { return fmt::format("torch.sigmoid({})", input); }, false,
                   true}));
    registry.add(std::make_unique<ActivationBlock>(
        activationSpec("Tanh", "Hyperbolic tangent: any number to between -1 and 1.", {}),
        Activation{noArguments,
                   [](const std::string& input, const Json&) { return fmt::format("torch.tanh({})", input); }, false,
                   true}));
}

void registerSoftmax(graph::BlockRegistry& registry) {
    for (const auto& [type, summary] : {std::pair{"Softmax", "Turns scores along dim into shares that add up to 1."},
                                        std::pair{"LogSoftmax", "Logarithm of the softmax along dim."}}) {
        BlockSpec spec = activationSpec(
            type, summary,
            {intParameter("dim", -1, std::nullopt,
                          "Dimension that is normalised (PyTorch's default of None guesses and is deprecated)")});
        spec.telling = {"dim"};
        spec.examples.push_back({{{"dim", 1}}, {floats({2, 3, 4})}});
        registry.add(std::make_unique<ActivationBlock>(
            std::move(spec),
            Activation{
                [](const BlockSpec& own, const EmitRequest& request) {
                    return fmt::format("torch::nn::{}Options({})", own.type, request.params.at("dim").dump());
                },
                std::string_view(type) == "Softmax"
                    ? [](const std::string& input,
                         const Json&
                             params) { return fmt::format("torch.softmax({}, {})", input, params.at("dim").dump()); }
                    : [](const std::string& input,
                         const Json&
                             params) { return fmt::format("torch.log_softmax({}, {})", input, params.at("dim").dump()); }}));
    }
}

}  // namespace

void registerActivation(graph::BlockRegistry& registry) {
    registerRectifiers(registry);
    registerSmooth(registry);
    registerSoftmax(registry);
}

}  // namespace plumbline::blocks
