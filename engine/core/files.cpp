#include "core/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/descriptor.h"

namespace plumbline {
namespace {

void syncFolder(const std::filesystem::path& folder) {
    // Not every file system can sync a folder; the rename has taken effect either way.
    const Descriptor descriptor(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0) {
        ::fsync(descriptor.get());
    }
}

constexpr mode_t kPermissionBits = 07777;

std::filesystem::path folderFromEnvironment(const char* variable, const char* fallback) {
    // A relative one is none (XDG Base Directory Specification): a project could be where it leads to.
    const char* value = std::getenv(variable);
    if (value != nullptr && *value == '/') {
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

std::filesystem::path followLinks(std::filesystem::path path) {
    constexpr int kMostLinks = 40;
    std::error_code error;
    if (!path.has_filename() && path.has_relative_path()) {
        path = path.parent_path();  // "folder/" is "folder"
    }
    for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, error); ++i) {
        const std::filesystem::path next = std::filesystem::read_symlink(path, error);
        if (error) {
            break;
        }
        path = path.parent_path() / next;  // an absolute one stands for itself
    }
    return path;
}

Error fileError(int errnoValue, const std::string& doing, const std::filesystem::path& file) {
    Error error;
    // What cannot be read is the person's to mend; what cannot be written, this machine lacks.
    const bool reading = doing.starts_with("read");
    const bool making = doing.starts_with("write") || doing.starts_with("make");
    error.kind = reading ? ErrorKind::kInvalid : ErrorKind::kMachine;
    error.code = "file-error";
    error.where = file.string();
    error.message = fmt::format("Cannot {} {}: {}", doing, file.string(), std::strerror(errnoValue));
    error.hint = "Check the path, its permissions and the disk.";
    switch (errnoValue) {
        case ENOENT:
            error.kind = ErrorKind::kInvalid;
            error.code = "file-missing";
            error.message = fmt::format("Cannot {} {}: {}", doing, file.string(),
                                        making ? "its folder does not exist" : "it does not exist");
            error.hint = making ? "Make the folder, or choose another one." : "Check the path.";
            break;
        case EACCES:
        case EPERM:
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
        case EFBIG:
            error.kind = ErrorKind::kMachine;
            error.code = "disk-full";
            error.hint =
                "Raise the limit on the size of files (ulimit -f), or choose another disk; everything written before "
                "is kept.";
            break;
        case EISDIR:
            error.kind = ErrorKind::kInvalid;
            error.code = "is-a-folder";
            error.message = fmt::format("Cannot {} {}: it is a folder", doing, file.string());
            error.hint = "Name a file.";
            break;
        case ENOTDIR:
            error.kind = ErrorKind::kInvalid;
            error.code = "not-a-folder";
            error.message =
                fmt::format("Cannot {} {}: a part of its path is a file and no folder", doing, file.string());
            error.hint = "Check the path.";
            break;
        case ELOOP:
        case ENAMETOOLONG:
            error.kind = ErrorKind::kInvalid;
            error.code = "bad-path";
            error.hint = errnoValue == ELOOP ? "Its symbolic links lead in a circle; name the file itself."
                                             : "Choose a shorter path.";
            break;
        case EMFILE:
        case ENFILE:
            error.kind = ErrorKind::kMachine;
            error.code = "too-many-files";
            error.hint = "Close other programs, or raise the limit on open files (ulimit -n).";
            break;
        case ENOMEM:
            error.kind = ErrorKind::kMachine;
            error.code = "out-of-memory";
            error.hint = "Close other programs, or use smaller data.";
            break;
        case EIO:
            error.kind = ErrorKind::kMachine;
            error.code = "disk-error";
            error.hint = "The disk reported an error; check it.";
            break;
        default:
            break;
    }
    return error;
}

Result<std::string> readFile(const std::filesystem::path& file, std::uintmax_t largest) {
    // Not blocking: a pipe without a writer would be waited for without end, before it can be told from a file.
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
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
    if (!S_ISREG(info.st_mode)) {
        return fail(ErrorKind::kInvalid, "not-a-file",
                    fmt::format("Cannot read {}: it is not a regular file", file.string()), file.string(),
                    "Choose a file on a disk.");
    }
    const auto tooLarge = [&](std::uintmax_t bytes) {
        return fail(
            ErrorKind::kInvalid, "file-too-large",
            fmt::format("Cannot read {}: it has {} bytes, and at most {} are read", file.string(), bytes, largest),
            file.string(), "Check that this is the file you mean.");
    };
    if (static_cast<std::uintmax_t>(info.st_size) > largest) {
        return tooLarge(static_cast<std::uintmax_t>(info.st_size));
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
        if (content.size() > largest) {
            return tooLarge(content.size());
        }
    }
}

FileWriter::FileWriter(const std::filesystem::path& file, const std::filesystem::path& shownAs)
    : m_shownAs(shownAs.empty() ? file : shownAs),
      m_descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
    m_errno = m_descriptor < 0 ? errno : 0;
}

FileWriter::~FileWriter() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

void FileWriter::write(const void* data, std::size_t bytes) {
    const auto* from = static_cast<const char*>(data);
    while (m_errno == 0 && bytes > 0) {
        const ssize_t written = ::write(m_descriptor, from, bytes);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            m_errno = written < 0 ? errno : ENOSPC;
            return;
        }
        from += written;
        bytes -= static_cast<std::size_t>(written);
    }
}

Status FileWriter::close(const std::string& doing) {
    if (m_descriptor >= 0 && ::close(m_descriptor) != 0 && m_errno == 0) {
        m_errno = errno;
    }
    m_descriptor = -1;
    return m_errno == 0 ? Status{} : Status(fail(fileError(m_errno, doing, m_shownAs)));
}

Status writeFileAtomically(const std::filesystem::path& file, std::string_view content) {
    AtomicFile atomic(file);
    FileWriter writer(atomic.temporaryPath(), file);
    writer.write(content.data(), content.size());
    PLUMBLINE_TRY(writer.close());
    return atomic.commit();
}

AtomicFile::AtomicFile(std::filesystem::path file)
    : m_file(std::move(file)), m_target(followLinks(m_file)), m_temporary(m_target) {
    static std::atomic<unsigned> s_count{0};
    m_temporary += fmt::format(".{}-{}.tmp", ::getpid(), s_count++);
    std::error_code ignored;
    if (std::filesystem::is_symlink(m_target, ignored)) {
        m_errno = ELOOP;
        return;
    }
    // What others may not read they may not read while it is written either.
    struct stat before {};
    if (::stat(m_target.c_str(), &before) == 0 && S_ISREG(before.st_mode)) {
        const Descriptor made(::open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        m_errno = made.get() < 0 ? errno : 0;
    }
}

AtomicFile::~AtomicFile() {
    if (!m_committed) {
        std::error_code ignored;
        std::filesystem::remove(m_temporary, ignored);
    }
}

const std::filesystem::path& AtomicFile::clearedPath() {
    std::error_code ignored;
    std::filesystem::remove(m_temporary, ignored);
    return m_temporary;
}

bool isAbandonedWrite(const std::filesystem::path& file) {
    constexpr auto kLongEnough = std::chrono::hours(1);  // the writer may run on another machine that shares the folder
    int process = 0;
    unsigned count = 0;
    int length = 0;
    const std::string name = file.filename().string();
    const std::size_t dash = name.rfind('-');
    const std::size_t dot = dash == std::string::npos ? dash : name.rfind('.', dash);
    if (dot == std::string::npos || std::sscanf(name.c_str() + dot, ".%9d-%9u.tmp%n", &process, &count, &length) != 2 ||
        name.size() - dot != static_cast<std::size_t>(length) || process <= 0 || ::kill(process, 0) == 0 ||
        errno != ESRCH) {
        return false;
    }
    std::error_code error;
    const auto written = std::filesystem::last_write_time(file, error);
    return !error && std::filesystem::file_time_type::clock::now() - written > kLongEnough;
}

Status AtomicFile::commit() {
    if (m_errno != 0) {
        return fail(fileError(m_errno, "write", m_file));
    }
    {
        const Descriptor descriptor(::open(m_temporary.c_str(), O_RDONLY | O_CLOEXEC));
        struct stat before {};
        if (descriptor.get() >= 0 && ::stat(m_target.c_str(), &before) == 0 && S_ISREG(before.st_mode)) {
            // The owner first: giving a file away takes special bits from it. Where a disk keeps neither, the content
            // counts.
            if (before.st_uid != ::geteuid() || before.st_gid != ::getegid()) {
                [[maybe_unused]] const int owner = ::fchown(descriptor.get(), before.st_uid, before.st_gid);
            }
            [[maybe_unused]] const int mode = ::fchmod(descriptor.get(), before.st_mode & kPermissionBits);
        }
        if (descriptor.get() < 0 || ::fsync(descriptor.get()) != 0) {
            return fail(fileError(errno, "write", m_file));
        }
    }
    if (std::rename(m_temporary.c_str(), m_target.c_str()) != 0) {
        return fail(fileError(errno, "write", m_file));
    }
    m_committed = true;
    syncFolder(m_target.parent_path());
    return {};
}

Status makeFolder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(followLinks(folder), error);
    if (error) {
        return fail(fileError(error.value(), "make the folder", folder));
    }
    return {};
}

std::filesystem::path userCacheFolder() {
    return folderFromEnvironment("XDG_CACHE_HOME", ".cache");
}

std::filesystem::path userConfigFolder() {
    return folderFromEnvironment("XDG_CONFIG_HOME", ".config");
}

}  // namespace plumbline
