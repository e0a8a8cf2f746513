// SPDX-License-Identifier: GPL-3.0-or-later
// The project's graph as the canvas wants it, and the canvas's gestures as edits of the project.
#pragma once

#include <QHash>
#include <functional>
#include <optional>

#include "gui/model/connection_check.h"
#include "gui/model/graph_edits.h"
#include "gui/model/level.h"
#include "gui/model/resolved_index.h"
#include "gui/project_document.h"
#include "widgets/canvas_model.h"

namespace plumbline::gui {

/// The drag of a palette entry: the block type's id as UTF-8.
inline constexpr const char* kBlockMime = "application/x-plumbline-block";

/// One level at a time. Every request is one undo entry of the document; looking around changes nothing.
class CanvasAdapter final : public widgets::CanvasModel {
    Q_OBJECT

public:
    explicit CanvasAdapter(ProjectDocument& document, QObject* parent = nullptr);

    // ---- Where the canvas is ----
    const LevelStack& levels() const { return m_levels; }
    const Level& here() const { return m_levels.back(); }
    const graph::Graph* currentGraph() const;
    /// Up to the level with this index in levels().
    void goTo(int level);
    /// A definition on its own, from the palette.
    void showDefinition(const QString& name);
    /// The level that shows the block with this path; the block's id there, empty when there is no such block.
    QString showPath(const QString& path);
    /// The same for a JSON pointer into /model.
    QString showPointer(const QString& pointer);

    const ResolvedIndex& index() const { return m_index; }
    ProjectDocument& document() const { return m_document; }

    // ---- What is drawn ----
    QList<widgets::CanvasNode> nodes() const override;
    QList<widgets::CanvasEdge> edges() const override;
    QString level() const override;

    /// Findings to be shown as badges: block path → severity and text.
    struct Badge {
        widgets::Severity severity = widgets::Severity::None;
        QString text;
    };
    void setFindingBadges(const QHash<QString, Badge>& badges);
    /// Statistic of each block by path, 0..1 of the scale with its text; empty: no fill.
    struct Fill {
        double value = 0;
        QString text;
    };
    void setFills(const QHash<QString, Fill>& fills);

    // ---- Gestures ----
    widgets::CanvasVerdict canConnect(const widgets::CanvasPortRef& from,
                                      const widgets::CanvasPortRef& to) const override;
    widgets::CanvasVerdict canInsertOnEdge(const QString& node, const widgets::CanvasEdge& edge) const override;
    void moveNodes(const QList<widgets::CanvasMove>& moves) override;
    void connectPorts(const widgets::CanvasPortRef& from, const widgets::CanvasPortRef& to) override;
    void reconnect(const widgets::CanvasEdge& old, const widgets::CanvasPortRef& to) override;
    void remove(const QStringList& nodes, const QList<widgets::CanvasEdge>& edges) override;
    void insertOnEdge(const QString& node, const widgets::CanvasEdge& edge, const QPointF& position) override;
    void copy(const QStringList& nodes) override;
    void paste(const QPointF& position) override;
    void duplicate(const QStringList& nodes) override;
    void group(const QStringList& nodes) override;
    void enter(const QString& node) override;
    void leave() override;
    void activate(const QString& node) override;
    void quickAdd(const QPointF& position, const QPoint& globalPosition,
                  const std::optional<widgets::CanvasPortRef>& from) override;
    bool acceptsDrop(const QMimeData& data) const override;
    void drop(const QMimeData& data, const QPointF& position, const std::optional<widgets::CanvasEdge>& edge) override;

    /// A new block at a place, connected to a port or put into a wire when given; selected() tells it.
    void add(const QString& type, const QPointF& position, const std::optional<widgets::CanvasPortRef>& from = {},
             const std::optional<widgets::CanvasEdge>& edge = {});
    /// Arranges this level anew: one undo entry.
    void arrange();

Q_SIGNALS:
    /// New, pasted or duplicated blocks: to be selected.
    void selected(const QStringList& ids);
    void quickAddWanted(const QPointF& position, const QPoint& globalPosition,
                        const std::optional<widgets::CanvasPortRef>& from);
    /// Double click on a leaf: its parameters.
    void parametersWanted(const QString& id);

private:
    using Positions = QHash<QString, QPointF>;
    /// Runs an edit of the graph that is shown; blocks keep their places, new ones get the ones given.
    bool edit(const QString& text, const std::function<Status(GraphEdits&, Positions& places)>& change,
              const QString& mergeKey = {});
    void refresh();
    void keepLevels();
    /// What was drawn of the level has to be made anew.
    void forget() const;
    void takeState() const;
    QList<widgets::CanvasNode> makeNodes() const;  ///< without their places
    QList<widgets::CanvasEdge> makeEdges() const;
    class PortTable;
    widgets::CanvasNode canvasNode(const graph::Node& node, PortTable& ports) const;
    QString details(const graph::Node& node) const;
    void addStatus(widgets::CanvasNode& node, const std::string& path) const;
    Positions positions() const;
    /// For a block that goes on from a port, or stands alone: near where it was wanted, over no other.
    QPointF placeForNew(const QPointF& wanted, const std::optional<widgets::CanvasPortRef>& from) const;
    Positions storedPositions() const;
    /// Stored places, and arranged ones for the blocks that have none.
    Positions placesOf(const QList<widgets::CanvasNode>& drawn) const;
    /// Arranged places of all blocks; the same ones until blocks or wires are others.
    const Positions& arranged(const QList<widgets::CanvasNode>& drawn) const;

    ProjectDocument& m_document;
    LevelStack m_levels{Level{}};
    ResolvedIndex m_index;
    mutable ConnectionCheck m_check;
    // Made once for all who ask: canvas, list, minimap.
    mutable std::shared_ptr<const project::Project> m_drawn;  ///< the state that the three below are of
    mutable std::optional<Positions> m_positions;
    mutable std::optional<QList<widgets::CanvasNode>> m_nodes;
    mutable std::optional<QList<widgets::CanvasEdge>> m_edges;
    mutable QByteArray m_arrangedOf;  ///< blocks and wires that m_arranged is of
    mutable Positions m_arranged;
    QHash<QString, Badge> m_problemBadges;   ///< by JSON pointer of the node, and by path
    QHash<QString, QString> m_wireProblems;  ///< by JSON pointer of the node that the wire enters
    QHash<QString, Badge> m_findingBadges;
    QHash<QString, Fill> m_fills;
    bool m_fresh = false;  ///< refreshed since the last check
};

}  // namespace plumbline::gui
