// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bar_chart.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/axis_ticks.h"
#include "widgets/theme.h"

namespace plumbline::widgets {

namespace {
constexpr int kTickCount = 4;
constexpr int kSwatchRoom = 14;       ///< a square of 10 and its distance to the name
constexpr double kGroupShare = 0.76;  ///< of a label's room that its bars take
}  // namespace

BarChart::BarChart(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void BarChart::setTitle(const QString& title) {
    m_title = title;
    describe();
}

void BarChart::setUnit(const QString& unit) {
    m_unit = unit;
    describe();
}

void BarChart::setEmptyText(const QString& text) {
    m_emptyText = text;
    describe();
}

void BarChart::setBars(const QStringList& labels, const std::vector<BarSeries>& series) {
    m_histogram = false;
    m_labels = labels;
    m_series = series;
    m_current = std::min(m_current, static_cast<int>(labels.size()) - 1);
    describe();
}

void BarChart::setHistogram(double lower, double upper, const std::vector<double>& counts) {
    setHistogram(lower, upper, std::vector{BarSeries{{}, counts, 0}});
}

void BarChart::setHistogram(double lower, double upper, const std::vector<BarSeries>& series) {
    const std::size_t bins = series.empty() ? 0 : series.front().values.size();
    m_histogram = true;
    m_lower = lower;
    m_upper = upper;
    m_labels.clear();
    const double width = bins == 0 ? 0 : (upper - lower) / static_cast<double>(bins);
    for (std::size_t i = 0; i < bins; ++i)
        m_labels.append(tr("%1 to %2")
                            .arg(shortNumber(lower + width * static_cast<double>(i)),
                                 shortNumber(lower + width * static_cast<double>(i + 1))));
    m_series = series;
    m_current = std::min(m_current, static_cast<int>(m_labels.size()) - 1);
    describe();
}

void BarChart::clear() {
    m_labels.clear();
    m_series.clear();
    m_current = -1;
    describe();
}

QString BarChart::barText(int index) const {
    if (index < 0 || index >= m_labels.size())
        return {};
    QStringList parts;
    for (const BarSeries& series : m_series) {
        const double value =
            index < static_cast<int>(series.values.size()) ? series.values[static_cast<std::size_t>(index)] : NAN;
        if (std::isnan(value))
            continue;
        const QString number = m_unit.isEmpty() ? shortNumber(value) : shortNumber(value) + QLatin1Char(' ') + m_unit;
        parts.append(series.name.isEmpty() ? number : series.name + QLatin1Char(' ') + number);
    }
    return m_labels[index] + QStringLiteral(": ") +
           (parts.isEmpty() ? tr("no value") : parts.join(QStringLiteral(", ")));
}

QString BarChart::toTsv() const {
    QStringList lines, cells{m_histogram ? tr("bin") : tr("label")};
    for (const BarSeries& series : m_series)
        cells.append(series.name.isEmpty() ? (m_unit.isEmpty() ? tr("value") : m_unit) : series.name);
    lines.append(cells.join(QLatin1Char('\t')));
    for (int i = 0; i < m_labels.size(); ++i) {
        cells = {m_labels[i]};
        for (const BarSeries& series : m_series)
            cells.append(i < static_cast<int>(series.values.size())
                             ? QString::number(series.values[static_cast<std::size_t>(i)], 'g', 17)
                             : QString());
        lines.append(cells.join(QLatin1Char('\t')));
    }
    return lines.join(QLatin1Char('\n'));
}

void BarChart::describe() {
    setAccessibleName(m_title.isEmpty() ? tr("Bar chart") : m_title);
    QStringList texts;
    constexpr int kDescribed = 40;
    for (int i = 0; i < std::min<int>(kDescribed, static_cast<int>(m_labels.size())); ++i)
        texts.append(barText(i));
    if (m_labels.size() > kDescribed)
        texts.append(tr("and %n more", nullptr, static_cast<int>(m_labels.size()) - kDescribed));
    setAccessibleDescription(texts.isEmpty() ? m_emptyText : texts.join(QStringLiteral("; ")));
    update();
}

QSize BarChart::sizeHint() const {
    return {320, 180};
}
QSize BarChart::minimumSizeHint() const {
    return {160, 100};
}

double BarChart::topValue() const {
    double top = 0;
    for (const BarSeries& series : m_series)
        for (const double value : series.values)
            if (std::isfinite(value))
                top = std::max(top, value);
    return top > 0 ? top * 1.08 : 1;
}

QString BarChart::titleText() const {
    return m_unit.isEmpty() || m_title.isEmpty() ? m_title : tr("%1 (%2)").arg(m_title, m_unit);
}

std::vector<QRect> BarChart::legendPlaces() const {
    if (m_series.size() < 2)
        return {};
    const QFontMetrics small(Theme::instance().smallFont());
    std::vector<int> widths;
    int all = -space::kMedium;
    for (const BarSeries& series : m_series) {
        widths.push_back(kSwatchRoom + small.horizontalAdvance(series.name) +
                         1);  // a fraction more than told, or it is cut
        all += widths.back() + space::kMedium;
    }
    const int title = m_title.isEmpty()
                          ? 0
                          : QFontMetrics(Theme::instance().titleFont()).horizontalAdvance(titleText()) + space::kLarge;
    const bool beside = title + all <= width();
    std::vector<QRect> places;
    int x = beside ? width() - all : 0;
    int y = beside ? std::max(0, (titleHeight() - small.height()) / 2)
                   : titleHeight() + (m_title.isEmpty() ? 0 : int(space::kTiny));
    for (const int wanted : widths) {
        if (x > 0 && x + wanted > width()) {  // the next line
            x = 0;
            y += small.height();
        }
        places.emplace_back(x, y, std::min(wanted, width()), small.height());
        x += wanted + space::kMedium;
    }
    return places;
}

int BarChart::titleHeight() const {
    return m_title.isEmpty() ? 0 : QFontMetrics(Theme::instance().titleFont()).height();
}

QRectF BarChart::plotRect() const {
    const QFontMetrics small(Theme::instance().smallFont());
    const int left = small.horizontalAdvance(shortNumber(topValue())) + space::kMedium;
    const std::vector<QRect> legend = legendPlaces();
    const int top = std::max(titleHeight(), legend.empty() ? 0 : legend.back().bottom() + 1) + space::kSmall;
    return QRectF(rect()).adjusted(left, top, -space::kSmall, -(small.height() + space::kSmall));
}

int BarChart::barAt(const QPointF& position) const {
    const QRectF area = plotRect();
    if (m_labels.isEmpty() || !area.adjusted(0, 0, 0, space::kHuge).contains(position))
        return -1;
    return std::min(
        static_cast<int>((position.x() - area.left()) / area.width() * static_cast<double>(m_labels.size())),
        static_cast<int>(m_labels.size()) - 1);
}

std::vector<double> BarChart::ticks() const {
    const double height = plotRect().height(), top = topValue();
    const int least = QFontMetrics(Theme::instance().smallFont()).height();
    for (int count = kTickCount; count > 0; --count) {
        const std::vector<double> ticks = roundTicks(0, top, count);
        if (ticks.size() >= 2 && height * (ticks[1] - ticks[0]) / top >= least)
            return ticks;
    }
    return {0};
}

void BarChart::setCurrent(int index) {
    if (m_current == index)
        return;
    m_current = index;
    update();
}

void BarChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    const QFont small = Theme::instance().smallFont();
    const QFontMetrics smallMetrics(small);
    if (!m_title.isEmpty()) {
        painter.setFont(Theme::instance().titleFont());
        painter.setPen(colors.text);
        painter.drawText(QRect(0, 0, width(), titleHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(titleText(), Qt::ElideRight, width()));
    }
    if (m_labels.isEmpty()) {
        painter.setFont(font());
        painter.setPen(colors.muted);
        painter.drawText(rect().adjusted(space::kLarge, 0, -space::kLarge, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         m_emptyText);
        return;
    }

    const QRectF area = plotRect();
    const double top = topValue();
    painter.setFont(small);
    for (const double tick : ticks()) {
        const double y = std::round(area.bottom() - area.height() * tick / top) + 0.5;
        painter.setPen(tick == 0 ? colors.border : colors.gridLine);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(colors.muted);
        painter.drawText(QRectF(0, y - smallMetrics.height() / 2.0, area.left() - space::kTiny, smallMetrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, shortNumber(tick));
    }

    const double room = area.width() / static_cast<double>(m_labels.size());
    const double share = m_histogram ? 1.0 : kGroupShare;
    const double barWidth = room * share / static_cast<double>(std::max<std::size_t>(1, m_series.size()));
    for (std::size_t s = 0; s < m_series.size(); ++s) {
        const QColor color = Theme::instance().curveColor(m_series[s].curve);
        for (std::size_t i = 0; i < m_series[s].values.size() && i < static_cast<std::size_t>(m_labels.size()); ++i) {
            const double value = m_series[s].values[i];
            if (!std::isfinite(value) || value <= 0)
                continue;
            const double x =
                area.left() + room * (static_cast<double>(i) + (1 - share) / 2) + barWidth * static_cast<double>(s);
            const double height = area.height() * value / top;
            QRectF bar(x, area.bottom() - height, barWidth, height);
            if (barWidth > 3)
                bar.adjust(0.5, 0, -0.5, 0);
            painter.fillRect(bar, static_cast<int>(i) == m_current ? mixed(color, colors.text, 0.3) : color);
        }
    }

    painter.setPen(colors.muted);
    const QRectF labels(area.left(), area.bottom() + space::kTiny, area.width(), smallMetrics.height());
    if (m_histogram) {
        painter.drawText(labels, Qt::AlignLeft, shortNumber(m_lower));
        painter.drawText(labels, Qt::AlignRight, shortNumber(m_upper));
    } else {
        int widest = 1;
        for (const QString& label : m_labels)
            widest = std::max(widest, smallMetrics.horizontalAdvance(label));
        const int stride = std::max(1, static_cast<int>(std::ceil((std::min(widest, 90) + space::kTiny) / room)));
        for (int i = 0; i < m_labels.size(); i += stride) {
            const double roomHere = room * stride;
            const QRectF place(area.left() + room * (i + 0.5) - roomHere / 2, labels.top(), roomHere, labels.height());
            painter.drawText(place, Qt::AlignCenter,
                             smallMetrics.elidedText(m_labels[i], Qt::ElideRight, static_cast<int>(roomHere)));
        }
    }
    if (hasFocus() && m_current >= 0) {
        painter.setPen(QPen(colors.accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(area.left() + room * m_current, area.top(), room, area.height()));
    }
    // Names beside the title, or below it, since a colour alone says nothing.
    const std::vector<QRect> legend = legendPlaces();
    for (std::size_t i = 0; i < legend.size(); ++i) {
        painter.fillRect(QRectF(legend[i].left(), legend[i].center().y() - 4, 10, 10),
                         Theme::instance().curveColor(m_series[i].curve));
        const QRect name = legend[i].adjusted(kSwatchRoom, 0, 0, 0);
        painter.setPen(colors.text);
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                         smallMetrics.elidedText(m_series[i].name, Qt::ElideRight, name.width()));
    }
}

void BarChart::mouseMoveEvent(QMouseEvent* event) {
    const int bar = barAt(event->position());
    setCurrent(bar);
    if (bar >= 0)
        QToolTip::showText(event->globalPosition().toPoint(), barText(bar), this);
    else
        QToolTip::hideText();
}

void BarChart::mouseDoubleClickEvent(QMouseEvent* event) {
    const int bar = barAt(event->position());
    if (bar >= 0)
        Q_EMIT barActivated(bar);
}

void BarChart::leaveEvent(QEvent*) {
    if (!hasFocus())
        setCurrent(-1);
}

void BarChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    setCurrent(-1);
}

void BarChart::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_labels.size()) - 1;
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(toTsv());
        return;
    }
    switch (event->key()) {
        case Qt::Key_Left:
            setCurrent(std::max(0, m_current - 1));
            break;
        case Qt::Key_Right:
            setCurrent(std::min(last, m_current + 1));
            break;
        case Qt::Key_Home:
            setCurrent(last < 0 ? -1 : 0);
            break;
        case Qt::Key_End:
            setCurrent(last);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_current >= 0)
                Q_EMIT barActivated(m_current);
            break;
        default:
            QWidget::keyPressEvent(event);
            return;
    }
    if (m_current >= 0 && m_current <= last) {
        const QRectF area = plotRect();
        const double x = area.left() + area.width() * (m_current + 0.5) / (last + 1);
        QToolTip::showText(mapToGlobal(QPointF(x, area.center().y()).toPoint()), barText(m_current), this);
    }
}

}  // namespace plumbline::widgets
