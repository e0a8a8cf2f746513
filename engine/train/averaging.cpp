#include "train/averaging.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/empty_like.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/memory.h"

namespace plumbline::train {

namespace {

/// Whether a tensor is all of its storage, so that two alike can exchange their memory.
bool ownsItsMemory(const at::Tensor& tensor) {
    return tensor.storage_offset() == 0 && tensor.is_non_overlapping_and_dense() &&
           tensor.storage().nbytes() == tensor.nbytes();
}

}  // namespace

std::unique_ptr<WeightAverage> WeightAverage::make(const plan::AveragingSpec& spec, model::Model& model) {
    return spec.type == "none" ? nullptr : std::unique_ptr<WeightAverage>(new WeightAverage(spec, model));
}

void WeightAverage::allocate() {
    if (!m_entries.empty()) {
        return;
    }
    const at::NoGradGuard noGrad;
    const model::MemoryScope scope(model::MemoryCategory::kOptimizerState);
    std::vector<Entry> entries;
    for (const auto* states : {&m_model.parameters(), &m_model.buffers()}) {
        for (const model::NamedState& state : *states) {
            if (!ownsItsMemory(state.tensor)) {
                throw std::logic_error(
                    fmt::format("{} lies in another tensor's memory, so it cannot be averaged.", state.name));
            }
            entries.push_back({state.tensor, at::empty_like(state.tensor), state.buffer});
        }
    }
    m_entries = std::move(entries);
}

void WeightAverage::update() {
    const at::NoGradGuard noGrad;
    allocate();
    std::vector<at::Tensor> averages, live;
    for (Entry& entry : m_entries) {
        if (m_count == 0 || (entry.buffer && !m_spec.useBuffers)) {
            entry.average.copy_(entry.live);
        } else if (entry.live.is_floating_point()) {
            averages.push_back(entry.average);
            live.push_back(entry.live.detach());
        } else {
            averageCounter(entry.average, entry.live);
        }
    }
    if (!averages.empty()) {
        average(averages, live);
    }
    ++m_count;
    m_recalibrated = false;
}

void WeightAverage::average(const std::vector<at::Tensor>& averages, const std::vector<at::Tensor>& live) const {
    // PyTorch forms the mean's weight in float32.
    const double weight =
        m_spec.type == "ema" ? 1 - m_spec.decay : static_cast<double>(1.0F / static_cast<float>(m_count + 1));
    at::_foreach_lerp_(averages, live, weight);
}

void WeightAverage::averageCounter(at::Tensor average, const at::Tensor& live) const {
    if (m_spec.type == "ema") {
        average.copy_(average.mul(m_spec.decay).add_(live.mul(1 - m_spec.decay)));
    } else {
        average.copy_(live);
    }
}

void WeightAverage::swap() noexcept {
    for (Entry& entry : m_entries) {
        c10::StorageImpl* const live = entry.live.storage().unsafeGetStorageImpl();
        c10::StorageImpl* const average = entry.average.storage().unsafeGetStorageImpl();
        std::swap(live->_mutable_data_ptr_no_checks(), average->_mutable_data_ptr_no_checks());
    }
}

NamedTensors WeightAverage::state() const {
    NamedTensors state;
    if (m_count == 0) {
        return state;
    }
    std::map<const void*, at::Tensor> averages;
    for (const Entry& entry : m_entries) {
        averages.emplace(entry.live.unsafeGetTensorImpl(), entry.average);
    }
    for (const model::NamedState& named : m_model.stateDict()) {
        state.emplace_back(named.name, averages.at(named.tensor.unsafeGetTensorImpl()));
    }
    return state;
}

Json WeightAverage::saveState() const {
    return {{"count", m_count}, {"recalibrated", m_recalibrated}};
}

Status WeightAverage::loadState(const std::map<std::string, at::Tensor>& tensors, const Json& state) {
    const at::NoGradGuard noGrad;
    m_count = state.at("count").get<std::int64_t>();
    m_recalibrated = state.at("recalibrated").get<bool>();
    if (m_count == 0) {
        return {};
    }
    allocate();
    for (const auto& [name, average] : this->state()) {
        const auto saved = tensors.find(name);
        if (saved == tensors.end() || saved->second.sizes() != average.sizes()) {
            return fail(
                ErrorKind::kInvalid, "checkpoint-mismatch",
                fmt::format("The averaged weights of {} are missing or do not have the parameter's shape.", name), name,
                "Use another checkpoint of the run.");
        }
        average.copy_(saved->second);
    }
    return {};
}

std::int64_t WeightAverage::bytes() const {
    std::int64_t bytes = 0;
    for (const Entry& entry : m_entries) {
        bytes += static_cast<std::int64_t>(entry.average.nbytes());
    }
    return bytes;
}

std::string remarkOnStatistics(const plan::AveragingSpec& spec, const model::Model& model, bool notRecalibrated) {
    const auto& blocks = model.graph().nodes;
    const bool normalises = std::any_of(blocks.begin(), blocks.end(), [](const graph::ResolvedNode& block) {
        return block.type.starts_with("BatchNorm");
    });
    return notRecalibrated && normalises && spec.type == "swa" && spec.recalibrateBatchNorm
               ? "BatchNorm's statistics in this checkpoint are not those of the averaged weights: they are taken anew "
                 "before a validation, a best checkpoint and the run's end."
               : "";
}

}  // namespace plumbline::train
