// PositionalEncoding (sines and cosines) and LearnedPositionalEncoding: attention alone does not see the order of a
// sequence.

#include "blocks/attention.h"

namespace plumbline::blocks {
namespace {

struct Positions {
    std::int64_t model = 0, most = 1;
    bool batchFirst = false;
    std::size_t timeDim() const { return batchFirst ? 1 : 0; }
};

Positions positionsOf(const Json& params) {
    Positions positions;
    positions.most = params.at("max_len").get<std::int64_t>();
    positions.batchFirst = params.at("batch_first").get<bool>();
    if (!params.at("d_model").is_null()) {
        positions.model = params.at("d_model").get<std::int64_t>();
    }
    return positions;
}

/// Shapes and complaints of both.
class PositionBlock : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        Positions positions = positionsOf(request.params);
        PLUMBLINE_TRY(requireFloat32(input));
        PLUMBLINE_TRY(requireRank(input, 3, 3, sequenceForm(positions.batchFirst)));
        PLUMBLINE_ASSIGN(positions.model, inferredSize(request.params, "d_model", input.dims[2], "features"));
        if (const auto steps = input.dims[positions.timeDim()].constant(); steps && *steps > positions.most) {
            return wrong("shape-mismatch",
                         fmt::format("knows {} positions and gets a sequence of {} from {{0}}", positions.most, *steps),
                         fmt::format("Set max_len to {} or more, or check batch_first.", *steps), "max_len");
        }
        PLUMBLINE_TRY(check(positions));
        Inference inference;
        inference.params = request.params;
        inference.params["d_model"] = positions.model;
        inference.state.push_back(stateOf(positions));
        inference.outputs.push_back(input);
        return finish(std::move(inference));
    }

    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Positions positions = positionsOf(request.params);
        const std::string rows =
            fmt::format("torch.narrow({}.{}, {}, 0, {}.size({}))", moduleOf(request), stateOf(positions).name,
                        dimOf(positions), request.inputs[0], positions.timeDim());
        return script(
            request, fmt::format("torch.dropout(torch.add({}, {}), {}, {})", request.inputs[0], placed(rows, positions),
                                 pythonFloat(request.params["dropout"]), trainingOf(request)));
    }

protected:
    virtual Status check(const Positions& positions) const = 0;
    virtual StateSpec stateOf(const Positions& positions) const = 0;
    /// Along which dimension of the state positions lie.
    virtual std::size_t dimOf(const Positions& positions) const = 0;
    /// Code of the rows of the first positions, made to fit the input.
    virtual std::string placed(const std::string& rows, const Positions& positions) const = 0;
    std::string cppForward(const EmitRequest& request, const std::string& state) const {
        const Positions positions = positionsOf(request.params);
        const std::string rows = fmt::format("{}.narrow({}, 0, {}.size({}))", state, dimOf(positions),
                                             request.inputs[0], positions.timeDim());
        return fmt::format("torch::Tensor {} = torch::dropout({} + {}, {}, {}->is_training());", request.outputs[0],
                           request.inputs[0], placed(rows, positions),
                           cpp(Json(request.params["dropout"].get<double>())), request.name);
    }
};

class PositionalEncoding final : public PositionBlock {
public:
    using PositionBlock::PositionBlock;

    EmittedCpp emitCpp(const EmitRequest& request) const override {
        const Positions positions = positionsOf(request.params);
        const std::string& registered = request.registered.empty() ? request.name : request.registered;
        EmittedCpp code;
        code.member = fmt::format("std::shared_ptr<torch::nn::Module> {};", request.name);
        // Sines and cosines by turns; a wavelength from 2 pi to 10000 * 2 pi.
        code.construct = fmt::format(
            "{0} = register_module(\"{1}\", std::make_shared<torch::nn::Module>(\"PositionalEncoding\"));\n"
            "const torch::Tensor {0}_angles = torch::arange({2}).unsqueeze(1) * torch::exp(torch::arange(0, {3}, 2) * "
            "(-std::log(10000.0) / {3}));\n"
            "{0}->register_buffer(\"pe\", torch::stack({{torch::sin({0}_angles), torch::cos({0}_angles)}}, "
            "2).view({{{4}}}));",
            request.name, registered, positions.most, positions.model, sizesText(positions));
        code.forward = cppForward(request, fmt::format("{}->named_buffers(false)[\"pe\"]", request.name));
        return code;
    }

protected:
    Status check(const Positions& positions) const override {
        if (positions.model % 2 != 0) {
            return wrong("shape-mismatch",
                         fmt::format("pairs a sine with a cosine and gets {} features from {{0}}", positions.model),
                         "Give it an even number of features, or use LearnedPositionalEncoding.");
        }
        return {};
    }
    StateSpec stateOf(const Positions& positions) const override {
        return positions.batchFirst ? StateSpec{"pe", {1, positions.most, positions.model}, DType::kFloat32, true}
                                    : StateSpec{"pe", {positions.most, 1, positions.model}, DType::kFloat32, true};
    }
    std::size_t dimOf(const Positions& positions) const override { return positions.timeDim(); }
    std::string placed(const std::string& rows, const Positions& /*positions*/) const override { return rows; }

private:
    static std::string sizesText(const Positions& positions) {
        return positions.batchFirst ? fmt::format("1, {}, {}", positions.most, positions.model)
                                    : fmt::format("{}, 1, {}", positions.most, positions.model);
    }
};

class LearnedPositionalEncoding final : public PositionBlock {
public:
    using PositionBlock::PositionBlock;

    EmittedCpp emitCpp(const EmitRequest& request) const override {
        const Positions positions = positionsOf(request.params);
        EmittedCpp code = cppModule(request, "Embedding", fmt::format("{}, {}", positions.most, positions.model));
        code.forward = cppForward(request, request.name + "->weight");
        return code;
    }

protected:
    Status check(const Positions& /*positions*/) const override { return {}; }
    StateSpec stateOf(const Positions& positions) const override {
        return {"weight", {positions.most, positions.model}};
    }
    std::size_t dimOf(const Positions& /*positions*/) const override { return 0; }
    std::string placed(const std::string& rows, const Positions& positions) const override {
        return positions.batchFirst ? rows : rows + ".unsqueeze(1)";
    }
};

BlockSpec positionSpec(std::string type, std::string summary, Json mostPositions, double dropout) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = "attention";
    spec.summary = std::move(summary);
    spec.parameters = {
        inferredParameter("d_model", "Size of the input's last dimension"),
        floatParameter("dropout", dropout, 0, 1, "Dropout of the sum while training"),
        intParameter("max_len", std::move(mostPositions), 1, "Number of positions: the longest sequence"),
        boolParameter("batch_first", false,
                      "The input is [B, T, features]. PyTorch's default is false: [T, B, features]")};
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    spec.telling = {"max_len"};
    return spec;
}

}  // namespace

void addPositions(graph::BlockRegistry& registry) {
    BlockSpec waves = positionSpec("PositionalEncoding",
                                   "Adds sines and cosines of the position, so that order can be seen.", 5000, 0.1);
    waves.examples = {{{{"max_len", 12}}, {floats({5, 2, 6})}},
                      {{{"max_len", 5}, {"batch_first", true}, {"dropout", 0.0}}, {floats({2, 5, 8})}}};
    registry.add(std::make_unique<PositionalEncoding>(std::move(waves)));

    BlockSpec learned =
        positionSpec("LearnedPositionalEncoding", "Adds a learned vector for each position, so that order can be seen.",
                     nullptr, 0.0);
    learned.examples = {{{{"max_len", 7}}, {floats({5, 2, 6})}},
                        {{{"max_len", 5}, {"batch_first", true}, {"dropout", 0.2}}, {floats({2, 5, 3})}}};
    registry.add(std::make_unique<LearnedPositionalEncoding>(std::move(learned)));
}

}  // namespace plumbline::blocks
