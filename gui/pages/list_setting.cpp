// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/list_setting.h"

#include <QCoreApplication>
#include <algorithm>

#include "diagnostics/detector.h"
#include "gui/convert.h"
#include "gui/engine_text.h"
#include "gui/pages/setting_form.h"

namespace plumbline::gui {

using widgets::FieldChoice;
using widgets::FieldSpec;
using widgets::FieldType;

namespace {

struct ListTr {
    Q_DECLARE_TR_FUNCTIONS(ListSetting)
};

/// Of a sequence of schedules, or of a step.
bool isPhases(const std::string& list) {
    return list == "training.scheduler.phases" || list == "training.phases";
}

/// "training.phases.0.optimizer.groups" is such a list as "training.optimizer.groups".
std::string listOfSpec(const std::string& list) {
    const std::string phases = "training.phases.", optimizer = ".optimizer.";
    const std::size_t inside = list.starts_with(phases) ? list.find(optimizer, phases.size()) : std::string::npos;
    return inside == std::string::npos ? list : "training" + list.substr(inside);
}

/// Where the first that matches wins, or one comes after the other.
bool orderCounts(const std::string& list) {
    return isPhases(list) || listOfSpec(list) == "training.optimizer.groups";
}

QString elementLabel(const std::string& list, std::size_t index) {
    const auto number = static_cast<int>(index + 1);
    return list == "training.losses"    ? ListTr::tr("loss %1").arg(number)
           : list == "training.metrics" ? ListTr::tr("metric %1").arg(number)
           : list == "training.freeze"  ? ListTr::tr("frozen %1").arg(number)
           : isPhases(list)             ? ListTr::tr("phase %1").arg(number)
                                        : ListTr::tr("group %1").arg(number);
}

QString addText(const std::string& list) {
    return list == "training.losses"    ? ListTr::tr("Add a loss")
           : list == "training.metrics" ? ListTr::tr("Add a metric")
           : list == "training.freeze"  ? ListTr::tr("Add frozen parameters")
           : isPhases(list)             ? ListTr::tr("Add a phase")
                                        : ListTr::tr("Add a group");
}

QList<FieldChoice> named(const QStringList& names) {
    QList<FieldChoice> choices;
    for (const QString& name : names) {
        choices.append({name, {}, {}});
    }
    return choices;
}

/// SettingSpec::when of an element's key, against the element itself.
bool appliesIn(const plan::SettingSpec& spec, const Json& element) {
    return settingApplies(spec.when, [&element](const QString& key) {
        const auto found = element.find(bytes(key));
        return found == element.end() ? QJsonValue() : toQt(*found);
    });
}

FieldSpec elementField(const std::string& list, const plan::SettingSpec& spec, const ListChoices& choices) {
    FieldSpec field = settingField(spec);
    if (list == "training.losses" && spec.path == "phase") {
        field.type = FieldType::Choice;
        field.choices = named(choices.phases);
    }
    if (spec.path == "match" || spec.type == "patterns") {
        field.completions = choices.parameters;
    }
    if (spec.type == "patterns") {
        field.type = FieldType::List;
        field.scalarAllowed = true;
    }
    if (spec.type == "output" || spec.type == "target") {
        field.type = FieldType::Choice;
        field.choices = named(spec.type == "output" ? choices.outputs : choices.targets);
        field.defaultValue = QJsonValue::Undefined;
    }
    return field;
}

Json elementsOf(const Json& project, const std::string& list) {
    const Json::json_pointer pointer(pointerOfDottedPath(list));
    return project.contains(pointer) && project.at(pointer).is_array() ? project.at(pointer) : Json();
}

}  // namespace

const std::vector<plan::SettingSpec>& elementKeys(const std::string& list) {
    return plan::elementSettings(listOfSpec(list));
}

bool isListSetting(const plan::SettingSpec& spec) {
    return !elementKeys(spec.path).empty();
}

QList<FieldSpec> listRows(const plan::SettingSpec& spec, const Json& value, const ListChoices& choices) {
    const std::vector<plan::SettingSpec>& keys = elementKeys(spec.path);
    FieldSpec add = settingField(spec);
    add.type = FieldType::Add;
    add.label = add.path.section(QLatin1Char('.'), -1);
    add.placeholder = addText(spec.path);
    add.defaultValue = QJsonValue::Undefined;
    QList<FieldSpec> rows{add};
    for (const std::string& type : keys.front().choices) {
        // A metric can be there once.
        const bool taken = spec.path == "training.metrics" && value.is_array() &&
                           std::any_of(value.begin(), value.end(), [&type](const Json& each) {
                               return each.is_object() && each.value("type", Json()) == type;
                           });
        if (!taken) {
            rows.first().choices.append({text(type), {}, {}});
        }
    }
    if (!keys.front().choices.empty() && rows.first().choices.isEmpty()) {
        rows.first().enabled = false;
        rows.first().disabledReason = ListTr::tr("All there are have been added.");
    }
    for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
        for (const plan::SettingSpec& key : keys) {
            // An object of settings of its own has rows of its own (phaseRows()).
            if (!value[i].is_object() || !appliesIn(key, value[i]) || key.type == "object") {
                continue;
            }
            FieldSpec field = elementField(spec.path, key, choices);
            if (spec.path == "training.losses" && key.path == "phase" && choices.phases.isEmpty() &&
                !value[i].contains(key.path)) {
                continue;  // one optimizer takes them all
            }
            const bool first = &key == &keys.front();
            field.label = first ? elementLabel(spec.path, i) : field.path;
            field.path = QStringLiteral("%1.%2.%3").arg(text(spec.path)).arg(i).arg(text(key.path));
            field.group = rows.first().group;
            field.removable = first;
            field.movable = first && orderCounts(spec.path);
            field.movesUp = i > 0;
            field.movesDown = i + 1 < value.size();
            field.element = elementLabel(spec.path, i);
            field.nested = first ? 0 : 1;
            if (first) {
                field.defaultValue = QJsonValue::Undefined;
                field.optional = false;
            }
            rows.append(field);
        }
    }
    return rows;
}

std::optional<ElementPath> elementPath(const QString& path) {
    const QStringList parts = path.split(QLatin1Char('.'));
    bool isIndex = false;
    for (qsizetype i = parts.size() - 2; i >= 1; --i) {
        const std::string list = bytes(parts.mid(0, i).join(QLatin1Char('.')));
        const uint index = parts[i].toUInt(&isIndex);
        if (isIndex && !elementKeys(list).empty()) {
            return ElementPath{list, index, bytes(parts.mid(i + 1).join(QLatin1Char('.')))};
        }
    }
    return std::nullopt;
}

Json addElementPatch(const Json& project, const std::string& list, const QJsonValue& type, const ListChoices& choices) {
    Json element = Json::object();
    for (const plan::SettingSpec& key : elementKeys(list)) {
        if (key.path == "type") {
            element[key.path] = fromQt(type);
        } else if (!appliesIn(key, element) || key.optional) {
            continue;
        } else if (key.type == "output") {
            element[key.path] = bytes(choices.outputs.value(0));
        } else if (key.type == "target") {
            element[key.path] = bytes(choices.targets.value(0));
        } else if ((key.type == "text" || key.type == "patterns") && !key.defaultValue.is_null()) {
            element[key.path] = key.defaultValue;
        }
    }
    return appendPatch(project, list, element);
}

Json appendPatch(const Json& project, const std::string& list, const Json& element) {
    const std::string pointer = pointerOfDottedPath(list);
    if (!elementsOf(project, list).is_null()) {
        return Json::array({Json{{"op", "add"}, {"path", pointer + "/-"}, {"value", element}}});
    }
    // The objects around a list that is not there yet are made as well.
    Json patch = Json::array();
    const Json::json_pointer whole(pointer);
    Json::json_pointer above = whole.parent_pointer();
    std::vector<std::string> missing;
    for (; !above.empty() && !project.contains(above); above = above.parent_pointer()) {
        missing.push_back(above.to_string());
    }
    for (auto each = missing.rbegin(); each != missing.rend(); ++each) {
        patch.push_back(Json{{"op", "add"}, {"path", *each}, {"value", Json::object()}});
    }
    // A phase that states groups has none of those that it took over: they come along, so that it goes on with them.
    Json elements = listOfSpec(list) == list ? Json() : elementsOf(project, listOfSpec(list));
    if (elements.is_null()) {
        elements = Json::array();
    }
    elements.push_back(element);
    patch.push_back(Json{{"op", "add"}, {"path", pointer}, {"value", elements}});
    return patch;
}

Json removeElementPatch(const ElementPath& element) {
    return Json::array({Json{{"op", "remove"}, {"path", pointerTo(pointerOfDottedPath(element.list), element.index)}}});
}

Json moveElementPatch(const Json& project, const ElementPath& element, int places) {
    const auto target = static_cast<std::ptrdiff_t>(element.index) + places;
    if (target < 0 || target >= std::ssize(elementsOf(project, element.list))) {
        return Json::array();
    }
    const std::string pointer = pointerOfDottedPath(element.list);
    return Json::array({Json{{"op", "move"},
                             {"from", pointerTo(pointer, element.index)},
                             {"path", pointerTo(pointer, static_cast<std::size_t>(target))}}});
}

Json changeTypePatch(const Json& project, const ElementPath& element, const std::string& type) {
    const std::string pointer = pointerTo(pointerOfDottedPath(element.list), element.index);
    Json patch = Json::array({Json{{"op", "replace"}, {"path", pointerTo(pointer, "type")}, {"value", type}}});
    const Json all = elementsOf(project, element.list);
    Json changed = element.index < all.size() ? all[element.index] : Json::object();
    changed["type"] = type;
    for (const plan::SettingSpec& key : elementKeys(element.list)) {
        if (changed.contains(key.path) && !appliesIn(key, changed)) {
            patch.push_back(Json{{"op", "remove"}, {"path", pointerTo(pointer, key.path)}});
        }
    }
    return patch;
}

QList<FieldSpec> detectorRows(const QString& path) {
    QList<FieldSpec> rows;
    for (const diagnostics::DetectorEntry& entry : diagnostics::detectors()) {
        const QString id = text(entry.spec.id);
        FieldSpec enabled;
        enabled.path = QStringLiteral("%1.%2.enabled").arg(path, id);
        enabled.label = id;
        enabled.type = FieldType::Boolean;
        enabled.defaultValue = true;
        enabled.help = engineText(entry.spec.summary);
        enabled.group = ListTr::tr("Detectors");
        rows.append(enabled);
        for (const diagnostics::ThresholdSpec& threshold : entry.spec.thresholds) {
            FieldSpec field;
            field.path = QStringLiteral("%1.%2.%3").arg(path, id, text(threshold.name));
            field.label = text(threshold.name);
            field.type = FieldType::Real;
            field.defaultValue = toQt(Json(threshold.defaultValue));
            field.minimum = threshold.min;
            field.maximum = threshold.max;
            field.unit = engineText(threshold.unit);
            field.help = engineText(threshold.help);
            field.group = enabled.group;
            field.nested = true;
            rows.append(field);
        }
    }
    return rows;
}

}  // namespace plumbline::gui
