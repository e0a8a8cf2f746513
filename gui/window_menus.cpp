// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window_menus.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFontMetrics>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QToolBar>
#include <QToolButton>
#include <QUrl>
#include <algorithm>

#include "gui/dialog_buttons.h"
#include "gui/file_controller.h"
#include "gui/help_viewer.h"
#include "gui/project_document.h"
#include "gui/run_controller.h"
#include "gui/shortcut_list.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

QAction* WindowMenus::action(const char* name, const QString& text, const QString& icon) const {
    auto* made = new QAction(text, &m_window);
    made->setObjectName(QLatin1String(name));
    if (!icon.isEmpty()) {
        made->setIcon(widgets::icon(icon));
    }
    return made;
}

void WindowMenus::build(const QList<QAction*>& pages, const QList<QAction*>& docks,
                        const QList<QAction*>& experiments) {
    QMenu* file = m_window.menuBar()->addMenu(tr("&File"));
    file->setObjectName(QStringLiteral("menu_file"));
    file->addActions({m_files.newAction, m_files.fromDataAction, m_files.openAction});
    file->addMenu(m_files.recentMenu);
    file->addSeparator();
    file->addActions({m_files.saveAction, m_files.saveAsAction, m_files.restoreAction, m_files.closeAction});
    file->addSeparator();
    QAction* quit = action("action_quit", tr("Quit"));
    quit->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Q));  // Qt knows none outside of KDE and GNOME
    quit->setMenuRole(QAction::QuitRole);
    QObject::connect(quit, &QAction::triggered, &m_window, &QWidget::close);
    file->addAction(quit);

    QAction* undo = m_document.undoStack()->createUndoAction(&m_window, tr("Undo"));
    undo->setObjectName(QStringLiteral("action_undo"));
    undo->setIcon(widgets::icon(QStringLiteral("undo")));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    QAction* redo = m_document.undoStack()->createRedoAction(&m_window, tr("Redo"));
    redo->setObjectName(QStringLiteral("action_redo"));
    redo->setIcon(widgets::icon(QStringLiteral("redo")));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Y), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)});
    editMenu = m_window.menuBar()->addMenu(tr("&Edit"));
    editMenu->setObjectName(QStringLiteral("menu_edit"));
    editActions = {undo, redo};
    editMenu->addActions(editActions);

    buildViewMenu(pages, docks);

    QMenu* run = m_window.menuBar()->addMenu(tr("&Run"));
    run->setObjectName(QStringLiteral("menu_run"));
    run->addActions({m_runs.runAction, m_runs.pauseAction, m_runs.stopAction, m_runs.resumeAction});
    run->addSeparator();
    run->addActions(experiments);
    buildHelpMenu();

    QToolBar* bar = m_window.addToolBar(tr("Toolbar"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setIconSize(QSize(widgets::kIconSize + 2, widgets::kIconSize + 2));
    bar->addActions({m_files.newAction, m_files.openAction, m_files.saveAction});
    bar->addSeparator();
    bar->addActions({undo, redo});
    bar->addSeparator();
    for (QAction* each : {m_runs.runAction, m_runs.pauseAction, m_runs.stopAction}) {
        bar->addAction(each);
        if (QWidget* button = bar->widgetForAction(each)) {
            button->setObjectName(each->objectName() + QStringLiteral("_button"));
        }
    }
    if (auto* runButton = qobject_cast<QToolButton*>(bar->widgetForAction(m_runs.runAction))) {
        runButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        // Wide enough for each of its texts, so that what is beside it stays in its place.
        const QFontMetrics metrics(runButton->font());
        const int shown = metrics.horizontalAdvance(m_runs.runAction->text());
        const int widest = std::max(metrics.horizontalAdvance(RunController::tr("Run")),
                                    metrics.horizontalAdvance(RunController::tr("Go on")));
        runButton->setMinimumWidth(runButton->sizeHint().width() + widest - shown);
    }
    auto* gap = new QWidget(bar);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    bar->addAction(paletteAction);
}

void WindowMenus::buildViewMenu(const QList<QAction*>& pages, const QList<QAction*>& docks) {
    QMenu* view = m_window.menuBar()->addMenu(tr("&View"));
    view->setObjectName(QStringLiteral("menu_view"));
    view->addActions(pages);
    view->addSeparator();
    view->addActions(docks);
    // Docks inside pages as well.
    for (const QDockWidget* dock : m_window.findChildren<QDockWidget*>()) {
        if (!docks.contains(dock->toggleViewAction())) {
            view->addAction(dock->toggleViewAction());
        }
    }
    resetLayoutAction = action("action_reset_layout", tr("Reset layout"), QStringLiteral("layout"));
    view->addAction(resetLayoutAction);
    view->addSeparator();

    QMenu* themes = view->addMenu(tr("Appearance"));
    themes->setObjectName(QStringLiteral("menu_theme"));
    auto* group = new QActionGroup(&m_window);
    const struct {
        const char* name;
        QString label;
        widgets::ThemeMode mode;
    } modes[] = {{"action_theme_system", tr("As the system"), widgets::ThemeMode::System},
                 {"action_theme_light", tr("Light"), widgets::ThemeMode::Light},
                 {"action_theme_dark", tr("Dark"), widgets::ThemeMode::Dark}};
    for (const auto& each : modes) {
        QAction* choice = action(each.name, each.label);
        choice->setCheckable(true);
        choice->setChecked(widgets::Theme::instance().mode() == each.mode);
        group->addAction(choice);
        themes->addAction(choice);
        QObject::connect(choice, &QAction::triggered, &m_window, [mode = each.mode] {
            widgets::Theme::instance().setMode(mode);
            QSettings().setValue(QStringLiteral("theme"), static_cast<int>(mode));
        });
    }
    QMenu* languages = view->addMenu(tr("Language"));
    languages->setObjectName(QStringLiteral("menu_language"));
    auto* languageGroup = new QActionGroup(&m_window);
    const QString chosen = QSettings().value(QStringLiteral("language")).toString();
    // A language's name is written in that language.
    const struct {
        const char* name;
        QString label;
        QString code;
    } codes[] = {{"action_language_system", tr("As the system"), QString()},
                 {"action_language_en", QStringLiteral("English"), QStringLiteral("en")},
                 {"action_language_zh", QStringLiteral("简体中文"), QStringLiteral("zh_CN")}};
    for (const auto& each : codes) {
        QAction* choice = action(each.name, each.label);
        choice->setCheckable(true);
        choice->setChecked(chosen == each.code);
        choice->setToolTip(tr("From the next start"));
        languageGroup->addAction(choice);
        languages->addAction(choice);
        QObject::connect(choice, &QAction::triggered, &m_window,
                         [code = each.code] { QSettings().setValue(QStringLiteral("language"), code); });
    }
    languages->addSeparator();
    languages->addAction(tr("From the next start"))->setEnabled(false);

    QAction* full = action("action_full_screen", tr("Full screen"), QStringLiteral("enlarge"));
    full->setShortcut(QKeySequence(Qt::Key_F11));
    full->setCheckable(true);
    QObject::connect(full, &QAction::toggled, &m_window, [window = &m_window](bool on) {
        window->setWindowState(on ? window->windowState() | Qt::WindowFullScreen
                                  : window->windowState() & ~Qt::WindowFullScreen);
    });
    view->addAction(full);
    paletteAction = action("action_command_palette", tr("Find a command…"), QStringLiteral("command"));
    paletteAction->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_K));
    view->addAction(paletteAction);
}

void WindowMenus::buildHelpMenu() {
    QMenu* help = m_window.menuBar()->addMenu(tr("&Help"));
    help->setObjectName(QStringLiteral("menu_help"));
    QAction* documentation = action("action_documentation", tr("Documentation"), QStringLiteral("help"));
    QObject::connect(documentation, &QAction::triggered, &m_window,
                     [window = &m_window] { showDocumentation(window); });
    help->addAction(documentation);
    QAction* shortcuts = action("action_shortcuts", tr("Keyboard shortcuts"), QStringLiteral("command"));
    shortcuts->setShortcut(QKeySequence(Qt::Key_F1));
    QObject::connect(shortcuts, &QAction::triggered, &m_window, [window = &m_window] { showShortcuts(window); });
    help->addAction(shortcuts);
    QAction* about = action("action_about", tr("About Plumbline"), QStringLiteral("info"));
    about->setMenuRole(QAction::AboutRole);
    QObject::connect(about, &QAction::triggered, &m_window, [window = &m_window] {
        auto* box =
            new QMessageBox(QMessageBox::NoIcon, tr("About Plumbline"),
                            tr("<b>Plumbline %1</b><br>The training workbench that tells you when your model is "
                               "silently wrong.<br><br>The window is free software under the GPL, version 3 or "
                               "later; the engine and what you export are Apache-2.0.")
                                .arg(QCoreApplication::applicationVersion()),
                            QMessageBox::Close, window);
        box->setObjectName(QStringLiteral("dialog_about"));
        box->setAttribute(Qt::WA_DeleteOnClose);
        nameDialogButtons(*box);
        box->open();
    });
    help->addAction(about);
}

}  // namespace plumbline::gui
