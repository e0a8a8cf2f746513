// Conv2d, ConvTranspose2d.

#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/pad.h>

#include <algorithm>
#include <stdexcept>

#include "model/fill.h"
#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

void requireGroups(std::int64_t groups, std::int64_t in, std::int64_t out) {
    if (groups < 1 || in % groups != 0 || out % groups != 0) {
        throw std::invalid_argument("in_channels and out_channels have to be divisible by groups.");
    }
}

class Conv2d final : public Leaf {
public:
    explicit Conv2d(const Json& params)
        : m_stride(integers(params, "stride", 2, 1)),
          m_dilation(integers(params, "dilation", 2, 1)),
          m_groups(integerOr(params, "groups", 1)),
          m_bias(booleanOr(params, "bias", true)) {
        const std::int64_t in = requiredInteger(params, "in_channels");
        const std::int64_t out = requiredInteger(params, "out_channels");
        const std::vector<std::int64_t> kernel = integers(params, "kernel_size", 2, std::nullopt);
        requireGroups(m_groups, in, out);
        readPadding(params, kernel);
        addParameter("weight", {out, in / m_groups, kernel[0], kernel[1]});
        if (m_bias) {
            addParameter("bias", {out});
        }
    }
    void reset() override { fillLikeLinear(tensor(0), m_bias ? tensor(1) : at::Tensor()); }
    void forward(const LeafCall& call) override {
        std::optional<at::Tensor> bias;
        if (m_bias) {
            bias = tensor(1);
        }
        if (!m_padMode.empty()) {
            const at::Tensor padded = at::pad(call.input(), m_explicitPadding, m_padMode);
            call.outputs[0] =
                at::conv2d(padded, tensor(0), bias, m_stride, at::IntArrayRef{0, 0}, m_dilation, m_groups);
        } else if (!m_named.empty()) {
            call.outputs[0] =
                at::conv2d(call.input(), tensor(0), bias, m_stride, std::string_view(m_named), m_dilation, m_groups);
        } else {
            call.outputs[0] = at::conv2d(call.input(), tensor(0), bias, m_stride, m_padding, m_dilation, m_groups);
        }
    }

private:
    /// padding as numbers or "same"/"valid"; a padding_mode other than zeros pads beforehand, as PyTorch does.
    void readPadding(const Json& params, const std::vector<std::int64_t>& kernel) {
        const Json* padding = isGiven(params, "padding") ? &params.at("padding") : nullptr;
        if (padding != nullptr && padding->is_string()) {
            m_named = padding->get<std::string>();
        } else {
            m_padding = integers(params, "padding", 2, 0);
        }
        if (m_named == "same" && (m_stride[0] != 1 || m_stride[1] != 1)) {
            throw std::invalid_argument("padding \"same\" needs a stride of 1.");
        }
        const std::string mode = textOr(params, "padding_mode", "zeros");
        if (mode == "zeros") {
            return;
        }
        m_padMode = mode;
        // From the last dimension to the first, before and after, as torch.nn.functional.pad wants it.
        for (std::size_t dim = 2; dim-- > 0;) {
            std::int64_t before = 0;
            std::int64_t after = 0;
            if (m_named == "same") {
                const std::int64_t total = m_dilation[dim] * (kernel[dim] - 1);
                before = total / 2;
                after = total - before;
            } else if (m_named.empty()) {
                before = after = m_padding[dim];
            }
            m_explicitPadding.push_back(before);
            m_explicitPadding.push_back(after);
        }
    }

    std::vector<std::int64_t> m_stride;
    std::vector<std::int64_t> m_padding;
    std::vector<std::int64_t> m_dilation;
    std::vector<std::int64_t> m_explicitPadding;
    std::string m_named;    ///< "same", "valid" or empty
    std::string m_padMode;  ///< "reflect", "replicate", "circular" or empty for zeros
    std::int64_t m_groups;
    bool m_bias;
};

class ConvTranspose2d final : public Leaf {
public:
    explicit ConvTranspose2d(const Json& params)
        : m_stride(integers(params, "stride", 2, 1)),
          m_padding(integers(params, "padding", 2, 0)),
          m_outputPadding(integers(params, "output_padding", 2, 0)),
          m_dilation(integers(params, "dilation", 2, 1)),
          m_groups(integerOr(params, "groups", 1)),
          m_bias(booleanOr(params, "bias", true)) {
        const std::int64_t in = requiredInteger(params, "in_channels");
        const std::int64_t out = requiredInteger(params, "out_channels");
        const std::vector<std::int64_t> kernel = integers(params, "kernel_size", 2, std::nullopt);
        requireGroups(m_groups, in, out);
        for (std::size_t dim = 0; dim < 2; ++dim) {
            if (m_outputPadding[dim] >= std::max(m_stride[dim], m_dilation[dim])) {
                throw std::invalid_argument("output_padding has to be smaller than stride or dilation.");
            }
        }
        addParameter("weight", {in, out / m_groups, kernel[0], kernel[1]});
        if (m_bias) {
            addParameter("bias", {out});
        }
    }
    void reset() override { fillLikeLinear(tensor(0), m_bias ? tensor(1) : at::Tensor()); }
    void forward(const LeafCall& call) override {
        call.outputs[0] =
            at::conv_transpose2d(call.input(), tensor(0), m_bias ? std::optional(tensor(1)) : std::nullopt, m_stride,
                                 m_padding, m_outputPadding, m_groups, m_dilation);
    }

private:
    std::vector<std::int64_t> m_stride;
    std::vector<std::int64_t> m_padding;
    std::vector<std::int64_t> m_outputPadding;
    std::vector<std::int64_t> m_dilation;
    std::int64_t m_groups;
    bool m_bias;
};

}  // namespace

void addConvolutionLeaves(LeafBuilders& builders) {
    addLeaf<Conv2d>(builders, "Conv2d");
    addLeaf<ConvTranspose2d>(builders, "ConvTranspose2d");
}

}  // namespace plumbline::model
