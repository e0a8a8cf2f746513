// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/probe_dialog.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QDoubleValidator>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSpinBox>
#include <QUndoStack>
#include <QVBoxLayout>
#include <utility>

#include "graph/refusal.h"
#include "gui/background.h"
#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/engine_sentence.h"
#include "gui/screen_room.h"
#include "gui/workspace.h"
#include "session/engine.h"
#include "widgets/accent_icon.h"
#include "widgets/icons.h"
#include "widgets/shrinking_row.h"

namespace plumbline::gui {

using namespace widgets;
using session::ProbeKind;

namespace {

constexpr int kMost = 1'000'000, kMostProfiled = 10'000, kFewestRates = 10;
constexpr int kOverfitSteps = 200, kProfileSteps = 20;
constexpr int kLogHeight = 96, kMostLines = 5000;
constexpr double kBytesInMegabyte = 1e6;
constexpr QSize kUsual(900, 720);

QString introOf(ProbeKind kind) {
    switch (kind) {
        case ProbeKind::kPreflight: return ProbeDialog::tr("Trains on two batches and validates two, with every detector on. No run is made.");
        case ProbeKind::kLearningRate: return ProbeDialog::tr("Trains while the rate rises from step to step, and looks where the loss falls fastest (Smith 2017). No run is made.");
        case ProbeKind::kBatchSize: return ProbeDialog::tr("Doubles the batch until memory or samples end, and takes the smallest that is about as fast as the best. No run is made.");
        case ProbeKind::kOverfit: return ProbeDialog::tr("Trains on the first batch over and over: a model that cannot learn it by heart will learn nothing else. No run is made.");
        case ProbeKind::kProfile: break;
    }
    return ProbeDialog::tr("Looks at where the time and the memory of some steps go. No run is made.");
}

session::ProbeRequest usual(ProbeKind kind) {
    session::ProbeRequest request;
    request.kind = kind;
    request.steps = kind == ProbeKind::kOverfit ? kOverfitSteps : kind == ProbeKind::kProfile ? kProfileSteps : request.steps;
    return request;
}

/// As `plumbline check` first: what would stop a run stops this.
Result<Json> work(session::Engine& engine, const session::ProbeRequest& request, RunControl& control, const std::function<void(const std::string&)>& progress) {
    PLUMBLINE_TRY(graph::refuseCritical(project::checkProject(request.project, ProjectDocument::registry()).problems));
    return engine.probe(request, control, progress);
}

}  // namespace

QString probeTitle(ProbeKind kind) {
    switch (kind) {
        case ProbeKind::kPreflight: return ProbeDialog::tr("Preflight");
        case ProbeKind::kLearningRate: return ProbeDialog::tr("Find learning rate");
        case ProbeKind::kBatchSize: return ProbeDialog::tr("Find batch size");
        case ProbeKind::kOverfit: return ProbeDialog::tr("Overfit one batch");
        case ProbeKind::kProfile: break;
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
    makeFields();
    layout->addWidget(m_fields);
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("probe_progress"));
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
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
    for (const QKeySequence& keys : {QKeySequence(Qt::CTRL | Qt::Key_Y), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)}) {
        connect(new QShortcut(keys, this), &QShortcut::activated, history, &QUndoStack::redo);
    }

    connect(this, &QDialog::finished, this, [this] {
        m_again = false;
        stop(tr("Stopped. Nothing was changed."));
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { m_icon->setPixmap(severityIcon(m_severity).pixmap(kIconSize)); });
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

QSpinBox* ProbeDialog::spinBox(const QString& name, const QString& label, int least, int most) {
    auto* box = new QSpinBox(m_fields);
    box->setRange(least, most);
    box->setGroupSeparatorShown(true);
    box->setObjectName(name);
    box->setAccessibleName(label);
    auto* caption = new QLabel(label, m_fields);
    caption->setObjectName(name + QStringLiteral("_label"));
    static_cast<ShrinkingRow*>(m_fields)->row()->addWidget(caption);
    static_cast<ShrinkingRow*>(m_fields)->row()->addWidget(box);
    return box;
}

QLineEdit* ProbeDialog::rateField(const QString& name, const QString& label) {
    auto* field = new QLineEdit(m_fields);
    auto* validator = new QDoubleValidator(0, kMost, 15, field);
    validator->setLocale(QLocale::c());
    validator->setNotation(QDoubleValidator::ScientificNotation);
    field->setValidator(validator);
    field->setObjectName(name);
    field->setAccessibleName(label);
    field->setMaximumWidth(field->fontMetrics().horizontalAdvance(QStringLiteral("0.00000000")) + 2 * space::kSmall);
    auto* caption = new QLabel(label, m_fields);
    caption->setObjectName(name + QStringLiteral("_label"));
    static_cast<ShrinkingRow*>(m_fields)->row()->addWidget(caption);
    static_cast<ShrinkingRow*>(m_fields)->row()->addWidget(field);
    return field;
}

void ProbeDialog::makeFields() {
    auto* strip = new ShrinkingRow(this);
    m_fields = strip;
    strip->row()->setContentsMargins(0, 0, 0, 0);
    strip->row()->setSpacing(space::kSmall);
    m_batches = spinBox(QStringLiteral("probe_batches"), tr("Batches of each split"), 1, kMost);
    m_lowest = rateField(QStringLiteral("probe_lowest"), tr("From rate"));
    m_highest = rateField(QStringLiteral("probe_highest"), tr("to rate"));
    m_largest = spinBox(QStringLiteral("probe_largest"), tr("Largest batch"), 1, kMost);
    m_budget = spinBox(QStringLiteral("probe_budget"), tr("Memory for tensors"), 0, kMost);
    m_budget->setSuffix(tr(" MB"));
    m_budget->setSpecialValueText(tr("four fifths of what is free"));
    m_steps = spinBox(QStringLiteral("probe_steps"), tr("Steps"), 1, kMost);
    strip->row()->addStretch(1);
    m_start = new QPushButton(tr("Start"), strip);
    setAccentIcon(*m_start, QStringLiteral("run"));
    m_start->setObjectName(QStringLiteral("probe_start"));
    m_start->setDefault(true);
    m_stop = new QPushButton(icon(QStringLiteral("stop")), tr("Stop"), strip);
    m_stop->setObjectName(QStringLiteral("probe_stop"));
    m_stop->setAutoDefault(false);
    strip->row()->addWidget(m_start);
    strip->row()->addWidget(m_stop);
    connect(m_start, &QPushButton::clicked, this, &ProbeDialog::start);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_again = false;
        stop(tr("Stopped. Nothing was changed."));
    });
}

void ProbeDialog::makeButtons() {
    auto* below = new QHBoxLayout;
    below->setSpacing(space::kSmall);
    m_apply = new QPushButton(this);
    m_apply->setObjectName(QStringLiteral("probe_apply"));
    m_apply->setAutoDefault(false);
    m_saveTrace = new QPushButton(icon(QStringLiteral("save")), tr("Save trace…"), this);
    m_saveTrace->setObjectName(QStringLiteral("probe_save_trace"));
    m_saveTrace->setToolTip(tr("Profile again and write each operation of LibTorch to a file, for chrome://tracing or Perfetto"));
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

void ProbeDialog::setField(QWidget* field, bool shown) {
    field->setVisible(shown);
    findChild<QLabel*>(field->objectName() + QStringLiteral("_label"))->setVisible(shown);
}

void ProbeDialog::showFields() {
    const session::ProbeRequest values = usual(m_kind);
    setWindowTitle(probeTitle(m_kind));
    m_intro->setText(introOf(m_kind));
    const bool rate = m_kind == ProbeKind::kLearningRate, batch = m_kind == ProbeKind::kBatchSize;
    setField(m_batches, m_kind == ProbeKind::kPreflight);
    setField(m_lowest, rate);
    setField(m_highest, rate);
    setField(m_largest, batch);
    setField(m_budget, batch);
    setField(m_steps, m_kind != ProbeKind::kPreflight && !batch);
    m_steps->setRange(rate ? kFewestRates : 1, m_kind == ProbeKind::kProfile ? kMostProfiled : kMost);
    m_batches->setValue(static_cast<int>(values.batches));
    m_lowest->setText(QString::number(values.lowest));
    m_highest->setText(QString::number(values.highest));
    m_largest->setValue(static_cast<int>(values.largest));
    m_budget->setValue(0);
    m_steps->setValue(static_cast<int>(values.steps));
}

session::ProbeRequest ProbeDialog::request() const {
    session::ProbeRequest made = usual(m_kind);
    made.project = m_workspace.document().project();
    made.batches = m_batches->value();
    made.lowest = m_lowest->text().toDouble();
    made.highest = m_highest->text().toDouble();
    made.steps = m_steps->value();
    made.largest = m_largest->value();
    made.budgetBytes = static_cast<std::int64_t>(m_budget->value() * kBytesInMegabyte);
    made.trace = bytes(m_trace);
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
        say(Severity::Warning, tr("A run is on, and both would share processor and memory. Stop the run or wait for its end, then press Start."));
        return false;
    }
    if (bridge.engineState() == EngineState::Missing && bridge.engineError()) {
        say(Severity::Critical, engineSentence(toSentence(*bridge.engineError())));
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
    if (!canStart()) {
        m_trace.clear();
        updateState();
        return;
    }
    const auto engine = m_workspace.bridge().engine();
    m_control = std::make_shared<RunControl>();
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
        this, [engine, request = request(), control = m_control, progress] { return work(*engine, request, *control, progress); },
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
        stopped ? say(Severity::Info, m_stopReason) : say(Severity::Critical, engineSentence(toSentence(report.error())));
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
    m_start->setText(found || lines ? tr("Start again") : tr("Start"));
    m_start->setEnabled(!busy && !m_waiting && m_workspace.document().isOpen());
    m_stop->setEnabled((busy && m_stopReason.isEmpty()) || m_waiting);
    m_progress->setVisible(busy || m_waiting);
    m_result->setVisible(found);
    m_log->setVisible(!found && (busy || lines));
    m_empty->setVisible(!found && !busy && !lines && m_severity < Severity::Warning);  // a warning says itself what to do
    m_saveTrace->setVisible(m_kind == ProbeKind::kProfile);
    m_saveTrace->setEnabled(!busy && found);
    m_apply->setVisible(m_change.has_value());
    if (m_change && m_workspace.document().isOpen()) {
        const QJsonValue now = m_workspace.document().setting(m_change->setting);
        const bool set = now.isDouble() && now.toDouble() == m_change->value.toDouble();
        m_apply->setText(m_change->button);
        m_apply->setEnabled(!set && !busy);
        m_applied->setText(set ? m_change->done : QString());
    }
}

void ProbeDialog::apply() {
    if (!m_change) {
        return;
    }
    if (const Status set = m_workspace.document().setSetting(m_change->setting, m_change->value); !set) {
        m_applied->setText(engineSentence(toSentence(set.error())));
    }
}

void ProbeDialog::askTrace() {
    auto* dialog = new QFileDialog(this, tr("Save trace"), text(m_workspace.document().folder()), tr("Chrome trace (*.json)"));
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
