// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of what a probe measured: numbers with their units, sorted as numbers.
#pragma once

#include <QString>
#include <QVariant>
#include <utility>
#include <vector>

#include "core/json.h"
#include "widgets/filter_table.h"

namespace plumbline::gui {

struct TableColumn {
    QString title;
    bool number = false;  ///< on the right
};

struct TableCell {
    QString text;
    QVariant sort;  ///< what it is sorted by
    QString mark;   ///< what is special about it, said beside the text and with an icon; empty: nothing
};

/// NaN where there is no number of this name.
double numberAt(const Json& object, const char* key);
/// Each with its unit; "–" for NaN.
QString millisecondsText(double value);
QString memoryText(double bytes);
QString wholeText(double value);
QString secondsText(double seconds);
QString valueText(double value);

TableCell textCell(const Json& object, const char* key);
/// The unit stands in the column's title.
TableCell millisecondsCell(const Json& object, const char* key);
TableCell memoryCell(const Json& object, const char* key);
TableCell countCell(const Json& object, const char* key);
TableCell numberCell(double value);
TableCell markedCell(const QString& text, double value, const QString& mark);

/// Empty, owning its model.
widgets::FilterTable* makeTable(const QString& name, const QString& accessibleName,
                                const std::vector<TableColumn>& columns, QWidget* parent);
void addRow(widgets::FilterTable& table, const std::vector<TableCell>& cells);
/// Once all rows are there: widths, and sorted by a column (-1: as added).
void finishTable(widgets::FilterTable& table, int sortColumn, Qt::SortOrder order);
/// Rows as they were added.
int rowCount(const widgets::FilterTable& table);
QString cellText(const widgets::FilterTable& table, int row, int column);

/// What and how much, a row each.
class FactList {
public:
    void add(const QString& what, const QString& value) { m_facts.emplace_back(what, value); }
    widgets::FilterTable* table(const QString& name, const QString& accessibleName, QWidget* parent) const;

private:
    std::vector<std::pair<QString, QString>> m_facts;
};

}  // namespace plumbline::gui
