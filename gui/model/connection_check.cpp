// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/connection_check.h"

#include <QCoreApplication>

#include "graph/resolve.h"
#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/model/node_ports.h"

namespace plumbline::gui {

using widgets::CanvasVerdict;

namespace {

QString say(const char* sentence) {
    return QCoreApplication::translate("ConnectionCheck", sentence);
}

/// Parameters as the shape rule wants them for another input: what follows from the input is left open unless stated.
Json paramsForTrial(const graph::BlockSpec& spec, const graph::Node& node, const Json& resolved) {
    Json params = resolved;
    for (const graph::ParameterSpec& parameter : spec.parameters) {
        if (parameter.inferred && !node.params.contains(parameter.name)) {
            params[parameter.name] = nullptr;
        }
    }
    return params;
}

/// A composite is tried as a model of its own: inputs of the types at hand, one instance.
std::string tryComposite(const graph::Document& document, const graph::BlockRegistry& registry, const graph::Node& node,
                         const Json& values, const std::vector<std::optional<graph::TensorType>>& inputs) {
    graph::Document trial;
    trial.definitions = document.definitions;
    graph::Node instance;
    instance.name = node.name;
    instance.type = node.type;
    instance.params = values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i]) {
            return {};  // not everything is known: nothing can be said
        }
        graph::GraphInput input;
        input.name = "in" + std::to_string(i);
        input.shape = Json::array();
        for (const graph::Dim& dim : inputs[i]->dims) {
            if (const auto constant = dim.constant()) {
                input.shape.push_back(*constant);
            } else {
                input.shape.push_back(dim.toString());
            }
        }
        input.dtype = std::string(toString(inputs[i]->dtype));
        trial.root.inputs.push_back(std::move(input));
        instance.inputs.push_back({{}, {"in" + std::to_string(i), {}}});
    }
    trial.root.outputs.push_back({"y", {instance.name, {}}});
    trial.root.nodes.push_back(std::move(instance));
    for (const graph::Problem& problem : graph::resolve(trial, registry).problems) {
        if (problem.severity == graph::Severity::kCritical && !problem.block.empty()) {
            return problem.message;
        }
    }
    return {};
}

}  // namespace

void ConnectionCheck::clear() {
    m_verdicts.clear();
    m_ancestors.clear();
}

const QSet<QString>& ConnectionCheck::ancestors(const graph::Graph& graph, const std::string& node) {
    const QString key = text(node);
    const auto known = m_ancestors.constFind(key);
    if (known != m_ancestors.constEnd()) {
        return *known;
    }
    QHash<QString, const graph::Node*> byName;
    for (const graph::Node& each : graph.nodes) {
        byName.insert(text(each.name), &each);
    }
    QSet<QString> found;
    QList<QString> open{key};
    while (!open.isEmpty()) {
        const QString name = open.takeLast();
        if (found.contains(name)) {
            continue;
        }
        found.insert(name);
        if (const graph::Node* each = byName.value(name)) {
            for (const graph::Input& input : each->inputs) {
                open << text(input.source.node);
            }
        }
    }
    return *m_ancestors.insert(key, found);
}

CanvasVerdict ConnectionCheck::check(const graph::Document& document, const graph::BlockRegistry& registry,
                                     const ResolvedIndex& index, const Level& level, const PortAt& output,
                                     const PortAt& input) {
    const QString key =
        QStringLiteral("%1|%2|%3|%4").arg(text(output.node)).arg(output.port).arg(text(input.node)).arg(input.port);
    const auto known = m_verdicts.constFind(key);
    if (known != m_verdicts.constEnd()) {
        return *known;
    }
    CanvasVerdict verdict;
    const graph::Graph* graph = document.graph(level.graph);
    if (!graph) {
        verdict = {false, {}};
    } else if (!isOutputId(input.node) && ancestors(*graph, output.node).contains(text(input.node))) {
        verdict = {false, say(QT_TRANSLATE_NOOP("ConnectionCheck", "%1 comes before %2: this wire would make a loop."))
                              .arg(text(input.node), text(output.node))};
    } else {
        verdict = tryShapes(document, registry, index, level, output, input);
    }
    m_verdicts.insert(key, verdict);
    return verdict;
}

CanvasVerdict ConnectionCheck::tryShapes(const graph::Document& document, const graph::BlockRegistry& registry,
                                         const ResolvedIndex& index, const Level& level, const PortAt& output,
                                         const PortAt& input) const {
    const graph::Graph& graph = *document.graph(level.graph);
    const graph::Node* node = isOutputId(input.node) ? nullptr : graph.find(input.node);
    if (!node) {
        return {};  // an output of the graph takes anything
    }
    const Ports ports = portsOf(document, registry, node->type);
    const graph::Node* from = graph.find(output.node);
    const std::string fromPort =
        from ? sourceOf(from->name, portsOf(document, registry, from->type), output.port).port : "";
    const auto offered = index.wireType(level, output.node, output.port, fromPort);
    if (!offered || input.port >= static_cast<int>(ports.inputs.size())) {
        return {};
    }
    // The inputs as they would be: every other one as it is now.
    const std::size_t wanted = ports.inputs.size();
    const bool variadic = ports.inputs.back().variadic;
    std::vector<std::optional<graph::TensorType>> types(wanted);
    std::vector<std::string> names(wanted);
    std::vector<std::optional<graph::TensorType>> more;
    for (const Connection& connection : connectionsOf(*node, ports)) {
        const graph::Node* source = graph.find(connection.source.node);
        const int port = source ? outputIndex(portsOf(document, registry, source->type), connection.source.port) : 0;
        const auto type = index.wireType(level, connection.source.node, port, connection.source.port);
        const bool isVariadic = variadic && connection.port == static_cast<int>(wanted) - 1;
        if (isVariadic && (types.back() || input.port == connection.port)) {
            more.push_back(type);
        } else {
            types[static_cast<std::size_t>(connection.port)] = type;
            names[static_cast<std::size_t>(connection.port)] = connection.source.toString();
        }
    }
    types[static_cast<std::size_t>(input.port)] = offered;
    names[static_cast<std::size_t>(input.port)] = output.node;
    for (auto& type : more) {
        types.push_back(std::move(type));
        names.emplace_back();
    }
    for (std::size_t i = 0; i < types.size(); ++i) {
        const bool optional = i < wanted && ports.inputs[i].optional;
        if (!types[i] && !optional) {
            return {};  // another input is still open
        }
    }
    if (document.definition(node->type)) {
        const Json* values = index.compositeParams(level.pathOf(node->name));
        const std::string reason = tryComposite(document, registry, *node, values ? *values : Json::object(), types);
        return {reason.empty(), engineSentence(reason)};
    }
    const graph::BlockType* leaf = registry.find(node->type);
    const graph::ResolvedNode* resolved = index.leaf(level.pathOf(node->name));
    if (!leaf || !resolved) {
        return {};
    }
    graph::InferenceRequest request;
    request.inputs = std::move(types);
    request.params = paramsForTrial(leaf->spec(), *node, resolved->params);
    const auto inferred = leaf->infer(request);
    if (inferred) {
        return {};
    }
    return {false, engineSentence(graph::describeInference(inferred.error(), node->name, names))};
}

}  // namespace plumbline::gui
