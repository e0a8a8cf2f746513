#include "core/copy_tree.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include "core/files.h"

namespace plumbline {
namespace {

constexpr int kMaxDepth = 100;  // a link that leads back up ends here

Status copyEntry(const std::filesystem::path& from, const std::filesystem::path& to, RunControl* control, const std::vector<std::string>& skip, int depth) {
    namespace fs = std::filesystem;
    if (control != nullptr && control->stopRequested()) {
        return fail(ErrorKind::kInterrupted, "stopped", "Stopped while copying");
    }
    std::error_code error;
    if (!fs::is_directory(from, error)) {
        if (!error) {
            fs::copy_file(from, to, error);
        }
        if (error) {
            return fail(fileError(error.value(), "copy", from));
        }
        fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, fs::perm_options::add, error);
        return {};
    }
    if (depth > kMaxDepth) {
        return fail(fileError(ELOOP, "copy", from));
    }
    PLUMBLINE_TRY(makeFolder(to));
    fs::directory_iterator it(from, error);
    for (; !error && it != fs::directory_iterator(); it.increment(error)) {
        const fs::path name = it->path().filename();
        if (std::find(skip.begin(), skip.end(), name.string()) == skip.end()) {
            PLUMBLINE_TRY(copyEntry(it->path(), to / name, control, {}, depth + 1));
        }
    }
    if (error) {
        return fail(fileError(error.value(), "copy", from));
    }
    return {};
}

}  // namespace

Status copyTree(const std::filesystem::path& from, const std::filesystem::path& to, RunControl* control, const std::vector<std::string>& skip) {
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(to, error))) {
        return fail(ErrorKind::kInvalid, "file-exists", to.string() + " is there already", to.string(), "Choose another folder; nothing was overwritten.");
    }
    PLUMBLINE_TRY(makeFolder(to.parent_path()));
    const std::filesystem::path partial = to.string() + ".part-" + std::to_string(::getpid());
    std::filesystem::remove_all(partial, error);
    Status done = copyEntry(from, partial, control, skip, 0);
    if (done) {
        std::filesystem::rename(partial, to, error);
        if (error) {
            done = fail(fileError(error.value(), "write", to));
        }
    }
    if (!done) {
        std::filesystem::remove_all(partial, error);
    }
    return done;
}

bool isWritable(const std::filesystem::path& path) {
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

}  // namespace plumbline
