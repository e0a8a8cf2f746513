#include "train/objective.h"

#include <ATen/ops/where.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/json_errors.h"

namespace plumbline::train {

Result<Binding> findBinding(const BindingNames& names, const std::string& output, const std::string& target, const std::string& pointer) {
    const auto place = [](const std::vector<std::string>& all, const std::string& name) {
        return static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
    };
    const Binding binding{place(names.outputs, output), place(names.targets, target)};
    if (binding.output == names.outputs.size()) {
        return fail(ErrorKind::kInvalid, "unknown-output", fmt::format("The model has no output \"{}\"; it has {}.", output, fmt::join(names.outputs, ", ")),
                    pointer + "/output", didYouMean(output, names.outputs, "Name one of these."));
    }
    if (binding.target == names.targets.size()) {
        return fail(ErrorKind::kInvalid, "unknown-target", fmt::format("The data have no target \"{}\"; they have {}.", target, fmt::join(names.targets, ", ")),
                    pointer + "/target", "Add it to data.targets.");
    }
    return binding;
}

Result<Objective> Objective::make(const plan::TrainingPlan& plan, const BindingNames& names, at::Device device) {
    Objective objective;
    objective.m_allowBroadcast = plan.expert.allowBroadcastLoss;
    if (plan.losses.empty()) {
        return fail(ErrorKind::kInvalid, "no-loss", "The training has no loss, so there is nothing to minimise.", "/training/losses",
                    "Add one, as {\"type\": \"CrossEntropyLoss\", \"output\": …, \"target\": …}.");
    }
    for (std::size_t i = 0; i < plan.losses.size(); ++i) {
        const std::string pointer = fmt::format("/training/losses/{}", i);
        Part part;
        part.spec = plan.losses[i];
        PLUMBLINE_ASSIGN(part.loss, Loss::make(part.spec, pointer, device));
        PLUMBLINE_ASSIGN(part.binding, findBinding(names, part.spec.output, part.spec.target, pointer));
        part.scalarTarget = hasScalarTarget(part.spec);
        objective.m_parts.push_back(std::move(part));
    }
    return objective;
}

Status Objective::check(Part& part, const at::Tensor& prediction, const at::Tensor& target) {
    const auto same = [](const std::vector<std::int64_t>& known, const at::Tensor& tensor) {
        return static_cast<std::int64_t>(known.size()) == tensor.dim() && (known.empty() || std::equal(known.begin() + 1, known.end(), tensor.sizes().begin() + 1));
    };
    const bool batchesAgree = prediction.dim() > 0 && target.dim() > 0 && prediction.size(0) == target.size(0);
    if (part.checked && batchesAgree && same(part.prediction, prediction) && same(part.truth, target)) {
        return {};
    }
    part.checked = true;
    part.prediction = prediction.sizes().vec();
    part.truth = target.sizes().vec();
    if (m_seen) {
        m_seen({part.spec.type, part.spec.output, part.spec.target, part.loss->elementWise(), part.prediction, part.truth, part.scalarTarget});
    }
    Status fits = part.loss->fits(prediction, target);
    return !fits && m_allowBroadcast && part.loss->elementWise() ? Status{} : fits;
}

Result<at::Tensor> Objective::value(Part& part, const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets, at::Tensor* elements) {
    const at::Tensor& prediction = outputs[part.binding.output];
    // With broadcasting allowed, the mistake is made as it would be made by hand.
    const at::Tensor& given = targets[part.binding.target];
    const at::Tensor target = part.scalarTarget ? spreadTarget(prediction, given) : m_allowBroadcast ? given : alignTarget(prediction, given);
    PLUMBLINE_TRY(check(part, prediction, target));
    if (elements != nullptr) {
        *elements = part.loss->elements(prediction, target);
    }
    return part.loss->value(prediction, target);
}

std::vector<double> Objective::counts(const std::vector<at::Tensor>& targets, std::int64_t samples) const {
    std::vector<double> counts;
    counts.reserve(m_parts.size());
    for (const Part& part : m_parts) {
        counts.push_back(part.loss->countedLabels(targets[part.binding.target]).value_or(static_cast<double>(samples)));
    }
    return counts;
}

Result<at::Tensor> Objective::loss(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets) {
    std::vector<at::Tensor> values;
    return loss(outputs, targets, std::vector<double>(m_parts.size(), 1.0), values);
}

Result<at::Tensor> Objective::loss(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets, const std::vector<double>& shares,
                                   std::vector<at::Tensor>& values) {
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
        const at::Tensor sum = at::where(elements.gt(0), mean.to(at::kDouble).mul(elements), 0.0);
        part.sum = part.sum.defined() ? part.sum.add(sum) : sum;
        part.elements = part.elements.defined() ? part.elements.add(elements) : elements;
    }
    return {};
}

std::optional<double> Objective::gathered() const {
    std::optional<double> total;
    for (const Part& part : m_parts) {
        const double elements = part.elements.defined() ? part.elements.item<double>() : 0;
        if (elements > 0) {
            total = total.value_or(0) + part.spec.weight * (part.sum.item<double>() / elements);
        }
    }
    return total;
}

Result<MetricSet> MetricSet::make(const plan::TrainingPlan& plan, const BindingNames& names) {
    MetricSet set;
    for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
        const plan::MetricSpec& spec = plan.metrics[i];
        const std::string pointer = fmt::format("/training/metrics/{}", i);
        Part part;
        part.name = spec.name();
        const auto classified = std::find_if(plan.losses.begin(), plan.losses.end(), [&](const plan::LossSpec& loss) {
            return loss.type == "CrossEntropyLoss" && loss.output == spec.output;
        });
        PLUMBLINE_ASSIGN(part.metric, Metric::make(spec, pointer, classified != plan.losses.end() ? &*classified : nullptr));
        PLUMBLINE_ASSIGN(part.binding, findBinding(names, spec.output, spec.target, pointer));
        set.m_parts.push_back(std::move(part));
    }
    return set;
}

void MetricSet::reset() {
    for (Part& part : m_parts) {
        part.metric->reset();
    }
}

void MetricSet::add(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets) {
    for (Part& part : m_parts) {
        const at::Tensor& prediction = outputs[part.binding.output];
        part.metric->add(prediction, alignTarget(prediction, targets[part.binding.target]));
    }
}

const Accuracy* MetricSet::accuracy() const {
    for (const Part& part : m_parts) {
        if (const auto* accuracy = dynamic_cast<const Accuracy*>(part.metric.get())) {
            return accuracy;
        }
    }
    return nullptr;
}

Json MetricSet::saveState() const {
    Json state = Json::array();
    for (const Part& part : m_parts) {
        state.push_back(part.metric->saveState());
    }
    return state;
}

void MetricSet::loadState(const Json& state) {
    for (std::size_t i = 0; i < m_parts.size() && i < state.size(); ++i) {
        m_parts[i].metric->loadState(state[i]);
    }
}

}  // namespace plumbline::train
