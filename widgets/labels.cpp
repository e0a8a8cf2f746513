// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/labels.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "widgets/icons.h"

namespace plumbline::widgets {

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setText(text);
}

void ElidedLabel::setText(const QString& text) {
    m_text = text;
    setAccessibleName(text);
    setToolTip(text);
    updateGeometry();
    update();
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) {
    m_mode = mode;
    update();
}

void ElidedLabel::setMuted(bool muted) {
    m_muted = muted;
    update();
}

bool ElidedLabel::isElided() const {
    return fontMetrics().horizontalAdvance(m_text) > width();
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() + space::kTiny};
}

QSize ElidedLabel::minimumSizeHint() const {
    return {fontMetrics().horizontalAdvance(QStringLiteral("…")) * 3, fontMetrics().height() + space::kTiny};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(m_muted ? QPalette::PlaceholderText : QPalette::WindowText));
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, fontMetrics().elidedText(m_text, m_mode, width()));
}

StatusChip::StatusChip(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void StatusChip::setStatus(Severity severity, const QString& text) {
    if (m_severity == severity && m_text == text)
        return;
    m_severity = severity;
    m_text = text;
    // What is in order needs no word besides its own.
    setAccessibleName(severity < Severity::Warning ? text : tr("%1: %2").arg(severityName(severity), text));
    updateGeometry();
    update();
}

void StatusChip::setClickable(bool clickable) {
    m_clickable = clickable;
    setFocusPolicy(clickable ? Qt::StrongFocus : Qt::NoFocus);
    setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

QSize StatusChip::sizeHint() const {
    const int icon = m_severity == Severity::None ? 0 : kIconSize + space::kTiny;
    return {fontMetrics().horizontalAdvance(m_text) + icon + 2 * space::kSmall, fontMetrics().height() + space::kSmall};
}

void StatusChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = Theme::instance().severityColor(m_severity);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(hasFocus() ? QPen(colors.accent, 1.5) : QPen(mixed(colors.surface, color, 0.35)));
    painter.setBrush(mixed(colors.surface, color, m_severity == Severity::None ? 0.04 : 0.08));
    painter.drawRoundedRect(frame, kRadius, kRadius);
    int x = space::kSmall;
    if (m_severity != Severity::None) {
        const QRectF place(x, (height() - kIconSize) / 2.0, kIconSize, kIconSize);
        paintIcon(painter, severityIconName(m_severity), place, color);
        x += kIconSize + space::kTiny;
    }
    painter.setPen(colors.text);
    painter.drawText(rect().adjusted(x, 0, -space::kTiny, 0), Qt::AlignVCenter | Qt::AlignLeft, m_text);
}

void StatusChip::mouseReleaseEvent(QMouseEvent* event) {
    if (m_clickable && event->button() == Qt::LeftButton && rect().contains(event->pos()))
        Q_EMIT clicked();
}

void StatusChip::keyPressEvent(QKeyEvent* event) {
    if (m_clickable && (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return))
        Q_EMIT clicked();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace plumbline::widgets
