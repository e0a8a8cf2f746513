// SPDX-License-Identifier: GPL-3.0-or-later
// The window: arranges pages, toolbar, docks and status bar, and answers what pages ask for. Knows no page by type.
#pragma once

#include <QHash>
#include <QList>
#include <QMainWindow>
#include <QSet>
#include <memory>
#include <optional>

#include "gui/workspace.h"

class QMenu;
class QStackedWidget;

namespace plumbline::widgets {
class CommandPalette;
class MessageBanner;
}  // namespace plumbline::widgets

namespace plumbline::gui {

class DataCheck;
class DockFold;
class FileController;
class IssuePanel;
class NavigationBar;
class Page;
class RunController;
class StatusPanel;
struct Issue;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow();
    ~MainWindow() override;

    Workspace& workspace() { return m_workspace; }
    FileController& files() { return *m_files; }
    RunController& runs() { return *m_runs; }

    /// False when there is no such page, or it needs a project and none is open.
    bool showPage(const QString& id);
    Page* page(const QString& id) const;
    Page* currentPage() const;
    /// Docks, sizes and pages as on the first start.
    void resetLayout();
    void showProblems();

protected:
    void childEvent(QChildEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makePages();
    void makeDocks();
    void makeMenusAndToolbar();
    void connectWorkspace();
    void pageChanged();
    void updateTitle();
    /// To the front, with room to read.
    void raiseIssues(QDockWidget* dock);
    /// The docks grow for what is to be read, and shrink to what they were once nothing is.
    void showIssues(IssuePanel* panel, const QList<Issue>& issues);
    void updateProblems();
    /// What stands in a dock that is not seen is counted in the status bar.
    void updateHiddenProblems();
    void updateFindings();
    void showFinding(const QString& id);
    /// Closes the window once no page has something on. `safe`: the project whose changes may be given up.
    void endPages(const std::shared_ptr<const project::Project>& safe);
    void saveLayout();
    void restoreLayout();
    void showIssue(const QString& block, const QString& pointer);

    Workspace m_workspace;
    DataCheck* m_data = nullptr;
    FileController* m_files = nullptr;
    RunController* m_runs = nullptr;
    QList<Page*> m_pages;
    NavigationBar* m_navigation = nullptr;
    QStackedWidget* m_stack = nullptr;
    widgets::MessageBanner* m_banner = nullptr;
    std::function<void()> m_bannerAction;
    IssuePanel* m_problems = nullptr;
    IssuePanel* m_findings = nullptr;
    DockFold* m_fold = nullptr;
    StatusPanel* m_status = nullptr;
    QDockWidget* m_problemsDock = nullptr;
    std::optional<int> m_heightWithoutIssues;  ///< of the docks, while there is something to read
    QDockWidget* m_findingsDock = nullptr;
    int m_causes = 0;          ///< problems, consequences of others aside
    bool m_docksUsed = false;  ///< by a person, since the run began
    QSet<QString> m_unseen;    ///< findings that arrived while their dock was behind
    QList<BlockMark> m_marks;  ///< what the canvas shows of findings
    QMenu* m_editMenu = nullptr;
    QList<QAction*> m_editActions;  ///< the ones that every page has
    widgets::CommandPalette* m_palette = nullptr;
    QByteArray m_firstState;
    Page* m_front = nullptr;
    bool m_asking = false;   ///< inside closeEvent()
    bool m_closing = false;  ///< nothing is left to ask
};

}  // namespace plumbline::gui
