// Losses between outputs. CosineEmbeddingLoss, TripletMarginLoss and MarginRankingLoss of torch.nn; ContrastiveLoss of
// Hadsell, Chopra and LeCun 2006, equation 4: (1 - y) / 2 * d² + y / 2 * max(0, margin - d)², d the Euclidean distance,
// y = 0 for a pair of one kind.

#include <ATen/TensorOperators.h>
#include <ATen/ops/cosine_embedding_loss.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/margin_ranking_loss.h>
#include <ATen/ops/triplet_margin_loss.h>
#include <fmt/format.h>

#include "train/losses/all_losses.h"
#include "train/losses/support.h"

namespace plumbline::train {
namespace {

/// All outputs of one shape, with a dimension along which they are compared.
Status fitTogether(const char* type, const std::vector<at::Tensor>& outputs) {
    for (const at::Tensor& other : outputs) {
        if (other.sizes() != outputs.front().sizes() || other.dim() < 2) {
            return losses::misfit(fmt::format("{} got outputs {} and {}; it compares outputs of one shape [B, …, D].",
                                              type, losses::shapeText(outputs.front()), losses::shapeText(other)),
                                  "Give the outputs one shape.");
        }
    }
    return {};
}

/// A pair of outputs [B, D] with one number a sample.
class Pair : public losses::OverSamples {
public:
    Status fits(const LossOperands& operands) const override {
        PLUMBLINE_TRY(fitTogether(name(), operands.outputs));
        if (operands.prediction().dim() != 2 || !losses::aSample(operands.target(), operands.samples()).defined()) {
            return losses::misfit(
                fmt::format("{} got an output {} and a target {}; it wants outputs [B, D] and one number a sample.",
                            name(), losses::shapeText(operands.prediction()), losses::shapeText(operands.target())),
                "Put Flatten before the outputs, and choose a target of one number a sample.");
        }
        return {};
    }

protected:
    virtual const char* name() const = 0;
    static at::Tensor label(const LossOperands& operands) {
        return losses::aSample(operands.target(), operands.samples()).to(operands.prediction().scalar_type());
    }
};

class CosineEmbedding final : public Pair {
public:
    explicit CosineEmbedding(const plan::LossSpec& spec) : m_margin(spec.number("margin")) {}

protected:
    const char* name() const override { return "CosineEmbeddingLoss"; }
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override {
        return at::cosine_embedding_loss(operands.outputs[0], operands.outputs[1], label(operands), m_margin,
                                         reduction);
    }

private:
    double m_margin;
};

class Contrastive final : public Pair {
public:
    explicit Contrastive(const plan::LossSpec& spec) : m_margin(spec.number("margin")) {}

protected:
    const char* name() const override { return "ContrastiveLoss"; }
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override {
        const at::Tensor difference = operands.outputs[0] - operands.outputs[1], y = label(operands);
        // At a distance of 0 its gradient is taken as 0.
        const at::Tensor lead = (m_margin - at::linalg_vector_norm(difference, 2, at::IntArrayRef{1})).clamp_min(0);
        return losses::reduce((1 - y) * 0.5 * difference.square().sum(1) + y * 0.5 * lead.square(), reduction);
    }

private:
    double m_margin;
};

class Triplet final : public Loss {
public:
    explicit Triplet(const plan::LossSpec& spec)
        : m_margin(spec.number("margin")),
          m_p(spec.number("p")),
          m_eps(spec.number("eps")),
          m_swap(spec.flag("swap")) {}

    Status fits(const LossOperands& operands) const override {
        return fitTogether("TripletMarginLoss", operands.outputs);
    }

protected:
    at::Tensor counted(const LossOperands& operands) const override {
        const at::Tensor& anchor = operands.prediction();
        return losses::countOf(static_cast<double>(anchor.numel() / std::max<std::int64_t>(1, anchor.size(-1))),
                               anchor);
    }
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override {
        return at::triplet_margin_loss(operands.outputs[0], operands.outputs[1], operands.outputs[2], m_margin, m_p,
                                       m_eps, m_swap, reduction);
    }

private:
    double m_margin, m_p, m_eps;
    bool m_swap;
};

class MarginRanking final : public losses::ElementWise {
public:
    explicit MarginRanking(const plan::LossSpec& spec) : ElementWise(spec.type), m_margin(spec.number("margin")) {}

    Status fits(const LossOperands& operands) const override {
        if (operands.outputs[0].sizes() != operands.outputs[1].sizes()) {
            return losses::misfit(
                fmt::format("MarginRankingLoss got outputs {} and {}; it compares outputs of one shape.",
                            losses::shapeText(operands.outputs[0]), losses::shapeText(operands.outputs[1])),
                "Give the outputs one shape.");
        }
        return ElementWise::fits(operands);
    }

protected:
    at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        return at::margin_ranking_loss(prediction, all.outputs[1], target, m_margin, reduction);
    }

private:
    double m_margin;
};

}  // namespace

Result<std::unique_ptr<Loss>> makeCosineEmbedding(const LossRequest& request) {
    return std::make_unique<CosineEmbedding>(request.spec);
}
Result<std::unique_ptr<Loss>> makeContrastive(const LossRequest& request) {
    return std::make_unique<Contrastive>(request.spec);
}
Result<std::unique_ptr<Loss>> makeTripletMargin(const LossRequest& request) {
    return std::make_unique<Triplet>(request.spec);
}
Result<std::unique_ptr<Loss>> makeMarginRanking(const LossRequest& request) {
    return std::make_unique<MarginRanking>(request.spec);
}

}  // namespace plumbline::train
