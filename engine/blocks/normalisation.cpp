// BatchNorm1d, BatchNorm2d, InstanceNorm1d, InstanceNorm2d, LayerNorm and GroupNorm.

#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

std::string orNone(bool there, const std::string& module, std::string_view state) {
    return there ? fmt::format("{}.{}", module, state) : "None";
}

/// What torch.nn's _NormBase registers.
std::vector<StateSpec> stateOf(const Json& params, std::int64_t channels) {
    std::vector<StateSpec> state;
    if (params.at("affine").get<bool>()) {
        state.push_back({"weight", {channels}});
        state.push_back({"bias", {channels}});
    }
    if (params.at("track_running_stats").get<bool>()) {
        state.push_back({"running_mean", {channels}, DType::kFloat32, true});
        state.push_back({"running_var", {channels}, DType::kFloat32, true});
        state.push_back({"num_batches_tracked", {}, DType::kInt64, true});
    }
    return state;
}

/// Of a block that gives its input's shape.
Inference inferenceOf(const InferenceRequest& request, std::int64_t channels) {
    Inference inference;
    inference.params = request.params;
    inference.params["num_features"] = channels;
    inference.state = stateOf(request.params, channels);
    inference.outputs.push_back(*request.inputs[0]);
    return inference;
}

EmittedCpp cppOf(const BlockSpec& spec, const EmitRequest& request) {
    const std::string options =
        CppOptions(spec, request).add("eps").add("momentum").add("affine").add("track_running_stats").text();
    const std::string size = cpp(request.params["num_features"]);
    return cppModule(request, spec.type,
                     options.empty() ? size : fmt::format("torch::nn::{}Options({}){}", spec.type, size, options));
}

class BatchNorm final : public Block {
public:
    BatchNorm(BlockSpec spec, std::size_t low, std::size_t high, std::string form)
        : Block(std::move(spec)), m_low(low), m_high(high), m_form(std::move(form)) {}

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        PLUMBLINE_TRY(requireFloat32(input));
        PLUMBLINE_TRY(requireRank(input, m_low, m_high, m_form));
        PLUMBLINE_ASSIGN(const std::int64_t channels,
                         inferredSize(request.params, "num_features", input.dims[1], "channels"));
        return finish(inferenceOf(request, channels));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override { return cppOf(spec(), request); }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Json& params = request.params;
        const std::string module = moduleOf(request);
        const bool affine = params["affine"].get<bool>();
        const bool tracks = params["track_running_stats"].get<bool>();
        const std::string training = trainingOf(request);
        std::string code;
        std::string momentum = params["momentum"].is_null() ? "0.0" : pythonFloat(params["momentum"]);
        if (tracks) {
            if (params["momentum"].is_null()) {  // the average over all batches so far
                momentum = request.outputs[0] + "_momentum";
                code += fmt::format("{} = 0.0\n", momentum);
            }
            code += fmt::format("if {}:\n    {}.num_batches_tracked.add_(1)\n", training, module);
            if (params["momentum"].is_null()) {
                code += fmt::format("    {} = 1.0 / float({}.num_batches_tracked)\n", momentum, module);
            }
        }
        code += fmt::format("{} = torch.batch_norm({}, {}, {}, {}, {}, {}, {}, {}, True)", request.outputs[0],
                            request.inputs[0], orNone(affine, module, "weight"), orNone(affine, module, "bias"),
                            orNone(tracks, module, "running_mean"), orNone(tracks, module, "running_var"),
                            tracks ? training : "True", momentum, pythonFloat(params["eps"]));
        return {code};
    }

private:
    std::size_t m_low;
    std::size_t m_high;
    std::string m_form;
};

BlockSpec batchNormSpec(std::string type, std::string summary) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = "normalisation";
    spec.summary = std::move(summary);
    spec.parameters = {
        inferredParameter("num_features", "Channels of the input"),
        floatParameter("eps", 1e-5, 0, std::nullopt, "Added to the variance"),
        nullable(floatParameter("momentum", 0.1, 0, 1,
                                "Weight of a new batch in the running statistics; null averages over all batches")),
        boolParameter("affine", true, "Learns a scale and an offset a channel"),
        boolParameter("track_running_stats", true, "Keeps running statistics for evaluation")};
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    return spec;
}

/// A sequence or an image a sample, each normalised by itself. Always batched: a batch taken for channels would be seen
/// by nobody.
class InstanceNorm final : public Block {
public:
    InstanceNorm(BlockSpec spec, std::size_t rank, std::string form)
        : Block(std::move(spec)), m_rank(rank), m_form(std::move(form)) {}

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        PLUMBLINE_TRY(requireFloat32(input));
        PLUMBLINE_TRY(requireRank(input, m_rank, m_rank, m_form));
        PLUMBLINE_ASSIGN(const std::int64_t channels,
                         inferredSize(request.params, "num_features", input.dims[1], "channels"));
        Dim values = 1;
        for (std::size_t i = 2; i < m_rank; ++i) {
            values = values * input.dims[i];
        }
        if (values.constant() == 1) {
            return wrong("shape-mismatch",
                         fmt::format("normalises over the values of a channel and gets a single one, [{}], from {{0}}",
                                     input.shapeText()),
                         "Use it before the size has become 1, or use LayerNorm.");
        }
        return finish(inferenceOf(request, channels));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override { return cppOf(spec(), request); }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Json& params = request.params;
        const std::string module = moduleOf(request);
        const bool affine = params["affine"].get<bool>();
        const bool tracks = params["track_running_stats"].get<bool>();
        // num_batches_tracked stays as it is, as in PyTorch.
        return script(request, fmt::format("torch.instance_norm({}, {}, {}, {}, {}, {}, {}, {}, True)",
                                           request.inputs[0], orNone(affine, module, "weight"),
                                           orNone(affine, module, "bias"), orNone(tracks, module, "running_mean"),
                                           orNone(tracks, module, "running_var"), tracks ? trainingOf(request) : "True",
                                           pythonFloat(params["momentum"]), pythonFloat(params["eps"])));
    }

private:
    std::size_t m_rank;
    std::string m_form;
};

BlockSpec instanceNormSpec(std::string type, std::string summary) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = "normalisation";
    spec.summary = std::move(summary);
    spec.parameters = {inferredParameter("num_features", "Channels of the input"),
                       floatParameter("eps", 1e-5, 0, std::nullopt, "Added to the variance"),
                       floatParameter("momentum", 0.1, 0, 1, "Weight of a new batch in the running statistics"),
                       boolParameter("affine", false, "Learns a scale and an offset a channel"),
                       boolParameter("track_running_stats", false, "Keeps running statistics for evaluation")};
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    return spec;
}

class LayerNorm final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        const bool affine = request.params["elementwise_affine"].get<bool>();
        PLUMBLINE_TRY(affine ? requireFloat32(input) : requireFloating(input));
        PLUMBLINE_TRY(requireRank(input, 1, 64, "[..., features]"));
        const Json& stated = request.params["normalized_shape"];
        const std::size_t count = stated.is_array() ? stated.size() : 1;
        if (count > input.rank()) {
            return wrong(
                "shape-mismatch",
                fmt::format("normalises over {} dimensions and gets [{}] from {{0}}", count, input.shapeText()),
                "State fewer dimensions in normalized_shape.", "normalized_shape");
        }
        std::vector<std::int64_t> dims;
        for (std::size_t i = input.rank() - count; i < input.rank(); ++i) {
            PLUMBLINE_ASSIGN(const std::int64_t size, fixedSize(input.dims[i], "features"));
            dims.push_back(size);
        }
        if (!stated.is_null() && (stated.is_array() ? stated != Json(dims) : stated != Json(dims[0]))) {
            return wrong(
                "inferred-disagrees",
                fmt::format("normalises over {} and gets [{}] from {{0}}", stated.dump(), input.shapeText()),
                fmt::format("Set normalized_shape to {}, or connect a block with that shape.", Json(dims).dump()),
                "normalized_shape");
        }
        Inference inference;
        inference.params = request.params;
        inference.params["normalized_shape"] = dims;
        if (affine) {
            inference.state.push_back({"weight", dims});
            if (request.params["bias"].get<bool>()) {
                inference.state.push_back({"bias", dims});
            }
        }
        inference.outputs.push_back(input);
        return finish(std::move(inference));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        const Json& params = request.params;
        const std::string shape = cpp(params["normalized_shape"]);
        if (params["elementwise_affine"].get<bool>() && !params["bias"].get<bool>()) {
            // LibTorch's LayerNorm has no bias option: a module that holds the weight alone.
            const std::string& registered = request.registered.empty() ? request.name : request.registered;
            return {
                fmt::format("std::shared_ptr<torch::nn::Module> {};", request.name),
                fmt::format("{0} = register_module(\"{1}\", std::make_shared<torch::nn::Module>(\"LayerNorm\"));\n"
                            "{0}->register_parameter(\"weight\", torch::ones({2}));",
                            request.name, registered, shape),
                fmt::format(
                    "torch::Tensor {} = torch::layer_norm({}, {}, {}->named_parameters(false)[\"weight\"], {{}}, {});",
                    request.outputs[0], request.inputs[0], shape, request.name, cpp(params["eps"]))};
        }
        const std::string options = CppOptions(spec(), request).add("eps").add("elementwise_affine").text();
        return cppModule(request, "LayerNorm", fmt::format("torch::nn::LayerNormOptions({}){}", shape, options));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Json& params = request.params;
        const bool affine = params["elementwise_affine"].get<bool>();
        const std::string module = moduleOf(request);
        return script(request, fmt::format("torch.layer_norm({}, {}, {}, {}, {})", request.inputs[0],
                                           python(params["normalized_shape"]), orNone(affine, module, "weight"),
                                           orNone(affine && params["bias"].get<bool>(), module, "bias"),
                                           pythonFloat(params["eps"])));
    }
};

class GroupNorm final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        const bool affine = request.params["affine"].get<bool>();
        PLUMBLINE_TRY(affine ? requireFloat32(input) : requireFloating(input));
        PLUMBLINE_TRY(requireRank(input, 2, 64, "[B, C, ...]"));
        PLUMBLINE_ASSIGN(const std::int64_t channels,
                         inferredSize(request.params, "num_channels", input.dims[1], "channels"));
        const auto groups = request.params["num_groups"].get<std::int64_t>();
        if (channels % groups != 0) {
            return wrong(
                "bad-parameter",
                fmt::format("has num_groups = {}, which does not divide the {} channels from {{0}}", groups, channels),
                fmt::format("Set num_groups to a divisor of {}.", channels), "num_groups");
        }
        Inference inference;
        inference.params = request.params;
        inference.params["num_channels"] = channels;
        if (affine) {
            inference.state = {{"weight", {channels}}, {"bias", {channels}}};
        }
        inference.outputs.push_back(input);
        return finish(std::move(inference));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        const std::string options = CppOptions(spec(), request).add("eps").add("affine").text();
        return cppModule(request, "GroupNorm",
                         fmt::format("torch::nn::GroupNormOptions({}, {}){}", cpp(request.params["num_groups"]),
                                     cpp(request.params["num_channels"]), options));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const bool affine = request.params["affine"].get<bool>();
        const std::string module = moduleOf(request);
        return script(request, fmt::format("torch.group_norm({}, {}, {}, {}, {}, True)", request.inputs[0],
                                           request.params["num_groups"].dump(), orNone(affine, module, "weight"),
                                           orNone(affine, module, "bias"), pythonFloat(request.params["eps"])));
    }
};

}  // namespace

void registerNormalisation(graph::BlockRegistry& registry) {
    BlockSpec one = batchNormSpec("BatchNorm1d", "Normalises each feature over the batch: [B, C] or [B, C, L].");
    one.examples = {{Json::object(), {floats({6, 4})}},
                    {{{"momentum", nullptr}, {"eps", 0.001}}, {floats({3, 4, 5})}},
                    {{{"affine", false}, {"track_running_stats", false}}, {floats({6, 4})}}};
    registry.add(std::make_unique<BatchNorm>(std::move(one), 2, 3, "[B, C] or [B, C, L]"));

    BlockSpec two = batchNormSpec("BatchNorm2d", "Normalises each channel over batch, height and width: [B, C, H, W].");
    two.examples = {{Json::object(), {floats({2, 3, 4, 4})}},
                    {{{"affine", false}}, {floats({2, 3, 4, 4})}},
                    {{{"track_running_stats", false}}, {floats({2, 3, 4, 4})}},
                    {{{"momentum", 0.3}, {"eps", 0.01}}, {floats({2, 3, 4, 4})}}};
    registry.add(std::make_unique<BatchNorm>(std::move(two), 4, 4, "[B, C, H, W]"));

    BlockSpec sequence =
        instanceNormSpec("InstanceNorm1d", "Normalises each channel of each sample over its length: [B, C, L].");
    sequence.examples = {{Json::object(), {floats({2, 3, 6})}},
                         {{{"affine", true}, {"track_running_stats", true}, {"momentum", 0.3}}, {floats({3, 4, 5})}}};
    registry.add(std::make_unique<InstanceNorm>(std::move(sequence), 3, "[B, C, L]"));

    BlockSpec image = instanceNormSpec("InstanceNorm2d",
                                       "Normalises each channel of each sample over height and width: [B, C, H, W].");
    image.examples = {{Json::object(), {floats({2, 3, 4, 4})}},
                      {{{"affine", true}, {"eps", 0.01}}, {floats({2, 3, 4, 5})}},
                      {{{"track_running_stats", true}}, {floats({2, 3, 4, 4})}}};
    registry.add(std::make_unique<InstanceNorm>(std::move(image), 4, "[B, C, H, W]"));

    BlockSpec layer;
    layer.type = "LayerNorm";
    layer.category = "normalisation";
    layer.summary = "Normalises each sample over its last dimensions.";
    ParameterSpec shape =
        sizeParameter("normalized_shape", nullptr, 1, "The last dimensions; the last one alone unless stated");
    shape.inferred = true;
    layer.parameters = {shape, floatParameter("eps", 1e-5, 0, std::nullopt, "Added to the variance"),
                        boolParameter("elementwise_affine", true, "Learns a scale and an offset an element"),
                        boolParameter("bias", true, "Learns the offset too")};
    layer.inputs = oneInput();
    layer.outputs = oneOutput();
    layer.telling = {"normalized_shape"};
    layer.examples = {{Json::object(), {floats({2, 4, 6})}},
                      {{{"normalized_shape", {4, 6}}, {"elementwise_affine", false}}, {floats({2, 4, 6})}},
                      {{{"bias", false}, {"eps", 0.001}}, {floats({2, 6})}}};
    registry.add(std::make_unique<LayerNorm>(std::move(layer)));

    BlockSpec group;
    group.type = "GroupNorm";
    group.category = "normalisation";
    group.summary = "Normalises each sample over groups of channels.";
    group.parameters = {intParameter("num_groups", nullptr, 1, "Number of groups; divides the channels"),
                        inferredParameter("num_channels", "Channels of the input"),
                        floatParameter("eps", 1e-5, 0, std::nullopt, "Added to the variance"),
                        boolParameter("affine", true, "Learns a scale and an offset a channel")};
    group.inputs = oneInput();
    group.outputs = oneOutput();
    group.telling = {"num_groups"};
    group.examples = {{{{"num_groups", 2}}, {floats({2, 6, 3, 3})}},
                      {{{"num_groups", 6}, {"affine", false}, {"eps", 0.001}}, {floats({2, 6, 3, 3})}},
                      {{{"num_groups", 1}}, {floats({2, 6})}}};
    registry.add(std::make_unique<GroupNorm>(std::move(group)));
}

}  // namespace plumbline::blocks
