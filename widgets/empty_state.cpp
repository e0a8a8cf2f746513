// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/empty_state.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::widgets {

namespace {
constexpr int kPictureSize = 48;
}  // namespace

EmptyState::EmptyState(QWidget* parent) : EmptyState({}, {}, {}, parent) {}

EmptyState::EmptyState(const QString& iconName, const QString& text, const QString& buttonText, QWidget* parent)
    : QWidget(parent),
      m_iconName(iconName),
      m_icon(new QLabel),
      m_text(new QLabel),
      m_detail(new QLabel),
      m_button(new QPushButton),
      m_second(new QPushButton) {
    m_button->setObjectName(QStringLiteral("emptyStateButton"));
    m_second->setObjectName(QStringLiteral("emptyStateSecondButton"));
    m_icon->setAlignment(Qt::AlignCenter);
    for (QLabel* label : {m_text, m_detail}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_detail->setForegroundRole(QPalette::PlaceholderText);

    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(m_button);
    buttons->addWidget(m_second);
    buttons->addStretch();
    buttons->setSpacing(space::kSmall);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kHuge, space::kHuge, space::kHuge, space::kHuge);
    layout->setSpacing(space::kMedium);
    layout->addStretch(2);
    layout->addWidget(m_icon, 0, Qt::AlignHCenter);
    layout->addWidget(m_text);  // not aligned: a wrapping label would be given its narrowest width
    layout->addWidget(m_detail);
    layout->addLayout(buttons);
    layout->addStretch(3);

    connect(m_button, &QPushButton::clicked, this, &EmptyState::buttonClicked);
    connect(m_second, &QPushButton::clicked, this, &EmptyState::secondButtonClicked);
    connect(&Theme::instance(), &Theme::changed, this, &EmptyState::updateIcon);
    setText(text);
    setDetail({});
    setButton(buttonText);
    setSecondButton({});
    updateIcon();
}

void EmptyState::setIconName(const QString& name) {
    m_iconName = name;
    updateIcon();
}

void EmptyState::setText(const QString& text) {
    m_text->setText(text);
    setAccessibleName(text);
}

void EmptyState::setDetail(const QString& text) {
    m_detail->setText(text);
    m_detail->setVisible(!text.isEmpty());
}

void EmptyState::setButton(const QString& text) {
    m_button->setText(text);
    m_button->setAccessibleName(text);
    m_button->setVisible(!text.isEmpty());
}

void EmptyState::setButtonEnabled(bool enabled, const QString& reason) {
    m_button->setEnabled(enabled);
    m_button->setToolTip(enabled ? QString() : reason);
}

void EmptyState::setSecondButton(const QString& text) {
    m_second->setText(text);
    m_second->setAccessibleName(text);
    m_second->setVisible(!text.isEmpty());
}

void EmptyState::updateIcon() {
    m_icon->setVisible(!m_iconName.isEmpty());
    if (!m_iconName.isEmpty())
        m_icon->setPixmap(icon(m_iconName, Theme::instance().colors().muted)
                              .pixmap(QSize(kPictureSize, kPictureSize), devicePixelRatioF()));
}

QLabel* nothingFound(const QString& objectName, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setObjectName(objectName);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignCenter);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->hide();
    return label;
}

}  // namespace plumbline::widgets
