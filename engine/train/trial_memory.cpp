#include "train/trial_memory.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>
#include <vector>

#include "core/files.h"

namespace plumbline::train {

namespace {

constexpr int kVersion = 1;
constexpr std::size_t kMost = 200;
constexpr std::uintmax_t kLargest = 64 << 10;
constexpr std::int64_t kMostThreads = 1024;
constexpr std::chrono::hours kHolds{24 * 30};  ///< after that the machine may have become another one

bool isUsable(const Json& outcome) {
    if (!outcome.is_object() || outcome.value("version", Json()) != kVersion || !outcome.contains("threads") ||
        !outcome.contains("memory_format") || !outcome.value("trial", Json()).is_object()) {
        return false;
    }
    const Json& threads = outcome["threads"];
    const Json& format = outcome["memory_format"];
    const bool threadsFit =
        threads.is_null() || (threads.is_number_integer() && threads >= 1 && threads <= kMostThreads);
    return threadsFit && (format.is_null() || format == "contiguous" || format == "channels_last");
}

void removeOldest(const std::filesystem::path& folder) {
    std::error_code error;
    std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".json") {
            files.emplace_back(entry.last_write_time(error), entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    for (std::size_t i = 0; i + kMost < files.size(); ++i) {
        std::filesystem::remove(files[i].second, error);
    }
}

}  // namespace

Json TrialMemory::find(const std::string& key) const {
    std::error_code error;
    const auto written = std::filesystem::last_write_time(fileOf(key), error);
    if (error || std::filesystem::file_time_type::clock::now() - written > kHolds) {
        return nullptr;
    }
    const auto text = readFile(fileOf(key), kLargest);
    if (!text) {
        return nullptr;
    }
    auto outcome = parseJson(*text, key);
    return outcome && isUsable(*outcome) ? *outcome : Json();
}

void TrialMemory::keep(const std::string& key, const Json& outcome) const {
    Json whole = outcome;
    whole["version"] = kVersion;
    if (makeFolder(m_folder) && writeFileAtomically(fileOf(key), whole.dump(1))) {
        removeOldest(m_folder);
    }
}

}  // namespace plumbline::train
