// SPDX-License-Identifier: GPL-3.0-or-later
// Docks that make room: hidden while there is too little of it, back where they were once there is enough.
#pragma once

#include <QList>
#include <QObject>

class QDockWidget;

namespace plumbline::gui {

class DockFold : public QObject {
    Q_OBJECT

public:
    /// `least`: with less room than this the docks fold. A dock that is shown all the same (a person or a finding asked
    /// for it) stays.
    DockFold(const QList<QDockWidget*>& docks, int least, QObject* parent);

    void fit(int room);
    bool isFolded() const { return m_narrow; }
    /// As with room enough; for saving a layout, and after one was restored. fit() folds again.
    void unfold();

private:
    QList<QDockWidget*> m_docks, m_folded;
    int m_least;
    bool m_narrow = false;
};

}  // namespace plumbline::gui
