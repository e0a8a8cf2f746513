// Dotted paths of the command line (--set a.b=v) as edits of the document.

#include <fmt/format.h>
#include <algorithm>

#include "core/json_errors.h"
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

std::string settingThatEndsAlike(const std::string& path) {
    const std::string last = path.substr(path.rfind('.') + 1);
    const auto common = [&](const std::string& other) {
        return std::mismatch(path.begin(), path.end(), other.begin(), other.end()).first - path.begin();
    };
    std::string alike;
    for (const plan::SettingSpec& spec : plan::settings()) {
        // Of several, as with "every", the one whose beginning is written.
        if ((spec.path == last || spec.path.ends_with("." + last)) &&
            (alike.empty() || common(spec.path) > common(alike))) {
            alike = spec.path;
        }
    }
    return alike;
}

namespace {

/// The next step for a path that leads nowhere, where the reader of the project knew none.
std::string hintFor(const std::string& path, const std::string& readers) {
    if (const std::string alike = settingThatEndsAlike(path); !alike.empty()) {
        return fmt::format("Did you mean \"{}\"?", alike);
    }
    if (readers != kRemoveIt) {
        return readers;
    }
    std::vector<std::string> known;
    for (const plan::SettingSpec& spec : plan::settings()) {
        known.push_back(spec.path);
    }
    return didYouMean(path, known, "plumbline settings lists all of them.");
}

}  // namespace

Result<Project> withSetting(const Project& project, const std::string& path, const std::string& value) {
    if (path.empty() || path.front() == '.' || path.back() == '.' || path.find("..") != std::string::npos) {
        return fail(ErrorKind::kUsage, "bad-path",
                    fmt::format("\"{}\" is not a dotted path into project.json", shortened(path)), {},
                    "Write it as training.optimizer.lr=0.01.");
    }
    if (!isUtf8(path) || !isUtf8(value)) {
        return fail(ErrorKind::kUsage, "not-text", "The path or the value of a setting is not UTF-8", {},
                    "Write it as UTF-8.");
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
            const bool number =
                !key.empty() && key.size() < 10 && key.find_first_not_of("0123456789") == std::string::npos;
            if (!number || std::stoul(key) >= place->size()) {
                return fail(ErrorKind::kUsage, "bad-path",
                            fmt::format("{} does not exist: the list has {}", pointer,
                                        counted(static_cast<std::int64_t>(place->size()), "entry", "entries")),
                            path, "Name a place that is there; positions count from 0.");
            }
            place = &(*place)[std::stoul(key)];
        } else if (place->is_object()) {
            place = &(*place)[key];
            if (place->is_null() && !last) {
                *place = Json::object();
            }
        } else {
            return fail(ErrorKind::kUsage, "bad-path",
                        fmt::format("{} does not exist: what holds it is {}", pointer, typeName(*place)), path,
                        "Name a place that is there; plumbline settings lists them.");
        }
    }
    *place = valueOf(value, spec);
    auto changed = readProject(json, project.folder);
    if (!changed) {
        Error error = changed.error();
        error.kind = ErrorKind::kUsage;
        error.message = fmt::format("{}={} cannot be set: {}", shortened(path), shortened(value), error.message);
        if (error.code == "unknown-key") {
            error.hint = hintFor(path, error.hint);
            error.where = shortened(error.where, 200);
        }
        return fail(std::move(error));
    }
    changed->layout = project.layout;
    return changed;
}

}  // namespace plumbline::project
