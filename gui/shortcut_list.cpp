// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shortcut_list.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

#include "gui/dialog_buttons.h"
#include "gui/screen_room.h"
#include "widgets/filter_table.h"
#include "widgets/theme.h"

namespace plumbline::gui {

namespace {
QString say(const char* sentence) {
    return QCoreApplication::translate("ShortcutList", sentence);
}
}  // namespace

void showShortcuts(QWidget* window) {
    const struct {
        QString keys;
        QString what;
    } rows[] = {
        {QStringLiteral("Ctrl+N, Ctrl+O, Ctrl+S, Ctrl+Shift+S"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "New project, open, save, save as"))},
        {QStringLiteral("Ctrl+W, Ctrl+Q"), say(QT_TRANSLATE_NOOP("ShortcutList", "Close the project, quit"))},
        {QStringLiteral("Ctrl+Shift+N"), say(QT_TRANSLATE_NOOP("ShortcutList", "Start a project from my data"))},
        {QStringLiteral("Ctrl+Z, Ctrl+Y"), say(QT_TRANSLATE_NOOP("ShortcutList", "Undo, redo"))},
        {QStringLiteral("Ctrl+K"), say(QT_TRANSLATE_NOOP("ShortcutList", "Find a command by its name"))},
        {QStringLiteral("Ctrl+1 … Ctrl+7"), say(QT_TRANSLATE_NOOP("ShortcutList", "Go to a page"))},
        {QStringLiteral("F5, F6, Shift+F5, Ctrl+F5"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Run, pause, stop, resume"))},
        {QStringLiteral("F7, F8, F9"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Before the run: preflight, find learning rate, find batch size"))},
        {QStringLiteral("Shift+F7, Shift+F8, Shift+F9"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Before the run: overfit one batch, profile steps; new sweep"))},
        {QStringLiteral("F1, F11"), say(QT_TRANSLATE_NOOP("ShortcutList", "This list, full screen"))},
        {QStringLiteral("Tab"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Canvas: add a block by search (or double click on empty canvas)"))},
        {QStringLiteral("Ctrl+X, Ctrl+C, Ctrl+V, Ctrl+D"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Canvas: cut, copy, paste, duplicate"))},
        {QStringLiteral("Delete"), say(QT_TRANSLATE_NOOP("ShortcutList", "Canvas: delete; readers are reconnected"))},
        {QStringLiteral("Ctrl+A, Ctrl+F"),
         say(QT_TRANSLATE_NOOP("ShortcutList",
                               "Canvas: select all, find a block; other pages: find a setting or a run"))},
        {QStringLiteral("Ctrl+G"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Canvas: group the selection into a composite"))},
        {QStringLiteral("Return, Backspace"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Canvas: go into a composite (or double click), go out"))},
        {QStringLiteral(". + - Home"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Canvas: fit the selection, zoom in, zoom out, fit all"))},
        {QString::fromUtf8("\u2190 \u2191 \u2192 \u2193"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Canvas: go to the neighbour; with Ctrl, move the selection"))},
        {QString::fromUtf8("\u2190 \u2192 + - Home"),
         say(QT_TRANSLATE_NOOP(
             "ShortcutList",
             "Plots: move the cursor by a point, zoom in, zoom out, reset; with Shift, pan and zoom both axes"))},
        {QString::fromUtf8("F2, Alt+\u2191, Alt+\u2193"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Table of runs: edit name or note, sort by this column"))},
        {QStringLiteral("Ctrl+U"),
         say(QT_TRANSLATE_NOOP("ShortcutList",
                               "Table of runs: go to the run that this one was branched from, or to its sweep"))},
        {QString::fromUtf8("Shift+\u2191, Shift+\u2193"),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Table of runs: select several to lay them over each other"))},
        {say(QT_TRANSLATE_NOOP("ShortcutList", "Space-drag, middle-drag")),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Canvas and plots: pan"))},
        {say(QT_TRANSLATE_NOOP("ShortcutList", "Drag, double click")),
         say(QT_TRANSLATE_NOOP("ShortcutList", "Plots: zoom into a box, reset"))}};
    auto* dialog = new QDialog(window);
    dialog->setObjectName(QStringLiteral("dialog_shortcuts"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(say(QT_TRANSLATE_NOOP("ShortcutList", "Keyboard shortcuts")));
    dialog->resize(withinScreen(QSize(640, 520)));
    auto* table = new QTableWidget(static_cast<int>(std::size(rows)), 2, dialog);
    table->setTabKeyNavigation(false);
    table->setObjectName(QStringLiteral("shortcuts_table"));
    table->setAccessibleName(dialog->windowTitle());
    table->setHorizontalHeaderLabels(
        {say(QT_TRANSLATE_NOOP("ShortcutList", "Keys")), say(QT_TRANSLATE_NOOP("ShortcutList", "What they do"))});
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    widgets::offerCopy(*table);
    int row = 0;
    for (const auto& each : rows) {
        table->setItem(row, 0, new QTableWidgetItem(each.keys));
        table->setItem(row, 1, new QTableWidgetItem(each.what));
        ++row;
    }
    auto* buttons = new QDialogButtonBox(dialog);
    buttons->addButton(say(QT_TRANSLATE_NOOP("ShortcutList", "Close")), QDialogButtonBox::RejectRole);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(widgets::space::kLarge, widgets::space::kLarge, widgets::space::kLarge,
                               widgets::space::kLarge);
    layout->addWidget(table);
    layout->addWidget(buttons);
    nameDialogButtons(*dialog);
    dialog->open();
}

}  // namespace plumbline::gui
