// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas as a table, for keyboards and assistive technology (graphics items are not in the accessibility tree).
#pragma once

#include <QAbstractTableModel>
#include <QHash>
#include <QTableView>

#include "widgets/canvas_model.h"

namespace plumbline::widgets {

class CanvasView;

/// Columns: name, type, parameters, output shape, inputs ("from block1"), problem. Follows the model's signals and
/// keeps row identity, so that a refresh loses neither selection nor scroll.
class CanvasListModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Type, Details, Shape, Inputs, Statistic, Problem, ColumnCount };
    explicit CanvasListModel(QObject* parent = nullptr);

    void setCanvasModel(CanvasModel* model);
    QString nodeId(int row) const;
    int rowOf(const QString& id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void reload();
    void refreshFills();

    CanvasModel* m_model = nullptr;
    QList<CanvasNode> m_nodes;
    QHash<QString, int> m_rows;
    QStringList m_inputs;  ///< text of column Inputs, a row each
};

/// A table that selects in step with a view: Return enters or activates, Delete removes, Ctrl+C copies as TSV.
class CanvasList : public QTableView {
    Q_OBJECT

public:
    explicit CanvasList(QWidget* parent = nullptr);
    /// Shows the view's model from now on; call again after CanvasView::setModel.
    void follow(CanvasView* view);
    CanvasListModel* listModel() const { return m_list; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void takeSelection(const QStringList& nodes);
    void giveSelection();

    CanvasListModel* m_list;
    CanvasView* m_view = nullptr;
    bool m_syncing = false;
};

}  // namespace plumbline::widgets
