// BCEWithLogitsLoss and BCELoss of torch.nn: each element of the output is yes or no by itself. Weights belong to
// classes, which are dimension 1 whatever follows it; PyTorch aligns the last dimensions, which is the same for [B, C].

#include <ATen/ops/binary_cross_entropy.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>

#include "train/losses/all_losses.h"
#include "train/losses/support.h"

namespace plumbline::train {
namespace {

class BinaryWithLogits final : public losses::ElementWise {
public:
    explicit BinaryWithLogits(const LossRequest& request)
        : ElementWise(request.spec.type),
          m_positive(losses::weightsOf(request.spec, "pos_weight", request.device)),
          m_weight(losses::weightsOf(request.spec, "class_weights", request.device)) {}

    Status fits(const LossOperands& operands) const override {
        PLUMBLINE_TRY(losses::fitsClasses(m_positive, operands.prediction(), type(), "pos_weight", true));
        PLUMBLINE_TRY(losses::fitsClasses(m_weight, operands.prediction(), type(), "class_weights", false));
        return ElementWise::fits(operands);
    }

protected:
    at::Tensor compare(const at::Tensor& logits, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        return at::binary_cross_entropy_with_logits(logits, target, losses::alongClasses(m_weight, logits),
                                                    losses::alongClasses(m_positive, logits), reduction);
    }

private:
    std::optional<at::Tensor> m_positive, m_weight;
};

class Binary final : public losses::ElementWise {
public:
    explicit Binary(const LossRequest& request)
        : ElementWise(request.spec.type), m_weight(losses::weightsOf(request.spec, "class_weights", request.device)) {}

    Status fits(const LossOperands& operands) const override {
        PLUMBLINE_TRY(losses::fitsClasses(m_weight, operands.prediction(), type(), "class_weights", false));
        return ElementWise::fits(operands);
    }

protected:
    at::Tensor compare(const at::Tensor& probabilities, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        std::optional<at::Tensor> weight = losses::alongClasses(m_weight, probabilities);
        if (weight) {
            weight = weight->expand_as(probabilities);
        }
        return at::binary_cross_entropy(probabilities, target, weight, reduction);
    }

private:
    std::optional<at::Tensor> m_weight;
};

}  // namespace

Result<std::unique_ptr<Loss>> makeBCEWithLogits(const LossRequest& request) {
    return std::make_unique<BinaryWithLogits>(request);
}
Result<std::unique_ptr<Loss>> makeBCE(const LossRequest& request) {
    return std::make_unique<Binary>(request);
}

}  // namespace plumbline::train
