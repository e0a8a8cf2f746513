#include "train/optimizers/update_rule.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_neg.h>

namespace plumbline::train {

void UpdateLists::clear() {
    parameters.clear();
    gradients.clear();
    steps.clear();
    counts.clear();
    for (std::vector<at::Tensor>& list : buffers) {
        list.clear();
    }
}

std::vector<at::Tensor> UpdateRule::gradientsOf(const UpdateLists& lists, double weightDecay) const {
    std::vector<at::Tensor> gradients = m_maximize ? at::_foreach_neg(lists.gradients) : lists.gradients;
    return weightDecay != 0 ? at::_foreach_add(gradients, lists.parameters, weightDecay) : gradients;
}

void UpdateRule::decay(const UpdateLists& lists, const UpdateCall& call) {
    if (call.weightDecay != 0) {
        at::_foreach_mul_(lists.parameters, 1 - call.lr * call.weightDecay);
    }
}

std::vector<at::Tensor> UpdateRule::updateMoments(const UpdateLists& lists, const UpdateCall& call, double beta2,
                                                  bool decoupled) const {
    if (decoupled) {
        decay(lists, call);
    }
    std::vector<at::Tensor> gradients = gradientsOf(lists, decoupled ? 0 : call.weightDecay);
    at::_foreach_lerp_(lists.buffers[0], gradients, 1 - call.momentum);
    at::_foreach_mul_(lists.buffers[1], beta2);
    at::_foreach_addcmul_(lists.buffers[1], gradients, gradients, 1 - beta2);
    return gradients;
}

std::vector<at::Scalar> eachOf(const std::vector<double>& counts, const std::function<double(double)>& of) {
    std::vector<at::Scalar> values;
    values.reserve(counts.size());
    for (const double count : counts) {
        values.emplace_back(of(count));
    }
    return values;
}

}  // namespace plumbline::train
