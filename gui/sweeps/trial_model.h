// SPDX-License-Identifier: GPL-3.0-or-later
// The trials of a sweep as a table.
#pragma once

#include <QAbstractTableModel>

#include "gui/sweeps/sweep_list.h"

namespace plumbline::gui {

/// Trial, state and objective, then a column for each parameter, then the run and what went wrong. Qt::EditRole gives
/// values that sort.
class TrialModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, State, Objective, FirstParameter };

    using QAbstractTableModel::QAbstractTableModel;

    /// Rows that are there already keep their selection, while the sweep stays the same.
    void setSweep(const SweepEntry& sweep);
    const SweepEntry& sweep() const { return m_sweep; }
    const sweep::Trial& trial(int row) const { return m_sweep.trials[static_cast<std::size_t>(row)]; }
    /// Number of the best trial; -1 while none has a value.
    std::int64_t best() const { return m_best; }
    /// The row that is pointed at elsewhere; -1: none.
    void setMarked(int row);
    /// Row of the trial that has this run; -1 where none has.
    int rowOfRun(const QString& run) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    int runColumn() const { return FirstParameter + static_cast<int>(m_sweep.parameters.size()); }

    SweepEntry m_sweep;
    std::int64_t m_best = -1;
    int m_marked = -1;
};

/// A trial's state as a word for a person. `running`: some process runs the sweep's trials.
QString trialStateText(const sweep::Trial& trial, bool running);
/// "12 of 20 trials finished, 2 running · best: trial 7, val.loss 0.0312"
QString sweepSummary(const SweepEntry& sweep);

}  // namespace plumbline::gui
