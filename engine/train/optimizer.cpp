#include "train/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_sub.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "graph/lints.h"
#include "plan/schedule.h"

namespace plumbline::train {

double Optimizer::largestLearningRate() const {
    double largest = 0;
    for (const Group& group : m_groups) {
        largest = std::max(largest, group.lr);
    }
    return largest;
}

double Optimizer::largestBaseLearningRate() const {
    double largest = 0;
    for (const Group& group : m_groups) {
        largest = std::max(largest, group.baseLr);
    }
    return largest;
}

bool Optimizer::readsLearningRate(std::size_t group) const {
    const std::vector<Slot>& slots = m_groups[group].slots;
    return !m_readsRateOnce || std::any_of(slots.begin(), slots.end(), [](const Slot& slot) { return !slot.started; });
}

Optimizer::Optimizer(std::vector<ParameterGroup> groups, bool centralizes) : m_centralizes(centralizes) {
    for (ParameterGroup& group : groups) {
        Group& own = m_groups.emplace_back();
        own.name = std::move(group.name);
        own.baseLr = own.lr = group.lr;
        own.weightDecay = group.weightDecay;
        own.lrScale = group.lrScale;
        own.ownRate = group.ownRate;
        own.ownWeightDecay = group.ownWeightDecay;
        for (NamedParameter& parameter : group.parameters) {
            m_all.push_back(parameter.tensor);
            own.slots.push_back({std::move(parameter.name), std::move(parameter.tensor), false, {}, {}});
        }
    }
}

Result<std::unique_ptr<Optimizer>> Optimizer::make(const plan::OptimizerSpec& spec,
                                                   std::vector<ParameterGroup> groups) {
    std::size_t parameters = 0;
    for (const ParameterGroup& group : groups) {
        parameters += group.parameters.size();
    }
    if (parameters == 0) {
        return fail(ErrorKind::kInvalid, "nothing-to-train", graph::kNothingToTrain, "/model",
                    graph::kNothingToTrainHint);
    }
    PLUMBLINE_TRY(plan::checkOptimizer(spec));
    std::unique_ptr<Optimizer> made(new Optimizer(std::move(groups), spec.centralizeGradients));
    made->m_readsRateOnce = plan::readsRateOnce(spec);
    if (spec.type == "LBFGS") {
        made->m_lbfgs = std::make_unique<Lbfgs>(spec, made->m_all);
        return made;
    }
    made->m_rule = makeRule(spec);
    if (!made->m_rule) {
        return fail(ErrorKind::kInvalid, "unknown-optimizer",
                    fmt::format("The optimizer {} has no update rule.", spec.type), "/training/optimizer/type", "");
    }
    made->m_state = made->m_rule->state(true);
    for (Group& group : made->m_groups) {
        group.lists.buffers.resize(made->m_state.size());
    }
    return made;
}

void Optimizer::chooseState() {
    const std::size_t needed = m_rule->state(momentum() != 0).size();
    for (Group& group : m_groups) {
        group.complete = group.complete && needed == m_needed;
    }
    m_needed = needed;
}

/// Makes what is missing of the first entries of a slot's state.
void Optimizer::begin(Slot& slot, std::size_t entries) const {
    while (slot.buffers.size() < entries) {
        const StateTensor& entry = m_state[slot.buffers.size()];
        slot.buffers.push_back(entry.scalar         ? at::full({}, entry.initial, at::TensorOptions().dtype(at::kFloat))
                               : entry.initial == 0 ? at::zeros_like(slot.parameter)
                                                    : at::full_like(slot.parameter, entry.initial));
    }
    if (m_rule->countsSteps() && !slot.step.defined()) {
        const at::TensorOptions kind = at::TensorOptions().dtype(at::kFloat);
        slot.step = at::zeros({}, m_rule->takesScale() ? kind.device(slot.parameter.device()) : kind);
    }
    slot.started = true;
}

void Optimizer::divideGradients(const at::Tensor& scale) {
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& parameter : m_all) {
        if (parameter.grad().defined()) {
            gradients.push_back(parameter.grad());
        }
    }
    if (!gradients.empty()) {
        at::_foreach_div_(gradients, scale);
    }
}

void Optimizer::stepWithClosure(const std::function<double()>& closure) {
    TORCH_CHECK(m_lbfgs != nullptr, "This optimizer takes no closure.");
    const at::NoGradGuard noGrad;
    m_lbfgs->step(m_groups.front().lr, [&closure] {
        const at::AutoGradMode grad(true);
        return closure();
    });
}

void Optimizer::step(const Scale& gradScale, const Scale& foundInf) {
    TORCH_CHECK(m_rule != nullptr, "This optimizer takes its steps with a closure.");
    const at::NoGradGuard noGrad;
    chooseState();
    if (!m_rule->takesScale()) {
        if (foundInf && foundInf->item<float>() != 0) {
            return;
        }
        if (gradScale) {
            divideGradients(*gradScale);
        }
        for (Group& group : m_groups) {
            stepGroup(group, std::nullopt, std::nullopt);
        }
        return;
    }
    for (Group& group : m_groups) {
        stepGroup(group, gradScale, foundInf);
    }
}

void Optimizer::stepGroup(Group& group, const Scale& gradScale, const Scale& foundInf) {
    if (group.complete && collectGradients(group)) {
        run(group, false, gradScale, foundInf);
        return;
    }
    // The kernel treats a list as a whole, so those that are updated for the first time go by themselves.
    std::vector<Slot*> going, fresh;
    for (Slot& slot : group.slots) {
        if (slot.parameter.grad().defined()) {
            (slot.started && slot.buffers.size() >= m_needed ? going : fresh).push_back(&slot);
        }
    }
    for (Slot* slot : fresh) {
        begin(*slot, m_needed);
    }
    fill(group, going);
    run(group, false, gradScale, foundInf);
    fill(group, fresh);
    run(group, true, gradScale, foundInf);
    group.complete = going.size() + fresh.size() == group.slots.size();
    if (group.complete) {
        std::vector<Slot*> all;
        for (Slot& slot : group.slots) {
            all.push_back(&slot);
        }
        fill(group, all);
        group.lists.gradients.clear();
    }
}

bool Optimizer::collectGradients(Group& group) const {
    for (const Slot& slot : group.slots) {
        if (!slot.parameter.grad().defined()) {
            group.lists.gradients.clear();
            return false;
        }
        group.lists.gradients.push_back(gradientOf(slot));
    }
    return true;
}

/// What the rule takes for the gradient: with centralization without its mean over all dimensions but the first (Yong
/// et al. 2020).
at::Tensor Optimizer::gradientOf(const Slot& slot) const {
    const at::Tensor& gradient = slot.parameter.grad();
    if (!m_centralizes || gradient.dim() < 2) {
        return gradient;
    }
    std::vector<std::int64_t> inputs(static_cast<std::size_t>(gradient.dim() - 1));
    std::iota(inputs.begin(), inputs.end(), 1);
    return gradient.sub(gradient.mean(inputs, /*keepdim=*/true));
}

void Optimizer::fill(Group& group, const std::vector<Slot*>& slots) const {
    UpdateLists& lists = group.lists;
    lists.clear();
    for (const Slot* slot : slots) {
        lists.parameters.push_back(slot->parameter);
        lists.gradients.push_back(gradientOf(*slot));
        for (std::size_t i = 0; i < m_needed; ++i) {
            lists.buffers[i].push_back(slot->buffers[i]);
        }
        if (slot->step.defined()) {
            lists.steps.push_back(slot->step);
        }
    }
}

void Optimizer::run(Group& group, bool first, const Scale& gradScale, const Scale& foundInf) {
    UpdateLists& lists = group.lists;
    if (lists.parameters.empty()) {
        return;
    }
    lists.counts.clear();
    if (!lists.steps.empty() && lists.steps.front().is_cpu()) {
        for (const at::Tensor& step : lists.steps) {
            float& count = *static_cast<float*>(step.data_ptr());
            count += 1;
            lists.counts.push_back(static_cast<double>(count));
        }
    } else if (!lists.steps.empty()) {
        at::_foreach_add_(lists.steps, 1);
    }
    m_rule->update(lists, {group.lr, group.weightDecay, momentum(), first, gradScale, foundInf});
    if (foundInf && !lists.steps.empty()) {
        at::_foreach_sub_(lists.steps,
                          std::vector<at::Tensor>(lists.steps.size(), *foundInf));  // what was skipped does not count
    }
    lists.gradients.clear();
}

void Optimizer::zeroGrad() {
    for (at::Tensor& parameter : m_all) {
        parameter.mutable_grad().reset();
    }
}

NamedTensors Optimizer::state() const {
    NamedTensors state;
    if (m_lbfgs) {
        for (auto& [name, tensor] : m_lbfgs->state()) {
            state.emplace_back(m_groups.front().slots.front().name + '.' + name, std::move(tensor));
        }
        return state;
    }
    for (const Group& group : m_groups) {
        for (const Slot& slot : group.slots) {
            if (!slot.started) {
                continue;
            }
            for (std::size_t i = 0; i < slot.buffers.size(); ++i) {
                state.emplace_back(slot.name + '.' + m_state[i].name, slot.buffers[i]);
            }
            if (slot.step.defined()) {
                state.emplace_back(slot.name + ".step", slot.step);
            }
        }
    }
    return state;
}

Status Optimizer::loadState(const std::map<std::string, at::Tensor>& state) {
    const at::NoGradGuard noGrad;
    if (m_lbfgs) {
        const std::string& first = m_groups.front().slots.front().name;
        std::map<std::string, at::Tensor> own;
        for (const auto& [name, tensor] : state) {
            if (name.starts_with(first + '.')) {
                own.emplace(name.substr(first.size() + 1), tensor);
            }
        }
        return m_lbfgs->loadState(own, first);
    }
    for (Group& group : m_groups) {
        group.complete = false;
        for (Slot& slot : group.slots) {
            PLUMBLINE_TRY(loadSlot(slot, state));
        }
    }
    return {};
}

Status Optimizer::loadSlot(Slot& slot, const std::map<std::string, at::Tensor>& state) {
    slot.started = false;
    slot.buffers.clear();
    slot.step.reset();
    const auto find = [&](const std::string& what) -> const at::Tensor* {
        const auto found = state.find(slot.name + '.' + what);
        return found == state.end() ? nullptr : &found->second;
    };
    // All that a parameter keeps, or that without what only a momentum needs, or nothing.
    const auto saved = std::find_if(m_state.begin(), m_state.end(),
                                    [&](const StateTensor& entry) { return find(entry.name) == nullptr; });
    const auto entries = static_cast<std::size_t>(saved - m_state.begin());
    const at::Tensor* const count = find("step");
    if (entries == 0 && count == nullptr) {
        return {};
    }
    begin(slot, entries);
    const auto refuse = [&](const std::string& what) {
        return fail(
            ErrorKind::kInvalid, "optimizer-state-mismatch",
            fmt::format("The saved optimizer state {}.{} is missing or does not fit the parameter.", slot.name, what),
            slot.name, "Resume with the model and optimizer that the run was started with.");
    };
    for (std::size_t i = 0; i < entries; ++i) {
        const at::Tensor& values = *find(m_state[i].name);
        if (values.sizes() != slot.buffers[i].sizes()) {
            return refuse(m_state[i].name);
        }
        slot.buffers[i].copy_(values);
    }
    if (entries < m_rule->state(false).size()) {
        return refuse(m_state[entries].name);
    }
    if (slot.step.defined()) {
        if (count == nullptr || count->numel() != 1) {
            return refuse("step");
        }
        slot.step.copy_(count->reshape({}));
    }
    return {};
}

std::int64_t Optimizer::stateBytes() const {
    std::int64_t bytes = 0;
    for (const auto& [name, tensor] : state()) {
        bytes += static_cast<std::int64_t>(tensor.nbytes());
    }
    return bytes;
}

}  // namespace plumbline::train
