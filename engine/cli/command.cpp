#include "cli/command.h"

#include <algorithm>
#include <fmt/format.h>

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
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(run.folder));
    PLUMBLINE_ASSIGN(const Json definition, reader->record("definition"));
    if (definition.is_null()) {
        return fail(ErrorKind::kInvalid, "run-incomplete", fmt::format("Run {} holds no definition", run.id), run.folder.string(),
                    "It was ended before it began; train again.");
    }
    return project::readProject(definition, project.folder);
}

Result<std::filesystem::path> checkpointOf(const store::RunInfo& run) {
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(run.folder));
    const Json summary = reader->record("summary").value_or(Json());
    for (const char* key : {"best_checkpoint", "checkpoint"}) {
        const auto it = summary.is_object() ? summary.find(key) : summary.end();
        if (summary.is_object() && it != summary.end() && it->is_string() && !it->get<std::string>().empty()) {
            const std::filesystem::path file = run.folder / it->get<std::string>();
            std::error_code error;
            if (std::filesystem::exists(file, error)) {
                return file;
            }
        }
    }
    // A run that was killed has no summary: its newest checkpoint is the last by name, as names hold the step.
    std::filesystem::path newest;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(run.folder / "checkpoints", error)) {
        if (entry.is_regular_file(error) && entry.path().extension() != ".tmp" && entry.path().filename() > newest.filename()) {
            newest = entry.path();
        }
    }
    if (newest.empty()) {
        return fail(ErrorKind::kInvalid, "no-checkpoint", fmt::format("Run {} has no checkpoint", run.id), run.folder.string(),
                    "Train again, or name another run.");
    }
    return newest;
}

}  // namespace plumbline::cli
