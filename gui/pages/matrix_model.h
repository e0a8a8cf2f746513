// SPDX-License-Identifier: GPL-3.0-or-later
// A confusion matrix as a table whose cells are coloured by the share of their row.
#pragma once

#include <QAbstractTableModel>

#include "gui/pages/matrix_events.h"

namespace plumbline::gui {

/// What stands in a cell.
enum class MatrixCells { Both, Counts, Shares, Nothing };

class MatrixModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setMatrix(ConfusionMatrix matrix);
    const ConfusionMatrix& matrix() const { return m_matrix; }
    void setCells(MatrixCells cells);
    /// "true cat, predicted dog: 12 of 40 (30 %)"
    QString sentence(int truth, int predicted) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    ConfusionMatrix m_matrix;
    std::vector<qint64> m_rows;  ///< samples of each true class
    MatrixCells m_cells = MatrixCells::Both;
};

/// "30 %", "0.4 %"; a dash where there is none.
QString shareText(double share);

}  // namespace plumbline::gui
