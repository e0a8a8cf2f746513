#include "train/step_memory.h"

#include <c10/core/StorageImpl.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "model/memory.h"
#include "train/device_memory.h"
#include "train/model_watch.h"
#include "train/step.h"

namespace plumbline::train {

namespace {

/// Owner 0 is what no leaf asked for.
int ownerOf(std::size_t leaf) {
    return static_cast<int>(leaf) + 1;
}

class ForwardObserver final : public model::LeafObserver {
public:
    ForwardObserver(const graph::ResolvedModel& graph, const std::vector<at::Tensor>& inputs, at::Device device)
        : m_graph(graph),
          m_device(device),
          m_byOwner(device.is_cpu() && graph.nodes.size() + 1 < static_cast<std::size_t>(model::kMemoryOwners)) {
        m_made.kept.resize(graph.nodes.size());
        m_made.scratch.resize(graph.nodes.size());
        m_made.values.resize(graph.values.size());
        for (std::size_t leaf = 0; m_byOwner && leaf < graph.nodes.size(); ++leaf) {
            m_before.push_back(model::memoryOf(ownerOf(leaf)));
        }
        for (const at::Tensor& input : inputs) {
            m_places.emplace(input.storage().unsafeGetStorageImpl(), -1);  // the batch is no leaf's
        }
    }

    void beforeLeaf(int leaf) override {
        m_held = held();
        model::resetMemoryPeaks();
        resetDevicePeak(m_device);
        if (m_byOwner) {
            model::setMemoryOwner(ownerOf(static_cast<std::size_t>(leaf)));
        }
    }
    void afterLeaf(int leaf, const std::vector<at::Tensor>& outputs) override {
        model::setMemoryOwner(model::kNoMemoryOwner);
        const auto index = static_cast<std::size_t>(leaf);
        const std::int64_t after = held();
        m_made.kept[index] = after - m_held;
        m_made.scratch[index] = std::max<std::int64_t>(0, peak() - after);
        for (std::size_t port = 0; port < outputs.size(); ++port) {
            if (!outputs[port].defined() || !outputs[port].has_storage()) {
                continue;
            }
            ForwardMemory::Value& value = m_made.values[static_cast<std::size_t>(m_graph.nodes[index].outputs[port])];
            const c10::Storage& storage = outputs[port].storage();
            const auto [place, isNew] =
                m_places.try_emplace(storage.unsafeGetStorageImpl(), static_cast<int>(m_storages.size()));
            value.storage = place->second;
            value.bytes = static_cast<std::int64_t>(storage.nbytes());
            if (isNew) {
                m_storages.push_back(storage.getWeakStorageImpl());
            }
        }
    }

    /// After the pass, while its backward graph is there.
    ForwardMemory take() {
        for (std::size_t leaf = 0; leaf < m_before.size(); ++leaf) {
            m_made.kept[leaf] = model::memoryOf(ownerOf(leaf)) - m_before[leaf];
        }
        for (ForwardMemory::Value& value : m_made.values) {
            value.kept = value.storage >= 0 && !m_storages[static_cast<std::size_t>(value.storage)].expired();
        }
        return std::move(m_made);
    }

private:
    std::int64_t held() const {
        return m_device.is_cpu() ? model::tensorMemory().current : deviceMemory(m_device).allocated;
    }
    std::int64_t peak() const {
        return m_device.is_cpu() ? model::tensorMemory().peak : deviceMemory(m_device).peakAllocated;
    }

    const graph::ResolvedModel& m_graph;
    at::Device m_device;
    bool m_byOwner;
    ForwardMemory m_made;
    std::vector<std::int64_t> m_before;               ///< by leaf, where owners are counted
    std::map<const c10::StorageImpl*, int> m_places;  ///< in m_storages, which keeps the address from being used again
    std::vector<c10::weak_intrusive_ptr<c10::StorageImpl>> m_storages;
    std::int64_t m_held = 0;
};

/// Looks on for a scope.
class Looking {
public:
    Looking(model::Model& model, model::LeafObserver& observer) : m_model(model) { m_model.setObserver(&observer); }
    ~Looking() {
        m_model.setObserver(nullptr);
        model::setMemoryOwner(model::kNoMemoryOwner);
    }
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;

private:
    model::Model& m_model;
};

std::map<std::string, std::int64_t> symbolsOf(const graph::ResolvedModel& graph,
                                              const std::vector<at::Tensor>& inputs) {
    std::map<std::string, std::int64_t> symbols;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::vector<graph::Dim>& dims = graph.values[static_cast<std::size_t>(graph.inputs[i].second)].type.dims;
        for (std::size_t dim = 0; dim < dims.size() && static_cast<std::int64_t>(dim) < inputs[i].dim(); ++dim) {
            if (!dims[dim].isConstant()) {
                symbols.emplace(dims[dim].toString(), inputs[i].size(static_cast<std::int64_t>(dim)));
            }
        }
    }
    return symbols;
}

std::int64_t bytesOf(const ForwardMemory& forward, const std::vector<int>& values) {
    std::int64_t bytes = 0;
    for (const int id : values) {
        bytes += id == graph::kNoValue ? 0 : forward.values[static_cast<std::size_t>(id)].bytes;
    }
    return bytes;
}

/// The groups that a step runs in, in order: units, and leaves by themselves.
struct Groups {
    std::vector<int> unitOf;  ///< by leaf; -1: none
    std::vector<std::int64_t>
        atBorders;  ///< by unit: what flows into it and out of it and stays, that no leaf outside of units keeps
};

Groups groupsOf(const graph::ResolvedModel& graph, const ForwardMemory& forward,
                const std::vector<std::vector<int>>& units) {
    Groups groups;
    groups.unitOf.assign(graph.nodes.size(), -1);
    groups.atBorders.assign(units.size(), 0);
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        for (const int leaf : units[unit]) {
            groups.unitOf[static_cast<std::size_t>(leaf)] = static_cast<int>(unit);
        }
    }
    std::set<int> counted;
    const auto producerOf = [&](int id) { return graph.values[static_cast<std::size_t>(id)].producer; };
    const auto count = [&](int id, int unit) {
        const ForwardMemory::Value& value = forward.values[static_cast<std::size_t>(id)];
        if (value.storage >= 0 && counted.insert(value.storage).second) {
            groups.atBorders[static_cast<std::size_t>(unit)] += value.bytes;
        }
    };
    for (const int leaf : graph.executionOrder) {
        const int unit = groups.unitOf[static_cast<std::size_t>(leaf)];
        for (const int id : graph.nodes[static_cast<std::size_t>(leaf)].inputs) {
            if (id == graph::kNoValue || producerOf(id) < 0) {
                continue;
            }
            const int from = groups.unitOf[static_cast<std::size_t>(producerOf(id))];
            const bool kept = forward.values[static_cast<std::size_t>(id)].kept;
            if (from == unit) {
                continue;
            }
            if (unit >= 0 && (from >= 0 || !kept)) {
                count(id, unit);  // nobody else keeps what the unit runs on again
            } else if (unit < 0 && kept) {
                count(id, from);
            }
        }
    }
    for (const auto& [name, id] : graph.outputs) {
        const int producer = id == graph::kNoValue ? -1 : producerOf(id);
        if (producer >= 0 && groups.unitOf[static_cast<std::size_t>(producer)] >= 0) {
            count(id, groups.unitOf[static_cast<std::size_t>(producer)]);
        }
    }
    return groups;
}

}  // namespace

Result<ForwardMemory> measureForward(model::Model& model, const std::vector<at::Tensor>& inputs,
                                     plan::Precision precision) {
    const graph::ResolvedModel& graph = model.graph();
    const at::Device device = inputs.empty() ? at::Device(at::kCPU) : inputs.front().device();
    ForwardTraces traces(model);
    ForwardObserver observer(graph, inputs, device);
    Result<std::vector<at::Tensor>> outputs = std::vector<at::Tensor>{};
    {
        const Looking looking(model, observer);
        const AutocastScope autocast(precision, device.type());
        outputs = model.forward(inputs);
    }
    traces.restore();
    if (!outputs) {
        return fail(outputs.error());
    }
    ForwardMemory forward = observer.take();
    for (const at::Tensor& output : *outputs) {
        forward.outputs += static_cast<std::int64_t>(output.nbytes());
    }
    const std::map<std::string, std::int64_t> symbols = symbolsOf(graph, inputs);
    for (std::size_t leaf = 0; leaf < graph.nodes.size(); ++leaf) {
        forward.work.push_back(graph.nodes[leaf].cost.macs.evaluate(symbols).value_or(0) +
                               bytesOf(forward, graph.nodes[leaf].outputs) / 4 + 1);
    }
    return forward;
}

ForwardMemory extrapolated(const ForwardMemory& first, std::int64_t firstSamples, const ForwardMemory& second,
                           std::int64_t secondSamples, std::int64_t samples) {
    ForwardMemory made = second;
    const double further =
        static_cast<double>(samples - secondSamples) / static_cast<double>(secondSamples - firstSamples);
    const auto grow = [&](std::int64_t& bytes, std::int64_t before) {
        bytes += static_cast<std::int64_t>(further * static_cast<double>(std::max<std::int64_t>(0, bytes - before)));
    };
    const auto at = [](const std::vector<std::int64_t>& list, std::size_t index) {
        return index < list.size() ? list[index] : 0;
    };
    for (std::size_t leaf = 0; leaf < made.kept.size(); ++leaf) {
        grow(made.kept[leaf], at(first.kept, leaf));
        grow(made.scratch[leaf], at(first.scratch, leaf));
        grow(made.work[leaf], at(first.work, leaf));
    }
    for (std::size_t value = 0; value < made.values.size(); ++value) {
        grow(made.values[value].bytes, value < first.values.size() ? first.values[value].bytes : 0);
    }
    grow(made.outputs, first.outputs);
    return made;
}

std::int64_t predictedPeak(const graph::ResolvedModel& graph, const ForwardMemory& forward, const StepMemory& step,
                           const std::vector<std::vector<int>>& units) {
    const Groups groups = groupsOf(graph, forward, units);
    const std::int64_t allGradients = std::accumulate(step.gradients.begin(), step.gradients.end(), std::int64_t{0});
    const std::int64_t always = step.before + step.optimizerState;
    std::int64_t kept = std::accumulate(groups.atBorders.begin(), groups.atBorders.end(), std::int64_t{0});
    std::vector<std::int64_t> withinUnit(units.size(), 0);
    for (std::size_t leaf = 0; leaf < graph.nodes.size(); ++leaf) {
        (groups.unitOf[leaf] < 0 ? kept : withinUnit[static_cast<std::size_t>(groups.unitOf[leaf])]) +=
            forward.kept[leaf];
    }
    // A loss keeps the outputs' logarithms or differences, and its backward pass gives their gradient.
    std::int64_t gradients = step.gradientsStay ? allGradients : 0;
    std::int64_t peak = always + kept + gradients + 2 * forward.outputs;
    std::vector<std::size_t> left(units.size(), 0);  // leaves of a unit that is under way
    for (auto it = graph.executionOrder.rbegin(); it != graph.executionOrder.rend(); ++it) {
        const auto leaf = static_cast<std::size_t>(*it);
        const int unit = groups.unitOf[leaf];
        if (unit >= 0 && left[static_cast<std::size_t>(unit)] == 0) {
            left[static_cast<std::size_t>(unit)] = units[static_cast<std::size_t>(unit)].size();
            kept += withinUnit[static_cast<std::size_t>(unit)];
        }
        const graph::ResolvedNode& node = graph.nodes[leaf];
        const std::int64_t flowing = bytesOf(forward, node.inputs) + bytesOf(forward, node.outputs);
        gradients += step.gradientsStay ? 0 : step.gradients[leaf];
        const std::int64_t fresh =
            step.gradientsStay ? step.gradients[leaf] : 0;  // before it is added to what is there
        peak = std::max(peak, always + kept + gradients + fresh + flowing + forward.scratch[leaf]);
        kept -= forward.kept[leaf];
        if (unit >= 0 && --left[static_cast<std::size_t>(unit)] == 0) {
            kept -= groups.atBorders[static_cast<std::size_t>(unit)];
        }
    }
    return std::max(peak, always + allGradients + step.update);
}

std::int64_t savingOf(const graph::ResolvedModel& graph, const ForwardMemory& forward, const std::vector<int>& unit) {
    const Groups groups = groupsOf(graph, forward, {unit});
    std::int64_t saved = -groups.atBorders.front();
    for (const int leaf : unit) {
        saved += forward.kept[static_cast<std::size_t>(leaf)];
    }
    return saved;
}

}  // namespace plumbline::train
