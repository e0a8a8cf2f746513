#include "train/kept_tensors.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>

namespace plumbline::train {

void KeptTensors::add(const at::Tensor& tensor) {
    auto same = std::find_if(m_types.begin(), m_types.end(), [&](const SameType& each) {
        return each.live.front().scalar_type() == tensor.scalar_type();
    });
    if (same == m_types.end()) {
        same = m_types.insert(m_types.end(), SameType{});
    }
    same->live.push_back(tensor);
    same->saved.push_back(at::empty_like(tensor));
}

void KeptTensors::keep() {
    const at::NoGradGuard noGrad;
    for (SameType& same : m_types) {
        at::_foreach_copy_(same.saved, same.live);
    }
}

void KeptTensors::putBack() {
    const at::NoGradGuard noGrad;
    for (SameType& same : m_types) {
        at::_foreach_copy_(same.live, same.saved);
    }
}

}  // namespace plumbline::train
