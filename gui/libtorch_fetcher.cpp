// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/libtorch_fetcher.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>

#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/workspace.h"

namespace plumbline::gui {

using widgets::Severity;

namespace {

constexpr int kEndMs = 3000;

}  // namespace

LibTorchFetcher::LibTorchFetcher(Workspace& workspace, QObject* parent, FindTool findTool)
    : QObject(parent), m_workspace(workspace), m_findTool(std::move(findTool)) {
    connect(&workspace.bridge(), &RunBridge::engineChanged, this, &LibTorchFetcher::offer);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &LibTorchFetcher::readProgress);
    connect(&m_process, &QProcess::finished, this, &LibTorchFetcher::finished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            m_workspace.tell(Severity::Critical, tr("The tool that fetches LibTorch cannot be started."),
                             m_process.errorString());
        }
    });
}

LibTorchFetcher::~LibTorchFetcher() {
    m_process.disconnect(this);
    if (m_process.state() != QProcess::NotRunning) {
        m_process.terminate();
        if (!m_process.waitForFinished(kEndMs)) {
            m_process.kill();
            m_process.waitForFinished(kEndMs);
        }
    }
}

void LibTorchFetcher::offer() {
    const RunBridge& bridge = m_workspace.bridge();
    if (bridge.engineState() == EngineState::Ready) {
        m_workspace.retract(m_missing);
        return;
    }
    if (bridge.engineState() != EngineState::Missing || !bridge.engineError() ||
        m_process.state() != QProcess::NotRunning) {
        return;
    }
    const Error& error = *bridge.engineError();
    if (error.code != "libtorch-missing" || !m_findTool()) {
        m_missing = m_workspace.tell(error);
        return;
    }
    m_missing =
        m_workspace.tell(Severity::Warning, tr("LibTorch 2.13.0, which does the computing, is not on this machine."),
                         tr("It takes 540 MB to fetch (2.5 GB with an NVIDIA driver of 580 or newer) and stays in your "
                            "cache folder. Editing works without it."),
                         tr("Fetch LibTorch"), [this] { start(); });
}

void LibTorchFetcher::start() {
    const auto tool = m_findTool();
    if (!tool || m_process.state() != QProcess::NotRunning) {
        return;
    }
    m_stopped = false;
    m_failure.clear();
    m_failureHint.clear();
    m_process.start(text(*tool), {QStringLiteral("--yes"), QStringLiteral("--progress"), QStringLiteral("json")});
    m_workspace.tell(Severity::Info, tr("Fetching LibTorch…"), {}, tr("Stop"), [this] { stop(); });
}

void LibTorchFetcher::stop() {
    if (m_process.state() == QProcess::NotRunning) {
        return;
    }
    m_stopped = true;
    m_process.terminate();
    QTimer::singleShot(kEndMs, &m_process, [this, asked = m_process.processId()] {
        if (m_process.processId() == asked) {  // not the next fetch
            m_process.kill();
        }
    });
}

void LibTorchFetcher::readProgress() {
    while (m_process.canReadLine()) {
        const QJsonObject line = QJsonDocument::fromJson(m_process.readLine()).object();
        const QString event = line.value(QLatin1String("event")).toString();
        if (event == QLatin1String("error")) {
            m_failure = line.value(QLatin1String("message")).toString();
            m_failureHint = line.value(QLatin1String("hint")).toString();
        } else if (event == QLatin1String("progress") &&
                   line.value(QLatin1String("phase")) == QLatin1String("download")) {
            const double left = line.value(QLatin1String("eta_s")).toDouble(-1);
            m_workspace.tell(Severity::Info,
                             tr("Fetching LibTorch: %1 of %2")
                                 .arg(bytesText(line.value(QLatin1String("bytes_done")).toDouble()),
                                      bytesText(line.value(QLatin1String("bytes_total")).toDouble())),
                             left < 0 ? QString() : tr("%1 left").arg(durationText(left)), tr("Stop"),
                             [this] { stop(); });
        } else if (event == QLatin1String("phase") && line.value(QLatin1String("phase")) == QLatin1String("unpack")) {
            m_workspace.tell(Severity::Info, tr("Unpacking LibTorch…"), {}, tr("Stop"), [this] { stop(); });
        }
    }
}

void LibTorchFetcher::finished(int exitCode, QProcess::ExitStatus status) {
    if (m_stopped) {
        m_workspace.tell(Severity::Info, tr("Fetching LibTorch was stopped."), tr("What was loaded so far is kept."),
                         tr("Fetch LibTorch"), [this] { start(); });
    } else if (status == QProcess::NormalExit && exitCode == 0) {
        m_workspace.tell(Severity::Good, tr("LibTorch is here."));
        m_workspace.bridge().loadEngine();
    } else {
        m_workspace.tell(Severity::Critical,
                         m_failure.isEmpty() ? tr("LibTorch could not be fetched.") : engineSentence(bytes(m_failure)),
                         engineSentence(bytes(m_failureHint)), tr("Try again"), [this] { start(); });
    }
}

}  // namespace plumbline::gui
