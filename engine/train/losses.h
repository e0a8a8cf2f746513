#pragma once
// Losses as the plan names them, bound to a model output and a target. Numbers are PyTorch's.

#include <ATen/core/Tensor.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "plan/plan.h"

namespace plumbline::train {

class Loss {
public:
    virtual ~Loss() = default;
    /// Mean over the batch, one element, float32 or float64 (a prediction in half precision is raised to float32 first).
    /// The shapes have to be those that fits() accepted.
    virtual at::Tensor value(const at::Tensor& prediction, const at::Tensor& target) const = 0;
    /// How many elements value() is the mean over, one element in double on the target's device: what a mean over several
    /// batches weights it by.
    virtual at::Tensor elements(const at::Tensor& prediction, const at::Tensor& target) const = 0;
    /// The same from the target alone, where it depends on the labels in it (some ignored, or weighted by class); nothing
    /// where each sample counts alike.
    virtual std::optional<double> countedLabels(const at::Tensor& target) const {
        (void)target;
        return std::nullopt;
    }
    /// Whether it compares element by element, so that prediction and target must have one shape.
    virtual bool elementWise() const = 0;
    /// What the target has to look like for a prediction of this shape; an error says what it got.
    virtual Status fits(const at::Tensor& prediction, const at::Tensor& target) const = 0;

    /// CrossEntropyLoss {label_smoothing, ignore_index, class_weights}, MSELoss {scalar_target}, BCEWithLogitsLoss {scalar_target, pos_weight};
    /// scalar_target is the caller's business: see spreadTarget().
    static Result<std::unique_ptr<Loss>> make(const plan::LossSpec& spec, const std::string& pointer, at::Device device);
};

/// A target of shape [B] for a prediction of shape [B, 1] (or the reverse) means one number a sample: it is given the
/// prediction's shape. Every other shape is left as it is.
at::Tensor alignTarget(const at::Tensor& prediction, const at::Tensor& target);
/// Declared by "scalar_target": the target is one number a sample, for every element of that sample's output.
bool hasScalarTarget(const plan::LossSpec& spec);
/// A target of one number a sample ([B] or [B, 1 …]) with the prediction's shape: each number beside every element of its
/// own sample. Every other shape is left as it is.
at::Tensor spreadTarget(const at::Tensor& prediction, const at::Tensor& target);

}  // namespace plumbline::train
