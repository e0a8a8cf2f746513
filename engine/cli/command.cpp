#include "cli/command.h"

#include <fmt/format.h>

#include "session/run_files.h"

namespace plumbline::cli {

Result<project::Project> openWithSettings(const std::string& path, const std::vector<std::string>& settings) {
    PLUMBLINE_ASSIGN(project::Project project, project::openProject(path));
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            return fail(ErrorKind::kUsage, "bad-setting", fmt::format("--set {} has no value", setting), setting,
                        "Write it as --set training.optimizer.lr=0.01.");
        }
        PLUMBLINE_ASSIGN(project, project::withSetting(project, setting.substr(0, equals), setting.substr(equals + 1)));
    }
    return project;
}

Result<store::RunInfo> findRunOf(const project::Project& project, const std::string& run) {
    return store::findRun(project.folder / "runs", run);
}

Result<project::Project> projectOfRun(const project::Project& project, const store::RunInfo& run) {
    return session::projectOfRun(run.folder, project.folder);
}

Result<std::filesystem::path> checkpointOf(const store::RunInfo& run) { return session::checkpointOfRun(run.folder); }

}  // namespace plumbline::cli
