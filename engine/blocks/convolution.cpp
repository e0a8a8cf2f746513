// Conv2d and ConvTranspose2d, with every option of PyTorch's.

#include <algorithm>

#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

using Pair = std::array<std::int64_t, 2>;

BlockSpec conv2dSpec() {
    BlockSpec spec;
    spec.type = "Conv2d";
    spec.category = "convolution";
    spec.summary = "Slides learned filters over height and width: [B, C, H, W] to [B, out_channels, H', W'].";
    ParameterSpec padding =
        sizeParameter("padding", 0, 0, "Rows and columns added around the input; \"same\" keeps the size");
    padding.choices = {"same", "valid"};
    spec.parameters = {inferredParameter("in_channels", "Channels of the input"),
                       intParameter("out_channels", nullptr, 1, "Number of filters"),
                       sizeParameter("kernel_size", nullptr, 1, "Height and width of a filter"),
                       sizeParameter("stride", 1, 1, "Step between two positions of a filter"),
                       padding,
                       sizeParameter("dilation", 1, 1, "Distance between the points of a filter"),
                       intParameter("groups", 1, 1, "Channels are split into so many independent groups"),
                       boolParameter("bias", true, "Adds a learned offset a channel"),
                       choiceParameter("padding_mode", "zeros", {"zeros", "reflect", "replicate", "circular"},
                                       "What the padding holds")};
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    spec.telling = {"out_channels", "kernel_size", "stride", "padding"};
    spec.examples = {{{{"out_channels", 8}, {"kernel_size", 3}, {"stride", 2}, {"padding", 1}}, {floats({2, 3, 9, 8})}},
                     {{{"out_channels", 6},
                       {"kernel_size", 3},
                       {"stride", {2, 1}},
                       {"padding", {1, 2}},
                       {"dilation", 2},
                       {"groups", 2},
                       {"bias", false}},
                      {floats({2, 4, 10, 9})}},
                     {{{"out_channels", 4}, {"kernel_size", {3, 4}}, {"padding", "same"}}, {floats({2, 3, 6, 7})}},
                     {{{"out_channels", 4}, {"kernel_size", 3}, {"padding", {1, 2}}, {"padding_mode", "reflect"}},
                      {floats({2, 3, 6, 6})}},
                     {{{"out_channels", 4}, {"kernel_size", 4}, {"padding", "same"}, {"padding_mode", "circular"}},
                      {floats({1, 2, 6, 6})}}};
    return spec;
}

Status requireGroups(std::int64_t groups, std::int64_t channels, std::int64_t out) {
    if (channels % groups != 0 || out % groups != 0) {
        return wrong("bad-parameter",
                     fmt::format("has groups = {}, which does not divide both in_channels {} and out_channels {}",
                                 groups, channels, out),
                     "Set groups to a divisor of both.", "groups");
    }
    return {};
}

/// What both directions of a convolution take from their input and their parameters.
struct Channels {
    std::size_t dim = 0;  ///< of the input's
    std::int64_t in = 0, out = 0, groups = 1;
};

Result<Channels> channelsOf(const TensorType& input, const Json& params) {
    PLUMBLINE_TRY(requireFloat32(input));
    PLUMBLINE_TRY(requireRank(input, 3, 4, "[B, C, H, W] or [C, H, W]"));
    Channels channels;
    channels.dim = input.rank() - 3;
    PLUMBLINE_ASSIGN(channels.in, inferredSize(params, "in_channels", input.dims[channels.dim], "channels"));
    channels.out = params.at("out_channels").get<std::int64_t>();
    channels.groups = params.at("groups").get<std::int64_t>();
    PLUMBLINE_TRY(requireGroups(channels.groups, channels.in, channels.out));
    return channels;
}

/// "[2, 1]" of a size parameter, whether it is stated as one number or two.
std::string pairText(const Json& params, std::string_view name) {
    const auto pair = sizes<2>(params, name);
    return pair ? fmt::format("[{}, {}]", (*pair)[0], (*pair)[1]) : std::string("[1, 1]");
}

/// Padding left or top, and right or bottom; "same" puts the odd one right, as PyTorch does.
std::array<Pair, 2> paddingOf(const Json& params, const Pair& kernel, const Pair& dilation, const Pair& stated) {
    if (!params.at("padding").is_string()) {
        return {{{stated[0], stated[0]}, {stated[1], stated[1]}}};
    }
    std::array<Pair, 2> result{};
    if (params.at("padding") == "same") {
        for (std::size_t i = 0; i < 2; ++i) {
            const std::int64_t total = dilation[i] * (kernel[i] - 1);
            result[i] = {total / 2, total - total / 2};
        }
    }
    return result;
}

class Conv2d final : public Block {
public:
    Conv2d() : Block(conv2dSpec()) {}

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        const Json& params = request.params;
        PLUMBLINE_ASSIGN(const Channels channels, channelsOf(input, params));
        const auto [channelDim, in, out, groups] = channels;
        PLUMBLINE_ASSIGN(const Pair kernel, sizes<2>(params, "kernel_size"));
        PLUMBLINE_ASSIGN(const Pair stride, sizes<2>(params, "stride"));
        PLUMBLINE_ASSIGN(const Pair dilation, sizes<2>(params, "dilation"));
        Pair stated{};
        if (!params["padding"].is_string()) {
            PLUMBLINE_ASSIGN(stated, sizes<2>(params, "padding"));
        } else if (params["padding"] == "same" && stride != Pair{1, 1}) {
            return wrong("bad-parameter", fmt::format("has padding \"same\" with stride {}", params["stride"].dump()),
                         "Set stride to 1, or padding to numbers.", "padding");
        }
        const std::array<Pair, 2> padding = paddingOf(params, kernel, dilation, stated);
        Inference inference;
        inference.params = params;
        inference.params["in_channels"] = in;
        TensorType output = input;
        output.dims[channelDim] = out;
        for (std::size_t i = 0; i < 2; ++i) {
            const Dim& size = input.dims[channelDim + 1 + i];
            PLUMBLINE_TRY(checkPadding(params, size, padding[i]));
            const std::int64_t reach = dilation[i] * (kernel[i] - 1) + 1;
            const Dim padded = size + Dim(padding[i][0] + padding[i][1]);
            if (padded.constant().value_or(reach) < reach) {
                return wrong(
                    "shape-mismatch",
                    fmt::format("has a kernel that reaches over {} {} and gets [{}] from {{0}}, {} with its padding",
                                reach, i == 0 ? "rows" : "columns", input.shapeText(), padded.toString()),
                    "Make the kernel smaller, or the padding larger.", "kernel_size");
            }
            output.dims[channelDim + 1 + i] = floorDivide(padded - Dim(reach), stride[i]) + Dim(1);
        }
        inference.state.push_back({"weight", {out, in / groups, kernel[0], kernel[1]}});
        if (params["bias"].get<bool>()) {
            inference.state.push_back({"bias", {out}});
        }
        inference.cost.macs = output.elementCount() * Dim(in / groups) * Dim(kernel[0]) * Dim(kernel[1]);
        inference.outputs.push_back(std::move(output));
        return finish(std::move(inference));
    }

    EmittedCpp emitCpp(const EmitRequest& request) const override {
        const Json& params = request.params;
        CppOptions options(spec(), request);
        options.add("stride");
        const Json& padding = params["padding"];
        options.add("padding", padding == "same"    ? "torch::kSame"
                               : padding == "valid" ? "torch::kValid"
                               : padding.is_array() ? fmt::format("torch::ExpandingArray<2>({})", cpp(padding))
                                                    : cpp(padding));
        options.add("dilation").add("groups").add("bias");
        const auto& mode = params["padding_mode"].get_ref<const std::string&>();
        options.add("padding_mode", mode == "reflect"     ? "torch::kReflect"
                                    : mode == "replicate" ? "torch::kReplicate"
                                                          : "torch::kCircular");
        return cppModule(request, "Conv2d",
                         fmt::format("torch::nn::Conv2dOptions({}, {}, {}){}", cpp(params["in_channels"]),
                                     cpp(params["out_channels"]), cpp(params["kernel_size"]), options.text()));
    }

    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Json& params = request.params;
        const std::string module = moduleOf(request);
        const auto list = [&](const char* name) { return pairText(params, name); };
        std::string input = request.inputs[0];
        std::string padding = params["padding"].is_string() ? params["padding"].dump() : list("padding");
        if (params["padding_mode"] != "zeros") {
            Pair stated{};
            if (!params["padding"].is_string()) {
                stated = sizes<2>(params, "padding").value_or(stated);
            }
            const auto around = paddingOf(params, sizes<2>(params, "kernel_size").value_or(stated),
                                          sizes<2>(params, "dilation").value_or(stated), stated);
            input = fmt::format("torch.pad({}, [{}, {}, {}, {}], {})", input, around[1][0], around[1][1], around[0][0],
                                around[0][1], params["padding_mode"].dump());
            padding = "[0, 0]";
        }
        return script(request, fmt::format("torch.conv2d({}, {}.weight, {}, {}, {}, {}, {})", input, module,
                                           params["bias"].get<bool>() ? module + ".bias" : "None", list("stride"),
                                           padding, list("dilation"), params["groups"].dump()));
    }

private:
    /// Reflecting needs more values than it mirrors, wrapping at least as many.
    static Status checkPadding(const Json& params, const Dim& size, const Pair& padding) {
        const auto& mode = params.at("padding_mode").get_ref<const std::string&>();
        const auto have = size.constant();
        const std::int64_t most = std::max(padding[0], padding[1]);
        if (!have || (mode != "reflect" && mode != "circular") || (mode == "reflect" ? most < *have : most <= *have)) {
            return {};
        }
        return wrong("shape-mismatch",
                     fmt::format("pads by {} in the mode {} and gets a size of {} from {{0}}", most, mode, *have),
                     "Make the padding smaller, or use the mode zeros.", "padding");
    }
};

BlockSpec convTranspose2dSpec() {
    BlockSpec spec;
    spec.type = "ConvTranspose2d";
    spec.category = "convolution";
    spec.summary =
        "Spreads each position through learned filters, the way back of Conv2d: [B, C, H, W] to [B, out_channels, H', "
        "W'].";
    spec.parameters = {inferredParameter("in_channels", "Channels of the input"),
                       intParameter("out_channels", nullptr, 1, "Channels of the output"),
                       sizeParameter("kernel_size", nullptr, 1, "Height and width of a filter"),
                       sizeParameter("stride", 1, 1, "Step between two positions of a filter in the output"),
                       sizeParameter("padding", 0, 0, "Rows and columns taken off around the output"),
                       sizeParameter("output_padding", 0, 0,
                                     "Rows and columns added at the bottom and right; below stride or dilation"),
                       intParameter("groups", 1, 1, "Channels are split into so many independent groups"),
                       boolParameter("bias", true, "Adds a learned offset a channel"),
                       sizeParameter("dilation", 1, 1, "Distance between the points of a filter"),
                       choiceParameter("padding_mode", "zeros", {"zeros"}, "What the padding holds")};
    spec.inputs = oneInput();
    spec.outputs = oneOutput();
    spec.telling = {"out_channels", "kernel_size", "stride", "padding"};
    spec.examples = {
        {{{"out_channels", 6}, {"kernel_size", 4}, {"stride", 2}, {"padding", 1}}, {floats({2, 4, 5, 6})}},
        {{{"out_channels", 3}, {"kernel_size", 3}, {"stride", {3, 2}}, {"padding", {0, 1}}, {"output_padding", {2, 1}}},
         {floats({2, 4, 4, 5})}},
        {{{"out_channels", 6},
          {"kernel_size", {2, 3}},
          {"stride", 2},
          {"output_padding", 2},
          {"groups", 2},
          {"dilation", 3},
          {"bias", false}},
         {floats({1, 4, 3, 4})}}};
    return spec;
}

class ConvTranspose2d final : public Block {
public:
    ConvTranspose2d() : Block(convTranspose2dSpec()) {}

    Result<Inference> infer(const InferenceRequest& request) const override {
        const TensorType& input = *request.inputs[0];
        const Json& params = request.params;
        PLUMBLINE_ASSIGN(const Channels channels, channelsOf(input, params));
        const auto [channelDim, in, out, groups] = channels;
        PLUMBLINE_ASSIGN(const Pair kernel, sizes<2>(params, "kernel_size"));
        PLUMBLINE_ASSIGN(const Pair stride, sizes<2>(params, "stride"));
        PLUMBLINE_ASSIGN(const Pair padding, sizes<2>(params, "padding"));
        PLUMBLINE_ASSIGN(const Pair added, sizes<2>(params, "output_padding"));
        PLUMBLINE_ASSIGN(const Pair dilation, sizes<2>(params, "dilation"));
        TensorType output = input;
        output.dims[channelDim] = out;
        for (std::size_t i = 0; i < 2; ++i) {
            const std::int64_t most = std::max(stride[i], dilation[i]) - 1;
            if (added[i] > most) {
                return wrong(
                    "bad-parameter",
                    fmt::format("has output_padding = {} with stride {} and dilation {}", added[i], stride[i],
                                dilation[i]),
                    fmt::format("Set output_padding to {} or less: it has to stay below stride or dilation.", most),
                    "output_padding");
            }
            Dim& size = output.dims[channelDim + 1 + i];
            size =
                (size - Dim(1)) * Dim(stride[i]) + Dim(dilation[i] * (kernel[i] - 1) + added[i] + 1 - 2 * padding[i]);
            if (size.constant().value_or(1) < 1) {
                return wrong("shape-mismatch",
                             fmt::format("takes {} {} off both sides and gets [{}] from {{0}}, which leaves nothing",
                                         padding[i], i == 0 ? "rows" : "columns", input.shapeText()),
                             "Make the padding smaller, or the kernel larger.", "padding");
            }
        }
        Inference inference;
        inference.params = params;
        inference.params["in_channels"] = in;
        inference.state.push_back({"weight", {in, out / groups, kernel[0], kernel[1]}});
        if (params["bias"].get<bool>()) {
            inference.state.push_back({"bias", {out}});
        }
        inference.cost.macs = input.elementCount() * Dim(out / groups) * Dim(kernel[0]) * Dim(kernel[1]);
        inference.outputs.push_back(std::move(output));
        return finish(std::move(inference));
    }

    EmittedCpp emitCpp(const EmitRequest& request) const override {
        CppOptions options(spec(), request);
        options.add("stride").add("padding").add("output_padding").add("groups").add("bias").add("dilation");
        return cppModule(
            request, "ConvTranspose2d",
            fmt::format("torch::nn::ConvTranspose2dOptions({}, {}, {}){}", cpp(request.params["in_channels"]),
                        cpp(request.params["out_channels"]), cpp(request.params["kernel_size"]), options.text()));
    }

    EmittedScript emitTorchScript(const EmitRequest& request) const override {
        const Json& params = request.params;
        const std::string module = moduleOf(request);
        return script(
            request,
            fmt::format("torch.conv_transpose2d({}, {}.weight, {}, {}, {}, {}, {}, {})", request.inputs[0], module,
                        params["bias"].get<bool>() ? module + ".bias" : "None", pairText(params, "stride"),
                        pairText(params, "padding"), pairText(params, "output_padding"), params["groups"].dump(),
                        pairText(params, "dilation")));
    }
};

}  // namespace

void registerConvolution(graph::BlockRegistry& registry) {
    registry.add(std::make_unique<Conv2d>());
    registry.add(std::make_unique<ConvTranspose2d>());
}

}  // namespace plumbline::blocks
