#include "train/losses/support.h"

#include <ATen/ops/broadcast_tensors.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace plumbline::train::losses {

std::string shapeText(const at::Tensor& tensor) {
    return fmt::format("[{}]", fmt::join(tensor.sizes(), ", "));
}

tl::unexpected<Error> misfit(std::string message, std::string hint) {
    return fail(ErrorKind::kInvalid, "loss-target-shape", std::move(message), "/training/losses", std::move(hint));
}

at::Tensor countOf(double count, const at::Tensor& like) {
    return at::scalar_tensor(count, at::TensorOptions().dtype(at::kDouble).device(like.device()));
}

at::Tensor reduce(const at::Tensor& each, std::int64_t reduction) {
    return reduction == at::Reduction::Mean ? each.mean() : reduction == at::Reduction::Sum ? each.sum() : each;
}

std::optional<at::Tensor> weightsOf(const plan::LossSpec& spec, const char* option, at::Device device) {
    const std::vector<double> values = spec.numbers(option);
    return values.empty() ? std::nullopt
                          : std::optional(at::tensor(values, at::TensorOptions().dtype(at::kDouble)).to(device));
}

std::optional<at::Tensor> alongClasses(const std::optional<at::Tensor>& weights, const at::Tensor& scores) {
    if (!weights) {
        return std::nullopt;
    }
    // Classes are dimension 1: PyTorch aligns the last dimensions.
    std::vector<std::int64_t> dims(static_cast<std::size_t>(std::max<std::int64_t>(1, scores.dim() - 1)), 1);
    dims.front() = weights->numel();
    return weights->to(scores.scalar_type()).reshape(dims);
}

Status fitsClasses(const std::optional<at::Tensor>& weights, const at::Tensor& scores, const std::string& type,
                   const char* option, bool oneForAll) {
    const std::int64_t classes = scores.dim() >= 2 ? scores.size(1) : 1;
    if (!weights || weights->numel() == classes || (oneForAll && weights->numel() == 1)) {
        return {};
    }
    return fail(ErrorKind::kInvalid, "class-weights",
                fmt::format("{} has {} numbers in {} for {} classes.", type, weights->numel(), option, classes),
                "/training/losses", "Give one number a class.");
}

bool areClassNumbers(const at::Tensor& scores, const at::Tensor& target) {
    bool fits = target.scalar_type() == at::kLong && scores.dim() >= 2 && target.dim() == scores.dim() - 1 &&
                target.size(0) == scores.size(0);
    for (std::int64_t i = 1; fits && i < target.dim(); ++i) {
        fits = target.size(i) == scores.size(i + 1);
    }
    return fits;
}

ClassesOrElements classesOrElements(const at::Tensor& scores, const at::Tensor& target) {
    if (areClassNumbers(scores, target) && scores.size(1) > 1) {
        return {true, target};
    }
    if (target.sizes() == scores.sizes()) {
        return {false, target};
    }
    if (scores.dim() >= 2 && scores.size(1) == 1 && target.dim() == scores.dim() - 1 &&
        target.unsqueeze(1).sizes() == scores.sizes()) {
        return {false, target.unsqueeze(1)};
    }
    const at::Tensor aligned = alignTarget(scores, target);
    return {false, aligned.sizes() == scores.sizes() ? aligned : at::Tensor()};
}

Status fitsClassesOrElements(const LossOperands& operands, const char* type) {
    const at::Tensor& scores = operands.prediction();
    const at::Tensor& target = operands.target();
    if (scores.dim() == 0 || !classesOrElements(scores, target).target.defined()) {
        return misfit(fmt::format("{} got scores {} and a target {} of {}; it wants class numbers (int64) of the "
                                  "scores' shape without the class dimension, or 0 and 1 of the scores' shape.",
                                  type, shapeText(scores), shapeText(target), c10::toString(target.scalar_type())),
                      "Choose a class column as target, or give the model's output the target's shape.");
    }
    return {};
}

at::Tensor aSample(const at::Tensor& target, std::int64_t samples) {
    return target.dim() >= 1 && target.size(0) == samples && target.numel() == samples ? target.reshape({samples})
                                                                                       : at::Tensor();
}

double countLabels(const at::Tensor& target, std::int64_t ignored, const std::vector<double>& weights) {
    if (target.scalar_type() != at::kLong) {
        return target.ne(ignored).sum().item<double>();
    }
    const at::Tensor here = target.to(at::kCPU).contiguous();
    const std::span labels(here.const_data_ptr<std::int64_t>(), static_cast<std::size_t>(here.numel()));
    double counted = 0;
    for (const std::int64_t label : labels) {
        // A label that is no class is refused by the loss itself.
        const bool isClass = label >= 0 && label < static_cast<std::int64_t>(weights.size());
        counted += label == ignored ? 0.0 : isClass ? weights[static_cast<std::size_t>(label)] : 1.0;
    }
    return counted;
}

Status ElementWise::fits(const LossOperands& operands) const {
    if (operands.prediction().sizes() != operands.target().sizes()) {
        return misfit(
            fmt::format("{} got a prediction {} and a target {}; broadcasting them would compare every prediction "
                        "with every target.",
                        m_type, shapeText(operands.prediction()), shapeText(operands.target())),
            "Give the model's output and the target the same shape.");
    }
    return {};
}

at::Tensor ElementWise::compute(const LossOperands& operands, std::int64_t reduction) const {
    const at::Tensor& prediction = operands.prediction();
    const at::Tensor target = operands.target().to(prediction.scalar_type());
    if (prediction.sizes() != target.sizes()) [[unlikely]] {
        // Allowed to broadcast: done before, so that LibTorch has no output of another shape to resize and to warn of.
        const std::vector<at::Tensor> both = at::broadcast_tensors({prediction, target});
        return compare(both[0], both[1], operands, reduction);
    }
    return compare(prediction, target, operands, reduction);
}

}  // namespace plumbline::train::losses
