#include "monitor/change_watch.h"

#include <algorithm>
#include <cstring>

#include "core/hash.h"
#include "monitor/tensor_statistics.h"

namespace plumbline::monitor {

namespace {

std::uint64_t hashOf(const at::Tensor& tensor) {
    const at::Tensor here = tensor.is_cpu() && tensor.is_non_overlapping_and_dense() ? tensor : tensor.detach().cpu().contiguous();
    return hash64(here.const_data_ptr(), here.nbytes());
}

}  // namespace

ChangeWatch::ChangeWatch(std::vector<at::Tensor> parameters) {
    for (at::Tensor& parameter : parameters) {
        m_watched.emplace_back().tensor = std::move(parameter);
    }
}

bool ChangeWatch::resample(Watched& watched) {
    const at::Tensor& tensor = watched.tensor;
    std::uint64_t now[kSamples] = {};
    if (tensor.is_cpu() && tensor.is_non_overlapping_and_dense()) {
        const auto* bytes = static_cast<const std::byte*>(tensor.const_data_ptr());
        const std::size_t width = std::min<std::size_t>(tensor.element_size(), sizeof(std::uint64_t));
        const auto count = static_cast<std::size_t>(tensor.numel());
        for (std::size_t i = 0; i < std::min(kSamples, count); ++i) {
            std::memcpy(&now[i], bytes + (i * count / std::min(kSamples, count)) * tensor.element_size(), width);
        }
    } else {
        now[0] = hashOf(tensor);
    }
    const bool differs = !watched.sampled || std::memcmp(now, watched.sample, sizeof now) != 0;
    std::memcpy(watched.sample, now, sizeof now);
    watched.sampled = true;
    return differs;
}

void ChangeWatch::look(std::int64_t appliedSteps, std::vector<diagnostics::StepStats::Update>& updates) {
    const bool first = m_lastApplied < 0;
    if (!first && appliedSteps - m_lastApplied < kAppliedSteps) {
        return;
    }
    const std::int64_t since = appliedSteps - m_lastApplied;
    m_lastApplied = appliedSteps;
    if (first) {
        for (Watched& watched : m_watched) {
            if (watched.tensor.defined()) {
                resample(watched);
                watched.hash = hashOf(watched.tensor);
                watched.hashed = true;
            }
        }
        return;
    }
    for (std::size_t i = 0; i < m_watched.size(); ++i) {
        lookAt(i, since, updates);
    }
}

void ChangeWatch::lookAt(std::size_t index, std::int64_t appliedSteps, std::vector<diagnostics::StepStats::Update>& updates) {
    using Gradient = diagnostics::StepStats::Gradient;
    Watched& watched = m_watched[index];
    if (!watched.tensor.defined()) {
        return;
    }
    if (resample(watched)) {
        watched.hashed = false;
        updates.push_back({static_cast<int>(index), true, Gradient::kPresent, appliedSteps});
        return;
    }
    const std::uint64_t hash = hashOf(watched.tensor);
    if (watched.hashed) {
        const at::Tensor& gradient = watched.tensor.grad();
        const Gradient kind = !gradient.defined() ? Gradient::kUndefined : isAllZero(gradient) ? Gradient::kZero : Gradient::kPresent;
        updates.push_back({static_cast<int>(index), hash != watched.hash, kind, appliedSteps});
    }
    watched.hash = hash;
    watched.hashed = true;
}

}  // namespace plumbline::monitor
