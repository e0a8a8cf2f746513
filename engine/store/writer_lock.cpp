#include "store/writer_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <cerrno>
#include <string>
#include <utility>

#include "core/files.h"

namespace plumbline::store {
namespace {

constexpr const char* kLockFile = "writer.lock";

struct flock wholeFile() {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

std::string holder(int fd) {
    char text[32] = {};
    const ssize_t got = ::pread(fd, text, sizeof text - 1, 0);
    std::string pid(text, got > 0 ? static_cast<std::size_t>(got) : 0);
    while (!pid.empty() && (pid.back() < '0' || pid.back() > '9')) {
        pid.pop_back();
    }
    return pid.empty() ? "another process" : "process " + pid;
}

}  // namespace

Result<WriterLock> WriterLock::take(const std::filesystem::path& runFolder) {
    const std::filesystem::path file = runFolder / kLockFile;
    WriterLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (lock.m_fd < 0) {
        return fail(fileError(errno, "write", file));
    }
    struct flock request = wholeFile();
    if (::fcntl(lock.m_fd, F_OFD_SETLK, &request) != 0) {
        if (errno == EAGAIN || errno == EACCES) {
            return fail(ErrorKind::kInvalid, "store-locked",
                        fmt::format("Run {} is being written by {}", runFolder.filename().string(), holder(lock.m_fd)),
                        runFolder.string(), "Stop that run first, or wait until it has ended.");
        }
        return fail(fileError(errno, "lock", file));
    }
    // The number is for people; the lock itself is what counts, so a full disk does not matter here.
    const std::string pid = fmt::format("{}\n", ::getpid());
    if (::ftruncate(lock.m_fd, 0) == 0) {
        [[maybe_unused]] const ssize_t written = ::pwrite(lock.m_fd, pid.data(), pid.size(), 0);
    }
    return lock;
}

bool WriterLock::isHeld(const std::filesystem::path& runFolder) {
    const WriterLock file(::open((runFolder / kLockFile).c_str(), O_RDONLY | O_CLOEXEC));
    if (file.m_fd < 0) {
        return false;
    }
    struct flock question = wholeFile();
    return ::fcntl(file.m_fd, F_OFD_GETLK, &question) == 0 && question.l_type != F_UNLCK;
}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
    std::swap(m_fd, other.m_fd);
    return *this;
}

WriterLock::~WriterLock() {
    if (m_fd >= 0) {
        ::close(m_fd);
    }
}

}  // namespace plumbline::store
