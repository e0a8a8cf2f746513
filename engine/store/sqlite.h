#pragma once
// SQLite with this project's errors: nothing here throws, every failure is one sentence.

#include <SQLiteCpp/SQLiteCpp.h>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/json.h"
#include "store/database_path.h"
#include "store/store_error.h"

namespace plumbline::store {

/// How long a connection waits for another one's lock.
constexpr int kBusyTimeoutMs = 1000;

/// The error of a failed SQLite call: disk-full, disk-error, store-locked, store-corrupt, read-only, no-permission.
/// `database` may be null; it tells what the operating system said.
Error sqliteError(const SQLite::Exception& exception, SQLite::Database* database, const std::filesystem::path& file);
Error corruptStore(const std::filesystem::path& file, const std::string& detail);

/// Calls `work`, which may throw what SQLiteCpp and JSON throw and returns a Status or Result.
template <class Work>
auto guarded(SQLite::Database* database, const std::filesystem::path& file, Work&& work) -> decltype(work()) {
    errno = 0;  // what sqliteError() finds there was set by this work
    try {
        return std::forward<Work>(work)();
    } catch (const SQLite::Exception& exception) {
        return fail(sqliteError(exception, database, file));
    } catch (const std::bad_alloc&) {
        return fail(outOfMemory(file));
    } catch (const Json::exception&) {
        return fail(corruptStore(file, "a record in it is not valid JSON"));
    } catch (const std::exception& exception) {
        return fail(corruptStore(file, exception.what()));
    }
}

/// A connection that only reads. In a folder that cannot be written to, SQLite cannot make the files it needs for a
/// database with a write-ahead log; then the file is read as it is, or a private copy of file and log.
class ReadConnection {
public:
    static Result<std::unique_ptr<ReadConnection>> open(const std::filesystem::path& file);
    ~ReadConnection();
    SQLite::Database& database() { return *m_database; }

private:
    DatabasePath m_path;
    std::unique_ptr<SQLite::Database> m_database;
    std::filesystem::path m_copy;  ///< folder with the private copy; empty = none
};

/// One line; text that is not UTF-8 keeps its readable part.
std::string toText(const Json& json);
std::string columnText(const SQLite::Statement& statement, int column);
/// Throws, for guarded(), where the text is no JSON or nested too deeply.
Json columnJson(const SQLite::Statement& statement, int column);

}  // namespace plumbline::store
