// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/run_table_model.h"

#include <QDateTime>
#include <QSet>
#include <algorithm>

#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/finding_count.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

QString statusText(const std::string& status) {
    if (status == "running") {
        return RunTableModel::tr("running");
    }
    if (status == "completed") {
        return RunTableModel::tr("completed");
    }
    if (status == "stopped") {
        return RunTableModel::tr("stopped");
    }
    if (status == "failed") {
        return RunTableModel::tr("failed");
    }
    if (status == "interrupted") {
        return RunTableModel::tr("interrupted");
    }
    return status == "unreadable" ? RunTableModel::tr("unreadable") : text(status);
}

namespace {

widgets::Severity statusSeverity(const store::RunInfo& run) {
    using widgets::Severity;
    if (run.status == "failed" || run.status == "unreadable") {
        return Severity::Critical;
    }
    const Severity found = run.worstFinding == "critical"  ? Severity::Critical
                           : run.worstFinding == "warning" ? Severity::Warning
                           : run.worstFinding == "info"    ? Severity::Info
                                                           : Severity::None;
    const Severity own = run.status == "completed" ? Severity::Good
                         : run.status == "running" ? Severity::Info
                                                   : Severity::Warning;
    return std::max(found, own);
}

}  // namespace

void RunTableModel::setRuns(std::vector<store::RunInfo> runs, QHash<QString, TrialOrigin> trials) {
    giveColors(runs);
    QStringList metrics;
    for (const store::RunInfo& run : runs) {
        if (!run.metrics.is_object()) {
            continue;
        }
        for (const auto& [name, value] : run.metrics.items()) {
            if (value.is_number() && !metrics.contains(text(name))) {
                metrics.append(text(name));
            }
        }
    }
    metrics.sort();
    // Rows that stay keep their selection and an editor that is open in them, when columns come and go too.
    if (metrics != m_metrics) {
        constexpr int first = FixedColumns;
        if (!m_metrics.isEmpty()) {
            beginRemoveColumns({}, first, columnCount() - 1);
            m_metrics.clear();
            endRemoveColumns();
        }
        if (!metrics.isEmpty()) {
            beginInsertColumns({}, first, first + static_cast<int>(metrics.size()) - 1);
            m_metrics = std::move(metrics);
            endInsertColumns();
        }
    }
    const auto isIn = [](const std::vector<store::RunInfo>& all, const std::string& id) {
        return std::any_of(all.begin(), all.end(), [&](const store::RunInfo& run) { return run.id == id; });
    };
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (!isIn(runs, m_runs[static_cast<std::size_t>(row)].id)) {
            beginRemoveRows({}, row, row);
            m_runs.erase(m_runs.begin() + row);
            endRemoveRows();
        }
    }
    for (std::size_t row = 0; row < runs.size(); ++row) {
        if (row < m_runs.size() && m_runs[row].id == runs[row].id) {
            continue;
        }
        if (isIn(m_runs, runs[row].id)) {  // in another order
            beginResetModel();
            m_runs = std::move(runs);
            m_trials = std::move(trials);
            endResetModel();
            return;
        }
        beginInsertRows({}, static_cast<int>(row), static_cast<int>(row));
        m_runs.insert(m_runs.begin() + static_cast<std::ptrdiff_t>(row), runs[row]);
        endInsertRows();
    }
    // A cell that stays as it is is left alone: a view would put its old text into an editor that is open there.
    const auto shown = [this] {
        QList<QVariant> all;
        for (int row = 0; row < rowCount(); ++row) {
            for (int column = 0; column < columnCount(); ++column) {
                all.append(data(index(row, column), Qt::DisplayRole));
            }
        }
        return all;
    };
    const QList<QVariant> before = shown();
    m_runs = std::move(runs);
    m_trials = std::move(trials);
    const QList<QVariant> after = shown();
    for (qsizetype i = 0; i < after.size(); ++i) {
        if (before[i] != after[i]) {
            const QModelIndex cell = index(static_cast<int>(i / columnCount()), static_cast<int>(i % columnCount()));
            Q_EMIT dataChanged(cell, cell);
        }
    }
}

void RunTableModel::setDrawn(const QStringList& ids) {
    if (ids == m_drawn) {
        return;
    }
    m_drawn = ids;
    if (!m_runs.empty()) {
        Q_EMIT dataChanged(index(0, Name), index(rowCount() - 1, Name), {Qt::DecorationRole});
    }
}

void RunTableModel::giveColors(const std::vector<store::RunInfo>& runs) {
    QVariantMap colors;
    QSet<int> taken;
    std::vector<const store::RunInfo*> fresh;
    for (const store::RunInfo& run : runs) {
        const auto known = m_colors.constFind(text(run.id));
        if (known == m_colors.cend()) {
            fresh.push_back(&run);
        } else {
            colors.insert(known.key(), *known);
            taken.insert(known->toInt());
        }
    }
    std::sort(fresh.begin(), fresh.end(),
              [](const store::RunInfo* a, const store::RunInfo* b) { return isOlder(*a, *b); });
    int next = 0;
    for (const store::RunInfo* run : fresh) {
        while (taken.contains(next)) {
            ++next;
        }
        colors.insert(text(run->id), next++);
    }
    m_colors = std::move(colors);
}

int RunTableModel::rowOf(const QString& id) const {
    const auto it =
        std::find_if(m_runs.begin(), m_runs.end(), [&](const store::RunInfo& run) { return text(run.id) == id; });
    return it == m_runs.end() ? -1 : static_cast<int>(it - m_runs.begin());
}

const TrialOrigin* RunTableModel::trialOf(int row) const {
    const auto origin = m_trials.constFind(text(run(row).id));
    return origin == m_trials.cend() ? nullptr : &*origin;
}

bool RunTableModel::hasParents() const {
    return hasTrials() ||
           std::any_of(m_runs.begin(), m_runs.end(), [](const store::RunInfo& run) { return !run.parent.empty(); });
}

QVariant RunTableModel::parentOf(int row, int role) const {
    const bool display = role == Qt::DisplayRole;
    if (const TrialOrigin* trial = trialOf(row)) {
        return display ? tr("Sweep %1, trial %2").arg(trial->sweep).arg(trial->number)
                       : QStringLiteral("%1 %2").arg(trial->sweep).arg(trial->number, 8, 10, QLatin1Char('0'));
    }
    const store::RunInfo& child = run(row);
    if (child.parent.empty()) {
        return {};
    }
    const int parent = rowOf(text(child.parent));
    const QString name = parent < 0 || run(parent).name.empty() ? text(child.parent) : text(run(parent).name);
    return display ? tr("%1, step %2").arg(name).arg(child.parentStep)
                   : QStringLiteral("%1 %2").arg(name).arg(child.parentStep, 16, 10, QLatin1Char('0'));
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : FixedColumns + static_cast<int>(m_metrics.size());
}

QVariant RunTableModel::metric(const store::RunInfo& run, int column) const {
    const std::string name = bytes(m_metrics[column - FixedColumns]);
    const auto it = run.metrics.is_object() ? run.metrics.find(name) : run.metrics.end();
    return run.metrics.is_object() && it != run.metrics.end() && it->is_number() ? QVariant(it->get<double>())
                                                                                 : QVariant();
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const store::RunInfo& run = m_runs[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole) {
        const bool number = (column >= Seconds && column <= Objective) || column >= FixedColumns;
        return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && column >= FixedColumns) {
        const QVariant value = metric(run, column);
        return value.isValid() ? QVariant(QString::number(value.toDouble(), 'g', 9)) : QVariant();
    }
    if (role == Qt::ToolTipRole && column == Status && run.stopReason.is_object()) {
        return engineSentence(run.stopReason.value("message", std::string()));
    }
    if (role == Qt::ToolTipRole && column == Parent && !run.parent.empty() && !m_trials.contains(text(run.id))) {
        return tr("Branched from run %1 at step %2").arg(text(run.parent)).arg(run.parentStep);
    }
    if (const TrialOrigin* trial = role == Qt::ToolTipRole && column == Objective ? trialOf(index.row()) : nullptr;
        trial && trial->value) {
        return tr("%1 at its best: %2").arg(trial->series, QString::number(*trial->value, 'g', 9));
    }
    if (role == IdRole) {
        return text(run.id);
    }
    if (role == Qt::DecorationRole && column == Status) {
        return widgets::severityIcon(statusSeverity(run));
    }
    if (role == Qt::DecorationRole && column == Name && m_drawn.contains(text(run.id))) {
        return widgets::Theme::instance().curveColor(colorOf(text(run.id)));
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) {
        return {};
    }
    const bool display = role == Qt::DisplayRole;
    switch (column) {
        case Name:
            return display && run.name.empty() ? text(run.id) : text(run.name);
        case Status:
            return stateWithFindings(statusText(run.status), run.openFindings);
        case Started: {
            const QDateTime started = QDateTime::fromString(text(run.started), Qt::ISODate);
            return display ? QVariant(QLocale().toString(started.toLocalTime(), QLocale::ShortFormat))
                           : QVariant(started);
        }
        case Seconds:
            return display ? QVariant(durationText(run.seconds)) : QVariant(run.seconds);
        case Epochs:
            return QVariant::fromValue<qint64>(run.epochs);
        case Steps:
            return QVariant::fromValue<qint64>(run.stepsAttempted);
        case Skipped:
            return QVariant::fromValue<qint64>(run.stepsSkipped);
        case Findings:
            return run.findings;
        case Objective: {
            const TrialOrigin* trial = trialOf(index.row());
            return !trial || !trial->value ? QVariant()
                   : display               ? QVariant(metricText(*trial->value))
                                           : QVariant(*trial->value);
        }
        case Parent:
            return parentOf(index.row(), role);
        case Note:
            return text(run.note);
        default:
            break;
    }
    const QVariant value = metric(run, column);
    return display && value.isValid() ? QVariant(metricText(value.toDouble())) : value;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return QAbstractTableModel::headerData(section, orientation, role);
    }
    switch (section) {
        case Name:
            return tr("Run");
        case Status:
            return tr("Status");
        case Started:
            return tr("Started");
        case Seconds:
            return tr("Duration");
        case Epochs:
            return tr("Epochs");
        case Steps:
            return tr("Steps");
        case Skipped:
            return tr("Skipped");
        case Findings:
            return tr("Findings");
        case Objective:
            return tr("Objective");
        case Parent:
            return tr("Parent");
        case Note:
            return tr("Note");
        default:
            return m_metrics.value(section - FixedColumns);
    }
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags base = QAbstractTableModel::flags(index);
    return index.column() == Name || index.column() == Note ? base | Qt::ItemIsEditable : base;
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid() || (index.column() != Name && index.column() != Note)) {
        return false;
    }
    store::RunInfo& run = m_runs[static_cast<std::size_t>(index.row())];
    (index.column() == Name ? run.name : run.note) = bytes(value.toString());
    Q_EMIT dataChanged(index, index);
    Q_EMIT noteEdited(text(run.id), text(run.name), text(run.note));
    return true;
}

}  // namespace plumbline::gui
