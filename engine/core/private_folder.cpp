#include "core/private_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "core/files.h"

namespace plumbline {
namespace {

/// How often a folder that another process took for one without an owner, before it was locked, is made again.
constexpr int kMostTries = 8;
constexpr std::size_t kRandomLetters = 6;

/// A folder itself, not what a link of that name leads to.
Descriptor openFolder(const std::filesystem::path& folder) {
    return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool lock(const Descriptor& folder, int how) {
    int locked = -1;
    do {
        locked = ::flock(folder.get(), how);
    } while (locked != 0 && errno == EINTR);
    return locked == 0;
}

/// "<kind>-<digits>-<six letters or digits>"
bool isNameOf(const std::string& kind, std::string_view name) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto isLetter = [&](char c) { return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (!name.starts_with(kind + "-")) {
        return false;
    }
    name.remove_prefix(kind.size() + 1);
    const std::size_t dash = name.find('-');
    const std::string_view process = name.substr(0, dash);
    const std::string_view random = dash == std::string_view::npos ? std::string_view() : name.substr(dash + 1);
    return !process.empty() && std::all_of(process.begin(), process.end(), isDigit) &&
           random.size() == kRandomLetters && std::all_of(random.begin(), random.end(), isLetter);
}

/// Removes a folder of this user's that nobody holds locked. What was looked at is what is emptied, whatever takes its
/// name meanwhile.
void removeIfAbandoned(const std::filesystem::path& path) {
    const Descriptor folder = openFolder(path);
    struct stat info {};
    if (folder.get() < 0 || ::fstat(folder.get(), &info) != 0 || info.st_uid != ::geteuid() ||
        !lock(folder, LOCK_EX | LOCK_NB)) {
        return;
    }
    std::error_code error;
    std::vector<std::filesystem::path> members;
    for (std::filesystem::directory_iterator it(fmt::format("/proc/self/fd/{}", folder.get()), error), end;
         !error && it != end; it.increment(error)) {
        members.push_back(it->path());
    }
    for (const std::filesystem::path& member : members) {
        std::error_code ignored;
        std::filesystem::remove_all(member, ignored);
    }
    ::rmdir(path.c_str());
}

void removeAbandoned(const std::filesystem::path& parent, const std::string& kind) {
    std::error_code error;
    std::vector<std::filesystem::path> found;
    for (std::filesystem::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
        if (isNameOf(kind, it->path().filename().string())) {
            found.push_back(it->path());
        }
    }
    for (const std::filesystem::path& folder : found) {
        removeIfAbandoned(folder);
    }
}

}  // namespace

Result<PrivateFolder> PrivateFolder::make(const std::string& kind) {
    std::error_code error;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    const std::filesystem::path wanted = parent / fmt::format("{}-{}-XXXXXX", kind, ::getpid());
    if (error) {
        return fail(fileError(error.value(), "make the folder", wanted));
    }
    removeAbandoned(parent, kind);
    for (int i = 0; i < kMostTries; ++i) {
        std::string path = wanted.string();
        if (::mkdtemp(path.data()) == nullptr) {
            return fail(fileError(errno, "make the folder", wanted));
        }
        Descriptor descriptor = openFolder(path);
        if (descriptor.get() < 0 || !lock(descriptor, LOCK_EX)) {
            return PrivateFolder(path, Descriptor());  // no locks here: nobody gets one to remove it by either
        }
        // Until it was locked another process may have removed it.
        struct stat locked {
        }, named{};
        if (::fstat(descriptor.get(), &locked) == 0 && ::lstat(path.c_str(), &named) == 0 &&
            locked.st_ino == named.st_ino && locked.st_dev == named.st_dev) {
            return PrivateFolder(path, std::move(descriptor));
        }
    }
    return fail(fileError(ENOENT, "make the folder", wanted));
}

PrivateFolder::PrivateFolder(std::filesystem::path path, Descriptor lock)
    : m_path(std::move(path)), m_lock(std::move(lock)) {}

PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {})), m_lock(std::move(other.m_lock)) {}

PrivateFolder::~PrivateFolder() {
    if (!m_path.empty()) {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
}

}  // namespace plumbline
