// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/shrinking_row.h"

#include <QAbstractButton>
#include <QEvent>
#include <algorithm>

namespace plumbline::widgets {

namespace {

/// As a layout sees it, shown or not.
int leastWidth(const QWidget* widget) {
    const bool shrinks = widget->sizePolicy().horizontalPolicy() & QSizePolicy::ShrinkFlag;
    const int hint = shrinks ? widget->minimumSizeHint().width() : widget->sizeHint().width();
    return std::min(widget->minimumWidth() > 0 ? widget->minimumWidth() : hint, widget->maximumWidth());
}

}  // namespace

ShrinkingRow::ShrinkingRow(QWidget* parent) : QWidget(parent), m_row(new QHBoxLayout(this)) {
    m_row->setContentsMargins(0, 0, 0, 0);
}

void ShrinkingRow::giveUp(QWidget* widget) {
    m_parts.append({widget, nullptr, {}, 0, 0});
    updateGeometry();
}

void ShrinkingRow::giveUpText(QAbstractButton* button) {
    Part part{button, button, button->text(), button->sizeHint().width(), 0};
    QString name = part.text;
    name.remove(QLatin1Char('&'));
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setText({});
    part.bare = button->sizeHint().width();
    button->setText(part.text);
    m_parts.append(part);
    updateGeometry();
}

/// The width with the first parts given up.
int ShrinkingRow::neededWidth(qsizetype given) const {
    const QMargins margins = m_row->contentsMargins();
    int width = margins.left() + margins.right();
    int shown = 0;
    for (int i = 0; i < m_row->count(); ++i) {
        const QWidget* widget = m_row->itemAt(i)->widget();
        if (widget == nullptr) {
            continue;
        }
        const auto part =
            std::find_if(m_parts.begin(), m_parts.end(), [widget](const Part& each) { return each.widget == widget; });
        const bool gone = part != m_parts.end() && part - m_parts.begin() < given;
        if (part == m_parts.end() ? widget->isHidden() : gone && part->button == nullptr) {
            continue;
        }
        width += part != m_parts.end() && part->button ? (gone ? part->bare : part->full) : leastWidth(widget);
        ++shown;
    }
    return width + std::max(0, shown - 1) * m_row->spacing();
}

QSize ShrinkingRow::minimumSizeHint() const {
    return {neededWidth(m_parts.size()), QWidget::minimumSizeHint().height()};
}

bool ShrinkingRow::event(QEvent* event) {
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) {
        fit();
    }
    return done;
}

void ShrinkingRow::fit() {
    qsizetype given = 0;
    while (given < m_parts.size() && neededWidth(given) > width()) {
        ++given;
    }
    for (qsizetype i = 0; i < m_parts.size(); ++i) {
        const Part& part = m_parts[i];
        if (part.button) {
            if (const QString text = i < given ? QString() : part.text; part.button->text() != text) {
                part.button->setText(text);
            }
        } else if (part.widget->isHidden() != (i < given)) {
            part.widget->setHidden(i < given);
        }
    }
}

}  // namespace plumbline::widgets
