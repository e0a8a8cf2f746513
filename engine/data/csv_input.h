#pragma once
// What a person gives to `predict` for a table: a row, name=value pairs, or a CSV file of rows.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/csv_table.h"
#include "data/source.h"

namespace plumbline::data {

class CsvInput {
public:
    /// `fields`: the columns that the model takes, in its order. Relative paths start here or at `folder`.
    CsvInput(const CsvTable& table, std::vector<std::size_t> fields, std::filesystem::path folder);

    /// One sample: the values in order, a whole row as it stands in the file, or pairs; with the file's delimiter and
    /// decimal sign.
    Status parse(const std::string& text, const std::vector<std::byte*>& out) const;
    /// All samples: pairs of several texts belong together until a name comes again, and a CSV file holds one a row.
    Status each(const std::vector<std::string>& texts, const Source::EachSample& each) const;
    /// Which columns there are, with an example.
    std::string hint() const;

private:
    using Given = std::vector<std::optional<std::string>>;  ///< by place in m_fields

    const CsvColumn& column(std::size_t place) const { return m_table.columns()[m_fields[place]]; }
    std::vector<std::string> items(std::string_view text, char separator) const;
    /// What stands between pairs.
    char separatorOf(std::string_view text) const;
    /// Adds the pairs of a text; false, and nothing is added, where one of them is there already.
    Result<bool> take(const std::string& text, Given& given) const;
    bool isWhole(const Given& given) const;
    Status fill(const Given& given, const std::vector<std::byte*>& out) const;
    Status fillRow(const std::vector<std::string>& row, const std::vector<std::byte*>& out) const;
    Status fillCell(std::size_t place, std::string_view text, std::byte* out) const;
    std::optional<std::filesystem::path> fileOf(const std::string& text) const;
    Status eachOfFile(const std::filesystem::path& file, const std::string& shownAs,
                      const Source::EachSample& each) const;
    /// Where in a file's rows the columns stand.
    Result<std::vector<std::size_t>> positionsIn(const std::filesystem::path& file,
                                                 const std::vector<std::string>& first) const;

    const CsvTable& m_table;
    std::vector<std::size_t> m_fields;
    std::filesystem::path m_folder;
    std::unordered_map<std::string, std::size_t> m_places;  ///< by column name
};

}  // namespace plumbline::data
