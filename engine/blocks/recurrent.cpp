// LSTM and GRU over whole sequences.

#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

struct Sizes {
    std::int64_t input = 0, hidden = 0, layers = 1, directions = 1, projected = 0;
    bool bias = true, batchFirst = false;
    /// What a step hands on: the projection where there is one.
    std::int64_t step() const { return projected > 0 ? projected : hidden; }
};

Sizes sizesOf(const Json& params) {
    Sizes sizes;
    sizes.hidden = params.at("hidden_size").get<std::int64_t>();
    sizes.layers = params.at("num_layers").get<std::int64_t>();
    sizes.directions = params.at("bidirectional").get<bool>() ? 2 : 1;
    sizes.projected = params.contains("proj_size") ? params.at("proj_size").get<std::int64_t>() : 0;
    sizes.bias = params.at("bias").get<bool>();
    sizes.batchFirst = params.at("batch_first").get<bool>();
    return sizes;
}

class Recurrent final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        Sizes sizes = sizesOf(request.params);
        PLUMBLINE_TRY(requireFloat32(input));
        PLUMBLINE_TRY(requireRank(input, 3, 3,
                                  sizes.batchFirst ? "[B, T, features]" : "[T, B, features] (batch_first is false)"));
        PLUMBLINE_ASSIGN(sizes.input, inferredSize(request.params, "input_size", input.dims[2], "features"));
        if (sizes.projected >= sizes.hidden) {
            return wrong("bad-parameter",
                         fmt::format("has proj_size = {} and hidden_size = {}", sizes.projected, sizes.hidden),
                         "Set proj_size below hidden_size, or to 0 for no projection.", "proj_size");
        }
        const Dim& batch = input.dims[sizes.batchFirst ? 0 : 1];
        const Dim& steps = input.dims[sizes.batchFirst ? 1 : 0];
        const std::vector<Dim> hidden{sizes.layers * sizes.directions, batch, sizes.step()};
        const std::vector<Dim> cell{sizes.layers * sizes.directions, batch, sizes.hidden};
        PLUMBLINE_TRY(checkStates(request, hidden, cell));

        Inference inference;
        inference.params = request.params;
        inference.params["input_size"] = sizes.input;
        inference.state = stateOf(sizes);
        std::int64_t products = 0;  // of one step of one sample
        for (const StateSpec& state : inference.state) {
            products += state.dims.size() == 2 ? state.dims[0] * state.dims[1] : 0;
        }
        inference.cost.macs = Dim(products) * batch * steps;
        TensorType output = input;
        output.dims[2] = sizes.step() * sizes.directions;
        inference.outputs.push_back(std::move(output));
        inference.outputs.push_back(floats(hidden));
        if (isLstm()) {
            inference.outputs.push_back(floats(cell));
        }
        return finish(std::move(inference));
    }

    EmittedCpp emitCpp(const EmitRequest& request) const override {
        CppOptions options(spec(), request);
        options.add("num_layers").add("bias").add("batch_first").add("dropout").add("bidirectional");
        if (isLstm()) {
            options.add("proj_size");
        }
        EmittedCpp code =
            cppModule(request, spec().type,
                      fmt::format("torch::nn::{}Options({}, {}){}", spec().type, cpp(request.params["input_size"]),
                                  cpp(request.params["hidden_size"]), options.text()));
        std::string arguments = request.inputs[0];
        if (hasStates(request)) {
            arguments += isLstm() ? fmt::format(", std::make_tuple({}, {})", request.inputs[1], request.inputs[2])
                                  : ", " + request.inputs[1];
        }
        const std::string& output = request.outputs[0];
        code.forward =
            fmt::format("const auto {0}_all = {1}->forward({2});\ntorch::Tensor {0} = std::get<0>({0}_all);\n", output,
                        request.name, arguments);
        if (isLstm()) {
            code.forward += fmt::format(
                "[[maybe_unused]] torch::Tensor {1} = std::get<0>(std::get<1>({0}_all));\n"
                "[[maybe_unused]] torch::Tensor {2} = std::get<1>(std::get<1>({0}_all));",
                output, request.outputs[1], request.outputs[2]);
        } else {
            code.forward +=
                fmt::format("[[maybe_unused]] torch::Tensor {1} = std::get<1>({0}_all);", output, request.outputs[1]);
        }
        return code;
    }

    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Json& params = request.params;
        const Sizes sizes = sizesOf(params);
        const std::string module = moduleOf(request);
        std::string weights;
        for (const StateSpec& state : stateOf(sizes)) {
            weights += fmt::format("{}{}.{}", weights.empty() ? "" : ", ", module, state.name);
        }
        const auto zeros = [&](std::int64_t size) {
            return fmt::format("torch.zeros([{}, {}.size({}), {}], dtype={}.dtype, device={}.device)",
                               sizes.layers * sizes.directions, request.inputs[0], sizes.batchFirst ? 0 : 1, size,
                               request.inputs[0], request.inputs[0]);
        };
        const std::string hidden = hasStates(request) ? request.inputs[1] : zeros(sizes.step());
        const std::string states =
            isLstm() ? fmt::format("[{}, {}]", hidden, hasStates(request) ? request.inputs[2] : zeros(sizes.hidden))
                     : hidden;
        return {fmt::format("{} = torch.{}({}, {}, [{}], {}, {}, {}, {}, {}, {})", fmt::join(request.outputs, ", "),
                            isLstm() ? "lstm" : "gru", request.inputs[0], states, weights, python(params["bias"]),
                            sizes.layers, pythonFloat(params["dropout"]), trainingOf(request),
                            python(params["bidirectional"]), python(params["batch_first"]))};
    }

private:
    bool isLstm() const { return spec().type == "LSTM"; }
    static bool hasStates(const EmitRequest& request) {
        return request.inputs.size() > 1 && !request.inputs[1].empty();
    }

    Status checkStates(const InferenceRequest& request, const std::vector<Dim>& hidden,
                       const std::vector<Dim>& cell) const {
        const std::size_t count = isLstm() ? 2 : 1;
        std::size_t given = 0;
        for (std::size_t i = 1; i <= count && i < request.inputs.size(); ++i) {
            if (!request.inputs[i]) {
                continue;
            }
            ++given;
            const TensorType wanted = floats(i == 1 ? hidden : cell);
            if (*request.inputs[i] != wanted) {
                return wrong("shape-mismatch",
                             fmt::format("expects {} of float32 [{}] and gets {} [{}] from {{{}}}",
                                         spec().inputs[i].name, wanted.shapeText(), toString(request.inputs[i]->dtype),
                                         request.inputs[i]->shapeText(), i),
                             "Connect a state of that shape, or leave it out to start from zero.");
            }
        }
        if (given == 1 && count == 2) {
            return wrong("input-not-connected", "gets one of h_0 and c_0 without the other",
                         "Connect both, or neither to start from zero.");
        }
        return {};
    }

    std::vector<StateSpec> stateOf(const Sizes& sizes) const {
        const std::int64_t gates = (isLstm() ? 4 : 3) * sizes.hidden;
        std::int64_t input = sizes.input;
        std::vector<StateSpec> state;
        for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
            for (std::int64_t direction = 0; direction < sizes.directions; ++direction) {
                const std::string suffix = fmt::format("_l{}{}", layer, direction == 0 ? "" : "_reverse");
                state.push_back({"weight_ih" + suffix, {gates, input}});
                state.push_back({"weight_hh" + suffix, {gates, sizes.step()}});
                if (sizes.bias) {
                    state.push_back({"bias_ih" + suffix, {gates}});
                    state.push_back({"bias_hh" + suffix, {gates}});
                }
                if (sizes.projected > 0) {
                    state.push_back({"weight_hr" + suffix, {sizes.projected, sizes.hidden}});
                }
            }
            input = sizes.step() * sizes.directions;
        }
        return state;
    }
};

BlockSpec recurrentSpec(std::string type, std::string summary) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = "recurrent";
    spec.summary = std::move(summary);
    ParameterSpec layers = intParameter("num_layers", 1, 1, "Layers, one on top of the other");
    layers.max = 1000;
    spec.parameters = {inferredParameter("input_size", "Size of the input's last dimension"),
                       intParameter("hidden_size", nullptr, 1, "Size of the hidden state"),
                       layers,
                       boolParameter("bias", true, "Adds learned offsets"),
                       boolParameter("batch_first", false,
                                     "The input is [B, T, features]. PyTorch's default is false: [T, B, features]"),
                       floatParameter("dropout", 0.0, 0, 1, "Dropout between layers while training"),
                       boolParameter("bidirectional", false, "Reads the sequence from both ends")};
    spec.inputs = {{"input", false, false, "The sequence"},
                   {"h_0", true, false, "Hidden state to start from; zero when left out"}};
    spec.outputs = {{"output", false, false, "Hidden state at every step"},
                    {"h_n", false, false, "Hidden state after the last step"}};
    spec.telling = {"hidden_size", "num_layers", "bidirectional"};
    return spec;
}

}  // namespace

void registerRecurrent(graph::BlockRegistry& registry) {
    BlockSpec lstm = recurrentSpec("LSTM", "Long short-term memory over a sequence.");
    lstm.parameters.push_back(
        intParameter("proj_size", 0, 0, "Projects the hidden state to this size; 0 = no projection"));
    lstm.inputs.push_back({"c_0", true, false, "Cell state to start from; zero when left out"});
    lstm.outputs.push_back({"c_n", false, false, "Cell state after the last step"});
    lstm.examples = {
        {{{"hidden_size", 5}}, {floats({6, 2, 4})}},
        {{{"hidden_size", 5}, {"num_layers", 2}, {"bidirectional", true}, {"batch_first", true}}, {floats({2, 6, 4})}},
        {{{"hidden_size", 5}, {"proj_size", 3}, {"bidirectional", true}}, {floats({6, 2, 4})}},
        {{{"hidden_size", 5}, {"bias", false}, {"batch_first", true}, {"num_layers", 2}, {"dropout", 0.5}},
         {floats({2, 6, 4})}},
        {{{"hidden_size", 3}}, {floats({4, 2, 3}), floats({1, 2, 3}), floats({1, 2, 3})}}};
    registry.add(std::make_unique<Recurrent>(std::move(lstm)));

    BlockSpec gru = recurrentSpec("GRU", "Gated recurrent units over a sequence.");
    gru.examples = {
        {{{"hidden_size", 5}}, {floats({6, 2, 4})}},
        {{{"hidden_size", 5}, {"num_layers", 2}, {"bidirectional", true}, {"batch_first", true}}, {floats({2, 6, 4})}},
        {{{"hidden_size", 5}, {"bias", false}, {"num_layers", 2}, {"dropout", 0.5}}, {floats({6, 2, 4})}},
        {{{"hidden_size", 3}}, {floats({4, 2, 3}), floats({1, 2, 3})}}};
    registry.add(std::make_unique<Recurrent>(std::move(gru)));
}

}  // namespace plumbline::blocks
