// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workspace.h"

#include <utility>

#include "diagnostics/project_edit.h"
#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/package_trust.h"
#include "plan/plan.h"

namespace plumbline::gui {

Workspace::Workspace(QObject* parent) : QObject(parent) {
    connect(&m_document, &ProjectDocument::refused, this, [this](const Error& error) { m_refusal = tell(error); });
    connect(&m_document, &ProjectDocument::changed, this, [this] { retract(m_refusal); });  // another edit was taken
    connect(&m_document, &ProjectDocument::changed, this, &Workspace::postLiveSettings);
    connect(this, &Workspace::messageDismissed, this, [this] { m_shown = 0; });
    connect(&m_document, &ProjectDocument::projectChanged, this, [this] {
        m_posted = m_started = m_document.snapshot();
        showLiveRun();
        m_bridge.forget();
    });
    connect(&m_bridge, &RunBridge::runStarting, this, [this] {
        m_posted = m_started = m_document.snapshot();
        showLiveRun();
    });
    connect(&m_bridge, &RunBridge::findingArrived, this, [this] {
        if (m_storedRun.isEmpty()) {
            Q_EMIT findingsChanged();
        }
    });
    connect(&m_bridge, &RunBridge::runStarting, this, &Workspace::findingsChanged);
    connect(&m_bridge, &RunBridge::resumed, this, &Workspace::findingsChanged);
    connect(&m_bridge, &RunBridge::forgotten, this, &Workspace::findingsChanged);
}

void Workspace::postLiveSettings() {
    const auto before = std::exchange(m_posted, m_document.snapshot());
    if (!before || !m_posted || !m_started || !m_bridge.isActive()) {
        return;
    }
    for (const plan::SettingSpec& spec : plan::settings()) {
        if (spec.applies != "live") {
            continue;
        }
        // What is not stated has the default of the run that is on, whatever next_run settings have become since.
        const Json::json_pointer pointer(pointerOfDottedPath(spec.path));
        const auto valueIn = [&](const project::Project& project) {
            return project.json.contains(pointer) ? project.json.at(pointer) : plan::defaultOf(spec, m_started->json);
        };
        if (const Json value = valueIn(*m_posted); value != valueIn(*before)) {
            m_bridge.post(text(spec.path), value);
        }
    }
}

void Workspace::showStoredRun(const QString& run, std::vector<diagnostics::Finding> findings) {
    m_storedRun = run;
    m_storedFindings = std::move(findings);
    Q_EMIT findingsChanged();
}

void Workspace::showLiveRun() {
    if (!m_storedRun.isEmpty()) {
        m_storedRun.clear();
        m_storedFindings.clear();
        Q_EMIT findingsChanged();
    }
}

void Workspace::setTrainSamples(std::int64_t samples) {
    if (samples != m_trainSamples) {
        m_trainSamples = samples;
        Q_EMIT trainSamplesChanged();
    }
}

void Workspace::setDataProblem(std::optional<Error> problem) {
    m_dataProblem = std::move(problem);
    Q_EMIT dataProblemChanged();
}

void Workspace::setSweep(const QString& said, bool stopping) {
    if (said == m_sweep && stopping == m_sweepStops) {
        return;
    }
    m_sweep = said;
    m_sweepStops = stopping;
    if (m_sweep.isEmpty()) {
        retract(m_sweepRefusal);
    }
    Q_EMIT sweepChanged();
}

bool Workspace::requireNoSweep() {
    if (m_sweep.isEmpty()) {
        return true;
    }
    m_sweepRefusal = tell(widgets::Severity::Warning, tr("A sweep is on, and both would share processor and memory."),
                          tr("Stop the sweep (Shift+F5), which saves its trials, or wait for its end."),
                          tr("Show the sweep"), [this] { showPage(QStringLiteral("sweeps")); });
    return false;
}

quint64 Workspace::tell(widgets::Severity severity, const QString& sentence, const QString& hint,
                        const QString& actionText, std::function<void()> action) {
    m_shown = ++m_told;
    Q_EMIT messageRequested(severity, sentence, hint, actionText, action);
    return m_told;
}

void Workspace::retract(quint64 message) {
    if (message != 0 && message == m_shown) {
        quiet();
    }
}

quint64 Workspace::tell(const Error& error) {
    QString sentence = engineSentence(error.message);
    const bool isPointer = m_document.isOpen() && isPlaceInProject(error.where);
    if (!error.where.empty() && !isPointer) {
        sentence += QStringLiteral(" (%1)").arg(text(error.where));
    }
    if (error.code == "package-not-trusted") {
        return tell(widgets::Severity::Critical, sentence, engineSentence(error.hint), tr("Trust this package…"),
                    [this, pointer = error.where] { askToTrustPackage(*this, pointer); });
    }
    if (isPointer) {  // a place in project.json: the window goes there instead of spelling it
        return tell(widgets::Severity::Critical, sentence, engineSentence(error.hint), tr("Show the setting"),
                    [this, pointer = text(error.where)] { showPointer(pointer); });
    }
    return tell(widgets::Severity::Critical, sentence, engineSentence(error.hint));
}

bool Workspace::requireWritable(std::function<void()> then) {
    if (!m_document.isOpen() || m_document.isWritable()) {
        return true;
    }
    tell(widgets::Severity::Warning, tr("This project can only be read where it is: its folder cannot be written."),
         tr("Save it elsewhere to train it and to keep changes."), tr("Save as…"), [this, then = std::move(then)] {
             quiet();
             Q_EMIT saveAsWanted(then);
         });
    return false;
}

bool Workspace::applyRemedy(const graph::Remedy& remedy) {
    if (remedy.patch.empty() || !m_document.isOpen()) {
        return false;
    }
    const Json patch = diagnostics::refitted(m_document.project().json, remedy).patch;
    return m_document.applyPatch(engineSentence(remedy.title), patch).has_value();  // the document tells why not
}

}  // namespace plumbline::gui
