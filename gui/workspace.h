// SPDX-License-Identifier: GPL-3.0-or-later
// What every page needs, and the ways in which pages ask for something outside themselves.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <optional>

#include "core/error.h"
#include "diagnostics/finding.h"
#include "gui/data_reader.h"
#include "gui/project_document.h"
#include "gui/run_bridge.h"
#include "widgets/theme.h"

namespace plumbline::gui {

/// What a block of the canvas is marked with.
struct BlockMark {
    QString block;  ///< path
    widgets::Severity severity = widgets::Severity::None;
    QString text;
    bool operator==(const BlockMark&) const = default;
};

/// The open project, the run, and requests to the window. One per window, made before the pages.
class Workspace : public QObject {
    Q_OBJECT

public:
    explicit Workspace(QObject* parent = nullptr);

    ProjectDocument& document() { return m_document; }
    const ProjectDocument& document() const { return m_document; }
    RunBridge& bridge() { return m_bridge; }
    /// The project's data: the check, the Data page and "Try the model" share what is read.
    DataReader& dataReader() { return m_dataReader; }

    /// Samples of the training split, once the data have been read; -1 until then.
    std::int64_t trainSamples() const { return m_trainSamples; }
    void setTrainSamples(std::int64_t samples);

    /// Why the data, which have been read, do not do for a run: none is made then.
    const std::optional<Error>& dataProblem() const { return m_dataProblem; }
    void setDataProblem(std::optional<Error> problem);

    /// The sweep that this window began, as the status bar tells it: "sweep1 · 3 of 20 trials"; empty while none is on.
    const QString& sweep() const { return m_sweep; }
    bool isSweepStopping() const { return m_sweepStops; }
    void setSweep(const QString& said, bool stopping);
    void stopSweep() { Q_EMIT sweepStopWanted(); }
    /// Runs, sweeps and probes share processor and memory: one of them at a time. False, and a sentence above the page,
    /// while a sweep is on.
    bool requireNoSweep();

    // ---- Requests; the window answers ----
    /// Brings a page to the front by its id.
    void showPage(const QString& id) { Q_EMIT pageRequested(id); }
    /// Goes to the Model page and shows the block with this path ("layers.0.conv").
    void showBlock(const QString& path) { Q_EMIT blockRequested(path); }
    /// Goes to the page that shows this part of project.json.
    void showPointer(const QString& pointer) { Q_EMIT pointerRequested(pointer); }
    /// Shows a run of this project on the Runs page (or where `page` says).
    void showRun(const QString& run, const QString& page = QStringLiteral("runs")) { Q_EMIT runRequested(run, page); }
    /// A sentence above the page; replaces the one before. With `actionText`, a button that calls `action`. The number
    /// is for retract().
    quint64 tell(widgets::Severity severity, const QString& sentence, const QString& hint = {},
                 const QString& actionText = {}, std::function<void()> action = {});
    quint64 tell(const Error& error);
    /// Dismisses the sentence above the page.
    void quiet() { Q_EMIT messageCleared(); }
    /// Dismisses that sentence, if it is still the one that is shown: its cause is gone.
    void retract(quint64 message);
    /// Reads data again whose reading a person stopped.
    void readDataAgain() { Q_EMIT dataAgainWanted(); }
    /// False where the project's folder cannot be written; then a sentence says so and offers Save as, and `then`
    /// follows.
    bool requireWritable(std::function<void()> then = {});
    /// What is being typed becomes edits. False where a field shows text that was refused, and what is asked for would
    /// silently go on with another value: a sentence says which and why, and the window goes there.
    bool commitFields() { return !m_commitFields || m_commitFields(); }
    /// The window's answer to commitFields().
    void setCommitFields(std::function<bool()> commit) { m_commitFields = std::move(commit); }
    /// Starts training as F5 does: pending text is committed, critical problems refuse with a sentence.
    void requestRun() { Q_EMIT runWanted(); }
    /// Goes on with an interrupted or stopped run of this project.
    void requestResume(const QString& run) { Q_EMIT resumeWanted(run); }

    /// A remedy as one undoable edit. False (and a sentence above the page) when the project has moved on.
    bool applyRemedy(const graph::Remedy& remedy);

    // ---- The run that is looked at: the one that is on or was last on, or an older one read from the store ----
    void showStoredRun(const QString& run, std::vector<diagnostics::Finding> findings);
    void showLiveRun();
    /// Of the older run; empty while the newest is shown.
    const QString& storedRun() const { return m_storedRun; }
    /// Whose findings() are; empty where there was no run.
    const QString& findingsRun() const { return m_storedRun.isEmpty() ? m_bridge.runId() : m_storedRun; }
    const std::vector<diagnostics::Finding>& findings() const {
        return m_storedRun.isEmpty() ? m_bridge.findings() : m_storedFindings;
    }
    /// Brings the findings to the front with this one selected.
    void showFinding(const QString& id) { Q_EMIT findingRequested(id); }

Q_SIGNALS:
    void trainSamplesChanged();
    void dataProblemChanged();
    void sweepChanged();
    void sweepStopWanted();
    void pageRequested(const QString& id);
    void blockRequested(const QString& path);
    void pointerRequested(const QString& pointer);
    void runRequested(const QString& run, const QString& page);
    void messageRequested(widgets::Severity severity, const QString& sentence, const QString& hint,
                          const QString& actionText, const std::function<void()>& action);
    void messageCleared();
    /// The sentence above the page is gone, by a person or by quiet().
    void messageDismissed();
    void saveAsWanted(const std::function<void()>& then);
    void dataAgainWanted();
    void runWanted();
    void resumeWanted(const QString& run);
    /// What findings say about blocks, for the canvas.
    void marksShown(const QList<plumbline::gui::BlockMark>& marks);
    /// findings() are others.
    void findingsChanged();
    void findingRequested(const QString& id);

private:
    /// What may change while running goes to the run whatever changed it: a field, a remedy, undo or redo.
    void postLiveSettings();

    ProjectDocument m_document;
    RunBridge m_bridge;
    DataReader m_dataReader;
    std::int64_t m_trainSamples = -1;
    std::shared_ptr<const project::Project> m_posted;   ///< the project whose live settings the run has
    std::shared_ptr<const project::Project> m_started;  ///< the one it began with
    quint64 m_told = 0, m_shown = 0;                    ///< numbers of sentences: the newest, and the one that is shown
    quint64 m_refusal = 0;                              ///< the sentence that refuses an edit
    std::function<bool()> m_commitFields;
    std::optional<Error> m_dataProblem;
    QString m_sweep;
    bool m_sweepStops = false;
    quint64 m_sweepRefusal = 0;  ///< the sentence of requireNoSweep()
    QString m_storedRun;
    std::vector<diagnostics::Finding> m_storedFindings;
};

}  // namespace plumbline::gui
