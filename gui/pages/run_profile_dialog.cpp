// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/run_profile_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>
#include <exception>
#include <utility>

#include "gui/background.h"
#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/engine_sentence.h"
#include "gui/pages/probe_results.h"
#include "gui/screen_room.h"
#include "gui/workspace.h"
#include "session/live_commands.h"
#include "session/run_files.h"
#include "widgets/accent_icon.h"
#include "widgets/icons.h"
#include "widgets/shrinking_row.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr QSize kUsual(900, 720);
constexpr int kUsualSteps = 10;

/// The Train page and the Runs page have a dialog each, and both hear all answers of the run.
QString nextAsked() {
    static int s_dialogs = 0;
    return QStringLiteral("window-profile-%1").arg(++s_dialogs);
}

/// What an event says instead of a profile, as a sentence for a person: a text, or an error with message and hint.
QString errorOf(const Json& told) {
    const auto word = [&](const char* key) {
        return told.is_object() && told.contains(key) && told.at(key).is_string() ? told.at(key).get<std::string>()
                                                                                  : std::string();
    };
    if (told.is_string()) {
        return engineSentence(told.get<std::string>());
    }
    const Error error{ErrorKind::kMachine, word("code"), word("message"), {}, word("hint")};
    return errorSentence(error);
}

/// A report with the place of its trace, where that is still there.
Result<Json> readReport(const std::filesystem::path& file) {
    PLUMBLINE_ASSIGN(Json report, readJsonFile(file));
    const Json name = report.is_object() ? report.value("trace", Json()) : Json();
    if (name.is_string()) {
        const std::filesystem::path trace =
            file.parent_path() / std::filesystem::path(name.get<std::string>()).filename();
        std::error_code error;
        report["trace"] = std::filesystem::is_regular_file(trace, error) ? trace.string() : std::string();
    }
    return report;
}

/// "step-000000120.json" is 120.
QString stepOf(const std::filesystem::path& file) {
    return QString::number(text(file.stem().string()).section(QLatin1Char('-'), 1).toLongLong());
}

}  // namespace

RunProfileDialog::RunProfileDialog(Workspace& workspace, QWidget* parent)
    : QDialog(parent), m_workspace(workspace), m_asked(nextAsked()) {
    setObjectName(QStringLiteral("dialog_run_profile"));
    setModal(false);
    resize(withinScreen(kUsual));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    layout->setSpacing(space::kMedium);
    auto* intro = new QLabel(
        tr("Looks at where the time and the memory of the run's next steps go. No number of the run changes."), this);
    intro->setWordWrap(true);
    intro->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(intro);
    layout->addWidget(makeControls());
    auto* told = new QHBoxLayout;
    told->setSpacing(space::kSmall);
    m_icon = new QLabel(this);
    m_sentence = new QLabel(this);
    m_sentence->setObjectName(QStringLiteral("run_profile_sentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    told->addWidget(m_icon, 0, Qt::AlignTop);
    told->addWidget(m_sentence, 1);
    layout->addLayout(told);
    m_empty = new QLabel(this);
    m_empty->setObjectName(QStringLiteral("run_profile_empty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_empty, 1);
    m_result = new QScrollArea(this);
    m_result->setObjectName(QStringLiteral("run_profile_result"));
    m_result->setWidgetResizable(true);
    m_result->setFrameShape(QFrame::NoFrame);
    m_result->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_result, 4);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    nameDialogButtons(*this);

    connect(&Theme::instance(), &Theme::changed, this,
            [this] { m_icon->setPixmap(severityIcon(m_severity).pixmap(kIconSize)); });
    RunBridge& bridge = workspace.bridge();
    connect(&bridge, &RunBridge::eventArrived, this, &RunProfileDialog::takeEvent);
    connect(&bridge, &RunBridge::stateChanged, this, &RunProfileDialog::updateState);
    connect(&bridge, &RunBridge::finished, this, [this] {
        if (std::exchange(m_waiting, false)) {
            say(Severity::Info, tr("The run ended before its steps could be looked at."));
        }
        updateState();
    });
    connect(&workspace.document(), &ProjectDocument::projectChanged, this, [this] {
        m_run.clear();
        m_waiting = false;
        clearAll();  // what is being read is not of this project
        say(Severity::None, {});
        updateState();
        close();
    });
    say(Severity::None, {});
    updateState();
}

QWidget* RunProfileDialog::makeControls() {
    auto* strip = new ShrinkingRow(this);
    QHBoxLayout* row = strip->row();
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::kSmall);
    auto* label = new QLabel(tr("&Steps"), strip);
    m_steps = new QSpinBox(strip);
    m_steps->setObjectName(QStringLiteral("run_profile_steps"));
    m_steps->setAccessibleName(tr("Steps"));
    m_steps->setRange(1, static_cast<int>(session::kMostProfiledSteps));
    m_steps->setValue(kUsualSteps);
    m_steps->setGroupSeparatorShown(true);
    label->setBuddy(m_steps);
    m_trace = new QCheckBox(tr("Save a &trace"), strip);
    m_trace->setObjectName(QStringLiteral("run_profile_trace"));
    m_trace->setToolTip(
        tr("Write each operation of LibTorch in as many steps again to a file, for chrome://tracing or Perfetto; 100 "
           "steps at most"));
    connect(m_trace, &QCheckBox::toggled, this, [this](bool on) {
        m_steps->setMaximum(static_cast<int>(on ? session::kMostTracedSteps : session::kMostProfiledSteps));
    });
    m_start = new QPushButton(tr("Profile"), strip);
    setAccentIcon(*m_start, QStringLiteral("run"));
    m_start->setObjectName(QStringLiteral("run_profile_start"));
    m_start->setDefault(true);
    connect(m_start, &QPushButton::clicked, this, &RunProfileDialog::ask);
    m_which = new QComboBox(strip);
    m_which->setObjectName(QStringLiteral("run_profile_which"));
    m_which->setAccessibleName(tr("Profiles of this run"));
    m_which->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_which, &QComboBox::activated, this, &RunProfileDialog::showReport);
    row->addWidget(label);
    row->addWidget(m_steps);
    row->addWidget(m_trace);
    row->addWidget(m_start);
    row->addStretch(1);
    row->addWidget(m_which);
    return strip;
}

bool RunProfileDialog::isOn() const {
    const RunBridge& bridge = m_workspace.bridge();
    return !m_run.isEmpty() && bridge.isActive() && bridge.runId() == m_run &&
           bridge.state() == session::RunState::kRunning;
}

void RunProfileDialog::showRun(const QString& run) {
    if (run != m_run) {
        m_run = run;
        m_waiting = false;
        clearAll();
        say(Severity::None, {});
    }
    setWindowTitle(tr("Profile of run %1").arg(run));
    show();
    raise();
    activateWindow();
    if (!m_waiting) {
        readList();
    }
}

void RunProfileDialog::ask() {
    if (!isOn() || m_waiting) {
        return;
    }
    m_waiting = true;
    m_workspace.bridge().post(QLatin1String(session::kProfileInstruction),
                              Json{{"steps", m_steps->value()}, {"trace", m_trace->isChecked()}}, m_asked);
    say(Severity::None, tr("Looking at the next %n step(s)…", nullptr, m_steps->value()));
    updateState();
}

void RunProfileDialog::takeEvent(const session::Event& event) {
    if (m_run.isEmpty() || m_run != m_workspace.bridge().runId()) {
        return;
    }
    if (event.event == session::kProfileInstruction) {
        m_waiting = false;
        if (event.data.contains("error")) {
            say(Severity::Critical, errorOf(event.data.at("error")));
        } else {
            readList();  // of whoever asked for it
        }
    } else if (event.event == "answer" && event.data.value("id", "") == bytes(m_asked) &&
               !event.data.value("accepted", false)) {
        m_waiting = false;
        const Error refused{ErrorKind::kUsage,
                            event.data.value("code", ""),
                            event.data.value("message", ""),
                            {},
                            event.data.value("hint", "")};
        say(Severity::Warning, errorSentence(refused));
    }
    updateState();
}

void RunProfileDialog::readList() {
    m_listing = true;
    const quint64 stamp = ++m_listStamp;
    const std::filesystem::path folder = m_workspace.document().runsFolder() / filePath(m_run);
    runInBackground(
        this, [folder]() -> Result<std::vector<std::filesystem::path>> { return session::profilesOfRun(folder); },
        [this, stamp](Result<std::vector<std::filesystem::path>> files) {
            if (stamp != m_listStamp) {
                return;
            }
            m_listing = false;
            if (!files) {
                say(Severity::Critical, errorSentence(files.error()));
                updateState();
                return;
            }
            m_files = std::move(*files);
            m_which->clear();
            for (const std::filesystem::path& file : m_files) {
                m_which->addItem(tr("Up to step %1").arg(stepOf(file)));
            }
            if (m_files.empty()) {
                clearAll();
            } else {
                m_which->setCurrentIndex(m_which->count() - 1);
                showReport(m_which->count() - 1);
            }
            updateState();
        });
    updateState();
}

void RunProfileDialog::showReport(int index) {
    m_reading = true;
    const quint64 stamp = ++m_reportStamp;
    runInBackground(
        this, [file = m_files[static_cast<std::size_t>(index)]] { return readReport(file); },
        [this, stamp](const Result<Json>& report) {
            if (stamp == m_reportStamp) {
                m_reading = false;
                takeReport(report);
                updateState();
            }
        });
    updateState();
}

void RunProfileDialog::takeReport(const Result<Json>& report) {
    clearReport();
    if (!report) {
        say(Severity::Critical, errorSentence(report.error()));
        return;
    }
    try {
        QWidget made;  // takes what is half made with it
        const ProbeView view = makeProbeView(session::ProbeKind::kProfile, *report, m_workspace, &made);
        m_result->setWidget(view.widget);
        say(view.severity, view.sentence);
    } catch (const std::exception&) {
        // A file that somebody has written something else into.
        say(Severity::Critical, tr("The file of this profile holds something else. Profile the run again."));
    }
}

void RunProfileDialog::clearAll() {
    ++m_listStamp;
    ++m_reportStamp;
    m_listing = m_reading = false;
    m_files.clear();
    m_which->clear();
    clearReport();
}

void RunProfileDialog::clearReport() {
    delete m_result->takeWidget();
}

void RunProfileDialog::say(Severity severity, const QString& sentence) {
    m_severity = severity;
    m_icon->setPixmap(severityIcon(severity).pixmap(kIconSize));
    m_icon->setVisible(severity != Severity::None);
    m_sentence->setText(sentence);
    m_sentence->setAccessibleName(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
}

void RunProfileDialog::updateState() {
    const bool on = isOn(), found = m_result->widget() != nullptr;
    m_start->setEnabled(on && !m_waiting);
    m_start->setToolTip(on ? QString() : tr("A run is profiled while it takes its steps."));
    m_steps->setEnabled(on && !m_waiting);
    m_trace->setEnabled(on && !m_waiting);
    m_which->setVisible(!m_files.empty());
    m_result->setVisible(found);
    m_empty->setVisible(!found && m_severity < Severity::Warning);
    m_empty->setText(isBusy() ? QString()
                     : on     ? tr("This run has no profile yet. Press Profile.")
                              : tr("This run has no profile."));
}

}  // namespace plumbline::gui
