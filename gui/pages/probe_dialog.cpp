// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/probe_dialog.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "graph/refusal.h"
#include "gui/background.h"
#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/engine_sentence.h"
#include "gui/pages/probe_fields.h"
#include "gui/screen_room.h"
#include "gui/workspace.h"
#include "session/engine.h"
#include "widgets/icons.h"

namespace plumbline::gui {

using namespace widgets;
using session::ProbeKind;

namespace {

constexpr int kLogHeight = 96, kMostLines = 5000;
constexpr int kLookMs = 100;
constexpr int kProgressSteps = 1000;  ///< of the bar, which takes no larger numbers than an int
constexpr QSize kUsual(900, 720);

QString introOf(ProbeKind kind) {
    switch (kind) {
        case ProbeKind::kPreflight:
            return ProbeDialog::tr("Trains on two batches and validates two, with every detector on. No run is made.");
        case ProbeKind::kLearningRate:
            return ProbeDialog::tr(
                "Trains while the rate rises from step to step, and looks where the loss falls fastest (Smith 2017). "
                "No run is made.");
        case ProbeKind::kBatchSize:
            return ProbeDialog::tr(
                "Doubles the batch until memory or samples end, and takes the smallest that is about as fast as the "
                "best. No run is made.");
        case ProbeKind::kOverfit:
            return ProbeDialog::tr(
                "Trains on the first batch over and over: a model that cannot learn it by heart will learn nothing "
                "else. No run is made.");
        case ProbeKind::kProfile:
            break;
    }
    return ProbeDialog::tr("Looks at where the time and the memory of some steps go. No run is made.");
}

/// As `plumbline check` first: what would stop a run stops this.
Result<Json> work(session::Engine& engine, const session::ProbeRequest& request, RunControl& control,
                  const std::function<void(const std::string&)>& progress) {
    PLUMBLINE_TRY(graph::refuseCritical(project::checkProject(request.project, ProjectDocument::registry()).problems));
    return engine.probe(request, control, progress);
}

/// As one undo step.
Status setTogether(ProjectDocument& document, const ProbeChange& change) {
    project::Project changed = *document.snapshot();
    const auto set = [&changed](const QString& setting, const QJsonValue& value) -> Status {
        PLUMBLINE_ASSIGN(changed, project::withSetting(changed, bytes(setting), fromQt(value).dump()));
        return {};
    };
    PLUMBLINE_TRY(set(change.setting, change.value));
    for (const auto& [setting, value] : change.others) {
        PLUMBLINE_TRY(set(setting, value));
    }
    return document.setJson(change.button, changed.json);
}

}  // namespace

QString probeTitle(ProbeKind kind) {
    switch (kind) {
        case ProbeKind::kPreflight:
            return ProbeDialog::tr("Preflight");
        case ProbeKind::kLearningRate:
            return ProbeDialog::tr("Find learning rate");
        case ProbeKind::kBatchSize:
            return ProbeDialog::tr("Find batch size");
        case ProbeKind::kOverfit:
            return ProbeDialog::tr("Overfit one batch");
        case ProbeKind::kProfile:
            break;
    }
    return ProbeDialog::tr("Profile steps");
}

ProbeDialog::ProbeDialog(Workspace& workspace, QWidget* parent) : QDialog(parent), m_workspace(workspace) {
    setObjectName(QStringLiteral("dialog_probe"));
    setModal(false);
    resize(withinScreen(kUsual));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    layout->setSpacing(space::kMedium);
    m_intro = new QLabel(this);
    m_intro->setObjectName(QStringLiteral("probe_intro"));
    m_intro->setWordWrap(true);
    m_intro->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_intro);
    m_fields = new ProbeFields(this);
    layout->addWidget(m_fields);
    connect(m_fields->startButton(), &QPushButton::clicked, this, [this] {
        if (m_workspace.commitFields()) {
            start();
        } else {
            say(Severity::Critical, tr("A field of the window shows what is no value; the window says which and why."));
        }
    });
    connect(m_fields->stopButton(), &QPushButton::clicked, this, [this] {
        m_again = false;
        stop(tr("Stopped. Nothing was changed."));
    });
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("probe_progress"));
    m_progress->setAccessibleName(tr("Progress"));
    m_look.setInterval(kLookMs);
    connect(&m_look, &QTimer::timeout, this, &ProbeDialog::showProgress);
    layout->addWidget(m_progress);
    auto* told = new QHBoxLayout;
    told->setSpacing(space::kSmall);
    m_icon = new QLabel(this);
    m_icon->setObjectName(QStringLiteral("probe_icon"));
    m_sentence = new QLabel(this);
    m_sentence->setObjectName(QStringLiteral("probe_sentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    told->addWidget(m_icon, 0, Qt::AlignTop);
    told->addWidget(m_sentence, 1);
    layout->addLayout(told);
    m_log = new QPlainTextEdit(this);
    m_log->setObjectName(QStringLiteral("probe_log"));
    m_log->setAccessibleName(tr("What it has done"));
    m_log->setReadOnly(true);
    m_log->setTabChangesFocus(true);
    m_log->setFont(Theme::instance().monoFont());
    m_log->setMaximumBlockCount(kMostLines);
    m_log->setMinimumHeight(kLogHeight);
    layout->addWidget(m_log, 1);
    m_empty = new QLabel(tr("What it finds stands here. Press Start."), this);
    m_empty->setObjectName(QStringLiteral("probe_empty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_empty, 1);
    m_result = new QScrollArea(this);
    m_result->setObjectName(QStringLiteral("probe_result"));
    m_result->setWidgetResizable(true);
    m_result->setFrameShape(QFrame::NoFrame);
    m_result->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_result, 4);
    makeButtons();
    // The window's own keys do not reach a dialog.
    QUndoStack* history = workspace.document().undoStack();
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z), this), &QShortcut::activated, history, &QUndoStack::undo);
    for (const QKeySequence& keys :
         {QKeySequence(Qt::CTRL | Qt::Key_Y), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)}) {
        connect(new QShortcut(keys, this), &QShortcut::activated, history, &QUndoStack::redo);
    }

    connect(this, &QDialog::finished, this, [this] {
        m_again = false;
        stop(tr("Stopped. Nothing was changed."));
    });
    connect(&Theme::instance(), &Theme::changed, this,
            [this] { m_icon->setPixmap(severityIcon(m_severity).pixmap(kIconSize)); });
    RunBridge& bridge = workspace.bridge();
    connect(&bridge, &RunBridge::engineChanged, this, [this] {
        if (std::exchange(m_waiting, false)) {
            start();
        }
    });
    connect(&bridge, &RunBridge::runStarting, this, [this] {
        m_again = false;
        stop(tr("Stopped, because a run began. Press Start once it has ended."));
    });
    connect(&workspace.document(), &ProjectDocument::projectChanged, this, [this] {
        ++m_stamp;  // what it would find is not of this project
        clearResult();
        close();
    });
    connect(&workspace.document(), &ProjectDocument::changed, this, &ProbeDialog::updateState);
    clearResult();
    updateState();
}

ProbeDialog::~ProbeDialog() {
    if (m_control) {
        m_control->requestStop();
    }
}

void ProbeDialog::makeButtons() {
    auto* below = new QHBoxLayout;
    below->setSpacing(space::kSmall);
    m_apply = new QPushButton(this);
    m_apply->setObjectName(QStringLiteral("probe_apply"));
    m_apply->setAutoDefault(false);
    m_saveTrace = new QPushButton(icon(QStringLiteral("save")), tr("Save trace…"), this);
    m_saveTrace->setObjectName(QStringLiteral("probe_save_trace"));
    m_saveTrace->setToolTip(
        tr("Profile again and write each operation of LibTorch to a file, for chrome://tracing or Perfetto"));
    m_saveTrace->setAutoDefault(false);
    m_applied = new QLabel(this);
    m_applied->setObjectName(QStringLiteral("probe_applied"));
    m_applied->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_apply, &QPushButton::clicked, this, &ProbeDialog::apply);
    connect(m_saveTrace, &QPushButton::clicked, this, &ProbeDialog::askTrace);
    below->addWidget(m_apply);
    below->addWidget(m_saveTrace);
    below->addWidget(m_applied, 1);
    below->addWidget(buttons);
    static_cast<QVBoxLayout*>(layout())->addLayout(below);
    nameDialogButtons(*this);
}

void ProbeDialog::showFields() {
    setWindowTitle(probeTitle(m_kind));
    m_intro->setText(introOf(m_kind));
    m_fields->setKind(m_kind);
}

session::ProbeRequest ProbeDialog::request() const {
    session::ProbeRequest made = m_fields->request();
    made.project = m_workspace.document().project();
    made.trace = bytes(m_trace);
    made.counted = [count = m_count](std::int64_t done, std::int64_t total) {
        count->total = total;
        count->done = done;
    };
    return made;
}

void ProbeDialog::begin(ProbeKind kind) {
    const bool goesOn = isBusy() && kind == m_kind && !m_again && m_stopReason.isEmpty();
    if (!goesOn) {
        m_kind = kind;
        m_trace.clear();
        clearResult();
        showFields();
    }
    if (!isVisible()) {
        m_fields->updateGeometry();
        layout()->activate();  // with this kind's fields alone
        resize(withinScreen(size()));
    }
    show();
    raise();
    activateWindow();
    if (!goesOn) {
        start();
    }
}

bool ProbeDialog::canStart() {
    const RunBridge& bridge = m_workspace.bridge();
    if (!m_workspace.document().isOpen()) {
        return false;
    }
    if (bridge.isActive()) {
        say(Severity::Warning, tr("A run is on, and both would share processor and memory. Stop the run or wait for "
                                  "its end, then press Start."));
        return false;
    }
    if (!m_workspace.sweep().isEmpty()) {
        say(Severity::Warning, tr("A sweep is on, and both would share processor and memory. Stop the sweep or wait "
                                  "for its end, then press Start."));
        return false;
    }
    if (bridge.engineState() == EngineState::Missing && bridge.engineError()) {
        say(Severity::Critical, errorSentence(*bridge.engineError()));
        return false;
    }
    if (bridge.engineState() != EngineState::Ready) {
        m_waiting = true;
        say(Severity::Info, tr("LibTorch is being loaded…"));
        return false;
    }
    return true;
}

void ProbeDialog::start() {
    if (m_control) {  // the one before ends first
        m_again = true;
        stop(tr("Stopping…"));
        return;
    }
    clearResult();
    m_count.reset();
    showProgress();
    if (!canStart()) {
        m_trace.clear();
        updateState();
        return;
    }
    const auto engine = m_workspace.bridge().engine();
    m_control = std::make_shared<RunControl>();
    m_count = std::make_shared<Count>();
    m_stopReason.clear();
    say(Severity::None, tr("Starting…"));
    const quint64 stamp = ++m_stamp;
    const QPointer<ProbeDialog> dialog(this);
    const auto progress = [dialog, stamp](const std::string& line) {
        // Comes from the thread of the experiment.
        QMetaObject::invokeMethod(
            qApp,
            [dialog, line, stamp] {
                if (dialog && dialog->m_stamp == stamp && dialog->m_control && dialog->m_stopReason.isEmpty()) {
                    dialog->say(Severity::None, engineSentence(line));
                    dialog->m_log->appendPlainText(engineSentence(line));
                }
            },
            Qt::QueuedConnection);
    };
    runInBackground(
        this,
        [engine, request = request(), control = m_control, progress] {
            return work(*engine, request, *control, progress);
        },
        [this, stamp](const Result<Json>& report) {
            const bool stopped = m_control && m_control->stopRequested();
            m_control.reset();
            m_trace.clear();
            if (std::exchange(m_again, false)) {
                start();
            } else if (stamp == m_stamp) {
                take(report, stopped);
            }
            updateState();
        });
    updateState();
}

void ProbeDialog::showProgress() {
    const std::int64_t total = m_count ? m_count->total.load() : 0, done = m_count ? m_count->done.load() : 0;
    if (total <= 0) {  // not known yet: the data are being opened
        m_progress->setRange(0, 0);
        m_progress->setTextVisible(false);
        return;
    }
    m_progress->setRange(0, kProgressSteps);
    m_progress->setValue(static_cast<int>(done * kProgressSteps / total));
    m_progress->setTextVisible(true);
    m_progress->setFormat(
        tr("%1 of %2")
            .arg(QLocale().toString(static_cast<qlonglong>(done)), QLocale().toString(static_cast<qlonglong>(total))));
}

void ProbeDialog::stop(const QString& reason) {
    if (m_control) {
        m_stopReason = reason;
        m_control->requestStop();
        say(Severity::Info, tr("Stopping…"));
    } else if (std::exchange(m_waiting, false)) {
        say(Severity::Info, reason);
    }
    updateState();
}

void ProbeDialog::take(const Result<Json>& report, bool stopped) {
    if (!report) {
        stopped ? say(Severity::Info, m_stopReason) : say(Severity::Critical, errorSentence(report.error()));
        return;
    }
    const ProbeView view = makeProbeView(m_kind, *report, m_workspace, m_result);
    m_result->setWidget(view.widget);
    m_change = view.change;
    say(view.severity, view.sentence);
}

void ProbeDialog::say(Severity severity, const QString& sentence) {
    m_severity = severity;
    m_icon->setPixmap(severityIcon(severity).pixmap(kIconSize));
    m_icon->setVisible(severity != Severity::None);
    m_icon->setAccessibleName(severity == Severity::None ? QString() : severityName(severity));
    m_sentence->setText(sentence);
    m_sentence->setAccessibleName(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
}

void ProbeDialog::clearResult() {
    delete m_result->takeWidget();
    m_change.reset();
    m_log->clear();
    m_applied->clear();
    say(Severity::None, {});
    updateState();
}

void ProbeDialog::updateState() {
    const bool busy = isBusy(), found = m_result->widget() != nullptr;
    const bool lines = !m_log->document()->isEmpty();
    m_fields->startButton()->setText(found || lines ? tr("Start again") : tr("Start"));
    m_fields->startButton()->setEnabled(!busy && !m_waiting && m_workspace.document().isOpen());
    m_fields->stopButton()->setEnabled((busy && m_stopReason.isEmpty()) || m_waiting);
    m_progress->setVisible(busy || m_waiting);
    busy ? m_look.start() : m_look.stop();
    m_result->setVisible(found);
    m_log->setVisible(!found && (busy || lines));
    m_empty->setVisible(!found && !busy && !lines &&
                        m_severity < Severity::Warning);  // a warning says itself what to do
    m_saveTrace->setVisible(m_kind == ProbeKind::kProfile);
    m_saveTrace->setEnabled(!busy && found);
    m_apply->setVisible(m_change.has_value());
    if (m_change && m_workspace.document().isOpen()) {
        const auto isSet = [this](const QString& setting, const QJsonValue& value) {
            const QJsonValue now = m_workspace.document().setting(setting);
            return now.isDouble() && now.toDouble() == value.toDouble();
        };
        const bool set = isSet(m_change->setting, m_change->value) &&
                         std::all_of(m_change->others.begin(), m_change->others.end(),
                                     [&](const auto& other) { return isSet(other.first, other.second); });
        m_apply->setText(m_change->button);
        m_apply->setEnabled(!set && !busy);
        m_applied->setText(set ? m_change->done : QString());
    }
}

void ProbeDialog::apply() {
    if (!m_change) {
        return;
    }
    if (const Status set = m_change->others.empty()
                               ? m_workspace.document().setSetting(m_change->setting, m_change->value)
                               : setTogether(m_workspace.document(), *m_change);
        !set) {
        m_applied->setText(errorSentence(set.error()));
    }
}

void ProbeDialog::askTrace() {
    auto* dialog =
        new QFileDialog(this, tr("Save trace"), text(m_workspace.document().folder()), tr("Chrome trace (*.json)"));
    dialog->setObjectName(QStringLiteral("dialog_probe_trace"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->selectFile(QStringLiteral("trace.json"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        m_trace = file;
        start();
    });
    dialog->open();
}

}  // namespace plumbline::gui
