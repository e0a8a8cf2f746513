// SPDX-License-Identifier: GPL-3.0-or-later
// New, Open, Save, Save as, recent projects, recovery: what the File menu does.
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <filesystem>
#include <functional>

#include "core/error.h"
#include "core/json.h"
#include "core/run_control.h"

class QAction;
class QMenu;
class QMessageBox;
class QWidget;

namespace plumbline::gui {

class Workspace;

/// Dialogs are opened, never executed: no nested event loop. Errors go to the sentence above the page.
class FileController : public QObject {
    Q_OBJECT

public:
    FileController(Workspace& workspace, QWidget* window);

    /// Opens a folder or project.json; false and a sentence above the page when that fails. Asks nothing.
    bool openNow(const QString& path);
    /// Opens it after asking about unsaved changes and a run that is on.
    void open(const QString& path);
    /// Files or a folder that were dragged in: a project is opened, anything else is data to start from.
    void openDropped(const QStringList& paths);
    /// A new project from data; without paths the dialog asks for them.
    void startFromData(const QStringList& paths = {});
    /// A sample: the person's own copy of it, made on the first time in the documents folder. Asks nothing.
    void openSample(const QString& folder);
    void openWithDialog();
    void newFromTemplate();
    void save(std::function<void()> then = {});
    void saveAs(std::function<void()> then = {});
    void closeProject();
    /// Takes what project.json holds now; unsaved changes are offered to be restored.
    void readAgain();
    /// Calls `then` once nothing can be lost: unsaved changes are saved or given up, a run has ended. Not at all when
    /// the person cancels.
    void whenSafe(const QString& doing, std::function<void()> then);

    QAction* newAction;
    QAction* fromDataAction;
    QAction* openAction;
    QAction* saveAction;
    QAction* saveAsAction;
    QAction* restoreAction;  ///< what a crash left
    QAction* closeAction;
    QMenu* recentMenu;

Q_SIGNALS:
    /// Text fields that are being typed in are to commit (before saving).
    void commitWanted();

private:
    void saveNow(const std::function<void()>& then);
    /// Another program wrote project.json: overwrite it, or read it again?
    void askAboutOverwriting(const std::function<void()>& then);
    void finishSaveAs(const std::filesystem::path& folder, const std::function<void()>& then);
    using CopyWork = std::function<Result<Json>(RunControl&)>;
    /// Work that copies: what takes longer than a glance is told, with a button that stops it. `done` follows a success
    /// alone.
    void copyBeside(const QString& doing, const CopyWork& work, const std::function<void(const Json&)>& done);
    /// Writes the project that was made, opens it and tells that it is ready.
    void finishProject(const Json& made, const std::filesystem::path& folder);
    void createProject(const Json& json, const std::filesystem::path& folder, bool copyData);
    void openCopy(const std::filesystem::path& copy, bool isNew);
    void offerRecovery();
    void restore();
    void offerInterruptedRun();
    void fillRecentMenu();
    void askAboutRun(const QString& doing, std::function<void()> then);

    Workspace& m_workspace;
    QWidget* m_window;
    QPointer<QMessageBox> m_question;  ///< about unsaved changes or a run; one at a time
    quint64 m_stamp = 0;
    bool m_messageShown = false;
    bool m_cleared = false;    ///< the sentence goes because the program said so, not a person
    bool m_offering = false;   ///< the sentence that is shown offers to restore
    bool m_readAgain = false;  ///< what can be restored was not saved before project.json was reloaded
    quint64 m_saveError = 0;
    bool m_offerClosed = false;  ///< by a person, for this opening; the File menu still has it
};

}  // namespace plumbline::gui
