#include "session/run_files.h"

#include <fmt/format.h>

#include "store/run_store.h"

namespace plumbline::session {

Result<project::Project> projectOfRun(const std::filesystem::path& runFolder, const std::filesystem::path& projectFolder) {
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(runFolder));
    PLUMBLINE_ASSIGN(const Json definition, reader->record("definition"));
    if (definition.is_null()) {
        return fail(ErrorKind::kInvalid, "run-incomplete", fmt::format("Run {} holds no definition", runFolder.filename().string()), runFolder.string(),
                    "It was ended before it began; train again.");
    }
    return project::readProject(definition, projectFolder);
}

Result<std::filesystem::path> checkpointOfRun(const std::filesystem::path& runFolder) {
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(runFolder));
    PLUMBLINE_ASSIGN(const store::RunInfo info, reader->info());
    // A run that went on after its summary was written, and never ended again, has newer checkpoints than that names.
    const bool ended = info.status != "running" && info.status != "interrupted";
    const Json summary = ended ? reader->record("summary").value_or(Json()) : Json();
    std::error_code error;
    for (const char* key : {"best_checkpoint", "checkpoint"}) {
        const std::string named = summary.is_object() && summary.contains(key) && summary[key].is_string() ? summary[key].get<std::string>() : "";
        if (!named.empty() && std::filesystem::exists(runFolder / named, error)) {
            return runFolder / named;
        }
    }
    // A run that was killed has no summary: what it marked as best, else its newest by name, as names hold the step.
    const std::filesystem::path best = runFolder / "checkpoints" / "best.ckpt";
    if (std::filesystem::is_regular_file(best, error)) {
        return best;
    }
    std::filesystem::path newest;
    for (const auto& entry : std::filesystem::directory_iterator(runFolder / "checkpoints", error)) {
        if (entry.is_regular_file(error) && entry.path().extension() == ".ckpt" && entry.path().filename() > newest.filename()) {
            newest = entry.path();
        }
    }
    if (newest.empty()) {
        return fail(ErrorKind::kInvalid, "no-checkpoint", fmt::format("Run {} has no checkpoint", runFolder.filename().string()), runFolder.string(),
                    "Train again, or name another run.");
    }
    return newest;
}

}  // namespace plumbline::session
