// CrossEntropyLoss and NLLLoss of torch.nn: one class of several a sample or a position.

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/nll_loss_nd.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>

#include <algorithm>

#include "train/losses/all_losses.h"
#include "train/losses/support.h"

namespace plumbline::train {
namespace {

/// Both: class numbers of which some may not count, and weights that count in what the mean is divided by.
class BetweenClasses : public Loss {
public:
    explicit BetweenClasses(const LossRequest& request)
        : m_type(request.spec.type),
          m_ignored(request.spec.integer("ignore_index")),
          m_weights(request.spec.numbers("class_weights")),
          m_weight(losses::weightsOf(request.spec, "class_weights", request.device)) {}

    std::optional<double> countedLabels(const at::Tensor& target) const override {
        return target.scalar_type() == at::kLong ? std::optional(losses::countLabels(target, m_ignored, m_weights))
                                                 : std::nullopt;
    }
    Status fits(const LossOperands& operands) const override {
        const at::Tensor& scores = operands.prediction();
        const at::Tensor& target = operands.target();
        const bool probabilities =
            takesProbabilities() && scores.dim() >= 1 && target.is_floating_point() && target.sizes() == scores.sizes();
        if (!probabilities && !losses::areClassNumbers(scores, target)) {
            return losses::misfit(
                takesProbabilities()
                    ? fmt::format("{} got logits {} and a target {} of {}; it wants class numbers (int64) of the "
                                  "logits' shape without the class dimension, or probabilities of the logits' shape.",
                                  m_type, losses::shapeText(scores), losses::shapeText(target),
                                  c10::toString(target.scalar_type()))
                    : fmt::format("{} got an output {} and a target {} of {}; it wants class numbers (int64) of the "
                                  "output's shape without the class "
                                  "dimension.",
                                  m_type, losses::shapeText(scores), losses::shapeText(target),
                                  c10::toString(target.scalar_type())),
                "Choose a class column as target, or MSELoss for a number.");
        }
        return scores.dim() >= 2 ? losses::fitsClasses(m_weight, scores, m_type, "class_weights", false) : Status{};
    }

protected:
    virtual bool takesProbabilities() const = 0;
    at::Tensor counted(const LossOperands& operands) const override {
        const at::Tensor& target = operands.target();
        if (target.is_floating_point()) {
            const at::Tensor& scores = operands.prediction();
            return losses::countOf(
                static_cast<double>(scores.numel() / std::max<std::int64_t>(scores.size(scores.dim() > 1 ? 1 : 0), 1)),
                scores);
        }
        const at::Tensor counts = target.ne(m_ignored);
        return m_weight ? at::where(counts, m_weight->take(at::where(counts, target, 0)), 0.0).sum()
                        : counts.sum().to(at::kDouble);
    }
    std::optional<at::Tensor> weightLike(const at::Tensor& scores) const {
        return m_weight ? std::optional(m_weight->to(scores.scalar_type())) : std::nullopt;
    }
    std::int64_t ignored() const { return m_ignored; }

private:
    std::string m_type;
    std::int64_t m_ignored;
    std::vector<double> m_weights;       ///< by class; empty: all alike
    std::optional<at::Tensor> m_weight;  ///< the same
};

class CrossEntropy final : public BetweenClasses {
public:
    explicit CrossEntropy(const LossRequest& request)
        : BetweenClasses(request), m_smoothing(request.spec.number("label_smoothing")) {}

protected:
    bool takesProbabilities() const override { return true; }
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override {
        const at::Tensor& logits = operands.prediction();
        const at::Tensor& target = operands.target();
        return at::cross_entropy_loss(logits, target.is_floating_point() ? target.to(logits.scalar_type()) : target,
                                      weightLike(logits), reduction, ignored(), m_smoothing);
    }

private:
    double m_smoothing;
};

class NegativeLogLikelihood final : public BetweenClasses {
public:
    using BetweenClasses::BetweenClasses;

protected:
    bool takesProbabilities() const override { return false; }
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override {
        return at::nll_loss_nd(operands.prediction(), operands.target(), weightLike(operands.prediction()), reduction,
                               ignored());
    }
};

}  // namespace

Result<std::unique_ptr<Loss>> makeCrossEntropy(const LossRequest& request) {
    return std::make_unique<CrossEntropy>(request);
}
Result<std::unique_ptr<Loss>> makeNLL(const LossRequest& request) {
    return std::make_unique<NegativeLogLikelihood>(request);
}

}  // namespace plumbline::train
