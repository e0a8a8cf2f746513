// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/run_controller.h"

#include <QAction>
#include <algorithm>

#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/workspace.h"
#include "widgets/icons.h"

namespace plumbline::gui {

using session::RunState;

RunController::RunController(Workspace& workspace, QObject* parent) : QObject(parent), m_workspace(workspace) {
    const auto make = [this](const char* name, const QString& text, const QString& icon, const QKeySequence& shortcut) {
        auto* action = new QAction(widgets::icon(icon), text, this);
        action->setObjectName(QLatin1String(name));
        action->setShortcut(shortcut);
        return action;
    };
    runAction = make("action_run", tr("Run"), QStringLiteral("run"), QKeySequence(Qt::Key_F5));
    pauseAction = make("action_pause", tr("Pause"), QStringLiteral("pause"), QKeySequence(Qt::Key_F6));
    stopAction = make("action_stop", tr("Stop"), QStringLiteral("stop"), QKeySequence(Qt::SHIFT | Qt::Key_F5));
    resumeAction = make("action_resume", tr("Resume"), QStringLiteral("resume"), QKeySequence(Qt::CTRL | Qt::Key_F5));
    connect(runAction, &QAction::triggered, this, &RunController::run);
    connect(resumeAction, &QAction::triggered, this, [this] { resumeRun(QString(m_stopped)); });
    connect(pauseAction, &QAction::triggered, this, [this] {
        RunBridge& bridge = m_workspace.bridge();
        bridge.isPaused() ? bridge.unpause() : bridge.pause();
    });
    connect(stopAction, &QAction::triggered, this,
            [this] { m_workspace.bridge().isActive() ? m_workspace.bridge().stop() : m_workspace.stopSweep(); });
    connect(&workspace, &Workspace::sweepChanged, this, &RunController::update);
    connect(&workspace, &Workspace::runWanted, this, &RunController::run);
    connect(&workspace, &Workspace::resumeWanted, this, &RunController::resumeRun);

    RunBridge& bridge = workspace.bridge();
    connect(&bridge, &RunBridge::stateChanged, this, &RunController::update);
    connect(&bridge, &RunBridge::runStarting, this, [this] {
        m_stopped.clear();
        update();
    });
    connect(&bridge, &RunBridge::finished, this, [this](const RunOutcome& outcome) {
        offerResume(outcome);
        update();
        if (outcome.error) {
            m_workspace.tell(*outcome.error);
        }
    });
    connect(&workspace.document(), &ProjectDocument::projectChanged, this, [this] {
        m_stopped.clear();
        update();
    });
    connect(&workspace, &Workspace::messageRequested, this,
            [this] { m_refused = false; });  // another sentence took its place
    const auto look = [this] {
        if (m_refused && criticalProblems() == 0 && !m_workspace.dataProblem()) {
            m_refused = false;  // what the sentence says is no longer so
            m_workspace.quiet();
        }
    };
    connect(&workspace.document(), &ProjectDocument::checked, this, look);
    connect(&workspace, &Workspace::dataProblemChanged, this, look);
    update();
}

void RunController::run() {
    RunBridge& bridge = m_workspace.bridge();
    if (bridge.isPaused()) {
        bridge.unpause();
        return;
    }
    ProjectDocument& document = m_workspace.document();
    if (!document.isOpen() || bridge.isActive()) {
        return;
    }
    if (!m_workspace.commitFields()) {
        return;
    }
    const auto critical = criticalProblems();
    if (critical > 0) {
        if (critical == 1) {
            const graph::Problem& only = firstCritical();
            m_workspace.tell(widgets::Severity::Critical, engineSentence(only.message),
                             tr("No run was made. The list below shows its place."));
        } else {
            m_workspace.tell(widgets::Severity::Critical,
                             tr("%n problem(s) keep this model from running.", nullptr, static_cast<int>(critical)),
                             tr("They stand in the list below; each shows its place."));
        }
        m_refused = true;
        Q_EMIT problemsWanted();
        return;
    }
    if (m_workspace.dataProblem()) {
        m_workspace.tell(*m_workspace.dataProblem());
        m_refused = true;
        Q_EMIT problemsWanted();
        return;
    }
    if (!m_workspace.requireNoSweep() || !m_workspace.requireWritable([this] { run(); })) {
        return;
    }
    m_workspace.quiet();
    bridge.start({document.snapshot(), {}, {}, 0});
    m_workspace.showPage(QStringLiteral("train"));
}

std::ptrdiff_t RunController::criticalProblems() const {
    const auto& problems = m_workspace.document().report().problems;
    return std::count_if(problems.begin(), problems.end(),
                         [](const graph::Problem& problem) { return problem.severity == graph::Severity::kCritical; });
}

const graph::Problem& RunController::firstCritical() const {
    const auto& problems = m_workspace.document().report().problems;
    return *std::find_if(problems.begin(), problems.end(),
                         [](const graph::Problem& problem) { return problem.severity == graph::Severity::kCritical; });
}

void RunController::resumeRun(const QString& run) {
    RunBridge& bridge = m_workspace.bridge();
    if (!m_workspace.document().isOpen() || bridge.isActive()) {
        return;
    }
    if (!m_workspace.requireNoSweep() || !m_workspace.requireWritable()) {
        return;
    }
    m_workspace.quiet();
    bridge.start({m_workspace.document().snapshot(), {}, run, 0});
    m_workspace.showPage(QStringLiteral("train"));
}

void RunController::offerResume(const RunOutcome& outcome) {
    const bool isStopped =
        outcome.summary && outcome.summary->stopCode == "user" && !outcome.summary->checkpoint.empty();
    if (!isStopped || outcome.error) {
        return;
    }
    m_stopped = outcome.run;
    m_workspace.tell(widgets::Severity::Info,
                     tr("The run stopped after step %1.").arg(static_cast<qlonglong>(outcome.summary->steps.attempted)),
                     tr("It goes on from its newest checkpoint with the same numbers."), tr("Resume run"),
                     [this, run = m_stopped] { m_workspace.requestResume(run); });
}

void RunController::update() {
    RunBridge& bridge = m_workspace.bridge();
    const bool active = bridge.isActive();
    const RunState state = bridge.state();
    const bool open = m_workspace.document().isOpen();
    runAction->setEnabled(open && (!active || bridge.isPaused()));
    runAction->setText(bridge.isPaused() ? tr("Go on") : tr("Run"));
    runAction->setToolTip(!open               ? tr("Open a project to train it")
                          : bridge.isPaused() ? tr("Go on with the paused run (F5)")
                                              : tr("Train this model (F5)"));
    resumeAction->setEnabled(open && !active && !m_stopped.isEmpty());
    resumeAction->setToolTip(m_stopped.isEmpty() ? tr("No run was stopped here. The Runs page resumes earlier ones.")
                                                 : tr("Go on with the run that was stopped (Ctrl+F5)"));
    pauseAction->setEnabled(active && (state == RunState::kRunning || bridge.isPaused()));
    pauseAction->setToolTip(bridge.isPaused() ? tr("Go on with the paused run (F6)")
                                              : tr("Pause after this batch (F6)"));
    const bool sweeps = !active && !m_workspace.sweep().isEmpty();
    stopAction->setEnabled(sweeps ? !m_workspace.isSweepStopping() : active && state != RunState::kStopping);
    stopAction->setToolTip(sweeps ? tr("Stop the sweep and save its trials (Shift+F5)")
                                  : tr("Stop after this batch and save (Shift+F5)"));
}

}  // namespace plumbline::gui
