// The executor's units of activation checkpointing.

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <queue>
#include <utility>

#include "graph/block_patterns.h"
#include "model/checkpointing.h"
#include "model/executor.h"
#include "model/failure.h"

namespace plumbline::model {

namespace {

/// Tells of the second run.
class SecondRun final : public LeafObserver {
public:
    explicit SecondRun(LeafObserver& observer) : m_observer(observer) {}
    void beforeLeaf(int leaf) override { m_observer.beforeLeafAgain(leaf); }
    void afterLeaf(int leaf, const std::vector<at::Tensor>& outputs) override {
        m_observer.afterLeafAgain(leaf, outputs);
    }

private:
    LeafObserver& m_observer;
};

bool worksInPlace(const graph::ResolvedNode& node) {
    return node.params.is_object() && node.params.value("inplace", false);
}

}  // namespace

/// A unit in one pass: the first run in the executor's own table, the second in one of its own.
class Executor::UnitRun final : public CheckpointedBody {
public:
    UnitRun(Executor& executor, const Route& route, const Unit& unit, const std::vector<char>& training,
            LeafObserver* observer)
        : m_executor(executor), m_steps(route.steps), m_unit(unit), m_observer(observer) {
        for (std::size_t step = unit.begin; step < unit.end; ++step) {
            m_training.push_back(training[static_cast<std::size_t>(m_steps[step].node)]);
        }
    }

    std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs, std::vector<char>& differentiable) override {
        for (const int id : m_unit.outputs) {
            differentiable.push_back(m_executor.m_learns[static_cast<std::size_t>(id)]);
        }
        return runSteps(inputs, m_observer);
    }

    std::vector<at::Tensor> runAgain(const std::vector<at::Tensor>& inputs) override {
        const OwnTable table(m_executor);
        try {
            if (m_observer == nullptr) {
                return runSteps(inputs, nullptr);
            }
            SecondRun observer(*m_observer);
            return runSteps(inputs, &observer);
        } catch (...) {
            throw PassedError(m_executor.failure(*m_executor.m_current));
        }
    }

    std::string name() const override {
        return m_executor.m_graph.nodes[static_cast<std::size_t>(m_steps[m_unit.begin].node)].path;
    }
    at::DeviceType device() const override {
        for (std::size_t step = m_unit.begin; step < m_unit.end; ++step) {
            if (const auto& tensors = m_executor.m_leaves[static_cast<std::size_t>(m_steps[step].node)]->tensors();
                !tensors.empty()) {
                return tensors.front().device().type();
            }
        }
        return at::kCPU;
    }

private:
    /// The executor has an empty table for a scope.
    class OwnTable {
    public:
        explicit OwnTable(Executor& executor) : m_executor(executor), m_table(executor.m_values.size()) {
            std::swap(executor.m_values, m_table);
        }
        ~OwnTable() { std::swap(m_executor.m_values, m_table); }
        OwnTable(const OwnTable&) = delete;
        OwnTable& operator=(const OwnTable&) = delete;

    private:
        Executor& m_executor;
        std::vector<at::Tensor> m_table;
    };

    std::vector<at::Tensor> runSteps(const std::vector<at::Tensor>& inputs, LeafObserver* observer) {
        std::vector<at::Tensor>& values = m_executor.m_values;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            values[static_cast<std::size_t>(m_unit.inputs[i])] = inputs[i];
        }
        for (std::size_t step = m_unit.begin; step < m_unit.end; ++step) {
            m_executor.m_current = &m_steps[step];
            m_executor.runStep(m_steps[step], m_training[step - m_unit.begin] != 0, observer);
        }
        std::vector<at::Tensor> outputs;
        for (const int id : m_unit.outputs) {
            outputs.push_back(std::move(values[static_cast<std::size_t>(id)]));
        }
        return outputs;
    }

    Executor& m_executor;
    const std::vector<Step>& m_steps;
    const Unit& m_unit;
    LeafObserver* m_observer;
    std::vector<char> m_training;  ///< by step of the unit
};

void Executor::checkpoint(const std::vector<std::vector<int>>& units) {
    m_unitOfLeaf.assign(units.empty() ? 0 : m_graph.nodes.size(), -1);
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        for (const int leaf : units[unit]) {
            m_unitOfLeaf[static_cast<std::size_t>(leaf)] = static_cast<int>(unit);
        }
    }
    m_order = units.empty() ? m_graph.executionOrder : orderWith(units);
    m_overwrites = std::any_of(m_graph.nodes.begin(), m_graph.nodes.end(), worksInPlace);
    m_learns.resize(m_values.size());
    m_coded.clear();  // its parts are by the steps as they were
    m_ids.clear();
    for (Route& route : m_routes) {
        route = planRoute(std::exchange(route.outputs, {}));
    }
}

/// The model's order with each unit together: the first of what can run by then goes first, and a unit stands where its
/// first leaf does. There always is such an order: a block's graph has no circle, and a unit is one block of it.
std::vector<int> Executor::orderWith(const std::vector<std::vector<int>>& units) const {
    const std::vector<int>& before = m_graph.executionOrder;
    const std::size_t count = m_graph.nodes.size();
    std::vector<std::vector<int>> members;  // by group: a unit, or a leaf by itself
    std::vector<int> groupOf(count, -1);
    for (const std::vector<int>& unit : units) {
        for (const int leaf : unit) {
            groupOf[static_cast<std::size_t>(leaf)] = static_cast<int>(members.size());
        }
        members.emplace_back();
    }
    std::vector<std::size_t> place(members.size(), count);  // of a group: where its first leaf stood
    for (std::size_t at = 0; at < before.size(); ++at) {
        int& group = groupOf[static_cast<std::size_t>(before[at])];
        if (group < 0) {
            group = static_cast<int>(members.size());
            members.emplace_back();
            place.push_back(at);
        }
        members[static_cast<std::size_t>(group)].push_back(before[at]);
        place[static_cast<std::size_t>(group)] = std::min(place[static_cast<std::size_t>(group)], at);
    }
    std::vector<std::vector<int>> readers(members.size());
    std::vector<int> waitsFor(members.size(), 0);
    for (std::size_t leaf = 0; leaf < count; ++leaf) {
        for (const int id : m_graph.nodes[leaf].inputs) {
            const int producer = id == graph::kNoValue ? -1 : m_graph.values[static_cast<std::size_t>(id)].producer;
            if (producer >= 0 && groupOf[static_cast<std::size_t>(producer)] != groupOf[leaf]) {
                readers[static_cast<std::size_t>(groupOf[static_cast<std::size_t>(producer)])].push_back(groupOf[leaf]);
                ++waitsFor[static_cast<std::size_t>(groupOf[leaf])];
            }
        }
    }
    using Ready = std::pair<std::size_t, int>;  // place, group
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    for (std::size_t group = 0; group < members.size(); ++group) {
        if (waitsFor[group] == 0) {
            ready.emplace(place[group], static_cast<int>(group));
        }
    }
    std::vector<int> order;
    while (!ready.empty()) {
        const auto group = static_cast<std::size_t>(ready.top().second);
        ready.pop();
        order.insert(order.end(), members[group].begin(), members[group].end());
        for (const int reader : readers[group]) {
            if (--waitsFor[static_cast<std::size_t>(reader)] == 0) {
                ready.emplace(place[static_cast<std::size_t>(reader)], reader);
            }
        }
    }
    return order;
}

/// From the steps as they are: which are a unit, what flows into it and what others read.
void Executor::planUnits(Route& route) {
    std::vector<Unit>& units = route.units;
    std::vector<int> unitOfStep(route.steps.size(), -1), unitOfValue(m_values.size(), -1);
    int before = -1;
    for (std::size_t at = 0; at < route.steps.size(); ++at) {
        const Step& step = route.steps[at];
        const int unit = m_unitOfLeaf[static_cast<std::size_t>(step.node)];
        if (unit >= 0 && unit != before) {
            units.emplace_back().begin = at;
        }
        before = unit;
        if (unit < 0) {
            continue;
        }
        unitOfStep[at] = static_cast<int>(units.size()) - 1;
        units.back().end = at + 1;
        units.back().overwrites =
            units.back().overwrites || worksInPlace(m_graph.nodes[static_cast<std::size_t>(step.node)]);
        for (std::size_t i = 0; i < step.outputs.count; ++i) {
            unitOfValue[static_cast<std::size_t>(m_ids[step.outputs.begin + i])] = unitOfStep[at];
        }
    }
    const auto addOnce = [](std::vector<int>& ids, int id) {
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
            ids.push_back(id);
        }
    };
    for (std::size_t at = 0; at < route.steps.size(); ++at) {
        for (std::size_t i = 0; i < route.steps[at].inputs.count; ++i) {
            const int id = m_ids[route.steps[at].inputs.begin + i];
            const int made = id == graph::kNoValue ? unitOfStep[at] : unitOfValue[static_cast<std::size_t>(id)];
            if (made == unitOfStep[at]) {
                continue;
            }
            if (unitOfStep[at] >= 0) {
                addOnce(units[static_cast<std::size_t>(unitOfStep[at])].inputs, id);
            }
            if (made >= 0) {
                addOnce(units[static_cast<std::size_t>(made)].outputs, id);
            }
        }
    }
    for (std::size_t output = 0; output < route.outputs.size(); ++output) {
        const int id = m_graph.outputs[output].second;
        if (route.outputs[output] == 0) {
            continue;
        }
        if (const int made = unitOfValue[static_cast<std::size_t>(id)]; made >= 0) {
            addOnce(units[static_cast<std::size_t>(made)].outputs, id);
        }
    }
}

bool Executor::learns(const Route& route, const Unit& unit) {
    for (const int id : unit.inputs) {
        m_learns[static_cast<std::size_t>(id)] = m_values[static_cast<std::size_t>(id)].requires_grad() ? 1 : 0;
    }
    for (std::size_t at = unit.begin; at < unit.end; ++at) {
        const Step& step = route.steps[at];
        const auto node = static_cast<std::size_t>(step.node);
        const bool stops =
            (!m_gradientsOff.empty() && m_gradientsOff[node] != 0) || graph::stopsGradients(m_graph.nodes[node]);
        bool any = std::any_of(step.leaf->tensors().begin(), step.leaf->tensors().end(),
                               [](const at::Tensor& tensor) { return tensor.requires_grad(); });
        for (std::size_t i = 0; i < step.inputs.count && !any; ++i) {
            const int id = m_ids[step.inputs.begin + i];
            any = id != graph::kNoValue && m_learns[static_cast<std::size_t>(id)] != 0;
        }
        for (std::size_t i = 0; i < step.outputs.count; ++i) {
            m_learns[static_cast<std::size_t>(m_ids[step.outputs.begin + i])] = any && !stops ? 1 : 0;
        }
    }
    return std::any_of(unit.outputs.begin(), unit.outputs.end(),
                       [this](int id) { return m_learns[static_cast<std::size_t>(id)] != 0; });
}

void Executor::runWithUnits(const Route& route, const std::vector<char>& training, LeafObserver* observer) {
    std::size_t at = 0;
    const auto runUntil = [&](std::size_t end) {
        for (; at < end; ++at) {
            m_current = &route.steps[at];
            runStep(route.steps[at], training[static_cast<std::size_t>(route.steps[at].node)] != 0, observer);
        }
    };
    for (const Unit& unit : route.units) {
        runUntil(unit.begin);
        if (at::GradMode::is_enabled() && learns(route, unit)) {
            runUnit(route, unit, training, observer);
            at = unit.end;
        } else {
            runUntil(unit.end);
        }
    }
    runUntil(route.steps.size());
}

void Executor::runUnit(const Route& route, const Unit& unit, const std::vector<char>& training,
                       LeafObserver* observer) {
    std::vector<at::Tensor> inputs;
    inputs.reserve(unit.inputs.size());
    for (const int id : unit.inputs) {
        inputs.push_back(m_values[static_cast<std::size_t>(id)]);
    }
    std::vector<at::Tensor> outputs = runCheckpointed(std::make_shared<UnitRun>(*this, route, unit, training, observer),
                                                      inputs, {unit.overwrites, m_overwrites});
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        // Those that are read later: with their own history again.
        if (at::Tensor& value = m_values[static_cast<std::size_t>(unit.inputs[i])]; value.defined()) {
            value = std::move(inputs[i]);
        }
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        m_values[static_cast<std::size_t>(unit.outputs[i])] = std::move(outputs[i]);
    }
}

}  // namespace plumbline::model
