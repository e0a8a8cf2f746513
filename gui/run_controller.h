// SPDX-License-Identifier: GPL-3.0-or-later
// Run, Pause, Stop and Resume: the actions, when they apply, and what they refuse.
#pragma once

#include <QObject>
#include <QString>
#include <cstddef>

#include "graph/problem.h"

class QAction;

namespace plumbline::gui {

class Workspace;
struct RunOutcome;

class RunController : public QObject {
    Q_OBJECT

public:
    explicit RunController(Workspace& workspace, QObject* parent = nullptr);

    QAction* runAction;     ///< F5: trains, or goes on when paused
    QAction* pauseAction;   ///< F6; goes on while paused
    QAction* stopAction;    ///< Shift+F5
    QAction* resumeAction;  ///< Ctrl+F5: goes on with the run that a person has stopped in this window

    void run();
    void resumeRun(const QString& run);

Q_SIGNALS:
    /// Critical problems keep the run from starting.
    void problemsWanted();

private:
    void update();
    /// A run that a person has stopped can go on, and is offered to.
    void offerResume(const RunOutcome& outcome);
    std::ptrdiff_t criticalProblems() const;
    const graph::Problem& firstCritical() const;

    Workspace& m_workspace;
    QString m_stopped;       ///< the run that resumeAction goes on with
    bool m_refused = false;  ///< the sentence about critical problems is shown
};

}  // namespace plumbline::gui
