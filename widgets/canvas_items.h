// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks and wires as the canvas paints them. Internal to the canvas.
#pragma once

#include <QFont>
#include <QGraphicsItem>
#include <QPainterPath>

#include "widgets/canvas_model.h"

namespace plumbline::widgets {

class CanvasScene;

/// Below this zoom a block shows its name alone.
inline constexpr double kDetailZoom = 0.5;
inline constexpr double kPortRadius = 4.5;
inline constexpr double kWireLabelRoom = 28;  ///< between two blocks, beyond the label's text
inline constexpr double kPortReach = 10;      ///< how near a port counts as hit

class NodeItem : public QGraphicsItem {
public:
    enum { Type = UserType + 1 };
    NodeItem(CanvasScene& scene, CanvasNode node);

    int type() const override { return Type; }
    const CanvasNode& node() const { return m_node; }
    /// Keeps the position when `place` is false (it is being dragged).
    void setNode(const CanvasNode& node, bool place);
    void setFill(const std::optional<double>& fill, const QString& text);
    void setHighlighted(bool on);

    QRectF body() const { return QRectF(QPointF(), m_size); }
    QRectF sceneBody() const { return QRectF(pos(), m_size); }
    QPointF portPosition(const CanvasPortRef& port) const;  ///< scene
    /// The port within reach of a scene point.
    std::optional<CanvasPortRef> portAt(const QPointF& scenePosition) const;
    bool isOnBadge(const QPointF& scenePosition) const;

    QRectF boundingRect() const override;
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

    QList<class EdgeItem*> edges;  ///< wires at either side; kept by the scene

private:
    void paintDetails(QPainter* painter, double zoom) const;
    void paintPorts(QPainter* painter) const;
    QRectF badgeRect() const;

    CanvasScene& m_scene;
    CanvasNode m_node;
    QSizeF m_size;
    bool m_highlighted = false;
};

class EdgeItem : public QGraphicsItem {
public:
    enum { Type = UserType + 2 };
    EdgeItem(CanvasScene& scene, CanvasEdge edge);

    int type() const override { return Type; }
    const CanvasEdge& edge() const { return m_edge; }
    void setEdge(const CanvasEdge& edge);
    /// Ends and the blocks at them, in scene coordinates.
    void setEnds(const QPointF& from, const QPointF& to, const QRectF& fromBlock, const QRectF& toBlock);
    /// Where the shape stands (scene): on the wire, above both blocks where the gap is too narrow; empty without a
    /// shape.
    QRectF labelRect() const { return m_labelRect; }
    void setDropTarget(bool on);
    bool isNear(const QPointF& scenePosition, double distance) const;

    QRectF boundingRect() const override { return m_bounds; }
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void refreshBounds();
    QRectF placeOfLabel() const;

    CanvasScene& m_scene;
    CanvasEdge m_edge;
    QPointF m_from, m_to;
    QPainterPath m_path;
    QRectF m_fromBlock, m_toBlock;
    QRectF m_labelRect;
    QRectF m_bounds;
    bool m_dropTarget = false;
};

/// What shapes on wires are written in.
QFont wireLabelFont();

/// A wire's curve from an output to an input.
QPainterPath wirePath(const QPointF& from, const QPointF& to);

}  // namespace plumbline::widgets
