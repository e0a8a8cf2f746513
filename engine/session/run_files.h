#pragma once
// What is needed to use a stored run: its own project and its checkpoint.

#include <filesystem>

#include "core/error.h"
#include "project/project.h"

namespace plumbline::session {

/// The project as it was when the run began; relative paths start at `projectFolder`.
Result<project::Project> projectOfRun(const std::filesystem::path& runFolder, const std::filesystem::path& projectFolder);
/// The best checkpoint, else the newest.
Result<std::filesystem::path> checkpointOfRun(const std::filesystem::path& runFolder);

}  // namespace plumbline::session
