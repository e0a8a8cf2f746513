// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/number_tile.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/icons.h"

namespace plumbline::widgets {

namespace {
constexpr int kSparkHeight = 24;
constexpr int kValuePoints = 16;

QFont valueFont() {
    QFont font = Theme::instance().numberFont();
    font.setPointSize(kValuePoints);
    font.setWeight(QFont::DemiBold);
    return font;
}
}  // namespace

SparkLine::SparkLine(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void SparkLine::setCapacity(int capacity) {
    m_capacity = std::max(2, capacity);
    while (static_cast<int>(m_values.size()) > m_capacity)
        m_values.pop_front();
    update();
}

void SparkLine::setCurve(int curve) {
    m_curve = curve;
    update();
}

void SparkLine::append(double value) {
    m_values.push_back(value);
    if (static_cast<int>(m_values.size()) > m_capacity)
        m_values.pop_front();
    update();
}

void SparkLine::setValues(std::span<const double> values) {
    const std::size_t from = values.size() > static_cast<std::size_t>(m_capacity) ? values.size() - m_capacity : 0;
    m_values.assign(values.begin() + static_cast<std::ptrdiff_t>(from), values.end());
    update();
}

void SparkLine::clear() {
    m_values.clear();
    update();
}

QSize SparkLine::sizeHint() const {
    return {96, kSparkHeight};
}

void SparkLine::paintEvent(QPaintEvent*) {
    double least = INFINITY, largest = -INFINITY;
    for (const double value : m_values) {
        if (std::isfinite(value)) {
            least = std::min(least, value);
            largest = std::max(largest, value);
        }
    }
    if (least > largest || m_values.size() < 2)
        return;
    const double span = largest > least ? largest - least : 1.0;
    const QRectF area = QRectF(rect()).adjusted(1, 2, -1, -2);
    QPainterPath line;
    bool down = false;
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        if (!std::isfinite(m_values[i])) {
            down = false;
            continue;
        }
        const double x = area.left() + area.width() * static_cast<double>(i) / static_cast<double>(m_values.size() - 1);
        const double y =
            largest > least ? area.bottom() - area.height() * (m_values[i] - least) / span : area.center().y();
        down ? line.lineTo(x, y) : line.moveTo(x, y);
        down = true;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().curveColor(m_curve), 1.4));
    painter.drawPath(line);
}

NumberTile::NumberTile(const QString& caption, QWidget* parent) : QWidget(parent), m_spark(new SparkLine(this)) {
    m_spark->hide();
    setSizePolicy(QSizePolicy::MinimumExpanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    setCaption(caption);
}

void NumberTile::setCaption(const QString& caption) {
    m_caption = caption;
    describe();
}

void NumberTile::setValue(const QString& text, const QString& unit) {
    if (text == m_value && unit == m_unit)
        return;
    m_value = text;
    m_unit = unit;
    describe();
}

void NumberTile::setNote(const QString& note) {
    if (note == m_note)
        return;
    m_note = note;
    describe();
}

void NumberTile::setSeverity(Severity severity) {
    m_severity = severity;
    describe();
}

void NumberTile::appendHistory(double value) {
    m_spark->append(value);
    m_spark->show();
}

void NumberTile::clear() {
    m_spark->clear();
    m_spark->hide();
    m_value.clear();
    m_unit.clear();
    m_note.clear();
    m_severity = Severity::None;
    describe();
}

void NumberTile::describe() {
    QStringList parts{m_value.isEmpty() ? tr("no value") : (m_value + QLatin1Char(' ') + m_unit).trimmed()};
    if (!m_note.isEmpty())
        parts.append(m_note);
    if (m_severity != Severity::None)
        parts.append(severityName(m_severity));
    setAccessibleName(tr("%1: %2").arg(m_caption, parts.join(QStringLiteral(", "))));
    setToolTip(m_note);
    placeSpark();
    updateGeometry();
    update();
}

QSize NumberTile::sizeHint() const {
    const QFontMetrics value(valueFont());
    const QFontMetrics small(Theme::instance().smallFont());
    const int width = std::max({value.horizontalAdvance(m_value.isEmpty() ? QStringLiteral("—") : m_value) +
                                    space::kTiny + small.horizontalAdvance(m_unit),
                                small.horizontalAdvance(m_caption) + kIconSize, small.horizontalAdvance(m_note), 96});
    return {width + 2 * space::kMedium, 2 * space::kSmall + 2 * small.height() + value.height() + space::kTiny};
}

QSize NumberTile::minimumSizeHint() const {
    return {96, sizeHint().height()};
}

void NumberTile::resizeEvent(QResizeEvent*) {
    placeSpark();
}

void NumberTile::placeSpark() {
    // Right of the number, as wide as there is room; it gives way rather than cover a digit.
    const int number = QFontMetrics(valueFont()).horizontalAdvance(m_value) + space::kTiny +
                       QFontMetrics(Theme::instance().smallFont()).horizontalAdvance(m_unit);
    const int room = width() - 2 * space::kMedium - space::kSmall - number;
    const int sparkWidth = std::clamp(room, 0, std::min(width() / 3, 120));
    m_spark->setGeometry(width() - sparkWidth - space::kMedium, (height() - kSparkHeight) / 2, sparkWidth,
                         kSparkHeight);
}

void NumberTile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = Theme::instance().colors();
    painter.setPen(colors.border);
    painter.setBrush(colors.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);

    QRect area = rect().adjusted(space::kMedium, space::kSmall, -space::kMedium, -space::kSmall);
    const QFont small = Theme::instance().smallFont();
    const QFontMetrics smallMetrics(small);
    painter.setFont(small);
    painter.setPen(colors.muted);
    painter.drawText(QRect(area.left(), area.top(), area.width(), smallMetrics.height()), Qt::AlignLeft,
                     smallMetrics.elidedText(m_caption, Qt::ElideRight, area.width() - kIconSize));
    if (m_severity != Severity::None)
        paintIcon(painter, severityIconName(m_severity),
                  QRectF(area.right() - kIconSize + 1, area.top(), kIconSize, kIconSize),
                  Theme::instance().severityColor(m_severity));

    const QFontMetrics valueMetrics(valueFont());
    const int baseline = area.top() + smallMetrics.height() + space::kTiny / 2 + valueMetrics.ascent();
    const QString value = m_value.isEmpty() ? QStringLiteral("—") : m_value;
    painter.setFont(valueFont());
    painter.setPen(m_value.isEmpty() ? colors.muted : colors.text);
    painter.drawText(area.left(), baseline, value);
    painter.setFont(small);
    painter.setPen(colors.muted);
    const int unitLeft = area.left() + valueMetrics.horizontalAdvance(value) + space::kTiny;
    painter.drawText(unitLeft, baseline, smallMetrics.elidedText(m_unit, Qt::ElideRight, area.right() + 1 - unitLeft));
    painter.drawText(area.left(), area.bottom() - smallMetrics.descent() + 1,
                     smallMetrics.elidedText(m_note, Qt::ElideRight, area.width()));
}

}  // namespace plumbline::widgets
