#include "train/objective.h"

#include <ATen/ops/where.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/json_errors.h"

namespace plumbline::train {

Result<Binding> findBinding(const BindingNames& names, const std::string& output, const std::string& target,
                            const std::string& pointer) {
    const auto place = [](const std::vector<std::string>& all, const std::string& name) {
        return static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
    };
    const Binding binding{place(names.outputs, output), place(names.targets, target)};
    if (binding.output == names.outputs.size()) {
        return fail(ErrorKind::kInvalid, "unknown-output",
                    fmt::format("The model has no output \"{}\"; it has {}.", output, fmt::join(names.outputs, ", ")),
                    pointer + "/output", didYouMean(output, names.outputs, "Name one of these."));
    }
    if (binding.target == names.targets.size()) {
        return fail(
            ErrorKind::kInvalid, "unknown-target",
            fmt::format("The data have no target \"{}\"; they have {}.", target, fmt::join(names.targets, ", ")),
            pointer + "/target", "Add it to data.targets.");
    }
    return binding;
}

Result<Objective> Objective::make(const plan::TrainingPlan& plan, const BindingNames& names, at::Device device) {
    Objective objective;
    objective.m_allowBroadcast = plan.expert.allowBroadcastLoss;
    if (plan.losses.empty()) {
        return fail(ErrorKind::kInvalid, "no-loss", "The training has no loss, so there is nothing to minimise.",
                    "/training/losses", "Add one, as {\"type\": \"CrossEntropyLoss\", \"output\": …, \"target\": …}.");
    }
    for (std::size_t i = 0; i < plan.losses.size(); ++i) {
        const std::string pointer = fmt::format("/training/losses/{}", i);
        for (plan::LossSpec& term : plan::termsOf(plan.losses[i])) {
            Part part;
            part.spec = std::move(term);
            PLUMBLINE_ASSIGN(part.binding, plan::bindLoss(part.spec, names.outputs, names.targets, pointer));
            PLUMBLINE_ASSIGN(part.loss, Loss::make(part.spec, pointer, device, &part.binding));
            part.scalarTarget = hasScalarTarget(part.spec);
            objective.m_parts.push_back(std::move(part));
        }
    }
    return objective;
}

void Objective::bind(Part& part, const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets) const {
    part.operands.outputs.clear();
    part.operands.targets.clear();
    for (const std::size_t output : part.binding.outputs) {
        part.operands.outputs.push_back(outputs[output]);
    }
    for (const std::size_t target : part.binding.targets) {
        part.operands.targets.push_back(targets[target]);
    }
    // With broadcasting allowed, the mistake is made as it would be made by hand.
    if (part.scalarTarget) {
        part.operands.targets[0] = spreadTarget(part.operands.prediction(), part.operands.target());
    } else if (part.loss->elementWise() && !m_allowBroadcast) {
        part.operands.targets[0] = alignTarget(part.operands.prediction(), part.operands.target());
    }
}

Status Objective::check(Part& part) {
    const LossOperands& operands = part.operands;
    const std::int64_t samples = operands.samples();
    std::size_t place = 0;
    bool known = part.shapes.size() == operands.outputs.size() + operands.targets.size();
    for (const std::vector<at::Tensor>* list : {&operands.outputs, &operands.targets}) {
        for (const at::Tensor& tensor : *list) {
            known = known && tensor.dim() > 0 && tensor.size(0) == samples &&
                    static_cast<std::int64_t>(part.shapes[place].size()) == tensor.dim() &&
                    std::equal(part.shapes[place].begin() + 1, part.shapes[place].end(), tensor.sizes().begin() + 1);
            ++place;
        }
    }
    if (known) {
        return {};
    }
    part.shapes.clear();
    for (const std::vector<at::Tensor>* list : {&operands.outputs, &operands.targets}) {
        for (const at::Tensor& tensor : *list) {
            part.shapes.push_back(tensor.sizes().vec());
        }
    }
    if (m_seen && !operands.targets.empty()) {
        m_seen({part.spec.type, part.spec.output, part.spec.target, part.loss->elementWise(), part.shapes[0],
                operands.target().sizes().vec(), part.scalarTarget});
    }
    Status fits = part.loss->fits(operands);
    return !fits && m_allowBroadcast && part.loss->elementWise() ? Status{} : fits;
}

Result<at::Tensor> Objective::value(Part& part, const std::vector<at::Tensor>& outputs,
                                    const std::vector<at::Tensor>& targets, at::Tensor* elements) {
    bind(part, outputs, targets);
    PLUMBLINE_TRY(check(part));
    if (elements != nullptr) {
        *elements = part.loss->elements(part.operands);
    }
    at::Tensor value = part.loss->value(part.operands);
    // The batch is let go with its step.
    part.operands.outputs.clear();
    part.operands.targets.clear();
    return value;
}

std::vector<double> Objective::counts(const std::vector<at::Tensor>& targets, std::int64_t samples) const {
    std::vector<double> counts;
    counts.reserve(m_parts.size());
    for (const Part& part : m_parts) {
        const std::optional<double> labels = part.binding.targets.empty()
                                                 ? std::nullopt
                                                 : part.loss->countedLabels(targets[part.binding.targets.front()]);
        counts.push_back(labels.value_or(static_cast<double>(samples)));
    }
    return counts;
}

void Objective::add(std::size_t index, double value, double counted, GatheredLoss& to) const {
    // The mean over nothing is no number and counts nothing.
    if (counted > 0) {
        to.sum += m_parts[index].loss->sums() ? value : value * counted;
        to.counted += counted;
    }
}

Result<at::Tensor> Objective::loss(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets) {
    std::vector<at::Tensor> values;
    return loss(outputs, targets, std::vector<double>(m_parts.size(), 1.0), values);
}

Result<at::Tensor> Objective::loss(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets,
                                   const std::vector<double>& shares, std::vector<at::Tensor>& values) {
    at::Tensor total;
    values.assign(m_parts.size(), {});
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (shares[i] == 0) {
            continue;
        }
        PLUMBLINE_ASSIGN(at::Tensor value, this->value(m_parts[i], outputs, targets, nullptr));
        values[i] = value;
        const double factor = m_parts[i].spec.weight * shares[i];
        if (factor != 1.0) {
            value = value.mul(factor);
        }
        total = total.defined() ? total.add(value) : std::move(value);
    }
    return total;
}

void Objective::resetGathered() {
    for (Part& part : m_parts) {
        part.sum.reset();
        part.elements.reset();
    }
}

Status Objective::gather(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets) {
    for (Part& part : m_parts) {
        at::Tensor elements;
        PLUMBLINE_ASSIGN(const at::Tensor mean, value(part, outputs, targets, &elements));
        // The mean over nothing is NaN and counts nothing.
        const at::Tensor whole = mean.to(at::kDouble);
        const at::Tensor sum = at::where(elements.gt(0), part.loss->sums() ? whole : whole.mul(elements), 0.0);
        part.sum = part.sum.defined() ? part.sum.add(sum) : sum;
        part.elements = part.elements.defined() ? part.elements.add(elements) : elements;
    }
    return {};
}

std::optional<double> Objective::gathered(std::size_t index) const {
    const Part& part = m_parts[index];
    const double elements = part.elements.defined() ? part.elements.item<double>() : 0;
    if (elements <= 0) {
        return std::nullopt;
    }
    const double sum = part.sum.item<double>();
    return part.loss->sums() ? sum : sum / elements;
}

std::optional<double> Objective::gathered() const {
    std::optional<double> total;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (const std::optional<double> one = gathered(i)) {
            total = total.value_or(0) + m_parts[i].spec.weight * *one;
        }
    }
    return total;
}

}  // namespace plumbline::train
