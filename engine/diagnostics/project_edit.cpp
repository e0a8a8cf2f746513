#include "diagnostics/project_edit.h"

#include <fmt/format.h>
#include <cmath>

namespace plumbline::diagnostics {
namespace {

Json operation(const char* op, const std::string& pointer, const Json& value) {
    return {{"op", op}, {"path", pointer}, {"value", value}};
}

constexpr const char* kRate = "/training/optimizer/lr";

std::string parentOf(const std::string& pointer) {
    return pointer.substr(0, pointer.rfind('/'));
}

std::string lastKeyOf(const std::string& pointer) {
    return Json::json_pointer(pointer).back();
}

}  // namespace

const Json* ProjectEdit::at(const std::string& pointer) const {
    try {
        const Json::json_pointer path(pointer);
        return m_project.contains(path) ? &m_project.at(path) : nullptr;
    } catch (const std::exception&) {
        return nullptr;
    }
}

bool ProjectEdit::isTrue(const std::string& pointer) const {
    const Json* value = at(pointer);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

double ProjectEdit::number(const std::string& pointer, double fallback) const {
    const Json* value = at(pointer);
    return value != nullptr && value->is_number() ? value->get<double>() : fallback;
}

Remedy ProjectEdit::set(const std::string& title, const std::string& pointer, const Json& value,
                        const std::string& applies) const {
    if (!m_project.is_object()) {
        return advice(title);
    }
    if (const Json* old = at(pointer); old != nullptr) {
        return {title, Json::array({operation("test", pointer, *old), operation("replace", pointer, value)}), applies};
    }
    std::string added = pointer;
    Json content = value;
    for (std::string around = parentOf(pointer);; around = parentOf(around)) {
        if (const Json* existing = at(around); existing != nullptr) {
            if (!existing->is_object()) {
                return advice(title);
            }
            return {title, Json::array({operation("test", around, *existing), operation("add", added, content)}),
                    applies};
        }
        if (around.empty()) {
            return advice(title);
        }
        content = Json{{lastKeyOf(added), content}};
        added = around;
    }
}

Remedy ProjectEdit::append(const std::string& title, const std::string& pointer, const Json& value) const {
    const Json* list = at(pointer);
    if (list == nullptr) {
        return set(title, pointer, Json::array({value}));
    }
    if (!list->is_array()) {
        return advice(title);
    }
    return {title, Json::array({operation("test", pointer, *list), operation("add", pointer + "/-", value)}),
            "next_run"};
}

Remedy ProjectEdit::advice(const std::string& title) {
    return {title, Json::array(), "next_run"};
}

double ProjectEdit::learningRate(double ofStep) const {
    const double rate = m_liveRate > 0 ? m_liveRate : number(kRate, ofStep);
    return std::isfinite(rate) && rate > 0 ? rate : 0;
}

std::vector<Remedy> ProjectEdit::lowerLearningRate(double divisor, double ofStep) const {
    const double from = learningRate(ofStep);
    if (from == 0) {
        return {};
    }
    const double to = from / divisor;
    const std::string title = divisor == 2 ? fmt::format("Halve the learning rate from {:g} to {:g}", from, to)
                                           : fmt::format("Lower the learning rate from {:g} to {:g}", from, to);
    const Json* const ofProject = at(kRate);
    if (ofProject == nullptr || *ofProject == Json(to)) {
        return {advice(title)};
    }
    Remedy remedy = set(title, kRate, to, "live");
    if (*ofProject != Json(from)) {
        remedy.patch[0]["live"] = from;
    }
    return {remedy};
}

Remedy refitted(const Json& project, Remedy remedy) {
    Json& patch = remedy.patch;
    const auto member = [](const Json& operation, const char* name) {
        const auto it = operation.is_object() ? operation.find(name) : operation.end();
        return operation.is_object() && it != operation.end() && it->is_string() ? it->get<std::string>()
                                                                                 : std::string();
    };
    if (!patch.is_array() || patch.size() != 2 || member(patch[0], "op") != "test") {
        return remedy;
    }
    if (const auto live = patch[0].find("live"); live != patch[0].end()) {
        const ProjectEdit edit(project);
        const Json* const now = edit.at(member(patch[0], "path"));
        patch[0]["value"] = now != nullptr && *now == *live ? *live : patch[0].value("value", Json());
        return remedy;
    }
    if (member(patch[1], "op") != "add") {
        return remedy;
    }
    const std::string around = member(patch[0], "path");
    const std::string added = member(patch[1], "path");
    const ProjectEdit edit(project);
    const Json* now = edit.at(around);
    if (now != nullptr && now->is_object() && parentOf(added) == around && edit.at(added) == nullptr) {
        patch[0]["value"] = *now;
    }
    return remedy;
}

Json evidenceNumber(double value) {
    if (std::isfinite(value)) {
        return value;
    }
    return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
    std::string text;
    const std::size_t shown = names.size() > most + 1 ? most : names.size();
    for (std::size_t i = 0; i < shown; ++i) {
        text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    if (shown < names.size()) {
        text += fmt::format(" and {} more", names.size() - shown);
    }
    return text;
}

}  // namespace plumbline::diagnostics
