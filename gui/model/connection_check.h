// SPDX-License-Identifier: GPL-3.0-or-later
// May this output feed this input? Tried with the block's own shape rule while a wire is dragged.
#pragma once

#include <QHash>
#include <QSet>
#include <QString>
#include <string>

#include "graph/block_type.h"
#include "graph/document.h"
#include "gui/model/graph_edits.h"
#include "gui/model/level.h"
#include "gui/model/resolved_index.h"
#include "widgets/canvas_model.h"

namespace plumbline::gui {

/// Answers are kept until clear(): a drag asks for every port again and again.
class ConnectionCheck {
public:
    void clear();
    widgets::CanvasVerdict check(const graph::Document& document, const graph::BlockRegistry& registry,
                                 const ResolvedIndex& index, const Level& level, const PortAt& output,
                                 const PortAt& input);

private:
    widgets::CanvasVerdict tryShapes(const graph::Document& document, const graph::BlockRegistry& registry,
                                     const ResolvedIndex& index, const Level& level, const PortAt& output,
                                     const PortAt& input) const;
    const QSet<QString>& ancestors(const graph::Graph& graph, const std::string& node);

    QHash<QString, widgets::CanvasVerdict> m_verdicts;
    QHash<QString, QSet<QString>> m_ancestors;
};

}  // namespace plumbline::gui
