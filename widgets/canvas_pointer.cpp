// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/canvas_view_private.h"

namespace plumbline::widgets {

namespace {

constexpr double kEdgeReach = 6;
constexpr int kScrollBorder = 24, kScrollStep = 14, kScrollEveryMs = 16;

}  // namespace

void CanvasView::Private::begin(std::unique_ptr<CanvasGesture> next) {
    gesture = std::move(next);
    q->viewport()->setCursor(gesture->cursor());
    if (gesture->scrolls())
        scroller.start(kScrollEveryMs);
}

void CanvasView::Private::end(bool accept, const CanvasPointer& at) {
    scroller.stop();
    restoreCursor();
    if (!gesture)
        return;
    // The view lets go first: the request below makes the model change, and the refresh must not hold places.
    std::unique_ptr<CanvasGesture> last = std::move(gesture);
    if (accept && model)
        last->finish(at);
    else
        last->cancel();
    last.reset();
    if (model)
        sync();
}

void CanvasView::Private::restoreCursor() {
    q->viewport()->setCursor(spaceHeld ? Qt::OpenHandCursor : Qt::ArrowCursor);
}

void CanvasView::Private::scrollNearBorder() {
    const QPoint at = q->viewport()->mapFromGlobal(QCursor::pos());
    const QRect inner = q->viewport()->rect().adjusted(kScrollBorder, kScrollBorder, -kScrollBorder, -kScrollBorder);
    if (!gesture || inner.contains(at) || !q->viewport()->rect().adjusted(-80, -80, 80, 80).contains(at))
        return;
    const auto step = [](int value, int low, int high) {
        return value < low ? -kScrollStep : value > high ? kScrollStep : 0;
    };
    q->horizontalScrollBar()->setValue(q->horizontalScrollBar()->value() + step(at.x(), inner.left(), inner.right()));
    q->verticalScrollBar()->setValue(q->verticalScrollBar()->value() + step(at.y(), inner.top(), inner.bottom()));
    gesture->move(pointer(at, QApplication::keyboardModifiers()));
}

void CanvasView::Private::setDropTarget(const EdgeItem* edge) {
    if (dropTarget)
        if (EdgeItem* before = scene.edge(*dropTarget))
            before->setDropTarget(false);
    dropTarget.reset();
    if (!edge)
        return;
    dropTarget = edge->edge();
    if (EdgeItem* now = scene.edge(*dropTarget))
        now->setDropTarget(true);
}

QString CanvasView::Private::toolTipAt(const QPointF& position) const {
    if (const auto port = scene.portAt(position)) {
        const CanvasNode& node = scene.node(port->node)->node();
        const CanvasPort& what = (port->output ? node.outputs : node.inputs)[port->port];
        QString text =
            port->output ? CanvasView::tr("Output %1").arg(what.name) : CanvasView::tr("Input %1").arg(what.name);
        if (what.optional)
            text += CanvasView::tr(" (optional)");
        if (what.variadic)
            text += CanvasView::tr(" (any number)");
        if (port->output && !node.shape.isEmpty())
            text += QStringLiteral(": ") + node.shape;
        return text;
    }
    if (const NodeItem* item = scene.nodeAt(position)) {
        const CanvasNode& node = item->node();
        if (item->isOnBadge(position) || node.badge >= Severity::Warning)
            return node.badgeText;
        QStringList lines{node.title, (node.type + QStringLiteral("  ") + node.details).trimmed()};
        if (!node.shape.isEmpty())
            lines.append(node.shape);
        if (!node.fillText.isEmpty())
            lines.append(node.fillText);
        return lines.join(QLatin1Char('\n'));
    }
    if (const EdgeItem* edge = scene.edgeAt(position, kEdgeReach))
        return edge->edge().problem ? edge->edge().problemText : edge->edge().label;
    return {};
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (!d->model || d->gesture)
        return;
    const QPoint at = event->position().toPoint();
    const CanvasPointer pointer = d->pointer(at, event->modifiers());
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && d->spaceHeld)) {
        d->begin(std::make_unique<PanGesture>(d->context(), at));
        return;
    }
    const bool adds = event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier);
    NodeItem* item = d->scene.nodeAt(pointer.scene);
    if (event->button() == Qt::RightButton) {
        // What a menu opened here is about.
        if (item && !item->isSelected()) {
            d->selectOnly(item->node().id);
        } else if (!item) {
            d->scene.clearSelection();
            if (EdgeItem* edge = d->scene.edgeAt(pointer.scene, kEdgeReach))
                edge->setSelected(true);
        }
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto port = d->scene.portAt(pointer.scene); port && d->editable() && zoom() >= kPlainZoom) {
        CanvasPortRef fixed = *port;
        std::optional<CanvasEdge> taken;
        if (!port->output)
            for (const EdgeItem* edge : d->scene.node(port->node)->edges)
                if (edge->edge().to == *port)
                    taken = edge->edge();
        if (taken)
            fixed = taken->from;
        d->begin(std::make_unique<WireGesture>(d->context(), fixed, taken));
        return;
    }
    if (item) {
        d->pressed = true;
        d->pressedAt = at;
        d->pressedNode = item->node().id;
        d->deselectOnRelease = false;
        if (adds) {
            item->setSelected(!item->isSelected());
            if (item->isSelected())
                d->setCurrent(d->pressedNode);
        } else if (!item->isSelected()) {
            d->selectOnly(d->pressedNode);
        } else {
            d->setCurrent(d->pressedNode);
            d->deselectOnRelease = true;
        }
        return;
    }
    if (EdgeItem* edge = d->scene.edgeAt(pointer.scene, kEdgeReach)) {
        if (!adds)
            d->scene.clearSelection();
        edge->setSelected(!adds || !edge->isSelected());
        return;
    }
    d->begin(std::make_unique<BandGesture>(d->context(), pointer.scene, adds));
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (d->pressed && !d->gesture && d->editable() &&
        (at - d->pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
        d->pressed = false;
        const NodeItem* item = d->scene.node(d->pressedNode);
        if (item && item->isSelected())
            d->begin(std::make_unique<MoveGesture>(d->context(), d->pressedNode, mapToScene(d->pressedAt)));
    }
    if (d->gesture) {
        d->gesture->move(d->pointer(at, event->modifiers()));
        return;
    }
    if (!event->buttons() && !d->spaceHeld) {
        const bool overPort = d->editable() && zoom() >= kPlainZoom && d->scene.portAt(mapToScene(at));
        viewport()->setCursor(overPort ? Qt::CrossCursor : Qt::ArrowCursor);
    }
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (d->gesture) {
        d->end(true, d->pointer(at, event->modifiers()));
    } else if (d->pressed && d->deselectOnRelease && event->button() == Qt::LeftButton) {
        d->selectOnly(d->pressedNode);
    }
    d->pressed = false;
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !d->model)
        return;
    const QPoint at = event->position().toPoint();
    const QPointF position = mapToScene(at);
    d->pressed = false;
    if (const NodeItem* item = d->scene.nodeAt(position))
        d->open(*item);
    else if (!d->scene.edgeAt(position, kEdgeReach) && d->editable())
        d->model->quickAdd(position, viewport()->mapToGlobal(at), std::nullopt);
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    event->accept();
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - event->angleDelta().x());
        return;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - event->angleDelta().y());
        return;
    }
    // The point under the pointer stays under the pointer.
    const QPointF under = mapToScene(event->position().toPoint());
    const double wanted = std::clamp(zoom() * std::pow(kWheelStep, notches), kLeastZoom, kLargestZoom);
    if (wanted == zoom())
        return;
    setTransform(QTransform::fromScale(wanted, wanted));
    const QPointF shift = mapFromScene(under) - event->position();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + qRound(shift.x()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + qRound(shift.y()));
    d->scene.zoom = wanted;
    d->minimap->follow();
    Q_EMIT zoomChanged(wanted);
}

void CanvasView::dragEnterEvent(QDragEnterEvent* event) {
    if (d->editable() && d->model->acceptsDrop(*event->mimeData()))
        event->acceptProposedAction();
    else
        event->ignore();
}

void CanvasView::dragMoveEvent(QDragMoveEvent* event) {
    if (!d->editable() || !d->model->acceptsDrop(*event->mimeData())) {
        event->ignore();
        return;
    }
    event->acceptProposedAction();
    d->setDropTarget(d->scene.edgeAt(mapToScene(event->position().toPoint()), 2 * kEdgeReach));
}

void CanvasView::dragLeaveEvent(QDragLeaveEvent* event) {
    d->setDropTarget(nullptr);
    event->accept();
}

void CanvasView::dropEvent(QDropEvent* event) {
    if (!d->editable() || !d->model->acceptsDrop(*event->mimeData()))
        return;
    const std::optional<CanvasEdge> edge = d->dropTarget;
    d->setDropTarget(nullptr);
    event->acceptProposedAction();
    setFocus(Qt::OtherFocusReason);
    d->model->drop(*event->mimeData(), mapToScene(event->position().toPoint()), edge);
}

bool CanvasView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = d->gesture ? QString() : d->toolTipAt(mapToScene(help->pos()));
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QGraphicsView::viewportEvent(event);
}

}  // namespace plumbline::widgets
