#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <unordered_map>

#include "store/database_path.h"
#include "store/run_store.h"
#include "store/run_summary.h"
#include "store/schema.h"
#include "store/writer_lock.h"

namespace plumbline::store {
namespace {

/// Raised whenever what is cached changes; an index of another version is rebuilt.
constexpr int kIndexVersion = 3;
constexpr const char* kIndexFile = "index.sqlite";
constexpr const char* kIndexLock = "index.lock";
constexpr auto kIndexPatience = std::chrono::milliseconds(500);

struct Entry {
    std::string signature;  ///< sizes and times of the run's files when it was read
    RunInfo info;
};
using Entries = std::unordered_map<std::string, Entry>;

std::string signatureOf(const std::filesystem::path& runFolder) {
    std::string signature;
    for (const char* name : {kRunFile, "run.sqlite-wal", kNoteFile}) {
        struct stat info {};
        // A pipe in its place would keep whoever opens it waiting.
        if (::stat((runFolder / name).c_str(), &info) == 0 && S_ISREG(info.st_mode)) {
            signature +=
                fmt::format("{}.{}.{}.{};", info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
        } else {
            signature += '-';
        }
    }
    return signature;
}

/// Programs take turns with the index. Who cannot have it in time reads the runs themselves and leaves it alone.
class IndexLock {
public:
    explicit IndexLock(const std::filesystem::path& runsFolder)
        : m_fd(::open((runsFolder / kIndexLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
        const auto deadline = std::chrono::steady_clock::now() + kIndexPatience;
        while (m_fd >= 0 && !m_held) {
            m_held = ::flock(m_fd, LOCK_EX | LOCK_NB) == 0;
            if (!m_held && (errno != EWOULDBLOCK || std::chrono::steady_clock::now() > deadline)) {
                break;
            }
            if (!m_held) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            }
        }
    }
    ~IndexLock() {
        if (m_fd >= 0) {
            ::close(m_fd);
        }
    }
    IndexLock(const IndexLock&) = delete;
    IndexLock& operator=(const IndexLock&) = delete;
    bool held() const { return m_held; }

private:
    int m_fd;
    bool m_held = false;
};

Status readIndex(const std::filesystem::path& file, Entries& entries) {
    return guarded(nullptr, file, [&]() -> Status {
        const DatabasePath path(file);
        const auto opened = path.open(SQLite::OPEN_READONLY, kBusyTimeoutMs);
        SQLite::Database& database = *opened;
        if (database.execAndGet("PRAGMA user_version").getInt() != kIndexVersion) {
            return fail(corruptStore(file, "it has another version"));
        }
        SQLite::Statement query(database, "SELECT folder, signature, info FROM runs");
        while (query.executeStep()) {
            Entry entry{columnText(query, 1), runInfoFromJson(columnJson(query, 2))};
            entries.emplace(columnText(query, 0), std::move(entry));
        }
        return {};
    });
}

/// `changed` and `gone` are folder names. A failure is harmless: the index is a cache.
Status writeIndex(const std::filesystem::path& file, const Entries& entries, const std::vector<std::string>& changed,
                  const std::vector<std::string>& gone) {
    return guarded(nullptr, file, [&]() -> Status {
        const DatabasePath path(file);
        const auto opened = path.open(SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
        SQLite::Database& database = *opened;
        database.exec("PRAGMA synchronous = OFF");
        SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        database.exec(
            "CREATE TABLE IF NOT EXISTS runs (folder TEXT PRIMARY KEY, signature TEXT NOT NULL, info TEXT NOT NULL)");
        database.exec(fmt::format("PRAGMA user_version = {}", kIndexVersion));
        SQLite::Statement put(database, "INSERT OR REPLACE INTO runs VALUES (?, ?, ?)");
        for (const std::string& name : changed) {
            const Entry& entry = entries.at(name);
            put.tryReset();
            put.bind(1, name);
            put.bind(2, entry.signature);
            put.bind(3, toText(toJson(entry.info)));
            put.exec();
        }
        SQLite::Statement remove(database, "DELETE FROM runs WHERE folder = ?");
        for (const std::string& name : gone) {
            remove.tryReset();
            remove.bind(1, name);
            remove.exec();
        }
        transaction.commit();
        return {};
    });
}

RunInfo readRun(const std::filesystem::path& runFolder) {
    const auto reader = RunReader::open(runFolder);
    if (!reader) {
        return unreadableRun(runFolder, reader.error());
    }
    auto info = (*reader)->info();
    return info ? std::move(*info) : unreadableRun(runFolder, info.error());
}

Result<std::vector<std::string>> runFolders(const std::filesystem::path& runsFolder) {
    std::vector<std::string> names;
    std::error_code error;
    if (!std::filesystem::exists(runsFolder, error)) {
        return names;
    }
    std::filesystem::directory_iterator it(runsFolder, error);
    for (; !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
        std::error_code ignored;
        if (std::string name = it->path().filename().string(); name.front() != '.' && it->is_directory(ignored)) {
            names.push_back(std::move(name));
        }
    }
    if (error) {
        return fail(ErrorKind::kInvalid, "runs-unreadable",
                    fmt::format("Cannot read the folder {}: {}", runsFolder.string(), error.message()),
                    runsFolder.string(), "Check the path and its permissions.");
    }
    return names;
}

void removeIndex(const std::filesystem::path& file) {
    std::error_code ignored;
    for (const char* suffix : {"", "-journal"}) {
        std::filesystem::path part = file;
        part += suffix;
        std::filesystem::remove(part, ignored);
    }
}

}  // namespace

Result<std::vector<RunInfo>> listRuns(const std::filesystem::path& runsFolder) {
    PLUMBLINE_ASSIGN(const std::vector<std::string> names, runFolders(runsFolder));
    std::vector<RunInfo> runs;
    if (names.empty()) {
        return runs;
    }
    const std::filesystem::path file = runsFolder / kIndexFile;
    const IndexLock lock(runsFolder);
    Entries cached;
    if (!readIndex(file, cached)) {
        cached.clear();
        if (lock.held()) {
            removeIndex(file);
        }
    }

    std::vector<std::string> changed;
    Entries present;
    present.reserve(names.size());
    for (const std::string& name : names) {
        const std::filesystem::path folder = runsFolder / name;
        std::string signature = signatureOf(folder);
        if (signature.front() == '-') {
            continue;  // no run.sqlite: not a run, or one that was killed while it was being made
        }
        const auto known = cached.find(name);
        // A run that is going on may change without its files' times telling, and its end may be the process's.
        const bool trusted = known != cached.end() && known->second.signature == signature &&
                             known->second.info.status != "running" && known->second.info.status != "unreadable" &&
                             !(known->second.info.status == "interrupted" && WriterLock::isHeld(folder));
        Entry entry = trusted ? std::move(known->second) : Entry{std::move(signature), readRun(folder)};
        entry.info.folder = folder;
        if (!trusted) {
            changed.push_back(name);
        }
        present.emplace(name, std::move(entry));
    }
    std::vector<std::string> gone;
    for (const auto& [name, entry] : cached) {
        if (!present.contains(name)) {
            gone.push_back(name);
        }
    }
    if (lock.held() && (!changed.empty() || !gone.empty())) {
        if (!writeIndex(file, present, changed, gone)) {
            removeIndex(file);
        }
    }

    runs.reserve(present.size());
    for (auto& [name, entry] : present) {
        runs.push_back(std::move(entry.info));
    }
    std::sort(runs.begin(), runs.end(),
              [](const RunInfo& a, const RunInfo& b) { return std::tie(a.started, a.id) > std::tie(b.started, b.id); });
    return runs;
}

}  // namespace plumbline::store
