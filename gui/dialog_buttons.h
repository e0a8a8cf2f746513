// SPDX-License-Identifier: GPL-3.0-or-later
// Names for the buttons that Qt makes in dialogs, for scripts and assistive technology.
#pragma once

class QDialog;

namespace plumbline::gui {

/// Buttons of the dialog's button box without an object name get one after what they do: NAME_accept, NAME_reject,
/// NAME_destroy, where NAME is the dialog's; standard buttons lose the style's icon, which does not follow the theme.
/// Before it is opened.
void nameDialogButtons(QDialog& dialog);

}  // namespace plumbline::gui
