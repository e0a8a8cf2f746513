// CTCLoss of torch.nn for outputs [B, T, C] of log-probabilities and targets [B, S] of labels.

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ctc_loss.h>
#include <ATen/ops/full.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>

#include <stdexcept>

#include "train/losses/all_losses.h"
#include "train/losses/support.h"

namespace plumbline::train {
namespace {

class Ctc final : public losses::OverSamples {
public:
    explicit Ctc(const plan::LossSpec& spec)
        : m_blank(spec.integer("blank")),
          m_zeroInfinity(spec.flag("zero_infinity")),
          m_inputLengths(!spec.text("input_lengths").empty()),
          m_targetLengths(!spec.text("target_lengths").empty()) {}

    Status fits(const LossOperands& operands) const override {
        const at::Tensor& output = operands.prediction();
        const at::Tensor& labels = operands.target();
        if (output.dim() != 3 || labels.dim() != 2 || labels.scalar_type() != at::kLong ||
            labels.size(0) != output.size(0)) {
            return losses::misfit(
                fmt::format("CTCLoss got an output {} and a target {} of {}; it wants log-probabilities [B, T, C] and "
                            "labels (int64) [B, S].",
                            losses::shapeText(output), losses::shapeText(labels), c10::toString(labels.scalar_type())),
                "Let the model's output have a row of classes a frame, and the target a row of labels a sample, filled "
                "up with the blank.");
        }
        for (std::size_t i = 1; i < operands.targets.size(); ++i) {
            if (!losses::aSample(operands.targets[i], output.size(0)).defined()) {
                return losses::misfit(
                    fmt::format("CTCLoss got lengths of shape {}; it wants one whole number a sample.",
                                losses::shapeText(operands.targets[i])),
                    "Choose a column of lengths, or leave it out.");
            }
        }
        if (m_blank >= output.size(2)) {
            return losses::misfit(fmt::format("The blank of CTCLoss is class {} and the output tells {} classes apart.",
                                              m_blank, output.size(2)),
                                  "Set blank to one of them; 0 is usual.");
        }
        return {};
    }

protected:
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override {
        const at::Tensor& output = operands.prediction();
        const at::Tensor& labels = operands.target();
        const at::Tensor frames = m_inputLengths ? lengths(operands.targets[1], output.size(0))
                                                 : at::full({output.size(0)}, output.size(1), labels.options());
        const at::Tensor used = m_targetLengths ? lengths(operands.targets[m_inputLengths ? 2 : 1], output.size(0))
                                                : labels.ne(m_blank).sum(1);
        // The kernel reads where a label points to.
        const at::Tensor wrong = (labels.lt(0) | labels.ge(output.size(2))) &
                                 at::arange(labels.size(1), labels.options()).lt(used.unsqueeze(1));
        if (wrong.any().item<bool>()) {
            throw std::invalid_argument(
                fmt::format("a label of the target is outside 0 to {}, the classes of the output; give the model more "
                            "of them, or correct the labels",
                            output.size(2) - 1));
        }
        return at::ctc_loss(output.transpose(0, 1), labels, frames, used, m_blank, reduction, m_zeroInfinity);
    }

private:
    static at::Tensor lengths(const at::Tensor& given, std::int64_t samples) {
        return losses::aSample(given, samples).to(at::kLong);
    }

    std::int64_t m_blank;
    bool m_zeroInfinity, m_inputLengths, m_targetLengths;
};

}  // namespace

Result<std::unique_ptr<Loss>> makeCTC(const LossRequest& request) {
    return std::make_unique<Ctc>(request.spec);
}

}  // namespace plumbline::train
