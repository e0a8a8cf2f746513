// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/outside_bar.h"

#include <QGuiApplication>

#include "gui/file_controller.h"
#include "gui/workspace.h"
#include "widgets/message_banner.h"

namespace plumbline::gui {

OutsideBar::OutsideBar(Workspace& workspace, FileController& files, widgets::MessageBanner* banner, QObject* parent)
    : QObject(parent), m_workspace(workspace), m_banner(banner) {
    ProjectDocument& document = workspace.document();
    connect(&document, &ProjectDocument::fileChangedOutside, this, &OutsideBar::look);
    connect(&document, &ProjectDocument::fileAgrees, this, &OutsideBar::look);
    connect(&document, &ProjectDocument::dirtyChanged, this, &OutsideBar::look);  // what Reload gives up is another
    connect(&document, &ProjectDocument::projectChanged, this, [this] {
        m_kept.reset();
        m_banner->dismiss();
    });
    connect(banner, &widgets::MessageBanner::actionTriggered, &files, &FileController::readAgain);
    connect(banner, &widgets::MessageBanner::secondTriggered, banner, &widgets::MessageBanner::dismiss);
    connect(banner, &widgets::MessageBanner::dismissed, this, &OutsideBar::keepMine);
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, &document, [&document](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive) {
            document.lookOutside();
        }
    });
}

void OutsideBar::keepMine() {
    if (auto text = m_workspace.document().outsideText()) {
        m_kept = std::move(text);
    }
}

void OutsideBar::look() {
    const ProjectDocument& document = m_workspace.document();
    const auto text = document.outsideText();
    if (!text) {
        m_kept.reset();
        m_banner->dismiss();
        return;
    }
    if (text == m_kept) {
        return;
    }
    m_banner->showMessage(widgets::Severity::Warning, tr("project.json was changed by another program."),
                          document.isDirty()
                              ? tr("Reload takes what it holds; your unsaved changes can be restored. Keep mine: "
                                   "saving asks before it overwrites.")
                              : tr("Reload takes what it holds. Keep mine: saving asks before it overwrites."),
                          tr("Reload"));
    m_banner->setSecondAction(tr("Keep mine"));
}

}  // namespace plumbline::gui
