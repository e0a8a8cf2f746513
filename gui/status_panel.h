// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar: run, progress, time left, device, memory, size of the model.
#pragma once

#include <QObject>

class QLabel;
class QProgressBar;
class QStatusBar;

namespace plumbline::widgets {
class StatusChip;
}

namespace plumbline::gui {

class Workspace;

/// Fills a QStatusBar and keeps it up to date.
class StatusPanel : public QObject {
    Q_OBJECT

public:
    StatusPanel(Workspace& workspace, QStatusBar* bar);
    /// Problems that stand in a dock which is not seen; 0: none, or it is seen.
    void setHiddenProblems(int count);

Q_SIGNALS:
    void problemsWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
    void updateRun();
    void updateModel();
    void updateEngine();

    Workspace& m_workspace;
    widgets::StatusChip* m_state;
    widgets::StatusChip* m_problems;
    QLabel* m_progressText;
    QProgressBar* m_progress;
    QLabel* m_timeLeft;
    QLabel* m_device;
    QLabel* m_memory;
    QLabel* m_model;
    QString m_deviceName;
    int m_hiddenProblems = 0;
};

}  // namespace plumbline::gui
