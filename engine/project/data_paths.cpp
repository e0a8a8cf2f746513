#include "project/data_paths.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace plumbline::project {

namespace {

void addStamp(std::string& stamp, const std::filesystem::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0) {
        stamp += fmt::format("{}:{}:{}.{}\n", path.string(), info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    }
}

/// Of the blocks of a graph that name a file; an expression is none.
void visitPackages(Json& graph, const std::function<void(Json& path)>& visit) {
    if (!graph.is_object() || !graph.contains("nodes") || !graph["nodes"].is_object()) {
        return;
    }
    for (auto& [name, node] : graph["nodes"].items()) {
        const Json::json_pointer place("/params/path");
        const bool isPackage = node.is_object() && node.contains("type") && node["type"] == "AOTIPackage";
        if (isPackage && node.contains(place) && node[place].is_string() &&
            !node[place].get_ref<const std::string&>().starts_with('=')) {
            visit(node[place]);
        }
    }
}

}  // namespace

void forEachPackagePath(Json& project, const std::function<void(Json& path)>& visit) {
    if (const Json::json_pointer root("/model/graph"); project.contains(root)) {
        visitPackages(project[root], visit);
    }
    const Json::json_pointer definitions("/model/definitions");
    if (!project.contains(definitions) || !project[definitions].is_object()) {
        return;
    }
    for (auto& [name, definition] : project[definitions].items()) {
        visitPackages(definition, visit);
    }
}

void forEachDataPath(Json& project, const std::function<void(Json& path)>& visit) {
    const Json::json_pointer pointer("/data/sources");
    if (!project.contains(pointer) || !project.at(pointer).is_object()) {
        return;
    }
    for (auto& [name, source] : project.at(pointer).items()) {
        for (const char* key : {"path", "images", "labels"}) {
            if (source.is_object() && source.contains(key) && source[key].is_string()) {
                visit(source[key]);
            }
        }
    }
}

bool travelsWithProject(const std::filesystem::path& path) {
    const std::filesystem::path whole = path.lexically_normal();
    return path.is_relative() && !whole.empty() && *whole.begin() == "data";
}

Json movedProject(Json project, const std::filesystem::path& from, const std::filesystem::path& to) {
    namespace fs = std::filesystem;
    const auto move = [&](Json& value) {
        const fs::path path = value.get<std::string>();
        if (path.empty() || path.is_absolute() || travelsWithProject(path)) {
            return;
        }
        const auto whole = [](const fs::path& place) {
            std::error_code error;
            const fs::path found = fs::weakly_canonical(place, error);
            return error ? place.lexically_normal() : found;
        };
        const fs::path meant = whole(from / path);
        if (whole(to / path) != meant) {
            value = meant.string();
        }
    };
    forEachDataPath(project, move);
    forEachPackagePath(project, move);
    return project;
}

std::string dataStamp(const Json& project, const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    std::string stamp;
    Json copy{{"data", project.value("data", Json())}, {"model", project.value("model", Json())}};
    forEachPackagePath(copy, [&](const Json& value) { addStamp(stamp, folder / value.get<std::string>()); });
    forEachDataPath(copy, [&](const Json& value) {
        const fs::path path = folder / value.get<std::string>();
        addStamp(stamp, path);
        std::error_code error;
        fs::recursive_directory_iterator entry(path, error);
        for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
            addStamp(stamp, entry->path());
        }
    });
    return stamp;
}

}  // namespace plumbline::project
