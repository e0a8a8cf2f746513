// Blocks with several inputs: Add, Multiply and Concat.

#include <algorithm>

#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

/// torch.result_type of two tensors with dimensions.
DType promoted(DType a, DType b) {
    const auto category = [](DType dtype) { return dtype == DType::kBool ? 0 : isFloatingPoint(dtype) ? 2 : 1; };
    if (a == b || category(a) != category(b)) {
        return category(a) >= category(b) ? a : b;
    }
    if (category(a) == 2 && sizeOf(a) == sizeOf(b)) {
        return DType::kFloat32;  // float16 with bfloat16
    }
    if (sizeOf(a) == sizeOf(b)) {
        return DType::kInt16;  // int8 with uint8
    }
    const DType larger = sizeOf(a) > sizeOf(b) ? a : b;
    return larger;
}

/// The size that two sizes are stretched to, or nothing where they do not fit.
std::optional<Dim> stretched(const Dim& a, const Dim& b) {
    if (a == b || b == Dim(1)) {
        return a;
    }
    return a == Dim(1) ? std::optional(b) : std::nullopt;
}

tl::unexpected<Error> tooFew(std::size_t count) {
    return wrong("too-few-inputs", fmt::format("combines two or more inputs and gets {}", count),
                 "Connect another block to it.");
}

class ElementWise final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        if (request.inputs.size() < 2) {
            return tooFew(request.inputs.size());
        }
        TensorType output = *request.inputs[0];
        for (std::size_t i = 1; i < request.inputs.size(); ++i) {
            const TensorType& next = *request.inputs[i];
            const std::size_t rank = std::max(output.rank(), next.rank());
            std::vector<Dim> dims(rank, Dim(1));
            for (std::size_t k = 0; k < rank; ++k) {  // from the right
                const Dim a = k < output.rank() ? output.dims[output.rank() - 1 - k] : Dim(1);
                const Dim b = k < next.rank() ? next.dims[next.rank() - 1 - k] : Dim(1);
                const auto size = stretched(a, b);
                if (!size) {
                    return wrong(
                        "shape-mismatch",
                        fmt::format(
                            "gets [{}] from {{0}} and [{}] from {{{}}}, which do not fit together: {} against {}",
                            request.inputs[0]->shapeText(), next.shapeText(), i, a.toString(), b.toString()),
                        "Give both the same shape.");
                }
                dims[rank - 1 - k] = *size;
            }
            output.dims = std::move(dims);
            output.dtype = promoted(output.dtype, next.dtype);
        }
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override { return cppExpression(request, joined(request)); }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request, joined(request));
    }

private:
    std::string joined(const EmitRequest& request) const {
        std::string text;
        for (const std::string& input : request.inputs) {
            text += text.empty() ? input : fmt::format(" {} {}", spec().type == "Add" ? '+' : '*', input);
        }
        return text;
    }
};

class Concat final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        if (request.inputs.empty()) {
            return tooFew(0);
        }
        TensorType output = *request.inputs[0];
        PLUMBLINE_ASSIGN(const std::int64_t dim,
                         dimIndex(request.params["dim"].get<std::int64_t>(), output.rank(), "dim"));
        const auto along = static_cast<std::size_t>(dim);
        for (std::size_t i = 1; i < request.inputs.size(); ++i) {
            const TensorType& next = *request.inputs[i];
            bool fits = next.rank() == output.rank();
            for (std::size_t k = 0; fits && k < output.rank(); ++k) {
                fits = k == along || next.dims[k] == output.dims[k];
            }
            if (!fits) {
                return wrong("shape-mismatch",
                             fmt::format("joins along dim {} and gets [{}] from {{0}} and [{}] from {{{}}}", dim,
                                         request.inputs[0]->shapeText(), next.shapeText(), i),
                             "Give both the same sizes in all other dimensions.");
            }
            output.dims[along] = output.dims[along] + next.dims[along];
            output.dtype = promoted(output.dtype, next.dtype);
        }
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        return cppExpression(request, fmt::format("torch::cat({{{}}}, {})", fmt::join(request.inputs, ", "),
                                                  request.params["dim"].dump()));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(
            request, fmt::format("torch.cat([{}], {})", fmt::join(request.inputs, ", "), request.params["dim"].dump()));
    }
};

BlockSpec mergeSpec(std::string type, std::string summary) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = "merge";
    spec.summary = std::move(summary);
    spec.inputs = {{"inputs", false, true, "Any number of tensors"}};
    spec.outputs = oneOutput();
    return spec;
}

}  // namespace

void registerMerge(graph::BlockRegistry& registry) {
    for (const auto& [type, summary] : {std::pair{"Add", "Sum of its inputs, element by element."},
                                        std::pair{"Multiply", "Product of its inputs, element by element."}}) {
        BlockSpec spec = mergeSpec(type, summary);
        spec.parameters = {
            boolParameter("allow_broadcast", false, "Inputs of different shapes are meant, and not warned about")};
        spec.examples = {{Json::object(), {floats({2, 3, 4}), floats({2, 3, 4})}},
                         {Json::object(), {floats({2, 3, 4}), floats({1, 4}), floats({2, 1, 1})}}};
        registry.add(std::make_unique<ElementWise>(std::move(spec)));
    }
    BlockSpec concat = mergeSpec("Concat", "Puts its inputs one behind the other along dim.");
    concat.parameters = {intParameter(
        "dim", 1, std::nullopt, "Dimension along which they are joined (torch.cat's own default is 0, the batch)")};
    concat.telling = {"dim"};
    concat.examples = {{Json::object(), {floats({2, 3, 4}), floats({2, 5, 4})}},
                       {{{"dim", -1}}, {floats({2, 3}), floats({2, 1}), floats({2, 2})}}};
    registry.add(std::make_unique<Concat>(std::move(concat)));
}

}  // namespace plumbline::blocks
