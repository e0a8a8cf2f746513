// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn, and where the canvas is. The gestures are in canvas_gestures.cpp.
#include "gui/model/canvas_adapter.h"

#include <QDataStream>
#include <QIODevice>
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/model/node_ports.h"
#include "gui/model/telling.h"

namespace plumbline::gui {

using widgets::BlockCategory;
using widgets::CanvasEdge;
using widgets::CanvasNode;
using widgets::CanvasPort;

namespace {

QString nodePointer(const QString& pointer) {
    // "/model/graph/nodes/conv/params/stride" → "/model/graph/nodes/conv"
    const QStringList parts = pointer.split(QLatin1Char('/'));
    const qsizetype kind = parts.indexOf(QStringLiteral("definitions")) == 2 ? 4 : 3;
    return parts.size() > kind + 1 ? parts.mid(0, kind + 2).join(QLatin1Char('/')) : pointer;
}

void raise(CanvasAdapter::Badge& badge, widgets::Severity severity, const QString& text) {
    badge.severity = std::max(badge.severity, severity);
    badge.text += badge.text.isEmpty() ? text : QLatin1Char('\n') + text;
}

}  // namespace

/// The ports of each type, asked for once where a level holds a type a thousand times.
class CanvasAdapter::PortTable {
public:
    explicit PortTable(const graph::Document& document) : m_document(document) {}
    struct Entry {
        Ports ports;
        QList<CanvasPort> inputs, outputs;
    };
    const Entry& of(const std::string& type) {
        const auto [found, isNew] = m_entries.try_emplace(type);
        Entry& entry = found->second;
        if (isNew) {
            entry.ports = portsOf(m_document, ProjectDocument::registry(), type);
            for (const graph::PortSpec& port : entry.ports.inputs) {
                entry.inputs << CanvasPort{text(port.name), port.optional, port.variadic};
            }
            for (const graph::PortSpec& port : entry.ports.outputs) {
                entry.outputs << CanvasPort{text(port.name), port.optional, false};
            }
        }
        return entry;
    }

private:
    const graph::Document& m_document;
    std::unordered_map<std::string, Entry> m_entries;
};

CanvasAdapter::CanvasAdapter(ProjectDocument& document, QObject* parent) : CanvasModel(parent), m_document(document) {
    connect(&document, &ProjectDocument::projectChanged, this, [this] {
        m_levels = {Level{}};
        m_fills.clear();
        m_findingBadges.clear();
        refresh();
        Q_EMIT levelChanged();
    });
    connect(&document, &ProjectDocument::changed, this, [this] {
        // A report that is being made beside the window does not match the graph yet: shapes come with checked().
        if (m_document.isChecking()) {
            forget();
            keepLevels();
            Q_EMIT changed();
        } else {
            refresh();
            m_fresh = true;
        }
    });
    connect(&document, &ProjectDocument::checked, this, [this] {
        if (!std::exchange(m_fresh, false)) {
            refresh();
        }
    });
    refresh();
}

// ---- Where the canvas is ----

const graph::Graph* CanvasAdapter::currentGraph() const {
    return m_document.isOpen() ? m_document.project().model.graph(here().graph) : nullptr;
}

void CanvasAdapter::refresh() {
    forget();
    m_check.clear();
    m_problemBadges.clear();
    m_wireProblems.clear();
    if (!m_document.isOpen()) {
        m_index = {};
        Q_EMIT changed();
        return;
    }
    m_index = ResolvedIndex(m_document.report().model);
    for (const graph::Problem& problem : m_document.report().problems) {
        const QString message = engineSentence(problem.message);
        const widgets::Severity severity = toWidget(problem.severity);
        const QString pointer = text(problem.pointer);
        const QString node = nodePointer(pointer);
        raise(m_problemBadges[node], severity, message);
        if (problem.severity == graph::Severity::kCritical &&
            (problem.code.find("shape") != std::string::npos || pointer.startsWith(node + QStringLiteral("/from")))) {
            m_wireProblems.insert(node, message);
        }
        // A composite shows what is wrong inside it.
        QString path = text(problem.block);
        while (!path.isEmpty()) {
            raise(m_problemBadges[path], severity, message);
            path = path.contains(QLatin1Char('.')) ? path.section(QLatin1Char('.'), 0, -2) : QString();
        }
    }
    keepLevels();
    Q_EMIT changed();
}

void CanvasAdapter::keepLevels() {
    // An undo may have taken away the composite the canvas is in: go out to what is left.
    std::size_t whole = 1;
    while (whole < m_levels.size() && m_document.isOpen() &&
           m_document.project().model.definition(m_levels[whole].graph) != nullptr) {
        ++whole;
    }
    if (whole < m_levels.size()) {
        m_levels.resize(whole);
        Q_EMIT levelChanged();
    }
}

QString CanvasAdapter::level() const {
    return QStringLiteral("%1|%2").arg(text(here().graph), text(here().path));
}

void CanvasAdapter::goTo(int level) {
    if (level >= 0 && level + 1 < static_cast<int>(m_levels.size())) {
        m_levels.resize(static_cast<std::size_t>(level) + 1);
        forget();
        m_check.clear();
        Q_EMIT levelChanged();
    }
}

void CanvasAdapter::showDefinition(const QString& name) {
    const std::string definition = bytes(name);
    if (!m_document.isOpen() || !m_document.project().model.definition(definition)) {
        return;
    }
    const std::string instance = m_index.firstInstance(definition);
    if (!instance.empty()) {
        showPath(text(instance) + QStringLiteral(".?"));
        return;
    }
    m_levels = {Level{}, Level{definition, {}}};
    forget();
    m_check.clear();
    Q_EMIT levelChanged();
}

QString CanvasAdapter::showPath(const QString& path) {
    if (!m_document.isOpen()) {
        return {};
    }
    const graph::Document& model = m_document.project().model;
    const QStringList parts = path.split(QLatin1Char('.'));
    LevelStack levels{Level{}};
    QString id;
    std::string walked;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const graph::Graph* graph = model.graph(levels.back().graph);
        const graph::Node* node = graph ? graph->find(bytes(parts[i])) : nullptr;
        if (!node) {
            break;
        }
        id = parts[i];
        walked = levels.back().pathOf(node->name);
        if (!node->repeat.is_null()) {  // the next part is the member's number
            walked += "." + (i + 1 < parts.size() ? bytes(parts[i + 1]) : std::string("0"));
            ++i;
        }
        if (i + 1 < parts.size() && model.definition(node->type)) {
            levels.push_back({node->type, walked});
            id.clear();
        }
    }
    if (id.isEmpty() && !path.endsWith(QLatin1Char('?'))) {
        return {};
    }
    if (!(levels == m_levels)) {
        m_levels = levels;
        forget();
        m_check.clear();
        Q_EMIT levelChanged();
    }
    return id;
}

QString CanvasAdapter::showPointer(const QString& pointer) {
    const QStringList parts = pointer.split(QLatin1Char('/'));
    if (!m_document.isOpen() || parts.value(1) != QLatin1String("model")) {
        return {};
    }
    const bool inDefinition = parts.value(2) == QLatin1String("definitions");
    const QString definition = inDefinition ? parts.value(3) : QString();
    const QString kind = parts.value(inDefinition ? 4 : 3);
    const QString name = parts.value(inDefinition ? 5 : 4);
    if (bytes(definition) != here().graph) {
        if (inDefinition) {
            showDefinition(definition);
        } else {
            goTo(0);
        }
    }
    return kind == QLatin1String("outputs") && !name.isEmpty() ? text(outputId(bytes(name))) : name;
}

// ---- What is drawn ----

CanvasAdapter::Positions CanvasAdapter::storedPositions() const {
    Positions stored;
    const Json& layout = m_document.project().layout;
    const auto graph = layout.is_object() ? layout.find(here().graph) : layout.end();
    if (layout.is_object() && graph != layout.end() && graph->is_object()) {
        for (const auto& [name, place] : graph->items()) {
            if (place.is_array() && place.size() == 2 && place[0].is_number() && place[1].is_number()) {
                stored.insert(text(name), QPointF(place[0].get<double>(), place[1].get<double>()));
            }
        }
    }
    return stored;
}

CanvasAdapter::Positions CanvasAdapter::positions() const {
    if (!m_positions) {
        (void)nodes();
    }
    return m_positions.value_or(Positions());
}

CanvasAdapter::Positions CanvasAdapter::placesOf(const QList<CanvasNode>& drawn) const {
    Positions places = storedPositions();
    const bool missing =
        std::any_of(drawn.begin(), drawn.end(), [&](const CanvasNode& node) { return !places.contains(node.id); });
    if (missing) {
        const Positions& free = arranged(drawn);
        for (const CanvasNode& node : drawn) {
            if (!places.contains(node.id)) {
                places.insert(node.id, free.value(node.id));
            }
        }
    }
    return places;
}

const CanvasAdapter::Positions& CanvasAdapter::arranged(const QList<CanvasNode>& drawn) const {
    const QList<CanvasEdge> wires = edges();
    QByteArray key;
    QDataStream stream(&key, QIODevice::WriteOnly);
    for (const CanvasNode& node : drawn) {
        stream << node.id << widgets::canvasNodeSize(node);
    }
    for (const CanvasEdge& wire : wires) {
        stream << wire.from.node << wire.from.port << wire.to.node << wire.to.port
               << wire.label.size();  // the room that it needs
    }
    if (key != m_arrangedOf) {
        m_arranged = widgets::canvasLayout(drawn, wires);
        m_arrangedOf = std::move(key);
    }
    return m_arranged;
}

void CanvasAdapter::forget() const {
    m_positions.reset();
    m_nodes.reset();
    m_edges.reset();
}

void CanvasAdapter::takeState() const {
    if (auto now = m_document.snapshot(); now != m_drawn) {
        m_drawn = std::move(now);
        forget();
    }
}

QList<CanvasNode> CanvasAdapter::nodes() const {
    takeState();
    if (!m_nodes) {
        QList<CanvasNode> all = makeNodes();
        if (!m_positions) {
            m_positions = m_document.isOpen() ? placesOf(all) : Positions();
        }
        for (CanvasNode& node : all) {
            node.position = m_positions->value(node.id);
        }
        m_nodes = std::move(all);
    }
    return *m_nodes;
}

QList<CanvasEdge> CanvasAdapter::edges() const {
    takeState();
    if (!m_edges) {
        m_edges = makeEdges();
    }
    return *m_edges;
}

QString CanvasAdapter::details(const graph::Node& node) const {
    const std::string path = here().pathOf(node.name);
    if (m_document.project().model.definition(node.type)) {
        QStringList parts;
        const Json* values = m_index.compositeParams(path);
        for (const auto& [name, stated] : node.params.items()) {
            const Json& value = values && values->contains(name) && node.repeat.is_null() ? (*values)[name] : stated;
            parts << QStringLiteral("%1 %2").arg(text(name), valueText(value));
        }
        return parts.mid(0, 3).join(QStringLiteral(", "));
    }
    const graph::BlockType* type = ProjectDocument::registry().find(node.type);
    if (!type) {
        return {};
    }
    const graph::ResolvedNode* leaf = m_index.leaf(path);
    return tellingText(type->spec(), leaf && node.repeat.is_null() ? leaf->params : node.params);
}

void CanvasAdapter::addStatus(CanvasNode& node, const std::string& path) const {
    Badge badge;
    const QString key = text(path);
    const QString pointer = text(graph::pointerOf(here().graph, bytes(node.id)));
    for (const auto* source : {&m_problemBadges, &m_findingBadges}) {
        auto found = source->constFind(key);
        if (found == source->constEnd()) {
            found = source->constFind(pointer);
        }
        if (found != source->constEnd()) {
            raise(badge, found->severity, found->text);
        }
    }
    node.badge = badge.severity;
    node.badgeText = badge.text;
    const auto fill = m_fills.constFind(key);
    if (fill != m_fills.constEnd()) {
        node.fill = fill->value;
        node.fillText = fill->text;
    }
}

CanvasNode CanvasAdapter::canvasNode(const graph::Node& node, PortTable& ports) const {
    const graph::Document& model = m_document.project().model;
    CanvasNode drawn;
    drawn.id = text(node.name);
    drawn.title = drawn.id;
    drawn.type = text(node.type);
    drawn.composite = model.definition(node.type) != nullptr;
    const graph::BlockType* type = ProjectDocument::registry().find(node.type);
    drawn.category = drawn.composite ? BlockCategory::Composite
                     : type          ? static_cast<BlockCategory>(categoryOf(type->spec().category))
                                     : BlockCategory::Plugin;
    if (!node.repeat.is_null()) {
        drawn.type += QStringLiteral(" ×") + valueText(node.repeat);
    }
    if (!node.weights.empty()) {
        drawn.type += tr(" · weights of %1").arg(text(node.weights));
    }
    drawn.details = details(node);
    drawn.enabled =
        node.enabled.is_null() || (node.enabled.is_boolean() && node.enabled.get<bool>()) || node.enabled.is_string();
    drawn.inputs = ports.of(node.type).inputs;
    drawn.outputs = ports.of(node.type).outputs;
    const std::string path = here().pathOf(node.name);
    if (const graph::TensorType* shape = m_index.wire(here(), node.name, 0, {})) {
        drawn.shape = shapeText(*shape);
    }
    addStatus(drawn, path);
    return drawn;
}

QList<CanvasNode> CanvasAdapter::makeNodes() const {
    QList<CanvasNode> all;
    const graph::Graph* graph = currentGraph();
    if (!graph) {
        return all;
    }
    const bool root = here().graph.empty();
    PortTable ports(m_document.project().model);
    for (const graph::GraphInput& input : graph->inputs) {
        CanvasNode node;
        node.id = text(input.name);
        node.title = node.id;
        node.type = tr("Input");
        node.details = root ? text(input.dtype) : QString();
        node.category = BlockCategory::InputOutput;
        node.outputs << CanvasPort{QStringLiteral("output"), false, false};
        std::optional<graph::TensorType> shape = m_index.wireType(here(), input.name, 0, {});
        if (!here().path.empty()) {
            const auto types = m_index.inputTypes(here().path);
            const auto at = static_cast<std::size_t>(&input - graph->inputs.data());
            shape = at < types.size() ? types[at] : shape;
        }
        node.shape = shape ? shapeText(*shape) : QString();
        const QString pointer =
            QStringLiteral("/model/%1/inputs/%2")
                .arg(root ? QStringLiteral("graph") : QStringLiteral("definitions/") + text(here().graph), node.id);
        const Badge badge = m_problemBadges.value(pointer);
        node.badge = badge.severity;
        node.badgeText = badge.text;
        all << node;
    }
    for (const graph::Node& node : graph->nodes) {
        all << canvasNode(node, ports);
    }
    for (const graph::GraphOutput& output : graph->outputs) {
        CanvasNode node;
        node.id = text(outputId(output.name));
        node.title = text(output.name);
        node.type = tr("Output");
        node.category = BlockCategory::InputOutput;
        node.inputs << CanvasPort{QStringLiteral("input"), false, false};
        const QString pointer =
            QStringLiteral("/model/%1/outputs/%2")
                .arg(root ? QStringLiteral("graph") : QStringLiteral("definitions/") + text(here().graph),
                     text(output.name));
        const Badge badge = m_problemBadges.value(pointer);
        node.badge = badge.severity;
        node.badgeText = badge.text;
        all << node;
    }
    return all;
}

QList<CanvasEdge> CanvasAdapter::makeEdges() const {
    QList<CanvasEdge> all;
    const graph::Graph* graph = currentGraph();
    if (!graph) {
        return all;
    }
    PortTable ports(m_document.project().model);
    QHash<QString, const graph::Node*> byName;
    byName.reserve(static_cast<qsizetype>(graph->nodes.size()));
    for (const graph::Node& node : graph->nodes) {
        byName.insert(text(node.name), &node);
    }
    const auto edge = [&](const graph::Source& source, const QString& to, int port) {
        const QString from = text(source.node);
        const graph::Node* producer = byName.value(from);
        if (!producer && std::none_of(graph->inputs.begin(), graph->inputs.end(),
                                      [&](const graph::GraphInput& input) { return input.name == source.node; })) {
            return;  // dangling: the problem list names it
        }
        CanvasEdge wire;
        wire.from = {from, producer ? outputIndex(ports.of(producer->type).ports, source.port) : 0, true};
        wire.to = {to, port, false};
        if (const graph::TensorType* shape = m_index.wire(here(), source.node, wire.from.port, source.port)) {
            wire.label = shapeText(*shape);
        }
        const auto problem = m_wireProblems.constFind(text(graph::pointerOf(here().graph, bytes(to))));
        if (problem != m_wireProblems.constEnd()) {
            wire.problem = true;
            wire.problemText = *problem;
        }
        all << wire;
    };
    for (const graph::Node& node : graph->nodes) {
        for (const Connection& connection : connectionsOf(node, ports.of(node.type).ports)) {
            edge(connection.source, text(node.name), connection.port);
        }
    }
    for (const graph::GraphOutput& output : graph->outputs) {
        if (!output.source.node.empty()) {
            edge(output.source, text(outputId(output.name)), 0);
        }
    }
    return all;
}

void CanvasAdapter::setFindingBadges(const QHash<QString, Badge>& badges) {
    m_nodes.reset();
    m_findingBadges.clear();
    for (auto it = badges.begin(); it != badges.end(); ++it) {
        QString path = it.key();
        while (!path.isEmpty()) {  // the composites around it show it too
            raise(m_findingBadges[path], it->severity, it->text);
            path = path.contains(QLatin1Char('.')) ? path.section(QLatin1Char('.'), 0, -2) : QString();
        }
    }
    Q_EMIT changed();
}

void CanvasAdapter::setFills(const QHash<QString, Fill>& fills) {
    m_nodes.reset();
    m_fills = fills;
    Q_EMIT fillsChanged();
}

}  // namespace plumbline::gui
