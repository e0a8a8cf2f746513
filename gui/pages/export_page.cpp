// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/export_page.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QUrl>
#include <QVBoxLayout>

#include "gui/background.h"
#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/engine_text.h"
#include "gui/pages/run_table_model.h"
#include "gui/workspace.h"
#include "session/export_formats.h"
#include "session/run_files.h"
#include "store/run_store.h"
#include "widgets/accent_icon.h"
#include "widgets/icons.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr int kFormWidth = 640;

Result<session::ExportRequest> makeRequest(const project::Project& project, const std::filesystem::path& runFolder) {
    session::ExportRequest request;
    request.project = project;
    if (!runFolder.empty()) {
        PLUMBLINE_ASSIGN(request.project, session::projectOfRun(runFolder, project.folder));
        PLUMBLINE_ASSIGN(request.checkpoint, session::checkpointOfRun(runFolder));
    }
    return request;
}

/// What was compared and how far it was apart at most.
QString comparedText(const session::ExportReport& report) {
    if (!report.forwardMax) {
        return ExportPage::tr("every tensor of the file was read back");
    }
    const QString forward = QString::number(*report.forwardMax, 'g', 3);
    return report.trainingMax
               ? ExportPage::tr("largest difference %1 in the forward pass, %2 after five training steps")
                     .arg(forward, QString::number(*report.trainingMax, 'g', 3))
               : ExportPage::tr("largest difference %1 in the forward pass").arg(forward);
}

}  // namespace

ExportPage::ExportPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kHuge, space::kHuge, space::kHuge, space::kHuge);
    layout->setSpacing(space::kMedium);
    makeForm(layout);
    connect(&workspace.bridge(), &RunBridge::engineChanged, this, &ExportPage::updateState);
    connect(&workspace.bridge(), &RunBridge::finished, this, &ExportPage::loadRuns);
    connect(&workspace.document(), &ProjectDocument::projectChanged, this, [this] {
        ++m_stamp;  // an export of the project before is not shown in this one
        if (m_control) {
            m_control->requestStop();
            m_control.reset();
        }
        m_folder->clear();
        m_written.clear();
        m_files->clear();
        m_verdict->clear();
        m_log->clear();
        m_weights->clear();
        m_chosenByHand = false;
        showResult();
        loadRuns();
    });
    updateState();
}

ExportPage::~ExportPage() {
    if (m_control) {
        m_control->requestStop();
    }
}

void ExportPage::makeForm(QVBoxLayout* layout) {
    auto* heading = new QLabel(tr("Take the model away"), this);
    heading->setFont(Theme::instance().titleFont());
    layout->addWidget(heading);
    auto* box = new QWidget(this);
    box->setMaximumWidth(kFormWidth);
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(space::kSmall);

    m_format = new QComboBox(box);
    m_format->setObjectName(QStringLiteral("export_format"));
    m_format->setAccessibleName(tr("Format"));
    for (const session::ExportFormat& format : session::exportFormats()) {
        m_format->addItem(engineText(format.title), QLatin1String(format.name));
    }
    form->addRow(tr("For&mat"), m_format);
    m_formatHelp = new QLabel(box);
    m_formatHelp->setWordWrap(true);
    m_formatHelp->setForegroundRole(QPalette::PlaceholderText);
    form->addRow(QString(), m_formatHelp);
    m_weights = new QComboBox(box);
    m_weights->setObjectName(QStringLiteral("export_weights"));
    m_weights->setAccessibleName(tr("Weights"));
    form->addRow(tr("&Weights"), m_weights);
    m_warning = new QLabel(box);
    m_warning->setObjectName(QStringLiteral("export_warning"));
    m_warning->setWordWrap(true);
    m_warning->hide();
    form->addRow(QString(), m_warning);
    auto* folderRow = new QHBoxLayout;
    m_folder = new QLineEdit(box);
    m_folder->setObjectName(QStringLiteral("export_folder"));
    m_folder->setAccessibleName(tr("Folder"));
    m_folder->setPlaceholderText(tr("A new folder"));
    auto* browse = new QPushButton(icon(QStringLiteral("folder")), tr("Browse…"), box);
    browse->setObjectName(QStringLiteral("export_browse"));
    folderRow->addWidget(m_folder, 1);
    folderRow->addWidget(browse);
    auto* folderLabel = new QLabel(tr("F&older"), box);
    folderLabel->setBuddy(m_folder);
    form->addRow(folderLabel, folderRow);
    m_verify = new QCheckBox(tr("Build or load it and compare the numbers"), box);
    m_verify->setObjectName(QStringLiteral("export_verify"));
    m_verify->setChecked(true);
    form->addRow(QString(), m_verify);
    auto* buttons = new QHBoxLayout;
    m_export = new QPushButton(tr("Export"), box);
    setAccentIcon(*m_export, QStringLiteral("export"));
    m_export->setObjectName(QStringLiteral("export_start"));
    m_export->setDefault(true);
    m_cancel = new QPushButton(tr("Cancel"), box);
    m_cancel->setObjectName(QStringLiteral("export_cancel"));
    buttons->addWidget(m_export);
    buttons->addWidget(m_cancel);
    buttons->addStretch(1);
    form->addRow(QString(), buttons);
    layout->addWidget(box);

    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("export_progress"));
    m_progress->setAccessibleName(tr("Progress of the export"));
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(kFormWidth);
    m_state = new QLabel(this);
    m_state->setObjectName(QStringLiteral("export_state"));
    m_state->setWordWrap(true);
    m_verdict = new QLabel(this);
    m_verdict->setObjectName(QStringLiteral("export_verdict"));
    m_verdict->setWordWrap(true);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_files = new QListWidget(this);
    m_files->setObjectName(QStringLiteral("export_files"));
    m_files->setAccessibleName(tr("Files written"));
    layout->addWidget(m_progress);
    layout->addWidget(m_state);
    layout->addWidget(m_verdict);
    m_noFiles = new QLabel(tr("The files of the export are listed here. Choose a format and press Export."), this);
    m_noFiles->setObjectName(QStringLiteral("export_no_files"));
    m_noFiles->setWordWrap(true);
    m_noFiles->setAlignment(Qt::AlignCenter);
    m_noFiles->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_files, 1);
    layout->addWidget(m_noFiles, 1);
    connect(m_files->model(), &QAbstractItemModel::rowsInserted, this, &ExportPage::showFiles);
    connect(m_files->model(), &QAbstractItemModel::modelReset, this, &ExportPage::showFiles);
    showFiles();
    m_log = new QPlainTextEdit(this);
    m_log->setTabChangesFocus(true);
    m_log->setObjectName(QStringLiteral("export_log"));
    m_log->setAccessibleName(tr("Log of the check"));
    m_log->setReadOnly(true);
    m_log->setFont(Theme::instance().monoFont());
    m_log->setMaximumBlockCount(5000);
    layout->addWidget(m_log, 2);
    m_openFolder = new QPushButton(icon(QStringLiteral("open")), tr("Open folder"), this);
    m_openFolder->setObjectName(QStringLiteral("export_open_folder"));
    auto* below = new QHBoxLayout;
    below->addWidget(m_openFolder);
    below->addStretch(1);
    layout->addLayout(below);
    connect(m_openFolder, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_written)); });
    connect(m_weights, &QComboBox::currentIndexChanged, this, &ExportPage::judgeWeights);
    connect(m_weights, &QComboBox::activated, this, [this] { m_chosenByHand = true; });
    showResult();

    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportPage::suggestFolder);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportPage::updateState);
    connect(m_folder, &QLineEdit::textChanged, this, &ExportPage::updateState);
    connect(browse, &QPushButton::clicked, this, &ExportPage::chooseFolder);
    connect(m_export, &QPushButton::clicked, this, &ExportPage::start);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_control) {
            m_control->requestStop();
        }
    });
    connect(m_files, &QListWidget::itemActivated, this,
            [](QListWidgetItem* item) { QDesktopServices::openUrl(QUrl::fromLocalFile(item->text())); });
}

void ExportPage::showFiles() {
    m_files->setVisible(m_files->count() > 0);
    m_noFiles->setVisible(m_files->count() == 0);
}

void ExportPage::activated() {
    loadRuns();
}

bool ExportPage::showRun(const QString& run) {
    m_wantedRun = run;
    loadRuns();
    return true;
}

void ExportPage::loadRuns() {
    if (!workspace().document().isOpen()) {
        m_weights->clear();
        updateState();
        return;
    }
    const std::filesystem::path folder = workspace().document().runsFolder();
    const quint64 stamp = ++m_listStamp;
    struct Listed {
        Result<std::vector<store::RunInfo>> runs;
        QString best;
    };
    runInBackground(
        this,
        [folder] {
            const auto best = store::findRun(folder, "best");
            return Listed{store::listRuns(folder), best ? text(best->id) : QString()};
        },
        [this, stamp](const Listed& listed) {
            if (stamp != m_listStamp) {
                return;
            }
            const QString kept = m_chosenByHand ? m_weights->currentData().toString() : QString();
            const QString wanted = !m_wantedRun.isEmpty() ? m_wantedRun : !kept.isEmpty() ? kept : listed.best;
            m_wantedRun.clear();
            const QSignalBlocker quiet(m_weights);
            m_weights->clear();
            if (listed.runs) {
                for (const store::RunInfo& run : *listed.runs) {
                    const QString name = text(run.name.empty() ? run.id : run.name);
                    const QString line = tr("Run %1 · %2").arg(name, statusText(run.status));
                    m_weights->addItem(text(run.id) == listed.best ? tr("%1 · best").arg(line) : line, text(run.id));
                }
            }
            m_weights->addItem(tr("Initial weights of the seed"), QString());
            m_weights->setCurrentIndex(std::max(0, m_weights->findData(wanted)));
            judgeWeights();
            updateState();
        });
    suggestFolder();
}

void ExportPage::suggestFolder() {
    if (!workspace().document().isOpen()) {
        return;
    }
    // What a person wrote stays.
    if (m_folder->text().isEmpty() || m_folder->text() == m_suggested) {
        m_suggested = text(workspace().document().folder() / "exports" / filePath(m_format->currentData().toString()));
        m_folder->setText(m_suggested);
    }
}

void ExportPage::judgeWeights() {
    m_warning->hide();
    const quint64 stamp = ++m_judgeStamp;
    const QString run = m_weights->currentData().toString();
    if (run.isEmpty() || !workspace().document().isOpen()) {
        return;
    }
    runInBackground(
        this,
        [folder = workspace().document().runsFolder() / filePath(run)]() -> Result<std::vector<diagnostics::Finding>> {
            PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(folder));
            return reader->findings();
        },
        [this, stamp](const Result<std::vector<diagnostics::Finding>>& findings) {
            if (stamp != m_judgeStamp || !findings) {
                return;
            }
            QStringList critical;
            for (const diagnostics::Finding& finding : *findings) {
                if (finding.severity == graph::Severity::kCritical && !critical.contains(text(finding.detector))) {
                    critical << text(finding.detector);
                }
            }
            m_warning->setVisible(!critical.isEmpty());
            m_warning->setText(
                tr("This run has critical findings: %1. Look at them on the Runs page before you rely on its weights.")
                    .arg(critical.join(QStringLiteral(", "))));
        });
}

void ExportPage::showResult() {
    m_log->setVisible(!m_log->document()->isEmpty());
    m_openFolder->setVisible(!m_written.isEmpty());
}

void ExportPage::updateState() {
    m_formatHelp->setText(
        engineText(session::exportFormats()[static_cast<std::size_t>(std::max(0, m_format->currentIndex()))].summary));
    const bool busy = m_control != nullptr;
    const RunBridge& bridge = workspace().bridge();
    const bool ready = bridge.engineState() == EngineState::Ready;
    m_export->setEnabled(!busy && ready && workspace().document().isOpen() && !m_folder->text().trimmed().isEmpty());
    m_cancel->setVisible(busy);
    m_progress->setVisible(busy);
    if (!busy && !ready) {
        m_state->setText(bridge.engineState() == EngineState::Missing && bridge.engineError()
                             ? errorSentence(*bridge.engineError())
                             : tr("LibTorch is being loaded…"));
    } else if (!busy) {
        m_state->clear();
    }
}

void ExportPage::chooseFolder() {
    auto* dialog = new QFileDialog(this, tr("Choose an empty folder"), text(workspace().document().folder()));
    dialog->setObjectName(QStringLiteral("dialog_export_folder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, m_folder, &QLineEdit::setText);
    dialog->open();
}

void ExportPage::start() {
    const auto snapshot = workspace().document().snapshot();
    const QString run = m_weights->currentData().toString();
    const std::filesystem::path runFolder =
        run.isEmpty() ? std::filesystem::path() : workspace().document().runsFolder() / filePath(run);
    const std::string format = bytes(m_format->currentData().toString());
    const std::filesystem::path folder = filePath(m_folder->text().trimmed());
    const bool verify = m_verify->isChecked();
    const auto engine = workspace().bridge().engine();
    m_control = std::make_shared<RunControl>();
    m_files->clear();
    m_verdict->clear();
    m_log->clear();
    m_written.clear();
    showResult();
    m_state->setText(tr("Exporting…"));
    updateState();
    const quint64 stamp = ++m_stamp;
    const QPointer<ExportPage> page(this);
    const auto progress = [page, stamp](const std::string& line) {
        // Comes from the export's thread.
        QMetaObject::invokeMethod(
            qApp,
            [page, line, stamp] {
                if (page && page->m_stamp == stamp) {
                    page->m_state->setText(engineSentence(line));
                    page->m_log->appendPlainText(text(line));
                    page->showResult();
                }
            },
            Qt::QueuedConnection);
    };
    runInBackground(
        this,
        [=, control = m_control]() -> Result<session::ExportReport> {
            PLUMBLINE_ASSIGN(session::ExportRequest request, makeRequest(*snapshot, runFolder));
            request.format = format;
            request.folder = folder;
            request.verify = verify;
            return engine->exportModel(request, *control, progress);
        },
        [this, stamp, written = text(folder)](Result<session::ExportReport> report) {
            if (stamp == m_stamp) {
                m_control.reset();
                m_written = report ? written : QString();
                updateState();
                show(report);
            }
        });
}

void ExportPage::show(const Result<session::ExportReport>& report) {
    if (!report) {
        m_state->setText(errorSentence(report.error()));
        return;
    }
    m_state->setText(tr("%n files were written.", nullptr, static_cast<int>(report->files.size())));
    for (const std::string& file : report->files) {
        m_files->addItem(text(file));
    }
    if (!report->log.empty()) {
        m_log->appendPlainText(text(report->log));
    }
    for (const std::string& note : report->notes) {
        m_log->appendPlainText(engineSentence(note));
    }
    for (const std::string& command : report->commands) {
        m_log->appendPlainText(text(command));
    }
    showResult();
    if (!report->checked) {
        return;
    }
    const QString numbers = comparedText(*report);
    m_verdict->setText(report->passed ? tr("The numbers are the same: %1.").arg(numbers)
                                      : tr("The numbers differ: %1.").arg(numbers));
}

}  // namespace plumbline::gui
