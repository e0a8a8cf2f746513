// SPDX-License-Identifier: GPL-3.0-or-later
// One page of the window: what stands in the middle when its entry on the left is chosen.
#pragma once

#include <QAction>
#include <QList>
#include <QSize>
#include <QString>
#include <QWidget>
#include <functional>

class QLineEdit;

namespace plumbline::gui {

class Workspace;

/// Pages are made once by pages/register_pages.cpp and live as long as the window. A page reads the project from
/// workspace().document(), follows its signals, and edits through it alone; it hears a run through
/// workspace().bridge(). All calls in the window's thread.
class Page : public QWidget {
    Q_OBJECT

public:
    explicit Page(Workspace& workspace, QWidget* parent = nullptr) : QWidget(parent), m_workspace(workspace) {}
    /// What stands on the page no longer calls it: models tell of their own end.
    ~Page() override;

    /// Word of `--page` and key of the remembered layout: "model", "data".
    virtual QString id() const = 0;
    virtual QString title() const = 0;
    /// Name in resources/icons.
    virtual QString iconName() const = 0;
    /// False: always there (Welcome). True: only while a project is open.
    virtual bool needsProject() const { return true; }

    /// The page comes to the front; work that costs time starts here, in the background.
    virtual void activated() {}
    virtual void deactivated() {}
    /// What is being typed becomes an edit (before Run, Save and Close).
    virtual void commitPending() {}
    /// Why a field of the page shows text that is no value, and so has another one; empty when none does.
    virtual QString refusedText() const { return {}; }
    /// Goes to that field.
    virtual void revealRefused() {}
    /// Actions for the Edit menu and the command palette while the page is in front. Null = a separator. Shortcuts have
    /// Qt::WidgetWithChildrenShortcut.
    virtual QList<QAction*> pageActions() const { return {}; }
    /// Actions for the Run menu, whatever page is in front; their shortcuts hold in the whole window.
    virtual QList<QAction*> runActions() const { return {}; }
    /// `--run RUN`, a double click in a table of runs: show this run. False: the page has nothing to do with runs.
    virtual bool showRun(const QString& run) {
        Q_UNUSED(run)
        return false;
    }
    /// Shows what a JSON pointer of project.json names ("/training/optimizer/lr"); false: not on this page.
    virtual bool revealPointer(const QString& pointer) {
        Q_UNUSED(pointer)
        return false;
    }
    /// Something of the page goes on that the program's end would stop: asks whether it may, and `then` follows once it
    /// has ended. False where nothing does.
    virtual bool askBeforeEnd(const std::function<void()>& then) {
        Q_UNUSED(then)
        return false;
    }
    /// How much of the page can be seen at once: it may fold something away before it has to be scrolled.
    virtual void setRoom(const QSize& room) { Q_UNUSED(room) }
    /// Nothing is still loading: what `--shot` waits for.
    virtual bool isSettled() const { return true; }
    /// Kept between sessions: splitters, columns, docks inside the page.
    virtual QByteArray saveLayout() const { return {}; }
    virtual void restoreLayout(const QByteArray& state) { Q_UNUSED(state) }
    /// The layout as it was on the first start.
    virtual void resetLayout() {}

    Workspace& workspace() const { return m_workspace; }

protected:
    /// Ctrl+F while the page is in front: the keyboard goes to this field. For pageActions().
    QAction* makeFindAction(const QString& text, QLineEdit* field);

private:
    Workspace& m_workspace;
};

}  // namespace plumbline::gui
