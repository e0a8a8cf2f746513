// SPDX-License-Identifier: GPL-3.0-or-later
// What the canvas shows and asks for. A page implements it over its document; the canvas holds no truth of its own.
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QPointF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <optional>

#include "widgets/theme.h"

class QMimeData;

namespace plumbline::widgets {

/// Below this zoom a block is one filled rectangle (a fill is a colour of rampColor()) and a wire a straight line.
inline constexpr double kPlainZoom = 0.3;

struct CanvasPort {
    QString name;
    bool optional = false;
    bool variadic = false;  ///< takes any number of wires
    bool operator==(const CanvasPort&) const = default;
};

struct CanvasNode {
    QString id;       ///< unique at this level
    QString title;    ///< the block's name
    QString type;     ///< "Conv2d"
    QString details;  ///< telling parameters: "32, k3 s2 p1"
    QString shape;    ///< output shape: "B×16×8×8"; empty when not known
    BlockCategory category = BlockCategory::Plugin;
    QPointF position;  ///< top left, scene coordinates
    QList<CanvasPort> inputs;
    QList<CanvasPort> outputs;
    Severity badge = Severity::None;
    QString badgeText;           ///< tooltip of the badge
    std::optional<double> fill;  ///< statistic chosen in the toolbar, 0..1 of the scale
    QString fillText;            ///< its value with unit
    bool composite = false;      ///< can be entered
    bool enabled = true;
    bool operator==(const CanvasNode&) const = default;
};

struct CanvasPortRef {
    QString node;
    int port = 0;
    bool output = false;
    bool operator==(const CanvasPortRef&) const = default;
};

struct CanvasEdge {
    CanvasPortRef from;  ///< output
    CanvasPortRef to;    ///< input; several edges may share a variadic one
    QString label;       ///< shape on the wire
    bool problem = false;
    QString problemText;
    /// The same wire: ends alone count.
    bool sameWire(const CanvasEdge& other) const { return from == other.from && to == other.to; }
};

struct CanvasMove {
    QString node;
    QPointF position;
};

struct CanvasVerdict {
    bool ok = true;
    QString reason;  ///< why not, as a sentence
};

/// The graph of one level (root or inside one composite), and the requests a gesture ends in. Each request is made once
/// at the end of the gesture and is one undo entry. All calls in the window's thread. A request that is not overridden
/// does nothing, so a read-only view overrides nodes() and edges() alone.
class CanvasModel : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    virtual QList<CanvasNode> nodes() const = 0;
    virtual QList<CanvasEdge> edges() const = 0;
    /// Names the level; the view keeps zoom and scroll for each.
    virtual QString level() const { return {}; }
    virtual bool isReadOnly() const { return false; }

    /// May this output feed this input? Called for every port when a wire is dragged: keep it under ~20 µs.
    virtual CanvasVerdict canConnect(const CanvasPortRef& from, const CanvasPortRef& to) const;
    virtual CanvasVerdict canInsertOnEdge(const QString& node, const CanvasEdge& edge) const;

    virtual void moveNodes(const QList<CanvasMove>& moves);
    virtual void connectPorts(const CanvasPortRef& from, const CanvasPortRef& to);
    /// A wire was dragged off one input onto another.
    virtual void reconnect(const CanvasEdge& old, const CanvasPortRef& to);
    virtual void remove(const QStringList& nodes, const QList<CanvasEdge>& edges);
    /// The block was dropped on a wire: place it at position and put it in between.
    virtual void insertOnEdge(const QString& node, const CanvasEdge& edge, const QPointF& position);
    virtual void copy(const QStringList& nodes);
    virtual void paste(const QPointF& position);
    virtual void duplicate(const QStringList& nodes);
    virtual void group(const QStringList& nodes);
    virtual void enter(const QString& node);
    virtual void leave();
    /// Double click or Return on a block that is not a composite.
    virtual void activate(const QString& node);
    /// Open the quick-add search; `from` is the port whose wire was dropped on empty canvas.
    virtual void quickAdd(const QPointF& position, const QPoint& globalPosition,
                          const std::optional<CanvasPortRef>& from);

    /// Palette drags: what is accepted, and what is dropped (on a wire or on empty canvas).
    virtual bool acceptsDrop(const QMimeData& data) const;
    virtual void drop(const QMimeData& data, const QPointF& position, const std::optional<CanvasEdge>& edge);

Q_SIGNALS:
    /// Anything may have changed: the view reads again and keeps selection, zoom and scroll.
    void changed();
    /// Only fill and fillText changed (while running; cheap).
    void fillsChanged();
    /// level() changed: the view shows that level where it was left, or fits it.
    void levelChanged();
};

/// Size the canvas gives a block; what layouts must use.
QSizeF canvasNodeSize(const CanvasNode& node);

/// layeredLayout over a level: positions by node id.
QHash<QString, QPointF> canvasLayout(const QList<CanvasNode>& nodes, const QList<CanvasEdge>& edges);

}  // namespace plumbline::widgets
