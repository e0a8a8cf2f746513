// SPDX-License-Identifier: GPL-3.0-or-later
// Items of one level, kept in step with a CanvasModel by id. Internal to the canvas.
#pragma once

#include <QFont>
#include <QGraphicsScene>
#include <QHash>
#include <QSet>

#include "widgets/canvas_items.h"

namespace plumbline::widgets {

class CanvasScene : public QGraphicsScene {
public:
    explicit CanvasScene(QObject* parent = nullptr);
    ~CanvasScene() override;

    /// Brings the items in step: the same ids keep their items and with them their selection.
    void sync(const CanvasModel* model, const QSet<QString>& held);
    void syncFills(const CanvasModel* model);
    void clearAll();

    NodeItem* node(const QString& id) const { return m_nodes.value(id); }
    const QHash<QString, NodeItem*>& nodes() const { return m_nodes; }
    QList<EdgeItem*> edges() const { return m_edges.values(); }
    EdgeItem* edge(const CanvasEdge& edge) const;
    QRectF contentRect() const;
    void updateEdgesOf(const NodeItem& node);

    NodeItem* nodeAt(const QPointF& position) const;
    EdgeItem* edgeAt(const QPointF& position, double distance) const;
    std::optional<CanvasPortRef> portAt(const QPointF& position) const;
    QStringList selectedNodes() const;  ///< in the model's order

    /// While a wire is dragged: which ports fit. Asked by the items as they paint, answered once a port.
    void beginWire(const CanvasModel* model, const CanvasPortRef& fixedEnd);
    void endWire();
    bool hasWire() const { return m_wireModel != nullptr; }
    CanvasVerdict wireVerdict(const CanvasPortRef& other) const;
    CanvasPortRef wireStart() const { return m_wireStart; }
    /// First port of a block that the dragged wire fits.
    std::optional<CanvasPortRef> fittingPort(const NodeItem& node) const;

    double zoom = 1;  ///< of the view that paints
    QFont titleFont, smallFont, monoFont;
    void takeFonts();

private:
    struct EdgeKey {
        CanvasPortRef from, to;
        bool operator==(const EdgeKey&) const = default;
        friend size_t qHash(const EdgeKey& key, size_t seed) {
            return qHashMulti(seed, key.from.node, key.from.port, key.to.node, key.to.port);
        }
    };

    static void place(EdgeItem& wire, const NodeItem& from, const NodeItem& to);

    QHash<QString, NodeItem*> m_nodes;
    QHash<EdgeKey, EdgeItem*> m_edges;
    QStringList m_order;
    const CanvasModel* m_wireModel = nullptr;
    CanvasPortRef m_wireStart;
    mutable QHash<QString, CanvasVerdict> m_verdicts;
};

}  // namespace plumbline::widgets
