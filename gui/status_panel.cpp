// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/status_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <algorithm>

#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/finding_count.h"
#include "gui/workspace.h"
#include "widgets/labels.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;
using session::RunState;

namespace {
constexpr int kProgressWidth = 160;
constexpr int kLeastWidth = 240;  ///< what has no room then stands elsewhere too
}  // namespace

StatusPanel::StatusPanel(Workspace& workspace, QStatusBar* bar) : QObject(bar), m_workspace(workspace) {
    const auto label = [bar](const char* name) {
        auto* made = new QLabel(bar);
        made->setObjectName(QLatin1String(name));
        made->setFont(Theme::instance().numberFont());
        made->setContentsMargins(space::kSmall, 0, space::kSmall, 0);
        return made;
    };
    m_state = new StatusChip(bar);
    m_state->setObjectName(QStringLiteral("status_state"));
    m_state->setToolTip(tr("State of the run"));
    connect(m_state, &StatusChip::clicked, this,
            [this] { m_workspace.showFinding(countFindings(m_workspace.bridge().findings()).first); });
    m_problems = new StatusChip(bar);
    m_problems->setObjectName(QStringLiteral("status_problems"));
    m_problems->setClickable(true);
    m_problems->hide();
    connect(m_problems, &StatusChip::clicked, this, &StatusPanel::problemsWanted);
    m_progressText = label("status_progress_text");
    m_progress = new QProgressBar(bar);
    m_progress->setObjectName(QStringLiteral("status_progress"));
    m_progress->setAccessibleName(tr("Progress of the run"));
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(kProgressWidth);
    m_progress->setFixedHeight(space::kSmall);
    m_timeLeft = label("status_time_left");
    m_device = label("status_device");
    m_memory = label("status_memory");
    m_model = label("status_model");
    m_model->setFont(Theme::instance().textFont());
    m_device->setFont(Theme::instance().textFont());
    bar->setSizeGripEnabled(false);
    bar->setContentsMargins(space::kSmall, 0, space::kSmall, 0);
    bar->setMinimumWidth(kLeastWidth);
    bar->addWidget(m_state);
    bar->addWidget(m_problems);
    bar->addWidget(m_progressText);
    bar->addWidget(m_progress);
    bar->addWidget(m_timeLeft);
    bar->addPermanentWidget(m_model);
    bar->addPermanentWidget(m_device);
    bar->addPermanentWidget(m_memory);

    RunBridge& bridge = workspace.bridge();
    connect(&bridge, &RunBridge::stateChanged, this, &StatusPanel::updateRun);
    connect(&bridge, &RunBridge::runStarting, this, &StatusPanel::updateRun);
    connect(&bridge, &RunBridge::progressChanged, this, &StatusPanel::updateRun);
    connect(&bridge, &RunBridge::finished, this, &StatusPanel::updateRun);
    connect(&workspace, &Workspace::findingsChanged, this, &StatusPanel::updateRun);
    connect(&workspace, &Workspace::sweepChanged, this, &StatusPanel::updateRun);
    connect(&bridge, &RunBridge::engineChanged, this, &StatusPanel::updateEngine);
    connect(&bridge, &RunBridge::choicesChanged, this, [this] {
        const Json& choices = m_workspace.bridge().choices();
        if (!choices.is_object()) {
            return;
        }
        const auto device = choices.find("device");
        m_deviceName = device != choices.end() && device->is_string() ? text(device->get<std::string>()) : QString();
        const auto threads = choices.find("threads");
        if (threads != choices.end() && threads->is_number_integer()) {
            m_deviceName += QString::fromUtf8(" \u00d7%1").arg(threads->get<int>());
        }
        updateEngine();
    });
    connect(&bridge, &RunBridge::metricsArrived, this, [this] {
        if (const auto bytes = m_workspace.bridge().latest(QStringLiteral("memory.tensors_bytes"))) {
            m_memory->setText(tr("%1 tensors").arg(bytesText(*bytes)));
            fit();
        }
    });
    connect(&bridge, &RunBridge::forgotten, this, [this] {
        m_memory->clear();
        m_deviceName.clear();
        updateRun();
        updateEngine();
    });
    connect(&workspace.document(), &ProjectDocument::checked, this, &StatusPanel::updateModel);
    connect(&workspace.document(), &ProjectDocument::projectChanged, this, [this] {
        updateModel();
        updateRun();
    });
    bar->installEventFilter(this);
    updateModel();
    updateRun();
    updateEngine();
}

bool StatusPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        fit();
    }
    return QObject::eventFilter(watched, event);
}

/// Where the bar is narrow what stands elsewhere too goes first: the model's size, then tensors, the device, …
void StatusPanel::fit() {
    int needed = 2 * space::kLarge;
    const int room = static_cast<const QStatusBar*>(parent())->width();
    const auto place = [&](QWidget* widget, bool wanted) {
        const int width =
            std::clamp(widget->sizeHint().width(), widget->minimumWidth(), widget->maximumWidth()) + space::kSmall;
        const bool shown = wanted && needed + width <= room;
        needed += shown ? width : 0;
        widget->setVisible(shown);
    };
    const bool active = m_workspace.bridge().isActive();
    place(m_state, m_workspace.bridge().state() != RunState::kIdle || m_workspace.document().isOpen());
    place(m_problems, m_hiddenProblems > 0);
    place(m_progressText, !m_progressText->text().isEmpty());
    place(m_progress, active);
    place(m_timeLeft, active && m_workspace.bridge().progress().etaSeconds > 0);
    place(m_device, !m_device->text().isEmpty());
    place(m_memory, !m_memory->text().isEmpty() && !m_workspace.bridge().runId().isEmpty());
    place(m_model, m_workspace.document().isOpen());
}

void StatusPanel::setHiddenProblems(int count) {
    m_hiddenProblems = count;
    m_problems->setStatus(Severity::Critical, tr("%n problem(s)", nullptr, count));
    fit();
}

void StatusPanel::updateRun() {
    RunBridge& bridge = m_workspace.bridge();
    const RunState state = bridge.state();
    const bool active = bridge.isActive();
    widgets::Severity severity = widgets::Severity::None;
    if (state == RunState::kFailed) {
        severity = widgets::Severity::Critical;
    } else if (state == RunState::kPaused || state == RunState::kStopped) {
        severity = widgets::Severity::Warning;
    } else if (state == RunState::kCompleted) {
        severity = widgets::Severity::Good;
    } else if (active) {
        severity = widgets::Severity::Info;
    }
    const FindingCount findings = countFindings(bridge.findings());
    m_state->setStatus(std::max(severity, findings.worst), stateWithFindings(stateText(state), findings.open));
    m_state->setClickable(findings.open > 0);
    const session::RunSink::Progress& progress = bridge.progress();
    if (progress.totalSteps > 0) {
        m_progress->setRange(0, 1000);
        m_progress->setValue(static_cast<int>(1000 * progress.step / progress.totalSteps));
    } else {
        m_progress->setRange(0, active && state == RunState::kPreparing ? 0 : 1000);
        m_progress->setValue(0);
    }
    if (!active && !m_workspace.sweep().isEmpty()) {
        m_progressText->setText(m_workspace.sweep());
    } else if (progress.step > 0) {
        m_progressText->setText(
            tr("epoch %1/%2 · step %3").arg(progress.epoch).arg(progress.totalEpochs).arg(progress.step));
    } else if (active && bridge.engineState() == EngineState::Loading) {
        m_progressText->setText(tr("loading LibTorch"));
    } else {
        m_progressText->setText({});
    }
    m_timeLeft->setText(tr("%1 left").arg(durationText(progress.etaSeconds)));
    fit();
}

void StatusPanel::updateModel() {
    ProjectDocument& document = m_workspace.document();
    if (!document.isOpen()) {
        fit();
        return;
    }
    const graph::ResolvedModel& model = document.report().model;
    const auto parameters = static_cast<double>(model.parameterCount());
    QString line = tr("%1 parameter(s)", nullptr, pluralOf(parameters)).arg(countText(parameters));
    if (const auto macs = model.macs().evaluate({{"B", 1}, {"T", 1}})) {
        line += tr(" · %1 MACs a sample").arg(countText(static_cast<double>(*macs / model.samplesOfCosts())));
    }
    m_model->setText(line);
    fit();
}

void StatusPanel::updateEngine() {
    const RunBridge& bridge = m_workspace.bridge();
    QString line;
    switch (bridge.engineState()) {
        case EngineState::NotLoaded:
            break;
        case EngineState::Loading:
            line = tr("loading LibTorch");
            break;
        case EngineState::Missing:
            line = tr("no LibTorch");
            break;
        case EngineState::Ready:
            line = m_deviceName.isEmpty() ? tr("LibTorch ready") : m_deviceName;
            break;
    }
    m_device->setText(line);
    m_device->setToolTip(bridge.engineError() ? errorSentence(*bridge.engineError()) : QString());
    fit();
}

}  // namespace plumbline::gui
