// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scale_bar.h"

#include <QEvent>
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>

#include "widgets/theme.h"

namespace plumbline::widgets {

namespace {
constexpr int kBarHeight = 8;
constexpr int kLeastBar = 140;
constexpr int kStops = 16;
}  // namespace

ScaleBar::ScaleBar(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFont(Theme::instance().smallFont());
    parent->installEventFilter(this);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void ScaleBar::setScale(const QString& caption, const QString& low, const QString& high) {
    if (caption == m_caption && low == m_low && high == m_high)
        return;
    m_caption = caption;
    m_low = low;
    m_high = high;
    setAccessibleName(caption.isEmpty() ? QString() : tr("%1, from %2 to %3").arg(caption, low, high));
    place();
    setVisible(!caption.isEmpty());
    update();
}

void ScaleBar::setLook(Look look) {
    if (look == m_look)
        return;
    m_look = look;
    update();
}

QSize ScaleBar::sizeHint() const {
    const QFontMetrics metrics = fontMetrics();
    const int ends = metrics.horizontalAdvance(m_low) + metrics.horizontalAdvance(m_high) + space::kLarge;
    const int width = std::max({kLeastBar, ends, metrics.horizontalAdvance(m_caption)});
    return {width + 2 * space::kSmall, 2 * metrics.height() + kBarHeight + 2 * space::kTiny + 2 * space::kSmall};
}

void ScaleBar::place() {
    resize(sizeHint());
    move(space::kMedium, parentWidget()->height() - height() - space::kMedium);
}

bool ScaleBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

void ScaleBar::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colors.border);
    painter.setBrush(colors.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    const QRect inside = rect().adjusted(space::kSmall, space::kSmall, -space::kSmall, -space::kSmall);
    const int line = fontMetrics().height();
    painter.setPen(colors.text);
    painter.drawText(QRect(inside.left(), inside.top(), inside.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     m_caption);
    const QRectF bar(inside.left(), inside.top() + line + space::kTiny, inside.width(), kBarHeight);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= kStops; ++i) {
        const double t = static_cast<double>(i) / kStops;
        gradient.setColorAt(t,
                            m_look == Look::Ramp ? rampColor(t) : mixed(colors.raised, colors.accent, 0.1 + 0.6 * t));
    }
    painter.setPen(colors.border);
    painter.setBrush(gradient);
    painter.drawRect(bar);
    painter.setPen(colors.muted);
    const QRect ends(inside.left(), static_cast<int>(bar.bottom()) + space::kTiny, inside.width(), line);
    painter.drawText(ends, Qt::AlignLeft | Qt::AlignVCenter, m_low);
    painter.drawText(ends, Qt::AlignRight | Qt::AlignVCenter, m_high);
}

}  // namespace plumbline::widgets
