// SPDX-License-Identifier: GPL-3.0-or-later
// LibTorch on first need: asks, fetches it beside the window with progress, then loads it.
#pragma once

#include <QObject>
#include <QProcess>
#include <filesystem>
#include <functional>

#include "core/error.h"
#include "session/fetch_tool.h"

namespace plumbline::gui {

class Workspace;

/// Speaks through the sentence above the page; nothing is fetched before a person pressed the button.
class LibTorchFetcher : public QObject {
    Q_OBJECT

public:
    using FindTool = std::function<Result<std::filesystem::path>()>;
    explicit LibTorchFetcher(Workspace& workspace, QObject* parent = nullptr,
                             FindTool findTool = &session::findFetchTool);
    ~LibTorchFetcher() override;  ///< ends a download; what was loaded so far is kept for the next one

private:
    void offer();
    void start();
    void stop();
    void readProgress();
    void finished(int exitCode, QProcess::ExitStatus status);

    Workspace& m_workspace;
    FindTool m_findTool;
    QProcess m_process;
    bool m_stopped = false;
    quint64 m_missing = 0;  ///< the sentence that it is not there
    QString m_failure;
    QString m_failureHint;
};

}  // namespace plumbline::gui
