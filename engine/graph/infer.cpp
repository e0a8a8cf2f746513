#include "graph/infer.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <queue>
#include <unordered_map>

#include "graph/remedy_edit.h"

namespace plumbline::graph {
namespace {

/// What the file states for a parameter of a leaf, or nullptr.
const Json* statedParameter(const Document& document, const std::string& pointer, const std::string& parameter) {
    const auto place = placeOf(document, pointer);
    if (!place) {
        return nullptr;
    }
    const auto it = place->node->params.find(parameter);
    return it == place->node->params.end() ? nullptr : &*it;
}

/// The first input that a message names as {n}.
std::size_t namedInput(const std::string& message) {
    const std::size_t at = message.find('{');
    return at == std::string::npos ? 0 : static_cast<std::size_t>(std::strtoul(message.c_str() + at + 1, nullptr, 10));
}

class ShapeInference {
public:
    ShapeInference(const Document& document, Expanded& expanded, ResolvedModel& model, ProblemList& problems)
        : m_document(document), m_expanded(expanded), m_model(model), m_problems(problems) {}

    void infer(int index) {
        ResolvedNode& node = m_model.nodes[static_cast<std::size_t>(index)];
        const LeafFacts& facts = m_expanded.facts[static_cast<std::size_t>(index)];
        if (!facts.parametersOk) {
            return;
        }
        InferenceRequest request;
        const std::vector<PortSpec>& ports = facts.type->spec().inputs;
        if (facts.inputs.empty() && !ports.empty()) {
            return;  // a variadic port without any connection, told already
        }
        request.inputs.reserve(facts.inputs.size());
        for (std::size_t i = 0; i < facts.inputs.size(); ++i) {
            const ValueId id = node.inputs[i];
            if (id == kNoValue) {
                if (facts.inputs[i] >= 0 || i >= ports.size() || !ports[i].optional) {
                    return;  // nothing reaches it, and that was told where it starts
                }
                request.inputs.emplace_back();
                continue;
            }
            const ResolvedValue& value = m_model.values[static_cast<std::size_t>(id)];
            if (!value.known) {
                return;
            }
            request.inputs.emplace_back(value.type);
        }
        request.params = std::move(node.params);
        auto result = facts.type->infer(request);
        if (!result) {
            report(node, facts, result.error());
            if (result.error().code ==
                "inferred-disagrees") {  // go on with what the inputs say, so that the rest is shown
                Json stated = request.params;
                request.params[result.error().where] = nullptr;
                result = facts.type->infer(request);
                request.params = std::move(stated);
            }
        }
        if (!result || !isBelievable(node, *result)) {
            node.params = std::move(request.params);
            return;
        }
        node.params = std::move(result->params);
        node.state = std::move(result->state);
        node.cost = std::move(result->cost);
        node.inferred = true;
        for (std::size_t i = 0; i < node.outputs.size() && i < result->outputs.size(); ++i) {
            ResolvedValue& value = m_model.values[static_cast<std::size_t>(node.outputs[i])];
            value.type = std::move(result->outputs[i]);
            value.known = true;
        }
    }

private:
    bool isBelievable(const ResolvedNode& node, const Inference& inference) {
        constexpr std::int64_t kTooMany = std::int64_t{1} << 48;
        bool good = inference.cost.parameters < kTooMany;
        for (const TensorType& output : inference.outputs) {
            good = good && !output.elementCount().overflowed();
        }
        if (!good) {
            m_problems.critical(
                "too-large", node.path, node.pointer,
                fmt::format("{} would need more memory than any machine has. Lower its sizes.", node.path));
        }
        return good;
    }

    void report(const ResolvedNode& node, const LeafFacts& facts, const Error& error) {
        std::vector<std::string> sources;
        for (const int slot : facts.inputs) {
            sources.push_back(m_expanded.label(slot));
        }
        std::vector<Remedy> remedies;
        std::string pointer = node.pointer;
        if (error.code == "dtype-mismatch" && parseDType(error.where)) {
            const std::size_t input = namedInput(error.message);
            const std::vector<PortSpec>& ports = facts.type->spec().inputs;
            auto remedy = editRemedy(
                m_document, node.pointer, "Insert a ToDtype block to " + error.where, [&](Graph& graph, Node& edited) {
                    return insertBefore(graph, edited, input, input < ports.size() ? ports[input].name : "", "ToDtype",
                                        {{"dtype", error.where}});
                });
            if (remedy) {
                remedies.push_back(*std::move(remedy));
            }
        }
        const ParameterSpec* parameter = error.where.empty() ? nullptr : facts.type->spec().parameter(error.where);
        if (parameter != nullptr) {
            const Json* stated = statedParameter(m_document, node.pointer, parameter->name);
            if (stated != nullptr) {
                pointer += "/params/" + parameter->name;
            }
            if (stated != nullptr && error.code == "inferred-disagrees") {
                remedies = inferredRemedies(node, facts, *parameter, *stated, pointer);
            } else if (stated != nullptr && parameter->name == "kernel_size") {
                remedies = smallerKernel(node, facts, *stated, pointer);
            }
        }
        m_problems.critical(error.code, node.path, pointer, describeInference(error, node.path, sources),
                            std::move(remedies));
    }

    /// What the block reads and states, when all of it is literal: its shape rule can be asked about other values.
    std::optional<InferenceRequest> literalRequest(const ResolvedNode& node, const LeafFacts& facts) const {
        InferenceRequest request;
        for (const ValueId id : node.inputs) {
            request.inputs.push_back(id == kNoValue ? std::nullopt
                                                    : std::optional(m_model.values[static_cast<std::size_t>(id)].type));
        }
        request.params = Json::object();
        for (const ParameterSpec& spec : facts.type->spec().parameters) {
            const Json* value = statedParameter(m_document, node.pointer, spec.name);
            request.params[spec.name] = value != nullptr ? *value : spec.defaultValue;
        }
        const bool allLiteral = std::none_of(request.params.begin(), request.params.end(), [](const Json& value) {
            return value.is_string() && value.get_ref<const std::string&>().starts_with('=');
        });
        return allLiteral ? std::optional(std::move(request)) : std::nullopt;
    }

    std::vector<Remedy> inferredRemedies(const ResolvedNode& node, const LeafFacts& facts,
                                         const ParameterSpec& parameter, const Json& stated,
                                         const std::string& pointer) {
        std::vector<Remedy> remedies;
        if (auto request = literalRequest(node, facts); request && !stated.is_string()) {
            request->params[parameter.name] = nullptr;
            if (const auto fitting = facts.type->infer(*request)) {
                const Json& value = fitting->params.at(parameter.name);
                remedies.push_back(
                    replaceValue(fmt::format("Set {} to {}", parameter.name, value.dump()), pointer, stated, value));
            }
        }
        remedies.push_back(
            removeValue(fmt::format("Remove {}, so that it follows the input", parameter.name), pointer, stated));
        return remedies;
    }

    /// The largest smaller window that the input has room for.
    std::vector<Remedy> smallerKernel(const ResolvedNode& node, const LeafFacts& facts, const Json& stated,
                                      const std::string& pointer) {
        constexpr std::int64_t kLargest = 4096;
        auto request = literalRequest(node, facts);
        if (!request || !stated.is_number_integer()) {
            return {};
        }
        for (std::int64_t size = std::min(stated.get<std::int64_t>() - 1, kLargest); size > 0; --size) {
            request->params["kernel_size"] = size;
            if (facts.type->infer(*request)) {
                return {replaceValue(fmt::format("Set kernel_size to {}", size), pointer, stated, size)};
            }
        }
        return {};
    }

    const Document& m_document;
    Expanded& m_expanded;
    ResolvedModel& m_model;
    ProblemList& m_problems;
};

}  // namespace

void placeValues(Expanded& expanded, const Graph& root, ResolvedModel& model) {
    model.nodes = std::move(expanded.nodes);
    model.tree = std::move(expanded.tree);
    std::vector<ValueId> ids(expanded.slots.size(), kNoValue);
    const auto newValue = [&](int slot) {
        const Slot& at = expanded.slots[static_cast<std::size_t>(slot)];
        ids[static_cast<std::size_t>(slot)] = static_cast<ValueId>(model.values.size());
        ResolvedValue value;
        value.producer = at.producer;
        value.port = at.port;
        model.values.push_back(std::move(value));
        return ids[static_cast<std::size_t>(slot)];
    };
    for (std::size_t i = 0; i < expanded.inputs.size(); ++i) {
        model.inputs.emplace_back(root.inputs[i].name, newValue(expanded.inputs[i]));
    }
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        for (const int slot : expanded.facts[i].outputs) {
            model.nodes[i].outputs.push_back(newValue(slot));
        }
    }
    const auto valueOf = [&](int slot) {
        const int end = expanded.find(slot);
        return end < 0 ? kNoValue : ids[static_cast<std::size_t>(end)];
    };
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        for (const int slot : expanded.facts[i].inputs) {
            model.nodes[i].inputs.push_back(valueOf(slot));
        }
    }
    for (ModuleNode& module : model.tree) {
        std::transform(module.inputs.begin(), module.inputs.end(), module.inputs.begin(), valueOf);
        std::transform(module.outputs.begin(), module.outputs.end(), module.outputs.begin(), valueOf);
    }
    for (std::size_t i = 0; i < expanded.outputs.size(); ++i) {
        model.outputs.emplace_back(root.outputs[i].name, valueOf(expanded.outputs[i]));
    }
}

std::vector<int> orderOf(const ResolvedModel& model) {
    const auto count = model.nodes.size();
    std::vector<int> waiting(count, 0);
    std::vector<std::vector<int>> readers(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (const ValueId id : model.nodes[i].inputs) {
            const int producer = id == kNoValue ? -1 : model.values[static_cast<std::size_t>(id)].producer;
            if (producer >= 0) {
                readers[static_cast<std::size_t>(producer)].push_back(static_cast<int>(i));
                ++waiting[i];
            }
        }
    }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (std::size_t i = 0; i < count; ++i) {
        if (waiting[i] == 0) {
            ready.push(static_cast<int>(i));
        }
    }
    std::vector<int> order;
    order.reserve(count);
    while (!ready.empty()) {
        const int index = ready.top();
        ready.pop();
        order.push_back(index);
        for (const int reader : readers[static_cast<std::size_t>(index)]) {
            if (--waiting[static_cast<std::size_t>(reader)] == 0) {
                ready.push(reader);
            }
        }
    }
    return order;
}

void inferShapes(const std::vector<int>& order, const Document& document, Expanded& expanded, ResolvedModel& model,
                 ProblemList& problems) {
    ShapeInference inference(document, expanded, model, problems);
    for (const int index : order) {
        inference.infer(index);
    }
}

void shareWeights(const Expanded& expanded, ResolvedModel& model, ProblemList& problems) {
    if (std::all_of(expanded.facts.begin(), expanded.facts.end(),
                    [](const LeafFacts& facts) { return facts.sharesWith.empty(); })) {
        return;
    }
    std::unordered_map<std::string_view, std::size_t> byPath;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        byPath.emplace(model.nodes[i].path, i);
    }
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        ResolvedNode& node = model.nodes[i];
        const std::string& wanted = expanded.facts[i].sharesWith;
        if (wanted.empty()) {
            continue;
        }
        const std::string pointer = node.pointer;
        const auto it = byPath.find(wanted);
        if (it == byPath.end()) {
            problems.critical(
                "weights-owner-missing", node.path, pointer,
                fmt::format("{} is to share the weights of {}, which is not there. Name a block of the same graph in "
                            "weights.",
                            node.path, wanted));
            continue;
        }
        const ResolvedNode& owner = model.nodes[it->second];
        if (it->second >= i) {
            problems.critical(
                "weights-owner-later", node.path, pointer,
                it->second == i
                    ? fmt::format("{} is to share its own weights. Name another block in weights, or clear it.",
                                  node.path)
                    : fmt::format("{} is to share the weights of {}, which comes after it. Let {} share the weights of "
                                  "{} instead.",
                                  node.path, owner.path, owner.path, node.path));
            continue;
        }
        const bool sameState = node.state.size() == owner.state.size() &&
                               std::equal(node.state.begin(), node.state.end(), owner.state.begin(),
                                          [](const StateSpec& a, const StateSpec& b) {
                                              return a.name == b.name && a.dims == b.dims && a.buffer == b.buffer;
                                          });
        if (owner.type != node.type || (owner.inferred && node.inferred && !sameState)) {
            problems.critical(
                "weights-differ", node.path, pointer,
                fmt::format(
                    "{} is to share the weights of {}, and their parameters have different shapes. Give both the same "
                    "type and sizes.",
                    node.path, owner.path));
            continue;
        }
        if (!node.state.empty() && node.inferred && owner.inferred && node.params != owner.params) {
            std::string different;
            for (const auto& [name, value] : node.params.items()) {
                different = different.empty() && owner.params.at(name) != value ? name : different;
            }
            problems.critical("weights-differ", node.path, pointer,
                              fmt::format("{} is to share the weights of {}, and their {} differs: one set of weights "
                                          "is one block that is used "
                                          "twice. Give both the same parameters.",
                                          node.path, owner.path, different));
            continue;
        }
        node.weightsOf = owner.weightsOf.empty() ? owner.path : owner.weightsOf;
    }
}

}  // namespace plumbline::graph
