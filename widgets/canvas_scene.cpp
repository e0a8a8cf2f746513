// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas_scene.h"

#include <algorithm>

namespace plumbline::widgets {

CanvasScene::CanvasScene(QObject* parent) : QGraphicsScene(parent) {
    setItemIndexMethod(QGraphicsScene::BspTreeIndex);
    takeFonts();
}

CanvasScene::~CanvasScene() = default;

void CanvasScene::takeFonts() {
    titleFont = Theme::instance().titleFont();
    smallFont = Theme::instance().smallFont();
    monoFont = wireLabelFont();
}

void CanvasScene::clearAll() {
    // Not QGraphicsScene::clear(): a gesture may have lines of its own in the scene.
    qDeleteAll(m_edges);
    qDeleteAll(m_nodes);
    m_edges.clear();
    m_nodes.clear();
    m_order.clear();
}

void CanvasScene::sync(const CanvasModel* model, const QSet<QString>& held) {
    if (!model) {
        clearAll();
        return;
    }
    const QList<CanvasNode> nodes = model->nodes();
    const QList<CanvasEdge> edges = model->edges();

    QSet<QString> present;
    present.reserve(nodes.size());
    for (const CanvasNode& node : nodes)
        present.insert(node.id);
    QSet<EdgeKey> presentEdges;
    presentEdges.reserve(edges.size());
    for (const CanvasEdge& edge : edges)
        if (present.contains(edge.from.node) && present.contains(edge.to.node))
            presentEdges.insert({edge.from, edge.to});
    for (auto it = m_edges.begin(); it != m_edges.end();) {
        if (presentEdges.contains(it.key())) {
            ++it;
            continue;
        }
        for (const QString& end : {it.key().from.node, it.key().to.node})
            if (NodeItem* item = m_nodes.value(end))
                item->edges.removeOne(it.value());
        delete it.value();
        it = m_edges.erase(it);
    }
    for (auto it = m_nodes.begin(); it != m_nodes.end();) {
        if (present.contains(it.key())) {
            ++it;
            continue;
        }
        delete it.value();
        it = m_nodes.erase(it);
    }

    m_order.clear();
    m_order.reserve(nodes.size());
    m_nodes.reserve(nodes.size());
    for (const CanvasNode& node : nodes) {
        m_order.append(node.id);
        NodeItem*& item = m_nodes[node.id];
        if (item) {
            item->setNode(node, !held.contains(node.id));
        } else {
            item = new NodeItem(*this, node);
            addItem(item);
        }
    }
    m_edges.reserve(edges.size());
    for (const CanvasEdge& edge : edges) {
        NodeItem* from = m_nodes.value(edge.from.node);
        NodeItem* to = m_nodes.value(edge.to.node);
        if (!from || !to)
            continue;
        EdgeItem*& item = m_edges[{edge.from, edge.to}];
        if (item) {
            item->setEdge(edge);
            place(*item, *from, *to);
        } else {
            item = new EdgeItem(*this, edge);
            place(*item, *from, *to);
            addItem(item);
            from->edges.append(item);
            if (to != from)
                to->edges.append(item);
        }
    }
}

void CanvasScene::syncFills(const CanvasModel* model) {
    if (!model)
        return;
    for (const CanvasNode& node : model->nodes())
        if (NodeItem* item = m_nodes.value(node.id))
            item->setFill(node.fill, node.fillText);
}

EdgeItem* CanvasScene::edge(const CanvasEdge& edge) const {
    return m_edges.value({edge.from, edge.to});
}

QRectF CanvasScene::contentRect() const {
    QRectF rect;
    for (const NodeItem* item : m_nodes)
        rect |= item->sceneBody();
    return rect;
}

void CanvasScene::updateEdgesOf(const NodeItem& node) {
    for (EdgeItem* item : node.edges) {
        const NodeItem* from = m_nodes.value(item->edge().from.node);
        const NodeItem* to = m_nodes.value(item->edge().to.node);
        if (from && to)
            place(*item, *from, *to);
    }
}

void CanvasScene::place(EdgeItem& wire, const NodeItem& from, const NodeItem& to) {
    wire.setEnds(from.portPosition(wire.edge().from), to.portPosition(wire.edge().to), from.sceneBody(),
                 to.sceneBody());
}

NodeItem* CanvasScene::nodeAt(const QPointF& position) const {
    for (QGraphicsItem* item : items(position, Qt::IntersectsItemBoundingRect))
        if (auto* node = qgraphicsitem_cast<NodeItem*>(item);
            node && (node->sceneBody().contains(position) || node->isOnBadge(position)))
            return node;
    return nullptr;
}

EdgeItem* CanvasScene::edgeAt(const QPointF& position, double distance) const {
    const QRectF around(position.x() - distance, position.y() - distance, 2 * distance, 2 * distance);
    for (QGraphicsItem* item : items(around, Qt::IntersectsItemBoundingRect))
        if (auto* edge = qgraphicsitem_cast<EdgeItem*>(item); edge && edge->isNear(position, distance))
            return edge;
    return nullptr;
}

std::optional<CanvasPortRef> CanvasScene::portAt(const QPointF& position) const {
    const QRectF around(position.x() - kPortReach, position.y() - kPortReach, 2 * kPortReach, 2 * kPortReach);
    for (QGraphicsItem* item : items(around, Qt::IntersectsItemBoundingRect))
        if (auto* node = qgraphicsitem_cast<NodeItem*>(item))
            if (auto port = node->portAt(position))
                return port;
    return std::nullopt;
}

QStringList CanvasScene::selectedNodes() const {
    QStringList ids;
    for (const QGraphicsItem* item : selectedItems())
        if (const auto* node = qgraphicsitem_cast<const NodeItem*>(item))
            ids.append(node->node().id);
    if (ids.size() > 1) {
        const QSet<QString> chosen(ids.begin(), ids.end());
        ids.clear();
        for (const QString& id : m_order)
            if (chosen.contains(id))
                ids.append(id);
    }
    return ids;
}

void CanvasScene::beginWire(const CanvasModel* model, const CanvasPortRef& fixedEnd) {
    m_wireModel = model;
    m_wireStart = fixedEnd;
    m_verdicts.clear();
    update();
}

void CanvasScene::endWire() {
    m_wireModel = nullptr;
    m_verdicts.clear();
    update();
}

CanvasVerdict CanvasScene::wireVerdict(const CanvasPortRef& other) const {
    if (!m_wireModel || other.output == m_wireStart.output)
        return {false, {}};
    if (other.node == m_wireStart.node)
        return {false, QGraphicsScene::tr("A block cannot feed itself.")};
    const QString key = other.node + QLatin1Char('\n') + QString::number(other.port);
    const auto found = m_verdicts.constFind(key);
    if (found != m_verdicts.constEnd())
        return *found;
    const CanvasVerdict verdict =
        m_wireStart.output ? m_wireModel->canConnect(m_wireStart, other) : m_wireModel->canConnect(other, m_wireStart);
    m_verdicts.insert(key, verdict);
    return verdict;
}

std::optional<CanvasPortRef> CanvasScene::fittingPort(const NodeItem& node) const {
    const bool output = !m_wireStart.output;
    const qsizetype count = output ? node.node().outputs.size() : node.node().inputs.size();
    for (int i = 0; i < count; ++i) {
        const CanvasPortRef ref{node.node().id, i, output};
        if (wireVerdict(ref).ok)
            return ref;
    }
    return std::nullopt;
}

}  // namespace plumbline::widgets
