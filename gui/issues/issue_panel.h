// SPDX-License-Identifier: GPL-3.0-or-later
// A list of problems or findings beside a card that says all about the selected one.
#pragma once

#include <QWidget>
#include <functional>

#include "gui/issues/issue_model.h"
#include "gui/issues/remedy_state.h"

class QLabel;
class QSplitter;
class QTableView;

namespace plumbline::gui {

class IssueCard;

/// Return or a double click jumps to the place; the card has a button for each remedy; Ctrl+C copies the row as text.
/// Selecting a row changes nothing but the card.
class IssuePanel : public QWidget {
    Q_OBJECT

public:
    /// `name` starts the object names: "problems", "findings".
    explicit IssuePanel(const QString& name, QWidget* parent = nullptr);

    void setEmptyText(const QString& text);
    /// What a remedy would do now; asked again at each setIssues().
    void setRemedyProbe(std::function<RemedyState(const graph::Remedy&)> probe);
    void setIssues(const QList<Issue>& issues);
    bool isEmpty() const;
    IssueModel& model() { return *m_model; }
    void select(int row);
    /// False when there is no issue of this key.
    bool selectKey(const QString& key);
    const Issue* current() const;
    /// The splitter between list and card.
    QByteArray saveLayout() const;
    void restoreLayout(const QByteArray& state);
    void resetLayout();

Q_SIGNALS:
    void activated(const plumbline::gui::Issue& issue);
    void currentChanged();
    void remedyChosen(const plumbline::graph::Remedy& remedy);
    /// How this kind of finding is detected and what to do about it.
    void explanationWanted(const QString& code);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    IssueModel* m_model;
    QTableView* m_view;
    QLabel* m_empty;
    QSplitter* m_splitter;
    IssueCard* m_card;
};

}  // namespace plumbline::gui
