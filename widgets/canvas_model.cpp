// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas_model.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/canvas_items.h"
#include "widgets/layered_layout.h"

namespace plumbline::widgets {

namespace {
constexpr double kNodeWidth = 168;
constexpr double kNodeHeight = 68;
constexpr double kPortRoom = 18;
constexpr int kColumnsInARow = 4;          ///< what a window of common width shows at a legible size
constexpr double kThin = 3 * kNodeHeight;  ///< a layout no higher than this is a chain
constexpr double kRowGap = 64;

/// A long, thin layout goes on below, row by row, as a line of text does. Columns stay whole.
void wrapColumns(std::vector<QPointF>& places, const std::vector<QSizeF>& sizes) {
    std::vector<double> columns;
    double top = INFINITY, bottom = -INFINITY;
    for (std::size_t i = 0; i < places.size(); ++i) {
        columns.push_back(places[i].x());
        top = std::min(top, places[i].y());
        bottom = std::max(bottom, places[i].y() + sizes[i].height());
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const auto count = static_cast<int>(columns.size());
    if (count <= kColumnsInARow || bottom - top > kThin) {
        return;
    }
    const int rows = (count + kColumnsInARow - 1) / kColumnsInARow;
    const int inARow = (count + rows - 1) / rows;
    const double rowHeight = bottom - top + kRowGap;
    for (QPointF& place : places) {
        const auto column =
            static_cast<int>(std::lower_bound(columns.begin(), columns.end(), place.x()) - columns.begin());
        const int row = column / inARow;
        place.rx() -= columns[static_cast<std::size_t>(row * inARow)] - columns.front();
        place.ry() += row * rowHeight;
    }
}

}  // namespace

CanvasVerdict CanvasModel::canConnect(const CanvasPortRef&, const CanvasPortRef&) const {
    return {};
}

CanvasVerdict CanvasModel::canInsertOnEdge(const QString& node, const CanvasEdge& edge) const {
    CanvasVerdict verdict = canConnect(edge.from, CanvasPortRef{node, 0, false});
    if (verdict.ok)
        verdict = canConnect(CanvasPortRef{node, 0, true}, edge.to);
    return verdict;
}

void CanvasModel::moveNodes(const QList<CanvasMove>&) {}
void CanvasModel::connectPorts(const CanvasPortRef&, const CanvasPortRef&) {}
void CanvasModel::reconnect(const CanvasEdge&, const CanvasPortRef&) {}
void CanvasModel::remove(const QStringList&, const QList<CanvasEdge>&) {}
void CanvasModel::insertOnEdge(const QString&, const CanvasEdge&, const QPointF&) {}
void CanvasModel::copy(const QStringList&) {}
void CanvasModel::paste(const QPointF&) {}
void CanvasModel::duplicate(const QStringList&) {}
void CanvasModel::group(const QStringList&) {}
void CanvasModel::enter(const QString&) {}
void CanvasModel::leave() {}
void CanvasModel::activate(const QString&) {}
void CanvasModel::quickAdd(const QPointF&, const QPoint&, const std::optional<CanvasPortRef>&) {}
bool CanvasModel::acceptsDrop(const QMimeData&) const {
    return false;
}
void CanvasModel::drop(const QMimeData&, const QPointF&, const std::optional<CanvasEdge>&) {}

QSizeF canvasNodeSize(const CanvasNode& node) {
    const auto ports = static_cast<double>(std::max(node.inputs.size(), node.outputs.size()));
    return {kNodeWidth, std::max(kNodeHeight, (ports + 1) * kPortRoom)};
}

QHash<QString, QPointF> canvasLayout(const QList<CanvasNode>& nodes, const QList<CanvasEdge>& edges) {
    std::vector<QSizeF> sizes;
    QHash<QString, int> indexOf;
    sizes.reserve(static_cast<std::size_t>(nodes.size()));
    indexOf.reserve(nodes.size());
    for (const CanvasNode& node : nodes) {
        indexOf.insert(node.id, static_cast<int>(sizes.size()));
        sizes.push_back(canvasNodeSize(node));
    }
    std::vector<LayoutEdge> links;
    links.reserve(static_cast<std::size_t>(edges.size()));
    const QFontMetricsF metrics(wireLabelFont());
    QHash<QString, double> rooms;  // shapes repeat
    const auto room = [&](const QString& label) {
        const auto known = rooms.constFind(label);
        return known != rooms.constEnd()
                   ? *known
                   : *rooms.insert(label, std::ceil(metrics.horizontalAdvance(label)) + kWireLabelRoom);
    };
    for (const CanvasEdge& edge : edges)
        links.push_back({indexOf.value(edge.from.node, -1), indexOf.value(edge.to.node, -1),
                         edge.label.isEmpty() ? 0 : room(edge.label)});
    std::vector<QPointF> places = layeredLayout(sizes, links);
    wrapColumns(places, sizes);
    QHash<QString, QPointF> positions;
    positions.reserve(nodes.size());
    for (qsizetype i = 0; i < nodes.size(); ++i)
        positions.insert(nodes[i].id, places[static_cast<std::size_t>(i)]);
    return positions;
}

}  // namespace plumbline::widgets
