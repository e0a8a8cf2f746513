// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/sweeps/trial_model.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "sweep/sweep_queue.h"
#include "widgets/form_widget.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

namespace {

constexpr double kMarked = 0.22;  ///< of the accent behind the row that is pointed at

widgets::Severity severityOf(const sweep::Trial& trial, bool running) {
    using widgets::Severity;
    return trial.status == "failed"                ? Severity::Critical
           : trial.status == "completed"           ? Severity::Good
           : trial.status == "running" && !running ? Severity::Warning
           : trial.status == "running"             ? Severity::Info
                                                   : Severity::None;
}

/// As a number where it is one, so that 10 comes after 9.
QVariant settingValue(const std::string& value) {
    bool isNumber = false;
    const double number = text(value).toDouble(&isNumber);
    return isNumber ? QVariant(number) : QVariant(text(value));
}

/// As it was tried, a number of many digits with those that a person reads.
QString readable(const std::string& value) {
    bool isNumber = false;
    const double number = text(value).toDouble(&isNumber);
    return isNumber && std::isfinite(number) && number != std::trunc(number)
               ? widgets::plainNumber(number, widgets::kReadDigits)
               : text(value);
}

}  // namespace

QString trialStateText(const sweep::Trial& trial, bool running) {
    if (trial.status == "running") {
        return running ? TrialModel::tr("running") : TrialModel::tr("stopped");
    }
    return trial.status == "completed" ? TrialModel::tr("completed")
           : trial.status == "failed"  ? TrialModel::tr("failed")
           : trial.status == "dropped" ? TrialModel::tr("dropped: others were better")
           : trial.status == "waiting" ? TrialModel::tr("waiting")
                                       : text(trial.status);
}

QString sweepSummary(const SweepEntry& sweep) {
    if (sweep.error) {
        return errorSentence(*sweep.error);
    }
    const auto on = std::count_if(sweep.trials.begin(), sweep.trials.end(),
                                  [](const sweep::Trial& trial) { return trial.status == "running"; });
    QString said =
        TrialModel::tr("%1 of %n trial(s) finished", nullptr, static_cast<int>(sweep.planned)).arg(sweep.finished());
    if (on > 0) {
        said += QStringLiteral(", ") + (sweep.running ? TrialModel::tr("%n running", nullptr, static_cast<int>(on))
                                                      : TrialModel::tr("%n stopped", nullptr, static_cast<int>(on)));
    }
    if (const auto best = sweep::bestTrial(sweep.plan, sweep.trials)) {
        said += QStringLiteral(" · ") + TrialModel::tr("best: trial %1, %2 %3")
                                            .arg(best->number)
                                            .arg(text(sweep.plan.series), metricText(*best->value));
    }
    return said;
}

void TrialModel::setSweep(const SweepEntry& sweep) {
    const auto numbers = [](const SweepEntry& entry) {
        std::vector<std::int64_t> all;
        for (const sweep::Trial& trial : entry.trials) {
            all.push_back(trial.number);
        }
        return all;
    };
    const std::vector<std::int64_t> before = numbers(m_sweep), now = numbers(sweep);
    const bool same = sweep.plan.name == m_sweep.plan.name && sweep.plan.over == m_sweep.plan.over;
    const auto best = sweep::bestTrial(sweep.plan, sweep.trials);
    if (same && before.size() <= now.size() && std::equal(before.begin(), before.end(), now.begin())) {
        if (now.size() > before.size()) {
            beginInsertRows({}, static_cast<int>(before.size()), static_cast<int>(now.size()) - 1);
        }
        m_sweep = sweep;
        m_best = best ? best->number : -1;
        if (now.size() > before.size()) {
            endInsertRows();
        }
        if (!before.empty()) {
            Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(before.size()) - 1, columnCount() - 1));
        }
        return;
    }
    beginResetModel();
    m_marked = -1;
    m_sweep = sweep;
    m_best = best ? best->number : -1;
    endResetModel();
}

void TrialModel::setMarked(int row) {
    const int before = std::exchange(m_marked, row);
    for (const int each : {before, row}) {
        if (before != row && each >= 0 && each < rowCount()) {
            Q_EMIT dataChanged(index(each, 0), index(each, columnCount() - 1), {Qt::BackgroundRole});
        }
    }
}

int TrialModel::rowOfRun(const QString& run) const {
    const auto found = std::find_if(m_sweep.trials.begin(), m_sweep.trials.end(),
                                    [&](const sweep::Trial& trial) { return text(trial.run) == run; });
    return found == m_sweep.trials.end() ? -1 : static_cast<int>(found - m_sweep.trials.begin());
}

int TrialModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_sweep.trials.size());
}

int TrialModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : runColumn() + 2;
}

QVariant TrialModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const sweep::Trial& each = trial(index.row());
    const int column = index.column();
    const bool parameter = column >= FirstParameter && column < runColumn();
    const std::string path =
        parameter ? m_sweep.parameters[static_cast<std::size_t>(column - FirstParameter)].path : std::string();
    const auto setting = parameter ? each.settings.find(path) : each.settings.end();
    if (role == Qt::DecorationRole && column == State) {
        return widgets::severityIcon(severityOf(each, m_sweep.running));
    }
    if (role == Qt::DecorationRole && column == Number && each.number == m_best) {
        return widgets::icon(QStringLiteral("good"));
    }
    if (role == Qt::BackgroundRole && index.row() == m_marked) {
        const widgets::ThemeColors& colors = widgets::Theme::instance().colors();
        return widgets::mixed(colors.surface, colors.accent, kMarked);
    }
    if (role == Qt::TextAlignmentRole) {
        const bool number =
            column == Number || column == Objective ||
            (setting != each.settings.end() && settingValue(setting->second).typeId() == QMetaType::Double);
        return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && column == Number && each.number == m_best) {
        return tr("The best trial");
    }
    if (role == Qt::ToolTipRole && column == Objective && each.value) {
        return QString::number(*each.value, 'g', 9);
    }
    if (role == Qt::ToolTipRole && setting != each.settings.end()) {
        return text(setting->second);  // exactly
    }
    if (role == Qt::ToolTipRole && column == runColumn() + 1 && !each.error.empty()) {
        return engineSentence(each.error);
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) {
        return {};
    }
    const bool display = role == Qt::DisplayRole;
    switch (column) {
        case Number:
            return QVariant::fromValue<qint64>(each.number);
        case State:
            return trialStateText(each, m_sweep.running);
        case Objective:
            return !each.value ? QVariant() : display ? QVariant(metricText(*each.value)) : QVariant(*each.value);
        default:
            break;
    }
    if (parameter) {
        return setting == each.settings.end() ? QVariant()
               : display                      ? QVariant(readable(setting->second))
                                              : settingValue(setting->second);
    }
    return column == runColumn() ? text(each.run) : engineSentence(each.error);
}

QVariant TrialModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return QAbstractTableModel::headerData(section, orientation, role);
    }
    const bool parameter = section >= FirstParameter && section < runColumn();
    if (parameter) {
        const QString path = text(m_sweep.parameters[static_cast<std::size_t>(section - FirstParameter)].path);
        return role == Qt::ToolTipRole ? path : path.section(QLatin1Char('.'), -2);
    }
    if (role == Qt::ToolTipRole) {
        return section == Objective ? tr("%1 at its best point of the run").arg(text(m_sweep.plan.series)) : QVariant();
    }
    switch (section) {
        case Number:
            return tr("Trial");
        case State:
            return tr("State");
        case Objective:
            return text(m_sweep.plan.series);
        default:
            return section == runColumn() ? tr("Run") : tr("Remark");
    }
}

}  // namespace plumbline::gui
