#include "project/effective.h"

#include <algorithm>

#include "plan/plan.h"

namespace plumbline::project {

namespace {

/// nullptr where nothing is stated, and where null is.
const Json* statedAt(const Json& json, const std::string& dottedPath) {
    const Json::json_pointer pointer(pointerOfDottedPath(dottedPath));
    return json.contains(pointer) && !json.at(pointer).is_null() ? &json.at(pointer) : nullptr;
}

Json withDefaults(const Json& element, const std::vector<plan::SettingSpec>& specs) {
    if (!element.is_object()) {
        return element;
    }
    Json filled = element;
    for (const plan::SettingSpec& spec : specs) {
        const Json* stated = statedAt(element, spec.path);
        const Json& usual =
            plan::defaultOf(spec, [&element](const std::string& path) { return statedAt(element, path); });
        const Json::json_pointer pointer(pointerOfDottedPath(spec.path));
        if (stated == nullptr && !usual.is_null()) {
            filled[pointer] = usual;
        } else if (stated == nullptr && filled.contains(pointer)) {
            filled.at(pointer.parent_pointer()).erase(pointer.back());  // a null says nothing
        }
    }
    return filled;
}

Json valueOf(const plan::SettingSpec& spec, const Json& json) {
    const Json* stated = statedAt(json, spec.path);
    Json value = stated != nullptr ? *stated : plan::defaultOf(spec, json);
    if (const std::vector<plan::SettingSpec>& elements = plan::elementSettings(spec.path);
        value.is_array() && !elements.empty()) {
        for (Json& element : value) {
            element = withDefaults(element, elements);
        }
    }
    return value;
}

}  // namespace

Json effectiveAt(const Json& json, const std::string& pointer) {
    std::string path = pointer.substr(std::min<std::size_t>(1, pointer.size()));
    std::replace(path.begin(), path.end(), '/', '.');
    Json values = Json::object();
    for (const plan::SettingSpec& spec : plan::settings()) {
        if (spec.path == path || spec.path.starts_with(path + ".")) {
            values[spec.path] = valueOf(spec, json);
        }
    }
    if (!values.empty()) {
        return values;
    }
    const Json* stated = statedAt(json, path);
    return stated == nullptr ? Json() : *stated;
}

}  // namespace plumbline::project
