#include "model/executor.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "model/checkpointing.h"
#include "model/failure.h"
#include "model/memory.h"

namespace plumbline::model {

Executor::Executor(const graph::ResolvedModel& graph, const std::vector<std::unique_ptr<Leaf>>& leaves,
                   bool channelsLast)
    : m_graph(graph),
      m_leaves(leaves),
      m_channelsLast(channelsLast),
      m_order(graph.executionOrder),
      m_values(graph.values.size()) {
    addRoute(std::vector<char>(graph.outputs.size(), 1));
    planInputs();
}

std::size_t Executor::addRoute(const std::vector<char>& outputs) {
    m_routes.push_back(planRoute(outputs));
    return m_routes.size() - 1;
}

Executor::Route Executor::planRoute(const std::vector<char>& outputs) {
    std::vector<char> needed(m_values.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i] != 0) {
            needed[static_cast<std::size_t>(m_graph.outputs[i].second)] = 1;
        }
    }
    const bool all = m_routes.empty() ||
                     std::count(outputs.begin(), outputs.end(), 1) == static_cast<std::ptrdiff_t>(outputs.size());
    const auto isNeeded = [&](int id) { return id != graph::kNoValue && needed[static_cast<std::size_t>(id)] != 0; };
    Route route;
    route.outputs = outputs;
    for (auto leaf = m_order.rbegin(); leaf != m_order.rend(); ++leaf) {
        const graph::ResolvedNode& node = m_graph.nodes[static_cast<std::size_t>(*leaf)];
        // The whole graph runs also what no output needs.
        if (!all && std::none_of(node.outputs.begin(), node.outputs.end(), isNeeded)) {
            continue;
        }
        for (const int id : node.inputs) {
            if (id != graph::kNoValue) {
                needed[static_cast<std::size_t>(id)] = 1;
            }
        }
        Step step;
        step.leaf = m_leaves[static_cast<std::size_t>(*leaf)].get();
        step.node = *leaf;
        step.inputs = append(node.inputs);
        step.outputs = append(node.outputs);
        route.steps.push_back(step);
    }
    std::reverse(route.steps.begin(), route.steps.end());
    planReleases(route);
    if (!m_unitOfLeaf.empty()) {
        planUnits(route);
    }
    return route;
}

std::vector<char> Executor::leavesOf(std::size_t route) const {
    std::vector<char> leaves(m_graph.nodes.size());
    for (const Step& step : m_routes[route].steps) {
        leaves[static_cast<std::size_t>(step.node)] = 1;
    }
    return leaves;
}

Executor::Range Executor::append(const std::vector<int>& ids) {
    const Range range{m_ids.size(), ids.size()};
    m_ids.insert(m_ids.end(), ids.begin(), ids.end());
    return range;
}

void Executor::planReleases(Route& route) {
    constexpr int kKept = -1;
    std::vector<int> lastReader(m_values.size(), kKept);
    for (std::size_t step = 0; step < route.steps.size(); ++step) {
        const auto mark = [&](Range range) {
            for (std::size_t i = 0; i < range.count; ++i) {
                if (const int id = m_ids[range.begin + i]; id != graph::kNoValue) {
                    lastReader[static_cast<std::size_t>(id)] = static_cast<int>(step);
                }
            }
        };
        mark(route.steps[step].outputs);  // an output that nobody reads goes at once
        mark(route.steps[step].inputs);
    }
    for (std::size_t output = 0; output < route.outputs.size(); ++output) {
        if (route.outputs[output] != 0) {
            lastReader[static_cast<std::size_t>(m_graph.outputs[output].second)] = kKept;
        }
    }
    std::vector<std::vector<int>> releases(route.steps.size());
    for (std::size_t id = 0; id < lastReader.size(); ++id) {
        if (lastReader[id] != kKept) {
            releases[static_cast<std::size_t>(lastReader[id])].push_back(static_cast<int>(id));
        }
    }
    for (std::size_t step = 0; step < route.steps.size(); ++step) {
        route.steps[step].releases = append(releases[step]);
    }
}

void Executor::planInputs() {
    std::map<std::string, int> symbols;
    for (const auto& [name, id] : m_graph.inputs) {
        const graph::ResolvedValue& value = m_graph.values[static_cast<std::size_t>(id)];
        WantedInput wanted;
        wanted.known = value.known;
        for (const graph::Dim& dim : value.type.dims) {
            WantedDim want;
            if (const auto constant = dim.constant()) {
                want.value = *constant;
            } else if (const std::string text = dim.toString(); dim == graph::Dim::symbol(text)) {
                want.symbol = symbols.emplace(text, static_cast<int>(symbols.size())).first->second;
            }
            wanted.dims.push_back(want);
        }
        m_wanted.push_back(std::move(wanted));
    }
    m_symbols.resize(symbols.size());
}

Status Executor::checkInputs(const std::vector<at::Tensor>& inputs) {
    if (inputs.size() != m_wanted.size()) {
        return fail(ErrorKind::kRunFailed, "input-count",
                    fmt::format("The model has {} inputs and was given {}.", m_wanted.size(), inputs.size()));
    }
    std::fill(m_symbols.begin(), m_symbols.end(), -1);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].defined()) {
            return fail(ErrorKind::kRunFailed, "input-missing",
                        fmt::format("The input {} of the model was given no tensor.", m_graph.inputs[i].first));
        }
        if (!m_wanted[i].known) {
            continue;
        }
        const at::IntArrayRef sizes = inputs[i].sizes();
        const std::vector<WantedDim>& dims = m_wanted[i].dims;
        bool fits = sizes.size() == dims.size();
        for (std::size_t dim = 0; fits && dim < dims.size(); ++dim) {
            if (dims[dim].symbol >= 0) {
                std::int64_t& value = m_symbols[static_cast<std::size_t>(dims[dim].symbol)];
                fits = value < 0 || value == sizes[dim];
                value = sizes[dim];
            } else {
                fits = dims[dim].value < 0 || dims[dim].value == sizes[dim];
            }
        }
        if (!fits) {
            const auto& [name, id] = m_graph.inputs[i];
            // Samples of the right shape, and not as many as the model takes at a time.
            bool samplesFit =
                sizes.size() == dims.size() && !dims.empty() && dims[0].value >= 0 && dims[0].value != sizes[0];
            for (std::size_t dim = 1; samplesFit && dim < dims.size(); ++dim) {
                samplesFit = dims[dim].value < 0 || dims[dim].value == sizes[dim];
            }
            return fail(
                ErrorKind::kInvalid, "input-shape",
                fmt::format("The input {} has the shape [{}] and the model wants [{}].", name, fmt::join(sizes, ", "),
                            m_graph.values[static_cast<std::size_t>(id)].type.shapeText()),
                name,
                samplesFit ? "Write \"B\" as the input's first dimension."
                           : "Check the data's transforms, or change the shape of the model's input.");
        }
    }
    return {};
}

namespace {

/// Autocast for a kind of device is off while it lives.
class NoAutocast {
public:
    explicit NoAutocast(at::DeviceType device) : m_device(device), m_before(at::autocast::is_autocast_enabled(device)) {
        at::autocast::set_autocast_enabled(device, false);
    }
    ~NoAutocast() { at::autocast::set_autocast_enabled(m_device, m_before); }
    NoAutocast(const NoAutocast&) = delete;
    NoAutocast& operator=(const NoAutocast&) = delete;

private:
    at::DeviceType m_device;
    bool m_before;
};

/// With the strides that say so also where the layouts are one, as with a single channel: LibTorch goes by them, and
/// would compute what follows in the other layout.
at::Tensor inChannelsLast(const at::Tensor& images) {
    const at::Tensor laidOut = images.contiguous(at::MemoryFormat::ChannelsLast);
    const std::int64_t channels = laidOut.size(1), height = laidOut.size(2), width = laidOut.size(3);
    return channels == 1
               ? laidOut.as_strided(laidOut.sizes(), {channels * height * width, 1, width * channels, channels})
               : laidOut;
}

bool isHalf(at::ScalarType type) {
    return type == at::kHalf || type == at::kBFloat16;
}

}  // namespace

void Executor::forwardInFloat32(const Step& step, bool training) {
    at::DeviceType device = at::kCPU;
    m_raised.resize(m_inputs.size());
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        if (m_inputs[i] == nullptr) {
            continue;
        }
        device = m_inputs[i]->device().type();
        if (isHalf(m_inputs[i]->scalar_type())) {
            m_raised[i] = m_inputs[i]->to(at::kFloat);
            m_inputs[i] = &m_raised[i];
        }
    }
    {
        const NoAutocast off(device);
        step.leaf->forward({m_inputs, m_outputs, training});
    }
    m_raised.clear();
}

void Executor::forward(const Step& step, bool training) {
    if (!m_float32.empty() && m_float32[static_cast<std::size_t>(step.node)] != 0) {
        forwardInFloat32(step, training);
    } else {
        step.leaf->forward({m_inputs, m_outputs, training});
    }
}

void Executor::forwardWithoutGradients(const Step& step, bool training) {
    const at::NoGradGuard noGrad;
    const NoAutocastCache noCache;
    forward(step, training);
    for (at::Tensor& output : m_outputs) {
        if (output.defined() && output.requires_grad()) {
            output = output.detach();  // a leaf that gives what it got
        }
    }
}

void Executor::runStep(const Step& step, bool training, LeafObserver* observer) {
    m_inputs.resize(step.inputs.count);
    for (std::size_t i = 0; i < step.inputs.count; ++i) {
        const int id = m_ids[step.inputs.begin + i];
        m_inputs[i] = id == graph::kNoValue ? nullptr : &m_values[static_cast<std::size_t>(id)];
    }
    m_outputs.resize(step.outputs.count);
    if (observer != nullptr) {
        observer->beforeLeaf(step.node);
    }
    if (!m_gradientsOff.empty() && m_gradientsOff[static_cast<std::size_t>(step.node)] != 0) {
        forwardWithoutGradients(step, training);
    } else {
        forward(step, training);
    }
    if (observer != nullptr) {
        observer->afterLeaf(step.node, m_outputs);
    }
    for (std::size_t i = 0; i < step.outputs.count; ++i) {
        m_values[static_cast<std::size_t>(m_ids[step.outputs.begin + i])] = std::move(m_outputs[i]);
    }
    release(step);
}

void Executor::release(const Step& step) {
    for (std::size_t i = 0; i < step.releases.count; ++i) {
        m_values[static_cast<std::size_t>(m_ids[step.releases.begin + i])].reset();
    }
}

std::vector<at::Tensor> Executor::take(std::span<const graph::ValueId> ids) {
    std::vector<at::Tensor> taken;
    taken.reserve(ids.size());
    for (const graph::ValueId id : ids) {
        taken.push_back(m_values[static_cast<std::size_t>(id)]);
    }
    for (const graph::ValueId id : ids) {
        m_values[static_cast<std::size_t>(id)].reset();
    }
    return taken;
}

void Executor::useCode(std::vector<CodedPart> parts) {
    std::sort(parts.begin(), parts.end(),
              [](const CodedPart& a, const CodedPart& b) { return a.part.first < b.part.first; });
    m_coded = std::move(parts);
}

bool Executor::runCode(const CodedPart& coded, const std::vector<Step>& steps, const std::vector<char>& training) {
    const auto& [part, code] = coded;
    for (std::size_t i = part.first; i < part.first + part.count; ++i) {
        if (training[static_cast<std::size_t>(steps[i].node)] != 0) {
            return false;
        }
    }
    m_inputs.clear();
    for (const graph::ValueId id : part.inputs) {
        m_inputs.push_back(&m_values[static_cast<std::size_t>(id)]);
    }
    m_outputs.resize(part.outputs.size());
    if (!code->run(m_inputs, m_outputs)) {
        return false;
    }
    for (std::size_t i = 0; i < m_outputs.size(); ++i) {
        m_values[static_cast<std::size_t>(part.outputs[i])] = std::move(m_outputs[i]);
    }
    for (std::size_t i = part.first; i < part.first + part.count; ++i) {
        release(steps[i]);
    }
    return true;
}

void Executor::runRoute(const Route& route, const std::vector<char>& training, LeafObserver* observer) {
    if (!route.units.empty()) [[unlikely]] {
        return runWithUnits(route, training, observer);
    }
    if (!m_coded.empty() && &route == &m_routes.front()) [[unlikely]] {
        return runWithCode(route.steps, training, observer);
    }
    for (const Step& step : route.steps) {
        m_current = &step;
        runStep(step, training[static_cast<std::size_t>(step.node)] != 0, observer);
    }
}

void Executor::runWithCode(const std::vector<Step>& steps, const std::vector<char>& training, LeafObserver* observer) {
    auto coded = m_coded.begin();
    for (std::size_t i = 0; i < steps.size();) {
        if (coded != m_coded.end() && coded->part.first == i) {
            const CodedPart& here = *coded++;
            if (observer == nullptr && runCode(here, steps, training)) {
                i += here.part.count;
                continue;
            }
        }
        m_current = &steps[i++];
        runStep(*m_current, training[static_cast<std::size_t>(m_current->node)] != 0, observer);
    }
}

Result<std::vector<at::Tensor>> Executor::runPart(const Part& part, const std::vector<at::Tensor>& inputs,
                                                  const std::vector<char>& training) {
    const MemoryScope scope(MemoryCategory::kActivations);
    const std::vector<Step>& steps = m_routes.front().steps;
    const Step* current = nullptr;
    try {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            m_values[static_cast<std::size_t>(part.inputs[i])] = inputs[i];
        }
        for (std::size_t i = part.first; i < part.first + part.count; ++i) {
            current = &steps[i];
            runStep(*current, training[static_cast<std::size_t>(current->node)] != 0, nullptr);
        }
    } catch (...) {
        return fail(failure(current == nullptr ? Step{} : *current));
    }
    std::vector<at::Tensor> outputs = take(part.outputs);
    take(part.inputs);  // of which a leaf behind the part would be the last reader
    return outputs;
}

Result<std::vector<at::Tensor>> Executor::run(const std::vector<at::Tensor>& inputs, const std::vector<char>& training,
                                              LeafObserver* observer, std::size_t route) {
    PLUMBLINE_TRY(checkInputs(inputs));
    const MemoryScope scope(MemoryCategory::kActivations);
    m_current = nullptr;
    try {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            at::Tensor& value = m_values[static_cast<std::size_t>(m_graph.inputs[i].second)];
            value = m_channelsLast && inputs[i].dim() == 4 ? inChannelsLast(inputs[i]) : inputs[i];
        }
        runRoute(m_routes[route], training, observer);
    } catch (...) {
        return fail(failure(m_current == nullptr ? Step{} : *m_current));
    }
    std::vector<at::Tensor> outputs;
    outputs.reserve(m_graph.outputs.size());
    const std::vector<char>& wanted = m_routes[route].outputs;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        outputs.push_back(wanted[i] != 0 ? m_values[static_cast<std::size_t>(m_graph.outputs[i].second)]
                                         : at::Tensor());
    }
    for (const auto& [name, id] : m_graph.outputs) {
        m_values[static_cast<std::size_t>(id)].reset();
    }
    for (std::size_t i = 0; route != 0 && i < inputs.size(); ++i) {
        m_values[static_cast<std::size_t>(m_graph.inputs[i].second)].reset();  // one that the route does not read
    }
    return outputs;
}

Error Executor::failure(const Step& step) {
    Error error;
    if (step.leaf == nullptr) {
        error = errorOfCurrentException("The model's inputs could not be taken over", "");
    } else {
        const graph::ResolvedNode& node = m_graph.nodes[static_cast<std::size_t>(step.node)];
        std::vector<const at::Tensor*> tensors;
        for (std::size_t i = 0; i < step.inputs.count; ++i) {
            const int id = m_ids[step.inputs.begin + i];
            if (id != graph::kNoValue) {
                tensors.push_back(&m_values[static_cast<std::size_t>(id)]);
            }
        }
        error = errorOfCurrentException(
            fmt::format("The block {} ({}) failed on {}", node.path, node.type, describe(tensors)), node.path);
    }
    for (at::Tensor& value : m_values) {
        value.reset();
    }
    m_outputs.clear();
    m_raised.clear();
    return error;
}

}  // namespace plumbline::model
