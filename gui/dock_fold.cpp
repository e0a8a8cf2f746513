// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/dock_fold.h"

#include <QAction>
#include <QDockWidget>
#include <utility>

namespace plumbline::gui {

DockFold::DockFold(const QList<QDockWidget*>& docks, int least, QObject* parent)
    : QObject(parent), m_docks(docks), m_least(least) {
    for (QDockWidget* dock : docks) {
        // What a person closes while folded does not come back by itself.
        connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock] { m_folded.removeAll(dock); });
    }
}

void DockFold::fit(int room) {
    if (room >= m_least) {
        unfold();
        return;
    }
    if (std::exchange(m_narrow, true)) {
        return;
    }
    for (QDockWidget* dock : std::as_const(m_docks)) {
        if (!dock->isHidden() && !dock->isFloating()) {
            m_folded << dock;
            dock->hide();
        }
    }
}

void DockFold::unfold() {
    m_narrow = false;
    for (QDockWidget* dock : std::exchange(m_folded, {})) {
        dock->show();
    }
}

}  // namespace plumbline::gui
