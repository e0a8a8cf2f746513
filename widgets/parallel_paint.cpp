// SPDX-License-Identifier: GPL-3.0-or-later
// How the parallel plot is drawn: lines into pictures that are kept, axes and what is marked over them.
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/axis_ticks.h"
#include "widgets/icons.h"
#include "widgets/line_layer.h"
#include "widgets/parallel_plot_private.h"
#include "widgets/theme.h"

namespace plumbline::widgets {

namespace {

constexpr int kMostSmooth = 20'000;  ///< points past which lines are one pixel wide and not smoothed
constexpr double kFaded = 0.14;      ///< of lines outside the ranges
constexpr double kSmooth = 1.6, kThick = 2.4, kEdge = 1.5;
constexpr auto kBudget = std::chrono::milliseconds(12);
constexpr double kRampWidth = 5, kMarkWidth = 12;
constexpr double kTickApart = 2;  ///< least distance of two labels, in heights of one
constexpr int kMostTicks = 7;
constexpr double kTickRoom = 72;  ///< right of the last axis, at most
constexpr double kDot = 3;
constexpr double kOpaque =
    120;  ///< lines that cover each other; of more each is fainter, so that where many run is darker
constexpr double kLeastOpaque = 0.06;

QString elided(const QFontMetrics& metrics, const QString& text, double room) {
    return metrics.elidedText(text, Qt::ElideMiddle, static_cast<int>(room));
}

double strengthOf(int lines) {
    return std::clamp(std::pow(kOpaque / std::max(1, lines), 0.75), kLeastOpaque, 1.0);
}

}  // namespace

QRectF ParallelPlot::area() const {
    if (m_area)
        return *m_area;
    const QFontMetrics small(Theme::instance().smallFont());
    double right = space::kHuge;
    if (axisCount() > 0) {
        const ParallelAxis& last = m_content.axes.back();
        for (const double value : {last.low, last.high})
            right = std::max(right, small.horizontalAdvance(shortNumber(value)) + space::kMedium + kRampWidth);
    }
    const double left = space::kHuge + space::kSmall, top = small.height() + space::kMedium + space::kTiny;
    m_area = QRectF(left, top, std::max(1.0, width() - left - std::min(right, kTickRoom)),
                    std::max(1.0, height() - top - space::kMedium));
    return *m_area;
}

double ParallelPlot::axisX(int axis) const {
    const QRectF at = area();
    return axisCount() < 2 ? at.left() : at.left() + at.width() * axis / (axisCount() - 1);
}

double ParallelPlot::yOf(int, double share) const {
    const QRectF at = area();
    return at.bottom() - at.height() * share;
}

double ParallelPlot::shareAt(double y) const {
    const QRectF at = area();
    return std::clamp((at.bottom() - y) / at.height(), 0.0, 1.0);
}

bool ParallelPlot::isDense() const {
    return lineCount() * axisCount() > kMostSmooth;
}

QList<QPolygonF> ParallelPlot::pathOf(int line) const {
    QList<QPolygonF> parts(1);
    const QRectF at = area();
    for (int axis = 0; axis < axisCount(); ++axis) {
        const double share = shareOf(line, axis);
        if (!std::isnan(share)) {
            parts.last() << QPointF(axisCount() < 2 ? at.left() : at.left() + at.width() * axis / (axisCount() - 1),
                                    at.bottom() - at.height() * share);
        } else if (!parts.last().isEmpty()) {
            parts.append(QPolygonF());
        }
    }
    return parts;
}

void ParallelPlot::paintLine(QPainter& painter, int line, double strength) const {
    const bool dense = isDense(), valued = !std::isnan(shareOf(line, axisCount() - 1));
    painter.setRenderHint(QPainter::Antialiasing, !dense);
    QColor color = lineColor(line);
    color.setAlphaF(static_cast<float>(strength));
    QPen pen(color, dense ? 1.0 : kSmooth);
    if (!valued && !dense)
        pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    for (const QPolygonF& part : pathOf(line))
        part.size() == 1 ? painter.drawPoint(part.first()) : painter.drawPolyline(part);
}

void ParallelPlot::paintMarked(QPainter& painter, int line, double width, const QColor& edge) const {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QPolygonF& part : pathOf(line)) {
        painter.setPen(QPen(edge, width + 2 * kEdge, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(part);
        painter.setPen(QPen(lineColor(line), width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(part);
        painter.setPen(Qt::NoPen);
        painter.setBrush(lineColor(line));
        for (const QPointF& point : part)
            painter.drawEllipse(point, kDot, kDot);
        painter.setBrush(Qt::NoBrush);
    }
}

void ParallelPlot::paintBest(QPainter& painter) const {
    const double share =
        m_content.best < 0 ? std::numeric_limits<double>::quiet_NaN() : shareOf(m_content.best, axisCount() - 1);
    if (std::isnan(share))
        return;
    if (m_kept[static_cast<std::size_t>(m_content.best)])
        paintMarked(painter, m_content.best, kThick, Theme::instance().colors().text);
    // Told by a shape as well as by its colour.
    const QPointF end(axisX(axisCount() - 1) - kRampWidth - kIconSize - space::kTiny,
                      yOf(axisCount() - 1, share) - kIconSize / 2.0);
    const QRect place(end.toPoint(), QSize(kIconSize, kIconSize));
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().colors().surface);
    painter.drawEllipse(place.adjusted(-1, -1, 1, 1));
    painter.setBrush(Qt::NoBrush);
    severityIcon(Severity::Good).paint(&painter, place);
}

void ParallelPlot::paintTicks(QPainter& painter, int axis) const {
    const ThemeColors& colors = Theme::instance().colors();
    const ParallelAxis& at = m_content.axes[static_cast<std::size_t>(axis)];
    const QFontMetrics metrics(painter.font());
    const bool last = axis == axisCount() - 1;
    const double x = axisX(axis), height = metrics.height(), apart = height * kTickApart;
    const double room = (last ? width() - x : axisX(axis + 1) - x) - space::kMedium;
    const int most = std::clamp(static_cast<int>(area().height() / apart), 2, kMostTicks);
    std::vector<double> ticks = at.ticks;
    for (int word = 0; word < at.words.size(); ++word)
        ticks.push_back(word);
    if (ticks.empty())
        ticks = !(at.high > at.low) ? std::vector{at.low}
                : at.logarithmic    ? logTicks(at.low, at.high, most, apart / area().height())
                                    : roundTicks(at.low, at.high, most);
    double above = height * 1000;
    for (const double tick : ticks) {
        const double y = yOf(axis, axisShare(at, tick));
        painter.setPen(colors.muted);
        painter.drawLine(QPointF(x, y), QPointF(x + space::kTiny, y));
        if (std::fabs(above - y) < height)
            continue;  // no room between two labels
        above = y;
        const QString label = elided(metrics, valueText(axis, tick), room);
        const QRectF place(x + space::kTiny + (last ? kRampWidth : 2), y - height / 2,
                           metrics.horizontalAdvance(label) + 2, height);
        QColor ground = colors.surface;
        ground.setAlphaF(0.78F);
        painter.fillRect(place.adjusted(-1, 1, 1, -1), ground);
        painter.setPen(colors.text);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, label);
    }
}

void ParallelPlot::paintRange(QPainter& painter, int axis) const {
    const ThemeColors& colors = Theme::instance().colors();
    const Range marked = *range(axis);
    QRectF place(axisX(axis) - kMarkWidth / 2, yOf(axis, marked.second), kMarkWidth,
                 yOf(axis, marked.first) - yOf(axis, marked.second));
    if (place.height() < 3)
        place.adjust(0, -1.5, 0, 1.5);
    QColor fill = colors.accent;
    fill.setAlphaF(0.28F);
    painter.setPen(QPen(colors.accent, 1.5));
    painter.setBrush(fill);
    painter.drawRoundedRect(place, 2, 2);
    painter.setBrush(Qt::NoBrush);
}

void ParallelPlot::paintAxes(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF at = area();
    const bool dark = Theme::instance().isDark();
    painter.setRenderHint(QPainter::Antialiasing);
    for (int axis = 0; axis < axisCount(); ++axis) {
        const double x = axisX(axis);
        const bool last = axis == axisCount() - 1;
        if (last) {  // the axis is the scale of the colours
            QLinearGradient ramp(0, at.bottom(), 0, at.top());
            for (int stop = 0; stop <= 16; ++stop)
                ramp.setColorAt(stop / 16.0, rankColor(m_content.isMoreBetter ? 1 - stop / 16.0 : stop / 16.0, dark));
            painter.fillRect(QRectF(x - kRampWidth / 2, at.top(), kRampWidth, at.height()), ramp);
        } else {
            painter.setPen(QPen(colors.muted, 1));
            painter.drawLine(QPointF(x, at.top()), QPointF(x, at.bottom()));
        }
        painter.setFont(Theme::instance().smallFont());
        paintTicks(painter, axis);
        if (range(axis))
            paintRange(painter, axis);
        // The name of an inner axis has the room up to both neighbours, the outer ones what is left of the widget.
        QFont font = Theme::instance().smallFont();
        font.setWeight(last || (hasFocus() && axis == m_axis) ? QFont::DemiBold : font.weight());
        painter.setFont(font);
        const QFontMetrics metrics(font);
        const ParallelAxis& of = m_content.axes[static_cast<std::size_t>(axis)];
        const double gap = axisCount() < 2 ? at.width() : at.width() / (axisCount() - 1);
        const double room = gap - space::kSmall;
        const bool isLong = metrics.horizontalAdvance(of.name) > room;
        const QString name = elided(metrics, isLong && !of.shortName.isEmpty() ? of.shortName : of.name, room);
        const double wide = metrics.horizontalAdvance(name) + 2;
        const double left =
            std::clamp(x - wide / 2, 1.0 * space::kTiny, std::max(1.0 * space::kTiny, width() - wide - space::kTiny));
        const QRectF head(left, space::kTiny, wide, metrics.height());
        painter.setPen(colors.text);
        painter.drawText(head, Qt::AlignCenter, name);
        if (hasFocus() && axis == m_axis) {
            painter.setPen(QPen(colors.accent, 1.5));
            painter.drawLine(QPointF(left, head.bottom() + 1), QPointF(left + wide, head.bottom() + 1));
        }
    }
}

void ParallelPlot::paintWhole(QPainter& painter) const {
    const bool ranged = hasRanges();
    painter.setOpacity(ranged ? kFaded : 1);
    for (const int line : m_ranked)
        paintLine(painter, line, strengthOf(lineCount()));
    painter.setOpacity(1);
    const double strength = strengthOf(keptCount());
    for (const int line : m_ranked)
        if (ranged && m_kept[static_cast<std::size_t>(line)])
            paintLine(painter, line, strength);
    paintBest(painter);
    for (const int line : selectedLines())
        paintMarked(painter, line, kThick, Theme::instance().colors().accent);
    paintAxes(painter);
}

std::vector<int> ParallelPlot::orderOf(const std::vector<char>* wanted) const {
    std::vector<int> order;
    order.reserve(m_ranked.size());
    for (const int line : m_ranked)
        if (wanted == nullptr || (*wanted)[static_cast<std::size_t>(line)])
            order.push_back(line);
    return order;
}

void ParallelPlot::restartKept(bool atOnce) {
    if (!hasRanges())
        m_keptLayer->clear();
    else if (atOnce || m_stale)  // lines that are being drawn may be there no more
        m_keptLayer->restart(size(), devicePixelRatioF(), orderOf(&m_kept));
    else
        m_keptLayer->restartNext(size(), devicePixelRatioF(), orderOf(&m_kept));
}

void ParallelPlot::restartSelected() {
    m_selectedLayer->restart(size(), devicePixelRatioF(), orderOf(&m_selected));
    if (m_selectedLayer->isEmpty())
        m_selectedLayer->clear();
}

void ParallelPlot::restartLayers() {
    m_allLayer->restart(size(), devicePixelRatioF(), m_ranked);
    restartKept(true);
    restartSelected();
    m_stale = false;
}

void ParallelPlot::advanceLayers() {
    if (m_stale) {  // their lines may be there no more; the next paint begins anew
        m_pieces.stop();
        update();
        return;
    }
    const auto drawAs = [this](double strength) {
        return [this, strength](QPainter& painter, int line) { paintLine(painter, line, strength); };
    };
    const auto drawMarked = [this](QPainter& painter, int line) {
        paintMarked(painter, line, kThick, Theme::instance().colors().accent);
    };
    if (!m_keptLayer->isDone())
        m_keptLayer->advance(kBudget, drawAs(strengthOf(keptCount())));
    else if (!m_selectedLayer->isDone())
        m_selectedLayer->advance(kBudget, drawMarked);
    else if (!m_allLayer->isDone())
        m_allLayer->advance(kBudget, drawAs(strengthOf(lineCount())));
    if (m_keptLayer->isDone() && m_selectedLayer->isDone() && m_allLayer->isDone())
        m_pieces.stop();
    update();
}

void ParallelPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(rect(), colors.surface);
    if (m_content.lines.empty() || m_content.axes.empty()) {
        painter.setPen(colors.muted);
        painter.drawText(rect().adjusted(space::kLarge, 0, -space::kLarge, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         m_emptyText);
        return;
    }
    if (m_stale || m_allLayer->image().size() != size() * devicePixelRatioF())
        restartLayers();
    if (!m_pieces.isActive() && !(m_keptLayer->isDone() && m_selectedLayer->isDone() && m_allLayer->isDone())) {
        m_pieces.start();
        advanceLayers();  // what is drawn at once does not flicker
    }
    if (hasRanges()) {
        painter.setOpacity(kFaded);
        painter.drawImage(0, 0, m_allLayer->image());
        painter.setOpacity(1);
        painter.drawImage(0, 0, m_keptLayer->image());
    } else {
        painter.drawImage(0, 0, m_allLayer->image());
    }
    paintBest(painter);
    if (!m_selectedLayer->isEmpty())
        painter.drawImage(0, 0, m_selectedLayer->image());
    if (m_hovered >= 0)
        paintMarked(painter, m_hovered, kThick, colors.surface);
    if (hasFocus() && m_line >= 0 && m_line != m_hovered)
        paintMarked(painter, m_line, kThick, colors.accent);
    paintAxes(painter);
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void ParallelPlot::resizeEvent(QResizeEvent* event) {
    m_stale = true;
    m_area.reset();
    QWidget::resizeEvent(event);
}

}  // namespace plumbline::widgets
