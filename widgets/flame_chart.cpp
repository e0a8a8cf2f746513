// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/flame_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/theme.h"

namespace plumbline::widgets {

namespace {
constexpr double kGap = 1;      ///< between lanes, and at the end of a span that has room for it
constexpr double kFill = 0.35;  ///< of a curve's colour over the surface: text on it keeps its contrast
constexpr int kDescribed = 40;
constexpr int kLeastWidth = 240;
constexpr double kLeastDrawn = 1;  ///< pixels
}  // namespace

FlameChart::FlameChart(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void FlameChart::setSpans(std::vector<FlameSpan> spans, double total) {
    m_spans = std::move(spans);
    m_total = total > 0 ? total : 1;
    m_current = -1;
    updateGeometry();
    describe();
}

void FlameChart::setEmptyText(const QString& text) {
    m_emptyText = text;
    describe();
}

void FlameChart::describe() {
    QStringList texts;
    for (std::size_t i = 0; i < std::min<std::size_t>(kDescribed, m_spans.size()); ++i)
        texts.append(m_spans[i].detail);
    if (m_spans.size() > kDescribed)
        texts.append(tr("and %n more", nullptr, static_cast<int>(m_spans.size()) - kDescribed));
    setAccessibleDescription(texts.isEmpty() ? m_emptyText : texts.join(QStringLiteral("; ")));
    update();
}

int FlameChart::laneCount() const {
    int lanes = 0;
    for (const FlameSpan& span : m_spans)
        lanes = std::max(lanes, span.lane + 1);
    return std::max(1, lanes);
}

int FlameChart::laneHeight() const {
    return QFontMetrics(Theme::instance().smallFont()).height() + space::kSmall;
}

QSize FlameChart::sizeHint() const {
    return {2 * kLeastWidth, laneCount() * laneHeight() + 2};
}
QSize FlameChart::minimumSizeHint() const {
    return {kLeastWidth, laneCount() * laneHeight() + 2};
}

QRectF FlameChart::spanRect(int index) const {
    const FlameSpan& span = m_spans[static_cast<std::size_t>(index)];
    const double scale = (width() - 2) / m_total;
    const double left = 1 + std::clamp(span.start, 0.0, m_total) * scale;
    const double right = 1 + std::clamp(span.start + span.length, 0.0, m_total) * scale;
    return {left, 1.0 + span.lane * laneHeight(), right - left, laneHeight() - kGap};
}

int FlameChart::spanAt(const QPointF& position) const {
    for (std::size_t i = 0; i < m_spans.size(); ++i) {
        if (spanRect(static_cast<int>(i)).contains(position))
            return static_cast<int>(i);
    }
    return -1;
}

void FlameChart::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.surface);
    painter.setFont(theme.smallFont());
    if (m_spans.empty()) {
        painter.setPen(colors.muted);
        painter.drawText(rect(), Qt::AlignCenter, m_emptyText);
    }
    const QFontMetrics metrics(theme.smallFont());
    for (std::size_t i = 0; i < m_spans.size(); ++i) {
        const FlameSpan& span = m_spans[i];
        QRectF place = spanRect(static_cast<int>(i));
        if (place.width() < kLeastDrawn)
            continue;
        place.setWidth(std::max(kLeastDrawn, place.width() - kGap));
        const QColor color = theme.curveColor(span.curve);
        painter.fillRect(place, mixed(colors.surface, color, kFill));
        // The edge tells neighbours of one colour apart.
        painter.fillRect(
            QRectF(place.left(), place.top(), std::min<double>(kCategoryEdge, place.width()), place.height()), color);
        const QRectF inside = place.adjusted(kCategoryEdge + space::kTiny, 0, -space::kTiny, 0);
        const QString shown = metrics.elidedText(span.name, Qt::ElideRight, static_cast<int>(inside.width()));
        if (shown.size() > 2 || shown == span.name) {  // one letter and "…" say nothing
            painter.setPen(colors.text);
            painter.drawText(inside, Qt::AlignVCenter | Qt::AlignLeft, shown);
        }
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(hasFocus() && m_current < 0 ? colors.accent : colors.border);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    if (m_current >= 0) {
        painter.setPen(QPen(hasFocus() ? colors.accent : colors.muted, 2));
        const QRectF place = spanRect(m_current);
        painter.drawRect(QRectF(place.left(), place.top(), std::max(2.0, place.width() - kGap), place.height() - 1));
    }
}

void FlameChart::setCurrent(int index, bool tell) {
    if (index != m_current) {
        m_current = index;
        update();
    }
    if (index < 0 || !tell)
        return;
    const QRectF place = spanRect(index);
    QToolTip::showText(mapToGlobal(QPointF(place.center().x(), place.bottom()).toPoint()),
                       m_spans[static_cast<std::size_t>(index)].detail, this);
}

void FlameChart::activate(int index) {
    if (index >= 0 && !m_spans[static_cast<std::size_t>(index)].id.isEmpty())
        Q_EMIT spanActivated(m_spans[static_cast<std::size_t>(index)].id);
}

int FlameChart::neighbour(int index, int along, int lanes) const {
    const FlameSpan& from = m_spans[static_cast<std::size_t>(index)];
    const double middle = from.start + from.length / 2;
    int best = index;
    double distance = INFINITY;
    for (std::size_t i = 0; i < m_spans.size(); ++i) {
        const FlameSpan& span = m_spans[i];
        if (static_cast<int>(i) == index || span.lane != from.lane + lanes)
            continue;
        if (along != 0) {  // those of no length as well: by their place in the list where they begin at one point
            const bool later = span.start > from.start || (span.start == from.start && static_cast<int>(i) > index);
            if (later != (along > 0))
                continue;
        }
        const double away = along != 0 ? std::abs(span.start - from.start)
                                       : std::max({0.0, span.start - middle, middle - span.start - span.length});
        if (away < distance || (away == distance && along < 0)) {
            best = static_cast<int>(i);
            distance = away;
        }
    }
    return best;
}

void FlameChart::keyPressEvent(QKeyEvent* event) {
    const bool known = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right || event->key() == Qt::Key_Up ||
                       event->key() == Qt::Key_Down;
    if (m_spans.empty() || (!known && event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (!known) {
        if (m_current < 0)
            QWidget::keyPressEvent(event);
        else
            activate(m_current);
        return;
    }
    if (m_current < 0) {
        setCurrent(0, true);
        return;
    }
    switch (event->key()) {
        case Qt::Key_Left:
            setCurrent(neighbour(m_current, -1, 0), true);
            break;
        case Qt::Key_Right:
            setCurrent(neighbour(m_current, 1, 0), true);
            break;
        case Qt::Key_Up:
            setCurrent(neighbour(m_current, 0, -1), true);
            break;
        default:
            setCurrent(neighbour(m_current, 0, 1), true);
            break;
    }
}

void FlameChart::mouseMoveEvent(QMouseEvent* event) {
    const int at = spanAt(event->position());
    if (at >= 0)
        QToolTip::showText(event->globalPosition().toPoint(), m_spans[static_cast<std::size_t>(at)].detail, this);
    else
        QToolTip::hideText();
}

void FlameChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    setCurrent(spanAt(event->position()), false);
    activate(m_current);
}

void FlameChart::leaveEvent(QEvent* event) {
    QToolTip::hideText();
    QWidget::leaveEvent(event);
}

void FlameChart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void FlameChart::focusOutEvent(QFocusEvent* event) {
    QToolTip::hideText();
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace plumbline::widgets
