// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas_view.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/canvas_view_private.h"

namespace plumbline::widgets {

namespace {

constexpr double kFitMargin = 40;
constexpr double kLegibleZoom = 0.85;      ///< names and shapes can be read with ease
constexpr double kLeastLegibleZoom = 0.6;  ///< they still can: a model that fits so is shown whole
constexpr double kWorld = 5e6;             ///< half the size of the plane one can scroll over
constexpr double kDotSpacing = 24;

}  // namespace

void CanvasView::Private::sync() {
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

void CanvasView::Private::describe() {
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

void CanvasView::Private::setCurrent(const QString& id) {
    if (current == id)
        return;
    current = id;
    describe();
}

void CanvasView::Private::selectOnly(const QString& id) {
    q->setSelectedNodes({id});
    setCurrent(id);
}

void CanvasView::Private::fit(QRectF rect, double least) {
    if (rect.isEmpty())
        rect = QRectF(-200, -150, 400, 300);
    const QSize room = q->viewport()->size();
    const double zoom = std::min(
        {(room.width() - 2 * kFitMargin) / rect.width(), (room.height() - 2 * kFitMargin) / rect.height(), 1.0});
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
                const Place place = d->places.value(d->level);
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

CanvasModel* CanvasView::model() const {
    return d->model;
}

QStringList CanvasView::selectedNodes() const {
    return d->scene.selectedNodes();
}

QList<CanvasEdge> CanvasView::selectedEdges() const {
    QList<CanvasEdge> edges;
    for (const QGraphicsItem* item : d->scene.selectedItems())
        if (const auto* edge = qgraphicsitem_cast<const EdgeItem*>(item))
            edges.append(edge->edge());
    return edges;
}

QString CanvasView::currentNode() const {
    return d->current;
}

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

void CanvasView::selectAll() {
    setSelectedNodes(d->scene.nodes().keys());
}

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

double CanvasView::zoom() const {
    return transform().m11();
}

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
    if (const auto place = std::exchange(d->placePending, {})) {
        setZoom(place->zoom);
        centerOn(place->center);
        return;
    }
    const QSizeF content = d->scene.contentRect().size();
    const double whole = std::min((viewport()->width() - 2 * kFitMargin) / content.width(),
                                  (viewport()->height() - 2 * kFitMargin) / content.height());
    d->fit(d->scene.contentRect(), whole >= kLeastLegibleZoom ? kLeastLegibleZoom : kLegibleZoom);
}

std::optional<CanvasView::Place> CanvasView::place() const {
    return d->fitPending ? d->placePending : Place{zoom(), mapToScene(viewport()->rect().center())};
}

void CanvasView::setPlace(const std::optional<Place>& place) {
    d->placePending = place;
    fitLegibly();
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

void CanvasView::zoomIn() {
    setZoom(zoom() * kWheelStep * kWheelStep);
}

void CanvasView::zoomOut() {
    setZoom(zoom() / kWheelStep / kWheelStep);
}

void CanvasView::setMinimapVisible(bool visible) {
    d->minimap->setWanted(visible);
}

void CanvasView::setSnapping(bool on) {
    d->snapping = on;
}

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

}  // namespace plumbline::widgets
