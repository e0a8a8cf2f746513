// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/issues/issue_model.h"

#include <QSet>
#include <algorithm>
#include <tuple>

#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "widgets/icons.h"

namespace plumbline::gui {

namespace {

/// The block or setting that a JSON pointer names, as a person calls it: "/model/graph/nodes/fc/params/bias" is "fc".
QString placeOf(const QString& pointer) {
    QStringList parts = pointer.split(QLatin1Char('/'), Qt::SkipEmptyParts);
    if (parts.value(0) != QLatin1String("model")) {
        return parts.join(QLatin1Char('.'));
    }
    const bool inside = parts.value(1) == QLatin1String("definitions");
    const QString name = parts.value(inside ? 4 : 3);
    return inside && !name.isEmpty() ? parts.value(2) + QStringLiteral(" › ") + name : inside ? parts.value(2) : name;
}

}  // namespace

Issue issueOf(const graph::Problem& problem) {
    Issue issue;
    issue.severity = problem.severity;
    issue.code = text(problem.code);
    issue.block = text(problem.block);
    issue.pointer = text(problem.pointer);
    issue.message = engineSentence(problem.message);
    issue.remedies = problem.remedies;
    issue.key = issue.code + QLatin1Char('|') + issue.block + QLatin1Char('|') + issue.pointer;
    return issue;
}

Issue issueOf(const diagnostics::Finding& finding) {
    Issue issue;
    issue.key = text(finding.id);
    issue.severity = finding.severity;
    issue.code = text(finding.detector);
    issue.block = text(finding.block);
    issue.message = engineSentence(finding.message);
    issue.where = IssueModel::tr("step %1, epoch %2").arg(finding.step).arg(finding.epoch);
    issue.cleared = finding.clearedAt.has_value();
    if (issue.cleared) {
        issue.where += IssueModel::tr(", cleared at step %1").arg(*finding.clearedAt);
    }
    issue.consequence = !finding.cause.empty();
    issue.evidence = evidenceRows(finding.evidence);
    issue.fromDetector = true;
    issue.remedies = finding.remedies;
    return issue;
}

Issue issueOfData(const Error& error) {
    Issue issue;
    issue.code = text(error.code);
    issue.pointer = isPlaceInProject(error.where) ? text(error.where) : QStringLiteral("/data");
    issue.message = errorSentence(error);
    issue.key = QStringLiteral("data|") + issue.code;
    return issue;
}

void foldConsequences(QList<Issue>& problems) {
    const bool broken = std::any_of(problems.begin(), problems.end(), [](const Issue& issue) {
        return issue.severity == graph::Severity::kCritical && issue.pointer.startsWith(QLatin1String("/model"));
    });
    for (Issue& issue : problems) {
        issue.consequence = broken && (issue.code == QLatin1String("unread-block") ||
                                       issue.code == QLatin1String("unreached-parameter"));
    }
    std::stable_sort(problems.begin(), problems.end(), [](const Issue& a, const Issue& b) {
        return std::tuple(!a.consequence, a.severity) > std::tuple(!b.consequence, b.severity);
    });
}

QString issueText(const Issue& issue) {
    QString all = QStringLiteral("%1: %2").arg(widgets::severityName(toWidget(issue.severity)), issue.code);
    if (!issue.block.isEmpty()) {
        all += QStringLiteral(" (%1)").arg(issue.block);
    }
    if (!issue.where.isEmpty()) {
        all += QStringLiteral(", ") + issue.where;
    }
    all += QLatin1Char('\n') + issue.message;
    for (const EvidenceRow& row : issue.evidence) {
        all += QLatin1Char('\n') + row.label + QStringLiteral(": ") + row.value;
    }
    for (const graph::Remedy& remedy : issue.remedies) {
        all += QStringLiteral("\n- ") + engineSentence(remedy.title);
    }
    return all;
}

void IssueModel::setIssues(const QList<Issue>& issues) {
    // What stays keeps its row's identity (and so selection and scroll): rows that are gone are taken out, new ones are
    // put in between, one that comes earlier than before is taken out and put in again.
    QSet<QString> wanted;
    for (const Issue& issue : issues) {
        wanted.insert(issue.key);
    }
    const auto takeOut = [this](qsizetype row) {
        beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
        m_issues.removeAt(row);
        endRemoveRows();
    };
    for (qsizetype row = m_issues.size() - 1; row >= 0; --row) {
        if (!wanted.contains(m_issues[row].key)) {
            takeOut(row);
        }
    }
    for (qsizetype row = 0; row < issues.size(); ++row) {
        if (row < m_issues.size() && m_issues[row].key == issues[row].key) {
            continue;
        }
        for (qsizetype later = row + 1; later < m_issues.size(); ++later) {
            if (m_issues[later].key == issues[row].key) {
                takeOut(later);
                break;
            }
        }
        beginInsertRows({}, static_cast<int>(row), static_cast<int>(row));
        m_issues.insert(row, issues[row]);
        endInsertRows();
    }
    while (m_issues.size() > issues.size()) {
        takeOut(m_issues.size() - 1);
    }
    m_issues = issues;
    if (!m_issues.isEmpty()) {
        Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(m_issues.size()) - 1, ColumnCount - 1));
    }
}

int IssueModel::count(graph::Severity severity) const {
    return static_cast<int>(std::count_if(m_issues.begin(), m_issues.end(), [severity](const Issue& issue) {
        return issue.severity == severity && !issue.cleared;
    }));
}

int IssueModel::openCount() const {
    return static_cast<int>(
        std::count_if(m_issues.begin(), m_issues.end(), [](const Issue& issue) { return !issue.cleared; }));
}

int IssueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_issues.size());
}

int IssueModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant IssueModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_issues.size()) {
        return {};
    }
    const Issue& issue = m_issues[index.row()];
    const widgets::Severity severity = issue.cleared ? widgets::Severity::Good : toWidget(issue.severity);
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            switch (index.column()) {
                case SeverityColumn:
                    return issue.cleared ? tr("cleared") : widgets::severityName(severity);
                case BlockColumn:
                    return issue.block.isEmpty() ? placeOf(issue.pointer) : issue.block;
                case MessageColumn:
                    return issue.consequence ? tr("follows: %1").arg(issue.message) : issue.message;
                case WhereColumn: {
                    QStringList parts{issue.code, issue.where, issue.cleared ? QString() : issue.applied};
                    parts.removeAll(QString());
                    return parts.join(QStringLiteral(" · "));
                }
                default:
                    return {};
            }
        case Qt::DecorationRole:
            return index.column() == SeverityColumn ? QVariant(widgets::severityIcon(severity)) : QVariant();
        case Qt::ToolTipRole:
            return issueText(issue);
        case Qt::ForegroundRole:
            return issue.cleared || issue.consequence || !issue.applied.isEmpty()
                       ? QVariant(widgets::Theme::instance().colors().muted)
                       : QVariant();
        case Qt::FontRole:
            return index.column() == BlockColumn ? QVariant(widgets::Theme::instance().monoFont()) : QVariant();
        default:
            return {};
    }
}

QVariant IssueModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
        case SeverityColumn:
            return tr("Severity");
        case BlockColumn:
            return tr("Block");
        case MessageColumn:
            return tr("What is wrong");
        case WhereColumn:
            return tr("Kind");
        default:
            return {};
    }
}

}  // namespace plumbline::gui
