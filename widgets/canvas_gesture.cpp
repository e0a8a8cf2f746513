// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas_gesture.h"

#include <QGraphicsLineItem>
#include <QGraphicsView>
#include <QLineF>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/canvas_scene.h"

namespace plumbline::widgets {

namespace {

constexpr double kSnapPixels = 7;
constexpr double kOverlayZ = 10;
constexpr double kWireReach = 14;
constexpr std::size_t kSnapNeighbours = 200;

/// The value of `lines` nearest to any of `edges`, as an offset; 0 and no line when none is within reach.
std::pair<double, std::optional<double>> nearestLine(const std::vector<double>& lines,
                                                     std::initializer_list<double> edges, double reach) {
    double best = reach;
    double offset = 0;
    std::optional<double> line;
    for (const double edge : edges) {
        const auto above = std::lower_bound(lines.begin(), lines.end(), edge);
        for (auto candidate : {above, above == lines.begin() ? above : above - 1}) {
            if (candidate == lines.end() || std::fabs(*candidate - edge) >= best)
                continue;
            best = std::fabs(*candidate - edge);
            offset = *candidate - edge;
            line = *candidate;
        }
    }
    return {offset, line};
}

}  // namespace

MoveGesture::MoveGesture(const CanvasContext& context, const QString& grabbed, const QPointF& start)
    : CanvasGesture(context), m_grabbed(grabbed), m_start(start) {
    for (const QString& id : m_context.scene.selectedNodes())
        if (const NodeItem* item = m_context.scene.node(id))
            m_starts.push_back({id, item->pos()});
    QPen pen(Theme::instance().colors().accent, 0, Qt::DashLine);
    m_vertical = m_context.scene.addLine(QLineF(), pen);
    m_horizontal = m_context.scene.addLine(QLineF(), pen);
    for (QGraphicsLineItem* line : {m_vertical, m_horizontal}) {
        line->setZValue(kOverlayZ);
        line->hide();
    }
    const NodeItem* lone = m_starts.size() == 1 ? m_context.scene.node(m_grabbed) : nullptr;
    m_mayInsert = lone && lone->edges.isEmpty() && !lone->node().inputs.isEmpty() && !lone->node().outputs.isEmpty();
    collectLines();
}

MoveGesture::~MoveGesture() {
    if (m_target)
        if (EdgeItem* edge = m_context.scene.edge(*m_target))
            edge->setDropTarget(false);
    delete m_vertical;
    delete m_horizontal;
}

QSet<QString> MoveGesture::held() const {
    QSet<QString> ids;
    for (const Start& start : m_starts)
        ids.insert(start.id);
    return ids;
}

void MoveGesture::collectLines() {
    const QSet<QString> moving = held();
    const QRectF seen = m_context.view.mapToScene(m_context.view.viewport()->rect()).boundingRect();
    std::size_t count = 0;
    for (const QGraphicsItem* item : m_context.scene.items(seen, Qt::IntersectsItemBoundingRect)) {
        const auto* node = qgraphicsitem_cast<const NodeItem*>(item);
        if (!node || moving.contains(node->node().id) || ++count > kSnapNeighbours)
            continue;
        const QRectF rect = node->sceneBody();
        m_xLines.insert(m_xLines.end(), {rect.left(), rect.center().x(), rect.right()});
        m_yLines.insert(m_yLines.end(), {rect.top(), rect.center().y(), rect.bottom()});
    }
    // A wire of the grabbed block that could run level: its far end, as a place for the block's middle.
    if (const NodeItem* grabbed = m_context.scene.node(m_grabbed)) {
        for (const EdgeItem* edge : grabbed->edges) {
            const bool isFrom = edge->edge().from.node == m_grabbed;
            const CanvasPortRef& near = isFrom ? edge->edge().from : edge->edge().to;
            const CanvasPortRef& far = isFrom ? edge->edge().to : edge->edge().from;
            const NodeItem* other = m_context.scene.node(far.node);
            if (other && !moving.contains(far.node))
                m_yLines.push_back(other->portPosition(far).y() - grabbed->portPosition(near).y() +
                                   grabbed->sceneBody().center().y());
        }
    }
    std::sort(m_xLines.begin(), m_xLines.end());
    std::sort(m_yLines.begin(), m_yLines.end());
}

QPointF MoveGesture::snapped(const QPointF& offset) {
    m_vertical->hide();
    m_horizontal->hide();
    const NodeItem* grabbed = m_context.scene.node(m_grabbed);
    const auto start =
        std::find_if(m_starts.begin(), m_starts.end(), [this](const Start& s) { return s.id == m_grabbed; });
    if (!grabbed || start == m_starts.end())
        return offset;
    const double reach = kSnapPixels / m_context.view.transform().m11();
    QRectF rect(start->position + offset, grabbed->body().size());
    const auto [dx, xLine] = nearestLine(m_xLines, {rect.left(), rect.center().x(), rect.right()}, reach);
    const auto [dy, yLine] = nearestLine(m_yLines, {rect.center().y(), rect.top(), rect.bottom()}, reach);
    const QRectF seen = m_context.view.mapToScene(m_context.view.viewport()->rect()).boundingRect();
    if (xLine) {
        m_vertical->setLine(*xLine, seen.top(), *xLine, seen.bottom());
        m_vertical->show();
    }
    if (yLine) {
        m_horizontal->setLine(seen.left(), *yLine, seen.right(), *yLine);
        m_horizontal->show();
    }
    return offset + QPointF(dx, dy);
}

void MoveGesture::place(const QPointF& offset) {
    m_offset = offset;
    for (const Start& start : m_starts) {
        if (NodeItem* item = m_context.scene.node(start.id)) {
            item->setPos(start.position + offset);
            m_context.scene.updateEdgesOf(*item);
        }
    }
}

void MoveGesture::aimAtWire(const QPointF& position) {
    EdgeItem* aimed = m_context.scene.edgeAt(position, kWireReach);
    if (aimed && !m_context.model.canInsertOnEdge(m_grabbed, aimed->edge()).ok)
        aimed = nullptr;
    if (m_target)
        if (EdgeItem* before = m_context.scene.edge(*m_target))
            before->setDropTarget(false);
    m_target.reset();
    if (aimed) {
        aimed->setDropTarget(true);
        m_target = aimed->edge();
    }
}

void MoveGesture::move(const CanvasPointer& pointer) {
    QPointF offset = pointer.scene - m_start;
    if (m_context.snapping && !pointer.modifiers.testFlag(Qt::AltModifier)) {
        offset = snapped(offset);
    } else {
        m_vertical->hide();
        m_horizontal->hide();
    }
    place(offset);
    if (m_mayInsert)
        aimAtWire(pointer.scene);
}

void MoveGesture::finish(const CanvasPointer& pointer) {
    move(pointer);
    if (m_offset.isNull())
        return;
    QList<CanvasMove> moves;
    for (const Start& start : m_starts)
        if (m_context.scene.node(start.id))  // it may have been removed since
            moves.append({start.id, start.position + m_offset});
    if (moves.isEmpty())
        return;
    if (m_target) {
        const CanvasEdge edge = *m_target;
        m_context.model.insertOnEdge(m_grabbed, edge, moves.first().position);
        return;
    }
    m_context.model.moveNodes(moves);
}

void MoveGesture::cancel() {
    place({});
}

WireGesture::WireGesture(const CanvasContext& context, const CanvasPortRef& fixedEnd,
                         const std::optional<CanvasEdge>& taken)
    : CanvasGesture(context), m_fixed(fixedEnd), m_taken(taken) {
    if (const NodeItem* item = m_context.scene.node(fixedEnd.node))
        m_anchor = item->portPosition(fixedEnd);
    m_wire = m_context.scene.addPath(QPainterPath(), QPen(Theme::instance().colors().accent, 2));
    m_wire->setZValue(kOverlayZ);
    if (m_taken)
        if (EdgeItem* edge = m_context.scene.edge(*m_taken))
            edge->hide();
    m_context.scene.beginWire(&m_context.model, fixedEnd);
}

WireGesture::~WireGesture() {
    m_context.scene.endWire();
    if (m_taken)
        if (EdgeItem* edge = m_context.scene.edge(*m_taken))
            edge->show();
    delete m_wire;
    QToolTip::hideText();
}

std::optional<CanvasPortRef> WireGesture::aim(const QPointF& position, QString* reason) const {
    if (const auto port = m_context.scene.portAt(position); port && port->output != m_fixed.output) {
        const CanvasVerdict verdict = m_context.scene.wireVerdict(*port);
        if (verdict.ok)
            return port;
        *reason = verdict.reason;
        return std::nullopt;
    }
    const NodeItem* node = m_context.scene.nodeAt(position);
    if (!node || node->node().id == m_fixed.node)
        return std::nullopt;
    if (const auto port = m_context.scene.fittingPort(*node))
        return port;
    const CanvasVerdict first = m_context.scene.wireVerdict(CanvasPortRef{node->node().id, 0, !m_fixed.output});
    *reason = first.reason;
    return std::nullopt;
}

void WireGesture::move(const CanvasPointer& pointer) {
    QString reason;
    QPointF end = pointer.scene;
    const auto port = aim(pointer.scene, &reason);
    if (port)
        if (const NodeItem* node = m_context.scene.node(port->node))
            end = node->portPosition(*port);
    m_wire->setPath(m_fixed.output ? wirePath(m_anchor, end) : wirePath(end, m_anchor));
    const ThemeColors& colors = Theme::instance().colors();
    QPen pen(reason.isEmpty() ? colors.accent : colors.critical, 2);
    if (!port)
        pen.setStyle(Qt::DashLine);
    m_wire->setPen(pen);
    if (reason.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(pointer.global, reason, &m_context.view);
}

void WireGesture::finish(const CanvasPointer& pointer) {
    QString reason;
    const auto port = aim(pointer.scene, &reason);
    CanvasModel& model = m_context.model;
    if (!m_context.scene.node(m_fixed.node))
        return;
    // A port that was pressed and not drawn from: a block that goes on there.
    if (!m_taken && QLineF(pointer.scene, m_anchor).length() <= kPortReach) {
        model.quickAdd(m_anchor, pointer.global, m_fixed);
        return;
    }
    if (port) {
        if (m_taken && m_taken->to == *port)
            return;
        if (m_taken)
            model.reconnect(*m_taken, *port);
        else if (m_fixed.output)
            model.connectPorts(m_fixed, *port);
        else
            model.connectPorts(*port, m_fixed);
        return;
    }
    if (!reason.isEmpty() || m_context.scene.nodeAt(pointer.scene))
        return;
    if (m_taken)
        model.remove({}, {*m_taken});
    else
        model.quickAdd(pointer.scene, pointer.global, m_fixed);
}

BandGesture::BandGesture(const CanvasContext& context, const QPointF& start, bool adds)
    : CanvasGesture(context), m_start(start) {
    if (adds) {
        const QStringList selected = m_context.scene.selectedNodes();
        m_before = QSet<QString>(selected.begin(), selected.end());
    } else {
        m_context.scene.clearSelection();
    }
    QColor fill = Theme::instance().colors().accent;
    QPen pen(fill, 0);
    fill.setAlphaF(0.12F);
    m_band = m_context.scene.addRect(QRectF(), pen, fill);
    m_band->setZValue(kOverlayZ);
}

BandGesture::~BandGesture() {
    delete m_band;
}

void BandGesture::select(const QSet<QString>& ids) {
    const bool blocked = m_context.scene.blockSignals(true);
    for (NodeItem* item : m_context.scene.nodes())
        item->setSelected(ids.contains(item->node().id));
    m_context.scene.blockSignals(blocked);
    Q_EMIT m_context.scene.selectionChanged();
}

void BandGesture::move(const CanvasPointer& pointer) {
    const QRectF rect = QRectF(m_start, pointer.scene).normalized();
    m_band->setRect(rect);
    QSet<QString> ids = m_before;
    for (const QGraphicsItem* item : m_context.scene.items(rect, Qt::IntersectsItemBoundingRect))
        if (const auto* node = qgraphicsitem_cast<const NodeItem*>(item); node && node->sceneBody().intersects(rect))
            ids.insert(node->node().id);
    const QStringList selected = m_context.scene.selectedNodes();
    if (QSet<QString>(selected.begin(), selected.end()) != ids)
        select(ids);
}

void BandGesture::cancel() {
    select(m_before);
}

void PanGesture::move(const CanvasPointer& pointer) {
    const QPoint delta = pointer.viewport - m_last;
    m_last = pointer.viewport;
    m_context.view.horizontalScrollBar()->setValue(m_context.view.horizontalScrollBar()->value() - delta.x());
    m_context.view.verticalScrollBar()->setValue(m_context.view.verticalScrollBar()->value() - delta.y());
}

}  // namespace plumbline::widgets
