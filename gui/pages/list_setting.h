// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that hold several things (losses, metrics, parameter groups, detectors) as rows of a form and as small edits
// of project.json, so that nothing else in it moves.
#pragma once

#include <QStringList>
#include <optional>

#include "core/json.h"
#include "plan/plan.h"
#include "widgets/form_widget.h"

namespace plumbline::gui {

/// What an element can refer to.
struct ListChoices {
    QStringList outputs;     ///< of the model
    QStringList targets;     ///< of the data
    QStringList phases;      ///< of a step, by name
    QStringList parameters;  ///< patterns of the model's parameters, those of whole blocks first
    QStringList blocks;      ///< of the model
};

/// What an element of a list holds, as plan::elementSettings(), also of a list within a phase
/// ("training.phases.0.optimizer.groups").
const std::vector<plan::SettingSpec>& elementKeys(const std::string& list);
/// Whether listRows() can show the setting.
bool isListSetting(const plan::SettingSpec& spec);
/// A row with the button that adds an element, then the rows of each element: "training.losses.0.type" and so on.
QList<widgets::FieldSpec> listRows(const plan::SettingSpec& spec, const Json& value, const ListChoices& choices);
/// "training.losses.0.type" → the list, the place and the key; empty for a path that is in no list. Of lists within
/// each other the inner one.
struct ElementPath {
    std::string list;
    std::size_t index;
    std::string key;
};
std::optional<ElementPath> elementPath(const QString& path);

/// RFC 6902 patches on project.json.
Json addElementPatch(const Json& project, const std::string& list, const QJsonValue& type, const ListChoices& choices);
/// Of an element as it is to be.
Json appendPatch(const Json& project, const std::string& list, const Json& element);
Json removeElementPatch(const ElementPath& element);
/// `places` on, before where negative; nothing to do where there is no such place.
Json moveElementPatch(const Json& project, const ElementPath& element, int places);
/// A new type takes what only the old one knew out with it.
Json changeTypePatch(const Json& project, const ElementPath& element, const std::string& type);

/// A row that turns a detector off, then its thresholds: "monitor.detectors.loader-stall.enabled" and so on.
QList<widgets::FieldSpec> detectorRows(const QString& path);

}  // namespace plumbline::gui
