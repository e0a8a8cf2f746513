// MaxPool2d, AvgPool2d, AdaptiveAvgPool2d and Upsample.

#include <cmath>

#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

using Pair = std::array<std::int64_t, 2>;

constexpr std::string_view kForm = "[B, C, H, W] or [C, H, W]";

/// PyTorch's pooling_output_shape.
Result<Dim> pooledSize(const Dim& size, std::int64_t kernel, std::int64_t stride, std::int64_t padding,
                       std::int64_t dilation, bool ceilMode) {
    const std::int64_t reach = dilation * (kernel - 1) + 1;
    if (2 * padding > reach) {
        return wrong(
            "bad-parameter",
            fmt::format("has padding = {}, more than half of the {} that its kernel reaches over", padding, reach),
            fmt::format("Set padding to {} or less.", reach / 2), "padding");
    }
    Dim out = floorDivide(size + Dim(2 * padding - reach + (ceilMode ? stride - 1 : 0)), stride) + Dim(1);
    if (ceilMode &&
        stride + padding > reach) {  // the last window may begin in the padding on the far side, and is dropped then
        const auto have = size.constant();
        if (!have) {
            return wrong("size-not-fixed",
                         fmt::format("needs a fixed size with ceil_mode and stride {}, and gets {} from {{0}}", stride,
                                     size.toString()),
                         "Give the input a fixed height and width, or set ceil_mode to false.");
        }
        if ((out.constant().value_or(1) - 1) * stride >= *have + padding) {
            out = out - Dim(1);
        }
    }
    if (out.constant().value_or(1) < 1) {
        return wrong("shape-mismatch",
                     fmt::format("has a window over {} values and gets {} from {{0}}", reach, size.toString()),
                     "Make kernel_size smaller, or pool less before.", "kernel_size");
    }
    return out;
}

std::vector<ParameterSpec> windowParameters() {
    return {sizeParameter("kernel_size", nullptr, 1, "Height and width of the window"),
            nullable(sizeParameter("stride", nullptr, 1, "Step between two windows; null = kernel_size")),
            sizeParameter("padding", 0, 0, "Rows and columns added around the input")};
}

class Pool2d final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        const Json& params = request.params;
        PLUMBLINE_TRY(requireFloating(input));
        PLUMBLINE_TRY(requireRank(input, 3, 4, kForm));
        PLUMBLINE_ASSIGN(const Pair kernel, sizes<2>(params, "kernel_size"));
        PLUMBLINE_ASSIGN(const Pair stride, sizes<2>(params, params["stride"].is_null() ? "kernel_size" : "stride"));
        PLUMBLINE_ASSIGN(const Pair padding, sizes<2>(params, "padding"));
        Pair dilation{1, 1};
        if (isMax()) {
            PLUMBLINE_ASSIGN(dilation, sizes<2>(params, "dilation"));
        }
        TensorType output = input;
        for (std::size_t i = 0; i < 2; ++i) {
            Dim& size = output.dims[input.rank() - 2 + i];
            PLUMBLINE_ASSIGN(
                size, pooledSize(size, kernel[i], stride[i], padding[i], dilation[i], params["ceil_mode"].get<bool>()));
        }
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        CppOptions options(spec(), request);
        if (request.complete && request.params["stride"].is_null()) {
            options.add("stride", cpp(request.params["kernel_size"]));  // what LibTorch takes without one
        } else {
            options.add("stride");
        }
        options.add("padding");
        if (isMax()) {
            options.add("dilation").add("ceil_mode");
        } else {
            options.add("ceil_mode").add("count_include_pad").add("divisor_override");
        }
        return cppModule(
            request, spec().type,
            fmt::format("torch::nn::{}Options({}){}", spec().type, cpp(request.params["kernel_size"]), options.text()));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Json& params = request.params;
        const auto list = [&](std::string_view name) {
            const Pair pair = sizes<2>(params, name).value_or(Pair{1, 1});
            return fmt::format("[{}, {}]", pair[0], pair[1]);
        };
        const std::string common =
            fmt::format("{}, {}, {}, {}", request.inputs[0], list("kernel_size"),
                        list(params["stride"].is_null() ? "kernel_size" : "stride"), list("padding"));
        if (isMax()) {
            return script(request, fmt::format("torch.max_pool2d({}, {}, {})", common, list("dilation"),
                                               python(params["ceil_mode"])));
        }
        return script(request, fmt::format("torch.avg_pool2d({}, {}, {}, {})", common, python(params["ceil_mode"]),
                                           python(params["count_include_pad"]), python(params["divisor_override"])));
    }

private:
    bool isMax() const { return spec().type == "MaxPool2d"; }
};

class AdaptiveAvgPool2d final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        PLUMBLINE_TRY(requireFloating(input));
        PLUMBLINE_TRY(requireRank(input, 3, 4, kForm));
        TensorType output = input;
        const Json& size = request.params["output_size"];
        if (size.is_array() && size.size() != 2) {
            return wrong("bad-parameter",
                         fmt::format("has output_size = {}, which is neither one number nor two", size.dump()),
                         "Set output_size to one integer or a list of two.", "output_size");
        }
        for (std::size_t i = 0; i < 2; ++i) {
            const Json& one = size.is_array() ? size[i] : size;
            if (!one.is_null()) {
                output.dims[input.rank() - 2 + i] = one.get<std::int64_t>();
            }
        }
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        const Json& size = request.params["output_size"];
        const std::string literal = size.is_null() ? "{std::nullopt, std::nullopt}" : cpp(size);
        return cppModule(request, spec().type, fmt::format("torch::nn::AdaptiveAvgPool2dOptions({})", literal));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Json& size = request.params["output_size"];
        std::array<std::string, 2> parts;
        for (std::size_t i = 0; i < 2; ++i) {
            const Json& one = size.is_array() ? size[i] : size;
            parts[i] = one.is_null() ? fmt::format("{}.size({})", request.inputs[0], i == 0 ? -2 : -1) : one.dump();
        }
        return script(request,
                      fmt::format("torch.adaptive_avg_pool2d({}, [{}, {}])", request.inputs[0], parts[0], parts[1]));
    }
};

class Upsample final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        const Json& params = request.params;
        PLUMBLINE_TRY(requireFloating(input));
        PLUMBLINE_TRY(requireRank(input, 4, 4, "[B, C, H, W]"));
        const bool bySize = !params["size"].is_null();
        if (bySize != params["scale_factor"].is_null()) {
            return wrong(
                "bad-parameter",
                bySize ? "has size and scale_factor, of which one is enough" : "has neither size nor scale_factor",
                "Set one of them, and leave the other at null.", bySize ? "scale_factor" : "size");
        }
        if (params["align_corners"].get<bool>() && !interpolates(params)) {
            return wrong("bad-parameter",
                         fmt::format("has align_corners with the mode {}, which does not interpolate",
                                     params["mode"].get<std::string>()),
                         "Set align_corners to false, or mode to bilinear.", "align_corners");
        }
        TensorType output = input;
        if (bySize) {
            PLUMBLINE_ASSIGN(const Pair size, sizes<2>(params, "size"));
            output.dims[2] = size[0];
            output.dims[3] = size[1];
            return passThrough(request, std::move(output));
        }
        const double scale = params["scale_factor"].get<double>();
        for (std::size_t i = 2; i < 4; ++i) {
            PLUMBLINE_ASSIGN(output.dims[i], scaled(input.dims[i], scale));
        }
        return passThrough(request, std::move(output));
    }
    EmittedCpp emitCpp(const EmitRequest& request) const override {
        const Json& params = request.params;
        std::string arguments;
        if (params["size"].is_null()) {
            const std::string scale = cpp(Json(params["scale_factor"].get<double>()));
            arguments = fmt::format("std::nullopt, {}std::vector<double>{{{}, {}}}",
                                    alignment(params, cpp(params["align_corners"]) + ", "), scale, scale);
        } else {
            const Pair size = sizes<2>(params, "size").value_or(Pair{1, 1});
            arguments =
                fmt::format("{{{}, {}}}{}", size[0], size[1], alignment(params, ", " + cpp(params["align_corners"])));
        }
        return cppExpression(request, fmt::format("torch::{}({}, {})", function(params), request.inputs[0], arguments));
    }
    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Json& params = request.params;
        const std::string align = alignment(params, python(params["align_corners"]) + ", ");
        std::string arguments;
        if (params["size"].is_null()) {
            const std::string scale = pythonFloat(params["scale_factor"]);
            arguments = fmt::format("None, {}[{}, {}]", align, scale, scale);
        } else {
            const Pair size = sizes<2>(params, "size").value_or(Pair{1, 1});
            arguments = fmt::format("[{}, {}], {}None", size[0], size[1], align);
        }
        return script(request, fmt::format("torch.{}({}, {})", function(params), request.inputs[0], arguments));
    }

private:
    static bool interpolates(const Json& params) {
        return params.at("mode") == "bilinear" || params.at("mode") == "bicubic";
    }
    static std::string alignment(const Json& params, const std::string& text) {
        return interpolates(params) ? text : std::string();
    }
    static std::string function(const Json& params) {
        const auto& mode = params.at("mode").get_ref<const std::string&>();
        return mode == "nearest-exact" ? "_upsample_nearest_exact2d" : fmt::format("upsample_{}2d", mode);
    }
    /// floor(size * scale), as PyTorch has it; what is known at run time only can be multiplied by whole numbers.
    static Result<Dim> scaled(const Dim& size, double scale) {
        if (const auto have = size.constant()) {
            const double result = static_cast<double>(*have) * scale;
            if (result >= 1.0 && result < 9.0e15) {
                return Dim(static_cast<std::int64_t>(result));
            }
            return wrong("bad-parameter",
                         fmt::format("has scale_factor = {} and gets a size of {} from {{0}}", scale, *have),
                         result < 1.0 ? "Make scale_factor larger." : "Make scale_factor smaller.", "scale_factor");
        }
        if (scale >= 1.0 && scale < 1e9 && scale == std::floor(scale)) {
            return size * Dim(static_cast<std::int64_t>(scale));
        }
        return wrong(
            "size-not-fixed",
            fmt::format("needs a fixed size with scale_factor = {}, and gets {} from {{0}}", scale, size.toString()),
            "Give the input a fixed height and width, or set scale_factor to a whole number.");
    }
};

BlockSpec poolSpec(std::string type, std::string summary) {
    BlockSpec spec;
    spec.type = std::move(type);
    spec.category = "pooling";
    spec.summary = std::move(summary);
    spec.parameters = windowParameters();
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    spec.telling = {"kernel_size", "stride", "padding"};
    return spec;
}

}  // namespace

void registerPooling(graph::BlockRegistry& registry) {
    BlockSpec max = poolSpec("MaxPool2d", "Keeps the largest value of each window.");
    max.parameters.push_back(sizeParameter("dilation", 1, 1, "Distance between the points of a window"));
    max.parameters.push_back(boolParameter("ceil_mode", false, "Keeps a window that reaches over the edge"));
    max.examples = {{{{"kernel_size", 2}}, {floats({2, 3, 8, 8})}},
                    {{{"kernel_size", 3}, {"stride", 2}, {"padding", 1}}, {floats({2, 3, 10, 9})}},
                    {{{"kernel_size", {2, 3}}, {"stride", {3, 2}}, {"padding", {1, 0}}, {"ceil_mode", true}},
                     {floats({2, 3, 7, 8})}},
                    {{{"kernel_size", 3}, {"stride", 1}, {"dilation", 2}}, {floats({3, 9, 9})}}};
    registry.add(std::make_unique<Pool2d>(std::move(max)));

    BlockSpec average = poolSpec("AvgPool2d", "Averages the values of each window.");
    average.parameters.push_back(boolParameter("ceil_mode", false, "Keeps a window that reaches over the edge"));
    average.parameters.push_back(boolParameter("count_include_pad", true, "Padding counts in the average"));
    average.parameters.push_back(
        nullable(intParameter("divisor_override", nullptr, 1, "Divides by this instead of the window's size")));
    average.examples = {
        {{{"kernel_size", 2}}, {floats({2, 3, 8, 8})}},
        {{{"kernel_size", 3}, {"stride", 2}, {"padding", 1}, {"ceil_mode", true}, {"count_include_pad", false}},
         {floats({2, 3, 10, 10})}},
        {{{"kernel_size", {3, 2}}, {"stride", {2, 1}}, {"padding", {1, 0}}, {"divisor_override", 3}},
         {floats({3, 9, 8})}}};
    registry.add(std::make_unique<Pool2d>(std::move(average)));

    BlockSpec adaptive;
    adaptive.type = "AdaptiveAvgPool2d";
    adaptive.category = "pooling";
    adaptive.summary = "Averages so that height and width become output_size, whatever they were.";
    adaptive.parameters = {sizeParameter("output_size", 1, 1, "Height and width afterwards; null keeps one as it is")};
    adaptive.parameters[0].nullable = true;
    adaptive.inputs = oneInput();
    adaptive.outputs = oneOutput();
    adaptive.telling = {"output_size"};
    adaptive.examples = {{{{"output_size", 1}}, {floats({2, 3, 7, 9})}},
                         {{{"output_size", {3, nullptr}}}, {floats({2, 3, 7, 9})}},
                         {{{"output_size", {2, 4}}}, {floats({3, 5, 6})}}};
    registry.add(std::make_unique<AdaptiveAvgPool2d>(std::move(adaptive)));

    BlockSpec upsample;
    upsample.type = "Upsample";
    upsample.category = "pooling";
    upsample.summary = "Makes height and width larger: [B, C, H, W] to [B, C, H', W'].";
    upsample.parameters = {
        nullable(sizeParameter("size", nullptr, 1, "Height and width afterwards; null follows scale_factor")),
        nullable(floatParameter("scale_factor", nullptr, 0, std::nullopt,
                                "Height and width are multiplied by this; null follows size")),
        choiceParameter("mode", "nearest", {"nearest", "nearest-exact", "bilinear", "bicubic"},
                        "How a value between others is found"),
        boolParameter("align_corners", false, "The corners keep their values; with bilinear and bicubic")};
    upsample.inputs = oneInput();
    upsample.outputs = oneOutput();
    upsample.telling = {"size", "scale_factor", "mode"};
    upsample.examples = {{{{"scale_factor", 2.0}}, {floats({1, 2, 3, 4})}},
                         {{{"scale_factor", 1.5}, {"mode", "bilinear"}}, {floats({1, 2, 3, 4})}},
                         {{{"size", {7, 5}}, {"mode", "bilinear"}, {"align_corners", true}}, {floats({1, 2, 3, 4})}},
                         {{{"scale_factor", 1.7}, {"mode", "nearest-exact"}}, {floats({1, 2, 5, 5})}},
                         {{{"size", 6}, {"mode", "bicubic"}}, {floats({1, 2, 4, 4})}}};
    registry.add(std::make_unique<Upsample>(std::move(upsample)));
}

}  // namespace plumbline::blocks
