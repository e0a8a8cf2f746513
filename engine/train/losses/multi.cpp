// MultiMarginLoss, MultiLabelMarginLoss and MultiLabelSoftMarginLoss of torch.nn: the mean over samples of what each
// costs over its classes.

#include <ATen/TensorOperators.h>
#include <ATen/ops/log_sigmoid.h>
#include <ATen/ops/multi_margin_loss.h>
#include <ATen/ops/multilabel_margin_loss.h>
#include <fmt/format.h>

#include "train/losses/all_losses.h"
#include "train/losses/support.h"

namespace plumbline::train {
namespace {

class MultiMargin final : public losses::OverSamples {
public:
    explicit MultiMargin(const LossRequest& request)
        : m_p(request.spec.number("p")),
          m_margin(request.spec.number("margin")),
          m_weight(losses::weightsOf(request.spec, "class_weights", request.device)) {}

    Status fits(const LossOperands& operands) const override {
        const at::Tensor& scores = operands.prediction();
        if (scores.dim() != 2 || !losses::areClassNumbers(scores, operands.target())) {
            return losses::misfit(fmt::format("MultiMarginLoss got scores {} and a target {} of {}; it wants scores "
                                              "[B, C] and class numbers (int64) [B].",
                                              losses::shapeText(scores), losses::shapeText(operands.target()),
                                              c10::toString(operands.target().scalar_type())),
                                  "Choose a class column as target.");
        }
        return losses::fitsClasses(m_weight, scores, "MultiMarginLoss", "class_weights", false);
    }

protected:
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override {
        const at::Tensor& scores = operands.prediction();
        const std::optional<at::Tensor> weight =
            m_weight ? std::optional(m_weight->to(scores.scalar_type())) : std::nullopt;
        return at::multi_margin_loss(scores, operands.target(), m_p, m_margin, weight, reduction);
    }

private:
    double m_p, m_margin;
    std::optional<at::Tensor> m_weight;
};

class MultiLabelMargin final : public losses::OverSamples {
public:
    Status fits(const LossOperands& operands) const override {
        const at::Tensor& scores = operands.prediction();
        const at::Tensor& target = operands.target();
        if (scores.dim() != 2 || target.scalar_type() != at::kLong || target.sizes() != scores.sizes()) {
            return losses::misfit(
                fmt::format("MultiLabelMarginLoss got scores {} and a target {} of {}; it wants scores [B, C] and "
                            "class numbers (int64) [B, C], in each row the "
                            "sample's classes and -1 after the last.",
                            losses::shapeText(scores), losses::shapeText(target), c10::toString(target.scalar_type())),
                "Choose MultiLabelSoftMarginLoss or BCEWithLogitsLoss for a 0 or 1 a class.");
        }
        return {};
    }

protected:
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override {
        return at::multilabel_margin_loss(operands.prediction(), operands.target(), reduction);
    }
};

/// As torch.nn.functional.multilabel_soft_margin_loss, for [B, C].
class MultiLabelSoftMargin final : public losses::ElementWise {
public:
    explicit MultiLabelSoftMargin(const LossRequest& request)
        : ElementWise(request.spec.type), m_weight(losses::weightsOf(request.spec, "class_weights", request.device)) {}

    Status fits(const LossOperands& operands) const override {
        if (operands.prediction().dim() != 2) {
            return losses::misfit(fmt::format("MultiLabelSoftMarginLoss got scores {}; it wants [B, C].",
                                              losses::shapeText(operands.prediction())),
                                  "Choose BCEWithLogitsLoss.");
        }
        PLUMBLINE_TRY(losses::fitsClasses(m_weight, operands.prediction(), type(), "class_weights", false));
        return ElementWise::fits(operands);
    }

protected:
    at::Tensor counted(const LossOperands& operands) const override {
        return losses::countOf(static_cast<double>(operands.samples()), operands.prediction());
    }
    at::Tensor compare(const at::Tensor& scores, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        at::Tensor each = -(target * at::log_sigmoid(scores) + (1 - target) * at::log_sigmoid(-scores));
        if (m_weight) {
            each = each * *losses::alongClasses(m_weight, scores);
        }
        return losses::reduce(each.sum(1) / static_cast<double>(scores.size(1)), reduction);
    }

private:
    std::optional<at::Tensor> m_weight;
};

}  // namespace

Result<std::unique_ptr<Loss>> makeMultiMargin(const LossRequest& request) {
    // LibTorch has these two kernels alone.
    if (const double p = request.spec.number("p"); p != 1 && p != 2) {
        return fail(ErrorKind::kInvalid, "out-of-range",
                    fmt::format("MultiMarginLoss takes the power 1 or 2, and p is {}.", p),
                    pointerTo(request.pointer, "p"), "Write 1 or 2.");
    }
    return std::make_unique<MultiMargin>(request);
}
Result<std::unique_ptr<Loss>> makeMultiLabelMargin(const LossRequest&) {
    return std::make_unique<MultiLabelMargin>();
}
Result<std::unique_ptr<Loss>> makeMultiLabelSoftMargin(const LossRequest& request) {
    return std::make_unique<MultiLabelSoftMargin>(request);
}

}  // namespace plumbline::train
