// MultiheadAttention, and what it shares with the transformer's layers.

#include "blocks/attention.h"

namespace plumbline::blocks {

void addAttentionState(const Attention& attention, const std::string& prefix, std::vector<StateSpec>& state) {
    const std::int64_t embed = attention.embed;
    if (attention.samePacked()) {
        state.push_back({prefix + "in_proj_weight", {3 * embed, embed}});
    } else {
        state.push_back({prefix + "q_proj_weight", {embed, embed}});
        state.push_back({prefix + "k_proj_weight", {embed, attention.kdim}});
        state.push_back({prefix + "v_proj_weight", {embed, attention.vdim}});
    }
    if (attention.bias) {
        state.push_back({prefix + "in_proj_bias", {3 * embed}});
    }
    if (attention.addBiasKv) {
        state.push_back({prefix + "bias_k", {1, 1, embed}});
        state.push_back({prefix + "bias_v", {1, 1, embed}});
    }
    state.push_back({prefix + "out_proj.weight", {embed, embed}});
    if (attention.bias) {
        state.push_back({prefix + "out_proj.bias", {embed}});
    }
}

Dim attentionMacs(const Attention& attention, const Dim& batch, const Dim& queries, const Dim& keys) {
    const Dim embed(attention.embed);
    const Dim projections = queries * embed * Dim(2) + keys * Dim(attention.kdim + attention.vdim);
    const Dim products = queries * (keys + Dim(attention.extraKeys())) * Dim(2);
    return batch * embed * (projections + products);
}

Status requireHeads(std::int64_t features, std::int64_t heads, std::string_view featuresName,
                    std::string_view headsName) {
    if (features % heads != 0) {
        return wrong("bad-parameter",
                     fmt::format("has {} = {}, which does not divide {} {}", headsName, heads, featuresName, features),
                     fmt::format("Set {} to a divisor of {}.", headsName, features), std::string(headsName));
    }
    return {};
}

std::string_view sequenceForm(bool batchFirst) {
    return batchFirst ? "[B, T, features]" : "[T, B, features] (batch_first is false)";
}

Error aboutPort(Error error, std::size_t port) {
    if (const std::size_t at = error.message.find("{0}"); at != std::string::npos) {
        error.message.replace(at, 3, fmt::format("{{{}}}", port));
    }
    return error;
}

Status requireSameSize(const InferenceRequest& request, std::size_t one, std::size_t other, std::size_t dim,
                       std::string_view what) {
    const TensorType& first = *request.inputs[one];
    const TensorType& second = *request.inputs[other];
    const auto sizes = std::array{first.dims[dim].constant(), second.dims[dim].constant()};
    if (!sizes[0] || !sizes[1] || *sizes[0] == *sizes[1]) {
        return {};
    }
    return wrong("shape-mismatch",
                 fmt::format("gets different {}: [{}] from {{{}}} and [{}] from {{{}}}", what, first.shapeText(), one,
                             second.shapeText(), other),
                 "Connect sequences that belong together, and check batch_first.");
}

std::string scriptDropout(const EmitRequest& request) {
    return request.params.at("dropout") == 0.0
               ? "0.0"
               : fmt::format("({} if {} else 0.0)", pythonFloat(request.params.at("dropout")), trainingOf(request));
}

namespace {

BlockSpec multiheadAttentionSpec() {
    BlockSpec spec;
    spec.type = "MultiheadAttention";
    spec.category = "attention";
    spec.summary = "Each query takes in the values whose keys answer it, in several heads.";
    spec.parameters = {inferredParameter("embed_dim", "Size of the queries and of the output"),
                       intParameter("num_heads", nullptr, 1, "Number of heads; divides embed_dim"),
                       floatParameter("dropout", 0.0, 0, 1, "Dropout of the attention weights while training"),
                       boolParameter("bias", true, "Adds learned offsets"),
                       boolParameter("add_bias_kv", false, "Adds a learned key and value that every query sees"),
                       boolParameter("add_zero_attn", false, "Adds a key and value of zeros that every query sees"),
                       inferredParameter("kdim", "Size of the keys"),
                       inferredParameter("vdim", "Size of the values"),
                       boolParameter("batch_first", false,
                                     "The input is [B, T, features]. PyTorch's default is false: [T, B, features]"),
                       boolParameter("is_causal", false, "A position sees itself and earlier ones only")};
    spec.inputs = {{"query", false, false, "What asks"},
                   {"key", true, false, "What is compared with the query; the query when left out"},
                   {"value", true, false, "What is taken in; the key when left out"}};
    spec.outputs = oneOutput();
    spec.telling = {"num_heads"};
    spec.examples = {
        {{{"num_heads", 2}}, {floats({5, 2, 8})}},
        {{{"num_heads", 4}, {"batch_first", true}, {"is_causal", true}, {"dropout", 0.2}}, {floats({2, 5, 8})}},
        {{{"num_heads", 2}, {"batch_first", true}, {"bias", false}}, {floats({2, 3, 8}), floats({2, 5, 8})}},
        {{{"num_heads", 2}, {"batch_first", true}}, {floats({2, 3, 8}), floats({2, 5, 6}), floats({2, 5, 4})}},
        {{{"num_heads", 4}, {"add_bias_kv", true}, {"add_zero_attn", true}, {"is_causal", true}},
         {floats({4, 2, 8}), floats({5, 2, 8}), floats({5, 2, 8})}}};
    return spec;
}

Attention attentionOf(const Json& params) {
    Attention attention;
    attention.heads = params.at("num_heads").get<std::int64_t>();
    attention.bias = params.at("bias").get<bool>();
    attention.addBiasKv = params.at("add_bias_kv").get<bool>();
    attention.addZeroAttention = params.at("add_zero_attn").get<bool>();
    attention.batchFirst = params.at("batch_first").get<bool>();
    attention.causal = params.at("is_causal").get<bool>();
    return attention;
}

/// Of a request whose sizes are resolved.
Attention resolvedAttention(const Json& params) {
    Attention attention = attentionOf(params);
    attention.embed = params.at("embed_dim").get<std::int64_t>();
    attention.kdim = params.at("kdim").get<std::int64_t>();
    attention.vdim = params.at("vdim").get<std::int64_t>();
    return attention;
}

class MultiheadAttention final : public Block {
public:
    MultiheadAttention() : Block(multiheadAttentionSpec()) {}

    Result<Inference> infer(const InferenceRequest& request) const override {
        Attention attention = attentionOf(request.params);
        std::array<std::size_t, 3> ports{0, 0, 0};  // where query, key and value come from
        for (std::size_t i = 1; i < 3; ++i) {
            ports[i] = i < request.inputs.size() && request.inputs[i] ? i : ports[i - 1];
        }
        const std::array<const char*, 3> names{"embed_dim", "kdim", "vdim"};
        std::array<std::int64_t, 3> features{};
        for (std::size_t i = 0; i < 3; ++i) {
            const TensorType& input = *request.inputs[ports[i]];
            Status fits = requireFloat32(input);
            if (fits) {
                fits = requireRank(input, 3, 3, sequenceForm(attention.batchFirst));
            }
            if (!fits) {
                return fail(aboutPort(std::move(fits).error(), ports[i]));
            }
            auto size = inferredSize(request.params, names[i], input.dims[2], "features");
            if (!size) {
                return fail(aboutPort(std::move(size).error(), ports[i]));
            }
            features[i] = *size;
        }
        attention.embed = features[0];
        attention.kdim = features[1];
        attention.vdim = features[2];
        PLUMBLINE_TRY(requireHeads(attention.embed, attention.heads, "embed_dim", "num_heads"));
        const TensorType& query = *request.inputs[0];
        const std::size_t batchDim = attention.batchFirst ? 0 : 1;
        const std::size_t timeDim = 1 - batchDim;
        PLUMBLINE_TRY(requireSameSize(request, 0, ports[1], batchDim, "batches"));
        PLUMBLINE_TRY(requireSameSize(request, ports[1], ports[2], batchDim, "batches"));
        PLUMBLINE_TRY(requireSameSize(request, ports[1], ports[2], timeDim, "lengths"));

        Inference inference;
        inference.params = request.params;
        for (std::size_t i = 0; i < 3; ++i) {
            inference.params[names[i]] = features[i];
        }
        addAttentionState(attention, "", inference.state);
        inference.cost.macs = attentionMacs(attention, query.dims[batchDim], query.dims[timeDim],
                                            request.inputs[ports[1]]->dims[timeDim]);
        inference.outputs.push_back(query);
        return finish(std::move(inference));
    }

    EmittedCpp emitCpp(const EmitRequest& request) const override {
        const Json& params = request.params;
        CppOptions options(spec(), request);
        options.add("dropout").add("bias").add("add_bias_kv").add("add_zero_attn");
        std::string text = options.text();
        // The sizes of keys and values follow embed_dim in LibTorch too.
        if (const Attention attention = resolvedAttention(params); request.complete || !attention.samePacked()) {
            text += fmt::format(".kdim({}).vdim({})", attention.kdim, attention.vdim);
        }
        const std::string sizes = fmt::format("{}, {}", cpp(params["embed_dim"]), cpp(params["num_heads"]));
        EmittedCpp code =
            cppModule(request, "MultiheadAttention",
                      text.empty() ? sizes : fmt::format("torch::nn::MultiheadAttentionOptions({}){}", sizes, text));
        AttentionNames names = namesOf(request, request.name);
        if (params["dropout"] != 0.0 || request.complete) {
            names.dropout =
                fmt::format("{}->is_training() ? {} : 0.0", request.name, cpp(Json(params["dropout"].get<double>())));
        }
        code.forward = cppAttention(resolvedAttention(params), names);
        return code;
    }

    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        AttentionNames names = namesOf(request, moduleOf(request));
        names.dropout = scriptDropout(request);
        return {scriptAttention(resolvedAttention(request.params), names)};
    }

private:
    static AttentionNames namesOf(const EmitRequest& request, const std::string& module) {
        AttentionNames names;
        const auto given = [&](std::size_t port) {
            return port < request.inputs.size() && !request.inputs[port].empty();
        };
        names.query = request.inputs[0];
        names.key = given(1) ? request.inputs[1] : names.query;
        names.value = given(2) ? request.inputs[2] : names.key;
        names.output = request.outputs[0];
        names.module = module;
        names.heads = request.params["num_heads"].dump();
        names.dropout = "0.0";
        return names;
    }
};

}  // namespace

void registerAttention(graph::BlockRegistry& registry) {
    registry.add(std::make_unique<MultiheadAttention>());
    addTransformerLayers(registry);
    addPositions(registry);
}

}  // namespace plumbline::blocks
