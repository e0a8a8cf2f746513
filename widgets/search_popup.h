// SPDX-License-Identifier: GPL-3.0-or-later
// A search field over a list, at the pointer or in the window's middle: quick-add and command palette.
#pragma once

#include <QAction>
#include <QFrame>
#include <QIcon>
#include <QList>
#include <QPointer>
#include <QString>

class QLabel;
class QLineEdit;
class QListView;

namespace plumbline::widgets {

struct SearchEntry {
    QString id;
    QString title;
    QString subtitle;  ///< muted, right of the title: category, shortcut
    QString keywords;  ///< also searched, not shown
    QIcon icon;
    bool enabled = true;
    QString reason;  ///< tooltip while not enabled
};

/// A popup with a search field: typing filters (fuzzy), Up/Down move, Return chooses, Escape closes. Never modal.
class SearchPopup : public QFrame {
    Q_OBJECT

public:
    explicit SearchPopup(QWidget* parent = nullptr);

    void setPlaceholder(const QString& text);
    void setEntries(const QList<SearchEntry>& entries);
    /// Opens with an empty query; kept inside the screen.
    void popupAt(const QPoint& globalPosition);
    /// Opens below the top middle of a window.
    void popupOver(QWidget* window);

    /// Ids in the order shown.
    QStringList shownIds() const;
    void setQuery(const QString& text);

Q_SIGNALS:
    void chosen(const QString& id);
    /// Closed without a choice.
    void cancelled();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    class Model;
    void refilter();
    void choose(int row);
    void open();

    QLineEdit* m_search;
    QListView* m_list;
    QLabel* m_none;
    Model* m_model;
    bool m_chose = false;
};

/// Quick-add: entries with their block category; the chosen ones of late come first while nothing is typed.
class QuickSearchPopup : public SearchPopup {
    Q_OBJECT

public:
    explicit QuickSearchPopup(QWidget* parent = nullptr);
    void setRecent(const QStringList& ids) { m_recent = ids; }
    QStringList recent() const { return m_recent; }
    /// Entries with the recent ones moved to the front.
    void setBlocks(const QList<SearchEntry>& entries);

private:
    QStringList m_recent;
};

/// Ctrl+K: every action of the window by name, with its shortcut; Return triggers it.
class CommandPalette : public SearchPopup {
    Q_OBJECT

public:
    /// Property of an action that means something only where it stands, as a table's own Copy: it is left out.
    static constexpr const char* kOfOnePlace = "ofOnePlace";

    explicit CommandPalette(QWidget* parent = nullptr);
    /// Actions that are deleted later drop out by themselves; separators, submenus and invisible ones are left out.
    void setActions(const QList<QAction*>& actions);
    /// All actions of the window and its children, read anew each time, then popupOver(window).
    void popupFor(QWidget* window);

private:
    QList<QPointer<QAction>> m_actions;
};

}  // namespace plumbline::widgets
