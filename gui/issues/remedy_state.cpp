// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/issues/remedy_state.h"

#include <QCoreApplication>
#include <QStringList>

#include "diagnostics/project_edit.h"
#include "gui/convert.h"
#include "gui/engine_sentence.h"

namespace plumbline::gui {

namespace {

constexpr qsizetype kMostShown = 3;
constexpr qsizetype kMostLetters = 48;

/// A text member of an operation; a patch read from a file may hold anything.
std::string member(const Json& operation, const char* name) {
    const auto it = operation.is_object() ? operation.find(name) : operation.end();
    return operation.is_object() && it != operation.end() && it->is_string() ? it->get<std::string>() : std::string();
}

Json newValue(const Json& operation) {
    return operation.is_object() ? operation.value("value", Json()) : Json();
}

/// The value at a JSON pointer; null when there is none. "-" is the last of a list.
const Json* valueAt(const Json& project, const std::string& pointer) {
    if (pointer.ends_with("/-")) {
        const Json* list = diagnostics::ProjectEdit(project).at(pointer.substr(0, pointer.size() - 2));
        return list && list->is_array() && !list->empty() ? &list->back() : nullptr;
    }
    return diagnostics::ProjectEdit(project).at(pointer);
}

QString valueText(const Json& value) {
    QString shown = text(value.is_string() ? value.get<std::string>() : value.dump());
    if (shown.size() > kMostLetters) {
        shown = shown.first(kMostLetters) + QChar(0x2026);
    }
    return shown;
}

QString dotted(const std::string& pointer) {
    QString path = text(pointer).mid(1);
    if (path.endsWith(QLatin1String("/-"))) {
        path.chop(2);
    }
    return path.replace(QLatin1Char('/'), QLatin1Char('.'));
}

}  // namespace

QString RemedyState::preview() const {
    QStringList lines;
    for (const RemedyChange& change : changes) {
        if (lines.size() == kMostShown && changes.size() > kMostShown + 1) {
            lines << QCoreApplication::translate("RemedyState", "and %n more", nullptr,
                                                 static_cast<int>(changes.size() - kMostShown));
            break;
        }
        const QString before =
            change.before.isEmpty() ? QCoreApplication::translate("RemedyState", "not set") : change.before;
        const QString after =
            change.after.isEmpty() ? QCoreApplication::translate("RemedyState", "removed") : change.after;
        lines << QStringLiteral("%1: %2 → %3").arg(change.path, before, after);
    }
    return lines.join(QLatin1Char('\n'));
}

bool isApplied(const Json& project, const graph::Remedy& remedy) {
    bool any = false;
    for (const Json& operation : remedy.patch) {
        const std::string op = member(operation, "op");
        if (op == "test") {
            continue;
        }
        const std::string path = member(operation, "path");
        const Json* now = valueAt(project, path);
        if (op == "remove" ? now != nullptr : !now || *now != newValue(operation)) {
            return false;
        }
        any = true;
    }
    return any;
}

RemedyState remedyState(const Json& project, const graph::Remedy& remedy) {
    RemedyState state;
    if (remedy.patch.empty()) {
        return state;
    }
    if (isApplied(project, remedy)) {
        state.kind = RemedyState::Kind::Applied;
        return state;
    }
    const Json patch = diagnostics::refitted(project, remedy).patch;
    if (const auto edited = applyJsonPatch(project, patch); !edited) {
        state.kind = RemedyState::Kind::Refused;
        state.reason = engineSentence(edited.error().message + ".");
        return state;
    }
    state.kind = RemedyState::Kind::Open;
    for (const Json& operation : patch) {
        const std::string op = member(operation, "op");
        if (op == "test") {
            continue;
        }
        const std::string path = member(operation, "path");
        const Json* before = path.ends_with("/-") ? nullptr : valueAt(project, path);
        state.changes.append({dotted(path), before ? valueText(*before) : QString(),
                              op == "remove" ? QString() : valueText(newValue(operation))});
    }
    return state;
}

}  // namespace plumbline::gui
