// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time and the memory of a run's steps go: asks the run that is on, shows what runs have kept.
#pragma once

#include <QDialog>
#include <filesystem>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "widgets/theme.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QSpinBox;

namespace plumbline::session {
struct Event;
}

namespace plumbline::gui {

class Workspace;

/// Beside the window, never over it. Files are read in the background.
class RunProfileDialog : public QDialog {
    Q_OBJECT

public:
    explicit RunProfileDialog(Workspace& workspace, QWidget* parent = nullptr);

    /// Comes to the front with the profiles of a run, the newest one shown.
    void showRun(const QString& run);
    bool isBusy() const { return m_waiting || m_listing || m_reading; }

private:
    QWidget* makeControls();
    /// Whether the run that is shown is on and takes its steps.
    bool isOn() const;
    void ask();
    void takeEvent(const session::Event& event);
    void readList();
    void showReport(int index);
    void takeReport(const Result<Json>& report);
    /// No list and no report; what is being read is dropped.
    void clearAll();
    void clearReport();
    void say(widgets::Severity severity, const QString& sentence);
    void updateState();

    Workspace& m_workspace;
    const QString m_asked;  ///< of what this dialog asks, in the run's answers
    QString m_run;
    QSpinBox* m_steps;
    QCheckBox* m_trace;
    QPushButton* m_start;
    QComboBox* m_which;
    QLabel* m_icon;
    QLabel* m_sentence;
    QLabel* m_empty;
    QScrollArea* m_result;
    std::vector<std::filesystem::path> m_files;  ///< as in m_which
    widgets::Severity m_severity = widgets::Severity::None;
    bool m_waiting = false;  ///< for the run
    bool m_listing = false;
    bool m_reading = false;
    quint64 m_listStamp = 0, m_reportStamp = 0;
};

}  // namespace plumbline::gui
