// SPDX-License-Identifier: GPL-3.0-or-later
// One drag on the canvas, from press to release. It ends in at most one request to the model. Internal to the canvas.
#pragma once

#include <QPoint>
#include <QPointF>
#include <QSet>
#include <QString>
#include <memory>
#include <vector>

#include "widgets/canvas_model.h"

class QGraphicsLineItem;
class QGraphicsPathItem;
class QGraphicsRectItem;
class QGraphicsView;

namespace plumbline::widgets {

class CanvasScene;
class EdgeItem;

struct CanvasPointer {
    QPointF scene;
    QPoint viewport;
    QPoint global;
    Qt::KeyboardModifiers modifiers;
};

/// Everything a gesture may touch. The model outlives it; the items may not, so gestures look them up by id.
struct CanvasContext {
    QGraphicsView& view;
    CanvasScene& scene;
    CanvasModel& model;
    bool snapping = true;
};

class CanvasGesture {
public:
    explicit CanvasGesture(const CanvasContext& context) : m_context(context) {}
    virtual ~CanvasGesture() = default;
    CanvasGesture(const CanvasGesture&) = delete;
    CanvasGesture& operator=(const CanvasGesture&) = delete;

    virtual void move(const CanvasPointer& pointer) = 0;
    /// Release: asks the model. The view has let go of the gesture by then.
    virtual void finish(const CanvasPointer& pointer) = 0;
    /// Escape: puts everything back.
    virtual void cancel() = 0;
    /// Blocks whose place is the gesture's for now.
    virtual QSet<QString> held() const { return {}; }
    virtual Qt::CursorShape cursor() const { return Qt::ArrowCursor; }
    /// Scrolls by itself when the pointer is near the border.
    virtual bool scrolls() const { return true; }

protected:
    CanvasContext m_context;
};

/// Moves the selected blocks, with snapping; a lone unconnected block can be dropped on a wire.
class MoveGesture : public CanvasGesture {
public:
    MoveGesture(const CanvasContext& context, const QString& grabbed, const QPointF& start);
    ~MoveGesture() override;
    void move(const CanvasPointer& pointer) override;
    void finish(const CanvasPointer& pointer) override;
    void cancel() override;
    QSet<QString> held() const override;
    Qt::CursorShape cursor() const override { return Qt::ClosedHandCursor; }

private:
    struct Start {
        QString id;
        QPointF position;
    };
    void collectLines();
    QPointF snapped(const QPointF& offset);
    void place(const QPointF& offset);
    void aimAtWire(const QPointF& position);

    QString m_grabbed;
    QPointF m_start;
    QPointF m_offset;
    std::vector<Start> m_starts;
    std::vector<double> m_xLines, m_yLines;  ///< where neighbours begin, end and have their middle
    QGraphicsLineItem* m_vertical;
    QGraphicsLineItem* m_horizontal;
    std::optional<CanvasEdge> m_target;
    bool m_mayInsert = false;
};

/// A wire from a port, or an existing wire taken off its input.
class WireGesture : public CanvasGesture {
public:
    WireGesture(const CanvasContext& context, const CanvasPortRef& fixedEnd, const std::optional<CanvasEdge>& taken);
    ~WireGesture() override;
    void move(const CanvasPointer& pointer) override;
    void finish(const CanvasPointer& pointer) override;
    void cancel() override {}
    Qt::CursorShape cursor() const override { return Qt::CrossCursor; }

private:
    std::optional<CanvasPortRef> aim(const QPointF& position, QString* reason) const;

    CanvasPortRef m_fixed;
    std::optional<CanvasEdge> m_taken;
    QPointF m_anchor;
    QGraphicsPathItem* m_wire;
};

/// Rubber band; adds to the selection with Shift or Ctrl.
class BandGesture : public CanvasGesture {
public:
    BandGesture(const CanvasContext& context, const QPointF& start, bool adds);
    ~BandGesture() override;
    void move(const CanvasPointer& pointer) override;
    void finish(const CanvasPointer&) override {}
    void cancel() override;

private:
    void select(const QSet<QString>& ids);

    QPointF m_start;
    QSet<QString> m_before;
    QGraphicsRectItem* m_band;
};

class PanGesture : public CanvasGesture {
public:
    PanGesture(const CanvasContext& context, const QPoint& start) : CanvasGesture(context), m_last(start) {}
    void move(const CanvasPointer& pointer) override;
    void finish(const CanvasPointer&) override {}
    void cancel() override {}
    Qt::CursorShape cursor() const override { return Qt::ClosedHandCursor; }
    bool scrolls() const override { return false; }

private:
    QPoint m_last;
};

}  // namespace plumbline::widgets
