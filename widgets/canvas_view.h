// SPDX-License-Identifier: GPL-3.0-or-later
// The graph editor: draws a CanvasModel and turns gestures into its requests.
#pragma once

#include <QGraphicsView>
#include <QList>
#include <QStringList>
#include <memory>
#include <optional>

#include "widgets/canvas_model.h"

namespace plumbline::widgets {

/// Mouse: drag a block = move (snaps to neighbours' lines; Alt turns that off), drag from a port = wire, drop a block
/// on a wire = insert, drag on empty canvas = rubber band, space- or middle-drag = pan, wheel = zoom, double click on
/// empty canvas = quick-add, on a composite = enter, on a leaf = activate. Keys: arrows go to the neighbour (with Ctrl:
/// move the selection by the grid), Tab quick-add, Return enter or activate, Backspace leave, Delete, Ctrl+C/V/D/A/G,
/// `.` fit selection, Home fit all, + and - zoom, Escape ends a gesture.
class CanvasView : public QGraphicsView {
    Q_OBJECT

public:
    explicit CanvasView(QWidget* parent = nullptr);
    ~CanvasView() override;

    /// Not owned; may be null.
    void setModel(CanvasModel* model);
    CanvasModel* model() const;

    QStringList selectedNodes() const;
    QList<CanvasEdge> selectedEdges() const;
    /// The one the keyboard is at; empty when none.
    QString currentNode() const;
    void setSelectedNodes(const QStringList& ids);
    void selectAll();
    /// Selects the block and brings it into view; false when it is not at this level.
    bool reveal(const QString& id);
    /// Lights blocks (a finding's place) without touching the selection; empty list ends it.
    void setHighlighted(const QStringList& ids);

    double zoom() const;
    void setZoom(double zoom);
    void fitAll();
    /// As a level is first shown: all of it while its names and shapes can be read; else its beginning, at a size that
    /// reads with ease.
    void fitLegibly();
    /// Where the view of this level is; nothing while it waits to be fitted.
    struct Place {
        double zoom = 1;
        QPointF center;
    };
    std::optional<Place> place() const;
    /// Taken once the canvas is shown; nothing: as fitLegibly().
    void setPlace(const std::optional<Place>& place);
    void fitSelection();
    void zoomIn();
    void zoomOut();
    void setMinimapVisible(bool visible);
    void setSnapping(bool on);
    /// Where a pasted or added block goes: the pointer when it is inside, else the middle of the view.
    QPointF insertPosition() const;
    /// Block at a point of the viewport; empty when none (context menus).
    QString nodeAt(const QPoint& viewportPosition) const;

    /// Ask the model, as the keys do (for toolbar and menu).
    void deleteSelection();
    void copySelection();
    void pasteHere();
    void duplicateSelection();
    void groupSelection();
    void requestQuickAdd();

    /// The level as a picture, for export and the recent-projects list.
    QImage toImage(const QSize& size) const;

Q_SIGNALS:
    void selectionChanged(const QStringList& nodes);
    void zoomChanged(double zoom);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace plumbline::widgets
