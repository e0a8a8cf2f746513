#include "train/loss_floor.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "plan/loss_traits.h"
#include "train/losses.h"

namespace plumbline::train {

namespace {

/// A logit as good as certain: what is left of a loss there is below what float32 tells from 0.
constexpr double kCertain = 100;

bool isOneOf(const std::string& type, std::initializer_list<const char*> types) {
    return std::any_of(types.begin(), types.end(), [&](const char* one) { return type == one; });
}

/// One number a class along dimension 1 of `like`, or of its only one beside the batch; not defined where none is
/// stated.
at::Tensor perClass(const plan::LossSpec& spec, const char* option, const at::Tensor& like) {
    const std::vector<double> numbers = spec.numbers(option);
    if (numbers.empty() || like.dim() < 2 || static_cast<std::int64_t>(numbers.size()) != like.size(1)) {
        return {};
    }
    std::vector<std::int64_t> shape(static_cast<std::size_t>(like.dim()), 1);
    shape[1] = like.size(1);
    return at::tensor(numbers, at::TensorOptions().dtype(at::kDouble)).to(like.options()).reshape(shape);
}

at::Tensor clampedLog(const at::Tensor& tensor) {
    return tensor.log().clamp(-kCertain, kCertain);
}

/// The probability of each class that a target tells, of `like`'s shape.
at::Tensor classShares(const plan::LossSpec& spec, const at::Tensor& target, const at::Tensor& like) {
    if (target.is_floating_point()) {
        return target.to(like.scalar_type());
    }
    const std::int64_t ignored = plan::ignoredLabel(spec).value_or(-100);
    const at::Tensor labels = at::where(target.eq(ignored), at::zeros_like(target), target).to(at::kLong).unsqueeze(1);
    return at::zeros_like(like).scatter_(1, labels, 1.0);
}

bool holdsClassNumbers(const at::Tensor& output, const at::Tensor& target) {
    return !target.is_floating_point() && target.dim() == output.dim() - 1;
}

/// Whether it holds nothing but 0 and 1.
bool isHard(const at::Tensor& target) {
    return target.eq(0).logical_or(target.eq(1)).all().item<bool>();
}

/// The outputs at which the loss is lowest; not defined where that is not known.
at::Tensor ideal(const plan::LossSpec& spec, const at::Tensor& output, const at::Tensor& target) {
    const std::string& type = spec.type;
    if (isOneOf(type, {"MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "BCELoss"})) {
        return target.to(output.scalar_type()).expand_as(output).clone();
    }
    if ((type == "CrossEntropyLoss" || type == "NLLLoss") && output.dim() > 1) {
        const double smoothing = type == "NLLLoss" ? 0 : spec.number("label_smoothing");
        at::Tensor shares =
            classShares(spec, target, output) * (1 - smoothing) + smoothing / static_cast<double>(output.size(1));
        if (const at::Tensor weights = perClass(spec, "class_weights", output);
            weights.defined() && type == "CrossEntropyLoss") {
            shares = shares * weights;
        }
        return clampedLog(shares);
    }
    if (isOneOf(type, {"BCEWithLogitsLoss", "MultiLabelSoftMarginLoss"})) {
        const at::Tensor no = 1 - target.to(output.scalar_type()).expand_as(output);
        at::Tensor yes = 1 - no;
        const std::vector<double> factors =
            type == "BCEWithLogitsLoss" ? spec.numbers("pos_weight") : std::vector<double>{};
        if (factors.size() == 1) {
            yes = yes * factors.front();
        } else if (!factors.empty()) {
            const at::Tensor weights = perClass(spec, "pos_weight", output);
            if (!weights.defined()) {
                return {};
            }
            yes = yes * weights;
        }
        return (clampedLog(yes) - clampedLog(no)).clamp(-kCertain, kCertain);
    }
    if (type == "FocalLoss" || type == "DiceLoss") {
        if (holdsClassNumbers(output, target)) {
            return classShares(spec, target, output) * (2 * kCertain) - kCertain;
        }
        return isHard(target) ? target.to(output.scalar_type()).expand_as(output) * (2 * kCertain) - kCertain
                              : at::Tensor();
    }
    if (type == "KLDivLoss") {
        return spec.flag("log_target") ? target.to(output.scalar_type()) : clampedLog(target.to(output.scalar_type()));
    }
    if (type == "PoissonNLLLoss") {
        const at::Tensor rates = target.to(output.scalar_type()).expand_as(output);
        return spec.flag("log_input") ? clampedLog(rates) : rates.clone();
    }
    return {};
}

/// Never below 0, and there where every sample is as it should be.
bool isZeroAtBest(const std::string& type) {
    return isOneOf(type, {"CTCLoss", "CosineEmbeddingLoss", "TripletMarginLoss", "MarginRankingLoss", "ContrastiveLoss",
                          "MultiMarginLoss", "MultiLabelMarginLoss", "SoftMarginLoss", "HingeLoss"});
}

}  // namespace

Result<std::optional<double>> lowestLoss(const plan::TrainingPlan& plan, const BindingNames& names,
                                         const std::vector<at::Tensor>& outputs,
                                         const std::vector<at::Tensor>& targets) {
    double lowest = 0;
    for (const plan::LossSpec& spec : plan::termsOf(plan.losses)) {
        if (spec.weight == 0 || isZeroAtBest(spec.type)) {
            continue;
        }
        PLUMBLINE_ASSIGN(const plan::LossBinding binding,
                         plan::bindLoss(spec, names.outputs, names.targets, "/training/losses"));
        if (spec.weight < 0 || binding.targets.empty() || binding.outputs.size() != 1) {
            return std::optional<double>();
        }
        const at::Tensor output = outputs[binding.outputs.front()].detach().to(at::kFloat);
        PLUMBLINE_ASSIGN(const std::unique_ptr<Loss> loss,
                         Loss::make(spec, "/training/losses", output.device(), &binding));
        at::Tensor target = targets[binding.targets.front()];
        target = hasScalarTarget(spec) ? spreadTarget(output, target)
                 : loss->elementWise() ? alignTarget(output, target)
                                       : target;
        const at::Tensor best = ideal(spec, output, target);
        if (!best.defined()) {
            return std::optional<double>();
        }
        const double value = loss->value({{best}, {target}}).item<double>();
        lowest += spec.weight * value;
    }
    return std::isfinite(lowest) ? std::optional(lowest) : std::optional<double>();
}

}  // namespace plumbline::train
