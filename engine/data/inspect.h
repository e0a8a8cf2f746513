#pragma once
// What a file or folder of a person holds, found out without a project: the start of "new project from my data".

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run_control.h"

namespace plumbline::data {

struct FoundColumn {
    static constexpr std::int64_t kMaxDistinct = 10'000;  ///< counted up to here

    std::string name;
    bool numeric = true;  ///< every value is a number
    bool whole = true;    ///< … and a whole one
    std::int64_t missing = 0;
    std::int64_t distinct = 0;  ///< different values, missing ones aside
    std::int64_t numbers = 0;   ///< values that are numbers
    std::string firstText;      ///< the first value that is none, and the row it is in
    std::int64_t firstTextRow = 0;
};

struct FoundTable {
    char delimiter = ',';
    char decimal = '.';
    bool header = true;
    std::int64_t rows = 0;  ///< without the header
    std::vector<FoundColumn> columns;
};

struct FoundImages {
    std::int64_t samples = 0;
    std::vector<std::int64_t>
        dims;  ///< of a sample: [C, H, W], or [F] where IDX holds vectors; of the first one in a folder
    std::vector<std::string> classes;  ///< empty: the labels are real numbers
    bool bytes = true;                 ///< values from 0 to 255
    std::int64_t largest = 255;        ///< of bytes
    bool sizesDiffer = false;
    std::int64_t typicalSide = 0;  ///< median of the smaller sides, in pixels
    bool gray = false;             ///< no picture that was looked at has a colour
};

struct FoundData {
    enum class Kind { kTable, kIdx, kImageFolder };
    Kind kind = Kind::kTable;
    std::filesystem::path path;    ///< the table, the images of an IDX pair, or the folder; absolute
    std::filesystem::path labels;  ///< of an IDX pair
    FoundTable table;
    FoundImages images;

    std::int64_t samples() const { return kind == Kind::kTable ? table.rows : images.samples; }
};

/// Looks at a CSV table, an IDX file (its partner is looked for beside it), an IDX pair, a folder of images, or a
/// folder that holds one of these. Anything else is a sentence with a next step. Reads tables whole, of images sizes
/// and a few pixels. Code "is-a-project" for a folder with a project.json.
Result<FoundData> inspectData(const std::vector<std::filesystem::path>& paths, RunControl* control = nullptr);

/// The table alone.
Result<FoundTable> inspectTable(const std::filesystem::path& file, RunControl* control = nullptr);

}  // namespace plumbline::data
