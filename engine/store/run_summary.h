#pragma once
// What the run table shows of one run, read from its store.

#include <optional>

#include "store/run_store.h"
#include "store/sqlite.h"

namespace plumbline::store {

/// Reads the run's row, its best value and its note. Says "interrupted" for a run whose writer is gone.
/// Throws what SQLiteCpp throws; call inside guarded().
Result<RunInfo> summarise(SQLite::Database& database, const std::filesystem::path& runFolder);

/// What a run that cannot be read looks like in the table.
RunInfo unreadableRun(const std::filesystem::path& runFolder, const Error& why);

/// Reads all points of a series (by name) in order, or those within steps. Nothing for a series that does not exist.
Status readPoints(SQLite::Database& database, const std::filesystem::path& file, const std::string& series,
                  std::int64_t firstStep, std::int64_t lastStep, const std::function<void(const StoredPoint&)>& each);

/// What the epochs' events and the series with a value an epoch end with: epochs that are over, last values by name.
struct LastValues {
    std::int64_t epochs = 0;
    Json metrics = Json::object();
};
/// Throws what SQLiteCpp and JSON throw; call inside guarded().
Result<LastValues> lastValues(SQLite::Database& database, const std::filesystem::path& file);

/// Name and note a person gave; nothing when there is no readable note.json.
struct RunNote {
    std::string name, note;
};
std::optional<RunNote> readNote(const std::filesystem::path& runFolder);
constexpr const char* kNoteFile = "note.json";

/// For the index cache; folder is left out.
Json toJson(const RunInfo& info);
RunInfo runInfoFromJson(const Json& json);

}  // namespace plumbline::store
