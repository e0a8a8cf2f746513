// SPDX-License-Identifier: GPL-3.0-or-later
// A table one can sort, filter, copy from and reach by keyboard.
#pragma once

#include <QList>
#include <QWidget>
#include <functional>

class QAbstractItemModel;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace plumbline::widgets {

/// Selected cells of a view as TSV with a header line: what Ctrl+C puts on the clipboard.
QString selectionAsTsv(const QTableView& view);

/// Ctrl+C and a context menu copy the selection of this view as TSV. For every table that is looked at.
void offerCopy(QTableView& view);

/// A search field over a QTableView with a sorting, filtering proxy. The filter looks at all columns; several words
/// must all be found. Alt+Up and Alt+Down sort by the current cell's column. Sorting uses the role given (default
/// Qt::EditRole, so that numbers sort as numbers) and keeps the selection. Values that cannot be compared (empty) come
/// last in both directions.
class FilterTable : public QWidget {
    Q_OBJECT

public:
    explicit FilterTable(QWidget* parent = nullptr);

    /// Not owned.
    void setModel(QAbstractItemModel* model);
    void setSortRole(int role);
    void setFilterPlaceholder(const QString& text);
    void setFilterVisible(bool visible);
    /// Only rows of the source model for which this is so; null: all of them. Together with the search field.
    void setRowFilter(std::function<bool(int sourceRow)> wanted);
    /// Stands left of the search field.
    void addBesideFilter(QWidget* widget);
    void setEmptyText(const QString& text);
    QTableView* view() const { return m_view; }
    QLineEdit* filterField() const { return m_filter; }

    /// Rows of the source model, in the order shown.
    QList<int> selectedRows() const;
    int currentRow() const;
    void selectRow(int sourceRow);
    void copySelection() const;

    /// Column widths, order and sorting, to be kept between sessions.
    QByteArray saveColumns() const;
    void restoreColumns(const QByteArray& state);

Q_SIGNALS:
    void selectionChanged();
    /// Return or double click, row of the source model.
    void rowActivated(int sourceRow);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateEmpty();

    QLineEdit* m_filter;
    QHBoxLayout* m_filters;
    QTableView* m_view;
    QLabel* m_empty;
    QSortFilterProxyModel* m_proxy;
    int m_changing = 0;  ///< rows or columns are just going
};

}  // namespace plumbline::widgets
