#pragma once
// The list of what is in a zip file, and small files out of it. The file is others' data: whatever it says of itself is
// checked first.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"

namespace plumbline {

struct ZipEntry {
    std::string name;            ///< relative, with '/', neither empty nor with ".." in it
    std::uint64_t bytes = 0;     ///< unpacked
    std::uint64_t packed = 0;    ///< in the file
    std::uint64_t offset = 0;    ///< of its local header
    std::uint32_t checksum = 0;  ///< CRC-32 of what is unpacked
    bool deflated = false;       ///< else as it is
};

class ZipFile {
public:
    /// Refused with code "not-a-zip" or "damaged-zip": no zip file; one that is cut off; names that lead out of a
    /// folder, or come twice; sizes that the file has no room for; encrypted ones. Nothing is unpacked. Zip64 is read.
    static Result<ZipFile> open(const std::filesystem::path& file);

    const std::vector<ZipEntry>& entries() const { return m_entries; }
    /// Unpacked bytes of all entries.
    std::uint64_t totalBytes() const { return m_total; }
    /// What an entry holds, if it is at most `largest` bytes. Its checksum is checked.
    Result<std::string> read(const ZipEntry& entry, std::uint64_t largest) const;

private:
    std::filesystem::path m_file;
    std::vector<ZipEntry> m_entries;
    std::uint64_t m_total = 0;
};

}  // namespace plumbline
