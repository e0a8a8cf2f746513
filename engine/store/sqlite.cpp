#include "store/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <cerrno>
#include <cstdlib>

#include "core/files.h"

namespace plumbline::store {
namespace {

/// Forces SQLite to read the header and the schema, where most damage and every missing permission shows.
void touch(SQLite::Database& database) {
    database.execAndGet("SELECT count(*) FROM sqlite_master");
}

std::string immutableUri(const std::string& name) {
    std::string uri = "file:";
    for (const char c : name) {
        if (c == '%' || c == '?' || c == '#') {
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        } else {
            uri += c;
        }
    }
    return uri + "?immutable=1";
}

std::filesystem::path besideIt(const std::filesystem::path& file, const char* suffix) {
    std::filesystem::path other = file;
    other += suffix;
    return other;
}

std::unique_ptr<SQLite::Database> openReadable(const DatabasePath& path, int flags, const std::string& name = {}) {
    auto database = path.open(SQLite::OPEN_READONLY | flags, kBusyTimeoutMs, name);
    touch(*database);
    return database;
}

Result<std::filesystem::path> copyAside(const std::filesystem::path& file) {
    std::string folder = (std::filesystem::temp_directory_path() / "plumbline-read-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) {
        return fail(fileError(errno, "make the folder", folder));
    }
    std::error_code error;
    for (const char* suffix : {"", "-wal"}) {
        const std::filesystem::path from = besideIt(file, suffix);
        std::filesystem::copy_file(from, std::filesystem::path(folder) / from.filename(), error);
        if (error) {
            std::error_code ignored;
            std::filesystem::remove_all(folder, ignored);
            return fail(fileError(error.value(), "read", from));
        }
    }
    return std::filesystem::path(folder);
}

}  // namespace

Error corruptStore(const std::filesystem::path& file, const std::string& detail) {
    return {ErrorKind::kInvalid, "store-corrupt",
            fmt::format("The run's store {} is damaged: {}", file.string(), detail), file.string(),
            "Delete the run, or put the file back from a copy; the other runs are not affected."};
}

Error sqliteError(const SQLite::Exception& exception, SQLite::Database* database, const std::filesystem::path& file) {
    // SQLite keeps the errno of the database file; that of its log is still where the system put it.
    const auto isFull = [](int value) { return value == ENOSPC || value == EDQUOT || value == EFBIG; };
    const int systemErrno = isFull(errno) || database == nullptr ? errno : sqlite3_system_errno(database->getHandle());
    switch (exception.getErrorCode()) {
        case SQLITE_FULL:
            return fileError(ENOSPC, "write", file);
        case SQLITE_NOMEM:
            return outOfMemory(file);
        case SQLITE_IOERR: {
            const bool reading = exception.getExtendedErrorCode() == SQLITE_IOERR_READ ||
                                 exception.getExtendedErrorCode() == SQLITE_IOERR_SHORT_READ;
            return fileError(isFull(systemErrno) ? systemErrno : EIO, reading ? "read" : "write", file);
        }
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return {ErrorKind::kMachine, "store-locked",
                    fmt::format("The run's store {} is locked by another program", file.string()), file.string(),
                    "Close the program that has it open, then try again."};
        case SQLITE_READONLY:
            return fileError(EROFS, "write", file);
        case SQLITE_PERM:
            return fileError(EACCES, "open", file);
        case SQLITE_CANTOPEN:
            // Only where there is no /proc to reach a long path by.
            return fileError(systemErrno != 0                ? systemErrno
                             : DatabasePath::isTooLong(file) ? ENAMETOOLONG
                                                             : EACCES,
                             "open", file);
        default:
            return corruptStore(file, exception.what());
    }
}

Result<std::unique_ptr<ReadConnection>> ReadConnection::open(const std::filesystem::path& file) {
    auto connection = std::make_unique<ReadConnection>();
    try {
        connection->m_path = DatabasePath(file);
        connection->m_database = openReadable(connection->m_path, 0);
        return connection;
    } catch (const SQLite::Exception& exception) {
        const int code = exception.getErrorCode();
        if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY && code != SQLITE_PERM) {
            return fail(sqliteError(exception, nullptr, file));
        }
    }
    return guarded(nullptr, file, [&]() -> Result<std::unique_ptr<ReadConnection>> {
        std::error_code ignored;
        const auto logBytes = std::filesystem::file_size(besideIt(file, "-wal"), ignored);
        if (ignored || logBytes == 0) {
            connection->m_database =
                openReadable(connection->m_path, SQLite::OPEN_URI, immutableUri(connection->m_path.name()));
        } else {
            PLUMBLINE_ASSIGN(connection->m_copy, copyAside(file));
            connection->m_path = DatabasePath(connection->m_copy / file.filename());
            connection->m_database = openReadable(connection->m_path, 0);
        }
        return std::move(connection);
    });
}

ReadConnection::~ReadConnection() {
    m_database.reset();
    if (!m_copy.empty()) {
        std::error_code ignored;
        std::filesystem::remove_all(m_copy, ignored);
    }
}

std::string toText(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string columnText(const SQLite::Statement& statement, int column) {
    return statement.getColumn(column).getString();
}

Json columnJson(const SQLite::Statement& statement, int column) {
    auto json = parseJson(columnText(statement, column), "a record in it");
    if (!json) {
        throw std::runtime_error("a record in it is not valid JSON: " + json.error().message);
    }
    return std::move(*json);
}

}  // namespace plumbline::store
