// ReLU, LeakyReLU, GELU, SiLU, Sigmoid, Tanh, Softmax, LogSoftmax.

#include <ATen/ops/gelu.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tanh.h>

#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

/// An activation without parameters: one function of one tensor.
template <at::Tensor (*function)(const at::Tensor&)>
class Pointwise final : public Leaf {
public:
    explicit Pointwise(const Json& /*params*/) {}
    void forward(const LeafCall& call) override { call.outputs[0] = function(call.input()); }
};

class LeakyReLU final : public Leaf {
public:
    explicit LeakyReLU(const Json& params) : m_slope(numberOr(params, "negative_slope", 0.01)) {}
    void forward(const LeafCall& call) override { call.outputs[0] = at::leaky_relu(call.input(), m_slope); }

private:
    double m_slope;
};

class GELU final : public Leaf {
public:
    explicit GELU(const Json& params) : m_approximate(textOr(params, "approximate", "none")) {}
    void forward(const LeafCall& call) override { call.outputs[0] = at::gelu(call.input(), m_approximate); }

private:
    std::string m_approximate;
};

/// `dim` left out means what PyTorch's deprecated default means: 0 for 0, 1 and 3 dimensions, else 1.
std::int64_t softmaxDim(std::optional<std::int64_t> dim, const at::Tensor& input) {
    return dim.value_or(input.dim() <= 1 || input.dim() == 3 ? 0 : 1);
}

class Softmax final : public Leaf {
public:
    explicit Softmax(const Json& params) : m_dim(optionalInteger(params, "dim")) {}
    void forward(const LeafCall& call) override {
        call.outputs[0] = at::softmax(call.input(), softmaxDim(m_dim, call.input()));
    }

private:
    std::optional<std::int64_t> m_dim;
};

class LogSoftmax final : public Leaf {
public:
    explicit LogSoftmax(const Json& params) : m_dim(optionalInteger(params, "dim")) {}
    void forward(const LeafCall& call) override {
        call.outputs[0] = at::log_softmax(call.input(), softmaxDim(m_dim, call.input()));
    }

private:
    std::optional<std::int64_t> m_dim;
};

}  // namespace

void addActivationLeaves(LeafBuilders& builders) {
    addLeaf<Pointwise<at::relu>>(builders, "ReLU");
    addLeaf<LeakyReLU>(builders, "LeakyReLU");
    addLeaf<GELU>(builders, "GELU");
    addLeaf<Pointwise<at::silu>>(builders, "SiLU");
    addLeaf<Pointwise<at::sigmoid>>(builders, "Sigmoid");
    addLeaf<Pointwise<at::tanh>>(builders, "Tanh");
    addLeaf<Softmax>(builders, "Softmax");
    addLeaf<LogSoftmax>(builders, "LogSoftmax");
}

}  // namespace plumbline::model
