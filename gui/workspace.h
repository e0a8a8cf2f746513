// SPDX-License-Identifier: GPL-3.0-or-later
// What every page needs, and the ways in which pages ask for something outside themselves.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>

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

    // ---- Requests; the window answers ----
    /// Brings a page to the front by its id.
    void showPage(const QString& id) { Q_EMIT pageRequested(id); }
    /// Goes to the Model page and shows the block with this path ("layers.0.conv").
    void showBlock(const QString& path) { Q_EMIT blockRequested(path); }
    /// Goes to the page that shows this part of project.json.
    void showPointer(const QString& pointer) { Q_EMIT pointerRequested(pointer); }
    /// Shows a run of this project on the Runs page (or where `page` says).
    void showRun(const QString& run, const QString& page = QStringLiteral("runs")) { Q_EMIT runRequested(run, page); }
    /// A sentence above the page; replaces the one before. With `actionText`, a button that calls `action`. The number is
    /// for retract().
    quint64 tell(widgets::Severity severity, const QString& sentence, const QString& hint = {},
                 const QString& actionText = {}, std::function<void()> action = {});
    quint64 tell(const Error& error);
    /// Dismisses the sentence above the page.
    void quiet() { Q_EMIT messageCleared(); }
    /// Dismisses that sentence, if it is still the one that is shown: its cause is gone.
    void retract(quint64 message);
    /// Reads data again whose reading a person stopped.
    void readDataAgain() { Q_EMIT dataAgainWanted(); }
    /// False where the project's folder cannot be written; then a sentence says so and offers Save as, and `then` follows.
    bool requireWritable(std::function<void()> then = {});
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
    const std::vector<diagnostics::Finding>& findings() const { return m_storedRun.isEmpty() ? m_bridge.findings() : m_storedFindings; }
    /// Brings the findings to the front with this one selected.
    void showFinding(const QString& id) { Q_EMIT findingRequested(id); }

Q_SIGNALS:
    void trainSamplesChanged();
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
    quint64 m_told = 0, m_shown = 0;  ///< numbers of sentences: the newest, and the one that is shown
    quint64 m_refusal = 0;            ///< the sentence that refuses an edit
    QString m_storedRun;
    std::vector<diagnostics::Finding> m_storedFindings;
};

}  // namespace plumbline::gui
