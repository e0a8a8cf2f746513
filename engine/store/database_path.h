#pragma once
// How SQLite is given a file. It takes paths of at most 512 bytes; a longer one is told as a file in /proc/self/fd/N,
// where N is the folder, opened, and goes through a VFS of ours that leaves such names as they are.

#include <filesystem>
#include <memory>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

namespace plumbline::store {

/// Has to live as long as a connection to it.
class DatabasePath {
public:
    DatabasePath() = default;
    explicit DatabasePath(const std::filesystem::path& file);
    ~DatabasePath();
    DatabasePath(DatabasePath&& other) noexcept;
    DatabasePath& operator=(DatabasePath&& other) noexcept;

    /// The file as SQLite opens it.
    const std::string& name() const { return m_name; }
    /// A connection; throws as SQLiteCpp does. `name` stands for name(), as a URI for instance.
    std::unique_ptr<SQLite::Database> open(int flags, int busyTimeoutMs, const std::string& name = {}) const;

    /// Whether SQLite cannot open the file by its own path.
    static bool isTooLong(const std::filesystem::path& file);

private:
    std::string m_name;
    int m_folder = -1;  ///< descriptor; -1: the name is the file's own path
};

}  // namespace plumbline::store
