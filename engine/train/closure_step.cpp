// The part of TrainStep for an optimizer that looks at the loss in several places: the batches of the open step are
// kept, so that loss and gradients can be had again with other parameters.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/memory.h"
#include "train/step.h"

namespace plumbline::train {

namespace {

/// Goes through the optimizer, from a forward pass to the step that it belongs to.
struct PassFailed {
    Error error;
};

std::vector<at::Tensor> copied(const std::vector<at::Tensor>& tensors) {
    std::vector<at::Tensor> copies;
    for (const at::Tensor& tensor : tensors) {
        copies.push_back(tensor.defined() ? tensor.clone() : tensor);
    }
    return copies;
}

}  // namespace

void TrainStep::keepBatch(const TensorBatch& batch, const std::vector<double>& shares) {
    m_kept.push_back({{copied(batch.inputs), copied(batch.targets), batch.samples}, shares});
}

Status TrainStep::stepThroughClosure() {
    bool known = true;
    try {
        m_parts.optimizer->stepWithClosure([&] { return std::exchange(known, false) ? m_loss : lossAgain(); });
    } catch (PassFailed& failed) {
        return fail(std::move(failed.error));
    }
    m_kept.clear();
    return {};
}

/// What a person's closure does: zero_grad, forward, loss, backward, clip. Only the first pass, that of accumulate(),
/// is watched.
double TrainStep::lossAgain() {
    if (!m_expert.skipZeroGrad) {
        m_parts.optimizer->zeroGrad();
    }
    double total = 0;
    for (const KeptBatch& kept : m_kept) {
        at::Tensor loss;
        std::vector<at::Tensor> values;
        {
            const AutocastScope autocast(m_precision, m_device.type());
            auto outputs = m_parts.model->forward(kept.batch.inputs);
            if (!outputs) {
                throw PassFailed{outputs.error()};
            }
            auto computed = m_parts.objective->loss(*outputs, kept.batch.targets, kept.shares, values);
            if (!computed) {
                throw PassFailed{computed.error()};
            }
            loss = *computed;
        }
        if (!loss.defined()) {
            continue;
        }
        const model::MemoryScope scope(model::MemoryCategory::kGradients);
        loss.backward();
        for (std::size_t i = 0; i < values.size(); ++i) {
            total += values[i].defined() ? m_parts.objective->weight(i) * kept.shares[i] * readScalar(values[i]) : 0;
        }
    }
    const at::NoGradGuard noGrad;
    clip(m_parameters, nullptr);
    return total;
}

NamedTensors TrainStep::pendingBatches() const {
    NamedTensors pending;
    for (std::size_t i = 0; i < m_kept.size(); ++i) {
        const KeptBatch& kept = m_kept[i];
        at::Tensor shares = at::empty({static_cast<std::int64_t>(kept.shares.size())}, at::kDouble);
        std::copy(kept.shares.begin(), kept.shares.end(), static_cast<double*>(shares.data_ptr()));
        pending.emplace_back(fmt::format("{}.shares", i), std::move(shares));
        pending.emplace_back(fmt::format("{}.samples", i), at::scalar_tensor(kept.batch.samples, at::kLong));
        for (std::size_t n = 0; n < kept.batch.inputs.size(); ++n) {
            pending.emplace_back(fmt::format("{}.input.{}", i, n), kept.batch.inputs[n]);
        }
        for (std::size_t n = 0; n < kept.batch.targets.size(); ++n) {
            pending.emplace_back(fmt::format("{}.target.{}", i, n), kept.batch.targets[n]);
        }
    }
    return pending;
}

void TrainStep::restoreBatches(const std::map<std::string, at::Tensor>& saved) {
    m_kept.clear();
    const auto list = [&](const std::string& name) {
        std::vector<at::Tensor> tensors;
        for (auto found = saved.find(fmt::format("{}.0", name)); found != saved.end();
             found = saved.find(fmt::format("{}.{}", name, tensors.size()))) {
            tensors.push_back(found->second.to(m_device));
        }
        return tensors;
    };
    for (std::size_t i = 0;; ++i) {
        const auto shares = saved.find(fmt::format("{}.shares", i)), samples = saved.find(fmt::format("{}.samples", i));
        if (shares == saved.end() || samples == saved.end()) {
            return;
        }
        const auto* const values = static_cast<const double*>(shares->second.const_data_ptr());
        m_kept.push_back({{list(fmt::format("{}.input", i)), list(fmt::format("{}.target", i)),
                           samples->second.item<std::int64_t>()},
                          std::vector<double>(values, values + shares->second.numel())});
    }
}

}  // namespace plumbline::train
