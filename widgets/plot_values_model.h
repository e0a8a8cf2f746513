// SPDX-License-Identifier: GPL-3.0-or-later
// Newest values of a plot's series as a table. Internal to the plot; seen as QAbstractTableModel.
#pragma once

#include <QAbstractTableModel>

#include "widgets/plot_view.h"

namespace plumbline::widgets {

class PlotValuesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Series, Newest, Step, Least, Largest, Count, NonFinite, ColumnCount };
    PlotValuesModel(const PlotContent& content, QObject* parent) : QAbstractTableModel(parent), m_content(content) {}

    /// Rows were added or removed.
    void reset();
    /// Values moved on.
    void refresh();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : ColumnCount; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const PlotContent& m_content;
};

}  // namespace plumbline::widgets
