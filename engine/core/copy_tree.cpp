#include "core/copy_tree.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/files.h"

namespace plumbline {
namespace {

constexpr int kMaxDepth = 100;  // a link that leads back up ends here

Status copyEntry(const std::filesystem::path& from, const std::filesystem::path& to, RunControl* control,
                 const std::vector<std::string>& skip, int depth) {
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

bool sameContent(const std::filesystem::path& one, const std::filesystem::path& other) {
    std::error_code error;
    if (std::filesystem::file_size(one, error) != std::filesystem::file_size(other, error) || error) {
        return false;
    }
    constexpr std::size_t kPiece = std::size_t{1} << 16;
    std::ifstream a(one, std::ios::binary), b(other, std::ios::binary);
    std::string left(kPiece, '\0'), right(kPiece, '\0');
    while (a && b) {
        a.read(left.data(), kPiece);
        b.read(right.data(), kPiece);
        if (a.gcount() != b.gcount() || left.compare(0, static_cast<std::size_t>(a.gcount()), right, 0,
                                                     static_cast<std::size_t>(b.gcount())) != 0) {
            return false;
        }
    }
    return a.eof() && b.eof();
}

bool isSame(const std::filesystem::path& one, const std::filesystem::path& other, int depth) {
    namespace fs = std::filesystem;
    std::error_code error;
    const bool folder = fs::is_directory(one, error);
    if (fs::is_directory(other, error) != folder || depth > kMaxDepth) {
        return false;
    }
    if (!folder) {
        return sameContent(one, other);
    }
    std::ptrdiff_t entries = 0;
    fs::directory_iterator it(one, error);
    for (; !error && it != fs::directory_iterator(); it.increment(error), ++entries) {
        if (!isSame(it->path(), other / it->path().filename(), depth + 1)) {
            return false;
        }
    }
    return !error && std::distance(fs::directory_iterator(other, error), fs::directory_iterator()) == entries && !error;
}

}  // namespace

Status copyTree(const std::filesystem::path& from, const std::filesystem::path& to, RunControl* control,
                const std::vector<std::string>& skip) {
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(to, error))) {
        return fail(ErrorKind::kInvalid, "file-exists", to.string() + " is there already", to.string(),
                    "Choose another folder; nothing was overwritten.");
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

bool sameTree(const std::filesystem::path& one, const std::filesystem::path& other) {
    return isSame(one, other, 0);
}

bool isWritable(const std::filesystem::path& path) {
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

}  // namespace plumbline
