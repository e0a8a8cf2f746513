// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas_minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>

#include "widgets/canvas_scene.h"
#include "widgets/canvas_view.h"

namespace plumbline::widgets {

namespace {
constexpr int kWidth = 180, kHeight = 110, kMargin = 6;
}  // namespace

CanvasMinimap::CanvasMinimap(CanvasView* view, CanvasScene* scene) : QWidget(view), m_view(view), m_scene(scene) {
    setObjectName(QStringLiteral("canvasMinimap"));
    setAccessibleName(CanvasView::tr("Overview of the canvas"));
    setFixedSize(kWidth, kHeight);
    setCursor(Qt::PointingHandCursor);
    connect(&Theme::instance(), &Theme::changed, this, [this] { invalidate(); });
}

void CanvasMinimap::setWanted(bool wanted) {
    m_wanted = wanted;
    follow();
}

void CanvasMinimap::invalidate() {
    m_dirty = true;
    m_content = m_scene->contentRect();
    follow();
}

void CanvasMinimap::follow() {
    const QRectF seen = m_view->mapToScene(m_view->viewport()->rect()).boundingRect();
    setVisible(m_wanted && !m_content.isEmpty() && !seen.contains(m_content));
    place();
    update();
}

void CanvasMinimap::place() {
    const QRect area =
        m_view->viewport()->geometry().adjusted(space::kSmall, space::kSmall, -space::kSmall, -space::kSmall);
    const auto at = [&](bool right, bool bottom) {
        return QRect(right ? area.right() - kWidth : area.left(), bottom ? area.bottom() - kHeight : area.top(), kWidth,
                     kHeight);
    };
    const auto isFree = [this](const QRect& place) {
        const QList<QGraphicsItem*> under = m_view->items(place.translated(-m_view->viewport()->pos()));
        return std::none_of(under.begin(), under.end(),
                            [](QGraphicsItem* item) { return qgraphicsitem_cast<NodeItem*>(item) != nullptr; });
    };
    const std::array<QRect, 4> corners{at(true, true), at(false, true), at(true, false), at(false, false)};
    QRect chosen = corners[0];
    // Zoomed far out every corner has blocks, and there are too many to ask about.
    if (!isHidden() && m_view->zoom() >= kPlainZoom) {
        const bool stands = std::find(corners.begin(), corners.end(), geometry()) != corners.end();
        if (stands && isFree(geometry())) {
            return;
        }
        const auto free = std::find_if(corners.begin(), corners.end(), isFree);
        chosen = free == corners.end() ? corners[0] : *free;
    }
    setGeometry(chosen);
}

QTransform CanvasMinimap::toMap() const {
    const double scale = std::min((kWidth - 2.0 * kMargin) / std::max(1.0, m_content.width()),
                                  (kHeight - 2.0 * kMargin) / std::max(1.0, m_content.height()));
    QTransform transform;
    transform.translate(kWidth / 2.0, kHeight / 2.0);
    transform.scale(scale, scale);
    transform.translate(-m_content.center().x(), -m_content.center().y());
    return transform;
}

void CanvasMinimap::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    if (m_dirty || m_picture.devicePixelRatioF() != devicePixelRatioF()) {
        m_dirty = false;
        m_picture = QPixmap(size() * devicePixelRatioF());
        m_picture.setDevicePixelRatio(devicePixelRatioF());
        m_picture.fill(colors.surface);
        QPainter painter(&m_picture);
        const QTransform transform = toMap();
        for (const NodeItem* item : m_scene->nodes()) {
            QRectF rect = transform.mapRect(item->sceneBody());
            rect.setSize(rect.size().expandedTo(QSizeF(1, 1)));
            painter.fillRect(rect, item->node().badge >= Severity::Warning
                                       ? theme.severityColor(item->node().badge)
                                       : theme.categoryColor(item->node().category));
        }
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    const QRectF seen = toMap().mapRect(m_view->mapToScene(m_view->viewport()->rect()).boundingRect());
    QColor fill = colors.accent;
    fill.setAlphaF(0.12F);
    painter.setPen(colors.accent);
    painter.setBrush(fill);
    painter.drawRect(seen.intersected(QRectF(rect()).adjusted(1, 1, -2, -2)));
    painter.setPen(colors.border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void CanvasMinimap::goTo(const QPointF& position) {
    m_view->centerOn(toMap().inverted().map(position));
}

void CanvasMinimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        goTo(event->position());
}

void CanvasMinimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton))
        goTo(event->position());
}

}  // namespace plumbline::widgets
