#pragma once
// What is needed to use a stored run: its own project and its checkpoint.

#include <filesystem>
#include <vector>

#include "core/error.h"
#include "project/project.h"
#include "session/engine.h"
#include "store/run_store.h"

namespace plumbline::session {

/// The project as it was when the run began; relative paths start at `projectFolder`.
Result<project::Project> projectOfRun(const std::filesystem::path& runFolder,
                                      const std::filesystem::path& projectFolder);
/// `which`: "best", "last", a step or a file's name; empty: the best checkpoint, else the newest. Whether it is whole
/// shows only when it is read, and then another one is never taken in its place unasked.
Result<std::filesystem::path> checkpointOfRun(const std::filesystem::path& runFolder, const std::string& which = {});

/// Reports of profiles that were taken while the run went on (train/live_profile.h), the newest step last; one that is
/// no file is left out.
std::vector<std::filesystem::path> profilesOfRun(const std::filesystem::path& runFolder);

/// What was changed while the run went on, in order.
Result<std::vector<RecordedCommand>> commandsOfRun(const store::RunReader& run);

}  // namespace plumbline::session
