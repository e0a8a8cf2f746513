// SPDX-License-Identifier: GPL-3.0-or-later
// All about one problem or finding: the sentence, its numbers, where, and what can be done.
#pragma once

#include <QWidget>
#include <functional>

#include "gui/issues/issue_model.h"
#include "gui/issues/remedy_state.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace plumbline::gui {

/// Its buttons are reached by Tab and by the mouse; a click leaves the keyboard where it was.
class IssueCard : public QWidget {
    Q_OBJECT

public:
    explicit IssueCard(const QString& name, QWidget* parent = nullptr);

    void setRemedyProbe(std::function<RemedyState(const graph::Remedy&)> probe) { m_probe = std::move(probe); }
    /// Null clears it. What has not changed keeps its widgets.
    void showIssue(const Issue* issue);

Q_SIGNALS:
    void placeWanted();
    void remedyChosen(const plumbline::graph::Remedy& remedy);
    void explanationWanted(const QString& code);

private:
    QPushButton* button(const QString& name, const QString& label);
    void clear();
    void fillEvidence(const Issue& issue);
    void fillRemedies(const Issue& issue, const QList<RemedyState>& states);

    QString m_name;
    std::function<RemedyState(const graph::Remedy&)> m_probe;
    QLabel* m_title;
    QLabel* m_message;
    QWidget* m_evidence = nullptr;
    QWidget* m_remedies = nullptr;
    QVBoxLayout* m_column;
    QPushButton* m_jump;
    QPushButton* m_explain;
    QString m_code;
    QString m_shown;
};

}  // namespace plumbline::gui
