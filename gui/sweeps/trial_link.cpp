// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/sweeps/trial_link.h"

#include <QEvent>
#include <QSortFilterProxyModel>
#include <QTableView>

#include "gui/sweeps/trial_model.h"
#include "gui/sweeps/trial_views.h"
#include "widgets/filter_table.h"
#include "widgets/parallel_plot.h"

namespace plumbline::gui {

using namespace widgets;

TrialLink::TrialLink(FilterTable& table, TrialModel& model, TrialViews& views, QObject* parent)
    : QObject(parent), m_table(table), m_model(model), m_views(views) {
    ParallelPlot& lines = views.lines();
    connect(&table, &FilterTable::selectionChanged, this,
            [this] { m_views.lines().setSelectedLines(m_table.selectedRows()); });
    connect(&lines, &ParallelPlot::selectionChanged, this, [this] { selectRows(m_views.lines().selectedLines()); });
    connect(&lines, &ParallelPlot::lineHovered, &model, &TrialModel::setMarked);
    connect(&lines, &ParallelPlot::lineActivated, this, &TrialLink::activated);
    connect(&views, &TrialViews::filterChanged, this, &TrialLink::filter);
    QTableView* view = table.view();
    view->setMouseTracking(true);
    view->viewport()->installEventFilter(this);
    connect(view, &QTableView::entered, this, [this](const QModelIndex& index) {
        const auto* proxy = static_cast<QSortFilterProxyModel*>(m_table.view()->model());
        m_views.lines().setHoveredLine(proxy->mapToSource(index).row());
    });
    connect(view, &QTableView::viewportEntered, this, [this] { m_views.lines().setHoveredLine(-1); });
    filter();
}

bool TrialLink::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Leave) {
        m_views.lines().setHoveredLine(-1);
    }
    return QObject::eventFilter(watched, event);
}

void TrialLink::filter() {
    const bool wanted = m_views.isFiltering();
    m_table.setEmptyText(wanted ? tr("No trial lies in the marked ranges.") : tr("No trial has begun yet."));
    if (wanted || m_filtered) {
        m_table.setRowFilter(wanted ? [this](int row) { return m_views.isKept(row); } : std::function<bool(int)>());
    }
    m_filtered = wanted;
}

void TrialLink::selectRows(const QList<int>& rows) {
    QTableView* view = m_table.view();
    const auto* proxy = static_cast<QSortFilterProxyModel*>(view->model());
    QItemSelection selection;
    QModelIndex first;
    for (const int row : rows) {
        const QModelIndex index = proxy->mapFromSource(m_model.index(row, 0));
        if (index.isValid()) {
            selection.select(index, index.siblingAtColumn(m_model.columnCount() - 1));
            first = first.isValid() ? first : index;
        }
    }
    view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (first.isValid()) {
        view->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        view->scrollTo(first);
    }
}

}  // namespace plumbline::gui
