// SPDX-License-Identifier: GPL-3.0-or-later
// The only place where the window meets a run: owns the session, drains it on one timer, tells it as signals.
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "diagnostics/finding.h"
#include "session/training_session.h"

namespace plumbline::gui {

/// New points of one series, ready for a plot: columns of equal length.
struct SeriesChunk {
    QString series;  ///< "train.loss"
    std::vector<double> step, epoch, seconds, value;
};

/// How a run ended.
struct RunOutcome {
    QString run;
    session::RunState state = session::RunState::kCompleted;  ///< completed, stopped or failed
    std::optional<session::RunSummary> summary;
    std::optional<Error> error;
};

enum class EngineState { NotLoaded, Loading, Ready, Missing };

/// Loads LibTorch beside the window, starts and steers one run at a time. Nothing here waits: what takes time happens
/// on another thread and comes back as a signal. Window thread only.
class RunBridge : public QObject {
    Q_OBJECT

public:
    explicit RunBridge(QObject* parent = nullptr);
    ~RunBridge() override;  ///< stops a run that is on and waits for its end

    // ---- Engine ----
    /// Opens LibTorch in a thread; engineChanged() tells the end. Call after the window is shown; again after a
    /// failure.
    void loadEngine();
    /// A test's own engine.
    void setEngine(std::shared_ptr<session::Engine> engine);
    EngineState engineState() const { return m_engineState; }
    /// Why it is missing.
    const std::optional<Error>& engineError() const { return m_engineError; }
    /// Null unless Ready. Its methods take long: call them with runInBackground() (background.h).
    std::shared_ptr<session::Engine> engine() const { return m_engine; }

    // ---- The run ----
    struct Start {
        std::shared_ptr<const project::Project> project;
        QString name;         ///< a person's; may be empty
        QString resumeRun;    ///< id; empty = a new run
        qint64 maxSteps = 0;  ///< 0 = as the plan says
    };
    /// Waits for the engine if it is still loading. Ignored while a run is active.
    void start(const Start& request);
    void pause();
    void unpause();
    void stop();
    /// A setting that may change while running ("training.optimizer.lr"), or an instruction (session/live_commands.h).
    /// With an `id` the run tells an event "answer" of it.
    void post(const QString& dottedPath, const Json& value, const QString& id = {});
    /// The run that was last on is no longer shown: its findings, numbers and state are let go. Nothing while one is
    /// active.
    void forget();

    /// From start() to finished().
    bool isActive() const { return m_active; }
    session::RunState state() const { return m_state; }
    bool isPaused() const { return m_state == session::RunState::kPaused; }
    /// Whether it goes on with an older run.
    bool isResume() const { return m_isResume; }
    /// Of the run that is on or was last on.
    const QString& runId() const { return m_runId; }
    const std::filesystem::path& runFolder() const { return m_runFolder; }
    const session::RunSink::Progress& progress() const { return m_progress; }
    /// The automatic choices of this run (device, threads, layout …) as it recorded them; null until they are known.
    const Json& choices() const { return m_choices; }
    /// Newest value of a series of this run.
    std::optional<double> latest(const QString& series) const;
    const std::vector<diagnostics::Finding>& findings() const { return m_findings; }
    /// Points that the channel dropped because the window was slow (the store has them).
    quint64 dropped() const { return m_dropped; }

Q_SIGNALS:
    void engineChanged();
    /// forget() let go of the run.
    void forgotten();
    /// isActive() became true; the id is known from runOpened() on.
    void runStarting();
    void runOpened(const QString& run);
    /// A run that was resumed has its checkpoint: the store and findings() hold what came before, and new points
    /// follow.
    void resumed();
    void stateChanged(plumbline::session::RunState state);
    void metricsArrived(const QList<plumbline::gui::SeriesChunk>& chunks);
    /// choices() is known.
    void choicesChanged();
    void progressChanged(const plumbline::session::RunSink::Progress& progress);
    /// state, epoch, checkpoint, command, log lines in their order.
    void eventArrived(const plumbline::session::Event& event);
    /// A new finding, or one that changed (cleared).
    void findingArrived(const plumbline::diagnostics::Finding& finding);
    /// isActive() became false. Also when the run could not be started.
    void finished(const plumbline::gui::RunOutcome& outcome);

private:
    void openSession(Start request);
    void adopt(std::unique_ptr<session::TrainingSession> session);
    void drain();
    void drainMetrics();
    void readChoices();
    void setRunState(session::RunState state);
    void keepFinding(const diagnostics::Finding& finding);
    void finish(RunOutcome outcome);

    std::shared_ptr<session::Engine> m_engine;
    EngineState m_engineState = EngineState::NotLoaded;
    std::optional<Error> m_engineError;
    std::optional<Start> m_waiting;  ///< asked for while the engine was loading

    std::unique_ptr<session::TrainingSession> m_session;
    QTimer m_timer;
    bool m_active = false;
    bool m_isResume = false;
    bool m_stopWanted = false;  ///< asked for before the session was there
    quint64 m_stamp = 0;
    session::RunState m_state = session::RunState::kIdle;
    QString m_runId;
    std::filesystem::path m_runFolder;
    session::RunSink::Progress m_progress;
    QHash<QString, double> m_latest;
    std::vector<diagnostics::Finding> m_findings;
    quint64 m_dropped = 0;
    Json m_choices;
    bool m_choicesAsked = false;
    std::vector<session::LiveCommand> m_posted;  ///< before the session was there
};

}  // namespace plumbline::gui
