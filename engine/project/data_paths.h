#pragma once
// The files and folders that a project names: those of its data, and packages of compiled code.

#include <filesystem>
#include <functional>
#include <string>

#include "core/json.h"

namespace plumbline::project {

/// Calls `visit` with each path in data.sources, which may change it.
void forEachDataPath(Json& project, const std::function<void(Json& path)>& visit);
/// The same for the packages that blocks of the model name.
void forEachPackagePath(Json& project, const std::function<void(Json& path)>& visit);
/// Whether a path lies in the folder data/ that travels with a project.
bool travelsWithProject(const std::filesystem::path& path);
/// project.json of a project that moves from one folder to another and takes its data/ along: what lies elsewhere is
/// named so that it is found from there too.
Json movedProject(Json project, const std::filesystem::path& from, const std::filesystem::path& to);
/// Changes with every file that the project names: names, sizes and times of change, not what is in them.
std::string dataStamp(const Json& project, const std::filesystem::path& folder);

}  // namespace plumbline::project
