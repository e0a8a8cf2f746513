#include <fmt/format.h>
#include <unistd.h>
#include <cerrno>

#include "core/files.h"
#include "core/text.h"
#include "store/run_store.h"
#include "store/run_summary.h"
#include "store/schema.h"
#include "store/writer_lock.h"

namespace plumbline::store {
namespace {

constexpr std::string_view kTrashPrefix = ".deleted-";

Status mustBeRun(const std::filesystem::path& runFolder) {
    std::error_code error;
    if (!std::filesystem::exists(runFolder / kRunFile, error)) {
        return fail(ErrorKind::kInvalid, "run-missing", fmt::format("There is no run in {}", runFolder.string()),
                    runFolder.string(), "Look at the list of runs for its id.");
    }
    return {};
}

/// Folders that an earlier removal left behind when it was cut short.
void emptyTrash(const std::filesystem::path& runsFolder) {
    std::error_code error;
    std::vector<std::filesystem::path> trash;
    for (auto it = std::filesystem::directory_iterator(runsFolder, error);
         !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
        if (it->path().filename().string().starts_with(kTrashPrefix)) {
            trash.push_back(it->path());
        }
    }
    for (const auto& folder : trash) {
        std::filesystem::remove_all(folder, error);
    }
}

}  // namespace

Status checkRunName(const std::string& name) {
    constexpr std::size_t kLongest = 200;
    const char* const hint = "Choose another name.";
    const auto refused = [&](const std::string& why) {
        return fail(ErrorKind::kUsage, "bad-run-name",
                    fmt::format("A run cannot be named \"{}\": {}", shortened(oneLine(name)), why), {}, hint);
    };
    if (!isUtf8(name)) {
        return fail(ErrorKind::kUsage, "bad-run-name", "The name of a run has to be UTF-8 text", {}, hint);
    }
    if (hasControlCharacter(name)) {
        return refused("a name has no line breaks or other control characters");
    }
    if (name == "latest" || name == "best") {
        return refused("the word names the latest or the best run already");
    }
    if (name.starts_with('-')) {
        return refused("what begins with - is an option of a command");
    }
    if (name.starts_with(' ') || name.ends_with(' ')) {
        return refused("a space at an end of it would not be seen");
    }
    return name.size() > kLongest ? refused("it is too long") : Status{};
}

Status setRunNote(const std::filesystem::path& runFolder, const std::string& name, const std::string& note) {
    PLUMBLINE_TRY(mustBeRun(runFolder));
    if (!isUtf8(name) || !isUtf8(note)) {
        return fail(ErrorKind::kUsage, "not-utf8", "The name or note of the run is not UTF-8 text",
                    (runFolder / kNoteFile).string(), "Write it anew.");
    }
    if (const Status named = checkRunName(name); !named) {
        // A run that an older program named so keeps its name while only its note changes.
        const auto reader = RunReader::open(runFolder);
        const auto info = reader ? (*reader)->info() : Result<RunInfo>(fail(reader.error()));
        if (!info || info->name != name) {
            return named;
        }
    }
    return guarded(nullptr, runFolder / kNoteFile, [&] {
        return writeJsonFile(runFolder / kNoteFile, Json{{"name", name}, {"note", note}});
    });
}

Status deleteRun(const std::filesystem::path& runFolder) {
    PLUMBLINE_TRY(mustBeRun(runFolder));
    std::filesystem::path folder = runFolder;
    if (!folder.has_filename()) {
        folder = folder.parent_path();
    }
    {
        // Held across the rename, so that nobody begins to write what is about to go.
        PLUMBLINE_ASSIGN(const WriterLock lock, WriterLock::take(folder));
        const std::filesystem::path trash =
            folder.parent_path() / fmt::format("{}{}-{}", kTrashPrefix, folder.filename().string(), ::getpid());
        if (::rename(folder.c_str(), trash.c_str()) != 0) {
            return fail(fileError(errno, "delete", folder));
        }
    }
    emptyTrash(folder.parent_path());
    return {};
}

}  // namespace plumbline::store
