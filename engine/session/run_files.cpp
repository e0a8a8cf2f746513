#include "session/run_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <tuple>
#include <vector>

#include "core/text.h"
#include "store/run_store.h"

namespace plumbline::session {

Result<project::Project> projectOfRun(const std::filesystem::path& runFolder,
                                      const std::filesystem::path& projectFolder) {
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(runFolder));
    PLUMBLINE_ASSIGN(const Json definition, reader->record("definition"));
    if (definition.is_null()) {
        return fail(ErrorKind::kInvalid, "run-incomplete",
                    fmt::format("Run {} holds no definition", runFolder.filename().string()), runFolder.string(),
                    "It was ended before it began; train again.");
    }
    return project::readProject(definition, projectFolder);
}

namespace {

bool isBest(const std::filesystem::path& file) {
    return file.stem().string().starts_with("best");
}

/// The files of a folder with this ending, as ".ckpt".
std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder, const std::string& ending) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        if (it->path().extension() == ending && it->is_regular_file(ignored)) {
            files.push_back(it->path());
        }
    }
    return files;
}

/// "best.ckpt", then other best ones, then those of steps, both by step.
std::vector<std::filesystem::path> checkpointsIn(const std::filesystem::path& runFolder) {
    std::vector<std::filesystem::path> files = filesIn(runFolder / "checkpoints", ".ckpt");
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
        return std::tuple(!isBest(a), a.stem() != "best", a.filename()) <
               std::tuple(!isBest(b), b.stem() != "best", b.filename());
    });
    return files;
}

tl::unexpected<Error> noCheckpoint(const std::filesystem::path& runFolder) {
    return fail(ErrorKind::kInvalid, "no-checkpoint",
                fmt::format("Run {} has no checkpoint", runFolder.filename().string()), runFolder.string(),
                "Train again, or name another run.");
}

Result<std::filesystem::path> namedCheckpoint(const std::filesystem::path& runFolder, const std::string& which) {
    const std::vector<std::filesystem::path> files = checkpointsIn(runFolder);
    if (files.empty()) {
        return noCheckpoint(runFolder);
    }
    const bool isStep =
        which.size() < 18 && !which.empty() && which.find_first_not_of("0123456789") == std::string::npos;
    const std::string name = isStep                                     ? fmt::format("step-{:09}", std::stoll(which))
                             : which == "last" && !isBest(files.back()) ? files.back().stem().string()
                                                                        : which;
    std::vector<std::string> names;
    for (const std::filesystem::path& file : files) {
        if (file.stem() == name || file.filename() == name) {
            return file;
        }
        names.push_back(file.stem().string());
    }
    return fail(ErrorKind::kUsage, "unknown-checkpoint",
                fmt::format("Run {} has no checkpoint \"{}\"", runFolder.filename().string(), shortened(which)),
                runFolder.string(), fmt::format("It has {}.", fmt::join(names, ", ")));
}

}  // namespace

Result<std::filesystem::path> checkpointOfRun(const std::filesystem::path& runFolder, const std::string& which) {
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(runFolder));
    if (!which.empty()) {
        return namedCheckpoint(runFolder, which);
    }
    PLUMBLINE_ASSIGN(const store::RunInfo info, reader->info());
    // A run that went on after its summary was written, and never ended again, has newer checkpoints than that names.
    const bool ended = info.status != "running" && info.status != "interrupted";
    const Json summary = ended ? reader->record("summary").value_or(Json()) : Json();
    std::error_code error;
    for (const char* key : {"best_checkpoint", "checkpoint"}) {
        const std::string named = summary.is_object() && summary.contains(key) && summary[key].is_string()
                                      ? summary[key].get<std::string>()
                                      : "";
        if (!named.empty() && std::filesystem::exists(runFolder / named, error)) {
            return runFolder / named;
        }
    }
    // A run that was killed has no summary: what it marked as best, else its newest by name, as names hold the step.
    const std::vector<std::filesystem::path> files = checkpointsIn(runFolder);
    if (files.empty()) {
        return noCheckpoint(runFolder);
    }
    return isBest(files.front()) ? files.front() : files.back();
}

std::vector<std::filesystem::path> profilesOfRun(const std::filesystem::path& runFolder) {
    std::vector<std::filesystem::path> files = filesIn(runFolder / "profiles", ".json");
    std::erase_if(files, [](const std::filesystem::path& file) {
        return !file.filename().string().starts_with("step-") || file.stem().extension() == ".trace";
    });
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::vector<RecordedCommand>> commandsOfRun(const store::RunReader& run) {
    // Events of other kinds may hold large tables.
    PLUMBLINE_ASSIGN(const std::int64_t newest, run.newestEventNumber());
    PLUMBLINE_ASSIGN(const std::vector<Json> events, run.eventsOfKind("command", 0, newest));
    std::vector<RecordedCommand> commands;
    for (const Json& event : events) {
        const auto path = event.find("path");
        if (path != event.end() && path->is_string() && event.contains("value")) {
            commands.push_back({event.value("step", std::int64_t{0}),
                                event.value("t_ms", 0.0),
                                {path->get<std::string>(), event["value"]}});
        }
    }
    // A resume records what is to come again before what it is told itself.
    std::stable_sort(commands.begin(), commands.end(),
                     [](const RecordedCommand& a, const RecordedCommand& b) { return a.step < b.step; });
    return commands;
}

}  // namespace plumbline::session
