// SPDX-License-Identifier: GPL-3.0-or-later
// What the parameter form shows for a block, an input, an output or a definition, and what an entry there changes.
#pragma once

#include <QHash>
#include <QJsonValue>
#include <QList>
#include <QString>

#include "core/error.h"
#include "graph/document.h"
#include "gui/model/canvas_adapter.h"
#include "widgets/form_widget.h"

namespace plumbline::gui {

struct BlockForm {
    QList<widgets::FieldSpec> fields;
    QHash<QString, QJsonValue> values;
};

/// Field paths: a parameter by its name; what belongs to the node starts with "@": "@name", "@from.input", "@enabled",
/// "@repeat", "@frozen", "@mode", "@init", "@weights", "@note"; of an input "@shape", "@dtype".
BlockForm formOf(const CanvasAdapter& adapter, const QString& id);
/// Of the definition the canvas is in, or of the project at the root: "@definition.name", "@default.<parameter>" …
BlockForm formOfLevel(const CanvasAdapter& adapter);

/// Problems by field path, from the project's report.
QHash<QString, widgets::FieldProblem> fieldProblems(const CanvasAdapter& adapter, const QString& id);

/// Makes the change that an entry in formOf() asks for, as one undo entry. Undefined: back to the default.
Status applyField(CanvasAdapter& adapter, const QString& id, const QString& path, const QJsonValue& value);
Status applyLevelField(CanvasAdapter& adapter, const QString& path, const QJsonValue& value);

}  // namespace plumbline::gui
