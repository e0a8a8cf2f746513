// MaxPool2d, AvgPool2d, AdaptiveAvgPool2d, Upsample.

#include <ATen/ops/_upsample_nearest_exact2d.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/upsample_bicubic2d.h>
#include <ATen/ops/upsample_bilinear2d.h>
#include <ATen/ops/upsample_nearest2d.h>

#include <stdexcept>

#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

/// stride, which PyTorch sets to the kernel size when it is left out.
std::vector<std::int64_t> poolStride(const Json& params) {
    return integers(params, isGiven(params, "stride") ? "stride" : "kernel_size", 2, std::nullopt);
}

class MaxPool2d final : public Leaf {
public:
    explicit MaxPool2d(const Json& params)
        : m_kernel(integers(params, "kernel_size", 2, std::nullopt)),
          m_stride(poolStride(params)),
          m_padding(integers(params, "padding", 2, 0)),
          m_dilation(integers(params, "dilation", 2, 1)),
          m_ceil(booleanOr(params, "ceil_mode", false)) {}
    void forward(const LeafCall& call) override {
        call.outputs[0] = at::max_pool2d(call.input(), m_kernel, m_stride, m_padding, m_dilation, m_ceil);
    }

private:
    std::vector<std::int64_t> m_kernel;
    std::vector<std::int64_t> m_stride;
    std::vector<std::int64_t> m_padding;
    std::vector<std::int64_t> m_dilation;
    bool m_ceil;
};

class AvgPool2d final : public Leaf {
public:
    explicit AvgPool2d(const Json& params)
        : m_kernel(integers(params, "kernel_size", 2, std::nullopt)),
          m_stride(poolStride(params)),
          m_padding(integers(params, "padding", 2, 0)),
          m_divisor(optionalInteger(params, "divisor_override")),
          m_ceil(booleanOr(params, "ceil_mode", false)),
          m_countPadding(booleanOr(params, "count_include_pad", true)) {}
    void forward(const LeafCall& call) override {
        call.outputs[0] =
            at::avg_pool2d(call.input(), m_kernel, m_stride, m_padding, m_ceil, m_countPadding, m_divisor);
    }

private:
    std::vector<std::int64_t> m_kernel;
    std::vector<std::int64_t> m_stride;
    std::vector<std::int64_t> m_padding;
    std::optional<std::int64_t> m_divisor;
    bool m_ceil;
    bool m_countPadding;
};

class AdaptiveAvgPool2d final : public Leaf {
public:
    explicit AdaptiveAvgPool2d(const Json& params) {
        const Json size = params.contains("output_size") ? params.at("output_size") : Json(1);
        if (size.is_array() && size.size() != 2) {
            throw std::invalid_argument("output_size has to be one whole number or a list of two.");
        }
        for (std::size_t dim = 0; dim < 2; ++dim) {
            const Json& part = size.is_array() ? size.at(dim) : size;
            // As PyTorch's None: the input's own size.
            m_output.push_back(part.is_null() ? kAsInput : part.get<std::int64_t>());
        }
    }
    void forward(const LeafCall& call) override {
        const at::Tensor& input = call.input();
        std::int64_t size[2] = {m_output[0], m_output[1]};
        for (std::int64_t dim = 0; dim < 2; ++dim) {
            if (size[dim] == kAsInput) {
                size[dim] = input.size(dim - 2);
            }
        }
        call.outputs[0] = at::adaptive_avg_pool2d(input, size);
    }

private:
    static constexpr std::int64_t kAsInput = -1;
    std::vector<std::int64_t> m_output;
};

class Upsample final : public Leaf {
public:
    explicit Upsample(const Json& params)
        : m_mode(textOr(params, "mode", "nearest")), m_align(booleanOr(params, "align_corners", false)) {
        if (isGiven(params, "size") == isGiven(params, "scale_factor")) {
            throw std::invalid_argument("Either size or scale_factor has to be given.");
        }
        if (isGiven(params, "size")) {
            m_size = integers(params, "size", 2, std::nullopt);
        } else {
            m_scale.assign(2, numberOr(params, "scale_factor", 1.0));
        }
    }
    void forward(const LeafCall& call) override {
        at::OptionalIntArrayRef size;
        std::optional<at::ArrayRef<double>> scale;
        if (m_size.empty()) {
            scale = at::ArrayRef<double>(m_scale);
        } else {
            size = at::IntArrayRef(m_size);
        }
        at::Tensor& output = call.outputs[0];
        if (m_mode == "bilinear") {
            output = at::upsample_bilinear2d(call.input(), size, m_align, scale);
        } else if (m_mode == "bicubic") {
            output = at::upsample_bicubic2d(call.input(), size, m_align, scale);
        } else if (m_mode == "nearest-exact") {
            output = at::_upsample_nearest_exact2d(call.input(), size, scale);
        } else {
            output = at::upsample_nearest2d(call.input(), size, scale);
        }
    }

private:
    std::vector<std::int64_t> m_size;  ///< empty: follows m_scale
    std::vector<double> m_scale;
    std::string m_mode;
    bool m_align;
};

}  // namespace

void addPoolingLeaves(LeafBuilders& builders) {
    addLeaf<MaxPool2d>(builders, "MaxPool2d");
    addLeaf<AvgPool2d>(builders, "AvgPool2d");
    addLeaf<AdaptiveAvgPool2d>(builders, "AdaptiveAvgPool2d");
    addLeaf<Upsample>(builders, "Upsample");
}

}  // namespace plumbline::model
