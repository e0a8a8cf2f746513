// Dotted paths of the command line (--set a.b=v) as edits of the document.

#include <algorithm>
#include <fmt/format.h>

#include "core/text.h"
#include "plan/setting_reader.h"
#include "project/project.h"

namespace plumbline::project {
namespace {

/// A JSON value where it is one and the setting wants one; otherwise the text itself.
Json valueOf(const std::string& text, const plan::SettingSpec* spec) {
    const bool wantsText = spec != nullptr && (spec->type == "text" || spec->type == "choice");
    Result<Json> value = parseJson(text, "the value");
    if (!value || (wantsText && !value->is_string() && !value->is_null())) {
        return Json(text);
    }
    return std::move(*value);
}

}  // namespace

Result<Project> withSetting(const Project& project, const std::string& path, const std::string& value) {
    if (path.empty() || path.front() == '.' || path.back() == '.' || path.find("..") != std::string::npos) {
        return fail(ErrorKind::kUsage, "bad-path", fmt::format("\"{}\" is not a dotted path into project.json", path), path,
                    "Write it as training.optimizer.lr=0.01.");
    }
    if (!isUtf8(path) || !isUtf8(value)) {
        return fail(ErrorKind::kUsage, "not-text", "A path or a value of --set is not UTF-8", {}, "Write it as UTF-8.");
    }
    const plan::SettingSpec* spec = plan::findSetting(path);
    Json json = project.json;
    Json* place = &json;
    std::string_view rest = path;
    std::string pointer;
    bool last = false;
    while (!last) {
        const std::size_t dot = rest.find('.');
        last = dot == std::string_view::npos;
        const std::string key(rest.substr(0, dot));
        rest = last ? std::string_view{} : rest.substr(dot + 1);
        pointer = pointerTo(pointer, key);
        if (place->is_array()) {
            const bool number = !key.empty() && key.size() < 10 && key.find_first_not_of("0123456789") == std::string::npos;
            if (!number || std::stoul(key) >= place->size()) {
                return fail(ErrorKind::kUsage, "bad-path", fmt::format("{} does not exist: the list has {} entries", pointer, place->size()),
                            path);
            }
            place = &(*place)[std::stoul(key)];
        } else if (place->is_object()) {
            place = &(*place)[key];
            if (place->is_null() && !last) {
                *place = Json::object();
            }
        } else {
            return fail(ErrorKind::kUsage, "bad-path", fmt::format("{} does not exist: what holds it is {}", pointer, typeName(*place)), path);
        }
    }
    *place = valueOf(value, spec);
    auto changed = readProject(json, project.folder);
    if (!changed) {
        Error error = changed.error();
        error.kind = ErrorKind::kUsage;
        error.message = fmt::format("--set {}={}: {}", path, value, error.message);
        return fail(std::move(error));
    }
    changed->layout = project.layout;
    return changed;
}

}  // namespace plumbline::project
