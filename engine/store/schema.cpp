#include "store/schema.h"

#include <fmt/format.h>
#include <array>

#include "core/files.h"

namespace plumbline::store {
namespace {

/// Entry n leads from version n to version n + 1. Entries are never changed once released; a new version adds one.
constexpr std::array<const char*, kSchemaVersion> kMigrations = {R"sql(
CREATE TABLE run (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL, name TEXT NOT NULL, started TEXT NOT NULL,
    status TEXT NOT NULL, seconds REAL NOT NULL,
    epochs INTEGER NOT NULL, steps_attempted INTEGER NOT NULL, steps_applied INTEGER NOT NULL, steps_skipped INTEGER NOT NULL,
    metrics TEXT NOT NULL, stop_reason TEXT NOT NULL);
CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, stride INTEGER NOT NULL);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, series INTEGER NOT NULL REFERENCES series (id),
    min_step INTEGER NOT NULL, max_step INTEGER NOT NULL, count INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX chunks_by_series ON chunks (series);
CREATE TABLE events (id INTEGER PRIMARY KEY, step INTEGER, json TEXT NOT NULL);
CREATE TABLE findings (
    ordinal INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, step INTEGER NOT NULL, cleared_at INTEGER, json TEXT NOT NULL);
CREATE TABLE records (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
)sql",
                                                                 R"sql(
CREATE TABLE versions (version INTEGER PRIMARY KEY, program TEXT NOT NULL, reached TEXT NOT NULL);
)sql"};

Error newerStore(const std::filesystem::path& file, int version) {
    return {ErrorKind::kInvalid, "store-newer",
            fmt::format("The run's store {} has version {} and this program knows up to {}", file.string(), version,
                        kSchemaVersion),
            file.string(), "Open it with the newer Plumbline that wrote it."};
}

/// A copy as it is now, log included, under a name that says its version. One that is there already is not replaced: it
/// is the file before an earlier try.
Status keepOld(SQLite::Database& database, const std::filesystem::path& file, int version) {
    std::filesystem::path kept = file;
    kept += fmt::format(".v{}", version);
    std::error_code error;
    if (std::filesystem::exists(kept, error)) {
        return {};
    }
    AtomicFile copy(kept);
    SQLite::Statement vacuum(database, "VACUUM INTO ?");
    const DatabasePath path(copy.clearedPath());
    vacuum.bind(1, path.name());
    vacuum.exec();
    return copy.commit();
}

}  // namespace

Status migrate(SQLite::Database& database, const std::filesystem::path& file) {
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    if (version > kSchemaVersion) {
        return fail(newerStore(file, version));
    }
    if (version == kSchemaVersion) {
        return {};
    }
    if (version > 0) {
        PLUMBLINE_TRY(keepOld(database, file, version));
    }
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    for (int from = version; from < kSchemaVersion; ++from) {
        database.exec(kMigrations.at(static_cast<std::size_t>(from)));
    }
    SQLite::Statement note(database, "INSERT INTO versions VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))");
    note.bind(1, kSchemaVersion);
    note.bind(2, PLUMBLINE_VERSION);
    note.exec();
    database.exec(fmt::format("PRAGMA user_version = {}", kSchemaVersion));
    transaction.commit();
    return {};
}

Status checkVersion(SQLite::Database& database, const std::filesystem::path& file) {
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    if (version > kSchemaVersion) {
        return fail(newerStore(file, version));
    }
    if (version < kOldestReadable) {
        return fail(
            corruptStore(file, version == 0 ? "it is empty" : fmt::format("version {} was never released", version)));
    }
    return {};
}

}  // namespace plumbline::store
