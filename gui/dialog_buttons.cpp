// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/dialog_buttons.h"

#include <QAbstractButton>
#include <QDialog>
#include <QDialogButtonBox>
#include <QIcon>

namespace plumbline::gui {

void nameDialogButtons(QDialog& dialog) {
    for (QDialogButtonBox* box : dialog.findChildren<QDialogButtonBox*>()) {
        for (QAbstractButton* button : box->buttons()) {
            if (box->standardButton(button) != QDialogButtonBox::NoButton) {
                button->setIcon(QIcon());  // the style's own does not follow the theme
            }
            if (button->objectName().isEmpty()) {
                const QDialogButtonBox::ButtonRole role = box->buttonRole(button);
                const QString deed = role == QDialogButtonBox::RejectRole        ? QStringLiteral("_reject")
                                     : role == QDialogButtonBox::DestructiveRole ? QStringLiteral("_destroy")
                                                                                 : QStringLiteral("_accept");
                button->setObjectName(dialog.objectName() + deed);
            }
        }
    }
}

}  // namespace plumbline::gui
