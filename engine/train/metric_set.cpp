#include "train/metric_set.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "train/losses.h"

namespace plumbline::train {

namespace {

Json matrixJson(const ConfusionCounts& matrix, const std::vector<std::string>& names) {
    Json classes = Json::array(), rows = Json::array();
    for (std::int64_t truth = 0; truth < matrix.classes; ++truth) {
        const auto label = static_cast<std::size_t>(truth);
        classes.push_back(label < names.size() ? names[label] : std::to_string(truth));
        const auto row = matrix.counts.begin() + truth * matrix.classes;
        rows.push_back(std::vector<std::int64_t>(row, row + matrix.classes));
    }
    return {{"classes", std::move(classes)}, {"counts", std::move(rows)}};
}

}  // namespace

std::shared_ptr<Accumulator> MetricSet::share(const Binding& binding, const std::string& key,
                                              const MetricContext::Maker& make) {
    for (const Gathered& gathered : m_gathered) {
        if (gathered.binding.output == binding.output && gathered.binding.target == binding.target &&
            gathered.key == key) {
            return gathered.accumulator;
        }
    }
    return m_gathered.emplace_back(Gathered{binding, key, make()}).accumulator;
}

Result<MetricSet> MetricSet::make(const plan::TrainingPlan& plan, const BindingNames& names) {
    MetricSet set;
    for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
        const plan::MetricSpec& spec = plan.metrics[i];
        const std::string pointer = fmt::format("/training/metrics/{}", i);
        PLUMBLINE_ASSIGN(const Binding binding, findBinding(names, spec.output, spec.target, pointer));
        Part part{spec.name(), spec.type, nullptr, nullptr, {}};
        MetricContext context =
            contextOf(plan, spec, binding.output < names.outputBlocks.size() ? names.outputBlocks[binding.output] : "");
        context.shared = [&](const std::string& key, const MetricContext::Maker& make) {
            part.accumulator = set.share(binding, key, make);
            return part.accumulator;
        };
        part.metric = makeMetric(context);
        if (part.metric == nullptr) {
            return fail(ErrorKind::kInvalid, "unknown-metric", fmt::format("There is no metric \"{}\".", spec.type),
                        pointer + "/type", "docs/metrics.md lists those that there are.");
        }
        if (spec.type == "accuracy" && set.m_accuracy == nullptr) {
            set.m_accuracy = ClassCounter::of(context);
        }
        if (binding.target < names.classes.size()) {
            part.classes = names.classes[binding.target];
        }
        set.m_parts.push_back(std::move(part));
    }
    return set;
}

void MetricSet::reset() {
    for (const Gathered& gathered : m_gathered) {
        gathered.accumulator->reset();
    }
}

std::vector<std::size_t> MetricSet::outputs() const {
    std::vector<std::size_t> outputs;
    for (const Gathered& gathered : m_gathered) {
        if (std::find(outputs.begin(), outputs.end(), gathered.binding.output) == outputs.end()) {
            outputs.push_back(gathered.binding.output);
        }
    }
    return outputs;
}

void MetricSet::add(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets) {
    const at::NoGradGuard noGrad;
    for (const Gathered& gathered : m_gathered) {
        const at::Tensor& prediction = outputs[gathered.binding.output];
        if (!prediction.defined()) {
            continue;
        }
        gathered.accumulator->add(prediction, alignTarget(prediction, targets[gathered.binding.target]));
    }
}

MetricValues MetricSet::read(const std::string& split) const {
    MetricValues read;
    for (const Part& part : m_parts) {
        const std::string why = part.metric->whyNone();
        if (!why.empty()) {
            read.undefined.push_back(fmt::format("{} has no value over the split {}: {}.", part.name, split, why));
            continue;
        }
        if (const std::optional<ConfusionCounts> matrix = part.metric->matrix()) {
            read.matrices[part.name] = matrixJson(*matrix, part.classes);
        } else {
            read.values[part.name] = part.metric->value();
        }
    }
    return read;
}

Json MetricSet::saveState() const {
    Json gathered = Json::array();
    for (const Gathered& each : m_gathered) {
        gathered.push_back(each.accumulator->saveState());
    }
    return {{"gathered", std::move(gathered)}};
}

Accumulator::State MetricSet::tensors() const {
    Accumulator::State tensors;
    for (std::size_t i = 0; i < m_gathered.size(); ++i) {
        for (auto& [name, tensor] : m_gathered[i].accumulator->tensors()) {
            tensors.emplace_back(fmt::format("{}.{}", i, name), std::move(tensor));
        }
    }
    return tensors;
}

void MetricSet::loadState(const Json& state, const std::map<std::string, at::Tensor>& tensors) {
    if (state.is_array()) {
        for (std::size_t i = 0; i < m_parts.size() && i < state.size(); ++i) {
            m_parts[i].accumulator->loadOwnState(m_parts[i].type, state[i]);
        }
        return;
    }
    for (std::size_t i = 0; i < m_gathered.size(); ++i) {
        const std::string prefix = fmt::format("{}.", i);
        std::map<std::string, at::Tensor> own;
        for (const auto& [name, tensor] : tensors) {
            if (name.starts_with(prefix)) {
                own.emplace(name.substr(prefix.size()), tensor);
            }
        }
        m_gathered[i].accumulator->loadState(state.at("gathered").at(i), own);
    }
}

}  // namespace plumbline::train
