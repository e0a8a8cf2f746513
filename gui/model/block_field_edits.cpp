// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the parameter form as edits.
#include <QCoreApplication>
#include <algorithm>

#include "graph/init.h"
#include "gui/convert.h"
#include "gui/model/block_fields.h"
#include "gui/model/node_ports.h"

namespace plumbline::gui {

namespace {

struct BlockFieldsTr {
    Q_DECLARE_TR_FUNCTIONS(BlockFields)
};

QString setText(const QString& what, const QString& id) {
    return BlockFieldsTr::tr("Set %1 of %2").arg(what, isOutputId(bytes(id)) ? text(outputName(bytes(id))) : id);
}

/// "conv" or "lstm.h_n", checked against the graph.
Result<graph::Source> readSource(const graph::Graph& graph, const graph::Document& model, const QString& written) {
    const QString trimmed = written.trimmed();
    graph::Source source{bytes(trimmed.section(QLatin1Char('.'), 0, 0)), bytes(trimmed.section(QLatin1Char('.'), 1))};
    const bool isInput = std::any_of(graph.inputs.begin(), graph.inputs.end(),
                                     [&](const auto& input) { return input.name == source.node; });
    const graph::Node* node = graph.find(source.node);
    if (!isInput && !node) {
        return fail(ErrorKind::kInvalid, "no-such-block",
                    bytes(BlockFieldsTr::tr("There is no block named \"%1\" here.").arg(text(source.node))),
                    source.node);
    }
    if (node && !source.port.empty()) {
        const Ports ports = portsOf(model, ProjectDocument::registry(), node->type);
        if (std::none_of(ports.outputs.begin(), ports.outputs.end(),
                         [&](const auto& port) { return port.name == source.port; })) {
            return fail(
                ErrorKind::kInvalid, "no-such-port",
                bytes(
                    BlockFieldsTr::tr("\"%1\" has no output named \"%2\".").arg(text(source.node), text(source.port))),
                source.node);
        }
    }
    return source;
}

Status setSources(graph::Graph& graph, const graph::Document& model, const std::string& id, const std::string& portName,
                  const QString& written) {
    std::vector<graph::Source> sources;
    for (const QString& part : written.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        if (!part.trimmed().isEmpty()) {
            PLUMBLINE_ASSIGN(graph::Source source, readSource(graph, model, part));
            sources.push_back(std::move(source));
        }
    }
    if (isOutputId(id)) {
        for (graph::GraphOutput& output : graph.outputs) {
            if (output.name == outputName(id)) {
                output.source = sources.empty() ? graph::Source{} : sources.front();
            }
        }
        return {};
    }
    graph::Node& node = *graph.find(id);
    const Ports ports = portsOf(model, ProjectDocument::registry(), node.type);
    std::vector<Connection> connections = connectionsOf(node, ports);
    for (std::size_t i = 0; i < ports.inputs.size(); ++i) {
        if (ports.inputs[i].name != portName) {
            continue;
        }
        const int port = static_cast<int>(i);
        if (sources.size() > 1 && !ports.inputs[i].variadic) {
            return fail(
                ErrorKind::kInvalid, "one-source",
                bytes(
                    BlockFieldsTr::tr("The input %1 takes one block, not %2.").arg(text(portName)).arg(sources.size())),
                id);
        }
        std::erase_if(connections, [port](const Connection& each) { return each.port == port; });
        for (const graph::Source& source : sources) {
            connections.push_back({port, source});
        }
    }
    std::stable_sort(connections.begin(), connections.end(),
                     [](const Connection& a, const Connection& b) { return a.port < b.port; });
    setConnections(node, ports, connections);
    return {};
}

/// One key of the initialisation; a new scheme keeps what it knows as well.
void setInit(Json& init, const std::string& key, const Json& value) {
    const bool none = !value.is_string() || value.get_ref<const std::string&>().empty();
    if (key == "scheme" && none) {
        init = Json();
        return;
    }
    if (!init.is_object()) {
        init = Json::object();
    }
    if (value.is_null()) {
        init.erase(key);
    } else {
        init[key] = value;
    }
    if (key == "scheme") {
        const std::vector<graph::InitKey> known = graph::initKeys(value.get<std::string>());
        const Json before = init;
        for (const auto& [each, ignored] : before.items()) {
            if (each != "scheme" && std::none_of(known.begin(), known.end(), [&each = each](const graph::InitKey& one) {
                    return one.name == each;
                })) {
                init.erase(each);
            }
        }
    }
}

Status setNodeField(graph::Node& node, const QString& path, const QJsonValue& value) {
    const Json json = value.isUndefined() ? Json() : fromQt(value);
    const auto words = [&json] { return json.is_string() ? json.get<std::string>() : std::string(); };
    if (!path.startsWith(QLatin1Char('@'))) {
        if (value.isUndefined()) {
            node.params.erase(bytes(path));
        } else {
            node.params[bytes(path)] = json;
        }
    } else if (path == QLatin1String("@enabled")) {
        node.enabled = json.is_boolean() && json.get<bool>() ? Json() : json;
    } else if (path == QLatin1String("@repeat")) {
        node.repeat = json;
    } else if (path == QLatin1String("@frozen")) {
        node.frozen = json.is_boolean() && json.get<bool>();
    } else if (path == QLatin1String("@mode")) {
        node.mode = words();
    } else if (path.startsWith(QLatin1String("@init."))) {
        setInit(node.init, bytes(path.mid(6)), json);
    } else if (path == QLatin1String("@weights")) {
        node.weights = words();
    } else if (path == QLatin1String("@note")) {
        node.note = words();
    }
    return {};
}

/// Positions follow a block that is renamed.
void renamePlace(Json& layout, const std::string& graph, const std::string& from, const std::string& to) {
    if (layout.is_object() && layout.contains(graph) && layout[graph].is_object() && layout[graph].contains(from)) {
        layout[graph][to] = layout[graph][from];
        layout[graph].erase(from);
    }
}

/// "channels = 16" as a declaration.
Result<graph::ParameterDeclaration> readDeclaration(const QString& written) {
    graph::ParameterDeclaration made;
    made.name = bytes(written.section(QLatin1Char('='), 0, 0).trimmed());
    const QString value = written.section(QLatin1Char('='), 1).trimmed();
    if (!graph::isParameterName(made.name)) {
        return fail(ErrorKind::kInvalid, "bad-name",
                    bytes(BlockFieldsTr::tr("\"%1\" cannot name a parameter.").arg(text(made.name))), {},
                    bytes(BlockFieldsTr::tr("Write a name and a default, as channels = 16.")));
    }
    const Result<Json> parsed = parseJson(bytes(value), bytes(value));
    made.defaultValue = value.isEmpty() ? Json() : parsed ? *parsed : Json(bytes(value));
    made.type = made.defaultValue.is_number_float() ? "float"
                : made.defaultValue.is_boolean()    ? "bool"
                : made.defaultValue.is_string()     ? "text"
                : made.defaultValue.is_array()      ? "list"
                                                    : "int";
    return made;
}

}  // namespace

Status applyField(CanvasAdapter& adapter, const QString& id, const QString& path, const QJsonValue& value) {
    const std::string graphName = adapter.here().graph;
    const std::string name = bytes(id);
    const QString label = path.startsWith(QLatin1Char('@')) ? path.mid(1).section(QLatin1Char('.'), -1) : path;
    return adapter.document().editModel(setText(label, id), [&](graph::Document& model, Json& layout) -> Status {
        graph::Graph& graph = *model.graph(graphName);
        if (path == QLatin1String("@name")) {
            const std::string to = bytes(value.toString());
            GraphEdits edits(model, ProjectDocument::registry(), graphName);
            PLUMBLINE_TRY(edits.rename(name, to));
            renamePlace(layout, graphName, name, isOutputId(name) ? outputId(to) : to);
            return {};
        }
        if (path.startsWith(QLatin1String("@from."))) {
            return setSources(graph, model, name, bytes(path.mid(6)), value.toString());
        }
        for (graph::GraphInput& input : graph.inputs) {
            if (input.name == name && path == QLatin1String("@shape")) {
                input.shape = fromQt(value);
                return {};
            }
            if (input.name == name && path == QLatin1String("@dtype")) {
                input.dtype = bytes(value.toString());
                return {};
            }
        }
        graph::Node* node = graph.find(name);
        return node ? setNodeField(*node, path, value) : Status();
    });
}

Status applyLevelField(CanvasAdapter& adapter, const QString& path, const QJsonValue& value) {
    ProjectDocument& document = adapter.document();
    if (path.startsWith(QLatin1String("@project."))) {
        return document.setSetting(path.mid(9), value);
    }
    const std::string graphName = adapter.here().graph;
    const QString label = path.section(QLatin1Char('.'), -1);
    return document.editModel(setText(label, text(graphName)), [&](graph::Document& model, Json& layout) -> Status {
        graph::Graph& graph = *model.definition(graphName);
        const std::string word = bytes(value.toString());
        if (path == QLatin1String("@definition.help")) {
            graph.help = word;
        } else if (path == QLatin1String("@definition.name")) {
            if (!graph::isIdentifier(word) || model.definition(word) || ProjectDocument::registry().find(word)) {
                return fail(ErrorKind::kInvalid, "name-taken",
                            bytes(BlockFieldsTr::tr("\"%1\" cannot name this composite, or is taken.").arg(text(word))),
                            word);
            }
            graph.name = word;
            const auto retype = [&](graph::Graph& each) {
                for (graph::Node& node : each.nodes) {
                    if (node.type == graphName) {
                        node.type = word;
                    }
                }
            };
            retype(model.root);
            std::for_each(model.definitions.begin(), model.definitions.end(), retype);
            if (layout.is_object() && layout.contains(graphName)) {
                layout[word] = layout[graphName];
                layout.erase(graphName);
            }
        } else if (path == QLatin1String("@parameter.add")) {
            PLUMBLINE_ASSIGN(graph::ParameterDeclaration made, readDeclaration(value.toString()));
            if (std::any_of(graph.parameters.begin(), graph.parameters.end(),
                            [&](const auto& each) { return each.name == made.name; })) {
                return fail(ErrorKind::kInvalid, "name-taken",
                            bytes(BlockFieldsTr::tr("There is a parameter named \"%1\" already.").arg(text(made.name))),
                            made.name);
            }
            graph.parameters.push_back(std::move(made));
        } else if (path == QLatin1String("@parameter.remove")) {
            std::erase_if(graph.parameters, [&](const auto& each) { return each.name == word; });
        } else {
            for (graph::ParameterDeclaration& parameter : graph.parameters) {
                if (QStringLiteral("@default.") + text(parameter.name) == path) {
                    parameter.defaultValue = value.isUndefined() ? Json() : fromQt(value);
                }
            }
        }
        return {};
    });
}

}  // namespace plumbline::gui
