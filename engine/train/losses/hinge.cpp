// Losses of a signed score and a target of -1 or 1. SoftMarginLoss and HingeEmbeddingLoss of torch.nn; HingeLoss is
// max(0, margin - y * x), Cortes and Vapnik 1995.

#include <ATen/TensorOperators.h>
#include <ATen/ops/hinge_embedding_loss.h>
#include <ATen/ops/soft_margin_loss.h>

#include "train/losses/all_losses.h"
#include "train/losses/support.h"

namespace plumbline::train {
namespace {

class SoftMargin final : public losses::ElementWise {
public:
    using ElementWise::ElementWise;

protected:
    at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        return at::soft_margin_loss(prediction, target, reduction);
    }
};

class Hinge final : public losses::ElementWise {
public:
    explicit Hinge(const plan::LossSpec& spec) : ElementWise(spec.type), m_margin(spec.number("margin")) {}

protected:
    at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        return losses::reduce((m_margin - prediction * target).clamp_min(0), reduction);
    }

private:
    double m_margin;
};

class HingeEmbedding final : public losses::ElementWise {
public:
    explicit HingeEmbedding(const plan::LossSpec& spec) : ElementWise(spec.type), m_margin(spec.number("margin")) {}

protected:
    at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        return at::hinge_embedding_loss(prediction, target, m_margin, reduction);
    }

private:
    double m_margin;
};

}  // namespace

Result<std::unique_ptr<Loss>> makeSoftMargin(const LossRequest& request) {
    return std::make_unique<SoftMargin>(request.spec.type);
}
Result<std::unique_ptr<Loss>> makeHinge(const LossRequest& request) {
    return std::make_unique<Hinge>(request.spec);
}
Result<std::unique_ptr<Loss>> makeHingeEmbedding(const LossRequest& request) {
    return std::make_unique<HingeEmbedding>(request.spec);
}

}  // namespace plumbline::train
