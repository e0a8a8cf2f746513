// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/file_controller.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QTimer>

#include "core/copy_tree.h"
#include "core/files.h"
#include "gui/background.h"
#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/new_from_data_dialog.h"
#include "gui/new_project_dialog.h"
#include "gui/recent_projects.h"
#include "gui/workspace.h"
#include "store/run_store.h"
#include "widgets/icons.h"

namespace plumbline::gui {

namespace {

QAction* makeAction(QObject* parent, const char* name, const QString& text, const QString& icon,
                    const QKeySequence& shortcut = {}) {
    auto* action = new QAction(widgets::icon(icon), text, parent);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(shortcut);
    return action;
}

constexpr int kGlanceMs = 300;  ///< what takes longer is told

QString documentsFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

}  // namespace

FileController::FileController(Workspace& workspace, QWidget* window)
    : QObject(window), m_workspace(workspace), m_window(window) {
    newAction = makeAction(this, "action_new", tr("New…"), QStringLiteral("new"), QKeySequence::New);
    fromDataAction = makeAction(this, "action_from_data", tr("Start from my data…"), QStringLiteral("import"),
                                QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N));
    openAction = makeAction(this, "action_open", tr("Open…"), QStringLiteral("open"), QKeySequence::Open);
    saveAction = makeAction(this, "action_save", tr("Save"), QStringLiteral("save"), QKeySequence::Save);
    saveAsAction = makeAction(this, "action_save_as", tr("Save as…"), QStringLiteral("save"),
                              QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    restoreAction = makeAction(this, "action_restore", tr("Restore unsaved changes"), QStringLiteral("undo"));
    closeAction = makeAction(this, "action_close_project", tr("Close project"), QStringLiteral("close"),
                             QKeySequence(Qt::CTRL | Qt::Key_W));
    recentMenu = new QMenu(tr("Recent projects"), window);
    recentMenu->setObjectName(QStringLiteral("menu_recent"));
    recentMenu->setIcon(widgets::icon(QStringLiteral("clock")));

    connect(newAction, &QAction::triggered, this, &FileController::newFromTemplate);
    connect(fromDataAction, &QAction::triggered, this, [this] { startFromData(); });
    connect(openAction, &QAction::triggered, this, &FileController::openWithDialog);
    connect(saveAction, &QAction::triggered, this, [this] { save(); });
    connect(saveAsAction, &QAction::triggered, this, [this] { saveAs(); });
    connect(restoreAction, &QAction::triggered, this, &FileController::restore);
    connect(closeAction, &QAction::triggered, this, &FileController::closeProject);
    connect(recentMenu, &QMenu::aboutToShow, this, &FileController::fillRecentMenu);

    ProjectDocument& document = m_workspace.document();
    const auto enable = [this, &document] {
        saveAction->setEnabled(document.isDirty());
        saveAsAction->setEnabled(document.isOpen());
        closeAction->setEnabled(document.isOpen());
        restoreAction->setEnabled(document.recoverable() != nullptr);
    };
    connect(&document, &ProjectDocument::projectChanged, this, enable);
    connect(&document, &ProjectDocument::dirtyChanged, this, enable);
    connect(&document, &ProjectDocument::changed, this, enable);
    connect(&m_workspace, &Workspace::saveAsWanted, this, &FileController::saveAs);
    // The offer to restore stays until it is answered: what took its place, or cleared the sentence, does not end it.
    connect(&m_workspace, &Workspace::messageCleared, this, [this] { m_cleared = true; });
    connect(&m_workspace, &Workspace::messageRequested, this, [this] {
        m_cleared = m_offering = false;
        m_messageShown = true;
    });
    connect(&m_workspace, &Workspace::messageDismissed, this, [this, &document] {
        m_messageShown = false;
        const bool byPerson = !std::exchange(m_cleared, false);
        const bool offer = std::exchange(m_offering, false);
        if (offer && (byPerson || !document.recoverable())) {
            m_offerClosed = true;
            offerInterruptedRun();
        } else if (document.recoverable() && !m_offerClosed) {
            QMetaObject::invokeMethod(this, &FileController::offerRecovery, Qt::QueuedConnection);
        }
    });
    enable();
}

bool FileController::openNow(const QString& path) {
    m_workspace.quiet();
    if (const Status opened = m_workspace.document().open(filePath(path)); !opened) {
        m_workspace.tell(opened.error());
        return false;
    }
    m_offerClosed = m_readAgain = false;
    RecentProjects::add(text(m_workspace.document().folder()));
    if (m_workspace.document().recoverable()) {
        offerRecovery();
    } else if (m_workspace.document().isOpenElsewhere()) {
        m_workspace.tell(widgets::Severity::Warning, tr("This project is open in another window already."),
                         tr("Save here often: after a crash only the other window's changes can be restored."));
    } else if (m_workspace.requireWritable()) {
        offerInterruptedRun();
    }
    return true;
}

void FileController::open(const QString& path) {
    whenSafe(tr("open another project"), [this, path] { openNow(path); });
}

void FileController::openSample(const QString& folder) {
    if (samplesAreOwn() && isWritable(filePath(folder))) {
        open(folder);
        return;
    }
    const std::filesystem::path copies = filePath(documentsFolder()) / "Plumbline";
    const std::filesystem::path copy = copies / filePath(folder).filename();
    std::error_code ignored;
    if (std::filesystem::exists(copy / "project.json", ignored)) {
        openCopy(copy, false);
        return;
    }
    copyBeside(
        tr("The sample is being copied."),
        [from = filePath(folder), copy](RunControl& control) -> Result<Json> {
            PLUMBLINE_TRY(copyTree(from, copy, &control, {"runs", "exports"}));
            return Json();
        },
        [this, copy](const Json&) { openCopy(copy, true); });
}

void FileController::copyBeside(const QString& doing, const CopyWork& work,
                                const std::function<void(const Json&)>& done) {
    auto control = std::make_shared<RunControl>();
    auto told = std::make_shared<bool>(false);
    auto* glance = new QTimer(this);
    glance->setSingleShot(true);
    connect(glance, &QTimer::timeout, this, [this, doing, control, told] {
        *told = true;
        m_workspace.tell(widgets::Severity::Info, doing, tr("The window can be used meanwhile."), tr("Stop copying"),
                         [control] { control->requestStop(); });
    });
    glance->start(kGlanceMs);
    runInBackground(
        this, [work, control] { return work(*control); },
        [this, done, control, told, glance](const Result<Json>& copied) {
            glance->stop();
            glance->deleteLater();
            if (*told) {
                m_workspace.quiet();
            }
            if (copied) {
                done(*copied);
            } else if (control->stopRequested()) {
                m_workspace.tell(widgets::Severity::Info, tr("Copying was stopped."),
                                 tr("What had been copied is removed."));
            } else {
                m_workspace.tell(copied.error());
            }
        });
}

void FileController::openCopy(const std::filesystem::path& copy, bool isNew) {
    whenSafe(tr("open another project"), [this, copy, isNew] {
        if (openNow(text(copy)) && !m_workspace.document().recoverable()) {
            m_workspace.tell(widgets::Severity::Info,
                             isNew ? tr("This is your copy of the sample, in %1.").arg(text(copy))
                                   : tr("This is the copy of the sample that you made before, in %1.").arg(text(copy)));
        }
    });
}

void FileController::openDropped(const QStringList& paths) {
    const QFileInfo first(paths.value(0));
    const bool project = first.fileName() == QLatin1String("project.json") ||
                         QFileInfo::exists(first.filePath() + QStringLiteral("/project.json"));
    if (paths.size() == 1 && project) {
        open(paths.first());
    } else if (!paths.isEmpty()) {
        startFromData(paths);
    }
}

void FileController::startFromData(const QStringList& paths) {
    auto* dialog = new NewFromDataDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &NewFromDataDialog::projectFound, this, &FileController::open);
    connect(dialog, &NewFromDataDialog::accepted, this, [this, dialog] {
        const Json json = dialog->project();
        const std::filesystem::path folder = dialog->folder();
        const bool copyData = dialog->copiesData();
        whenSafe(tr("start a new project"), [this, json, folder, copyData] { createProject(json, folder, copyData); });
    });
    dialog->inspect(paths);
    dialog->open();
}

void FileController::createProject(const Json& json, const std::filesystem::path& folder, bool copyData) {
    m_workspace.quiet();
    if (!copyData) {
        finishProject(json, folder);
        return;
    }
    const auto work = [json, folder](RunControl& control) -> Result<Json> {
        Json made = json;
        std::error_code ignored;
        const bool fresh = !std::filesystem::exists(folder, ignored);
        const Status copied = project::copyDataInto(folder, made, &control);
        if (!copied) {
            if (fresh) {
                std::filesystem::remove_all(folder, ignored);
            }
            return fail(copied.error());
        }
        return made;
    };
    copyBeside(tr("The data are being copied into the project."), work,
               [this, folder](const Json& made) { finishProject(made, folder); });
}

void FileController::finishProject(const Json& made, const std::filesystem::path& folder) {
    if (const Status created = m_workspace.document().create(made, folder); !created) {
        m_workspace.tell(created.error());
        return;
    }
    RecentProjects::add(text(folder));
    m_workspace.showPage(QStringLiteral("model"));
    m_workspace.tell(widgets::Severity::Good, tr("The project is ready to run: press F5 to train it."), {},
                     tr("Look at the data"), [this] {
                         m_workspace.quiet();
                         m_workspace.showPage(QStringLiteral("data"));
                     });
}

void FileController::openWithDialog() {
    auto* dialog = new QFileDialog(m_window, tr("Open a project"), documentsFolder());
    dialog->setObjectName(QStringLiteral("dialog_open"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Plumbline projects (project.json)"), tr("All files (*)")});
    if (m_workspace.document().isOpen()) {
        dialog->setDirectory(text(m_workspace.document().folder().parent_path()));
    }
    connect(dialog, &QFileDialog::fileSelected, this, &FileController::open);
    dialog->open();
}

void FileController::newFromTemplate() {
    auto* dialog = new NewProjectDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &NewProjectDialog::accepted, this, [this, dialog] {
        const Json json = dialog->project();
        const std::filesystem::path folder = dialog->folder();
        whenSafe(tr("start a new project"), [this, json, folder] {
            m_workspace.quiet();
            if (const Status made = m_workspace.document().create(json, folder); !made) {
                m_workspace.tell(made.error());
                return;
            }
            RecentProjects::add(text(folder));
            m_workspace.showPage(QStringLiteral("model"));
        });
    });
    dialog->open();
}

void FileController::save(std::function<void()> then) {
    Q_EMIT commitWanted();
    if (!m_workspace.requireWritable(then)) {
        return;
    }
    m_workspace.document().isChangedOutside() ? askAboutOverwriting(then) : saveNow(then);
}

void FileController::saveNow(const std::function<void()>& then) {
    if (const Status saved = m_workspace.document().save(); !saved) {
        m_saveError = m_workspace.tell(saved.error());
        return;
    }
    m_workspace.retract(m_saveError);
    if (then) {
        then();
    }
}

void FileController::askAboutOverwriting(const std::function<void()>& then) {
    if (m_question) {
        m_question->raise();
        return;
    }
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Project changed outside"),
                                tr("%1 was changed by another program since it was read.")
                                    .arg(text(m_workspace.document().folder() / "project.json")),
                                QMessageBox::NoButton, m_window);
    m_question = box;
    box->setObjectName(QStringLiteral("dialog_overwrite"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(
        tr("Overwriting loses what the other program wrote; after reloading, the changes made here can be restored."));
    QAbstractButton* overwrite = box->addButton(tr("Overwrite"), QMessageBox::DestructiveRole);
    QAbstractButton* again = box->addButton(tr("Reload"), QMessageBox::AcceptRole);
    QPushButton* cancel = box->addButton(tr("Cancel"), QMessageBox::RejectRole);
    overwrite->setObjectName(QStringLiteral("overwrite_project"));
    again->setObjectName(QStringLiteral("read_again"));
    cancel->setObjectName(QStringLiteral("keep_editing"));
    box->setDefaultButton(cancel);
    connect(box, &QMessageBox::buttonClicked, this, [this, overwrite, again, then](QAbstractButton* clicked) {
        if (clicked == overwrite) {
            saveNow(then);
        } else if (clicked == again) {
            readAgain();
        }
    });
    box->open();
}

void FileController::readAgain() {
    const bool kept = m_workspace.document().isDirty();
    if (const Status done = m_workspace.document().reload(); !done) {
        m_workspace.tell(done.error());
        return;
    }
    m_offerClosed = false;
    m_readAgain = kept;
    m_workspace.quiet();
    offerRecovery();
}

void FileController::saveAs(std::function<void()> then) {
    Q_EMIT commitWanted();
    const std::filesystem::path now = m_workspace.document().folder();
    auto* dialog = new QFileDialog(m_window, tr("Save the project as a folder"), text(now.parent_path()));
    dialog->setObjectName(QStringLiteral("dialog_save_as"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);  // a folder that holds a project is refused below
    dialog->selectFile(text(now.filename()) + tr("-copy"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, then = std::move(then)](const QString& folder) { finishSaveAs(filePath(folder), then); });
    dialog->open();
}

void FileController::finishSaveAs(const std::filesystem::path& folder, const std::function<void()>& then) {
    if (const Status free = m_workspace.document().checkSaveAs(folder); !free) {
        m_workspace.tell(free.error());
        return;
    }
    // Data may be large: it is copied beside the window, and the project written once it is there.
    const std::filesystem::path from = m_workspace.document().folder();
    copyBeside(
        tr("The data are being copied into the new folder."),
        [from, folder](RunControl& control) -> Result<Json> {
            PLUMBLINE_TRY(makeFolder(folder));
            PLUMBLINE_TRY(ProjectDocument::copyData(from, folder, &control));
            return Json();
        },
        [this, folder, then, from](const Json&) {
            if (m_workspace.document().folder() != from) {
                return;  // another project was opened meanwhile
            }
            if (const Status saved = m_workspace.document().saveAs(folder, ProjectDocument::DataCopy::Done); !saved) {
                m_workspace.tell(saved.error());
                return;
            }
            RecentProjects::add(text(folder));
            m_workspace.quiet();
            if (then) {
                then();
            }
        });
}

void FileController::closeProject() {
    whenSafe(tr("close the project"), [this] {
        m_workspace.quiet();
        m_workspace.document().close();
    });
}

void FileController::whenSafe(const QString& doing, std::function<void()> then) {
    Q_EMIT commitWanted();
    askAboutRun(doing, [this, then = std::move(then)] {
        if (!m_workspace.document().isDirty()) {
            then();
            return;
        }
        if (m_question) {
            m_question->raise();
            return;
        }
        auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Unsaved changes"),
                                    tr("%1 has changes that are not saved.").arg(m_workspace.document().name()),
                                    QMessageBox::NoButton, m_window);
        m_question = box;
        box->setObjectName(QStringLiteral("dialog_unsaved"));
        box->setAttribute(Qt::WA_DeleteOnClose);
        QAbstractButton* saveButton = box->addButton(tr("Save"), QMessageBox::AcceptRole);
        QAbstractButton* discardButton = box->addButton(tr("Give up changes"), QMessageBox::DestructiveRole);
        box->addButton(tr("Cancel"), QMessageBox::RejectRole);
        connect(box, &QMessageBox::buttonClicked, this, [=, this](QAbstractButton* clicked) {
            if (clicked == saveButton) {
                save(then);
            } else if (clicked == discardButton) {
                then();
            }
        });
        nameDialogButtons(*box);
        box->open();
    });
}

void FileController::askAboutRun(const QString& doing, std::function<void()> then) {
    RunBridge& bridge = m_workspace.bridge();
    if (!bridge.isActive()) {
        then();
        return;
    }
    const auto afterwards = [this, then] {
        connect(
            &m_workspace.bridge(), &RunBridge::finished, this, [then] { then(); },
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    };
    if (bridge.state() == session::RunState::kStopping) {
        afterwards();  // it ends anyway: nothing to ask
        return;
    }
    if (m_question) {
        m_question->raise();
        return;
    }
    auto* box =
        new QMessageBox(QMessageBox::NoIcon, tr("A run is on"),
                        tr("To %1, the run that is on has to stop. It is saved first and can be resumed.").arg(doing),
                        QMessageBox::NoButton, m_window);
    m_question = box;
    box->setObjectName(QStringLiteral("dialog_run_is_on"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QAbstractButton* stopButton = box->addButton(tr("Stop the run"), QMessageBox::AcceptRole);
    box->addButton(tr("Keep training"), QMessageBox::RejectRole);
    connect(box, &QMessageBox::buttonClicked, this, [this, stopButton, then, afterwards](QAbstractButton* clicked) {
        if (clicked != stopButton) {
            return;
        }
        RunBridge& running = m_workspace.bridge();
        if (!running.isActive()) {
            then();
            return;
        }
        afterwards();
        running.stop();
    });
    nameDialogButtons(*box);
    box->open();
}

void FileController::offerRecovery() {
    if (!m_workspace.document().recoverable() || m_messageShown) {
        return;
    }
    const QString sentence = m_readAgain ? tr("The project was reloaded. What was changed here and not saved is kept.")
                                         : tr("Changes of this project were not saved when the program ended last.");
    m_workspace.tell(widgets::Severity::Warning, sentence,
                     tr("Restoring them can be undone; until then they are kept."), tr("Restore"),
                     [this] { restore(); });
    m_offering = true;
}

void FileController::restore() {
    if (const Status done = m_workspace.document().recover(); !done) {
        m_workspace.tell(done.error());
        return;
    }
    m_workspace.quiet();
}

void FileController::offerInterruptedRun() {
    const quint64 stamp = ++m_stamp;
    runInBackground(
        this, [folder = m_workspace.document().runsFolder()] { return store::listRuns(folder); },
        [this, stamp, folder = m_workspace.document().folder()](const Result<std::vector<store::RunInfo>>& runs) {
            if (stamp != m_stamp || !runs || m_workspace.bridge().isActive() ||
                m_workspace.document().folder() != folder) {
                return;
            }
            for (const store::RunInfo& run : *runs) {
                if (run.status != "interrupted") {
                    continue;
                }
                const QString id = text(run.id);
                const QString name = run.name.empty() ? id : text(run.name);
                m_workspace.tell(
                    widgets::Severity::Info, tr("Run %1 was interrupted at step %2.").arg(name).arg(run.stepsAttempted),
                    tr("It goes on from its newest checkpoint with the same numbers."), tr("Resume run"), [this, id] {
                        m_workspace.quiet();
                        m_workspace.requestResume(id);
                    });
                return;
            }
        });
}

void FileController::fillRecentMenu() {
    recentMenu->clear();
    const QStringList folders = RecentProjects::folders();
    for (const QString& folder : folders) {
        QAction* action = recentMenu->addAction(QFileInfo(folder).fileName());
        action->setToolTip(folder);
        action->setStatusTip(folder);
        connect(action, &QAction::triggered, this, [this, folder] { open(folder); });
    }
    if (folders.isEmpty()) {
        recentMenu->addAction(tr("No project was opened yet"))->setEnabled(false);
        return;
    }
    recentMenu->addSeparator();
    QAction* clear = recentMenu->addAction(tr("Forget these"));
    clear->setObjectName(QStringLiteral("action_clear_recent"));
    connect(clear, &QAction::triggered, this, [] { RecentProjects::clear(); });
}

}  // namespace plumbline::gui
