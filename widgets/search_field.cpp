// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/search_field.h"

#include <QKeyEvent>

namespace plumbline::widgets {

bool SearchField::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool nothingToUndo = key->matches(QKeySequence::Undo) && !isUndoAvailable();
        const bool nothingToRedo = key->matches(QKeySequence::Redo) && !isRedoAvailable();
        if (nothingToUndo || nothingToRedo) {
            event->ignore();
            return true;
        }
    }
    return QLineEdit::event(event);
}

}  // namespace plumbline::widgets
