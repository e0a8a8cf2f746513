#pragma once
// The files and folders that the sources of a project name.

#include <filesystem>
#include <functional>
#include <string>

#include "core/json.h"

namespace plumbline::project {

/// Calls `visit` with each path in data.sources, which may change it.
void forEachDataPath(Json& project, const std::function<void(Json& path)>& visit);
/// Whether a path lies in the folder data/ that travels with a project.
bool travelsWithProject(const std::filesystem::path& path);
/// project.json of a project that moves from one folder to another and takes its data/ along: what lies elsewhere is named so
/// that it is found from there too.
Json movedProject(Json project, const std::filesystem::path& from, const std::filesystem::path& to);
/// Changes with every file that the sources name: names, sizes and times of change, not what is in them.
std::string dataStamp(const Json& project, const std::filesystem::path& folder);

}  // namespace plumbline::project
