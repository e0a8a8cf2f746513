// LSTM, GRU.

#include <ATen/ops/gru.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "model/fill.h"
#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

/// What LSTM and GRU share: torch.nn.RNNBase.
class Recurrent : public Leaf {
public:
    Recurrent(const Json& params, std::int64_t gates)
        : m_input(requiredInteger(params, "input_size")),
          m_hidden(requiredInteger(params, "hidden_size")),
          m_layers(integerOr(params, "num_layers", 1)),
          m_projection(integerOr(params, "proj_size", 0)),
          m_dropout(numberOr(params, "dropout", 0.0)),
          m_bias(booleanOr(params, "bias", true)),
          m_batchFirst(booleanOr(params, "batch_first", false)),
          m_bidirectional(booleanOr(params, "bidirectional", false)) {
        const std::int64_t directions = m_bidirectional ? 2 : 1;
        const std::int64_t rows = gates * m_hidden;
        for (std::int64_t layer = 0; layer < m_layers; ++layer) {
            const std::int64_t width = layer == 0 ? m_input : outputSize() * directions;
            for (std::int64_t direction = 0; direction < directions; ++direction) {
                const std::string suffix = fmt::format("_l{}{}", layer, direction == 0 ? "" : "_reverse");
                addParameter("weight_ih" + suffix, {rows, width});
                addParameter("weight_hh" + suffix, {rows, outputSize()});
                if (m_bias) {
                    addParameter("bias_ih" + suffix, {rows});
                    addParameter("bias_hh" + suffix, {rows});
                }
                if (m_projection > 0) {
                    addParameter("weight_hr" + suffix, {m_projection, m_hidden});
                }
            }
        }
    }

    void reset() override {
        const double bound = m_hidden > 0 ? 1.0 / std::sqrt(static_cast<double>(m_hidden)) : 0.0;
        for (const at::Tensor& parameter : tensors()) {
            fillUniform(parameter, -bound, bound);
        }
    }

protected:
    /// The input with a batch dimension, checked.
    at::Tensor batched(const at::Tensor& input) const {
        if (input.dim() != 2 && input.dim() != 3) {
            throw std::invalid_argument(fmt::format("Expected 2 or 3 dimensions and got {}.", input.dim()));
        }
        if (input.size(-1) != m_input) {
            throw std::invalid_argument(
                fmt::format("The last dimension has to be input_size = {} and is {}.", m_input, input.size(-1)));
        }
        return input.dim() == 3 ? input : input.unsqueeze(batchDim());
    }
    std::int64_t batchDim() const { return m_batchFirst ? 0 : 1; }
    std::int64_t outputSize() const { return m_projection > 0 ? m_projection : m_hidden; }
    /// The initial state of `width` features: input `port` of the call, or zeros.
    at::Tensor initialState(const LeafCall& call, std::size_t port, const at::Tensor& input, std::int64_t width) const {
        if (call.has(port)) {
            return call.input(port).dim() == 3 ? call.input(port) : call.input(port).unsqueeze(1);
        }
        const std::int64_t states = m_layers * (m_bidirectional ? 2 : 1);
        return at::zeros({states, input.size(batchDim()), width}, input.options());
    }
    /// Takes the batch dimension away again where the call had none.
    void give(const LeafCall& call, std::size_t port, at::Tensor value, std::int64_t dim) const {
        if (port < call.outputs.size()) {
            call.outputs[port] = call.input().dim() == 3 ? std::move(value) : value.squeeze(dim);
        }
    }

    std::int64_t m_input;
    std::int64_t m_hidden;
    std::int64_t m_layers;
    std::int64_t m_projection;
    double m_dropout;
    bool m_bias;
    bool m_batchFirst;
    bool m_bidirectional;
};

class LSTM final : public Recurrent {
public:
    explicit LSTM(const Json& params) : Recurrent(params, 4) {}
    void forward(const LeafCall& call) override {
        const at::Tensor input = batched(call.input());
        const at::Tensor state[2] = {initialState(call, 1, input, outputSize()),
                                     initialState(call, 2, input, m_hidden)};
        auto [output, h, c] = at::lstm(input, state, tensors(), m_bias, m_layers, m_dropout, call.training,
                                       m_bidirectional, m_batchFirst);
        give(call, 0, std::move(output), batchDim());
        give(call, 1, std::move(h), 1);
        give(call, 2, std::move(c), 1);
    }
};

class GRU final : public Recurrent {
public:
    explicit GRU(const Json& params) : Recurrent(params, 3) {}
    void forward(const LeafCall& call) override {
        const at::Tensor input = batched(call.input());
        auto [output, h] = at::gru(input, initialState(call, 1, input, m_hidden), tensors(), m_bias, m_layers,
                                   m_dropout, call.training, m_bidirectional, m_batchFirst);
        give(call, 0, std::move(output), batchDim());
        give(call, 1, std::move(h), 1);
    }
};

}  // namespace

void addRecurrentLeaves(LeafBuilders& builders) {
    addLeaf<LSTM>(builders, "LSTM");
    addLeaf<GRU>(builders, "GRU");
}

}  // namespace plumbline::model
