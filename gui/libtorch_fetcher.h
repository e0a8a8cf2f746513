// SPDX-License-Identifier: GPL-3.0-or-later
// LibTorch on first need: asks, fetches it beside the window with progress, then loads it.
#pragma once

#include <QObject>
#include <QProcess>

namespace plumbline::gui {

class Workspace;

/// Speaks through the sentence above the page; nothing is fetched before a person pressed the button.
class LibTorchFetcher : public QObject {
    Q_OBJECT

public:
    explicit LibTorchFetcher(Workspace& workspace, QObject* parent = nullptr);
    ~LibTorchFetcher() override;  ///< ends a download; what was loaded so far is kept for the next one

private:
    void offer();
    void start();
    void stop();
    void readProgress();
    void finished(int exitCode, QProcess::ExitStatus status);

    Workspace& m_workspace;
    QProcess m_process;
    bool m_stopped = false;
    QString m_failure;
    QString m_failureHint;
};

}  // namespace plumbline::gui
