// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_values_model.h"

#include "widgets/axis_ticks.h"

namespace plumbline::widgets {

void PlotValuesModel::reset() {
    beginResetModel();
    endResetModel();
}

void PlotValuesModel::refresh() {
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int PlotValuesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_content.series.size());
}

QVariant PlotValuesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const PlotSeries& series = *m_content.series[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole && index.column() != Series)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::FontRole && index.column() != Series)
        return Theme::instance().numberFont();
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    const auto shown = [role](double value) {
        return role == Qt::DisplayRole ? QVariant(shortNumber(value)) : QVariant(value);
    };
    const std::size_t count = series.size();
    switch (index.column()) {
        case Series:
            return series.spec().name.isEmpty() ? series.spec().id : series.spec().name;
        case Count:
            return static_cast<qulonglong>(count);
        case NonFinite:
            return static_cast<qulonglong>(series.nonFinite().size());
        default:
            break;
    }
    if (count == 0)
        return {};
    switch (index.column()) {
        case Newest:
            return shown(series.raw().values.back());
        case Step:
            return shown(series.x(PlotXAxis::Step).back());
        case Least:
        case Largest: {
            const MinMax range = series.raw().range(0, count);
            if (range.isEmpty())
                return {};
            return shown(index.column() == Least ? range.least : range.largest);
        }
        default:
            return {};
    }
}

QVariant PlotValuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
        case Series:
            return tr("Series");
        case Newest:
            return tr("Newest");
        case Step:
            return m_content.xName.isEmpty() ? tr("Step") : m_content.xName;
        case Least:
            return tr("Least");
        case Largest:
            return tr("Largest");
        case Count:
            return tr("Values");
        case NonFinite:
            return tr("Not finite");
        default:
            return {};
    }
}

}  // namespace plumbline::widgets
