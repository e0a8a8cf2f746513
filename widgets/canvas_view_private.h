// SPDX-License-Identifier: GPL-3.0-or-later
// What a CanvasView keeps, for its own source files: canvas_view.cpp (content, selection, zoom), canvas_pointer.cpp
// (mouse, wheel, drops, tooltips), canvas_keys.cpp (keyboard).
#pragma once

#include <QHash>
#include <QPointer>
#include <QTimer>
#include <optional>

#include "widgets/canvas_gesture.h"
#include "widgets/canvas_minimap.h"
#include "widgets/canvas_scene.h"
#include "widgets/canvas_view.h"

namespace plumbline::widgets {

inline constexpr double kLeastZoom = 0.01, kLargestZoom = 4;
inline constexpr double kWheelStep = 1.15;

struct CanvasView::Private {
    explicit Private(CanvasView* view) : q(view), scene(view) {}

    CanvasView* q;
    CanvasScene scene;
    QPointer<CanvasModel> model;
    CanvasMinimap* minimap = nullptr;
    std::unique_ptr<CanvasGesture> gesture;
    QTimer scroller;
    QHash<QString, Place> places;
    QString level;
    QString current;
    QStringList highlighted;
    std::optional<CanvasEdge> dropTarget;
    bool fitPending = true;
    std::optional<Place> placePending;  ///< what fitPending waits for, where it is not all of the level
    bool spaceHeld = false;
    bool snapping = true;

    // Between press and the first real movement nothing has been decided yet.
    bool pressed = false;
    QPoint pressedAt;
    QString pressedNode;
    bool deselectOnRelease = false;

    CanvasContext context() const { return {*q, const_cast<CanvasScene&>(scene), *model, snapping}; }
    bool editable() const { return model && !model->isReadOnly(); }

    void sync();
    void describe();

    CanvasPointer pointer(const QPoint& viewport, Qt::KeyboardModifiers modifiers) const {
        return {q->mapToScene(viewport), viewport, q->viewport()->mapToGlobal(viewport), modifiers};
    }

    void begin(std::unique_ptr<CanvasGesture> next);
    void end(bool accept, const CanvasPointer& at);
    void cancelGesture() { end(false, {}); }

    void restoreCursor();
    void scrollNearBorder();
    void setCurrent(const QString& id);
    void selectOnly(const QString& id);

    /// `least`: smaller than this the view shows the beginning, and the rest is scrolled to.
    void fit(QRectF rect, double least = 0);
    void goToNeighbour(int key);
    void nudge(int key);
    void open(const NodeItem& item);
    void setDropTarget(const EdgeItem* edge);
    QString toolTipAt(const QPointF& position) const;
};

}  // namespace plumbline::widgets
