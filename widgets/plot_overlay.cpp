// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_overlay.h"

#include <algorithm>
#include <cmath>

#include "widgets/plot_view.h"

namespace plumbline::widgets {

namespace {
constexpr int kMostRows = 12, kLeastRows = 3;
constexpr int kSampleWidth = 16;
}  // namespace

PlotOverlay::PlotOverlay(PlotView* view) : QWidget(view), m_view(view) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
}

void PlotOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    if (const auto band = m_view->rubberBand()) {
        QColor fill = colors.accent;
        fill.setAlphaF(0.12F);
        painter.setPen(colors.accent);
        painter.setBrush(fill);
        painter.drawRect(band->normalized());
        return;
    }
    const double cursor = m_view->cursor();
    if (std::isnan(cursor) || !m_view->content().hasData() || !m_view->xAxis->range().contains(cursor))
        return;
    const double pixel = m_view->xAxis->coordToPixel(cursor);
    const QRect area = m_view->axisArea();
    painter.setPen(QPen(colors.muted, 1));
    painter.drawLine(QPointF(std::round(pixel) + 0.5, area.top()), QPointF(std::round(pixel) + 0.5, area.bottom()));
    paintReadOut(painter, pixel);
}

void PlotOverlay::paintReadOut(QPainter& painter, double pixel) {
    const ThemeColors& colors = Theme::instance().colors();
    const QFont small = Theme::instance().smallFont();
    const QFontMetrics metrics(small);
    const QRect area = m_view->axisArea();
    painter.setRenderHint(QPainter::Antialiasing);

    struct Row {
        const PlotSeries* series;
        QString name, value;
    };
    std::vector<Row> rows;
    const int lineHeight = metrics.height() + 2;
    const int mostRows = std::clamp(area.height() / lineHeight - 3, kLeastRows, kMostRows);
    int nameWidth = 0, valueWidth = 0, hidden = 0;
    for (const auto& series : m_view->content().series) {
        if (!series->visible)
            continue;
        const QString value = m_view->valueAt(*series, m_view->cursor());
        if (value.isEmpty())
            continue;
        if (static_cast<int>(rows.size()) == mostRows) {
            ++hidden;
            continue;
        }
        const QString name = series->spec().name.isEmpty() ? series->spec().id : series->spec().name;
        rows.push_back({series.get(), name, value});
        nameWidth = std::max(nameWidth, metrics.horizontalAdvance(name));
        valueWidth = std::max(valueWidth, metrics.horizontalAdvance(value));
        // A dot where the cursor meets the curve.
        const std::size_t at = series->nearest(m_view->content().axis, m_view->cursor());
        const double y = series->shown().values[at];
        QCPAxis* axis = series->spec().side == PlotSide::Left ? m_view->yAxis : m_view->yAxis2;
        if (std::isfinite(y) && axis->range().contains(y)) {
            painter.setPen(QPen(colors.surface, 1.5));
            painter.setBrush(seriesColor(series->spec()));
            painter.drawEllipse(
                QPointF(m_view->xAxis->coordToPixel(series->x(m_view->content().axis)[at]), axis->coordToPixel(y)), 3.5,
                3.5);
        }
    }
    if (rows.empty())
        return;
    nameWidth = std::min(nameWidth, 160);
    const QString head = m_view->xText(m_view->cursor());
    const QString more = hidden > 0 ? PlotWidget::tr("and %n more", nullptr, hidden) : QString();
    const int width = std::max({kSampleWidth + space::kTiny + nameWidth + space::kMedium + valueWidth,
                                metrics.horizontalAdvance(head), metrics.horizontalAdvance(more)}) +
                      2 * space::kSmall;
    const int height = lineHeight * (static_cast<int>(rows.size()) + 1 + (hidden > 0 ? 1 : 0)) + 2 * space::kTiny;
    int x = static_cast<int>(pixel) + space::kMedium;
    if (x + width > area.right())
        x = static_cast<int>(pixel) - space::kMedium - width;
    x = std::max(x, 0);
    const int y = std::max(0, std::min(area.top() + space::kLarge + space::kTiny, this->height() - height));
    QColor panel = colors.raised;
    panel.setAlphaF(0.94F);
    painter.setPen(colors.border);
    painter.setBrush(panel);
    painter.drawRoundedRect(QRectF(x + 0.5, y + 0.5, width, height), kRadius, kRadius);

    painter.setFont(small);
    int line = y + space::kTiny;
    painter.setPen(colors.muted);
    painter.drawText(x + space::kSmall, line + metrics.ascent(), head);
    for (const Row& row : rows) {
        line += lineHeight;
        painter.setPen(samplePen(row.series->spec(), seriesColor(row.series->spec())));
        const int middle = line + lineHeight / 2;
        painter.drawLine(x + space::kSmall, middle, x + space::kSmall + kSampleWidth, middle);
        painter.setPen(colors.text);
        const int nameLeft = x + space::kSmall + kSampleWidth + space::kTiny;
        painter.drawText(nameLeft, line + metrics.ascent() + 1,
                         metrics.elidedText(row.name, Qt::ElideMiddle, nameWidth));
        painter.drawText(QRect(x, line, width - space::kSmall, lineHeight), Qt::AlignRight | Qt::AlignVCenter,
                         row.value);
    }
    if (hidden > 0) {
        painter.setPen(colors.muted);
        painter.drawText(x + space::kSmall, line + lineHeight + metrics.ascent(), more);
    }
}

}  // namespace plumbline::widgets
