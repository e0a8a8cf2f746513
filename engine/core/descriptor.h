#pragma once
// File descriptors that close themselves, and regular files opened without doing anything else by it.

#include <cstdint>
#include <filesystem>
#include <utility>

#include "core/error.h"

namespace plumbline {

/// Owns a file descriptor; -1: none.
class Descriptor {
public:
    explicit Descriptor(int descriptor = -1) : m_descriptor(descriptor) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_descriptor; }

private:
    int m_descriptor;
};

struct RegularFile {
    Descriptor descriptor;
    std::uint64_t size = 0;  ///< bytes, as it was opened
};
/// Opens a regular file to read from it; a folder, a pipe or a device is one sentence. It is looked at before it is
/// opened, as to open a device may do something, and after it, as it may be another one by then.
Result<RegularFile> openRegularFile(const std::filesystem::path& file);

}  // namespace plumbline
