// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/probe_menu.h"

#include <QAction>
#include <QMenu>
#include <QPushButton>

#include "gui/page.h"
#include "gui/pages/probe_dialog.h"
#include "gui/workspace.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using session::ProbeKind;

ProbeMenu::ProbeMenu(Page& page) : QObject(&page), m_page(page) {
    const struct {
        const char* name;
        const char* icon;
        ProbeKind kind;
        QKeyCombination keys;
    } kinds[] = {{"action_preflight", "good", ProbeKind::kPreflight, Qt::Key_F7},
                 {"action_find_lr", "chart", ProbeKind::kLearningRate, Qt::Key_F8},
                 {"action_find_batch_size", "memory", ProbeKind::kBatchSize, Qt::Key_F9},
                 {"action_overfit", "reset", ProbeKind::kOverfit, Qt::SHIFT | Qt::Key_F7},
                 {"action_profile", "clock", ProbeKind::kProfile, Qt::SHIFT | Qt::Key_F8}};
    for (const auto& experiment : kinds) {
        auto* action = new QAction(widgets::icon(QLatin1String(experiment.icon)), probeTitle(experiment.kind), this);
        action->setObjectName(QLatin1String(experiment.name));
        action->setShortcut(QKeySequence(experiment.keys));
        connect(action, &QAction::triggered, this, [this, kind = experiment.kind] {
            if (!m_page.workspace().commitFields()) {
                return;
            }
            if (!m_dialog) {
                m_dialog = new ProbeDialog(m_page.workspace(), &m_page);
            }
            m_dialog->begin(kind);
        });
        m_actions << action;
    }
    connect(&page.workspace().document(), &ProjectDocument::projectChanged, this, &ProbeMenu::update);
    update();
}

namespace {
/// With room for the arrow of its menu, which the style draws over the text's end.
class MenuButton : public QPushButton {
public:
    using QPushButton::QPushButton;
    QSize sizeHint() const override { return QPushButton::sizeHint() + QSize(widgets::space::kMedium, 0); }
};
}  // namespace

QPushButton* ProbeMenu::makeButton(QWidget* parent) const {
    auto* button = new MenuButton(widgets::icon(QStringLiteral("gauge")), tr("Before the run"), parent);
    button->setObjectName(QStringLiteral("before_run"));
    button->setAccessibleName(tr("Before the run"));
    button->setToolTip(tr("Short experiments that need no run"));
    auto* menu = new QMenu(button);
    menu->setObjectName(QStringLiteral("before_run_menu"));
    menu->addActions(m_actions);
    button->setMenu(menu);
    return button;
}

void ProbeMenu::update() {
    for (QAction* action : m_actions) {
        action->setEnabled(m_page.workspace().document().isOpen());
    }
}

}  // namespace plumbline::gui
