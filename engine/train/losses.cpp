#include "train/losses.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/scalar_tensor.h>
#include <fmt/format.h>

#include <algorithm>

#include "train/losses/all_losses.h"

namespace plumbline::train {
namespace {

/// Autocast off for a scope: what a loss adds up has to be added up in full precision.
class NoAutocast {
public:
    explicit NoAutocast(at::DeviceType device) : m_device(device), m_was(at::autocast::is_autocast_enabled(device)) {
        if (m_was) {
            at::autocast::set_autocast_enabled(m_device, false);
        }
    }
    ~NoAutocast() {
        if (m_was) {
            at::autocast::set_autocast_enabled(m_device, true);
        }
    }
    NoAutocast(const NoAutocast&) = delete;
    NoAutocast& operator=(const NoAutocast&) = delete;

private:
    at::DeviceType m_device;
    bool m_was;
};

bool isHalf(const at::Tensor& tensor) {
    return tensor.scalar_type() == at::kHalf || tensor.scalar_type() == at::kBFloat16;
}

/// The operands themselves, or a copy in `raised` in which no output is in half precision.
const LossOperands& raise(const LossOperands& operands, LossOperands& raised) {
    if (std::none_of(operands.outputs.begin(), operands.outputs.end(), isHalf)) [[likely]] {
        return operands;
    }
    raised = operands;
    for (at::Tensor& output : raised.outputs) {
        output = isHalf(output) ? output.to(at::kFloat) : output;
    }
    return raised;
}

Status checkOptions(const plan::LossSpec& spec, const std::string& pointer) {
    for (const auto& [name, value] : spec.options.items()) {
        const plan::OptionSpec* option = spec.kind()->option(name);
        if (option == nullptr) {
            return fail(ErrorKind::kInvalid, "unknown-option", fmt::format("{} has no option \"{}\".", spec.type, name),
                        pointerTo(pointer, name), "Remove it.");
        }
        PLUMBLINE_TRY(plan::checkOption(*option, value, pointerTo(pointer, name)));
    }
    return {};
}

}  // namespace

at::Tensor Loss::value(const LossOperands& operands) const {
    const NoAutocast fullPrecision(operands.prediction().device().type());
    LossOperands copy;
    const LossOperands& raised = raise(operands, copy);
    if (m_reduction == Reduction::kBatchMean) {
        return compute(raised, at::Reduction::Sum).div(raised.samples());
    }
    return compute(raised, sums() ? at::Reduction::Sum : at::Reduction::Mean);
}

at::Tensor Loss::unreduced(const LossOperands& operands) const {
    const NoAutocast fullPrecision(operands.prediction().device().type());
    LossOperands copy;
    return compute(raise(operands, copy), at::Reduction::None);
}

at::Tensor Loss::elements(const LossOperands& operands) const {
    return m_reduction == Reduction::kBatchMean
               ? at::scalar_tensor(operands.samples(),
                                   at::TensorOptions().dtype(at::kDouble).device(operands.prediction().device()))
               : counted(operands);
}

Result<std::unique_ptr<Loss>> Loss::make(const plan::LossSpec& spec, const std::string& pointer, at::Device device,
                                         const plan::LossBinding* binding) {
    const LossEntry* entry = findLoss(spec.type);
    if (entry == nullptr || spec.kind() == nullptr) {
        return fail(ErrorKind::kInvalid, "unknown-loss", fmt::format("There is no loss \"{}\".", spec.type),
                    pointerTo(pointer, "type"), "plumbline settings training.losses lists them.");
    }
    PLUMBLINE_TRY(checkOptions(spec, pointer));
    PLUMBLINE_ASSIGN(std::unique_ptr<Loss> loss, entry->make({spec, pointer, device, binding}));
    const std::string reduction = spec.text("reduction");
    loss->m_reduction = reduction == "sum"         ? Reduction::kSum
                        : reduction == "batchmean" ? Reduction::kBatchMean
                                                   : Reduction::kMean;
    return loss;
}

at::Tensor alignTarget(const at::Tensor& prediction, const at::Tensor& target) {
    const bool columnAndVector = prediction.dim() == 2 && prediction.size(1) == 1 && target.dim() == 1;
    const bool vectorAndColumn = prediction.dim() == 1 && target.dim() == 2 && target.size(1) == 1;
    return (columnAndVector || vectorAndColumn) && prediction.size(0) == target.size(0)
               ? target.reshape(prediction.sizes())
               : target;
}

bool hasScalarTarget(const plan::LossSpec& spec) {
    return spec.flag("scalar_target");
}

at::Tensor spreadTarget(const at::Tensor& prediction, const at::Tensor& target) {
    if (prediction.dim() == 0 || target.dim() == 0 || target.size(0) != prediction.size(0) ||
        target.numel() != target.size(0)) {
        return target;
    }
    std::vector<std::int64_t> dims(static_cast<std::size_t>(prediction.dim()), 1);
    dims.front() = prediction.size(0);
    return target.reshape(dims).expand_as(prediction);
}

}  // namespace plumbline::train
