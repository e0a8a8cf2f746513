// SPDX-License-Identifier: GPL-3.0-or-later
// Gestures of the canvas as edits of the project: each ends in one undo entry.
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QRectF>
#include <algorithm>
#include <cmath>

#include "gui/convert.h"
#include "gui/model/canvas_adapter.h"
#include "gui/model/clipboard.h"
#include "gui/model/node_ports.h"
#include "gui/model/starting_values.h"

namespace plumbline::gui {

using widgets::CanvasEdge;
using widgets::CanvasMove;
using widgets::CanvasPortRef;
using widgets::CanvasVerdict;

namespace {

PortAt at(const CanvasPortRef& port) {
    return {bytes(port.node), port.port};
}

std::vector<std::string> idsOf(const QStringList& nodes) {
    std::vector<std::string> ids;
    for (const QString& node : nodes) {
        ids.push_back(bytes(node));
    }
    return ids;
}

QString shown(const QString& id) {
    return isOutputId(bytes(id)) ? text(outputName(bytes(id))) : id;
}

void writePlaces(Json& layout, const std::string& graph, const QHash<QString, QPointF>& places) {
    if (!layout.is_object()) {
        layout = Json::object();
    }
    Json stored = Json::object();
    auto& members = stored.get_ref<Json::object_t&>();  // every name once: none is looked for
    QStringList names = places.keys();
    names.sort();
    for (const QString& name : std::as_const(names)) {
        const QPointF place = places.value(name);
        members.emplace_back(bytes(name), Json::array({std::round(place.x()), std::round(place.y())}));
    }
    layout[graph] = std::move(stored);
}

/// A block put into a wire stands between its ends: behind the first, and what would be in its way moves to the right
/// with all that follows.
void makeRoom(QHash<QString, QPointF>& places, const QString& id, const CanvasEdge& edge) {
    constexpr double kGap = 48;
    const QSizeF size = widgets::canvasNodeSize({});
    const QPointF from = places.value(edge.from.node);
    const QPointF to = places.value(edge.to.node);
    QPointF place = places.value(id);
    if (to.x() <= from.x()) {
        places.insert(id, place);  // the wire runs backwards or down to another row: the place is the person's
        return;
    }
    place.setX(std::max(place.x(), from.x() + size.width() + kGap));
    place.setY(std::abs(place.y() - from.y()) < size.height() ? from.y() : place.y());
    places.insert(id, place);
    const double missing = place.x() + size.width() + kGap - to.x();
    if (missing <= 0) {
        return;
    }
    for (auto it = places.begin(); it != places.end(); ++it) {
        if (it.key() != id && it->x() >= to.x()) {
            it->rx() += missing;
        }
    }
}

constexpr double kBesidePort = 2.5 * widgets::space::kHuge;  ///< the wire and its shape stand between
constexpr double kClearance = widgets::space::kHuge;

/// Where a new block stands over no other: as wanted, or as near below as there is room.
QPointF freePlace(const QHash<QString, QRectF>& taken, QPointF wanted) {
    const QSizeF size = widgets::canvasNodeSize({});
    for (qsizetype moves = 0; moves <= taken.size(); ++moves) {
        const QRectF own(wanted, size);
        const auto under = std::find_if(taken.begin(), taken.end(), [&own](const QRectF& block) {
            return block.adjusted(-kClearance / 2, -kClearance / 2, kClearance / 2, kClearance / 2).intersects(own);
        });
        if (under == taken.end()) {
            break;
        }
        wanted.setY(under->bottom() + kClearance);
    }
    return wanted;
}

}  // namespace

QPointF CanvasAdapter::placeForNew(const QPointF& wanted, const std::optional<CanvasPortRef>& from) const {
    const QList<widgets::CanvasNode> drawn = nodes();
    QHash<QString, QRectF> taken;
    for (const widgets::CanvasNode& node : drawn) {
        taken.insert(node.id, QRectF(node.position, widgets::canvasNodeSize(node)));
    }
    QPointF place = wanted;
    if (const QRectF block = from ? taken.value(from->node) : QRectF(); !block.isEmpty()) {
        const QSizeF size = widgets::canvasNodeSize({});
        // Where the wire would have no room the block stands beside the port it goes on from.
        if (QRectF(wanted, size).intersects(block.adjusted(-kBesidePort / 2, 0, kBesidePort / 2, 0))) {
            place = QPointF(from->output ? block.right() + kBesidePort : block.left() - kBesidePort - size.width(),
                            block.top());
        }
    }
    return freePlace(taken, place);
}

bool CanvasAdapter::edit(const QString& text, const std::function<Status(GraphEdits&, Positions&)>& change,
                         const QString& mergeKey) {
    if (!currentGraph()) {
        return false;
    }
    // What was placed by the automatic layout stays where it is once something is changed by hand.
    Positions places = positions();
    const std::string graphName = here().graph;
    const Status done = m_document.editModel(
        text,
        [&](graph::Document& model, Json& layout) -> Status {
            GraphEdits edits(model, ProjectDocument::registry(), graphName);
            PLUMBLINE_TRY(change(edits, places));
            const graph::Graph& graph = edits.graph();
            Positions kept;
            const auto keep = [&](const std::string& id) {
                const QString key = gui::text(id);
                if (places.contains(key)) {
                    kept.insert(key, places.value(key));
                }
            };
            std::for_each(graph.inputs.begin(), graph.inputs.end(), [&](const auto& input) { keep(input.name); });
            std::for_each(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) { keep(node.name); });
            std::for_each(graph.outputs.begin(), graph.outputs.end(),
                          [&](const auto& output) { keep(outputId(output.name)); });
            writePlaces(layout, graphName, kept);
            return {};
        },
        mergeKey);
    return done.has_value();
}

CanvasVerdict CanvasAdapter::canConnect(const CanvasPortRef& from, const CanvasPortRef& to) const {
    if (!currentGraph()) {
        return {false, {}};
    }
    return m_check.check(m_document.project().model, ProjectDocument::registry(), m_index, here(), at(from), at(to));
}

CanvasVerdict CanvasAdapter::canInsertOnEdge(const QString& id, const CanvasEdge& edge) const {
    const graph::Graph* graph = currentGraph();
    const graph::Node* node = graph ? graph->find(bytes(id)) : nullptr;
    if (!node) {
        return {false, tr("An input or output cannot stand inside a wire.")};
    }
    const Ports ports = portsOf(m_document.project().model, ProjectDocument::registry(), node->type);
    if (ports.inputs.empty() || ports.outputs.empty()) {
        return {false, tr("%1 has no input and output to put into a wire.").arg(id)};
    }
    if (!connectionsOf(*node, ports).empty()) {
        return {false, tr("%1 is connected already.").arg(id)};
    }
    return canConnect(edge.from, {id, 0, false});
}

void CanvasAdapter::moveNodes(const QList<CanvasMove>& moves) {
    if (moves.isEmpty()) {
        return;
    }
    const QString text = moves.size() == 1 ? tr("Move %1").arg(shown(moves.first().node))
                                           : tr("Move %n block(s)", nullptr, static_cast<int>(moves.size()));
    edit(text, [&](GraphEdits&, Positions& places) -> Status {
        for (const CanvasMove& move : moves) {
            places.insert(move.node, move.position);
        }
        return {};
    });
}

void CanvasAdapter::connectPorts(const CanvasPortRef& from, const CanvasPortRef& to) {
    edit(tr("Connect %1 to %2").arg(shown(from.node), shown(to.node)),
         [&](GraphEdits& edits, Positions&) { return edits.connect(at(from), at(to)); });
}

void CanvasAdapter::reconnect(const CanvasEdge& old, const CanvasPortRef& to) {
    edit(tr("Connect %1 to %2").arg(shown(old.from.node), shown(to.node)),
         [&](GraphEdits& edits, Positions&) -> Status {
             PLUMBLINE_TRY(edits.disconnect(at(old.from), at(old.to)));
             return edits.connect(at(old.from), at(to));
         });
}

void CanvasAdapter::remove(const QStringList& nodes, const QList<CanvasEdge>& edges) {
    if (nodes.isEmpty() && edges.isEmpty()) {
        return;
    }
    const QString text = nodes.size() == 1  ? tr("Delete %1").arg(shown(nodes.first()))
                         : !nodes.isEmpty() ? tr("Delete %n block(s)", nullptr, static_cast<int>(nodes.size()))
                                            : tr("Delete %n wire(s)", nullptr, static_cast<int>(edges.size()));
    edit(text, [&](GraphEdits& edits, Positions&) -> Status {
        for (const CanvasEdge& edge : edges) {
            if (!nodes.contains(edge.from.node) && !nodes.contains(edge.to.node)) {
                PLUMBLINE_TRY(edits.disconnect(at(edge.from), at(edge.to)));
            }
        }
        return edits.remove(idsOf(nodes));
    });
}

void CanvasAdapter::insertOnEdge(const QString& node, const CanvasEdge& edge, const QPointF& position) {
    edit(tr("Insert %1").arg(node), [&](GraphEdits& edits, Positions& places) -> Status {
        places.insert(node, position);
        makeRoom(places, node, edge);
        return edits.insertBetween(bytes(node), at(edge.from), at(edge.to));
    });
}

void CanvasAdapter::copy(const QStringList& nodes) {
    if (!currentGraph() || nodes.isEmpty()) {
        return;
    }
    const Json json = copiedBlocks(m_document.project().model, here().graph, idsOf(nodes), positions());
    QGuiApplication::clipboard()->setText(text(formatJson(json)));
}

void CanvasAdapter::paste(const QPointF& position) {
    const auto blocks = readBlocks(QGuiApplication::clipboard()->text());
    if (!blocks) {
        Q_EMIT m_document.refused(blocks.error());
        return;
    }
    QHash<QString, QPointF> placed;
    const std::string graphName = here().graph;
    Positions places = positions();
    const Status done =
        m_document.editModel(tr("Paste %n block(s)", nullptr, static_cast<int>(blocks->positions.size())),
                             [&](graph::Document& model, Json& layout) -> Status {
                                 PLUMBLINE_TRY(pasteBlocks(model, graphName, *blocks, position, placed));
                                 places.insert(placed);
                                 writePlaces(layout, graphName, places);
                                 return {};
                             });
    if (done) {
        Q_EMIT selected(placed.keys());
    }
}

void CanvasAdapter::duplicate(const QStringList& nodes) {
    if (nodes.isEmpty()) {
        return;
    }
    QStringList copies;
    const QString text = nodes.size() == 1 ? tr("Duplicate %1").arg(shown(nodes.first()))
                                           : tr("Duplicate %n block(s)", nullptr, static_cast<int>(nodes.size()));
    const bool done = edit(text, [&](GraphEdits& edits, Positions& places) -> Status {
        PLUMBLINE_ASSIGN(const auto made, edits.duplicate(idsOf(nodes)));
        for (std::size_t i = 0; i < made.size(); ++i) {
            const QString id = gui::text(made[i]);
            constexpr double kOffset = 2 * widgets::space::kHuge;
            places.insert(id, places.value(nodes[static_cast<qsizetype>(i)]) + QPointF(kOffset, kOffset));
            copies << id;
        }
        return {};
    });
    if (done) {
        Q_EMIT selected(copies);
    }
}

void CanvasAdapter::group(const QStringList& nodes) {
    std::vector<std::string> inside;
    QPointF corner;
    for (const QString& id : nodes) {
        if (currentGraph() && currentGraph()->find(bytes(id))) {
            const QPointF place = positions().value(id);
            corner = inside.empty() ? place : QPointF(std::min(corner.x(), place.x()), std::min(corner.y(), place.y()));
            inside.push_back(bytes(id));
        }
    }
    if (inside.empty()) {
        return;
    }
    const std::string graphName = here().graph;
    std::string instance;
    Positions places = positions();
    const Status done = m_document.editModel(
        tr("Group %n block(s)", nullptr, static_cast<int>(inside.size())),
        [&](graph::Document& model, Json& layout) -> Status {
            std::string definition = "Group";
            for (int number = 2; model.definition(definition) || ProjectDocument::registry().find(definition);
                 ++number) {
                definition = "Group" + std::to_string(number);
            }
            instance = graph::freeName(*model.graph(graphName), "group");
            PLUMBLINE_TRY(graph::groupNodes(model, graphName, inside, definition, instance));
            Positions within;
            for (const std::string& id : inside) {
                within.insert(text(id), places.take(text(id)));
            }
            // Inputs stand left of the blocks, outputs right of them.
            double right = corner.x();
            for (const QPointF& place : within) {
                right = std::max(right, place.x());
            }
            int row = 0;
            for (const graph::GraphInput& input : model.definition(definition)->inputs) {
                within.insert(text(input.name), QPointF(corner.x() - 220, corner.y() + 90 * row++));
            }
            row = 0;
            for (const graph::GraphOutput& output : model.definition(definition)->outputs) {
                within.insert(text(outputId(output.name)), QPointF(right + 260, corner.y() + 90 * row++));
            }
            places.insert(text(instance), corner);
            writePlaces(layout, definition, within);
            writePlaces(layout, graphName, places);
            return {};
        });
    if (done) {
        Q_EMIT selected({text(instance)});
    }
}

void CanvasAdapter::enter(const QString& id) {
    const graph::Graph* graph = currentGraph();
    const graph::Node* node = graph ? graph->find(bytes(id)) : nullptr;
    if (!node || !m_document.project().model.definition(node->type)) {
        return;
    }
    std::string path = here().pathOf(node->name);
    if (!node->repeat.is_null()) {
        path += ".0";
    }
    m_levels.push_back({node->type, path});
    forget();
    m_check.clear();
    Q_EMIT levelChanged();
}

void CanvasAdapter::leave() {
    goTo(static_cast<int>(m_levels.size()) - 2);
}

void CanvasAdapter::activate(const QString& node) {
    Q_EMIT parametersWanted(node);
}

void CanvasAdapter::quickAdd(const QPointF& position, const QPoint& globalPosition,
                             const std::optional<CanvasPortRef>& from) {
    Q_EMIT quickAddWanted(position, globalPosition, from);
}

bool CanvasAdapter::acceptsDrop(const QMimeData& data) const {
    return currentGraph() && data.hasFormat(QLatin1String(kBlockMime));
}

void CanvasAdapter::drop(const QMimeData& data, const QPointF& position, const std::optional<CanvasEdge>& edge) {
    add(QString::fromUtf8(data.data(QLatin1String(kBlockMime))), position, {}, edge);
}

void CanvasAdapter::add(const QString& type, const QPointF& position, const std::optional<CanvasPortRef>& from,
                        const std::optional<CanvasEdge>& edge) {
    std::string id;
    const QPointF place = edge ? position : placeForNew(position, from);
    const bool done = edit(tr("Add %1").arg(type), [&](GraphEdits& edits, Positions& places) -> Status {
        PLUMBLINE_ASSIGN(id, edits.add(bytes(type)));
        const graph::BlockType* leaf = ProjectDocument::registry().find(bytes(type));
        if (graph::Node* made = edits.graph().find(id); made && leaf) {
            const std::optional<CanvasPortRef> source = edge                   ? std::optional(edge->from)
                                                        : from && from->output ? from
                                                                               : std::nullopt;
            made->params = startingParams(
                *leaf, source ? m_index.wireType(here(), bytes(source->node), source->port, {}) : std::nullopt);
        }
        places.insert(text(id), place);
        if (edge) {
            makeRoom(places, text(id), *edge);
            return edits.insertBetween(id, at(edge->from), at(edge->to));
        }
        if (!from) {
            return {};
        }
        const graph::Node* node = edits.graph().find(id);
        const bool takes =
            isOutputId(id) ||
            (node && !portsOf(m_document.project().model, ProjectDocument::registry(), node->type).inputs.empty());
        if (from->output) {
            return takes ? edits.connect(at(*from), {id, 0}) : Status();
        }
        return isOutputId(id) ? Status() : edits.connect({id, 0}, at(*from));
    });
    if (done) {
        Q_EMIT selected({text(id)});
    }
}

void CanvasAdapter::arrange() {
    if (!currentGraph()) {
        return;
    }
    const Positions arranged = widgets::canvasLayout(nodes(), edges());
    edit(tr("Arrange blocks"), [&](GraphEdits&, Positions& places) -> Status {
        places = arranged;
        return {};
    });
}

}  // namespace plumbline::gui
