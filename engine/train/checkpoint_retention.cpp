// Which checkpoints of a run stay.

#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "train/checkpoint.h"

namespace plumbline::train {

namespace {

using FileId = std::pair<dev_t, ino_t>;

std::optional<struct stat> statusOf(const std::filesystem::path& file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

/// Bytes of all files of a folder, those with several names once.
std::int64_t bytesOf(const std::filesystem::path& folder) {
    std::set<FileId> seen;
    std::int64_t bytes = 0;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const auto status = it->path().extension() == ".ckpt" ? statusOf(it->path()) : std::nullopt;
        if (status && seen.emplace(status->st_dev, status->st_ino).second) {
            bytes += static_cast<std::int64_t>(status->st_size);
        }
    }
    return bytes;
}

}  // namespace

CheckpointFolder::Retained CheckpointFolder::retain(std::int64_t keepLast, const std::vector<std::int64_t>& ranked,
                                                    std::int64_t maxBytes) const {
    std::error_code ignored;
    std::vector<std::filesystem::path> steps = list();
    const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(1, keepLast));
    for (std::size_t i = kept; i < steps.size(); ++i) {
        std::filesystem::remove(steps[i], ignored);
    }
    steps.resize(std::min(steps.size(), kept));
    std::error_code error;
    for (std::filesystem::directory_iterator it(m_folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        const bool isRanked = name.starts_with("best-") && name.ends_with(".ckpt");
        const bool stays = std::any_of(ranked.begin(), ranked.end(),
                                       [&](std::int64_t step) { return rankedFile(step).filename() == name; });
        if (it->path().extension() == ".tmp" || (isRanked && !stays)) {
            std::filesystem::remove(it->path(), ignored);
        }
    }
    Retained retained;
    if (maxBytes <= 0) {
        return retained;
    }
    std::vector<std::filesystem::path> goFirst(steps.rbegin(), steps.rend());
    if (!goFirst.empty()) {
        goFirst.pop_back();  // the newest
    }
    for (std::size_t i = ranked.size(); i > 1; --i) {
        goFirst.push_back(rankedFile(ranked[i - 1]));
    }
    retained.bytes = bytesOf(m_folder);
    for (auto next = goFirst.begin(); next != goFirst.end() && retained.bytes > maxBytes; ++next) {
        // A second name of the best one, or of the newest, takes no room.
        const bool isSecond = std::filesystem::equivalent(*next, bestFile(), ignored) ||
                              (!steps.empty() && std::filesystem::equivalent(*next, steps.front(), ignored));
        if (!isSecond && std::filesystem::remove(*next, ignored)) {
            retained.removedForSpace.push_back(next->filename().string());
            retained.bytes = bytesOf(m_folder);
        }
    }
    retained.tooLarge = retained.bytes > maxBytes;
    return retained;
}

}  // namespace plumbline::train
