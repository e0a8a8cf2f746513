// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas_items.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/canvas_scene.h"
#include "widgets/icons.h"

namespace plumbline::widgets {

namespace {

constexpr double kOverhang = 9;  ///< ports and badge beyond the body
constexpr double kBadgeSize = 18;
constexpr double kFaded = 0.35;
constexpr double kFillShare = 0.22;  ///< opacity of the statistic's fill
constexpr double kCorner = 12;       ///< of a wire that changes the row
constexpr double kLeastCurve = 40;

/// What thousands of small rectangles and lines are painted with; mixing colours for each would cost a third of the
/// time.
struct PlainColors {
    std::array<QColor, kBlockCategoryCount> nodes, disabled;
    QColor wire;
};

const PlainColors& plainColors() {
    static const auto make = [](bool dark) {
        const ThemeColors& colors = themeColors(dark);
        PlainColors plain;
        for (std::size_t i = 0; i < colors.categories.size(); ++i) {
            plain.nodes[i] = mixed(colors.background, colors.categories[i], 0.75);
            plain.disabled[i] = mixed(colors.background, colors.categories[i], 0.3);
        }
        plain.wire = mixed(colors.muted, colors.background, 0.25);
        return plain;
    };
    static const PlainColors light = make(false), dark = make(true);
    return Theme::instance().isDark() ? dark : light;
}

double portOffset(qsizetype index, qsizetype count, double height) {
    return height * static_cast<double>(index + 1) / static_cast<double>(count + 1);
}

}  // namespace

/// To a block further left in another row: out to the right, back between the rows, in from the left.
static QPainterPath rowChangePath(const QPointF& from, const QPointF& to) {
    const double middle = (from.y() + to.y()) / 2;
    const double way = middle > from.y() ? kCorner : -kCorner;
    const double right = from.x() + 2 * kCorner;
    const double left = to.x() - 2 * kCorner;
    QPainterPath path(from);
    path.lineTo(right - kCorner, from.y());
    path.quadTo({right, from.y()}, {right, from.y() + way});
    path.lineTo(right, middle - way);
    path.quadTo({right, middle}, {right - kCorner, middle});
    path.lineTo(left + kCorner, middle);
    path.quadTo({left, middle}, {left, middle + way});
    path.lineTo(left, to.y() - way);
    path.quadTo({left, to.y()}, {left + kCorner, to.y()});
    path.lineTo(to);
    return path;
}

QPainterPath wirePath(const QPointF& from, const QPointF& to) {
    if (to.x() < from.x() && std::fabs(to.y() - from.y()) >= 6 * kCorner)
        return rowChangePath(from, to);
    const double reach = std::max(kLeastCurve, std::min(std::fabs(to.x() - from.x()) / 2, 160.0));
    QPainterPath path(from);
    path.cubicTo(from + QPointF(reach, 0), to - QPointF(reach, 0), to);
    return path;
}

NodeItem::NodeItem(CanvasScene& scene, CanvasNode node)
    : m_scene(scene), m_node(std::move(node)), m_size(canvasNodeSize(m_node)) {
    setFlag(ItemIsSelectable);
    setZValue(1);
    setPos(m_node.position);
}

void NodeItem::setNode(const CanvasNode& node, bool place) {
    const QSizeF size = canvasNodeSize(node);
    if (size != m_size) {
        prepareGeometryChange();
        m_size = size;
    }
    if (place && pos() != node.position)
        setPos(node.position);
    if (node == m_node)
        return;
    m_node = node;
    update();
}

void NodeItem::setFill(const std::optional<double>& fill, const QString& text) {
    if (m_node.fill == fill && m_node.fillText == text)
        return;
    m_node.fill = fill;
    m_node.fillText = text;
    update();
}

void NodeItem::setHighlighted(bool on) {
    if (m_highlighted == on)
        return;
    m_highlighted = on;
    update();
}

QPointF NodeItem::portPosition(const CanvasPortRef& port) const {
    const qsizetype count = port.output ? m_node.outputs.size() : m_node.inputs.size();
    return pos() + QPointF(port.output ? m_size.width() : 0,
                           portOffset(port.port, std::max<qsizetype>(count, 1), m_size.height()));
}

std::optional<CanvasPortRef> NodeItem::portAt(const QPointF& scenePosition) const {
    std::optional<CanvasPortRef> best;
    double nearest = kPortReach;
    for (const bool output : {false, true}) {
        const qsizetype count = output ? m_node.outputs.size() : m_node.inputs.size();
        for (int i = 0; i < count; ++i) {
            const CanvasPortRef ref{m_node.id, i, output};
            const QPointF offset = scenePosition - portPosition(ref);
            const double distance = std::hypot(offset.x(), offset.y());
            if (distance <= nearest) {
                nearest = distance;
                best = ref;
            }
        }
    }
    return best;
}

QRectF NodeItem::badgeRect() const {
    return {m_size.width() - kBadgeSize / 2 - 4, -kBadgeSize / 2 + 2, kBadgeSize, kBadgeSize};
}

bool NodeItem::isOnBadge(const QPointF& scenePosition) const {
    return m_node.badge != Severity::None && badgeRect().contains(scenePosition - pos());
}

QRectF NodeItem::boundingRect() const {
    return body().adjusted(-kOverhang, -kOverhang, kOverhang, kOverhang);
}

QPainterPath NodeItem::shape() const {
    QPainterPath path;
    path.addRect(body());
    return path;
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    const double zoom = option->levelOfDetailFromTransform(painter->worldTransform());
    const QRectF frame = body();
    if (zoom < kPlainZoom) {
        const auto index = static_cast<std::size_t>(m_node.category);
        QColor color = m_node.fill      ? rampColor(*m_node.fill)
                       : m_node.enabled ? plainColors().nodes[index]
                                        : plainColors().disabled[index];
        if (m_node.badge >= Severity::Warning)
            color = theme.severityColor(m_node.badge);
        if (isSelected() || m_highlighted)
            painter->fillRect(frame.adjusted(-kOverhang, -kOverhang, kOverhang, kOverhang), colors.accent);
        painter->fillRect(frame, color);
        return;
    }

    const QColor category = theme.categoryColor(m_node.category);
    const bool wire = m_scene.hasWire();
    const bool fits = !wire || m_scene.fittingPort(*this) || m_scene.wireStart().node == m_node.id;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setOpacity(fits && m_node.enabled ? 1.0 : kFaded);
    const QColor surface = colors.raised;
    painter->setPen(Qt::NoPen);
    painter->setBrush(surface);
    painter->drawRoundedRect(frame, kRadius, kRadius);

    painter->save();
    QPainterPath clip;
    clip.addRoundedRect(frame, kRadius, kRadius);
    painter->setClipPath(clip, Qt::IntersectClip);
    if (m_node.fill) {
        const double share = std::clamp(*m_node.fill, 0.0, 1.0);
        painter->fillRect(QRectF(0, 0, frame.width() * share, frame.height()),
                          mixed(surface, colors.accent, kFillShare));
    }
    painter->fillRect(QRectF(0, 0, kCategoryEdge, frame.height()), category);
    painter->restore();

    QPen outline(isSelected() ? colors.accent : mixed(colors.border, colors.text, 0.2), isSelected() ? 2 : 1);
    if (m_node.badge >= Severity::Warning && !isSelected())
        outline.setColor(theme.severityColor(m_node.badge));
    painter->setPen(outline);
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(frame, kRadius, kRadius);
    if (m_node.composite)  // a second line, as of a stack
        painter->drawRoundedRect(frame.adjusted(3, 3, -3, -3), kRadius - 2, kRadius - 2);
    if (m_highlighted) {
        painter->setPen(QPen(colors.accent, 2, Qt::DashLine));
        painter->drawRoundedRect(frame.adjusted(-5, -5, 5, 5), kRadius + 3, kRadius + 3);
    }
    paintDetails(painter, zoom);
    paintPorts(painter);
    if (m_node.badge != Severity::None) {
        const QRectF badge = badgeRect();
        painter->setPen(Qt::NoPen);
        painter->setBrush(colors.background);
        painter->drawEllipse(badge);
        paintIcon(*painter, severityIconName(m_node.badge), badge.adjusted(2, 2, -2, -2),
                  theme.severityColor(m_node.badge));
    }
    painter->setOpacity(1);
}

void NodeItem::paintDetails(QPainter* painter, double zoom) const {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    const double left = kCategoryEdge + space::kSmall;
    const double icon = 14;
    const double textLeft = left + icon + space::kTiny + 1;
    const double right = m_size.width() - space::kSmall - (m_node.composite ? space::kTiny : 0);
    const double titleHeight = 18, lineHeight = 15;
    const double top = std::max(space::kSmall - 1.0, (m_size.height() - titleHeight - 2 * lineHeight) / 2);

    painter->setFont(m_scene.titleFont);
    painter->setPen(colors.text);
    const QRectF title(textLeft, top, right - textLeft, titleHeight);
    if (zoom < kDetailZoom) {
        QFont large = m_scene.titleFont;
        large.setPointSizeF(large.pointSizeF() * 1.4);
        painter->setFont(large);
        const QRectF whole(left, 0, right - left, m_size.height());
        painter->drawText(whole, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetricsF(large).elidedText(m_node.title, Qt::ElideRight, whole.width()));
        return;
    }
    paintIcon(*painter, categoryIconName(m_node.category), QRectF(left, top + 2, icon, icon),
              theme.categoryColor(m_node.category));
    painter->drawText(
        title, Qt::AlignLeft | Qt::AlignVCenter,
        painter->fontMetrics().elidedText(m_node.title, Qt::ElideMiddle, static_cast<int>(title.width())));

    painter->setFont(m_scene.smallFont);
    painter->setPen(colors.muted);
    const QRectF second(left, top + titleHeight, right - left, lineHeight);
    QString line = m_node.type;
    if (!m_node.details.isEmpty())
        line += QStringLiteral("  ") + m_node.details;
    painter->drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(line, Qt::ElideRight, static_cast<int>(second.width())));

    const QRectF third(left, top + titleHeight + lineHeight, right - left, lineHeight);
    double shapeWidth = third.width();
    if (!m_node.fillText.isEmpty()) {
        painter->setPen(colors.text);
        painter->drawText(third, Qt::AlignRight | Qt::AlignVCenter, m_node.fillText);
        shapeWidth -= painter->fontMetrics().horizontalAdvance(m_node.fillText) + space::kTiny;
    }
    painter->setFont(m_scene.monoFont);
    painter->setPen(colors.text);
    painter->drawText(third, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(m_node.shape, Qt::ElideRight, static_cast<int>(shapeWidth)));
}

void NodeItem::paintPorts(QPainter* painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const bool wire = m_scene.hasWire();
    for (const bool output : {false, true}) {
        const auto& ports = output ? m_node.outputs : m_node.inputs;
        for (int i = 0; i < ports.size(); ++i) {
            const CanvasPortRef ref{m_node.id, i, output};
            const QPointF center = portPosition(ref) - pos();
            const bool lit = wire && m_scene.wireVerdict(ref).ok;
            const double radius = lit ? kPortRadius + 2 : kPortRadius;
            painter->setPen(QPen(lit ? colors.accent : mixed(colors.muted, colors.surface, 0.1), 1.5,
                                 ports[i].optional ? Qt::DotLine : Qt::SolidLine));
            painter->setBrush(lit ? colors.accent : colors.surface);
            if (ports[i].variadic)
                painter->drawRoundedRect(QRectF(center.x() - radius, center.y() - radius * 1.5, 2 * radius, 3 * radius),
                                         radius, radius);
            else
                painter->drawEllipse(center, radius, radius);
            // Names where there is a choice; a lone port needs none.
            if (wire && lit && ports.size() > 1) {
                painter->setFont(m_scene.smallFont);
                painter->setPen(colors.text);
                const double width = painter->fontMetrics().horizontalAdvance(ports[i].name);
                painter->drawText(QPointF(output ? center.x() - width - 10 : center.x() + 10, center.y() + 4),
                                  ports[i].name);
            }
        }
    }
}

EdgeItem::EdgeItem(CanvasScene& scene, CanvasEdge edge) : m_scene(scene), m_edge(std::move(edge)) {
    setFlag(ItemIsSelectable);
    setZValue(0);
}

void EdgeItem::setEdge(const CanvasEdge& edge) {
    if (edge.label == m_edge.label && edge.problem == m_edge.problem && edge.problemText == m_edge.problemText)
        return;
    m_edge = edge;
    refreshBounds();
    update();
}

void EdgeItem::setEnds(const QPointF& from, const QPointF& to, const QRectF& fromBlock, const QRectF& toBlock) {
    if (from == m_from && to == m_to && fromBlock == m_fromBlock && toBlock == m_toBlock && !m_path.isEmpty())
        return;
    m_from = from;
    m_to = to;
    m_fromBlock = fromBlock;
    m_toBlock = toBlock;
    m_path = wirePath(from, to);
    refreshBounds();
}

void EdgeItem::refreshBounds() {
    prepareGeometryChange();
    constexpr double kPen = 4;
    m_bounds = m_path.controlPointRect().adjusted(-kPen, -kPen, kPen, kPen);
    m_labelRect = placeOfLabel();
    if (!m_labelRect.isEmpty())
        m_bounds |= m_labelRect.adjusted(-1, -1, 1, 1);
}

QRectF EdgeItem::placeOfLabel() const {
    if (m_edge.label.isEmpty() || m_edge.problem)
        return {};
    const QFontMetricsF metrics(m_scene.monoFont);
    const QSizeF size(std::ceil(metrics.horizontalAdvance(m_edge.label)) + 6, std::ceil(metrics.height()));
    const auto around = [&size](const QPointF& middle) {
        return QRectF(middle - QPointF(size.width() / 2, size.height() / 2), size);
    };
    const auto free = [this](const QRectF& place) {
        const QRectF wide = place.adjusted(-space::kTiny, 0, space::kTiny, 0);
        return !wide.intersects(m_fromBlock) && !wide.intersects(m_toBlock);
    };
    QRectF place = around((m_from + m_to) / 2);
    if (m_path.elementCount() == 4 && m_to.x() - m_from.x() > m_fromBlock.width() + size.width()) {
        // A long wire passes other blocks; before the first of them it is free.
        const double wanted = m_from.x() + space::kSmall + size.width() / 2;
        double low = 0, high = 1;
        for (int i = 0; i < 12; ++i)
            ((m_path.pointAtPercent((low + high) / 2).x() < wanted) ? low : high) = (low + high) / 2;
        place = around({wanted, m_path.pointAtPercent(low).y()});
    }
    if (!free(place))
        place.moveCenter(
            {(m_from.x() + m_to.x()) / 2, std::min(m_fromBlock.top(), m_toBlock.top()) - size.height() / 2 - 2});
    return place;
}

QFont wireLabelFont() {
    QFont font = Theme::instance().monoFont();
    font.setPointSizeF(8.5);
    return font;
}

void EdgeItem::setDropTarget(bool on) {
    if (m_dropTarget == on)
        return;
    m_dropTarget = on;
    update();
}

bool EdgeItem::isNear(const QPointF& position, double distance) const {
    if (!m_path.controlPointRect().adjusted(-distance, -distance, distance, distance).contains(position))
        return false;
    QPointF before = m_from;
    const auto passes = [&](const QPointF& now) {
        const QPointF along = now - before;
        const double square = QPointF::dotProduct(along, along);
        const double share =
            square > 0 ? std::clamp(QPointF::dotProduct(position - before, along) / square, 0.0, 1.0) : 0;
        const QPointF off = position - (before + share * along);
        before = now;
        return std::hypot(off.x(), off.y()) <= distance;
    };
    if (m_path.elementCount() != 4) {  // it changes the row
        const QPolygonF corners = m_path.toSubpathPolygons().value(0);
        return std::any_of(corners.begin(), corners.end(), passes);
    }
    constexpr int kParts = 24;
    for (int i = 1; i <= kParts; ++i) {
        // The curve itself, since pointAtPercent walks its length each time.
        const double t = static_cast<double>(i) / kParts, u = 1 - t;
        const QPointF c1 = m_path.elementAt(1), c2 = m_path.elementAt(2);
        if (passes(u * u * u * m_from + 3 * u * u * t * c1 + 3 * u * t * t * c2 + t * t * t * m_to))
            return true;
    }
    return false;
}

QPainterPath EdgeItem::shape() const {
    QPainterPathStroker stroker;
    stroker.setWidth(2 * kPortReach);
    return stroker.createStroke(m_path);
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    const double zoom = option->levelOfDetailFromTransform(painter->worldTransform());
    const bool lit = isSelected() || m_dropTarget;
    const QColor color = lit ? colors.accent : m_edge.problem ? colors.critical : plainColors().wire;
    if (zoom < kPlainZoom) {
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->setPen(QPen(color, 0));
        painter->drawLine(m_from, m_to);
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing);
    QPen pen(color, lit ? 2.5 : 1.5);
    if (m_edge.problem)
        pen.setStyle(Qt::DashLine);
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(m_path);
    if (zoom < kDetailZoom)
        return;
    const QPointF middle = (m_from + m_to) / 2;
    if (m_edge.problem) {
        const QRectF place(middle.x() - 8, middle.y() - 8, 16, 16);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colors.background);
        painter->drawEllipse(place.adjusted(-1, -1, 1, 1));
        paintIcon(*painter, QStringLiteral("critical"), place, colors.critical);
        return;
    }
    if (m_labelRect.isEmpty())
        return;
    painter->setFont(m_scene.monoFont);
    painter->fillRect(m_labelRect, colors.background);
    painter->setPen(colors.muted);
    painter->drawText(m_labelRect, Qt::AlignCenter, m_edge.label);
}

}  // namespace plumbline::widgets
