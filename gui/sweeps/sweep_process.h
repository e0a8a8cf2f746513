// SPDX-License-Identifier: GPL-3.0-or-later
// `plumbline sweep` in a process of its own, which alone writes into the sweep's folder.
#pragma once

#include <QProcess>
#include <QTemporaryDir>
#include <filesystem>
#include <memory>

#include "core/error.h"

namespace plumbline::gui {

/// One at a time. Its end is told by ended(); nothing here waits for it but the end of the program.
class SweepProcess : public QObject {
    Q_OBJECT

public:
    explicit SweepProcess(QObject* parent = nullptr);
    /// Interrupts what is on, which saves its trials, and waits some seconds for that. What needs longer ends by itself
    /// later.
    ~SweepProcess() override;

    /// The program beside this one; another one for a test.
    void setProgram(const QString& path) { m_program = path; }
    /// How long the destructor waits for the trials to be saved.
    void setEndWait(int milliseconds) { m_endWaitMs = milliseconds; }
    bool isActive() const { return m_process->state() != QProcess::NotRunning; }
    bool isStopping() const { return isActive() && m_stopping; }
    /// Of the one that is on or was last on.
    const std::filesystem::path& project() const { return m_project; }

    /// `arguments` follow `plumbline sweep PROJECT`.
    void start(const std::filesystem::path& project, const QStringList& arguments);
    /// Trials are saved and can go on later. A second call does not wait for that.
    void stop();

Q_SIGNALS:
    void activeChanged();
    /// It could not be started, or ended in an error.
    void failed(const plumbline::Error& error);
    /// The process is gone, however it went.
    void ended();

private:
    void finish(int exitCode, QProcess::ExitStatus status);

    std::unique_ptr<QProcess> m_process = std::make_unique<QProcess>();
    QString m_program;
    std::filesystem::path m_project;
    std::unique_ptr<QTemporaryDir> m_output;  ///< a process that outlives the window must not write into a broken pipe
    int m_endWaitMs = 10'000;
    bool m_stopping = false;
};

}  // namespace plumbline::gui
