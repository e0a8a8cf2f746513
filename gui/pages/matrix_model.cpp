// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/matrix_model.h"

#include <QColor>
#include <QLocale>
#include <cmath>

#include "widgets/theme.h"

namespace plumbline::gui {

QString shareText(double share) {
    if (std::isnan(share)) {
        return QStringLiteral("–");
    }
    const double percent = 100 * share;
    const bool whole = percent == std::round(percent) || percent >= 10;
    return MatrixModel::tr("%1 %").arg(QLocale().toString(percent, 'f', whole ? 0 : 1));
}

void MatrixModel::setMatrix(ConfusionMatrix matrix) {
    beginResetModel();
    m_matrix = std::move(matrix);
    m_rows.clear();
    for (int truth = 0; truth < m_matrix.size(); ++truth) {
        m_rows.push_back(m_matrix.ofClass(truth));
    }
    endResetModel();
}

void MatrixModel::setCells(MatrixCells cells) {
    m_cells = cells;
    if (m_matrix.size() > 0) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

QString MatrixModel::sentence(int truth, int predicted) const {
    const qint64 all = m_rows[static_cast<std::size_t>(truth)];
    const QString counted =
        tr("%1 of %2").arg(QLocale().toString(m_matrix.at(truth, predicted)), QLocale().toString(all));
    const QString share =
        all == 0 ? QString()
                 : QStringLiteral(" (%1)").arg(
                       shareText(static_cast<double>(m_matrix.at(truth, predicted)) / static_cast<double>(all)));
    return tr("true %1, predicted %2: %3").arg(m_matrix.classes[truth], m_matrix.classes[predicted], counted + share);
}

int MatrixModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_matrix.size();
}

int MatrixModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_matrix.size();
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const qint64 count = m_matrix.at(index.row(), index.column()), all = m_rows[static_cast<std::size_t>(index.row())];
    const double share = all == 0 ? std::nan("") : static_cast<double>(count) / static_cast<double>(all);
    switch (role) {
        case Qt::DisplayRole:
            switch (m_cells) {
                case MatrixCells::Both:
                    return QLocale().toString(count) + QLatin1Char('\n') + shareText(share);
                case MatrixCells::Counts:
                    return QLocale().toString(count);
                case MatrixCells::Shares:
                    return shareText(share);
                case MatrixCells::Nothing:
                    return {};
            }
            return {};
        case Qt::EditRole:
            return count;
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return sentence(index.row(), index.column());
        case Qt::TextAlignmentRole:
            return static_cast<int>(Qt::AlignCenter);
        case Qt::BackgroundRole:
            return all == 0 ? QVariant() : QVariant(widgets::rampColor(share));
        case Qt::ForegroundRole:
            return all == 0 ? QVariant() : QVariant(widgets::inkOn(widgets::rampColor(share)));
        default:
            return {};
    }
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (section < 0 || section >= m_matrix.size()) {
        return {};
    }
    const QString name = m_matrix.classes[section];
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
        return orientation == Qt::Vertical ? tr("true class %1, %n sample(s)", nullptr,
                                                static_cast<int>(m_rows[static_cast<std::size_t>(section)]))
                                                 .arg(name)
                                           : tr("predicted class %1").arg(name);
    }
    return role == Qt::DisplayRole ? QVariant(name) : QVariant();
}

}  // namespace plumbline::gui
