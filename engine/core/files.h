#pragma once
// Files that are either as they were or as they should be, never half of each.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/error.h"

namespace plumbline {

/// No text of this program's is larger; images and tables have limits of their own.
constexpr std::uintmax_t kLargestTextFile = std::uintmax_t{64} << 20;

/// The whole file, which has to be a regular one of at most `largest` bytes. A missing or unreadable file is one
/// sentence.
Result<std::string> readFile(const std::filesystem::path& file, std::uintmax_t largest = kLargestTextFile);

/// A file that is written front to back and keeps its first error: for libraries that must not hear of a full disk, as
/// they would throw out of a destructor.
class FileWriter {
public:
    /// Errors name `shownAs`, where a temporary file stands for another one.
    explicit FileWriter(const std::filesystem::path& file, const std::filesystem::path& shownAs = {});
    ~FileWriter();
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;

    /// Does nothing after an error.
    void write(const void* data, std::size_t bytes);
    /// Closes. The first error of opening, writing or closing: "Cannot `doing` FILE: …".
    Status close(const std::string& doing = "write");

private:
    std::filesystem::path m_shownAs;
    int m_descriptor;
    int m_errno;
};

/// What a path leads to over symbolic links; the last one may lead to what is not there yet. The one rule of everything
/// that writes: a link stays a link, and what it leads to is written, beside itself. Links in a circle give a link.
std::filesystem::path followLinks(std::filesystem::path path);

/// Writes to a temporary file beside what `file` leads to (followLinks), syncs it, renames it over that, syncs the
/// folder. On any failure it is untouched and the temporary one removed. The permissions of the file that was there
/// stay, and its owner where this process may give files away.
Status writeFileAtomically(const std::filesystem::path& file, std::string_view content);

/// The same for content that is written in pieces: write to temporaryPath(), then commit().
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path file);
    ~AtomicFile();  ///< removes the temporary file unless commit() succeeded
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    const std::filesystem::path& temporaryPath() const { return m_temporary; }
    /// The same with nothing there yet: for a link, or for a library that makes its file itself.
    const std::filesystem::path& clearedPath();
    /// Syncs and renames. Call once, after the writer has closed the temporary file.
    Status commit();

private:
    std::filesystem::path m_file;    ///< as it is called
    std::filesystem::path m_target;  ///< what is replaced: where links lead to
    std::filesystem::path m_temporary;
    int m_errno = 0;  ///< why the temporary file could not be made
    bool m_committed = false;
};

/// Whether `file` is the temporary file of an AtomicFile whose process ended, an hour ago or more, without removing it.
bool isAbandonedWrite(const std::filesystem::path& file);

/// Makes the folder and its parents; of a link the folder that it leads to.
Status makeFolder(const std::filesystem::path& folder);
/// The error for errno after a failed call on `file`: full disk, no permission, read-only and so on, each with a hint.
Error fileError(int errnoValue, const std::string& doing, const std::filesystem::path& file);
/// $XDG_CACHE_HOME/plumbline, or ~/.cache/plumbline.
std::filesystem::path userCacheFolder();
/// $XDG_CONFIG_HOME/plumbline, or ~/.config/plumbline.
std::filesystem::path userConfigFolder();

}  // namespace plumbline
