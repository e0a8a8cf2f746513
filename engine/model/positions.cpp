// PositionalEncoding, LearnedPositionalEncoding.

#include "model/positions.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "model/dropout.h"
#include "model/fill.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

class Positions : public Leaf {
public:
    Positions(const Json& params, std::int64_t mostPositions, double usualDropout)
        : m_model(requiredInteger(params, "d_model")),
          m_most(mostPositions),
          m_dropout(numberOr(params, "dropout", usualDropout)),
          m_batchFirst(booleanOr(params, "batch_first", false)) {}

    void forward(const LeafCall& call) override {
        const at::Tensor& input = call.input();
        if (input.dim() != 3) {
            throw std::invalid_argument(fmt::format("Expected 3 dimensions and got {}.", input.dim()));
        }
        const std::int64_t steps = input.size(m_batchFirst ? 1 : 0);
        if (steps > m_most) {
            throw std::invalid_argument(fmt::format(
                "It knows {} positions and the sequence has {}; set max_len to {} or more.", m_most, steps, steps));
        }
        call.outputs[0] = applyDropout(at::add(input, first(steps)), m_dropout, call.training);
    }

protected:
    /// The first `steps` positions, made to fit the input.
    virtual at::Tensor first(std::int64_t steps) = 0;

    std::int64_t m_model;
    std::int64_t m_most;
    double m_dropout;
    bool m_batchFirst;
};

/// PE(p, 2i) = sin(p / 10000^(2i / d_model)), PE(p, 2i + 1) the cosine (Vaswani et al., 2017, section 3.5), in the
/// operations of PyTorch's tutorial "Language Modeling with nn.Transformer and torchtext".
class PositionalEncoding final : public Positions {
public:
    explicit PositionalEncoding(const Json& params) : Positions(params, integerOr(params, "max_len", 5000), 0.1) {
        if (m_model % 2 != 0) {
            throw std::invalid_argument("It pairs a sine with a cosine and needs an even number of features.");
        }
        addBuffer("pe", {m_batchFirst ? 1 : m_most, m_batchFirst ? m_most : 1, m_model});
    }
    void reset() override {
        const at::NoGradGuard noGrad;
        const at::Tensor rates =
            at::exp(at::arange(0, m_model, 2).mul(-std::log(10000.0) / static_cast<double>(m_model)));
        const at::Tensor angles = at::arange(m_most).unsqueeze(1).mul(rates);
        tensor(0).copy_(at::stack({angles.sin(), angles.cos()}, 2).view(tensor(0).sizes()));
    }

protected:
    at::Tensor first(std::int64_t steps) override { return tensor(0).narrow(m_batchFirst ? 1 : 0, 0, steps); }
};

/// torch.nn.Embedding of the positions, its start included.
class LearnedPositionalEncoding final : public Positions {
public:
    explicit LearnedPositionalEncoding(const Json& params)
        : Positions(params, requiredInteger(params, "max_len"), 0.0) {
        addParameter("weight", {m_most, m_model});
    }
    void reset() override { fillNormal(tensor(0), 0.0, 1.0); }

protected:
    at::Tensor first(std::int64_t steps) override {
        const at::Tensor rows = tensor(0).narrow(0, 0, steps);
        return m_batchFirst ? rows : rows.unsqueeze(1);
    }
};

}  // namespace

void addPositionLeaves(LeafBuilders& builders) {
    addLeaf<PositionalEncoding>(builders, "PositionalEncoding");
    addLeaf<LearnedPositionalEncoding>(builders, "LearnedPositionalEncoding");
}

}  // namespace plumbline::model
