#pragma once
// Who writes a run: an open-file-description lock on runs/<id>/writer.lock. The kernel drops it when the process ends
// in whatever way, so a run that says "running" and is not locked was interrupted.

#include <filesystem>

#include "core/error.h"

namespace plumbline::store {

class WriterLock {
public:
    /// Takes the lock or says which process has it (code "store-locked").
    static Result<WriterLock> take(const std::filesystem::path& runFolder);
    /// Whether some process holds it. Asking takes nothing, so it never disturbs a writer.
    static bool isHeld(const std::filesystem::path& runFolder);

    WriterLock(WriterLock&& other) noexcept : m_fd(other.m_fd) { other.m_fd = -1; }
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock();

private:
    explicit WriterLock(int fd) : m_fd(fd) {}
    int m_fd = -1;
};

}  // namespace plumbline::store
