// SPDX-License-Identifier: GPL-3.0-or-later
// Problems of the project and findings of a run, as rows of one kind.
#pragma once

#include <QAbstractTableModel>
#include <QList>
#include <QString>
#include <vector>

#include "core/error.h"
#include "diagnostics/finding.h"
#include "graph/problem.h"
#include "gui/issues/evidence_text.h"

namespace plumbline::gui {

/// One thing that is wrong, or was.
struct Issue {
    QString key;  ///< keeps the selection over a refresh
    graph::Severity severity = graph::Severity::kCritical;
    QString code;     ///< "shape-mismatch", "loader-stall"
    QString block;    ///< path
    QString pointer;  ///< JSON pointer, for problems
    QString message;
    QString where;  ///< "step 412, epoch 3"; empty for problems
    QList<EvidenceRow> evidence;
    bool fromDetector = false;  ///< `code` has a page in docs/detectors
    QString applied;            ///< a remedy of it is in the project: "applied, run again"
    bool isOn = false;          ///< its run is on, so that a live remedy has reached it
    bool cleared = false;
    bool consequence = false;  ///< folds under another finding
    std::vector<graph::Remedy> remedies;
};

Issue issueOf(const graph::Problem& problem);
Issue issueOf(const diagnostics::Finding& finding);
/// Data that cannot be read.
Issue issueOfData(const Error& error);
/// A block without a reader and parameters without a loss follow from a wire or block that is wrong: they come after
/// it, as its consequences.
void foldConsequences(QList<Issue>& problems);
/// As it is copied: severity, code, where, message, evidence, remedies.
QString issueText(const Issue& issue);

/// Columns: severity, what, block, message. Rows keep their identity over setIssues().
class IssueModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { SeverityColumn, BlockColumn, MessageColumn, WhereColumn, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setIssues(const QList<Issue>& issues);
    const QList<Issue>& issues() const { return m_issues; }
    int count(graph::Severity severity) const;  ///< open ones
    int openCount() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<Issue> m_issues;
};

}  // namespace plumbline::gui
