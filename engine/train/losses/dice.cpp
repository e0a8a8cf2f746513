// DiceLoss: 1 - (2 Σ p g + smooth) / (Σ p + Σ g + smooth) over the positions of a sample's class, then the mean over
// its classes, then over the samples in which anything counts. With squared, Σ p² + Σ g² as in Milletari, Navab and
// Ahmadi, "V-Net", 2016; without, the coefficient of Dice 1945. p is the softmax over the classes beside class numbers,
// the sigmoid beside a target of the output's shape.

#include <ATen/TensorOperators.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include "train/losses/all_losses.h"
#include "train/losses/support.h"

namespace plumbline::train {
namespace {

class Dice final : public Loss {
public:
    explicit Dice(const LossRequest& request)
        : m_smooth(request.spec.number("smooth")),
          m_ignored(request.spec.integer("ignore_index")),
          m_background(request.spec.flag("include_background")),
          m_squared(request.spec.flag("squared")) {}

    std::optional<double> countedLabels(const at::Tensor& target) const override {
        return samplesThatCount(target).sum().item<double>();
    }
    Status fits(const LossOperands& operands) const override {
        return losses::fitsClassesOrElements(operands, "DiceLoss");
    }

protected:
    at::Tensor counted(const LossOperands& operands) const override {
        return samplesThatCount(operands.target()).sum().to(at::kDouble);
    }
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override {
        const at::Tensor& scores = operands.prediction();
        const auto [classes, target] = losses::classesOrElements(scores, operands.target());
        const at::Tensor counts = target.ne(m_ignored);
        const at::Tensor known = at::where(counts, target, 0);
        at::Tensor share = classes ? at::softmax(scores, 1) : at::sigmoid(scores);
        at::Tensor truth =
            classes ? at::zeros_like(share).scatter_(1, known.unsqueeze(1), 1.0) : known.to(scores.scalar_type());
        const at::Tensor mask = (classes ? counts.unsqueeze(1) : counts).to(scores.scalar_type());
        share = regions(share * mask);
        truth = regions(truth * mask);
        const at::Tensor both = (share * truth).sum(2),
                         all = m_squared ? share.square().sum(2) + truth.square().sum(2) : share.sum(2) + truth.sum(2);
        // Nothing to find, nothing found and nothing added: that is no loss, and it has no gradient.
        const at::Tensor below = all + m_smooth, empty = below.eq(0);
        at::Tensor each = at::where(empty, 0.0, 1 - (2 * both + m_smooth) / at::where(empty, 1.0, below));
        if (!m_background && each.size(1) > 1) {
            each = each.slice(1, 1);
        }
        const at::Tensor samples = samplesThatCount(target);
        each = at::where(samples, each.mean(1), 0.0);
        return reduction == at::Reduction::Mean ? each.sum() / samples.sum() : losses::reduce(each, reduction);
    }

private:
    /// [B, C, positions]
    static at::Tensor regions(const at::Tensor& tensor) {
        return tensor.reshape({tensor.size(0), tensor.dim() > 1 ? tensor.size(1) : 1, -1});
    }
    at::Tensor samplesThatCount(const at::Tensor& target) const {
        return target.ne(m_ignored).reshape({target.size(0), -1}).any(1);
    }

    double m_smooth;
    std::int64_t m_ignored;
    bool m_background, m_squared;
};

}  // namespace

Result<std::unique_ptr<Loss>> makeDice(const LossRequest& request) {
    return std::make_unique<Dice>(request);
}

}  // namespace plumbline::train
