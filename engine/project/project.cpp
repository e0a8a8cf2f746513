#include "project/project.h"

#include <fmt/format.h>

#include "core/files.h"
#include "core/hash.h"
#include "core/json_errors.h"
#include "diagnostics/detector.h"

namespace plumbline::project {
namespace {

Result<Json> migrate(Json json) {
    if (!json.is_object()) {
        return fail(ErrorKind::kInvalid, "wrong-type",
                    fmt::format("A project has to be an object and is {}", typeName(json)), {},
                    "Check that this is the file you mean; plumbline new makes a project.");
    }
    const auto version = json.find("schema_version");
    if (version == json.end()) {
        return fail(
            ErrorKind::kInvalid, "missing-key", "/schema_version is missing", "/schema_version",
            fmt::format("Add \"schema_version\": {} if the file is written in the present form.", kSchemaVersion));
    }
    if (!version->is_number_integer() || version->get<double>() < 1) {
        return fail(ErrorKind::kInvalid, "wrong-type",
                    fmt::format("/schema_version has to be an integer from 1 and is {}", version->dump()),
                    "/schema_version",
                    fmt::format("Write {}, if the file is written in the present form.", kSchemaVersion));
    }
    if (version->get<double>() > kSchemaVersion) {
        return fail(ErrorKind::kInvalid, "newer-schema",
                    fmt::format("The project has schema_version {}, and this program knows up to {}", version->dump(),
                                kSchemaVersion),
                    "/schema_version", "Open it with a newer Plumbline.");
    }
    return json;  // version 1 is the first: nothing older exists to migrate
}

/// The layout waits under this name until the project.json that it belongs to is there.
std::filesystem::path pendingLayout(const std::filesystem::path& folder, std::string_view projectText) {
    return folder / fmt::format("layout-{}.json", toHex(hash64(projectText)));
}

Json readLayout(const std::filesystem::path& folder, std::string_view projectText) {
    // A save that was cut off behind its commit point has left the layout under the name that it waited under.
    for (const std::filesystem::path& file : {pendingLayout(folder, projectText), folder / "layout.json"}) {
        std::error_code error;
        if (std::filesystem::exists(file, error)) {
            // Positions are not worth a refusal: the canvas arranges the blocks again.
            auto layout = readJsonFile(file);
            return layout && layout->is_object() ? std::move(*layout) : Json();
        }
    }
    return {};
}

/// What saves left that never came to their commit point: layouts that waited, files half written.
void removeLeftovers(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> leftovers;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        constexpr std::size_t kLength = std::string_view("layout-0123456789abcdef.json").size();
        const bool waited = name.size() == kLength && name.starts_with("layout-") && name.ends_with(".json") &&
                            name.find_first_not_of("0123456789abcdef", 7) == kLength - 5;
        const bool ours = name.starts_with("project.json.") || name.starts_with("layout");
        if (waited || (ours && isAbandonedWrite(it->path()))) {
            leftovers.push_back(it->path());
        }
    }
    for (const std::filesystem::path& file : leftovers) {
        std::filesystem::remove(file, error);
    }
}

/// Puts a layout that waits in its place.
Status placeLayout(const std::filesystem::path& pending) {
    std::error_code error;
    if (!std::filesystem::exists(pending, error)) {
        return {};
    }
    PLUMBLINE_ASSIGN(const std::string text, readFile(pending));
    PLUMBLINE_TRY(writeFileAtomically(pending.parent_path() / "layout.json", text));
    std::filesystem::remove(pending, error);
    return error ? Status(fail(fileError(error.value(), "delete", pending))) : Status{};
}

}  // namespace

Result<Project> readProject(const Json& json, const std::filesystem::path& folder) {
    PLUMBLINE_ASSIGN(Json current, migrate(json));
    Project project;
    project.folder = folder;
    JsonObject object(current, "");
    object.integer("schema_version", kSchemaVersion);
    project.name = object.requiredString("name");
    project.description = object.string("description", "");
    static const Json empty = Json::object();
    const auto section = [&](const char* key, bool required) -> const Json& {
        const Json* value = object.find(key);
        if (value == nullptr && required) {
            object.addError(missingKeyError(fmt::format("/{}", key), fmt::format("\"{}\": {{}}", key)));
        }
        return value == nullptr ? empty : *value;
    };
    const Json& model = section("model", true);
    const Json& data = section("data", true);
    const Json& training = section("training", true);
    const Json& monitor = section("monitor", false);
    PLUMBLINE_TRY(object.finish());
    PLUMBLINE_ASSIGN(project.model, graph::readDocument(model));
    PLUMBLINE_ASSIGN(project.data, data::readDataSpec(data));
    PLUMBLINE_ASSIGN(project.training, plan::readTrainingPlan(training));
    PLUMBLINE_ASSIGN(project.monitor, plan::readMonitorPlan(monitor));
    // A detector that is misspelt would otherwise be told only when a run has begun.
    PLUMBLINE_TRY(diagnostics::Diagnostics::make(project.monitor.detectors));
    project.json = std::move(current);
    return project;
}

Result<Project> openProject(const std::filesystem::path& path) {
    std::error_code error;
    const bool isFolder = std::filesystem::is_directory(path, error);
    const std::filesystem::path file = isFolder ? path / "project.json" : path;
    if (!std::filesystem::exists(file, error)) {
        return fail(ErrorKind::kInvalid, "project-missing",
                    isFolder ? fmt::format("{} holds no project.json", path.string())
                             : fmt::format("There is no project at {}", path.string()),
                    path.string(),
                    "Choose a folder that holds one, or make a project: plumbline new, or New in the window.");
    }
    PLUMBLINE_ASSIGN(const std::string text, readFile(file));
    PLUMBLINE_ASSIGN(const Json json, parseJson(text, file.string()));
    std::filesystem::path folder = std::filesystem::absolute(file, error).parent_path();
    auto project = readProject(json, folder);
    if (!project) {
        Error told = project.error();
        told.where = told.where.empty() ? file.string() : fmt::format("{}#{}", file.string(), told.where);
        return fail(std::move(told));
    }
    project->layout = readLayout(folder, text);
    return project;
}

Status saveProject(const Project& project) {
    if (project.folder.empty()) {
        return fail(ErrorKind::kUsage, "no-folder", "The project has no folder yet", {}, "Save it under a name first.");
    }
    if (const auto again = readProject(project.json, project.folder); !again) {
        Error told = again.error();
        told.message =
            fmt::format("This project could not be opened again as it stands, so nothing was saved. {}", told.message);
        return fail(std::move(told));
    }
    PLUMBLINE_TRY(makeFolder(project.folder));
    const std::filesystem::path file = project.folder / "project.json";
    const Result<std::string> before = readFile(file);
    if (before) {
        PLUMBLINE_TRY(placeLayout(pendingLayout(project.folder, *before)));
    }
    if (project.layout.is_null()) {
        return writeJsonFile(file, project.json);
    }
    PLUMBLINE_ASSIGN(const std::string text, textForFile(file, project.json));
    if (before && *before == text) {
        return writeJsonFile(project.folder / "layout.json", project.layout);
    }
    // project.json taking its place is the commit point: the new layout counts with it, and not before.
    const std::filesystem::path pending = pendingLayout(project.folder, text);
    Status status = writeJsonFile(pending, project.layout);
    if (status) {
        status = writeFileAtomically(file, text);
    }
    // Once both are saved, a layout that cannot be put in its place is read under the name it has.
    if (!status || placeLayout(pending)) {
        removeLeftovers(project.folder);
    }
    return status;
}

Result<Project> withPatch(const Project& project, const Json& patch) {
    PLUMBLINE_ASSIGN(const Json json, applyJsonPatch(project.json, patch));
    PLUMBLINE_ASSIGN(Project changed, readProject(json, project.folder));
    changed.layout = project.layout;
    return changed;
}

Result<Project> withModel(const Project& project, const graph::Document& document) {
    Project changed = project;
    changed.model = document;
    changed.json["model"] = graph::writeDocument(document);
    return changed;
}

std::string definitionHash(const Project& project) {
    Json decisive = project.json;
    decisive.erase("name");
    decisive.erase("description");
    return toHex(hash64(decisive.dump()));
}

}  // namespace plumbline::project
