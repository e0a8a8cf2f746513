#pragma once
// A folder copied whole or compared, and whether a place can be written.

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run_control.h"

namespace plumbline {

/// Copies a file, or a folder with all that is in it, to a place that is free; all of it or nothing. Links are
/// followed, and the copies belong to the person: read-only ones become writable. `skip` names entries of the top
/// folder to leave out.
Status copyTree(const std::filesystem::path& from, const std::filesystem::path& to, RunControl* control = nullptr,
                const std::vector<std::string>& skip = {});
/// Whether two files, or two folders with all that is in them, hold the same. What cannot be read is not the same.
bool sameTree(const std::filesystem::path& one, const std::filesystem::path& other);
/// Whether this process may write there now, permissions and read-only file systems considered.
bool isWritable(const std::filesystem::path& path);

}  // namespace plumbline
