// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks as JSON text: what Copy puts on the clipboard and Paste reads.
#pragma once

#include <QHash>
#include <QPointF>
#include <QString>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "graph/document.h"

namespace plumbline::gui {

/// {"plumbline_blocks": 1, "model": {definitions, graph}, "layout": {name: [x, y]}}: the blocks with the wires among
/// them and the definitions they need.
Json copiedBlocks(const graph::Document& document, const std::string& graphName, const std::vector<std::string>& ids,
                  const QHash<QString, QPointF>& positions);

struct PastedBlocks {
    graph::Document content;  ///< its root holds the blocks
    QHash<QString, QPointF> positions;
};
/// An error says that the text holds no blocks.
Result<PastedBlocks> readBlocks(const QString& text);

/// Adds them to a graph under free names; definitions that differ from those of the same name get free names too.
/// `placed` receives new id → place, moved so that the top left one stands at `at`.
Status pasteBlocks(graph::Document& document, const std::string& graphName, const PastedBlocks& blocks,
                   const QPointF& at, QHash<QString, QPointF>& placed);

}  // namespace plumbline::gui
