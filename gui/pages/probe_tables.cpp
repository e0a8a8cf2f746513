// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/probe_tables.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QLocale>
#include <QStandardItemModel>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "gui/convert.h"
#include "widgets/axis_ticks.h"
#include "widgets/icons.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ProbeTables)
};

constexpr int kSortRole = Qt::UserRole;
constexpr int kShownRows = 6;            ///< at least
constexpr double kShortSeconds = 10;     ///< below it a tenth is told
constexpr double kInMilliseconds = 0.1;  ///< … and below this nothing would be left of it
const QString kNothing = QStringLiteral("–");

QStandardItemModel* modelOf(const FilterTable& table) {
    return table.findChild<QStandardItemModel*>(QString(), Qt::FindDirectChildrenOnly);
}

/// What cannot be compared comes last.
QVariant sorted(double value) {
    return std::isfinite(value) ? QVariant(value) : QVariant();
}

QString shortMilliseconds(double value) {
    return std::isfinite(value) ? QLocale().toString(value, 'f', std::abs(value) < 10 ? 3 : 1) : kNothing;
}

}  // namespace

double numberAt(const Json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() && found->is_number() ? found->get<double>() : std::nan("");
}

QString millisecondsText(double value) {
    return std::isfinite(value) ? Words::tr("%1 ms").arg(shortMilliseconds(value)) : kNothing;
}
QString memoryText(double bytes) {
    return std::isfinite(bytes) ? bytesText(bytes) : kNothing;
}
QString wholeText(double value) {
    return std::isfinite(value) ? QLocale().toString(value, 'f', 0) : kNothing;
}
QString secondsText(double seconds) {
    if (!std::isfinite(seconds)) {
        return kNothing;
    }
    if (seconds > 0 && seconds < kInMilliseconds) {
        return millisecondsText(1000 * seconds);
    }
    return seconds < kShortSeconds ? Words::tr("%1 s").arg(QLocale().toString(seconds, 'f', 1)) : durationText(seconds);
}
QString valueText(double value) {
    return std::isfinite(value) ? shortNumber(value) : kNothing;
}

TableCell textCell(const Json& object, const char* key) {
    const QString shown = text(object.value(key, std::string()));
    return {shown, shown, {}};
}

TableCell millisecondsCell(const Json& object, const char* key) {
    const double value = numberAt(object, key);
    return {shortMilliseconds(value), sorted(value), {}};
}

TableCell memoryCell(const Json& object, const char* key) {
    const double value = numberAt(object, key);
    return {memoryText(value), sorted(value), {}};
}

TableCell countCell(const Json& object, const char* key) {
    const double value = numberAt(object, key);
    return {std::isfinite(value) ? countText(value) : kNothing, sorted(value), {}};
}

TableCell numberCell(double value) {
    return {valueText(value), sorted(value), {}};
}

TableCell markedCell(const QString& text, double value, const QString& mark) {
    return {text, sorted(value), mark};
}

FilterTable* makeTable(const QString& name, const QString& accessibleName, const std::vector<TableColumn>& columns,
                       QWidget* parent) {
    auto* table = new FilterTable(parent);
    table->setObjectName(name);
    auto* model = new QStandardItemModel(0, static_cast<int>(columns.size()), table);
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
        const TableColumn& column = columns[static_cast<std::size_t>(i)];
        model->setHeaderData(i, Qt::Horizontal, column.title);
        const Qt::Alignment side = (column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
        model->setHeaderData(i, Qt::Horizontal, side.toInt(), Qt::TextAlignmentRole);
    }
    table->setSortRole(kSortRole);
    table->setModel(model);
    table->setFilterVisible(false);
    table->view()->setObjectName(name + QStringLiteral("_view"));
    table->view()->setAccessibleName(accessibleName);
    return table;
}

void addRow(FilterTable& table, const std::vector<TableCell>& cells) {
    QStandardItemModel* model = modelOf(table);
    QList<QStandardItem*> row;
    for (const TableCell& cell : cells) {
        auto* item =
            new QStandardItem(cell.mark.isEmpty() ? cell.text : Words::tr("%1 · %2").arg(cell.text, cell.mark));
        if (!cell.mark.isEmpty()) {
            item->setIcon(severityIcon(Severity::Good));
        }
        item->setData(cell.sort, kSortRole);
        item->setEditable(false);
        item->setTextAlignment(Qt::Alignment::fromInt(
            model->headerData(static_cast<int>(row.size()), Qt::Horizontal, Qt::TextAlignmentRole).toInt()));
        row << item;
    }
    model->appendRow(row);
}

void finishTable(FilterTable& table, int sortColumn, Qt::SortOrder order) {
    QTableView* view = table.view();
    if (sortColumn >= 0) {
        view->sortByColumn(sortColumn, order);
    }
    view->horizontalHeader()->setStretchLastSection(false);  // first: it gives the column back the width that it had
    view->horizontalHeader()->ensurePolished();              // its font says how wide its words are
    view->resizeColumnsToContents();
    for (int column = 1; column < view->model()->columnCount(); ++column) {
        view->setColumnWidth(column, std::max(view->columnWidth(column),
                                              view->horizontalHeader()->sectionSizeHint(column) + 2 * space::kSmall));
    }
    // The first column takes the room that is left, so that numbers stand together at the right.
    view->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    const int rows = std::clamp(rowCount(table), 1, kShownRows);
    view->setMinimumHeight(view->horizontalHeader()->sizeHint().height() +
                           rows * view->verticalHeader()->defaultSectionSize() + 2 * view->frameWidth());
}

int rowCount(const FilterTable& table) {
    return modelOf(table)->rowCount();
}

QString cellText(const FilterTable& table, int row, int column) {
    const QStandardItem* item = modelOf(table)->item(row, column);
    return item ? item->text() : QString();
}

FilterTable* FactList::table(const QString& name, const QString& accessibleName, QWidget* parent) const {
    FilterTable* made = makeTable(name, accessibleName, {{Words::tr("What")}, {Words::tr("Value"), true}}, parent);
    for (const auto& [what, value] : m_facts) {
        addRow(*made, {{what, what, {}}, {value, value, {}}});
    }
    finishTable(*made, -1, Qt::AscendingOrder);
    return made;
}

}  // namespace plumbline::gui
