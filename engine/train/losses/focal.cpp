// FocalLoss: Lin, Goyal, Girshick, He and Dollár, "Focal Loss for Dense Object Detection", 2017: -alpha_t (1 -
// p_t)^gamma log p_t. Between classes p is the softmax of the scores and alpha_t the class's weight (equation 5); of
// elements by themselves p is the sigmoid and alpha_t is alpha for a positive and 1 - alpha for a negative (equation
// 4). The mean is over what counts, without weights.

#include <ATen/TensorOperators.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/where.h>

#include <limits>

#include "train/losses/all_losses.h"
#include "train/losses/support.h"

namespace plumbline::train {
namespace {

class Focal final : public Loss {
public:
    explicit Focal(const LossRequest& request)
        : m_focus(request.spec.number("focus")),
          m_alpha(request.spec.optionalNumber("alpha")),
          m_ignored(request.spec.integer("ignore_index")),
          m_weight(losses::weightsOf(request.spec, "class_weights", request.device)) {}

    std::optional<double> countedLabels(const at::Tensor& target) const override {
        return losses::countLabels(target, m_ignored);
    }
    Status fits(const LossOperands& operands) const override {
        PLUMBLINE_TRY(losses::fitsClassesOrElements(operands, "FocalLoss"));
        return losses::fitsClasses(m_weight, operands.prediction(), "FocalLoss", "class_weights", false);
    }

protected:
    at::Tensor counted(const LossOperands& operands) const override {
        return losses::classesOrElements(operands.prediction(), operands.target())
            .target.ne(m_ignored)
            .sum()
            .to(at::kDouble);
    }
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override {
        const at::Tensor& scores = operands.prediction();
        const auto [classes, target] = losses::classesOrElements(scores, operands.target());
        const at::Tensor counts = target.ne(m_ignored);
        const at::Tensor each =
            at::where(counts,
                      classes ? betweenClasses(scores, at::where(counts, target, 0))
                              : ofElements(scores, at::where(counts, target, 0).to(scores.scalar_type())),
                      0.0);
        return reduction == at::Reduction::Mean ? each.sum() / counts.sum() : losses::reduce(each, reduction);
    }

private:
    /// How hard a sample is. Above 0, so that a focus under 1 has a gradient everywhere.
    at::Tensor focused(const at::Tensor& missing) const {
        return missing.clamp_min(static_cast<double>(std::numeric_limits<float>::min())).pow(m_focus);
    }
    at::Tensor betweenClasses(const at::Tensor& scores, const at::Tensor& target) const {
        const at::Tensor logarithm = at::log_softmax(scores, 1).gather(1, target.unsqueeze(1)).squeeze(1);
        const at::Tensor each = -focused(-at::expm1(logarithm)) * logarithm;
        return m_weight ? each * m_weight->to(scores.scalar_type()).take(target) : each;
    }
    at::Tensor ofElements(const at::Tensor& scores, const at::Tensor& target) const {
        const at::Tensor entropy = at::binary_cross_entropy_with_logits(scores, target, {}, {}, at::Reduction::None);
        at::Tensor each = focused(at::sigmoid(scores) * (1 - target) + at::sigmoid(-scores) * target) * entropy;
        if (m_alpha) {
            each = each * (*m_alpha * target + (1 - *m_alpha) * (1 - target));
        }
        return m_weight ? each * *losses::alongClasses(m_weight, scores) : each;
    }

    double m_focus;
    std::optional<double> m_alpha;
    std::int64_t m_ignored;
    std::optional<at::Tensor> m_weight;
};

}  // namespace

Result<std::unique_ptr<Loss>> makeFocal(const LossRequest& request) {
    return std::make_unique<Focal>(request);
}

}  // namespace plumbline::train
