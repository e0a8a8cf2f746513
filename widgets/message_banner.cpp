// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/message_banner.h"

#include <QAccessible>
#include <QApplication>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "widgets/icons.h"

namespace plumbline::widgets {

namespace {
constexpr int kWidest = 480;  ///< a line that is longer is not read, and it covers what one works on
constexpr int kReadingMs = 5000, kLetterMs = 60;
constexpr int kLookAgainMs = 1000;  ///< while it is in use
}  // namespace

MessageBanner::MessageBanner(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel),
      m_text(new QLabel),
      m_action(new QPushButton),
      m_second(new QPushButton),
      m_close(new QToolButton) {
    setObjectName(QStringLiteral("messageBanner"));
    m_text->setObjectName(QStringLiteral("messageBannerText"));
    m_action->setObjectName(QStringLiteral("messageBannerAction"));
    m_second->setObjectName(QStringLiteral("messageBannerSecond"));
    m_close->setObjectName(QStringLiteral("messageBannerClose"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setAccessibleName(tr("Dismiss message"));
    m_close->setToolTip(tr("Dismiss"));

    auto* actions = new QHBoxLayout;
    actions->setSpacing(space::kSmall);
    actions->addStretch(1);
    actions->addWidget(m_second);
    actions->addWidget(m_action);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(space::kMedium, space::kSmall, space::kSmall, space::kSmall);
    layout->setSpacing(space::kSmall);
    layout->setColumnStretch(1, 1);
    layout->addWidget(m_icon, 0, 0, Qt::AlignTop);
    layout->addWidget(m_text, 0, 1);
    layout->addWidget(m_close, 0, 2, Qt::AlignTop);
    layout->addLayout(actions, 1, 1, 1, 2);
    setTabOrder(m_action, m_second);
    setTabOrder(m_second, m_close);

    connect(m_action, &QPushButton::clicked, this, &MessageBanner::actionTriggered);
    connect(m_second, &QPushButton::clicked, this, &MessageBanner::secondTriggered);
    connect(m_close, &QToolButton::clicked, this, &MessageBanner::dismiss);
    m_reading.setSingleShot(true);
    connect(&m_reading, &QTimer::timeout, this, &MessageBanner::leaveWhenRead);
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
    m_second->hide();
    setAccessibleName(m_text->accessibleName());
    updateIcon();
    show();
    place();
    const bool merelyTold = severity == Severity::Good || (severity < Severity::Warning && actionText.isEmpty());
    merelyTold ? m_reading.start(readingMs()) : m_reading.stop();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void MessageBanner::setSecondAction(const QString& text) {
    m_second->setText(text);
    m_second->setAccessibleName(text);
    m_second->setVisible(!text.isEmpty());
    place();
}

int MessageBanner::readingMs() const {
    return m_readingMs > 0 ? m_readingMs : kReadingMs + kLetterMs * static_cast<int>(m_text->accessibleName().size());
}

void MessageBanner::leaveWhenRead() {
    const QWidget* focus = QApplication::focusWidget();
    if (underMouse() || (focus && isAncestorOf(focus)))
        m_reading.start(kLookAgainMs);
    else
        dismiss();
}

void MessageBanner::floatOver(QWidget* host, Qt::Edge edge) {
    m_host = host;
    m_edge = edge;
    host->installEventFilter(this);
    place();
}

bool MessageBanner::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_host && (event->type() == QEvent::Resize || event->type() == QEvent::Move))
        place();
    return QFrame::eventFilter(watched, event);
}

void MessageBanner::place() {
    if (!m_host || isHidden())
        return;
    const QRect host = m_host->geometry();
    const int width = std::min(host.width() - 2 * space::kMedium, kWidest);
    layout()->activate();
    const int height = std::max(minimumSizeHint().height(), heightForWidth(width));
    const int top = m_edge == Qt::TopEdge ? host.top() + space::kMedium : host.bottom() + 1 - space::kMedium - height;
    setGeometry(host.right() + 1 - space::kMedium - width, top, width, height);
    raise();
}

void MessageBanner::dismiss() {
    m_reading.stop();
    if (isHidden())
        return;
    hide();
    Q_EMIT dismissed();
}

QString MessageBanner::message() const {
    return m_text->property("plainText").toString();
}

void MessageBanner::updateIcon() {
    m_icon->setPixmap(severityIcon(m_severity).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
    update();
}

void MessageBanner::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = Theme::instance().severityColor(m_severity);
    painter.fillRect(rect(), mixed(colors.surface, color, 0.08));
    painter.setPen(colors.border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.fillRect(QRect(0, 0, kCategoryEdge, height()), color);
}

}  // namespace plumbline::widgets
