#pragma once
// A new project from a person's own data: what is predicted from what, with which model, loss and metrics. Every choice
// is a proposal; the project that comes out is an ordinary one.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/run_control.h"
#include "data/inspect.h"

namespace plumbline::project {

enum class Task { kClasses, kNumber };

/// What a person chose; empty members are proposed.
struct DataChoices {
    std::string target;                ///< a column of a table
    std::string task;                  ///< "classes" or "number"
    std::string templateId;            ///< one of templatesFor()
    std::vector<std::string> leftOut;  ///< further columns that are no input
    std::array<double, 3> splits{0.7, 0.15, 0.15};
};

struct ColumnUse {
    enum class Role { kTarget, kNumber, kCategory, kLeftOut };
    /// What there is to say about it: why it is left out, how its gaps are filled.
    enum class Note {
        kNone,
        kNoValues,
        kConstant,
        kNumbersRows,
        kByChoice,
        kNotANumber,
        kManyTexts,
        kTexts,
        kMedian,
        kMostFrequent,
        kRowsDropped
    };
    std::string name;
    Role role = Role::kNumber;
    Note note = Note::kNone;
    std::int64_t count = 0;  ///< gaps or different texts; for kNotANumber the row of `text`
    std::string text;
};
/// "6 gaps are filled with the median"; empty for kNone.
std::string noteText(const ColumnUse& use);

struct DataProposal {
    data::FoundData found;
    std::string target;  ///< name of the target in the project
    Task task = Task::kClasses;
    bool canChooseTask = false;  ///< the target could be both
    std::string templateId;
    std::array<double, 3> splits{};
    std::vector<ColumnUse> columns;       ///< of a table
    std::vector<std::int64_t> imageDims;  ///< as the model gets them, of images
};

/// Templates that fit such data, the proposed one first.
std::vector<std::string> templatesFor(const data::FoundData& found);
/// Fills in what was not chosen. Wrong choices, and data nothing can be learned from, are a sentence.
Result<DataProposal> proposeProject(const data::FoundData& found, const DataChoices& choices = {});
/// project.json: opens the data to see that it can be read and to measure what the model needs to know. Paths are
/// absolute. `warnings` gets what a person should know of the data, though they can be used.
Result<Json> makeFromData(const DataProposal& proposal, const std::string& name, RunControl* control = nullptr,
                          std::vector<std::string>* warnings = nullptr);
/// Copies what the sources of `json` name into folder/data and lets them name the copies.
Status copyDataInto(const std::filesystem::path& folder, Json& json, RunControl* control = nullptr);

/// "150 rows, 5 columns", "500 images of 28 × 28 in 10 classes".
std::string describe(const data::FoundData& found);

}  // namespace plumbline::project
