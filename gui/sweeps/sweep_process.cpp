// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/sweeps/sweep_process.h"

#include <QCoreApplication>
#include <QFile>
#include <csignal>
#include <optional>
#include <utility>
#include <vector>

#include "core/json.h"
#include "gui/convert.h"

namespace plumbline::gui {

namespace {

constexpr int kStopped = 130;            ///< exit code after Ctrl-C
constexpr qint64 kMostOutput = 1 << 24;  ///< bytes that are looked at for an error

/// What the program says went wrong; nothing where its output is no error.
std::optional<Error> errorOf(const QByteArray& output) {
    const auto json = parseJson(std::string_view(output.constData(), static_cast<std::size_t>(output.size())), "sweep");
    if (!json || !json->is_object() || !json->contains("error") || !json->at("error").is_object()) {
        return std::nullopt;
    }
    const Json& told = json->at("error");
    const auto word = [&](const char* key) {
        return told.contains(key) && told.at(key).is_string() ? told.at(key).get<std::string>() : std::string();
    };
    return Error{ErrorKind::kRunFailed, word("code"), word("message"), {}, word("hint")};
}

/// The end of a QProcess kills what it runs, and a killed sweep leaves its trials behind, unsaved: this one has no end.
void leaveRunning(std::unique_ptr<QProcess> process) {
    static auto* const s_left = new std::vector<QProcess*>;
    s_left->push_back(process.release());
}

}  // namespace

SweepProcess::SweepProcess(QObject* parent) : QObject(parent) {
    m_program = QCoreApplication::applicationDirPath() + QStringLiteral("/plumbline");
    connect(m_process.get(), &QProcess::stateChanged, this,
            &SweepProcess::activeChanged);  // also while it is being started
    connect(m_process.get(), &QProcess::finished, this, &SweepProcess::finish);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            Q_EMIT failed(Error{ErrorKind::kMachine,
                                "sweep-not-started",
                                bytes(tr("The program that runs sweeps cannot be started: %1").arg(m_program)),
                                {},
                                bytes(tr("It belongs beside this one; install Plumbline again."))});
            Q_EMIT activeChanged();
            Q_EMIT ended();
        }
    });
}

SweepProcess::~SweepProcess() {
    m_process->disconnect(this);
    if (!isActive()) {
        return;
    }
    if (!m_stopping && m_process->processId() > 0) {  // a second signal would end it at once, and nothing saved
        ::kill(static_cast<pid_t>(m_process->processId()), SIGINT);
    }
    if (!m_process->waitForFinished(m_endWaitMs) && isActive()) {
        leaveRunning(std::move(m_process));
    }
}

void SweepProcess::start(const std::filesystem::path& project, const QStringList& arguments) {
    if (isActive()) {
        return;
    }
    m_project = project;
    m_stopping = false;
    m_output = std::make_unique<QTemporaryDir>();
    m_process->setStandardOutputFile(m_output->filePath(QStringLiteral("out")));
    m_process->setStandardErrorFile(m_output->filePath(QStringLiteral("messages")));
    m_process->start(m_program,
                     QStringList{QStringLiteral("--json"), QStringLiteral("sweep"), text(project)} + arguments);
}

void SweepProcess::stop() {
    if (isActive() && m_process->processId() > 0) {
        m_stopping = true;
        ::kill(static_cast<pid_t>(m_process->processId()), SIGINT);
        Q_EMIT activeChanged();
    }
}

void SweepProcess::finish(int exitCode, QProcess::ExitStatus status) {
    const bool asked = std::exchange(m_stopping, false);
    if (status == QProcess::CrashExit && !asked) {
        Q_EMIT failed(Error{ErrorKind::kRunFailed,
                            "sweep-ended",
                            bytes(tr("The process that ran the sweep was ended from outside.")),
                            {},
                            bytes(tr("Press Resume: trials go on where their last checkpoint is."))});
    } else if (exitCode != 0 && !(asked && exitCode == kStopped)) {
        QFile output(m_output->filePath(QStringLiteral("out")));
        const std::optional<Error> error =
            output.open(QIODevice::ReadOnly) ? errorOf(output.read(kMostOutput)) : std::nullopt;
        if (error) {
            Q_EMIT failed(*error);
        } else if (!asked) {
            Q_EMIT failed(Error{ErrorKind::kRunFailed,
                                "sweep-ended",
                                bytes(tr("The sweep ended with exit code %1.").arg(exitCode)),
                                {},
                                bytes(tr("\"plumbline sweep\" in a terminal says more."))});
        }
    }
    m_output.reset();
    Q_EMIT activeChanged();
    Q_EMIT ended();
}

}  // namespace plumbline::gui
