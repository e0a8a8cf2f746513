// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas_view.h"

#include <QAccessible>
#include <QApplication>
#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QScrollBar>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/canvas_gesture.h"
#include "widgets/canvas_minimap.h"
#include "widgets/canvas_scene.h"

namespace plumbline::widgets {

namespace {

constexpr double kLeastZoom = 0.01, kLargestZoom = 4;
constexpr double kWheelStep = 1.15;
constexpr double kFitMargin = 40;
constexpr double kLegibleZoom = 0.85;  ///< names and shapes can be read
constexpr double kWorld = 5e6;  ///< half the size of the plane one can scroll over
constexpr double kGrid = 8;
constexpr double kDotSpacing = 24;
constexpr double kEdgeReach = 6;
constexpr int kScrollBorder = 24, kScrollStep = 14, kScrollEveryMs = 16;

}  // namespace

struct CanvasView::Private {
    explicit Private(CanvasView* view) : q(view), scene(view) {}

    struct Place {
        double zoom;
        QPointF center;
    };

    CanvasView* q;
    CanvasScene scene;
    QPointer<CanvasModel> model;
    CanvasMinimap* minimap = nullptr;
    std::unique_ptr<CanvasGesture> gesture;
    QTimer scroller;
    QHash<QString, Place> places;
    QString level;
    QString current;
    QStringList highlighted;
    std::optional<CanvasEdge> dropTarget;
    bool fitPending = true;
    bool spaceHeld = false;
    bool snapping = true;

    // Between press and the first real movement nothing has been decided yet.
    bool pressed = false;
    QPoint pressedAt;
    QString pressedNode;
    bool deselectOnRelease = false;

    CanvasContext context() const { return {*q, const_cast<CanvasScene&>(scene), *model, snapping}; }
    bool editable() const { return model && !model->isReadOnly(); }

    void sync() {
        scene.sync(model, gesture ? gesture->held() : QSet<QString>());
        for (const QString& id : std::as_const(highlighted))
            if (NodeItem* item = scene.node(id))
                item->setHighlighted(true);
        if (!scene.node(current))
            current = q->selectedNodes().value(0);
        minimap->invalidate();
        describe();
        if (fitPending)
            q->fitLegibly();
    }

    void describe() {
        QString text = CanvasView::tr("%n block(s)", nullptr, static_cast<int>(scene.nodes().size()));
        if (const NodeItem* item = scene.node(current)) {
            const CanvasNode& node = item->node();
            QStringList parts{node.title, node.type};
            if (!node.details.isEmpty())
                parts.append(node.details);
            if (!node.shape.isEmpty())
                parts.append(CanvasView::tr("output %1").arg(node.shape));
            if (node.badge != Severity::None)
                parts.append(severityName(node.badge) + QLatin1Char(' ') + node.badgeText);
            text += QStringLiteral(". ") + parts.join(QStringLiteral(", "));
        }
        if (q->accessibleDescription() == text)
            return;
        q->setAccessibleDescription(text);
    }

    CanvasPointer pointer(const QPoint& viewport, Qt::KeyboardModifiers modifiers) const {
        return {q->mapToScene(viewport), viewport, q->viewport()->mapToGlobal(viewport), modifiers};
    }

    void begin(std::unique_ptr<CanvasGesture> next) {
        gesture = std::move(next);
        q->viewport()->setCursor(gesture->cursor());
        if (gesture->scrolls())
            scroller.start(kScrollEveryMs);
    }

    void end(bool accept, const CanvasPointer& at) {
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

    void cancelGesture() { end(false, {}); }

    void restoreCursor() { q->viewport()->setCursor(spaceHeld ? Qt::OpenHandCursor : Qt::ArrowCursor); }

    void scrollNearBorder() {
        const QPoint at = q->viewport()->mapFromGlobal(QCursor::pos());
        const QRect inner = q->viewport()->rect().adjusted(kScrollBorder, kScrollBorder, -kScrollBorder, -kScrollBorder);
        if (!gesture || inner.contains(at) || !q->viewport()->rect().adjusted(-80, -80, 80, 80).contains(at))
            return;
        const auto step = [](int value, int low, int high) { return value < low ? -kScrollStep : value > high ? kScrollStep : 0; };
        q->horizontalScrollBar()->setValue(q->horizontalScrollBar()->value() + step(at.x(), inner.left(), inner.right()));
        q->verticalScrollBar()->setValue(q->verticalScrollBar()->value() + step(at.y(), inner.top(), inner.bottom()));
        gesture->move(pointer(at, QApplication::keyboardModifiers()));
    }

    void setCurrent(const QString& id) {
        if (current == id)
            return;
        current = id;
        describe();
    }

    void selectOnly(const QString& id) {
        q->setSelectedNodes({id});
        setCurrent(id);
    }

    /// `least`: smaller than this the view shows the beginning, and the rest is scrolled to.
    void fit(QRectF rect, double least = 0) {
        if (rect.isEmpty())
            rect = QRectF(-200, -150, 400, 300);
        const QSize room = q->viewport()->size();
        const double zoom = std::min({(room.width() - 2 * kFitMargin) / rect.width(),
                                      (room.height() - 2 * kFitMargin) / rect.height(), 1.0});
        q->setZoom(std::max(zoom, least));
        QPointF center = rect.center();
        if (zoom < least) {
            const QSizeF seen = QSizeF(room) / least;
            const double margin = kFitMargin / least;
            if (rect.width() + 2 * margin > seen.width())
                center.setX(rect.left() - margin + seen.width() / 2);
            if (rect.height() + 2 * margin > seen.height())
                center.setY(rect.top() - margin + seen.height() / 2);
        }
        q->centerOn(center);
    }

    void goToNeighbour(int key) {
        const NodeItem* from = scene.node(current);
        if (!from) {
            // Nothing yet: the leftmost block.
            const NodeItem* first = nullptr;
            for (const NodeItem* item : scene.nodes())
                if (!first || item->pos().x() < first->pos().x() || (item->pos().x() == first->pos().x() && item->pos().y() < first->pos().y()))
                    first = item;
            if (first)
                q->reveal(first->node().id);
            return;
        }
        const QPointF direction = key == Qt::Key_Left ? QPointF(-1, 0) : key == Qt::Key_Right ? QPointF(1, 0)
                                  : key == Qt::Key_Up ? QPointF(0, -1) : QPointF(0, 1);
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

    void nudge(int key) {
        if (!editable())
            return;
        const QPointF offset = kGrid * (key == Qt::Key_Left ? QPointF(-1, 0) : key == Qt::Key_Right ? QPointF(1, 0)
                                        : key == Qt::Key_Up ? QPointF(0, -1) : QPointF(0, 1));
        QList<CanvasMove> moves;
        for (const QString& id : q->selectedNodes())
            if (const NodeItem* item = scene.node(id))
                moves.append({id, item->pos() + offset});
        if (!moves.isEmpty())
            model->moveNodes(moves);
    }

    void open(const NodeItem& item) {
        const QString id = item.node().id;
        if (item.node().composite)
            model->enter(id);
        else
            model->activate(id);
    }

    void setDropTarget(const EdgeItem* edge) {
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

    QString toolTipAt(const QPointF& position) const {
        if (const auto port = scene.portAt(position)) {
            const CanvasNode& node = scene.node(port->node)->node();
            const CanvasPort& what = (port->output ? node.outputs : node.inputs)[port->port];
            QString text = port->output ? CanvasView::tr("Output %1").arg(what.name) : CanvasView::tr("Input %1").arg(what.name);
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
};

CanvasView::CanvasView(QWidget* parent) : QGraphicsView(parent), d(std::make_unique<Private>(this)) {
    setObjectName(QStringLiteral("canvas"));
    setAccessibleName(tr("Canvas"));
    setScene(&d->scene);
    setFrameShape(QFrame::NoFrame);
    setSceneRect(-kWorld, -kWorld, 2 * kWorld, 2 * kWorld);
    setViewportUpdateMode(QGraphicsView::MinimalViewportUpdate);
    setOptimizationFlags(QGraphicsView::DontSavePainterState | QGraphicsView::DontAdjustForAntialiasing);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTransformationAnchor(QGraphicsView::NoAnchor);
    setResizeAnchor(QGraphicsView::AnchorViewCenter);
    setMouseTracking(true);
    setAcceptDrops(true);
    setFocusPolicy(Qt::StrongFocus);
    d->minimap = new CanvasMinimap(this, &d->scene);
    connect(&d->scene, &QGraphicsScene::selectionChanged, this, [this] {
        const QStringList nodes = selectedNodes();
        if (!nodes.contains(d->current))
            d->setCurrent(nodes.value(0));
        Q_EMIT selectionChanged(nodes);
    });
    connect(&d->scroller, &QTimer::timeout, this, [this] { d->scrollNearBorder(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        d->scene.takeFonts();
        viewport()->update();
    });
}

CanvasView::~CanvasView() {
    d->gesture.reset();
    d->scene.disconnect(this);
    setScene(nullptr);
}

void CanvasView::setModel(CanvasModel* model) {
    if (d->model == model)
        return;
    d->cancelGesture();
    if (d->model)
        d->model->disconnect(this);
    d->model = model;
    d->places.clear();
    d->level = model ? model->level() : QString();
    d->fitPending = true;
    d->scene.clearAll();
    if (model) {
        connect(model, &CanvasModel::changed, this, [this] { d->sync(); });
        connect(model, &CanvasModel::fillsChanged, this, [this] { d->scene.syncFills(d->model); });
        connect(model, &CanvasModel::levelChanged, this, [this] {
            d->cancelGesture();
            d->places.insert(d->level, {zoom(), mapToScene(viewport()->rect().center())});
            d->level = d->model->level();
            d->scene.clearAll();
            d->fitPending = !d->places.contains(d->level);
            d->sync();
            if (d->places.contains(d->level)) {
                const Private::Place place = d->places.value(d->level);
                setZoom(place.zoom);
                centerOn(place.center);
            }
        });
        connect(model, &QObject::destroyed, this, [this] {
            d->gesture.reset();
            d->scene.clearAll();
            d->minimap->invalidate();
        });
    }
    d->sync();
}

CanvasModel* CanvasView::model() const { return d->model; }
QStringList CanvasView::selectedNodes() const { return d->scene.selectedNodes(); }

QList<CanvasEdge> CanvasView::selectedEdges() const {
    QList<CanvasEdge> edges;
    for (const QGraphicsItem* item : d->scene.selectedItems())
        if (const auto* edge = qgraphicsitem_cast<const EdgeItem*>(item))
            edges.append(edge->edge());
    return edges;
}

QString CanvasView::currentNode() const { return d->current; }

void CanvasView::setSelectedNodes(const QStringList& ids) {
    const QSet<QString> wanted(ids.begin(), ids.end());
    const QStringList before = selectedNodes();
    const bool hadEdges = !selectedEdges().isEmpty();
    const bool blocked = d->scene.blockSignals(true);
    d->scene.clearSelection();
    for (const QString& id : wanted)
        if (NodeItem* item = d->scene.node(id))
            item->setSelected(true);
    d->scene.blockSignals(blocked);
    if (selectedNodes() != before || hadEdges)
        Q_EMIT d->scene.selectionChanged();
}

void CanvasView::selectAll() { setSelectedNodes(d->scene.nodes().keys()); }

bool CanvasView::reveal(const QString& id) {
    NodeItem* item = d->scene.node(id);
    if (!item)
        return false;
    d->selectOnly(id);
    if (zoom() < kDetailZoom)
        setZoom(1.0);
    ensureVisible(item->sceneBody(), space::kHuge, space::kHuge);
    return true;
}

void CanvasView::setHighlighted(const QStringList& ids) {
    for (const QString& id : std::as_const(d->highlighted))
        if (NodeItem* item = d->scene.node(id))
            item->setHighlighted(false);
    d->highlighted = ids;
    for (const QString& id : ids)
        if (NodeItem* item = d->scene.node(id))
            item->setHighlighted(true);
}

double CanvasView::zoom() const { return transform().m11(); }

void CanvasView::setZoom(double zoom) {
    const double wanted = std::clamp(zoom, kLeastZoom, kLargestZoom);
    if (wanted == this->zoom())
        return;
    const QPointF center = mapToScene(viewport()->rect().center());
    setTransform(QTransform::fromScale(wanted, wanted));
    centerOn(center);
    d->scene.zoom = wanted;
    d->minimap->follow();
    Q_EMIT zoomChanged(wanted);
}

void CanvasView::fitAll() {
    if (!isVisible() || viewport()->width() < 50) {
        d->fitPending = true;
        return;
    }
    d->fitPending = false;
    d->fit(d->scene.contentRect());
}

void CanvasView::fitLegibly() {
    if (!isVisible() || viewport()->width() < 50) {
        d->fitPending = true;
        return;
    }
    d->fitPending = false;
    d->fit(d->scene.contentRect(), kLegibleZoom);
}

void CanvasView::fitSelection() {
    QRectF rect;
    for (const QString& id : selectedNodes())
        rect |= d->scene.node(id)->sceneBody();
    if (rect.isEmpty())
        fitAll();
    else
        d->fit(rect);
}

void CanvasView::zoomIn() { setZoom(zoom() * kWheelStep * kWheelStep); }
void CanvasView::zoomOut() { setZoom(zoom() / kWheelStep / kWheelStep); }
void CanvasView::setMinimapVisible(bool visible) { d->minimap->setWanted(visible); }
void CanvasView::setSnapping(bool on) { d->snapping = on; }

QPointF CanvasView::insertPosition() const {
    const QPoint pointer = viewport()->mapFromGlobal(QCursor::pos());
    const bool inside = isVisible() && viewport()->rect().contains(pointer) && underMouse();
    return mapToScene(inside ? pointer : viewport()->rect().center());
}

QString CanvasView::nodeAt(const QPoint& viewportPosition) const {
    const NodeItem* item = d->scene.nodeAt(mapToScene(viewportPosition));
    return item ? item->node().id : QString();
}

void CanvasView::deleteSelection() {
    const QStringList nodes = selectedNodes();
    const QList<CanvasEdge> edges = selectedEdges();
    if (d->editable() && (!nodes.isEmpty() || !edges.isEmpty()))
        d->model->remove(nodes, edges);
}

void CanvasView::copySelection() {
    if (d->model && !selectedNodes().isEmpty())
        d->model->copy(selectedNodes());
}

void CanvasView::pasteHere() {
    if (d->editable())
        d->model->paste(insertPosition());
}

void CanvasView::duplicateSelection() {
    if (d->editable() && !selectedNodes().isEmpty())
        d->model->duplicate(selectedNodes());
}

void CanvasView::groupSelection() {
    if (d->editable() && !selectedNodes().isEmpty())
        d->model->group(selectedNodes());
}

void CanvasView::requestQuickAdd() {
    if (!d->editable())
        return;
    const QPointF position = insertPosition();
    d->model->quickAdd(position, viewport()->mapToGlobal(mapFromScene(position)), std::nullopt);
}

QImage CanvasView::toImage(const QSize& size) const {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::instance().colors().background);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF content = d->scene.contentRect().adjusted(-kFitMargin, -kFitMargin, kFitMargin, kFitMargin);
    d->scene.render(&painter, QRectF(QPointF(), QSizeF(size)), content);
    return image;
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

void CanvasView::keyPressEvent(QKeyEvent* event) {
    if (!d->model)
        return QGraphicsView::keyPressEvent(event);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (control) {
        switch (event->key()) {
            case Qt::Key_C: copySelection(); return;
            case Qt::Key_V: pasteHere(); return;
            case Qt::Key_D: duplicateSelection(); return;
            case Qt::Key_A: selectAll(); return;
            case Qt::Key_G: groupSelection(); return;
            case Qt::Key_Left:
            case Qt::Key_Right:
            case Qt::Key_Up:
            case Qt::Key_Down: d->nudge(event->key()); return;
            default: break;
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
        case Qt::Key_Down: d->goToNeighbour(event->key()); return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (const NodeItem* item = d->scene.node(d->current))
                d->open(*item);
            return;
        case Qt::Key_Backspace: d->model->leave(); return;
        case Qt::Key_Delete: deleteSelection(); return;
        case Qt::Key_Period: fitSelection(); return;
        case Qt::Key_Home: fitAll(); return;
        case Qt::Key_Plus:
        case Qt::Key_Equal: zoomIn(); return;
        case Qt::Key_Minus: zoomOut(); return;
        default: event->ignore();
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

void CanvasView::drawBackground(QPainter* painter, const QRectF& rect) {
    const ThemeColors& colors = Theme::instance().colors();
    painter->fillRect(rect, colors.background);
    if (zoom() < kDetailZoom)
        return;
    painter->setRenderHint(QPainter::Antialiasing, false);
    QPen pen(mixed(colors.background, colors.text, 0.14), 1);
    pen.setCosmetic(true);
    painter->setPen(pen);
    QList<QPointF> dots;
    for (double x = std::floor(rect.left() / kDotSpacing) * kDotSpacing; x < rect.right(); x += kDotSpacing)
        for (double y = std::floor(rect.top() / kDotSpacing) * kDotSpacing; y < rect.bottom(); y += kDotSpacing)
            dots.append({x, y});
    painter->drawPoints(dots.constData(), static_cast<int>(dots.size()));
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    d->minimap->place();
    if (d->fitPending)
        fitLegibly();
    d->minimap->follow();
}

void CanvasView::showEvent(QShowEvent* event) {
    QGraphicsView::showEvent(event);
    if (d->fitPending)
        fitLegibly();
}

void CanvasView::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    if (d->minimap)
        d->minimap->follow();
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

bool CanvasView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Keys the canvas answers itself while it has the focus, before the window's actions take them.
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool control = key->modifiers() == Qt::ControlModifier;
        static const QSet<int> kWithControl{Qt::Key_C, Qt::Key_V, Qt::Key_D, Qt::Key_A, Qt::Key_G};
        static const QSet<int> kAlone{Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Period, Qt::Key_Space, Qt::Key_Escape, Qt::Key_Home};
        if ((control && kWithControl.contains(key->key())) || (key->modifiers() == Qt::NoModifier && kAlone.contains(key->key()))) {
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
