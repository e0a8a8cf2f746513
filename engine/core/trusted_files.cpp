#include "core/trusted_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <functional>
#include <optional>

#include "core/descriptor.h"
#include "core/files.h"
#include "core/json.h"
#include "core/run_control.h"
#include "core/sha256.h"
#include "core/text.h"

namespace plumbline {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr int kFormat = 1;

Status requireSummable(std::uint64_t bytes, const std::filesystem::path& file) {
    if (bytes <= kLargestSummed) {
        return {};
    }
    return fail(
        ErrorKind::kInvalid, "file-too-large",
        fmt::format("Cannot read {}: it has {} bytes, and at most {} are read", file.string(), bytes, kLargestSummed),
        file.string(), "Check that this is the file you mean.");
}

/// Reads a regular file from front to back.
Result<FileSum> summed(const std::filesystem::path& file, const RunControl* control,
                       const std::function<Status(const char* data, std::size_t bytes)>& each) {
    PLUMBLINE_ASSIGN(const RegularFile source, openRegularFile(file));
    PLUMBLINE_TRY(requireSummable(source.size, file));
    std::string chunk(kChunk, '\0');
    Sha256 sum;
    FileSum result;
    for (;;) {
        if (control != nullptr && control->stopRequested()) {
            return fail(ErrorKind::kInterrupted, "stopped", "Stopped while reading data");
        }
        const ssize_t got = ::read(source.descriptor.get(), chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return fail(fileError(errno, "read", file));
        }
        if (got == 0) {
            break;
        }
        sum.add(chunk.data(), static_cast<std::size_t>(got));
        result.bytes += static_cast<std::uint64_t>(got);
        PLUMBLINE_TRY(requireSummable(result.bytes, file));
        PLUMBLINE_TRY(each(chunk.data(), static_cast<std::size_t>(got)));
    }
    result.sha256 = sum.finish();
    return result;
}

Status writeAll(int descriptor, const char* data, std::size_t bytes, const std::filesystem::path& file) {
    while (bytes > 0) {
        const ssize_t written = ::write(descriptor, data, bytes);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return fail(fileError(written < 0 ? errno : ENOSPC, "write", file));
        }
        data += written;
        bytes -= static_cast<std::size_t>(written);
    }
    return {};
}

tl::unexpected<Error> unusable(std::string message, std::string hint) {
    return fail(ErrorKind::kMachine, "trust-list", std::move(message), trustListFile().string(), std::move(hint));
}

bool isOurs(const struct stat& info) {
    return (info.st_uid == ::geteuid() || info.st_uid == 0) && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// The list as it stands in a folder and a file that nobody else can write to; nothing where there is none. What is
/// looked at is what is read.
Result<std::optional<std::string>> readOwnList(const std::filesystem::path& file) {
    const Descriptor folder(::open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const Descriptor list(
        folder.get() < 0 ? -1 : ::openat(folder.get(), file.filename().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (list.get() < 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return std::optional<std::string>{};
        }
        return fail(fileError(errno, "read", file));
    }
    struct stat ofFolder {
    }, ofList{};
    if (::fstat(folder.get(), &ofFolder) != 0 || ::fstat(list.get(), &ofList) != 0) {
        return fail(fileError(errno, "read", file));
    }
    if (!isOurs(ofList)) {
        return unusable(
            fmt::format("The list of trusted files {} can be written to by others, so nothing in it counts",
                        file.string()),
            fmt::format("Look through it, then make it yours alone: chmod 600 {}", shellQuoted(file.string())));
    }
    if (!isOurs(ofFolder)) {
        const std::string name = file.parent_path().string();
        return unusable(
            fmt::format("The folder {} can be written to by others, so the list of trusted files in it does not count",
                        name),
            fmt::format("Look through the list, then make the folder yours alone: chmod 700 {}", shellQuoted(name)));
    }
    if (!S_ISREG(ofList.st_mode) || static_cast<std::uintmax_t>(ofList.st_size) > kLargestTextFile) {
        return unusable(
            fmt::format("The list of trusted files {} is not as this program writes it, so nothing in it counts",
                        file.string()),
            "Remove it, and trust the files again.");
    }
    std::string content(static_cast<std::size_t>(ofList.st_size), '\0');
    std::size_t done = 0;
    while (done < content.size()) {
        const ssize_t got = ::read(list.get(), content.data() + done, content.size() - done);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return fail(fileError(errno, "read", file));
        }
        if (got == 0) {
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    content.resize(done);
    return std::optional<std::string>(std::move(content));
}

/// One list at a time is changed, by whichever process.
class Lock {
public:
    Lock()
        : m_file(
              ::open((userConfigFolder() / "trusted-native-code.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
        while (m_file.get() >= 0 && ::flock(m_file.get(), LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    bool opened() const { return m_file.get() >= 0; }

private:
    Descriptor m_file;
};

std::string nowText() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

Status writeList(const std::vector<TrustedFile>& files) {
    Json list = Json::array();
    for (const TrustedFile& one : files) {
        list.push_back({{"sha256", one.sha256}, {"file", one.file}, {"bytes", one.bytes}, {"since", one.since}});
    }
    const std::string content = formatJson(Json{{"format", kFormat}, {"files", std::move(list)}});
    AtomicFile atomic(trustListFile());
    FileWriter writer(atomic.temporaryPath(), trustListFile());
    writer.write(content.data(), content.size());
    PLUMBLINE_TRY(writer.close());
    if (::chmod(atomic.temporaryPath().c_str(), 0600) != 0) {
        return fail(fileError(errno, "write", trustListFile()));
    }
    return atomic.commit();
}

/// Reads, changes and writes the list, alone.
Status changeList(const std::function<bool(std::vector<TrustedFile>& files)>& change) {
    const std::filesystem::path folder = userConfigFolder();
    PLUMBLINE_TRY(makeFolder(folder));
    struct stat info {};
    std::error_code error;
    // Nobody else could have written a list that is not there yet.
    if (::stat(folder.c_str(), &info) == 0 && info.st_uid == ::geteuid() &&
        !std::filesystem::exists(trustListFile(), error) &&
        ::chmod(folder.c_str(), info.st_mode & ~static_cast<mode_t>(S_IFMT | S_IWGRP | S_IWOTH)) != 0) {
        return fail(fileError(errno, "write", folder));
    }
    const Lock lock;
    if (!lock.opened()) {
        return fail(fileError(errno, "write", userConfigFolder() / "trusted-native-code.lock"));
    }
    PLUMBLINE_ASSIGN(std::vector<TrustedFile> files, trustedFiles());
    return change(files) ? writeList(files) : Status{};
}

}  // namespace

Result<FileSum> sumOf(const std::filesystem::path& file, const RunControl* control) {
    return summed(file, control, [](const char*, std::size_t) { return Status{}; });
}

Result<FileSum> copyWithSum(const std::filesystem::path& file, const std::filesystem::path& copy,
                            const RunControl* control) {
    const Descriptor made(::open(copy.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (made.get() < 0) {
        return fail(fileError(errno, "write", copy));
    }
    return summed(file, control,
                  [&](const char* data, std::size_t bytes) { return writeAll(made.get(), data, bytes, copy); });
}

std::filesystem::path trustListFile() {
    return userConfigFolder() / "trusted-native-code.json";
}

Result<std::vector<TrustedFile>> trustedFiles() {
    const std::filesystem::path file = trustListFile();
    const std::string again = "Remove it, and trust the files again.";
    const auto unreadable = [&] {
        return unusable(
            fmt::format("The list of trusted files {} cannot be read, so nothing in it counts", file.string()), again);
    };
    PLUMBLINE_ASSIGN(const std::optional<std::string> content, readOwnList(file));
    if (!content) {
        return std::vector<TrustedFile>{};
    }
    const auto strange = [&] {
        return unusable(
            fmt::format("The list of trusted files {} is not as this program writes it, so nothing in it counts",
                        file.string()),
            again);
    };
    const auto json = parseJson(*content, file.string());
    if (!json) {
        return unreadable();
    }
    if (!json->is_object() || json->value("format", Json()) != Json(kFormat) || !json->contains("files") ||
        !json->at("files").is_array()) {
        return strange();
    }
    std::vector<TrustedFile> files;
    for (const Json& one : json->at("files")) {
        const auto textOf = [&](const char* key) {
            return one.is_object() && one.contains(key) && one.at(key).is_string() ? one.at(key).get<std::string>()
                                                                                   : std::string();
        };
        TrustedFile trusted{textOf("sha256"), textOf("file"), 0, textOf("since")};
        if (!isSha256(trusted.sha256)) {
            return strange();
        }
        if (one.contains("bytes") && one.at("bytes").is_number_unsigned()) {
            trusted.bytes = one.at("bytes").get<std::uint64_t>();
        }
        files.push_back(std::move(trusted));
    }
    return files;
}

Result<bool> isTrusted(const std::string& sha256) {
    PLUMBLINE_ASSIGN(const std::vector<TrustedFile> files, trustedFiles());
    return std::any_of(files.begin(), files.end(), [&](const TrustedFile& one) { return one.sha256 == sha256; });
}

Status trustFile(const std::filesystem::path& file, const FileSum& sum) {
    return changeList([&](std::vector<TrustedFile>& files) {
        if (std::any_of(files.begin(), files.end(), [&](const TrustedFile& one) { return one.sha256 == sum.sha256; })) {
            return false;
        }
        const std::string name = file.string();
        files.push_back({sum.sha256, isUtf8(name) ? oneLine(name) : std::string("?"), sum.bytes, nowText()});
        return true;
    });
}

Result<bool> distrustFile(const std::string& sha256) {
    bool found = false;
    PLUMBLINE_TRY(changeList([&](std::vector<TrustedFile>& files) {
        found = std::erase_if(files, [&](const TrustedFile& one) { return one.sha256 == sha256; }) > 0;
        return found;
    }));
    return found;
}

}  // namespace plumbline
