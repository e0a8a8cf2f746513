// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/message_banner.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "widgets/icons.h"

namespace plumbline::widgets {

MessageBanner::MessageBanner(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel), m_text(new QLabel), m_action(new QPushButton), m_close(new QToolButton) {
    setObjectName(QStringLiteral("messageBanner"));
    m_text->setObjectName(QStringLiteral("messageBannerText"));
    m_action->setObjectName(QStringLiteral("messageBannerAction"));
    m_close->setObjectName(QStringLiteral("messageBannerClose"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setAccessibleName(tr("Dismiss message"));
    m_close->setToolTip(tr("Dismiss"));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::kMedium, space::kSmall, space::kSmall, space::kSmall);
    layout->setSpacing(space::kSmall);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    layout->addWidget(m_close);

    connect(m_action, &QPushButton::clicked, this, &MessageBanner::actionTriggered);
    connect(m_close, &QToolButton::clicked, this, &MessageBanner::dismiss);
    connect(&Theme::instance(), &Theme::changed, this, &MessageBanner::updateIcon);
    hide();
}

void MessageBanner::showMessage(Severity severity, const QString& sentence, const QString& hint,
                                const QString& actionText) {
    m_severity = severity;
    QString html = sentence.toHtmlEscaped();
    if (!hint.isEmpty())
        html += QStringLiteral("<br><span style=\"color:%1\">%2</span>")
                    .arg(Theme::instance().colors().muted.name(), hint.toHtmlEscaped());
    m_text->setText(html);
    m_text->setProperty("plainText", sentence);
    m_text->setAccessibleName(hint.isEmpty() ? sentence : sentence + QLatin1Char(' ') + hint);
    m_action->setText(actionText);
    m_action->setAccessibleName(actionText);
    m_action->setVisible(!actionText.isEmpty());
    setAccessibleName(m_text->accessibleName());
    updateIcon();
    show();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void MessageBanner::dismiss() {
    if (isHidden())
        return;
    hide();
    Q_EMIT dismissed();
}

QString MessageBanner::message() const { return m_text->property("plainText").toString(); }

void MessageBanner::updateIcon() {
    m_icon->setPixmap(severityIcon(m_severity).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
    update();
}

void MessageBanner::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = Theme::instance().severityColor(m_severity);
    painter.fillRect(rect(), mixed(colors.surface, color, 0.08));
    painter.fillRect(QRect(0, 0, kCategoryEdge, height()), color);
    painter.fillRect(QRect(0, height() - 1, width(), 1), colors.border);
}

}  // namespace plumbline::widgets
