#include "graph/resolve.h"

#include <fmt/format.h>
#include <algorithm>

#include "graph/expand.h"
#include "graph/graph_plan.h"
#include "graph/infer.h"

namespace plumbline::graph {
namespace {

/// The root's inputs state their shape; readDocument has checked the texts, an editor's document may not have been.
void typeInputs(const Graph& root, ResolvedModel& model, ProblemList& problems) {
    for (std::size_t i = 0; i < root.inputs.size(); ++i) {
        const GraphInput& input = root.inputs[i];
        const std::string pointer = pointerTo("/model/graph/inputs", input.name);
        ResolvedValue& value = model.values[static_cast<std::size_t>(model.inputs[i].second)];
        const auto dtype = parseDType(input.dtype.empty() ? "float32" : input.dtype);
        if (!input.shape.is_array() || !dtype) {
            problems.critical(
                "input-without-shape", {}, pointer,
                fmt::format("The input {} has no shape or no dtype. Give it both, as [\"B\", 3, 32, 32] and float32.",
                            input.name));
            continue;
        }
        value.type.dtype = *dtype;
        bool good = true;
        for (const Json& dim : input.shape) {
            if (dim.is_number_integer() && dim > 0) {
                value.type.dims.emplace_back(dim.get<std::int64_t>());
                continue;
            }
            const auto parsed = dim.is_string() ? Dim::parse(dim.get<std::string>()) : Result<Dim>(Dim());
            if (!parsed || parsed->constant().value_or(1) < 1) {
                problems.critical(
                    "bad-dimension", {}, pointer + "/shape",
                    fmt::format("The input {} has the dimension {}. Write a whole number from 1, or a symbol as \"B\".",
                                input.name, dim.dump()));
                good = false;
                break;
            }
            value.type.dims.push_back(*parsed);
        }
        value.known = good;
    }
}

void checkOutline(const Graph& root, ProblemList& problems) {
    if (root.nodes.empty()) {
        problems.critical("empty-model", {}, "/model/graph", "The model has no blocks yet. Add one from the palette.");
        return;
    }
    if (root.inputs.empty()) {
        problems.critical("no-input", {}, "/model/graph/inputs",
                          "The model has no input, so nothing flows through it. Add an input.");
    }
    if (root.outputs.empty()) {
        problems.critical(
            "no-output", {}, "/model/graph/outputs",
            "The model has no output, so there is nothing to train on. Add an output and connect a block to it.");
    }
}

/// Blocks whose outputs nobody reads, on the canvas where they stand: one warning at the end of a dead branch.
void reportUnread(const std::vector<GraphPlan>& plans, ProblemList& problems) {
    for (const GraphPlan& plan : plans) {
        std::vector<bool> read(plan.nodes.size(), false);
        const auto mark = [&](const PlannedSource& source) {
            if (source.kind == PlannedSource::Kind::kNode) {
                read[static_cast<std::size_t>(source.index)] = true;
            }
        };
        for (const PlannedNode& node : plan.nodes) {
            std::for_each(node.inputs.begin(), node.inputs.end(), mark);
        }
        std::for_each(plan.outputs.begin(), plan.outputs.end(), mark);
        for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
            const PlannedNode& node = plan.nodes[i];
            if (!read[i] && node.usable()) {
                const std::string name = blockName(*plan.graph, node.node->name);
                problems.warning(
                    "unread-block", name, node.pointer,
                    fmt::format("Nothing reads the output of {}, so it has no effect. Connect it, or remove it.",
                                name));
            }
        }
    }
}

/// Everything that is not inferred has to have a reason somebody was told.
void checkComplete(Expanded& expanded, const ResolvedModel& model, ProblemList& problems) {
    if (problems.hasCritical()) {
        return;
    }
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const ResolvedNode& node = model.nodes[i];
        if (node.inferred) {
            continue;
        }
        std::string source;
        for (std::size_t k = 0; k < node.inputs.size() && source.empty(); ++k) {
            if (node.inputs[k] == kNoValue) {
                source = expanded.label(expanded.facts[i].inputs[k]);
            }
        }
        problems.critical(
            "no-value", node.path, node.pointer,
            source.empty()
                ? fmt::format("Nothing flows into {}. Connect a block to it.", node.path)
                : fmt::format("{} reads an output of {} that has no value while that block is switched off. Switch it "
                              "on, or read another output.",
                              node.path, source));
        return;
    }
    for (const auto& [name, value] : model.outputs) {
        if (value == kNoValue) {
            problems.critical("no-value", {}, pointerTo("/model/graph/outputs", name),
                              fmt::format("Nothing flows into the output {}. Connect a block to it.", name));
        }
    }
}

}  // namespace

std::string describeInference(const Error& error, const std::string& block, const std::vector<std::string>& sources) {
    std::string text = block.empty() ? error.message : block + " " + error.message;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const std::string mark = fmt::format("{{{}}}", i);
        const std::string& name = sources[i];
        for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + name.size())) {
            text.replace(at, mark.size(), name);
        }
    }
    return sentence(std::move(text), error.hint);
}

ResolvedModel resolve(const Document& document, const BlockRegistry& registry) {
    ProblemList problems;
    ResolvedModel model;
    checkOutline(document.root, problems);
    const std::vector<GraphPlan> plans = planGraphs(document, registry, problems);
    Expanded expanded = expand(plans, problems);
    placeValues(expanded, document.root, model);
    typeInputs(document.root, model, problems);
    std::vector<int> order = orderOf(model);
    inferShapes(order, document, expanded, model, problems);
    shareWeights(expanded, model, problems);
    if (order.size() == model.nodes.size() &&
        std::none_of(plans.begin(), plans.end(), [](const GraphPlan& plan) { return plan.hasCycle; })) {
        model.executionOrder = std::move(order);
    }
    for (WireSlot& wire : expanded.wires) {
        const int slot = expanded.find(wire.slot);
        if (slot < 0) {
            continue;
        }
        const Slot& at = expanded.slots[static_cast<std::size_t>(slot)];
        const ValueId id =
            at.producer < 0
                ? model.inputs[static_cast<std::size_t>(at.port)].second
                : model.nodes[static_cast<std::size_t>(at.producer)].outputs[static_cast<std::size_t>(at.port)];
        if (const ResolvedValue& value = model.values[static_cast<std::size_t>(id)]; value.known) {
            model.wires.emplace(std::move(wire.name), value.type);
        }
    }
    checkComplete(expanded, model, problems);
    reportUnread(plans, problems);
    model.problems = problems.take();
    return model;
}

bool ResolvedModel::ok() const {
    return std::none_of(problems.begin(), problems.end(),
                        [](const Problem& problem) { return problem.severity == Severity::kCritical; });
}

std::int64_t ResolvedModel::parameterCount() const {
    std::int64_t count = 0;
    for (const ResolvedNode& node : nodes) {
        count += node.weightsOf.empty() ? node.cost.parameters : 0;
    }
    return count;
}

std::int64_t ResolvedModel::samplesOfCosts() const {
    std::int64_t samples = 0;
    for (const auto& [name, id] : inputs) {
        const ResolvedValue& input = values[static_cast<std::size_t>(id)];
        const auto size = !input.known || input.type.dims.empty() ? std::nullopt : input.type.dims[0].constant();
        if (!size || (samples != 0 && samples != *size)) {
            return 1;
        }
        samples = *size;
    }
    return std::max<std::int64_t>(samples, 1);
}

Dim ResolvedModel::macs() const {
    Dim total;
    for (const ResolvedNode& node : nodes) {
        total = total + node.cost.macs;
    }
    return total;
}

const ResolvedNode* ResolvedModel::find(const std::string& path) const {
    const auto it =
        std::find_if(nodes.begin(), nodes.end(), [&](const ResolvedNode& node) { return node.path == path; });
    return it == nodes.end() ? nullptr : &*it;
}

}  // namespace plumbline::graph
