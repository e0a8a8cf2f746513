// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/run_bridge.h"

#include <algorithm>

#include "gui/background.h"
#include "gui/convert.h"
#include "store/run_store.h"

namespace plumbline::gui {

namespace {
constexpr int kDrainMs = 40;
}

using session::RunState;

RunBridge::RunBridge(QObject* parent) : QObject(parent) {
    m_timer.setInterval(kDrainMs);
    connect(&m_timer, &QTimer::timeout, this, &RunBridge::drain);
}

RunBridge::~RunBridge() {
    if (m_session) {
        m_session->control().requestStop();
    }
}

// ---- Engine ----

void RunBridge::loadEngine() {
    if (m_engineState == EngineState::Loading || m_engineState == EngineState::Ready) {
        return;
    }
    m_engineState = EngineState::Loading;
    m_engineError.reset();
    Q_EMIT engineChanged();
    runInBackground(
        this, [] { return session::openEngine(); },
        [this](Result<std::shared_ptr<session::Engine>> opened) {
            if (opened) {
                setEngine(std::move(*opened));
                return;
            }
            m_engineState = EngineState::Missing;
            m_engineError = opened.error();
            Q_EMIT engineChanged();
            if (m_waiting) {
                const Start request = *std::exchange(m_waiting, std::nullopt);
                finish({request.resumeRun, RunState::kFailed, std::nullopt, m_engineError});
            }
        });
}

void RunBridge::setEngine(std::shared_ptr<session::Engine> engine) {
    m_engine = std::move(engine);
    m_engineState = m_engine ? EngineState::Ready : EngineState::NotLoaded;
    Q_EMIT engineChanged();
    if (m_engine && m_waiting) {
        openSession(*std::exchange(m_waiting, std::nullopt));
    }
}

// ---- The run ----

void RunBridge::start(const Start& request) {
    if (m_active) {
        return;
    }
    m_active = true;
    m_stopWanted = false;
    m_isResume = !request.resumeRun.isEmpty();
    m_runId = request.resumeRun;
    m_runFolder.clear();
    m_progress = {};
    m_latest.clear();
    m_findings.clear();
    m_dropped = 0;
    m_choices = nullptr;
    m_choicesAsked = false;
    m_session.reset();
    m_posted.clear();
    Q_EMIT runStarting();
    setRunState(RunState::kPreparing);
    if (m_engine) {
        openSession(request);
    } else {
        m_waiting = request;
        loadEngine();
    }
}

void RunBridge::openSession(Start request) {
    session::SessionOptions options;
    options.project = *request.project;
    options.runsFolder = request.project->folder / "runs";
    options.runName = bytes(request.name);
    options.resumeRun = bytes(request.resumeRun);
    options.maxSteps = request.maxSteps;
    options.commandLine = "plumbline-gui";
    const quint64 stamp = ++m_stamp;
    runInBackground(
        this,
        [options = std::move(options), engine = m_engine]() mutable {
            return session::TrainingSession::create(std::move(options), std::move(engine));
        },
        [this, stamp, run = request.resumeRun](Result<std::unique_ptr<session::TrainingSession>> made) {
            if (stamp != m_stamp) {
                return;
            }
            if (!made) {
                finish({run, RunState::kFailed, std::nullopt, made.error()});
                return;
            }
            adopt(std::move(*made));
        });
}

void RunBridge::adopt(std::unique_ptr<session::TrainingSession> session) {
    m_session = std::move(session);
    m_runId = text(m_session->runId());
    m_runFolder = m_session->runFolder();
    Q_EMIT runOpened(m_runId);
    if (m_stopWanted) {
        m_session->control().requestStop();
    }
    for (session::LiveCommand& command : std::exchange(m_posted, {})) {
        m_session->post(std::move(command));
    }
    m_session->start(true);
    m_timer.start();
}

void RunBridge::pause() {
    if (m_session && m_active) {
        m_session->control().requestPause();
    }
}

void RunBridge::unpause() {
    if (m_session && m_active) {
        m_session->control().requestResume();
    }
}

void RunBridge::stop() {
    if (!m_active) {
        return;
    }
    m_stopWanted = true;
    if (m_waiting) {
        m_waiting.reset();
        finish({m_runId, RunState::kStopped, std::nullopt, std::nullopt});
        return;
    }
    if (m_session) {
        m_session->control().requestStop();
    }
    if (m_state == RunState::kRunning || m_state == RunState::kPaused || m_state == RunState::kPreparing) {
        setRunState(RunState::kStopping);  // shown at once; a run that is still being made is stopped by adopt()
    }
}

void RunBridge::post(const QString& dottedPath, const Json& value, const QString& id) {
    if (m_session && m_active) {
        m_session->post({bytes(dottedPath), value, bytes(id)});
    } else if (m_active) {
        m_posted.push_back({bytes(dottedPath), value, bytes(id)});  // the run began with the value before
    }
}

void RunBridge::forget() {
    if (m_active) {
        return;
    }
    m_runId.clear();
    m_runFolder.clear();
    m_progress = {};
    m_latest.clear();
    m_findings.clear();
    m_dropped = 0;
    m_choices = nullptr;
    m_isResume = false;
    setRunState(RunState::kIdle);
    Q_EMIT forgotten();
}

std::optional<double> RunBridge::latest(const QString& series) const {
    const auto it = m_latest.constFind(series);
    return it == m_latest.constEnd() ? std::nullopt : std::optional<double>(*it);
}

void RunBridge::drain() {
    if (!m_session) {
        m_timer.stop();
        return;
    }
    // Events first: a resumed run says what is dropped before it sends the points that replace it. Metrics are drained
    // before the end is told, so that finished() comes last.
    std::optional<RunOutcome> end;
    const std::vector<session::SessionEvent> events = m_session->drainEvents();
    drainMetrics();
    for (const session::SessionEvent& event : events) {
        switch (event.kind) {
            case session::SessionEvent::Kind::kState:
                setRunState(event.state);
                break;
            case session::SessionEvent::Kind::kEvent:
                Q_EMIT eventArrived(event.event);
                break;
            case session::SessionEvent::Kind::kFinding:
                keepFinding(event.finding);
                break;
            case session::SessionEvent::Kind::kResumed:
                m_findings = m_session->findings();
                Q_EMIT resumed();
                break;
            case session::SessionEvent::Kind::kFinished:
                end = RunOutcome{m_runId, event.state, event.summary, event.error};
                break;
        }
        if (!m_session) {
            return;  // a slot ended it
        }
    }
    const session::RunSink::Progress progress = m_session->progress();
    if (progress.step != m_progress.step || progress.epoch != m_progress.epoch ||
        progress.etaSeconds != m_progress.etaSeconds) {
        m_progress = progress;
        Q_EMIT progressChanged(m_progress);
    }
    if (!m_choicesAsked && m_progress.step > 0) {
        m_choicesAsked = true;
        readChoices();
    }
    if (end) {
        drainMetrics();
        finish(std::move(*end));
    }
}

void RunBridge::drainMetrics() {
    const session::MetricDrain drained = m_session->drainMetrics();
    m_dropped += drained.dropped;
    if (drained.points.empty()) {
        return;
    }
    std::vector<int> slot(drained.seriesNames.size(), -1);
    QList<SeriesChunk> chunks;
    for (const session::MetricPoint& point : drained.points) {
        if (point.series >= slot.size()) {
            continue;
        }
        if (slot[point.series] < 0) {
            slot[point.series] = static_cast<int>(chunks.size());
            chunks.append(SeriesChunk{text(drained.seriesNames[point.series]), {}, {}, {}, {}});
        }
        SeriesChunk& chunk = chunks[slot[point.series]];
        chunk.step.push_back(static_cast<double>(point.step));
        chunk.epoch.push_back(point.epoch);
        chunk.seconds.push_back(point.elapsedMs / 1000);
        chunk.value.push_back(point.value);
    }
    for (const SeriesChunk& chunk : chunks) {
        m_latest[chunk.series] = chunk.value.back();
    }
    Q_EMIT metricsArrived(chunks);
}

void RunBridge::readChoices() {
    runInBackground(
        this,
        [folder = m_runFolder]() -> Result<Json> {
            PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(folder));
            return reader->record("choices");
        },
        [this, run = m_runId](Result<Json> read) {
            if (read && run == m_runId) {
                m_choices = std::move(*read);
                Q_EMIT choicesChanged();
            }
        });
}

void RunBridge::setRunState(RunState state) {
    if (state == m_state) {
        return;
    }
    // The press on Stop shows at once; the run's own "running" that was still under way must not undo it.
    if (m_stopWanted && m_state == RunState::kStopping &&
        (state == RunState::kRunning || state == RunState::kPreparing)) {
        return;
    }
    m_state = state;
    Q_EMIT stateChanged(state);
}

void RunBridge::keepFinding(const diagnostics::Finding& finding) {
    const auto same = std::find_if(m_findings.begin(), m_findings.end(),
                                   [&](const diagnostics::Finding& known) { return known.id == finding.id; });
    if (same == m_findings.end()) {
        m_findings.push_back(finding);
    } else {
        *same = finding;
    }
    Q_EMIT findingArrived(finding);
}

void RunBridge::finish(RunOutcome outcome) {
    m_timer.stop();
    m_session.reset();  // its thread has ended
    m_active = false;
    m_stopWanted = false;
    if (outcome.error) {
        outcome.state = RunState::kFailed;
    } else if (outcome.summary) {
        outcome.state = outcome.summary->status == "completed" ? RunState::kCompleted : RunState::kStopped;
    }
    setRunState(outcome.state);
    Q_EMIT finished(outcome);
}

}  // namespace plumbline::gui
