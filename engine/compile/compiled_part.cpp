#include "compile/compiled_part.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/csrc/jit/codegen/onednn/interface.h>

#include <algorithm>
#include <set>

#include "codegen/script_source.h"
#include "compile/script_module.h"
#include "model/failure.h"

namespace plumbline::compile {
namespace {

/// While it lives, what TorchScript optimises is given to oneDNN as well: at the second call with a shape, so at calls
/// too.
class OneDnnFusion {
public:
    explicit OneDnnFusion(Way way) : m_on(way == Way::kOneDnn && !torch::jit::RegisterLlgaFuseGraph::isEnabled()) {
        if (m_on) {
            torch::jit::RegisterLlgaFuseGraph::setEnabled(true);
        }
    }
    ~OneDnnFusion() {
        if (m_on) {
            torch::jit::RegisterLlgaFuseGraph::setEnabled(false);
        }
    }
    OneDnnFusion(const OneDnnFusion&) = delete;
    OneDnnFusion& operator=(const OneDnnFusion&) = delete;

private:
    bool m_on;
};

codegen::ScriptPart scriptOf(const graph::ResolvedModel& graph, const model::Part& part) {
    codegen::ScriptPart script;
    const auto begin = graph.executionOrder.begin() + static_cast<std::ptrdiff_t>(part.first);
    script.nodes.assign(begin, begin + static_cast<std::ptrdiff_t>(part.count));
    for (const graph::ValueId value : part.inputs) {
        script.inputs.emplace_back(fmt::format("input_{}", value), value);
    }
    for (const graph::ValueId value : part.outputs) {
        script.outputs.emplace_back(fmt::format("output_{}", value), value);
    }
    return script;
}

/// The nodes whose state a part reads: its own, and those that its leaves share.
std::set<int> leavesOf(const graph::ResolvedModel& graph, const std::vector<int>& nodes) {
    std::set<int> leaves(nodes.begin(), nodes.end());
    for (const int node : nodes) {
        if (const graph::ResolvedNode* owner = graph.find(graph.nodes[static_cast<std::size_t>(node)].weightsOf)) {
            leaves.insert(static_cast<int>(owner - graph.nodes.data()));
        }
    }
    return leaves;
}

std::optional<at::MemoryFormat> layoutOf(const at::Tensor& tensor) {
    const at::MemoryFormat format = tensor.suggest_memory_format();
    return tensor.is_contiguous(format) ? std::optional(format) : std::nullopt;
}

}  // namespace

const char* toString(Way way) {
    return way == Way::kOneDnn ? "oneDNN" : "frozen";
}

Result<std::shared_ptr<CompiledPart>> CompiledPart::make(const model::Model& model,
                                                         const graph::BlockRegistry& registry, const model::Part& part,
                                                         Way way) {
    const codegen::ScriptPart script = scriptOf(model.graph(), part);
    PLUMBLINE_ASSIGN(const std::string source, codegen::scriptSource(model.graph(), registry, script));
    try {
        const std::set<int> leaves = leavesOf(model.graph(), script.nodes);
        torch::jit::Module module = makeScriptModule(model, &leaves);
        module.define(source);
        module.eval();
        std::shared_ptr<CompiledPart> made(new CompiledPart(torch::jit::freeze(module), way));
        for (const model::NamedState& state : model.stateDict()) {
            if (leaves.contains(state.leaf)) {
                made->m_weights.push_back({state.tensor, static_cast<std::int64_t>(state.tensor._version())});
            }
        }
        return made;
    } catch (...) {
        return fail(model::errorOfCurrentException("TorchScript refused it", ""));
    }
}

std::vector<at::Tensor> CompiledPart::call(std::span<const at::Tensor* const> inputs) {
    const OneDnnFusion fusion(m_way);
    std::vector<c10::IValue> arguments;
    arguments.reserve(inputs.size());
    for (const at::Tensor* input : inputs) {
        arguments.emplace_back(*input);
    }
    const c10::IValue value = m_module.forward(std::move(arguments));
    std::vector<at::Tensor> outputs;
    if (value.isTensor()) {
        outputs.push_back(value.toTensor());
    } else {
        for (const c10::IValue& element : value.toTupleRef().elements()) {
            outputs.push_back(element.toTensor());
        }
    }
    for (std::size_t i = 0; i < std::min(outputs.size(), m_layouts.size()); ++i) {
        if (m_layouts[i] && !outputs[i].is_contiguous(*m_layouts[i])) {
            outputs[i] = outputs[i].contiguous(*m_layouts[i]);
        }
    }
    return outputs;
}

void CompiledPart::guard(const std::vector<std::vector<at::Tensor>>& inputs, const std::vector<at::Tensor>& outputs) {
    m_inputs.clear();
    m_layouts.clear();
    for (std::size_t i = 0; i < inputs.front().size(); ++i) {
        const at::Tensor& first = inputs.front()[i];
        WantedInput wanted{first.scalar_type(), first.device(), first.sizes().vec()};
        for (const std::vector<at::Tensor>& call : inputs) {
            for (std::size_t dim = 0; dim < wanted.sizes.size(); ++dim) {
                wanted.sizes[dim] =
                    call[i].size(static_cast<std::int64_t>(dim)) == wanted.sizes[dim] ? wanted.sizes[dim] : -1;
            }
        }
        m_inputs.push_back(std::move(wanted));
    }
    for (const at::Tensor& output : outputs) {
        m_layouts.push_back(layoutOf(output));
    }
}

bool CompiledPart::stale() const {
    return std::any_of(m_weights.begin(), m_weights.end(), [](const Weight& weight) {
        return static_cast<std::int64_t>(weight.tensor._version()) != weight.version;
    });
}

std::string CompiledPart::reasonAgainst(std::span<const at::Tensor* const> inputs) const {
    if (!m_failure.empty()) {
        return m_failure;
    }
    if (at::GradMode::is_enabled()) {
        return "gradients were recorded";
    }
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        const at::Tensor& given = *inputs[i];
        const WantedInput& wanted = m_inputs[i];
        bool fits = given.scalar_type() == wanted.dtype && given.device() == wanted.device &&
                    given.dim() == static_cast<std::int64_t>(wanted.sizes.size());
        for (std::size_t dim = 0; fits && dim < wanted.sizes.size(); ++dim) {
            fits = wanted.sizes[dim] < 0 || given.size(static_cast<std::int64_t>(dim)) == wanted.sizes[dim];
        }
        if (!fits) {
            return "inputs of another shape or element type";
        }
        if (at::autocast::is_autocast_enabled(wanted.device.type())) {
            return "mixed precision was on";
        }
    }
    return stale() ? "the weights changed after it was compiled" : "";
}

bool CompiledPart::run(std::span<const at::Tensor* const> inputs, std::span<at::Tensor> outputs) {
    ++m_counts.calls;
    if (const std::string reason = reasonAgainst(inputs); !reason.empty()) {
        ++m_counts.refused[reason];
        return false;
    }
    try {
        std::vector<at::Tensor> given = call(inputs);
        if (given.size() != outputs.size()) {
            return false;
        }
        std::move(given.begin(), given.end(), outputs.begin());
        ++m_counts.compiled;
        return true;
    } catch (...) {
        m_failure = model::errorOfCurrentException("It failed when it ran", "").message;
        ++m_counts.refused[m_failure];
        return false;
    }
}

}  // namespace plumbline::compile
