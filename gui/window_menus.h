// SPDX-License-Identifier: GPL-3.0-or-later
// Menus and toolbar of the window.
#pragma once

#include <QCoreApplication>
#include <QList>

class QAction;
class QMainWindow;
class QMenu;

namespace plumbline::gui {

class FileController;
class ProjectDocument;
class RunController;

/// Builds them once; what the window still needs afterwards is left in the members.
class WindowMenus {
    Q_DECLARE_TR_FUNCTIONS(WindowMenus)

public:
    WindowMenus(QMainWindow& window, FileController& files, RunController& runs, ProjectDocument& document)
        : m_window(window), m_files(files), m_runs(runs), m_document(document) {}

    /// `experiments`: of the Run menu, below Run, Pause and Stop.
    void build(const QList<QAction*>& pages, const QList<QAction*>& docks, const QList<QAction*>& experiments);

    QMenu* editMenu = nullptr;
    QList<QAction*> editActions;
    QAction* paletteAction = nullptr;
    QAction* resetLayoutAction = nullptr;

private:
    QAction* action(const char* name, const QString& text, const QString& icon = {}) const;
    void buildViewMenu(const QList<QAction*>& pages, const QList<QAction*>& docks);
    void buildHelpMenu();

    QMainWindow& m_window;
    FileController& m_files;
    RunController& m_runs;
    ProjectDocument& m_document;
};

}  // namespace plumbline::gui
