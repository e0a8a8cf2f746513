#pragma once
// Files whose native code this person lets this program run: by what is in them (SHA-256), in a private file of the
// person's, and by nothing that a project says. A file that changes is another one.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"

namespace plumbline {

class RunControl;

/// What is larger is no package that anybody made, and is not read to its end.
constexpr std::uint64_t kLargestSummed = std::uint64_t{64} << 30;

struct FileSum {
    std::uint64_t bytes = 0;
    std::string sha256;
};
/// Of a regular file of at most kLargestSummed bytes. `control`, which may be null, stops it: code "stopped".
Result<FileSum> sumOf(const std::filesystem::path& file, const RunControl* control = nullptr);
/// Copies while it sums: the sum is that of the copy, whatever becomes of `file` meanwhile. `copy` is new and its
/// owner's alone; on an error it may be there in part.
Result<FileSum> copyWithSum(const std::filesystem::path& file, const std::filesystem::path& copy,
                            const RunControl* control = nullptr);

struct TrustedFile {
    std::string sha256;
    std::string file;  ///< where it was when it was trusted; for people
    std::uint64_t bytes = 0;
    std::string since;  ///< UTC, "2026-01-31T12:00:00Z"
};

/// $XDG_CONFIG_HOME/plumbline/trusted-native-code.json
std::filesystem::path trustListFile();
/// Oldest first; none where there is no list. A list that is damaged, or that another person could have written, is an
/// error.
Result<std::vector<TrustedFile>> trustedFiles();
Result<bool> isTrusted(const std::string& sha256);
/// Adds it unless it is there already. Several processes may do so at once.
Status trustFile(const std::filesystem::path& file, const FileSum& sum);
/// Whether it was there.
Result<bool> distrustFile(const std::string& sha256);

}  // namespace plumbline
