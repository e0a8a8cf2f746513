// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/page.h"

#include <QKeySequence>
#include <QLineEdit>

#include "widgets/icons.h"

namespace plumbline::gui {

Page::~Page() {
    for (QObject* each : findChildren<QObject*>()) {
        disconnect(each, nullptr, this, nullptr);
    }
}

QAction* Page::makeFindAction(const QString& text, QLineEdit* field) {
    auto* find = new QAction(widgets::icon(QStringLiteral("search")), text, this);
    find->setObjectName(QStringLiteral("action_find"));
    find->setShortcut(QKeySequence::Find);
    addAction(find);
    connect(find, &QAction::triggered, field, [field] {
        field->setFocus(Qt::ShortcutFocusReason);
        field->selectAll();
    });
    return find;
}

}  // namespace plumbline::gui
