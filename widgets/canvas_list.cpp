// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas_list.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>

#include "widgets/canvas_view.h"
#include "widgets/filter_table.h"
#include "widgets/icons.h"

namespace plumbline::widgets {

CanvasListModel::CanvasListModel(QObject* parent) : QAbstractTableModel(parent) {}

void CanvasListModel::setCanvasModel(CanvasModel* model) {
    if (m_model)
        m_model->disconnect(this);
    m_model = model;
    if (model) {
        connect(model, &CanvasModel::changed, this, &CanvasListModel::reload);
        connect(model, &CanvasModel::levelChanged, this, &CanvasListModel::reload);
        connect(model, &CanvasModel::fillsChanged, this, &CanvasListModel::refreshFills);
        connect(model, &QObject::destroyed, this, [this] {
            m_model = nullptr;
            reload();
        });
    }
    reload();
}

void CanvasListModel::refreshFills() {
    const QList<CanvasNode> nodes = m_model->nodes();
    int first = rowCount(), last = -1;
    for (const CanvasNode& node : nodes) {
        const int row = rowOf(node.id);
        if (row >= 0 && m_nodes[row].fillText != node.fillText) {
            m_nodes[row].fillText = node.fillText;
            first = std::min(first, row);
            last = std::max(last, row);
        }
    }
    if (last >= first)
        Q_EMIT dataChanged(index(first, Statistic), index(last, Statistic));
}

void CanvasListModel::reload() {
    QList<CanvasNode> nodes = m_model ? m_model->nodes() : QList<CanvasNode>();
    QHash<QString, QStringList> sources;
    QHash<QString, QString> titles;
    for (const CanvasNode& node : std::as_const(nodes))
        titles.insert(node.id, node.title);
    if (m_model)
        for (const CanvasEdge& edge : m_model->edges())
            sources[edge.to.node].append(titles.value(edge.from.node));
    QStringList inputs;
    for (const CanvasNode& node : std::as_const(nodes))
        inputs.append(sources.value(node.id).join(QStringLiteral(", ")));

    const bool sameRows = nodes.size() == m_nodes.size() &&
                          std::equal(nodes.begin(), nodes.end(), m_nodes.begin(),
                                     [](const CanvasNode& a, const CanvasNode& b) { return a.id == b.id; });
    if (sameRows) {
        m_nodes = std::move(nodes);
        m_inputs = std::move(inputs);
        if (!m_nodes.isEmpty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_nodes = std::move(nodes);
    m_inputs = std::move(inputs);
    m_rows.clear();
    m_rows.reserve(m_nodes.size());
    for (int row = 0; row < m_nodes.size(); ++row)
        m_rows.insert(m_nodes[row].id, row);
    endResetModel();
}

QString CanvasListModel::nodeId(int row) const {
    return row >= 0 && row < m_nodes.size() ? m_nodes[row].id : QString();
}

int CanvasListModel::rowOf(const QString& id) const {
    return m_rows.value(id, -1);
}

int CanvasListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_nodes.size());
}

int CanvasListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant CanvasListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_nodes.size())
        return {};
    const CanvasNode& node = m_nodes[index.row()];
    if (role == Qt::DecorationRole) {
        if (index.column() == Name)
            return categoryIcon(node.category);
        if (index.column() == Problem)
            return severityIcon(node.badge);
        return {};
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
        case Name:
            return node.title;
        case Type:
            return node.type;
        case Details:
            return node.details;
        case Shape:
            return node.shape;
        case Inputs:
            return m_inputs[index.row()];
        case Statistic:
            return node.fillText;
        case Problem:
            return node.badgeText;
        default:
            return {};
    }
}

QVariant CanvasListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
        case Name:
            return tr("Name");
        case Type:
            return tr("Type");
        case Details:
            return tr("Parameters");
        case Shape:
            return tr("Output shape");
        case Inputs:
            return tr("Inputs");
        case Statistic:
            return tr("Statistic");
        case Problem:
            return tr("Problem");
        default:
            return {};
    }
}

CanvasList::CanvasList(QWidget* parent) : QTableView(parent), m_list(new CanvasListModel(this)) {
    offerCopy(*this);
    setObjectName(QStringLiteral("canvasList"));
    setAccessibleName(tr("Blocks"));
    setModel(m_list);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    verticalHeader()->hide();
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &CanvasList::giveSelection);
    connect(m_list, &QAbstractItemModel::modelReset, this, [this] {
        if (m_view)
            takeSelection(m_view->selectedNodes());
    });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (m_view)
            m_view->reveal(m_list->nodeId(index.row()));
    });
}

void CanvasList::follow(CanvasView* view) {
    if (m_view)
        m_view->disconnect(this);
    m_view = view;
    m_list->setCanvasModel(view ? view->model() : nullptr);
    if (view) {
        connect(view, &CanvasView::selectionChanged, this, &CanvasList::takeSelection);
        connect(view, &QObject::destroyed, this, [this] { m_view = nullptr; });
    }
}

void CanvasList::takeSelection(const QStringList& nodes) {
    if (m_syncing)
        return;
    m_syncing = true;
    QItemSelection selection;
    QModelIndex first;
    const QSet<QString> wanted(nodes.begin(), nodes.end());
    for (int row = 0; row < m_list->rowCount(); ++row) {
        if (!wanted.contains(m_list->nodeId(row)))
            continue;
        const QModelIndex index = m_list->index(row, 0);
        selection.select(index, m_list->index(row, CanvasListModel::ColumnCount - 1));
        if (!first.isValid())
            first = index;
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (first.isValid()) {
        selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        scrollTo(first);
    }
    m_syncing = false;
}

void CanvasList::giveSelection() {
    if (m_syncing || !m_view)
        return;
    m_syncing = true;
    QStringList ids;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        ids.append(m_list->nodeId(index.row()));
    if (ids.size() == 1)
        m_view->reveal(ids.first());
    else
        m_view->setSelectedNodes(ids);
    m_syncing = false;
}

void CanvasList::keyPressEvent(QKeyEvent* event) {
    CanvasModel* model = m_view ? m_view->model() : nullptr;
    const QString id = m_list->nodeId(currentIndex().row());
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter: {
            if (!model || id.isEmpty())
                return;
            bool composite = false;
            for (const CanvasNode& node : model->nodes())
                composite |= node.id == id && node.composite;
            composite ? model->enter(id) : model->activate(id);
            return;
        }
        case Qt::Key_Backspace:
            if (model)
                model->leave();
            return;
        case Qt::Key_Delete:
            if (m_view)
                m_view->deleteSelection();
            return;
        default:
            QTableView::keyPressEvent(event);
    }
}

}  // namespace plumbline::widgets
