// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/breadcrumb.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "widgets/theme.h"

namespace plumbline::gui {

Breadcrumb::Breadcrumb(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("breadcrumb"));
    setAccessibleName(tr("Where the canvas is"));
    m_layout = new QHBoxLayout(this);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
}

void Breadcrumb::setSteps(const QStringList& steps) {
    if (steps == m_steps) {
        return;
    }
    m_steps = steps;
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    for (int i = 0; i < steps.size(); ++i) {
        if (i > 0) {
            m_layout->addWidget(new QLabel(QString::fromUtf8("\u25b8"), this));
        }
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("breadcrumb_%1").arg(i));
        button->setText(steps[i]);
        button->setAutoRaise(true);
        const bool here = i + 1 == steps.size();
        button->setEnabled(!here || steps.size() == 1);
        button->setAccessibleName(here ? steps[i] : tr("Go out to %1").arg(steps[i]));
        button->setToolTip(here ? QString() : tr("Go out to %1").arg(steps[i]));
        connect(button, &QToolButton::clicked, this, [this, i] { Q_EMIT chosen(i); });
        m_layout->addWidget(button);
    }
}

}  // namespace plumbline::gui
