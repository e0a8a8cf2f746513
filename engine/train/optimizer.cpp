#include "train/optimizer.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "graph/lints.h"

namespace plumbline::train {

namespace {

class Sgd final : public Optimizer {
public:
    Sgd(const plan::OptimizerSpec& spec, std::vector<ParameterGroup> groups) : Optimizer(std::move(groups)), m_spec(spec) {}

private:
    std::vector<std::string> bufferNames() const override {
        return m_spec.momentum != 0 ? std::vector<std::string>{"momentum_buffer"} : std::vector<std::string>{};
    }
    void update(const Group& group, const Lists& lists, bool first, const std::optional<at::Tensor>& gradScale,
                const std::optional<at::Tensor>& foundInf) override {
        static const std::vector<at::Tensor> kNone;
        at::_fused_sgd_(lists.parameters, lists.gradients, lists.buffers.empty() ? kNone : lists.buffers.front(),
                        group.weightDecay, m_spec.momentum, group.lr, m_spec.dampening, m_spec.nesterov, m_spec.maximize,
                        first, gradScale, foundInf);
    }

    plan::OptimizerSpec m_spec;
};

class AdamFamily final : public Optimizer {
public:
    AdamFamily(const plan::OptimizerSpec& spec, std::vector<ParameterGroup> groups)
        : Optimizer(std::move(groups)), m_spec(spec), m_decoupled(spec.type == "AdamW") {}

private:
    std::vector<std::string> bufferNames() const override {
        std::vector<std::string> names{"exp_avg", "exp_avg_sq"};
        if (m_spec.amsgrad) {
            names.emplace_back("max_exp_avg_sq");
        }
        return names;
    }
    bool countsSteps() const override { return true; }
    void update(const Group& group, const Lists& lists, bool /*first*/, const std::optional<at::Tensor>& gradScale,
                const std::optional<at::Tensor>& foundInf) override {
        static const std::vector<at::Tensor> kNone;
        const std::vector<at::Tensor>& largest = m_spec.amsgrad ? lists.buffers[2] : kNone;
        if (m_decoupled) {
            at::_fused_adamw_(lists.parameters, lists.gradients, lists.buffers[0], lists.buffers[1], largest, lists.steps,
                              group.lr, m_spec.beta1, m_spec.beta2, group.weightDecay, m_spec.eps, m_spec.amsgrad,
                              m_spec.maximize, gradScale, foundInf);
        } else {
            at::_fused_adam_(lists.parameters, lists.gradients, lists.buffers[0], lists.buffers[1], largest, lists.steps,
                             group.lr, m_spec.beta1, m_spec.beta2, group.weightDecay, m_spec.eps, m_spec.amsgrad,
                             m_spec.maximize, gradScale, foundInf);
        }
    }

    plan::OptimizerSpec m_spec;
    bool m_decoupled;
};

}  // namespace

std::vector<ParameterGroup> groupParameters(const plan::OptimizerSpec& spec, const std::vector<NamedParameter>& parameters) {
    std::vector<ParameterGroup> groups(1);
    groups[0].lr = spec.lr;
    groups[0].weightDecay = spec.weightDecay;
    for (const plan::OptimizerGroup& group : spec.groups) {
        groups.push_back({group.match, {}, group.lr.value_or(spec.lr), group.weightDecay.value_or(spec.weightDecay)});
    }
    for (const NamedParameter& parameter : parameters) {
        const auto match = std::find_if(groups.begin() + 1, groups.end(), [&](const ParameterGroup& group) {
            return matchesGlob(group.name, parameter.name);
        });
        (match == groups.end() ? groups.front() : *match).parameters.push_back(parameter);
    }
    std::erase_if(groups, [](const ParameterGroup& group) { return group.parameters.empty(); });
    return groups;
}

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

void Optimizer::Lists::clear() {
    parameters.clear();
    gradients.clear();
    steps.clear();
    for (std::vector<at::Tensor>& list : buffers) {
        list.clear();
    }
}

Optimizer::Optimizer(std::vector<ParameterGroup> groups) {
    for (ParameterGroup& group : groups) {
        Group& own = m_groups.emplace_back();
        own.name = std::move(group.name);
        own.baseLr = own.lr = group.lr;
        own.weightDecay = group.weightDecay;
        for (NamedParameter& parameter : group.parameters) {
            m_all.push_back(parameter.tensor);
            own.slots.push_back({std::move(parameter.name), std::move(parameter.tensor), false, {}, {}});
        }
    }
}

Result<std::unique_ptr<Optimizer>> Optimizer::make(const plan::OptimizerSpec& spec, std::vector<ParameterGroup> groups) {
    std::size_t parameters = 0;
    for (const ParameterGroup& group : groups) {
        parameters += group.parameters.size();
    }
    if (parameters == 0) {
        return fail(ErrorKind::kInvalid, "nothing-to-train", graph::kNothingToTrain, "/model", graph::kNothingToTrainHint);
    }
    if (spec.type == "SGD") {
        if (spec.nesterov && (spec.momentum <= 0 || spec.dampening != 0)) {
            return fail(ErrorKind::kInvalid, "nesterov-needs-momentum",
                        fmt::format("Nesterov needs a momentum above 0 and no dampening, but momentum is {} and dampening {}.",
                                    spec.momentum, spec.dampening),
                        "/training/optimizer/nesterov", "Set momentum to 0.9 and dampening to 0, or nesterov to false.");
        }
        return std::make_unique<Sgd>(spec, std::move(groups));
    }
    if (spec.type == "Adam" || spec.type == "AdamW") {
        return std::make_unique<AdamFamily>(spec, std::move(groups));
    }
    return fail(ErrorKind::kInvalid, "unknown-optimizer", fmt::format("There is no optimizer \"{}\".", spec.type),
                "/training/optimizer/type", "Use SGD, Adam or AdamW.");
}

void Optimizer::begin(Slot& slot) const {
    for (std::size_t i = bufferNames().size(); i > 0; --i) {
        slot.buffers.push_back(at::zeros_like(slot.parameter));
    }
    if (countsSteps()) {
        slot.step = at::zeros({}, slot.parameter.options().dtype(at::kFloat));
    }
    slot.started = true;
}

void Optimizer::step(const std::optional<at::Tensor>& gradScale, const std::optional<at::Tensor>& foundInf) {
    const at::NoGradGuard noGrad;
    for (Group& group : m_groups) {
        stepGroup(group, gradScale, foundInf);
    }
}

void Optimizer::stepGroup(Group& group, const std::optional<at::Tensor>& gradScale, const std::optional<at::Tensor>& foundInf) {
    if (group.complete && collectGradients(group)) {
        run(group, false, gradScale, foundInf);
        return;
    }
    // The kernel treats a list as a whole, so those that are updated for the first time go by themselves.
    std::vector<Slot*> going, fresh;
    for (Slot& slot : group.slots) {
        if (slot.parameter.grad().defined()) {
            (slot.started ? going : fresh).push_back(&slot);
        }
    }
    for (Slot* slot : fresh) {
        begin(*slot);
    }
    fill(group, going);
    run(group, false, gradScale, foundInf);
    fill(group, fresh);
    run(group, true, gradScale, foundInf);
    group.complete = going.size() + fresh.size() == group.slots.size();
    if (group.complete) {
        fill(group, [&] {
            std::vector<Slot*> all;
            for (Slot& slot : group.slots) {
                all.push_back(&slot);
            }
            return all;
        }());
        group.lists.gradients.clear();
    }
}

bool Optimizer::collectGradients(Group& group) {
    for (const Slot& slot : group.slots) {
        const at::Tensor& gradient = slot.parameter.grad();
        if (!gradient.defined()) {
            group.lists.gradients.clear();
            return false;
        }
        group.lists.gradients.push_back(gradient);
    }
    return true;
}

void Optimizer::fill(Group& group, const std::vector<Slot*>& slots) {
    Lists& lists = group.lists;
    lists.clear();
    lists.buffers.resize(bufferNames().size());
    for (const Slot* slot : slots) {
        lists.parameters.push_back(slot->parameter);
        lists.gradients.push_back(slot->parameter.grad());
        for (std::size_t i = 0; i < slot->buffers.size(); ++i) {
            lists.buffers[i].push_back(slot->buffers[i]);
        }
        if (slot->step.defined()) {
            lists.steps.push_back(slot->step);
        }
    }
}

void Optimizer::run(Group& group, bool first, const std::optional<at::Tensor>& gradScale, const std::optional<at::Tensor>& foundInf) {
    Lists& lists = group.lists;
    if (lists.parameters.empty()) {
        return;
    }
    if (!lists.steps.empty()) {
        if (lists.steps.front().is_cpu()) {
            for (const at::Tensor& step : lists.steps) {
                *static_cast<float*>(step.data_ptr()) += 1;
            }
        } else {
            at::_foreach_add_(lists.steps, 1);
        }
    }
    update(group, lists, first, gradScale, foundInf);
    lists.gradients.clear();
}

void Optimizer::zeroGrad() {
    for (at::Tensor& parameter : m_all) {
        parameter.mutable_grad().reset();
    }
}

NamedTensors Optimizer::state() const {
    const std::vector<std::string> names = bufferNames();
    NamedTensors state;
    for (const Group& group : m_groups) {
        for (const Slot& slot : group.slots) {
            if (!slot.started) {
                continue;
            }
            for (std::size_t i = 0; i < names.size(); ++i) {
                state.emplace_back(slot.name + '.' + names[i], slot.buffers[i]);
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
    const std::vector<std::string> names = bufferNames();
    const auto find = [&](const Slot& slot, const std::string& what) -> const at::Tensor* {
        const auto found = state.find(slot.name + '.' + what);
        return found == state.end() ? nullptr : &found->second;
    };
    for (Group& group : m_groups) {
        group.complete = false;
        for (Slot& slot : group.slots) {
            const std::string first = names.empty() ? "step" : names.front();
            slot.started = false;
            slot.buffers.clear();
            slot.step.reset();
            if (find(slot, first) == nullptr) {
                continue;
            }
            begin(slot);
            for (std::size_t i = 0; i < names.size(); ++i) {
                const at::Tensor* saved = find(slot, names[i]);
                if (saved == nullptr || saved->sizes() != slot.parameter.sizes()) {
                    return fail(ErrorKind::kInvalid, "optimizer-state-mismatch",
                                fmt::format("The saved optimizer state {}.{} is missing or does not fit the parameter.", slot.name, names[i]),
                                slot.name, "Resume with the model and optimizer that the run was started with.");
                }
                slot.buffers[i].copy_(*saved);
            }
            if (const at::Tensor* saved = find(slot, "step"); saved != nullptr && slot.step.defined() && saved->numel() == 1) {
                slot.step.copy_(saved->reshape({}));
            }
        }
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
