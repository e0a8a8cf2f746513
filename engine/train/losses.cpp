#include "train/losses.h"

#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/broadcast_tensors.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>

namespace plumbline::train {

namespace {

at::Tensor raised(const at::Tensor& tensor) {
    const at::ScalarType type = tensor.scalar_type();
    return type == at::kHalf || type == at::kBFloat16 ? tensor.to(at::kFloat) : tensor;
}

std::string shapeText(const at::Tensor& tensor) { return fmt::format("[{}]", fmt::join(tensor.sizes(), ", ")); }

class CrossEntropy final : public Loss {
public:
    double labelSmoothing = 0;
    std::int64_t ignoreIndex = -100;
    std::vector<double> weights;       ///< by class; empty: all alike
    std::optional<at::Tensor> weight;  ///< the same

    at::Tensor value(const at::Tensor& prediction, const at::Tensor& target) const override {
        const at::Tensor logits = raised(prediction);
        const std::optional<at::Tensor> typed = weight ? std::optional(weight->to(logits.scalar_type())) : std::nullopt;
        return at::cross_entropy_loss(logits, target, typed, at::Reduction::Mean, ignoreIndex, labelSmoothing);
    }
    at::Tensor elements(const at::Tensor& prediction, const at::Tensor& target) const override {
        if (target.is_floating_point()) {
            return at::scalar_tensor(prediction.numel() / std::max<std::int64_t>(prediction.size(prediction.dim() > 1 ? 1 : 0), 1),
                                     at::TensorOptions().dtype(at::kDouble).device(target.device()));
        }
        const at::Tensor counted = target.ne(ignoreIndex);
        return weight ? at::where(counted, weight->take(at::where(counted, target, 0)), 0.0).sum() : counted.sum().to(at::kDouble);
    }
    std::optional<double> countedLabels(const at::Tensor& target) const override {
        if (target.scalar_type() != at::kLong) {
            return std::nullopt;
        }
        const at::Tensor here = target.to(at::kCPU).contiguous();
        const std::span labels(here.const_data_ptr<std::int64_t>(), static_cast<std::size_t>(here.numel()));
        double counted = 0;
        for (const std::int64_t label : labels) {
            // A label that is no class is refused by the loss itself.
            const bool isClass = label >= 0 && label < static_cast<std::int64_t>(weights.size());
            counted += label == ignoreIndex ? 0.0 : isClass ? weights[static_cast<std::size_t>(label)] : 1.0;
        }
        return counted;
    }
    bool elementWise() const override { return false; }
    Status fits(const at::Tensor& prediction, const at::Tensor& target) const override {
        const bool probabilities = target.is_floating_point() && target.sizes() == prediction.sizes();
        bool indices = target.scalar_type() == at::kLong && prediction.dim() >= 2 && target.dim() == prediction.dim() - 1 &&
                       target.size(0) == prediction.size(0);
        for (std::int64_t i = 1; indices && i < target.dim(); ++i) {
            indices = target.size(i) == prediction.size(i + 1);
        }
        if (!probabilities && !indices) {
            return fail(ErrorKind::kInvalid, "loss-target-shape",
                        fmt::format("CrossEntropyLoss got logits {} and a target {} of {}; it wants class numbers (int64) of the "
                                    "logits' shape without the class dimension, or probabilities of the logits' shape.",
                                    shapeText(prediction), shapeText(target), c10::toString(target.scalar_type())),
                        "/training/losses", "Choose a class column as target, or MSELoss for a number.");
        }
        if (weight && prediction.dim() >= 2 && weight->numel() != prediction.size(1)) {
            return fail(ErrorKind::kInvalid, "class-weights",
                        fmt::format("CrossEntropyLoss has {} class weights for {} classes.", weight->numel(), prediction.size(1)),
                        "/training/losses", "Give one weight a class.");
        }
        return {};
    }
};

class ElementWise : public Loss {
public:
    at::Tensor elements(const at::Tensor& prediction, const at::Tensor&) const override {
        return at::scalar_tensor(prediction.numel(), at::TensorOptions().dtype(at::kDouble).device(prediction.device()));
    }
    bool elementWise() const override { return true; }
    Status fits(const at::Tensor& prediction, const at::Tensor& target) const override {
        if (prediction.sizes() != target.sizes()) {
            return fail(ErrorKind::kInvalid, "loss-target-shape",
                        fmt::format("{} got a prediction {} and a target {}; broadcasting them would compare every prediction "
                                    "with every target.",
                                    name(), shapeText(prediction), shapeText(target)),
                        "/training/losses", "Give the model's output and the target the same shape.");
        }
        return {};
    }
    virtual const char* name() const = 0;
};

class MeanSquared final : public ElementWise {
public:
    at::Tensor value(const at::Tensor& prediction, const at::Tensor& target) const override {
        const at::Tensor raisedPrediction = raised(prediction);
        const at::Tensor typed = target.to(raisedPrediction.scalar_type());
        if (raisedPrediction.sizes() != typed.sizes()) [[unlikely]] {
            // Allowed to broadcast: done before, so that LibTorch has no output of another shape to resize and to warn of.
            const std::vector<at::Tensor> both = at::broadcast_tensors({raisedPrediction, typed});
            return at::mse_loss(both[0], both[1]);
        }
        return at::mse_loss(raisedPrediction, typed);
    }
    const char* name() const override { return "MSELoss"; }
};

class BinaryCrossEntropy final : public ElementWise {
public:
    std::optional<at::Tensor> positiveWeight;

    at::Tensor value(const at::Tensor& prediction, const at::Tensor& target) const override {
        const at::Tensor logits = raised(prediction);
        std::optional<at::Tensor> typed;
        if (positiveWeight) {
            // One a class, and classes are dimension 1: PyTorch aligns the last dimensions.
            std::vector<std::int64_t> dims(static_cast<std::size_t>(std::max<std::int64_t>(1, logits.dim() - 1)), 1);
            dims.front() = positiveWeight->numel();
            typed = positiveWeight->to(logits.scalar_type()).reshape(dims);
        }
        return at::binary_cross_entropy_with_logits(logits, target.to(logits.scalar_type()), {}, typed);
    }
    Status fits(const at::Tensor& prediction, const at::Tensor& target) const override {
        const std::int64_t classes = prediction.dim() >= 2 ? prediction.size(1) : 1;
        if (positiveWeight && positiveWeight->numel() != 1 && positiveWeight->numel() != classes) {
            return fail(ErrorKind::kInvalid, "class-weights",
                        fmt::format("BCEWithLogitsLoss has {} numbers in pos_weight for {} classes.", positiveWeight->numel(), classes),
                        "/training/losses", "Give one number a class.");
        }
        return ElementWise::fits(prediction, target);
    }
    const char* name() const override { return "BCEWithLogitsLoss"; }
};

std::vector<double> numbers(JsonObject& object, const char* key) {
    const Json* list = object.find(key);
    if (list == nullptr || list->is_null()) {
        return {};
    }
    std::vector<double> values;
    if (list->is_array()) {
        for (const Json& value : *list) {
            if (!value.is_number()) {
                values.clear();
                break;
            }
            values.push_back(value.get<double>());
        }
    }
    if (values.empty()) {
        object.wrongType(key, "list of numbers");
    }
    return values;
}

std::optional<at::Tensor> tensorOf(const std::vector<double>& values, at::Device device) {
    return values.empty() ? std::nullopt : std::optional(at::tensor(values, at::TensorOptions().dtype(at::kDouble)).to(device));
}

}  // namespace

Result<std::unique_ptr<Loss>> Loss::make(const plan::LossSpec& spec, const std::string& pointer, at::Device device) {
    const Json options = spec.options.is_object() ? spec.options : Json::object();
    JsonObject object(options, pointer);
    // The keys that every loss has may travel with the options.
    for (const char* key : {"type", "output", "target", "weight"}) {
        object.find(key);
    }
    std::unique_ptr<Loss> loss;
    if (spec.type == "CrossEntropyLoss") {
        auto own = std::make_unique<CrossEntropy>();
        own->labelSmoothing = object.number("label_smoothing", 0);
        own->ignoreIndex = object.integer("ignore_index", -100);
        own->weights = numbers(object, "class_weights");
        own->weight = tensorOf(own->weights, device);
        if (own->labelSmoothing < 0 || own->labelSmoothing > 1) {
            return fail(ErrorKind::kInvalid, "setting-range",
                        fmt::format("label_smoothing is {}; it has to lie between 0 and 1.", own->labelSmoothing),
                        pointer + "/label_smoothing", "0.1 is usual.");
        }
        loss = std::move(own);
    } else if (spec.type == "MSELoss") {
        object.find("scalar_target");
        loss = std::make_unique<MeanSquared>();
    } else if (spec.type == "BCEWithLogitsLoss") {
        auto own = std::make_unique<BinaryCrossEntropy>();
        object.find("scalar_target");
        own->positiveWeight = tensorOf(numbers(object, "pos_weight"), device);
        loss = std::move(own);
    } else {
        return fail(ErrorKind::kInvalid, "unknown-loss", fmt::format("There is no loss \"{}\".", spec.type), pointer + "/type",
                    "Use CrossEntropyLoss, MSELoss or BCEWithLogitsLoss.");
    }
    PLUMBLINE_TRY(object.finish());
    return loss;
}

at::Tensor alignTarget(const at::Tensor& prediction, const at::Tensor& target) {
    const bool columnAndVector = prediction.dim() == 2 && prediction.size(1) == 1 && target.dim() == 1;
    const bool vectorAndColumn = prediction.dim() == 1 && target.dim() == 2 && target.size(1) == 1;
    return (columnAndVector || vectorAndColumn) && prediction.size(0) == target.size(0) ? target.reshape(prediction.sizes()) : target;
}

bool hasScalarTarget(const plan::LossSpec& spec) { return spec.options.is_object() && spec.options.value("scalar_target", false); }

at::Tensor spreadTarget(const at::Tensor& prediction, const at::Tensor& target) {
    if (prediction.dim() == 0 || target.dim() == 0 || target.size(0) != prediction.size(0) || target.numel() != target.size(0)) {
        return target;
    }
    std::vector<std::int64_t> dims(static_cast<std::size_t>(prediction.dim()), 1);
    dims.front() = prediction.size(0);
    return target.reshape(dims).expand_as(prediction);
}

}  // namespace plumbline::train
