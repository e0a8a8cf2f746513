#include "train/step_start.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>

namespace plumbline::train {

StepStart::StepStart(model::Model& model) {
    for (const model::NamedState& buffer : model.buffers()) {
        if (buffer.shared) {
            continue;
        }
        auto same = std::find_if(m_buffers.begin(), m_buffers.end(), [&](const SameType& each) { return each.live.front().scalar_type() == buffer.tensor.scalar_type(); });
        if (same == m_buffers.end()) {
            same = m_buffers.insert(m_buffers.end(), SameType{});
        }
        same->live.push_back(buffer.tensor);
        same->saved.push_back(at::empty_like(buffer.tensor));
    }
}

void StepStart::remember() {
    const at::NoGradGuard noGrad;
    m_remembered = false;
    for (SameType& same : m_buffers) {
        at::_foreach_copy_(same.saved, same.live);
    }
    copyGenerators(m_generators);
    m_remembered = true;
}

bool StepStart::putBack() {
    if (!m_remembered) {
        return false;
    }
    const at::NoGradGuard noGrad;
    for (SameType& same : m_buffers) {
        at::_foreach_copy_(same.live, same.saved);
    }
    restoreGenerators(m_generators);
    m_remembered = false;
    return true;
}

}  // namespace plumbline::train
