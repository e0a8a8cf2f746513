// SPDX-License-Identifier: GPL-3.0-or-later
// Places a directed graph in layers from left to right.
#pragma once

#include <QPointF>
#include <QSizeF>
#include <span>
#include <vector>

namespace plumbline::widgets {

struct LayoutEdge {
    int from = 0;  ///< index into the sizes
    int to = 0;
    double room = 0;  ///< what it carries needs between its first block's column and the next one
};

struct LayoutOptions {
    double layerGap = 48;  ///< between the columns, where no edge asks for more
    double nodeGap = 32;   ///< between two nodes of a column
};

/// Top-left positions, one a size, such that no two nodes overlap and every edge that is not part of a cycle runs to
/// the right. Layers by longest path, order by barycentre sweeps (Sugiyama 1981), straight chains stay straight.
/// Deterministic. Edges with an index out of range and self loops are ignored.
std::vector<QPointF> layeredLayout(std::span<const QSizeF> sizes, std::span<const LayoutEdge> edges,
                                   const LayoutOptions& options = {});

}  // namespace plumbline::widgets
