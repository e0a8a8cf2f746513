// SPDX-License-Identifier: GPL-3.0-or-later
// A list of problems or findings with what can be done about the selected one.
#pragma once

#include <QWidget>

#include "gui/issues/issue_model.h"

class QHBoxLayout;
class QLabel;
class QTableView;
class QToolButton;

namespace plumbline::gui {

/// Return or a double click jumps to the place; each remedy of the selected row is a button; Ctrl+C copies it as text.
class IssuePanel : public QWidget {
    Q_OBJECT

public:
    /// `name` starts the object names: "problems", "findings".
    explicit IssuePanel(const QString& name, QWidget* parent = nullptr);

    void setEmptyText(const QString& text);
    void setIssues(const QList<Issue>& issues);
    IssueModel& model() { return *m_model; }
    void select(int row);
    const Issue* current() const;

Q_SIGNALS:
    void activated(const plumbline::gui::Issue& issue);
    void currentChanged();
    void remedyChosen(const plumbline::graph::Remedy& remedy);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showCurrent();

    IssueModel* m_model;
    QTableView* m_view;
    QLabel* m_empty;
    QWidget* m_detail;
    QLabel* m_message;
    QHBoxLayout* m_buttons;
    QString m_name;
    QString m_shownKey;
};

}  // namespace plumbline::gui
