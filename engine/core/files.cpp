#include "core/files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <atomic>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace plumbline {
namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor() {
        if (m_fd >= 0) {
            ::close(m_fd);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_fd; }
    int close() {
        const int fd = m_fd;
        m_fd = -1;
        return ::close(fd);
    }

private:
    int m_fd;
};

void syncFolder(const std::filesystem::path& folder) {
    // Not every file system can sync a folder; the rename has taken effect either way.
    const Descriptor descriptor(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0) {
        ::fsync(descriptor.get());
    }
}

Status writeAll(int fd, std::string_view content, const std::filesystem::path& file) {
    while (!content.empty()) {
        const ssize_t written = ::write(fd, content.data(), content.size());
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            return fail(fileError(errno, "write", file));
        }
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

std::filesystem::path folderFromEnvironment(const char* variable, const char* fallback) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') {
        return std::filesystem::path(value) / "plumbline";
    }
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home == '\0') {
        // Not a folder that everybody can write: libraries are loaded from here.
        const passwd* user = ::getpwuid(::getuid());
        home = user != nullptr && user->pw_dir != nullptr ? user->pw_dir : "/nonexistent";
    }
    return std::filesystem::path(home) / fallback / "plumbline";
}

}  // namespace

Error fileError(int errnoValue, const std::string& doing, const std::filesystem::path& file) {
    Error error;
    error.kind = ErrorKind::kInvalid;
    error.code = "file-error";
    error.where = file.string();
    error.message = fmt::format("Cannot {} {}: {}", doing, file.string(), std::strerror(errnoValue));
    switch (errnoValue) {
        case ENOENT:
            error.code = "file-missing";
            error.message = fmt::format("Cannot {} {}: it does not exist", doing, file.string());
            error.hint = "Check the path.";
            break;
        case EACCES:
        case EPERM:
            error.kind = doing == "read" ? ErrorKind::kInvalid : ErrorKind::kMachine;
            error.code = "no-permission";
            error.hint = "Change the permissions, or choose another folder.";
            break;
        case EROFS:
            error.kind = ErrorKind::kMachine;
            error.code = "read-only";
            error.hint = "Choose a folder that can be written to.";
            break;
        case ENOSPC:
        case EDQUOT:
            error.kind = ErrorKind::kMachine;
            error.code = "disk-full";
            error.hint = "Free some space; everything written before is kept.";
            break;
        case EISDIR:
            error.code = "is-a-folder";
            error.message = fmt::format("Cannot {} {}: it is a folder", doing, file.string());
            break;
        case EIO:
            error.kind = ErrorKind::kMachine;
            error.code = "disk-error";
            error.hint = "The disk reported an error; check it.";
            break;
        default: break;
    }
    return error;
}

Result<std::string> readFile(const std::filesystem::path& file) {
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (descriptor.get() < 0) {
        return fail(fileError(errno, "read", file));
    }
    struct stat info {};
    if (::fstat(descriptor.get(), &info) != 0) {
        return fail(fileError(errno, "read", file));
    }
    if (S_ISDIR(info.st_mode)) {
        return fail(fileError(EISDIR, "read", file));
    }
    std::string content;
    content.reserve(static_cast<std::size_t>(info.st_size));
    std::string buffer(std::size_t{1} << 16, '\0');
    for (;;) {
        const ssize_t got = ::read(descriptor.get(), buffer.data(), buffer.size());
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            return fail(fileError(errno, "read", file));
        }
        if (got == 0) {
            return content;
        }
        content.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

Status writeFileAtomically(const std::filesystem::path& file, std::string_view content) {
    AtomicFile atomic(file);
    {
        Descriptor descriptor(
            ::open(atomic.temporaryPath().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
        if (descriptor.get() < 0) {
            return fail(fileError(errno, "write", file));
        }
        PLUMBLINE_TRY(writeAll(descriptor.get(), content, file));
        if (descriptor.close() != 0) {
            return fail(fileError(errno, "write", file));
        }
    }
    return atomic.commit();
}

AtomicFile::AtomicFile(std::filesystem::path file) : m_file(std::move(file)) {
    m_temporary = m_file;
    static std::atomic<unsigned> s_count{0};
    m_temporary += fmt::format(".{}-{}.tmp", ::getpid(), s_count++);
}

AtomicFile::~AtomicFile() {
    if (!m_committed) {
        std::error_code ignored;
        std::filesystem::remove(m_temporary, ignored);
    }
}

Status AtomicFile::commit() {
    {
        const Descriptor descriptor(::open(m_temporary.c_str(), O_RDONLY | O_CLOEXEC));
        if (descriptor.get() < 0 || ::fsync(descriptor.get()) != 0) {
            return fail(fileError(errno, "write", m_file));
        }
    }
    if (std::rename(m_temporary.c_str(), m_file.c_str()) != 0) {
        return fail(fileError(errno, "write", m_file));
    }
    m_committed = true;
    syncFolder(m_file.parent_path());
    return {};
}

Status makeFolder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        return fail(fileError(error.value(), "make the folder", folder));
    }
    return {};
}

std::filesystem::path userCacheFolder() { return folderFromEnvironment("XDG_CACHE_HOME", ".cache"); }

std::filesystem::path userConfigFolder() { return folderFromEnvironment("XDG_CONFIG_HOME", ".config"); }

}  // namespace plumbline
