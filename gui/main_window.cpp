// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/main_window.h"

#include <QApplication>
#include <QChildEvent>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QSet>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <algorithm>

#include "gui/convert.h"
#include "gui/data_check.h"
#include "gui/dock_fold.h"
#include "gui/dropped_files.h"
#include "gui/file_controller.h"
#include "gui/help_viewer.h"
#include "gui/issues/issue_panel.h"
#include "gui/libtorch_fetcher.h"
#include "gui/navigation_bar.h"
#include "gui/outside_bar.h"
#include "gui/page.h"
#include "gui/pages/register_pages.h"
#include "gui/run_controller.h"
#include "gui/screen_room.h"
#include "gui/status_panel.h"
#include "gui/window_menus.h"
#include "project/data_fit.h"
#include "widgets/icons.h"
#include "widgets/message_banner.h"
#include "widgets/search_popup.h"

namespace plumbline::gui {

namespace {
const QString kStateKey = QStringLiteral("window/state");
const QString kGeometryKey = QStringLiteral("window/geometry");
constexpr int kStateVersion = 1;
constexpr int kIssuesHeight = 210;  ///< with something to read
constexpr QSize kFirstSize(1400, 900);
constexpr int kHeightOfAll = 520;  ///< in a lower window the docks make room; the status bar counts what stands in them

/// A page and, where the window is too small for it, what scrolls it.
class PageScroll : public QScrollArea {
public:
    PageScroll(Page* page, QWidget* parent) : QScrollArea(parent), m_page(page) {
        setObjectName(QStringLiteral("scroll_") + page->id());
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::NoFocus);
        setWidget(page);
        page->setAutoFillBackground(false);
        viewport()->setAutoFillBackground(false);
    }
    Page* page() const { return m_page; }

protected:
    void resizeEvent(QResizeEvent* event) override {
        m_page->setRoom(maximumViewportSize());
        QScrollArea::resizeEvent(event);
    }

private:
    Page* m_page;
};
}  // namespace

MainWindow::MainWindow() {
    setObjectName(QStringLiteral("main_window"));
    setWindowTitle(QStringLiteral("Plumbline"));
    setDockOptions(AllowTabbedDocks | AllowNestedDocks | GroupedDragging);
    resize(withinScreen(kFirstSize));
    m_data = new DataCheck(m_workspace.document(), m_workspace.dataReader(), this);
    setAcceptDrops(true);
    m_files = new FileController(m_workspace, this);
    m_runs = new RunController(m_workspace, this);
    new LibTorchFetcher(m_workspace, this);
    makePages();
    makeDocks();
    makeMenusAndToolbar();
    m_status = new StatusPanel(m_workspace, statusBar());
    connect(m_status, &StatusPanel::problemsWanted, this, &MainWindow::showProblems);
    statusBar()->setObjectName(QStringLiteral("status_bar"));
    connectWorkspace();
    m_firstState = saveState(kStateVersion);
    restoreLayout();
    updateTitle();
    updateProblems();
    updateFindings();
    showPage(QStringLiteral("welcome"));
    pageChanged();
}

MainWindow::~MainWindow() {
    m_workspace.document().disconnect(this);
    m_workspace.bridge().disconnect(this);
    // The pages look at the workspace to their end.
    m_stack->disconnect(this);
    m_problemsDock->disconnect(this);
    m_findingsDock->disconnect(this);
    delete takeCentralWidget();
}

void MainWindow::makePages() {
    auto* middle = new QWidget(this);
    m_banner = new widgets::MessageBanner(middle);
    m_banner->setObjectName(QStringLiteral("message"));
    m_stack = new QStackedWidget(middle);
    m_stack->setObjectName(QStringLiteral("pages"));
    m_pages = gui::makePages(m_workspace, *m_files, m_stack);
    for (Page* made : std::as_const(m_pages)) {
        made->setObjectName(QStringLiteral("page_widget_") + made->id());
        m_stack->addWidget(new PageScroll(made, m_stack));
    }
    auto* outside = new widgets::MessageBanner(middle);
    outside->setObjectName(QStringLiteral("outside_change"));
    m_navigation = new NavigationBar(m_pages, middle);
    auto* row = new QHBoxLayout(middle);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_navigation);
    row->addWidget(m_stack, 1);
    m_banner->floatOver(m_stack);
    outside->floatOver(m_stack, Qt::TopEdge);
    new OutsideBar(m_workspace, *m_files, outside, this);
    setCentralWidget(middle);
    connect(m_navigation, &NavigationBar::chosen, this, [this](int index) { showPage(m_pages[index]->id()); });
    connect(m_stack, &QStackedWidget::currentChanged, this, &MainWindow::pageChanged);
    connect(m_banner, &widgets::MessageBanner::actionTriggered, this, [this] {
        if (const auto action = m_bannerAction) {
            action();
        }
    });
}

void MainWindow::makeDocks() {
    const auto dock = [this](const char* name, QWidget* content) {
        auto* made = new QDockWidget(this);
        made->setObjectName(QLatin1String(name));
        made->setWidget(content);
        addDockWidget(Qt::BottomDockWidgetArea, made);
        return made;
    };
    m_problems = new IssuePanel(QStringLiteral("problems"), this);
    m_findings = new IssuePanel(QStringLiteral("findings"), this);
    m_findings->setEmptyText(tr("No findings. While a model trains, what is silently wrong stands here."));
    m_problemsDock = dock("dock_problems", m_problems);
    m_findingsDock = dock("dock_findings", m_findings);
    tabifyDockWidget(m_problemsDock, m_findingsDock);
    m_problemsDock->raise();
    resizeDocks({m_problemsDock}, {1}, Qt::Vertical);  // as little as its line takes
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    m_fold = new DockFold({m_problemsDock, m_findingsDock}, kHeightOfAll, this);
    connect(m_problemsDock, &QDockWidget::visibilityChanged, this, &MainWindow::updateHiddenProblems);

    for (IssuePanel* panel : {m_problems, m_findings}) {
        connect(panel, &IssuePanel::activated, this,
                [this](const Issue& issue) { showIssue(issue.block, issue.pointer); });
        connect(panel, &IssuePanel::remedyChosen, &m_workspace, &Workspace::applyRemedy);
        panel->setRemedyProbe([this](const graph::Remedy& remedy) {
            return m_workspace.document().isOpen() ? remedyState(m_workspace.document().project().json, remedy)
                                                   : RemedyState();
        });
        connect(panel, &IssuePanel::explanationWanted, this, [this](const QString& code) {
            if (!showDocumentation(this, QStringLiteral("detectors/%1.md").arg(code))) {
                m_workspace.tell(widgets::Severity::Info, tr("The page about %1 is not installed.").arg(code));
            }
        });
    }
}

void MainWindow::makeMenusAndToolbar() {
    WindowMenus menus(*this, *m_files, *m_runs, m_workspace.document());
    QList<QAction*> experiments;
    for (const Page* each : std::as_const(m_pages)) {
        experiments += each->runActions();
    }
    menus.build(m_navigation->actions(), {m_problemsDock->toggleViewAction(), m_findingsDock->toggleViewAction()},
                experiments);
    m_editMenu = menus.editMenu;
    m_editActions = menus.editActions;
    m_palette = new widgets::CommandPalette(this);
    m_palette->setObjectName(QStringLiteral("command_palette"));
    connect(menus.paletteAction, &QAction::triggered, this, [this] { m_palette->popupFor(this); });
    connect(menus.resetLayoutAction, &QAction::triggered, this, &MainWindow::resetLayout);
    for (const QAction* language : findChild<QMenu*>(QStringLiteral("menu_language"))->actions()) {
        if (language->isCheckable()) {
            connect(language, &QAction::triggered, this, [this] {
                m_workspace.tell(widgets::Severity::Info, tr("The language changes with the next start."));
            });
        }
    }
}

void MainWindow::connectWorkspace() {
    ProjectDocument& document = m_workspace.document();
    connect(&document, &ProjectDocument::projectChanged, this, [this, &document] {
        for (int i = 0; i < m_pages.size(); ++i) {
            m_navigation->setPageEnabled(i, document.isOpen() || !m_pages[i]->needsProject());
        }
        if (!document.isOpen()) {
            showPage(QStringLiteral("welcome"));
        } else if (currentPage() && !currentPage()->needsProject()) {
            showPage(QStringLiteral("model"));
        }
        updateTitle();
        updateProblems();
        updateFindings();
    });
    for (int i = 0; i < m_pages.size(); ++i) {
        m_navigation->setPageEnabled(i, !m_pages[i]->needsProject());
    }
    connect(&document, &ProjectDocument::checked, this, &MainWindow::updateProblems);
    connect(&document, &ProjectDocument::changed, this, &MainWindow::updateFindings);  // remedies fit, or no longer
    connect(m_data, &DataCheck::changed, this, &MainWindow::updateProblems);
    connect(m_data, &DataCheck::changed, &m_workspace, [this] {
        m_workspace.setTrainSamples(m_data->trainSamples());
        // Data that could not be read may be there by now: the run looks itself.
        m_workspace.setDataProblem(m_data->state() == DataCheck::State::Fine ? m_data->error() : std::nullopt);
    });
    connect(&m_workspace, &Workspace::dataAgainWanted, m_data, &DataCheck::again);
    connect(&document, &ProjectDocument::changed, this, &MainWindow::updateTitle);
    connect(&document, &ProjectDocument::dirtyChanged, this, &MainWindow::updateTitle);
    const auto commit = [this] {
        for (Page* each : std::as_const(m_pages)) {
            each->commitPending();
        }
    };
    connect(m_files, &FileController::commitWanted, this, commit);
    m_workspace.setCommitFields([this, commit] {
        commit();
        const auto refused = std::find_if(m_pages.cbegin(), m_pages.cend(),
                                          [](const Page* each) { return !each->refusedText().isEmpty(); });
        if (refused == m_pages.cend()) {
            return true;
        }
        showPage((*refused)->id());
        m_workspace.tell(widgets::Severity::Critical, (*refused)->refusedText(),
                         tr("Nothing was started, for it would use the value from before. Correct the field, or press "
                            "Escape in it to take that value."));
        (*refused)->revealRefused();
        return false;
    });
    connect(m_runs, &RunController::problemsWanted, this, &MainWindow::showProblems);

    RunBridge& bridge = m_workspace.bridge();
    connect(&m_workspace, &Workspace::findingsChanged, this, &MainWindow::updateFindings);
    connect(&m_workspace, &Workspace::findingRequested, this, &MainWindow::showFinding);
    connect(&bridge, &RunBridge::findingArrived, this, [this](const diagnostics::Finding& finding) {
        if (finding.clearedAt || !finding.cause.empty() || !m_workspace.storedRun().isEmpty()) {
            return;
        }
        // What a person works with stays in front; the tab says that there is news.
        if (!m_docksUsed && !m_findingsDock->isHidden()) {
            raiseIssues(m_findingsDock);  // with room for its remedy
        } else if (m_findings->visibleRegion().isEmpty()) {
            m_unseen.insert(text(finding.id));
            updateFindings();
        }
    });
    connect(&bridge, &RunBridge::runStarting, this, [this] {
        m_docksUsed = false;
        m_unseen.clear();
    });
    connect(&bridge, &RunBridge::runOpened, this, &MainWindow::updateFindings);  // whose they are
    connect(&bridge, &RunBridge::finished, this,
            &MainWindow::updateFindings);  // what was applied live needs another run now
    connect(m_findingsDock, &QDockWidget::visibilityChanged, this, [this](bool visible) {
        if (visible && !m_unseen.isEmpty()) {
            m_unseen.clear();
            updateFindings();
        }
    });
    qApp->installEventFilter(this);
    connect(&bridge, &RunBridge::stateChanged, this, &MainWindow::updateTitle);

    connect(&m_workspace, &Workspace::pageRequested, this, &MainWindow::showPage);
    connect(&m_workspace, &Workspace::blockRequested, this, [this](const QString& block) { showIssue(block, {}); });
    connect(&m_workspace, &Workspace::pointerRequested, this,
            [this](const QString& pointer) { showIssue({}, pointer); });
    connect(&m_workspace, &Workspace::runRequested, this, [this](const QString& run, const QString& id) {
        Page* wanted = page(id);
        if (wanted && showPage(id)) {
            wanted->showRun(run);
        }
    });
    connect(&m_workspace, &Workspace::messageRequested, this,
            [this](widgets::Severity severity, const QString& sentence, const QString& hint, const QString& actionText,
                   const std::function<void()>& action) {
                m_bannerAction = action;
                m_banner->showMessage(severity, sentence, hint, actionText);
            });
    connect(m_banner, &widgets::MessageBanner::dismissed, &m_workspace, &Workspace::messageDismissed);
    connect(&m_workspace, &Workspace::messageCleared, m_banner, &widgets::MessageBanner::dismiss);
}

Page* MainWindow::page(const QString& id) const {
    for (Page* each : m_pages) {
        if (each->id() == id) {
            return each;
        }
    }
    return nullptr;
}

Page* MainWindow::currentPage() const {
    const auto* scroll = static_cast<const PageScroll*>(m_stack->currentWidget());
    return scroll ? scroll->page() : nullptr;
}

bool MainWindow::showPage(const QString& id) {
    Page* wanted = page(id);
    if (!wanted || (wanted->needsProject() && !m_workspace.document().isOpen())) {
        return false;
    }
    const auto index = static_cast<int>(m_pages.indexOf(wanted));
    m_stack->setCurrentIndex(index);
    m_navigation->setCurrent(index);
    return true;
}

void MainWindow::pageChanged() {
    if (m_front) {
        m_front->deactivated();
    }
    m_front = currentPage();
    m_editMenu->clear();
    m_editMenu->addActions(m_editActions);
    if (!m_front) {
        return;
    }
    const QList<QAction*> own = m_front->pageActions();
    if (!own.isEmpty()) {
        m_editMenu->addSeparator();
    }
    for (QAction* action : own) {
        if (action) {
            m_editMenu->addAction(action);
        } else {
            m_editMenu->addSeparator();
        }
    }
    m_front->activated();
}

void MainWindow::showIssue(const QString& block, const QString& pointer) {
    Page* model = page(QStringLiteral("model"));
    if (!block.isEmpty() && showPage(QStringLiteral("model")) &&
        model->revealPointer(QStringLiteral("block:") + block)) {
        if (pointer.startsWith(QLatin1String("/model"))) {
            model->revealPointer(pointer);  // the field as well
        }
        return;
    }
    for (Page* each : std::as_const(m_pages)) {
        if (!pointer.isEmpty() && each->revealPointer(pointer)) {
            showPage(each->id());
            return;
        }
    }
}

void MainWindow::showIssues(IssuePanel* panel, const QList<Issue>& issues) {
    const int height = isVisible() ? m_problemsDock->height() : 1;
    panel->setIssues(issues);
    const bool anything = !m_problems->isEmpty() || !m_findings->isEmpty();
    if (anything && !m_heightWithoutIssues) {
        m_heightWithoutIssues = height;
    } else if (!anything && m_heightWithoutIssues) {
        if (!m_problemsDock->isFloating()) {
            resizeDocks({m_problemsDock}, {*m_heightWithoutIssues}, Qt::Vertical);
        }
        m_heightWithoutIssues.reset();
    }
}

void MainWindow::raiseIssues(QDockWidget* dock) {
    dock->show();
    dock->raise();
    if (!dock->isFloating() && dock->height() < kIssuesHeight) {
        resizeDocks({dock}, {kIssuesHeight}, Qt::Vertical);
    }
}

void MainWindow::showProblems() {
    raiseIssues(m_problemsDock);
    if (!m_problems->current()) {
        m_problems->select(0);
    }
}

void MainWindow::updateTitle() {
    const ProjectDocument& document = m_workspace.document();
    QString title = QStringLiteral("Plumbline");
    if (document.isOpen()) {
        title = document.name() + QStringLiteral("[*] – Plumbline");
        if (m_workspace.bridge().isActive()) {
            title.prepend(stateText(m_workspace.bridge().state()) + QStringLiteral(" · "));
        }
    }
    setWindowTitle(title);
    setWindowModified(document.isDirty());
    setWindowFilePath(document.isOpen() ? text(document.folder() / "project.json") : QString());
}

void MainWindow::updateProblems() {
    QList<Issue> issues;
    if (m_workspace.document().isOpen()) {
        std::vector<graph::Problem> problems = m_workspace.document().report().problems;
        project::addWarnings(m_data->warnings(), problems);
        QSet<QString> keys;
        for (const graph::Problem& problem : problems) {
            Issue issue = issueOf(problem);
            while (keys.contains(issue.key)) {
                issue.key += QLatin1Char('+');  // several remarks on one place
            }
            keys.insert(issue.key);
            issues << issue;
        }
        if (m_data->error()) {
            issues << issueOfData(*m_data->error());
        }
    }
    foldConsequences(issues);
    const auto causes =
        std::count_if(issues.begin(), issues.end(), [](const Issue& issue) { return !issue.consequence; });
    switch (m_data->state()) {
        case DataCheck::State::Fine:
            m_problems->setEmptyText(tr("No problem found in shapes, settings and data."));
            break;
        case DataCheck::State::Stopped:
            m_problems->setEmptyText(tr("No problem found in shapes and settings. Reading the data was stopped."));
            break;
        case DataCheck::State::None:
            m_problems->setEmptyText(tr("No project is open."));
            break;
        default:
            m_problems->setEmptyText(tr("No problem found in shapes and settings. The data are being read."));
            break;
    }
    showIssues(m_problems, issues);
    m_problemsDock->setWindowTitle(tr("Problems %1").arg(causes));
    m_causes = static_cast<int>(causes);
    updateHiddenProblems();
}

void MainWindow::updateHiddenProblems() {
    if (m_status) {
        m_status->setHiddenProblems(m_problemsDock->isHidden() ? m_causes : 0);
    }
}

void MainWindow::updateFindings() {
    QList<Issue> issues;
    QList<BlockMark> marks;
    qsizetype open = 0;
    for (const diagnostics::Finding& finding : m_workspace.findings()) {
        Issue issue = issueOf(finding);
        if (m_workspace.document().isOpen()) {
            const Json& project = m_workspace.document().project().json;
            issue.isOn = m_workspace.bridge().isActive() && m_workspace.storedRun().isEmpty();
            bool applied = false, again = false;
            for (const graph::Remedy& remedy : finding.remedies) {
                if (isApplied(project, remedy)) {
                    applied = true;
                    again = again || remedy.applies != "live" || !issue.isOn;
                }
            }
            if (applied) {
                issue.applied = again ? tr("applied, run again") : tr("applied");
            }
        }
        if (!finding.clearedAt) {
            ++open;
            const bool applied = !issue.applied.isEmpty();
            marks << BlockMark{issue.block, applied ? widgets::Severity::Info : toWidget(finding.severity),
                               applied ? tr("A remedy was applied, run again: %1").arg(issue.message) : issue.message};
        }
        issues << issue;
    }
    std::stable_sort(issues.begin(), issues.end(), [](const Issue& a, const Issue& b) {
        return std::tuple(!a.cleared, a.severity) > std::tuple(!b.cleared, b.severity);
    });
    showIssues(m_findings, issues);
    const QString run = m_workspace.findingsRun();
    QString title = tr("Findings %1").arg(open);
    if (!m_unseen.isEmpty() && m_workspace.storedRun().isEmpty()) {
        title = tr("Findings %1 · %2 new").arg(open).arg(m_unseen.size());
    }
    m_findingsDock->setWindowTitle(run.isEmpty() ? title : tr("%1 · run %2").arg(title, run));
    m_findings->setEmptyText(run.isEmpty()
                                 ? tr("No findings. While a model trains, what is silently wrong stands here.")
                             : run == m_workspace.bridge().runId() && m_workspace.bridge().isActive()
                                 ? tr("Run %1 has no findings so far.").arg(run)
                                 : tr("Run %1 has no findings.").arg(run));
    if (marks != m_marks) {
        m_marks = marks;
        Q_EMIT m_workspace.marksShown(marks);
    }
}

void MainWindow::showFinding(const QString& id) {
    if (m_findings->selectKey(id)) {
        raiseIssues(m_findingsDock);
    }
}

// ---- Layout ----

void MainWindow::resetLayout() {
    m_fold->unfold();
    restoreState(m_firstState, kStateVersion);
    m_fold->fit(height());
    for (IssuePanel* panel : {m_problems, m_findings}) {
        panel->resetLayout();
    }
    for (Page* each : std::as_const(m_pages)) {
        each->resetLayout();
    }
}

void MainWindow::saveLayout() {
    QSettings settings;
    settings.setValue(kGeometryKey, saveGeometry());
    m_fold->unfold();
    settings.setValue(kStateKey, saveState(kStateVersion));
    m_fold->fit(height());
    for (const IssuePanel* panel : {m_problems, m_findings}) {
        settings.setValue(QStringLiteral("window/") + panel->objectName(), panel->saveLayout());
    }
    for (Page* each : std::as_const(m_pages)) {
        settings.setValue(QStringLiteral("pages/") + each->id(), each->saveLayout());
    }
}

void MainWindow::restoreLayout() {
    QSettings settings;
    restoreGeometry(settings.value(kGeometryKey).toByteArray());
    restoreState(settings.value(kStateKey).toByteArray(), kStateVersion);
    m_fold->fit(height());
    for (IssuePanel* panel : {m_problems, m_findings}) {
        panel->restoreLayout(settings.value(QStringLiteral("window/") + panel->objectName()).toByteArray());
    }
    for (Page* each : std::as_const(m_pages)) {
        each->restoreLayout(settings.value(QStringLiteral("pages/") + each->id()).toByteArray());
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    saveLayout();
    if (m_closing) {
        event->accept();
        return;
    }
    event->ignore();
    m_asking = true;
    // What is not saved is asked for first: a sweep is not stopped for a window that stays.
    m_files->whenSafe(tr("close the program"), [this] { endPages(m_workspace.document().snapshot()); });
    m_asking = false;
    event->setAccepted(m_closing);
}

void MainWindow::endPages(const std::shared_ptr<const project::Project>& safe) {
    if (m_closing) {
        return;
    }
    const ProjectDocument& document = m_workspace.document();
    if (m_workspace.bridge().isActive() || (document.isDirty() && document.snapshot() != safe)) {
        close();  // something was begun or changed since
        return;
    }
    for (Page* each : std::as_const(m_pages)) {
        if (each->askBeforeEnd([this, safe] { endPages(safe); })) {
            return;
        }
    }
    m_closing = true;
    m_workspace.document().close();
    if (!m_asking) {  // else closeEvent() goes on
        close();
    }
}

/// A press or a key in a dock or on its tab: from then on a finding does not change which one is in front.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::KeyPress ||
        event->type() == QEvent::Wheel) {
        const auto* widget = qobject_cast<QWidget*>(watched);
        const auto isIn = [widget](const QWidget* place) { return place == widget || place->isAncestorOf(widget); };
        m_docksUsed = m_docksUsed || (widget && (isIn(m_problems) || isIn(m_findings) ||
                                                 (widget->parent() == this && qobject_cast<const QTabBar*>(widget))));
    }
    return QMainWindow::eventFilter(watched, event);
}

/// Qt makes the tabs of docks when it needs them.
void MainWindow::childEvent(QChildEvent* event) {
    QMainWindow::childEvent(event);
    auto* tabs = event->type() == QEvent::ChildPolished ? qobject_cast<QTabBar*>(event->child()) : nullptr;
    if (tabs && tabs->objectName().isEmpty()) {
        tabs->setObjectName(QStringLiteral("dock_tabs"));
        tabs->setAccessibleName(tr("Problems and findings"));
    }
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    m_fold->fit(height());
}

// ---- Files dragged in ----

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!droppedFiles(event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
        statusBar()->showMessage(tr("Drop it to open the project, or to start one from this data"));
    }
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event) {
    QMainWindow::dragLeaveEvent(event);
    statusBar()->clearMessage();
}

void MainWindow::dropEvent(QDropEvent* event) {
    statusBar()->clearMessage();
    event->acceptProposedAction();
    m_files->openDropped(droppedFiles(event->mimeData()));
}

}  // namespace plumbline::gui
