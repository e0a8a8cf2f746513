#include "store/database_path.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <utility>

namespace plumbline::store {
namespace {

/// SQLite's limit, less what it appends for a journal of its own.
constexpr std::size_t kLongest = 512 - 24;
constexpr const char* kPlainNames = "plumbline-plain-names";

/// SQLite's own VFS, save that it does not look for what links lead to: a folder in /proc/self/fd is one.
const char* plainNames() {
    static std::once_flag s_once;
    std::call_once(s_once, [] {
        static sqlite3_vfs s_vfs = *sqlite3_vfs_find(nullptr);
        s_vfs.zName = kPlainNames;
        s_vfs.pNext = nullptr;
        s_vfs.xFullPathname = [](sqlite3_vfs*, const char* name, int size, char* out) {
            const int length = std::snprintf(out, static_cast<std::size_t>(size), "%s", name);
            return length < size ? SQLITE_OK : SQLITE_CANTOPEN;
        };
        sqlite3_vfs_register(&s_vfs, 0);
    });
    return kPlainNames;
}

}  // namespace

bool DatabasePath::isTooLong(const std::filesystem::path& file) {
    // SQLite follows links first, and puts the working folder before a relative path.
    std::error_code error;
    const std::filesystem::path folder =
        std::filesystem::canonical(file.has_parent_path() ? file.parent_path() : ".", error);
    return (error ? file.string().size() : folder.string().size() + 1 + file.filename().string().size()) > kLongest;
}

DatabasePath::DatabasePath(const std::filesystem::path& file) : m_name(file.string()) {
    if (!isTooLong(file)) {
        return;
    }
    m_folder = ::open(file.parent_path().empty() ? "." : file.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (m_folder >= 0) {
        m_name = fmt::format("/proc/self/fd/{}/{}", m_folder, file.filename().string());
    }
}

DatabasePath::~DatabasePath() {
    if (m_folder >= 0) {
        ::close(m_folder);
    }
}

DatabasePath::DatabasePath(DatabasePath&& other) noexcept
    : m_name(std::move(other.m_name)), m_folder(std::exchange(other.m_folder, -1)) {}

DatabasePath& DatabasePath::operator=(DatabasePath&& other) noexcept {
    std::swap(m_name, other.m_name);
    std::swap(m_folder, other.m_folder);
    return *this;
}

std::unique_ptr<SQLite::Database> DatabasePath::open(int flags, int busyTimeoutMs, const std::string& name) const {
    return std::make_unique<SQLite::Database>((name.empty() ? m_name : name).c_str(), flags, busyTimeoutMs,
                                              m_folder >= 0 ? plainNames() : nullptr);
}

}  // namespace plumbline::store
