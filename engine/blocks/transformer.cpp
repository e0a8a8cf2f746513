// TransformerEncoderLayer and TransformerDecoderLayer (Vaswani et al., Attention Is All You Need, 2017), as torch.nn
// has them.

#include <functional>

#include "blocks/attention.h"

namespace plumbline::blocks {
namespace {

struct Layer {
    std::int64_t model = 0, heads = 1, feedforward = 1;
    bool bias = true, batchFirst = false, normFirst = false, causal = false, decoder = false;

    int norms() const { return decoder ? 3 : 2; }
    Attention attention(bool isCausal) const {
        Attention attention;
        attention.embed = attention.kdim = attention.vdim = model;
        attention.heads = heads;
        attention.bias = bias;
        attention.batchFirst = batchFirst;
        attention.causal = isCausal;
        return attention;
    }
};

Layer layerOf(const Json& params, bool decoder) {
    Layer layer;
    layer.heads = params.at("nhead").get<std::int64_t>();
    layer.feedforward = params.at("dim_feedforward").get<std::int64_t>();
    layer.bias = params.at("bias").get<bool>();
    layer.batchFirst = params.at("batch_first").get<bool>();
    layer.normFirst = params.at("norm_first").get<bool>();
    layer.causal = params.at(decoder ? "tgt_is_causal" : "is_causal").get<bool>();
    layer.decoder = decoder;
    if (!params.at("d_model").is_null()) {
        layer.model = params.at("d_model").get<std::int64_t>();
    }
    return layer;
}

std::vector<StateSpec> stateOf(const Layer& layer) {
    std::vector<StateSpec> state;
    const auto add = [&](const std::string& module, std::vector<std::int64_t> weight) {
        const std::int64_t rows = weight[0];
        state.push_back({module + ".weight", std::move(weight)});
        if (layer.bias) {
            state.push_back({module + ".bias", {rows}});
        }
    };
    addAttentionState(layer.attention(false), "self_attn.", state);
    if (layer.decoder) {
        addAttentionState(layer.attention(false), "multihead_attn.", state);
    }
    add("linear1", {layer.feedforward, layer.model});
    add("linear2", {layer.model, layer.feedforward});
    for (int i = 1; i <= layer.norms(); ++i) {
        add(fmt::format("norm{}", i), {layer.model});
    }
    return state;
}

/// How a language writes the parts of a layer.
struct LayerWords {
    std::string define, end;  ///< before a variable that is new, after a statement
    std::function<std::string(int, const std::string&)> norm, linear;
    std::function<std::string(const std::string&)> activation, dropout;
    /// Statements that define `output`.
    std::function<std::string(const std::string& module, const std::string& query, const std::string& keys, bool causal,
                              const std::string& output)>
        attention;
};

/// The layer over the variable `x`, which holds the result afterwards; names of other variables begin with `prefix`.
std::string layerCode(const Layer& layer, const LayerWords& words, const std::string& x, const std::string& memory,
                      const std::string& prefix) {
    std::string code;
    const auto define = [&](const std::string& name, const std::string& expression) {
        code += words.define + name + " = " + expression + words.end;
    };
    const auto attend = [&](const std::string& module, int norm, const std::string& keys, bool causal,
                            const std::string& name) {
        std::string query = x;
        if (layer.normFirst) {
            query = prefix + name + "_input";
            define(query, words.norm(norm, x));
        }
        const std::string output = prefix + name;
        code += words.attention(module, query, keys.empty() ? query : keys, causal, output) + "\n";
        const std::string sum = fmt::format("{} + {}", x, words.dropout(output));
        code += x + " = " + (layer.normFirst ? sum : words.norm(norm, sum)) + words.end;
    };
    attend("self_attn", 1, "", layer.causal, "attended");
    if (layer.decoder) {
        attend("multihead_attn", 2, memory, false, "recalled");
    }
    const std::string input = layer.normFirst ? words.norm(layer.norms(), x) : x;
    const std::string wide = words.dropout(words.activation(words.linear(1, input)));
    const std::string sum = fmt::format("{} + {}", x, words.dropout(words.linear(2, wide)));
    code += x + " = " + (layer.normFirst ? sum : words.norm(layer.norms(), sum)) + words.end;
    return code;
}

/// How far the members of a struct stand in; whoever writes it puts that before the first line.
constexpr std::string_view kMemberIndent = "    ";

std::string indented(const std::string& code, std::string_view by) {
    std::string text;
    for (std::size_t start = 0; start < code.size();) {
        const std::size_t end = std::min(code.find('\n', start), code.size());
        text += end > start ? std::string(by) + code.substr(start, end - start) + "\n" : "\n";
        start = end + 1;
    }
    return text;
}

/// A struct that holds the layer's modules. All that is a number comes in through the constructor, so that the text is
/// the same for layers of other sizes. No block can be called "…Impl".
std::string cppStruct(const std::string& name, const Layer& layer, const std::string& activation) {
    const std::string bias = layer.bias ? "" : ".bias(false)";
    std::string members = "torch::nn::MultiheadAttention self_attn{nullptr};\n";
    std::string construct;
    const auto addModule = [&](const std::string& member, const std::string& module) {
        construct += fmt::format("{0} = register_module(\"{0}\", torch::nn::{1});\n", member, module);
    };
    const std::string attention =
        fmt::format("MultiheadAttention(torch::nn::MultiheadAttentionOptions(d_model, nhead){})", bias);
    addModule("self_attn", attention);
    if (layer.decoder) {
        members += "torch::nn::MultiheadAttention multihead_attn{nullptr};\n";
        addModule("multihead_attn", attention);
    }
    members += "torch::nn::Linear linear1{nullptr}, linear2{nullptr};\n";
    addModule("linear1", fmt::format("Linear(torch::nn::LinearOptions(d_model, dim_feedforward){})", bias));
    addModule("linear2", fmt::format("Linear(torch::nn::LinearOptions(dim_feedforward, d_model){})", bias));
    std::string norms;
    for (int i = 1; i <= layer.norms(); ++i) {
        const std::string norm = fmt::format("norm{}", i);
        if (layer.bias) {
            norms += fmt::format("{}{}{{nullptr}}", norms.empty() ? "torch::nn::LayerNorm " : ", ", norm);
            addModule(norm, "LayerNorm(torch::nn::LayerNormOptions({d_model}).eps(eps))");
        } else {  // LibTorch's LayerNorm has no bias option: a module that holds the weight alone
            norms += fmt::format("{}{}_weight", norms.empty() ? "torch::Tensor " : ", ", norm);
            construct += fmt::format(
                "{0}_weight = register_module(\"{0}\", std::make_shared<torch::nn::Module>(\"LayerNorm\"))"
                "->register_parameter(\"weight\", torch::ones({{d_model}}));\n",
                norm);
        }
    }
    members += norms + ";\nint64_t nhead_;\ndouble dropout_, eps_;\n";

    LayerWords words;
    words.define = "const auto ";
    words.end = ";\n";
    words.norm = [&](int index, const std::string& x) {
        return layer.bias ? fmt::format("norm{}->forward({})", index, x)
                          : fmt::format("torch::layer_norm({}, {{x.size(-1)}}, norm{}_weight, {{}}, eps_)", x, index);
    };
    // Not the module's forward(), which adds the bias in a step of its own and so rounds otherwise.
    words.linear = [&](int index, const std::string& x) {
        return layer.bias ? fmt::format("torch::linear({0}, linear{1}->weight, linear{1}->bias)", x, index)
                          : fmt::format("torch::linear({}, linear{}->weight)", x, index);
    };
    words.activation = [&](const std::string& x) { return fmt::format("torch::{}({})", activation, x); };
    words.dropout = [](const std::string& x) { return fmt::format("torch::dropout({}, dropout_, is_training())", x); };
    words.attention = [&](const std::string& module, const std::string& query, const std::string& keys, bool causal,
                          const std::string& output) {
        return cppAttention(layer.attention(causal),
                            {query, keys, keys, output, module, "nhead_", "is_training() ? dropout_ : 0.0"});
    };
    std::string text = fmt::format("struct {}Impl : torch::nn::Module {{\n", name);
    text += fmt::format(
        "    {}Impl(int64_t d_model, int64_t nhead, int64_t dim_feedforward, double dropout, double eps)\n"
        "        : nhead_(nhead), dropout_(dropout), eps_(eps) {{\n",
        name);
    text += indented(construct, "        ") + "    }\n\n";
    text += fmt::format("    torch::Tensor forward(const torch::Tensor& src{}) {{\n        torch::Tensor x = src;\n",
                        layer.decoder ? ", const torch::Tensor& memory" : "");
    text += indented(layerCode(layer, words, "x", "memory", ""), "        ") + "        return x;\n    }\n\n";
    return text + indented(members, "    ") + "};";
}

class TransformerLayer final : public Block {
public:
    TransformerLayer(BlockSpec spec, bool decoder) : Block(std::move(spec)), m_decoder(decoder) {}

    Result<Inference> infer(const InferenceRequest& request) const override {
        Layer layer = layerOf(request.params, m_decoder);
        for (std::size_t port = 0; port < (m_decoder ? 2 : 1); ++port) {
            const TensorType& input = *request.inputs[port];
            Status fits = requireFloat32(input);
            if (fits) {
                fits = requireRank(input, 3, 3, sequenceForm(layer.batchFirst));
            }
            if (!fits) {
                return fail(aboutPort(std::move(fits).error(), port));
            }
            Json params = request.params;
            if (port == 1) {
                params["d_model"] = layer.model;
            }
            const auto size = inferredSize(params, "d_model", input.dims[2], "features");
            if (!size) {
                return fail(aboutPort(size.error(), port));
            }
            layer.model = *size;
        }
        PLUMBLINE_TRY(requireHeads(layer.model, layer.heads, "d_model", "nhead"));
        const TensorType& input = *request.inputs[0];
        const std::size_t batchDim = layer.batchFirst ? 0 : 1;
        const Dim& batch = input.dims[batchDim];
        const Dim& steps = input.dims[1 - batchDim];

        Inference inference;
        inference.params = request.params;
        inference.params["d_model"] = layer.model;
        inference.state = stateOf(layer);
        inference.cost.macs = attentionMacs(layer.attention(false), batch, steps, steps) +
                              batch * steps * Dim(layer.model) * Dim(layer.feedforward) * Dim(2);
        if (m_decoder) {
            PLUMBLINE_TRY(requireSameSize(request, 0, 1, batchDim, "batches"));
            inference.cost.macs = inference.cost.macs + attentionMacs(layer.attention(false), batch, steps,
                                                                      request.inputs[1]->dims[1 - batchDim]);
        }
        inference.outputs.push_back(input);
        return finish(std::move(inference));
    }

    EmittedCpp emitCpp(const EmitRequest& request) const override {
        const Json& params = request.params;
        const std::string& registered = request.registered.empty() ? request.name : request.registered;
        EmittedCpp code;
        const std::string type =
            cppStruct(request.name, layerOf(params, m_decoder), params["activation"].get<std::string>());
        code.member = indented(fmt::format("{0}\nstd::shared_ptr<{1}Impl> {1};", type, request.name), kMemberIndent);
        code.member = code.member.substr(kMemberIndent.size(), code.member.size() - kMemberIndent.size() - 1);
        code.construct = fmt::format(
            "{0} = register_module(\"{1}\", std::make_shared<{0}Impl>({2}, {3}, {4}, {5}, {6}));", request.name,
            registered, cpp(params["d_model"]), cpp(params["nhead"]), cpp(params["dim_feedforward"]),
            cpp(Json(params["dropout"].get<double>())), cpp(Json(params["layer_norm_eps"].get<double>())));
        code.forward = fmt::format("torch::Tensor {} = {}->forward({});", request.outputs[0], request.name,
                                   fmt::join(request.inputs, ", "));
        return code;
    }

    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Json& params = request.params;
        const Layer layer = layerOf(params, m_decoder);
        const std::string module = moduleOf(request);
        const std::string& output = request.outputs[0];
        const auto state = [&](const std::string& part, int index) {
            const std::string one = fmt::format("{}.{}{}", module, part, index);
            return fmt::format("{}.weight, {}", one, layer.bias ? one + ".bias" : "None");
        };
        LayerWords words;
        words.end = "\n";
        words.norm = [&](int index, const std::string& x) {
            return fmt::format("torch.layer_norm({}, [{}], {}, {})", x, layer.model, state("norm", index),
                               pythonFloat(params["layer_norm_eps"]));
        };
        words.linear = [&](int index, const std::string& x) {
            return fmt::format("torch.linear({}, {})", x, state("linear", index));
        };
        words.activation = [&](const std::string& x) {
            return fmt::format("torch.{}({})", params["activation"].get<std::string>(), x);
        };
        words.dropout = [&](const std::string& x) {
            return fmt::format("torch.dropout({}, {}, {})", x, pythonFloat(params["dropout"]), trainingOf(request));
        };
        words.attention = [&](const std::string& part, const std::string& query, const std::string& keys, bool causal,
                              const std::string& defined) {
            return scriptAttention(layer.attention(causal), {query, keys, keys, defined, module + "." + part,
                                                             params["nhead"].dump(), scriptDropout(request)});
        };
        std::string code = fmt::format("{} = {}\n", output, request.inputs[0]);
        code += layerCode(layer, words, output, m_decoder ? request.inputs[1] : "", output + "_");
        code.pop_back();
        return {code};
    }

private:
    bool m_decoder;
};

BlockSpec layerSpec(std::string type, std::string summary, const std::string& causal) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = "attention";
    spec.summary = std::move(summary);
    spec.parameters = {
        inferredParameter("d_model", "Size of the input's last dimension"),
        intParameter("nhead", nullptr, 1, "Number of heads; divides d_model"),
        intParameter("dim_feedforward", 2048, 1, "Size of the layer between"),
        floatParameter("dropout", 0.1, 0, 1,
                       "Dropout of attention weights, of the layer between and of the results while training"),
        choiceParameter("activation", "relu", {"relu", "gelu"}, "What comes after the first linear layer"),
        floatParameter("layer_norm_eps", 1e-5, 0, std::nullopt, "Added to the variance"),
        boolParameter("batch_first", false,
                      "The input is [B, T, features]. PyTorch's default is false: [T, B, features]"),
        boolParameter("norm_first", false, "Normalises before attention and linear layers, and not after them"),
        boolParameter("bias", true, "Adds learned offsets"),
        boolParameter(causal, false, "A position sees itself and earlier ones only")};
    spec.outputs = oneOutput();
    spec.telling = {"nhead", "dim_feedforward"};
    return spec;
}

}  // namespace

void addTransformerLayers(graph::BlockRegistry& registry) {
    BlockSpec encoder = layerSpec("TransformerEncoderLayer",
                                  "Attention of a sequence to itself, then two linear layers a position.", "is_causal");
    encoder.inputs = {{"src", false, false, "The sequence"}};
    encoder.examples = {{{{"nhead", 2}, {"dim_feedforward", 16}}, {floats({5, 2, 8})}},
                        {{{"nhead", 4},
                          {"dim_feedforward", 12},
                          {"activation", "gelu"},
                          {"norm_first", true},
                          {"batch_first", true},
                          {"is_causal", true},
                          {"dropout", 0.0}},
                         {floats({2, 5, 8})}},
                        {{{"nhead", 2},
                          {"dim_feedforward", 16},
                          {"batch_first", true},
                          {"bias", false},
                          {"layer_norm_eps", 0.001},
                          {"dropout", 0.2}},
                         {floats({2, 5, 8})}}};
    registry.add(std::make_unique<TransformerLayer>(std::move(encoder), false));

    BlockSpec decoder =
        layerSpec("TransformerDecoderLayer", "As the encoder's layer, with attention to another sequence in between.",
                  "tgt_is_causal");
    decoder.inputs = {{"tgt", false, false, "The sequence"}, {"memory", false, false, "What the encoder made"}};
    decoder.examples = {
        {{{"nhead", 2}, {"dim_feedforward", 16}, {"tgt_is_causal", true}}, {floats({3, 2, 8}), floats({5, 2, 8})}},
        {{{"nhead", 2},
          {"dim_feedforward", 16},
          {"batch_first", true},
          {"norm_first", true},
          {"activation", "gelu"},
          {"bias", false},
          {"dropout", 0.2}},
         {floats({2, 3, 8}), floats({2, 5, 8})}}};
    registry.add(std::make_unique<TransformerLayer>(std::move(decoder), true));
}

}  // namespace plumbline::blocks
