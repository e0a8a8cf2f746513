// SPDX-License-Identifier: GPL-3.0-or-later
// Run, Pause and Stop: the actions, when they apply, and what they refuse.
#pragma once

#include <QObject>
#include <cstddef>

#include "graph/problem.h"

class QAction;

namespace plumbline::gui {

class Workspace;

class RunController : public QObject {
    Q_OBJECT

public:
    explicit RunController(Workspace& workspace, QObject* parent = nullptr);

    QAction* runAction;    ///< F5: trains, or goes on when paused
    QAction* pauseAction;  ///< F6; goes on while paused
    QAction* stopAction;   ///< Shift+F5

    void run();
    void resumeRun(const QString& run);

Q_SIGNALS:
    /// Critical problems keep the run from starting.
    void problemsWanted();

private:
    void update();
    std::ptrdiff_t criticalProblems() const;
    const graph::Problem& firstCritical() const;

    Workspace& m_workspace;
    bool m_refused = false;  ///< the sentence about critical problems is shown
};

}  // namespace plumbline::gui
