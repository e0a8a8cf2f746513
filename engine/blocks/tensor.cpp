// Blocks that rearrange, pick, convert or summarise values without learning anything.

#include <algorithm>

#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

/// The dims of a parameter, counted from the start, each once.
Result<std::vector<std::size_t>> dimList(const Json& value, std::size_t rank, std::string_view name) {
    std::vector<std::size_t> dims;
    for (const Json& item : value.is_array() ? value : Json::array({value})) {
        PLUMBLINE_ASSIGN(const std::int64_t dim, dimIndex(item.get<std::int64_t>(), rank, name));
        if (std::find(dims.begin(), dims.end(), static_cast<std::size_t>(dim)) != dims.end()) {
            return wrong("bad-dimension", fmt::format("has {} = {}, which names a dimension twice", name, value.dump()),
                         "Name each dimension once.", std::string(name));
        }
        dims.push_back(static_cast<std::size_t>(dim));
    }
    return dims;
}

class Flatten final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        TensorType output{input.dtype, {}};
        const auto startDim = request.params["start_dim"].get<std::int64_t>();
        const auto endDim = request.params["end_dim"].get<std::int64_t>();
        const std::size_t rank = std::max<std::size_t>(input.rank(), 1);
        PLUMBLINE_ASSIGN(const std::int64_t start, dimIndex(startDim, rank, "start_dim"));
        PLUMBLINE_ASSIGN(const std::int64_t end, dimIndex(endDim, rank, "end_dim"));
        if (start > end) {
            return wrong("bad-dimension",
                         fmt::format("has start_dim = {} behind end_dim = {} for [{}] from {{0}}", startDim, endDim,
                                     input.shapeText()),
                         "Set start_dim before end_dim.", "start_dim");
        }
        Dim product = 1;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i) {
            const Dim size = input.dims.empty() ? Dim(1) : input.dims[static_cast<std::size_t>(i)];
            if (i < start || i > end) {
                output.dims.push_back(size);
                continue;
            }
            product = product * size;
            if (i == end) {
                output.dims.push_back(product);
            }
        }
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        const std::string options = CppOptions(spec(), request).add("start_dim").add("end_dim").text();
        return cppModule(request, "Flatten", options.empty() ? options : "torch::nn::FlattenOptions()" + options);
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request, fmt::format("torch.flatten({}, {}, {})", request.inputs[0],
                                           request.params["start_dim"].dump(), request.params["end_dim"].dump()));
    }
};

class Reshape final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        const Json& shape = request.params["shape"];
        const Dim total = input.elementCount();
        TensorType output{input.dtype, {}};
        Dim known = 1;
        std::optional<std::size_t> open;
        for (const Json& item : shape) {
            const auto size = item.get<std::int64_t>();
            if (size == -1 && open) {
                return wrong("bad-parameter", fmt::format("has shape = {} with more than one -1", shape.dump()),
                             "Leave one size open.", "shape");
            }
            if (size == 0) {
                return wrong("bad-parameter", fmt::format("has shape = {} with a size of 0", shape.dump()),
                             "Write sizes from 1, or one -1.", "shape");
            }
            if (size == -1) {
                open = output.dims.size();
            } else {
                known = known * Dim(size);
            }
            output.dims.emplace_back(size);
        }
        const Dim rest = floorDivide(total, known);
        if (open) {
            output.dims[*open] = rest;
        }
        if (rest * known != total || (!open && rest != Dim(1))) {
            return wrong("shape-mismatch",
                         fmt::format("makes {} and gets [{}] from {{0}}, {} values", shape.dump(), input.shapeText(),
                                     total.toString()),
                         "Write sizes whose product is that number; -1 stands for what is left, as the batch.",
                         "shape");
        }
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        return cppExpression(request, fmt::format("{}.reshape({})", request.inputs[0], cpp(request.params["shape"])));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request,
                      fmt::format("torch.reshape({}, {})", request.inputs[0], python(request.params["shape"])));
    }
};

class Permute final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        const Json& wanted = request.params["dims"];
        if (wanted.size() != input.rank()) {
            return wrong("bad-dimension",
                         fmt::format("has dims = {} and gets [{}] from {{0}}", wanted.dump(), input.shapeText()),
                         fmt::format("Name all {} dimensions in their new order.", input.rank()), "dims");
        }
        PLUMBLINE_ASSIGN(const std::vector<std::size_t> dims, dimList(wanted, input.rank(), "dims"));
        TensorType output{input.dtype, {}};
        for (const std::size_t dim : dims) {
            output.dims.push_back(input.dims[dim]);
        }
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        return cppExpression(request, fmt::format("{}.permute({})", request.inputs[0], cpp(request.params["dims"])));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request, fmt::format("torch.permute({}, {})", request.inputs[0], python(request.params["dims"])));
    }
};

class Select final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        TensorType output = *request.inputs[0];
        PLUMBLINE_ASSIGN(const std::int64_t dim,
                         dimIndex(request.params["dim"].get<std::int64_t>(), output.rank(), "dim"));
        const auto index = request.params["index"].get<std::int64_t>();
        const auto size = output.dims[static_cast<std::size_t>(dim)].constant();
        if (size && (index < -*size || index >= *size)) {
            return wrong("bad-parameter",
                         fmt::format("takes index {} of dimension {} and gets {} there from {{0}}", index, dim, *size),
                         fmt::format("Set index between {} and {}.", -*size, *size - 1), "index");
        }
        output.dims.erase(output.dims.begin() + dim);
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        return cppExpression(request, fmt::format("{}.select({})", request.inputs[0], arguments(request)));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request, fmt::format("torch.select({}, {})", request.inputs[0], arguments(request)));
    }

private:
    static std::string arguments(const EmitRequest& request) {
        return request.params["dim"].dump() + ", " + request.params["index"].dump();
    }
};

class ToDtype final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        TensorType output = *request.inputs[0];
        output.dtype = parseDType(request.params["dtype"].get<std::string>()).value_or(output.dtype);
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        static const std::vector<std::pair<std::string, std::string>> kNames{
            {"float32", "kFloat"}, {"float64", "kDouble"}, {"float16", "kHalf"}, {"bfloat16", "kBFloat16"},
            {"int64", "kLong"},    {"int32", "kInt"},      {"int16", "kShort"},  {"int8", "kChar"},
            {"uint8", "kByte"},    {"bool", "kBool"}};
        const auto& dtype = request.params["dtype"].get_ref<const std::string&>();
        const auto it =
            std::find_if(kNames.begin(), kNames.end(), [&](const auto& name) { return name.first == dtype; });
        return cppExpression(
            request, fmt::format("{}.to(torch::{})", request.inputs[0], it == kNames.end() ? "kFloat" : it->second));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        // A number of ScalarType: names such as torch.float32 are not known where source is compiled without Python.
        static constexpr std::array<std::pair<std::string_view, int>, 10> kTypes{{{"uint8", 0},
                                                                                  {"int8", 1},
                                                                                  {"int16", 2},
                                                                                  {"int32", 3},
                                                                                  {"int64", 4},
                                                                                  {"float16", 5},
                                                                                  {"float32", 6},
                                                                                  {"float64", 7},
                                                                                  {"bool", 11},
                                                                                  {"bfloat16", 15}}};
        const auto& dtype = request.params["dtype"].get_ref<const std::string&>();
        const auto it =
            std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& type) { return type.first == dtype; });
        return script(request, fmt::format("{}.to({})", request.inputs[0], it == kTypes.end() ? 6 : it->second));
    }
};

class ArgMax final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        TensorType output = *request.inputs[0];
        if (output.dtype == DType::kBool) {
            return wrong("dtype-mismatch", "expects numbers and gets bool from {0}",
                         "Insert a ToDtype block with dtype float32.", "float32");
        }
        PLUMBLINE_ASSIGN(const std::int64_t dim,
                         dimIndex(request.params["dim"].get<std::int64_t>(), output.rank(), "dim"));
        output.dtype = DType::kInt64;
        if (request.params["keepdim"].get<bool>()) {
            output.dims[static_cast<std::size_t>(dim)] = 1;
        } else {
            output.dims.erase(output.dims.begin() + dim);
        }
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        return cppExpression(request, fmt::format("{}.argmax({}, {})", request.inputs[0], request.params["dim"].dump(),
                                                  request.params["keepdim"].dump()));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request, fmt::format("torch.argmax({}, {}, {})", request.inputs[0], request.params["dim"].dump(),
                                           python(request.params["keepdim"])));
    }
};

class Mean final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        PLUMBLINE_TRY(requireFloating(input));
        std::vector<std::size_t> dims;
        const bool all = request.params["dim"].is_null();
        if (!all) {
            PLUMBLINE_ASSIGN(dims, dimList(request.params["dim"], input.rank(), "dim"));
        }
        TensorType output{input.dtype, {}};
        for (std::size_t i = 0; i < input.rank(); ++i) {
            if (!all && std::find(dims.begin(), dims.end(), i) == dims.end()) {
                output.dims.push_back(input.dims[i]);
            } else if (request.params["keepdim"].get<bool>()) {
                output.dims.emplace_back(1);
            }
        }
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        return cppExpression(request,
                             fmt::format("{}.mean({}, {})", request.inputs[0],
                                         list(request, &cpp, "torch::OptionalIntArrayRef()", "torch::IntArrayRef"),
                                         request.params["keepdim"].dump()));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        return script(request, fmt::format("torch.mean({}, {}, {})", request.inputs[0],
                                           list(request, &python, "None", ""), python(request.params["keepdim"])));
    }

private:
    static std::string list(const EmitRequest& request, std::string (*write)(const Json&), const char* none,
                            const char* type) {
        const Json& dim = request.params["dim"];
        return dim.is_null() ? none : std::string(type) + write(dim.is_array() ? dim : Json::array({dim}));
    }
};

BlockSpec tensorSpec(std::string type, std::string summary, std::vector<ParameterSpec> parameters) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = "tensor";
    spec.summary = std::move(summary);
    spec.parameters = std::move(parameters);
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    for (const ParameterSpec& parameter : spec.parameters) {
        if (parameter.name != "keepdim") {
            spec.telling.push_back(parameter.name);
        }
    }
    return spec;
}

ParameterSpec dimListParameter(std::string name, std::string help) {
    ParameterSpec spec = sizeParameter(std::move(name), nullptr, std::nullopt, std::move(help));
    spec.kind = ParameterKind::kDimList;
    return spec;
}

}  // namespace

void registerTensor(graph::BlockRegistry& registry) {
    BlockSpec flatten = tensorSpec("Flatten", "Makes one dimension of start_dim to end_dim.",
                                   {intParameter("start_dim", 1, std::nullopt, "First dimension that is folded"),
                                    intParameter("end_dim", -1, std::nullopt, "Last dimension that is folded")});
    flatten.telling.clear();
    flatten.examples = {{Json::object(), {floats({2, 3, 4, 5})}},
                        {{{"start_dim", 2}}, {floats({2, 3, 4, 5})}},
                        {{{"start_dim", 0}, {"end_dim", 1}}, {floats({2, 3, 4})}}};
    registry.add(std::make_unique<Flatten>(std::move(flatten)));

    ParameterSpec shape =
        dimListParameter("shape", "The new sizes, batch included; one may be -1, which stands for what is left");
    shape.min = -1;
    BlockSpec reshape = tensorSpec("Reshape", "Gives the values another shape, in the same order.", {shape});
    reshape.examples = {{{{"shape", {-1, 3, 4}}}, {floats({2, 12})}},
                        {{{"shape", {2, -1}}}, {floats({2, 3, 4})}},
                        {{{"shape", {6, 4}}}, {floats({2, 3, 4})}}};
    registry.add(std::make_unique<Reshape>(std::move(reshape)));

    BlockSpec permute = tensorSpec("Permute", "Puts the dimensions in another order.",
                                   {dimListParameter("dims", "All dimensions, in their new order")});
    permute.examples = {{{{"dims", {0, 2, 1}}}, {floats({2, 3, 4})}},
                        {{{"dims", {0, 3, 1, 2}}}, {floats({2, 3, 4, 5})}}};
    registry.add(std::make_unique<Permute>(std::move(permute)));

    BlockSpec select = tensorSpec(
        "Select", "Takes one index of a dimension, which is then gone: the last step of a sequence by default.",
        {intParameter("dim", 1, std::nullopt, "Dimension"),
         intParameter("index", -1, std::nullopt, "Index; -1 is the last")});
    select.examples = {{Json::object(), {floats({2, 3, 4})}}, {{{"dim", 0}, {"index", 1}}, {floats({2, 3, 4})}}};
    registry.add(std::make_unique<Select>(std::move(select)));

    BlockSpec mean =
        tensorSpec("Mean", "Average over some dimensions, or over all.",
                   {nullable(sizeParameter("dim", nullptr, std::nullopt, "Dimensions that are averaged; null = all")),
                    boolParameter("keepdim", false, "Keeps them with size 1")});
    mean.examples = {{{{"dim", 1}}, {floats({2, 3, 4})}},
                     {{{"dim", {-2, -1}}, {"keepdim", true}}, {floats({2, 3, 4, 5})}},
                     {Json::object(), {floats({2, 3})}}};
    registry.add(std::make_unique<Mean>(std::move(mean)));

    BlockSpec argMax = tensorSpec(
        "ArgMax", "Index of the largest value along dim: from scores to a class.",
        {intParameter("dim", -1, std::nullopt, "Dimension"), boolParameter("keepdim", false, "Keeps it with size 1")});
    argMax.examples = {{Json::object(), {floats({2, 5})}}, {{{"dim", 1}, {"keepdim", true}}, {floats({2, 3, 4})}}};
    registry.add(std::make_unique<ArgMax>(std::move(argMax)));

    BlockSpec toDtype = tensorSpec("ToDtype", "Converts the values to another dtype.",
                                   {choiceParameter("dtype", "float32",
                                                    {"float32", "float64", "float16", "bfloat16", "int64", "int32",
                                                     "int16", "int8", "uint8", "bool"},
                                                    "The new dtype")});
    toDtype.examples = {{Json::object(), {integers({2, 3})}},
                        {{{"dtype", "int64"}}, {floats({2, 3})}},
                        {{{"dtype", "float64"}}, {floats({2, 3})}}};
    registry.add(std::make_unique<ToDtype>(std::move(toDtype)));
}

}  // namespace plumbline::blocks
