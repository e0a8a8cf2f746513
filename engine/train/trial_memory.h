#pragma once
// Outcomes of environment_trial.h, kept from run to run: a file each, by what decides them.

#include <filesystem>
#include <string>

#include "core/json.h"

namespace plumbline::train {

/// One folder. What is damaged, foreign or cannot be written is passed over without a word: the run then measures
/// again.
class TrialMemory {
public:
    explicit TrialMemory(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    /// {"version", "threads": a number or null, "memory_format": a text or null, "trial"}; null where nothing usable is
    /// remembered, and 30 days after it was.
    Json find(const std::string& key) const;
    /// The oldest outcomes go where there are too many.
    void keep(const std::string& key, const Json& outcome) const;

private:
    std::filesystem::path fileOf(const std::string& key) const { return m_folder / (key + ".json"); }

    std::filesystem::path m_folder;
};

}  // namespace plumbline::train
