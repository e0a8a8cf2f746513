#pragma once
// Losses as the plan names them (plan/loss_types.cpp), with PyTorch's numbers; docs/losses.md has formulas, shapes and
// sources.

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "plan/loss_traits.h"

namespace plumbline::train {

/// What a loss reads of a batch, in the order of plan::LossBinding.
struct LossOperands {
    std::vector<at::Tensor> outputs;  ///< the judged one first
    std::vector<at::Tensor> targets;  ///< none for losses between outputs

    const at::Tensor& prediction() const { return outputs.front(); }
    const at::Tensor& target() const { return targets.front(); }
    std::int64_t samples() const { return outputs.front().dim() > 0 ? outputs.front().size(0) : 1; }
};

/// One loss. Predictions in half precision are raised to float32 and autocast is off inside; a target takes the
/// prediction's type where the formula computes with it. Shapes have to be those that fits() accepted. May throw what
/// LibTorch throws.
class Loss {
public:
    virtual ~Loss() = default;
    /// By its reduction: one element, float32 or float64.
    at::Tensor value(const LossOperands& operands) const;
    /// Before its reduction, PyTorch's "none".
    at::Tensor unreduced(const LossOperands& operands) const;
    /// What value() is the mean over, one element in double on the prediction's device: what a mean over several
    /// batches weights it by. Of a loss that sums(): what its mean would be over.
    at::Tensor elements(const LossOperands& operands) const;
    /// The same from the first target alone, up to a factor, where it depends on the labels in it (some ignored, or
    /// weighted by class); nothing where each sample counts alike.
    virtual std::optional<double> countedLabels(const at::Tensor& target) const {
        (void)target;
        return std::nullopt;
    }
    /// The batches of a step or a split add up, instead of being averaged.
    bool sums() const { return m_reduction == Reduction::kSum; }
    /// Whether it compares element by element, so that prediction and target must have one shape.
    virtual bool elementWise() const { return false; }
    /// What outputs and targets have to look like; an error says what it got.
    virtual Status fits(const LossOperands& operands) const = 0;

    /// A loss that is a sum of others has none of its own (plan::termsOf). `binding`: of an ExpressionLoss.
    static Result<std::unique_ptr<Loss>> make(const plan::LossSpec& spec, const std::string& pointer, at::Device device,
                                              const plan::LossBinding* binding = nullptr);

protected:
    enum class Reduction { kMean, kSum, kBatchMean };

    /// `reduction`: at::Reduction::None, Mean or Sum. Outputs are float32 or float64.
    virtual at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const = 0;
    /// elements() of a mean.
    virtual at::Tensor counted(const LossOperands& operands) const = 0;

private:
    Reduction m_reduction = Reduction::kMean;
};

/// A target of shape [B] for a prediction of shape [B, 1] (or the reverse) means one number a sample: it is given the
/// prediction's shape. Every other shape is left as it is.
at::Tensor alignTarget(const at::Tensor& prediction, const at::Tensor& target);
/// Declared by "scalar_target": the target is one number a sample, for every element of that sample's output.
bool hasScalarTarget(const plan::LossSpec& spec);
/// A target of one number a sample ([B] or [B, 1 …]) with the prediction's shape: each number beside every element of
/// its own sample. Every other shape is left as it is.
at::Tensor spreadTarget(const at::Tensor& prediction, const at::Tensor& target);

}  // namespace plumbline::train
