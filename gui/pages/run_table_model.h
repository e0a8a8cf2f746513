// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a project as a table.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <QVariantMap>
#include <tuple>
#include <vector>

#include "gui/sweeps/sweep_list.h"
#include "store/run_store.h"

namespace plumbline::gui {

/// Fixed columns, then one for each metric that any run has. Qt::EditRole gives values that sort (numbers as numbers);
/// the name and the note can be edited.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Name,
        Status,
        Started,
        Seconds,
        Epochs,
        Steps,
        Skipped,
        Findings,
        Objective,
        Parent,
        Note,
        FixedColumns
    };
    static constexpr int IdRole = Qt::UserRole + 1;

    explicit RunTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Keeps the rows of runs that are still there, so that a view keeps its selection.
    void setRuns(std::vector<store::RunInfo> runs, QHash<QString, TrialOrigin> trials = {});
    const store::RunInfo& run(int row) const { return m_runs[static_cast<std::size_t>(row)]; }
    /// A run's colour, as an index into the theme's curves. It stays while runs come and go; a new run takes the first
    /// that no other run has.
    int colorOf(const QString& id) const { return m_colors.value(id).toInt(); }
    /// Run → index; what was remembered is set before the runs are.
    const QVariantMap& colors() const { return m_colors; }
    void setColors(const QVariantMap& colors) { m_colors = colors; }
    int rowOf(const QString& id) const;
    /// Of the run of a trial; null for any other.
    const TrialOrigin* trialOf(int row) const;
    /// Whether any run was branched from another, or is a trial of a sweep.
    bool hasParents() const;
    bool hasTrials() const { return !m_trials.isEmpty(); }
    /// These runs are drawn over each other: each has its curve's colour beside its name.
    void setDrawn(const QStringList& ids);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    /// A name or note was typed; the page writes it.
    void noteEdited(const QString& run, const QString& name, const QString& note);

private:
    static bool isOlder(const store::RunInfo& a, const store::RunInfo& b) {
        return std::tie(a.started, a.id) < std::tie(b.started, b.id);
    }
    void giveColors(const std::vector<store::RunInfo>& runs);
    QVariant metric(const store::RunInfo& run, int column) const;
    QVariant parentOf(int row, int role) const;

    std::vector<store::RunInfo> m_runs;
    QHash<QString, TrialOrigin> m_trials;  ///< by the run's id
    QVariantMap m_colors;
    QStringList m_metrics;
    QStringList m_drawn;
};

/// A run's status as a word for a person.
QString statusText(const std::string& status);

}  // namespace plumbline::gui
