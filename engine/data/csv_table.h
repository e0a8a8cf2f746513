#pragma once
// A CSV file as a table in memory: columns chosen, types decided, numbers as float64, text as class numbers.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/error.h"
#include "data/csv_options.h"
#include "data/csv_reader.h"
#include "data/source.h"

namespace plumbline::data {

/// What stands for a text that is missing, until it is filled.
constexpr std::int32_t kMissingCategory = -1;

enum class NumberProblem { kNone, kNotANumber, kInfinite, kTooLarge };
/// A finite number with this decimal sign. `value` is left alone when it is none.
NumberProblem parseNumber(std::string_view text, char decimal, double& value);
/// A cell as it stands in the file.
struct CsvCell {
    std::int64_t row = 0;
    std::string text;
};

/// One column that is used, and what was found in it.
struct CsvColumn {
    std::string name;
    std::size_t position = 0;  ///< in the file
    bool isTarget = false;
    bool ignored = false;  ///< by "ignore", and yet asked for by name
    bool numeric = true;
    MissingPolicy policy = MissingPolicy::kError;
    ColumnType type = ColumnType::kInferred;
    CsvCell firstText, firstInfinite, firstTooLarge;  ///< row 0: there is none
    std::size_t slot = 0;                             ///< among the numbers or the categories of a row
    std::vector<std::string> categories;              ///< sorted; what the stored numbers of a text column stand for
    std::string fill;  ///< what a gap is filled with, as the file would write it; empty: nothing
};

/// Reads the file twice: once to see what each column is, once to keep its values.
class CsvTable {
public:
    CsvTable(std::filesystem::path file, CsvOptions options) : m_file(std::move(file)), m_options(std::move(options)) {}

    /// Mistakes name row and column as a spreadsheet counts them. Call once.
    Status read(const OpenContext& context);

    const std::filesystem::path& file() const { return m_file; }
    const CsvOptions& options() const { return m_options; }
    /// Names of all columns of the file, used or not.
    const std::vector<std::string>& header() const { return m_header; }
    const std::vector<CsvColumn>& columns() const { return m_columns; }
    std::vector<CsvColumn>& columns() { return m_columns; }
    std::int64_t rows() const { return m_rows; }
    /// Which row of the file a row of the table is, as a spreadsheet counts.
    std::int64_t rowInFile(std::int64_t row) const;
    bool droppedRows() const { return m_dropped > 0; }
    bool anyMissing() const { return m_anyMissing; }
    const std::vector<std::string>& warnings() const { return m_warnings; }
    std::size_t bytes() const {
        return m_numbers.capacity() * sizeof(double) + m_categories.capacity() * sizeof(std::int32_t);
    }
    /// Of names, categories and values.
    std::uint64_t contentHash() const;

    /// A value of a numeric column; NaN where it is missing.
    double& number(const CsvColumn& column, std::int64_t row) {
        return m_numbers[static_cast<std::size_t>(row) * m_numberCount + column.slot];
    }
    const double& number(const CsvColumn& column, std::int64_t row) const {
        return m_numbers[static_cast<std::size_t>(row) * m_numberCount + column.slot];
    }
    /// The class of a text column, or kMissingCategory.
    std::int32_t& category(const CsvColumn& column, std::int64_t row) {
        return m_categories[static_cast<std::size_t>(row) * m_categoryCount + column.slot];
    }
    std::int32_t category(const CsvColumn& column, std::int64_t row) const {
        return m_categories[static_cast<std::size_t>(row) * m_categoryCount + column.slot];
    }

private:
    Status readHeader(CsvReader& reader, const OpenContext& context);
    Status chooseColumns(const OpenContext& context);
    Status scan(const OpenContext& context);
    Status scanCell(CsvColumn& column, std::string_view text, std::int64_t row);
    Status decideTypes();
    Status fill(const OpenContext& context);
    Status sortCategories();
    tl::unexpected<Error> cellError(std::string code, std::int64_t row, const std::string& column,
                                    const std::string& message, std::string hint) const;

    std::filesystem::path m_file;
    CsvOptions m_options;
    std::vector<std::string> m_header;
    std::vector<CsvColumn> m_columns;
    std::vector<double> m_numbers;                                              ///< [rows][m_numberCount]
    std::vector<std::int32_t> m_categories;                                     ///< [rows][m_categoryCount]
    std::vector<std::unordered_map<std::string, std::int32_t>> m_dictionaries;  ///< by category slot, while filling
    std::size_t m_numberCount = 0;
    std::size_t m_categoryCount = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>>
        m_rowShifts;  ///< from this row on, so many rows further down in the file
    std::int64_t m_scanned = 0;
    std::int64_t m_rows = 0;
    std::int64_t m_dropped = 0;
    bool m_anyMissing = false;
    std::vector<std::string> m_warnings;
};

}  // namespace plumbline::data
