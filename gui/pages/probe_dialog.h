// SPDX-License-Identifier: GPL-3.0-or-later
// A short experiment before a run: what it is given, how far it is, what it found.
#pragma once

#include <QDialog>
#include <QTimer>
#include <atomic>
#include <memory>
#include <optional>

#include "core/error.h"
#include "core/run_control.h"
#include "gui/pages/probe_results.h"
#include "session/probe.h"

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QScrollArea;

namespace plumbline::gui {

class ProbeFields;
class Workspace;

/// The name of a kind as a button has it: "Find learning rate".
QString probeTitle(session::ProbeKind kind);

/// Beside the window, never over it: the experiment runs on another thread, on the project as it was when it began. One
/// at a time; none while a run is on, and one that is on ends when a run begins, another project is opened, or the
/// dialog is closed.
class ProbeDialog : public QDialog {
    Q_OBJECT

public:
    explicit ProbeDialog(Workspace& workspace, QWidget* parent = nullptr);
    ~ProbeDialog() override;

    /// Comes to the front and starts with the usual settings; a kind that is on already goes on.
    void begin(session::ProbeKind kind);
    bool isBusy() const { return m_control != nullptr; }

private:
    void makeButtons();
    void showFields();
    session::ProbeRequest request() const;
    /// False, with the reason said, where it cannot begin now.
    bool canStart();
    void start();
    void stop(const QString& reason);
    void take(const Result<Json>& report, bool stopped);
    void say(widgets::Severity severity, const QString& sentence);
    void clearResult();
    void showProgress();
    void updateState();
    void apply();
    void askTrace();

    Workspace& m_workspace;
    session::ProbeKind m_kind = session::ProbeKind::kPreflight;
    QLabel* m_intro;
    ProbeFields* m_fields;
    QProgressBar* m_progress;
    QLabel* m_icon;
    QLabel* m_sentence;
    QLabel* m_applied;
    QPlainTextEdit* m_log;
    QScrollArea* m_result;
    QLabel* m_empty;
    QPushButton* m_apply;
    QPushButton* m_saveTrace;
    widgets::Severity m_severity = widgets::Severity::None;
    std::optional<ProbeChange> m_change;
    std::shared_ptr<RunControl> m_control;  ///< of the one that is on; null otherwise
    /// What the experiment's thread has counted.
    struct Count {
        std::atomic<std::int64_t> done{0}, total{0};
    };
    std::shared_ptr<Count> m_count;
    QTimer m_look;    ///< at what is counted
    QString m_trace;  ///< file that the next one writes
    QString m_stopReason;
    bool m_again = false;    ///< starts once the one that is on has ended
    bool m_waiting = false;  ///< for LibTorch
    quint64 m_stamp = 0;
};

}  // namespace plumbline::gui
