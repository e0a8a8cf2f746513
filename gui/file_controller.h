// SPDX-License-Identifier: GPL-3.0-or-later
// New, Open, Save, Save as, recent projects, recovery: what the File menu does.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>

class QAction;
class QMenu;
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
    /// A sample: in place where it can be written, else as a copy in a folder the person chooses.
    void openSample(const QString& folder);
    void openWithDialog();
    void newFromTemplate();
    void save(std::function<void()> then = {});
    void saveAs(std::function<void()> then = {});
    void closeProject();
    /// Calls `then` once nothing can be lost: unsaved changes are saved or given up, a run has ended. Not at all when the
    /// person cancels.
    void whenSafe(const QString& doing, std::function<void()> then);

    QAction* newAction;
    QAction* openAction;
    QAction* saveAction;
    QAction* saveAsAction;
    QAction* closeAction;
    QMenu* recentMenu;

Q_SIGNALS:
    /// Text fields that are being typed in are to commit (before saving).
    void commitWanted();

private:
    void offerRecovery();
    void offerInterruptedRun();
    void fillRecentMenu();
    void askAboutRun(const QString& doing, std::function<void()> then);

    Workspace& m_workspace;
    QWidget* m_window;
    quint64 m_stamp = 0;
};

}  // namespace plumbline::gui
