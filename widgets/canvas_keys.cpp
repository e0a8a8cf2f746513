// SPDX-License-Identifier: GPL-3.0-or-later
#include <QKeyEvent>
#include <cmath>

#include "widgets/canvas_view_private.h"

namespace plumbline::widgets {

namespace {

constexpr double kGrid = 8;

}  // namespace

void CanvasView::Private::goToNeighbour(int key) {
    const NodeItem* from = scene.node(current);
    if (!from) {
        // Nothing yet: the leftmost block.
        const NodeItem* first = nullptr;
        for (const NodeItem* item : scene.nodes())
            if (!first || item->pos().x() < first->pos().x() ||
                (item->pos().x() == first->pos().x() && item->pos().y() < first->pos().y()))
                first = item;
        if (first)
            q->reveal(first->node().id);
        return;
    }
    const QPointF direction = key == Qt::Key_Left    ? QPointF(-1, 0)
                              : key == Qt::Key_Right ? QPointF(1, 0)
                              : key == Qt::Key_Up    ? QPointF(0, -1)
                                                     : QPointF(0, 1);
    QSet<QString> linked;
    for (const EdgeItem* edge : from->edges) {
        linked.insert(edge->edge().from.node);
        linked.insert(edge->edge().to.node);
    }
    const NodeItem* best = nullptr;
    double least = INFINITY;
    for (const NodeItem* item : scene.nodes()) {
        if (item == from)
            continue;
        const QPointF way = item->sceneBody().center() - from->sceneBody().center();
        const double along = QPointF::dotProduct(way, direction);
        const double across = std::fabs(way.x() * direction.y()) + std::fabs(way.y() * direction.x());
        if (along <= 1 || across > along * 3)
            continue;
        const double cost = (along + 2 * across) * (linked.contains(item->node().id) ? 0.5 : 1.0);
        if (cost < least) {
            least = cost;
            best = item;
        }
    }
    if (best)
        q->reveal(best->node().id);
}

void CanvasView::Private::nudge(int key) {
    if (!editable())
        return;
    const QPointF offset = kGrid * (key == Qt::Key_Left    ? QPointF(-1, 0)
                                    : key == Qt::Key_Right ? QPointF(1, 0)
                                    : key == Qt::Key_Up    ? QPointF(0, -1)
                                                           : QPointF(0, 1));
    QList<CanvasMove> moves;
    for (const QString& id : q->selectedNodes())
        if (const NodeItem* item = scene.node(id))
            moves.append({id, item->pos() + offset});
    if (!moves.isEmpty())
        model->moveNodes(moves);
}

void CanvasView::Private::open(const NodeItem& item) {
    const QString id = item.node().id;
    if (item.node().composite)
        model->enter(id);
    else
        model->activate(id);
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    if (!d->model)
        return QGraphicsView::keyPressEvent(event);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (control) {
        switch (event->key()) {
            case Qt::Key_C:
                copySelection();
                return;
            case Qt::Key_V:
                pasteHere();
                return;
            case Qt::Key_D:
                duplicateSelection();
                return;
            case Qt::Key_A:
                selectAll();
                return;
            case Qt::Key_G:
                groupSelection();
                return;
            case Qt::Key_Left:
            case Qt::Key_Right:
            case Qt::Key_Up:
            case Qt::Key_Down:
                d->nudge(event->key());
                return;
            default:
                break;
        }
        event->ignore();
        return;
    }
    switch (event->key()) {
        case Qt::Key_Escape:
            if (d->gesture)
                d->cancelGesture();
            else
                d->scene.clearSelection();
            return;
        case Qt::Key_Space:
            if (!event->isAutoRepeat()) {
                d->spaceHeld = true;
                d->restoreCursor();
            }
            return;
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
            d->goToNeighbour(event->key());
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (const NodeItem* item = d->scene.node(d->current))
                d->open(*item);
            return;
        case Qt::Key_Backspace:
            d->model->leave();
            return;
        case Qt::Key_Delete:
            deleteSelection();
            return;
        case Qt::Key_Period:
            fitSelection();
            return;
        case Qt::Key_Home:
            fitAll();
            return;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoomIn();
            return;
        case Qt::Key_Minus:
            zoomOut();
            return;
        default:
            event->ignore();
    }
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        d->spaceHeld = false;
        if (!d->gesture)
            d->restoreCursor();
        return;
    }
    event->ignore();
}

void CanvasView::focusOutEvent(QFocusEvent* event) {
    QGraphicsView::focusOutEvent(event);
    d->spaceHeld = false;
    if (!d->gesture)
        d->restoreCursor();
}

bool CanvasView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Keys the canvas answers itself while it has the focus, before the window's actions take them.
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool control = key->modifiers() == Qt::ControlModifier;
        static const QSet<int> kWithControl{Qt::Key_C, Qt::Key_V, Qt::Key_D, Qt::Key_A, Qt::Key_G};
        static const QSet<int> kAlone{Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Period,
                                      Qt::Key_Space,  Qt::Key_Escape,    Qt::Key_Home};
        if ((control && kWithControl.contains(key->key())) ||
            (key->modifiers() == Qt::NoModifier && kAlone.contains(key->key()))) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier && d->editable()) {
            requestQuickAdd();
            return true;
        }
    }
    return QGraphicsView::event(event);
}

}  // namespace plumbline::widgets
