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

/// The same with a second function that overwrites its input.
template <at::Tensor (*function)(const at::Tensor&), at::Tensor& (*inPlace)(at::Tensor&)>
class PointwiseOrInPlace final : public Leaf {
public:
    explicit PointwiseOrInPlace(const Json& params) : m_inPlace(booleanOr(params, "inplace", false)) {}
    void forward(const LeafCall& call) override {
        if (m_inPlace) {
            at::Tensor tensor = call.input();
            call.outputs[0] = inPlace(tensor);
        } else {
            call.outputs[0] = function(call.input());
        }
    }

private:
    bool m_inPlace;
};

class LeakyReLU final : public Leaf {
public:
    explicit LeakyReLU(const Json& params)
        : m_slope(numberOr(params, "negative_slope", 0.01)), m_inPlace(booleanOr(params, "inplace", false)) {}
    void forward(const LeafCall& call) override {
        if (m_inPlace) {
            at::Tensor tensor = call.input();
            call.outputs[0] = at::leaky_relu_(tensor, m_slope);
        } else {
            call.outputs[0] = at::leaky_relu(call.input(), m_slope);
        }
    }

private:
    double m_slope;
    bool m_inPlace;
};

class GELU final : public Leaf {
public:
    explicit GELU(const Json& params) : m_approximate(textOr(params, "approximate", "none")) {}
    void forward(const LeafCall& call) override { call.outputs[0] = at::gelu(call.input(), m_approximate); }

private:
    std::string m_approximate;
};

class Softmax final : public Leaf {
public:
    explicit Softmax(const Json& params) : m_dim(integerOr(params, "dim", -1)) {}
    void forward(const LeafCall& call) override { call.outputs[0] = at::softmax(call.input(), m_dim); }

private:
    std::int64_t m_dim;
};

class LogSoftmax final : public Leaf {
public:
    explicit LogSoftmax(const Json& params) : m_dim(integerOr(params, "dim", -1)) {}
    void forward(const LeafCall& call) override { call.outputs[0] = at::log_softmax(call.input(), m_dim); }

private:
    std::int64_t m_dim;
};

}  // namespace

void addActivationLeaves(LeafBuilders& builders) {
    addLeaf<PointwiseOrInPlace<at::relu, at::relu_>>(builders, "ReLU");
    addLeaf<LeakyReLU>(builders, "LeakyReLU");
    addLeaf<GELU>(builders, "GELU");
    addLeaf<PointwiseOrInPlace<at::silu, at::silu_>>(builders, "SiLU");
    addLeaf<Pointwise<at::sigmoid>>(builders, "Sigmoid");
    addLeaf<Pointwise<at::tanh>>(builders, "Tanh");
    addLeaf<Softmax>(builders, "Softmax");
    addLeaf<LogSoftmax>(builders, "LogSoftmax");
}

}  // namespace plumbline::model
