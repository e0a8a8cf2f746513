#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "core/hash.h"
#include "core/text.h"
#include "data/csv_options.h"
#include "data/csv_reader.h"
#include "data/csv_table.h"
#include "data/inspect.h"
#include "data/source.h"

namespace plumbline::data {
namespace {

constexpr std::size_t kSniffedRecords = 100;

using Records = std::vector<std::vector<std::string>>;

/// The first records, cut where the reader finds them broken.
Result<Records> firstRecords(const std::filesystem::path& file, char delimiter) {
    PLUMBLINE_ASSIGN(CsvReader reader, CsvReader::open(file, delimiter));
    Records records;
    while (records.size() < kSniffedRecords) {
        const auto more = reader.next();
        if (!more || !*more) {
            break;
        }
        std::vector<std::string>& fields = records.emplace_back();
        for (std::size_t i = 0; i < reader.fieldCount(); ++i) {
            fields.emplace_back(reader.field(i));
        }
    }
    return records;
}

/// How well a delimiter explains the records: those as wide as the first, then the width.
std::pair<std::size_t, std::size_t> fit(const Records& records) {
    if (records.empty() || records[0].size() < 2) {
        return {0, 0};
    }
    const std::size_t width = records[0].size();
    const auto even =
        std::count_if(records.begin(), records.end(), [&](const auto& record) { return record.size() == width; });
    return {static_cast<std::size_t>(even), width};
}

std::size_t countNumbers(const Records& records, char decimal) {
    std::size_t count = 0;
    for (const auto& record : records) {
        count += static_cast<std::size_t>(std::count_if(record.begin(), record.end(), [&](const std::string& field) {
            double value = 0;
            return parseNumber(field, decimal, value) == NumberProblem::kNone;
        }));
    }
    return count;
}

class ColumnScan {
public:
    explicit ColumnScan(std::string name) { column.name = std::move(name); }

    void take(std::string_view text, char decimal, std::int64_t row) {
        if (isMissing(text)) {
            ++column.missing;
            return;
        }
        if (static_cast<std::int64_t>(m_seen.size()) < FoundColumn::kMaxDistinct) {
            m_seen.insert(hash64(text));
        }
        double value = 0;
        if (parseNumber(text, decimal, value) == NumberProblem::kNotANumber) {
            if (column.numeric) {
                column.firstText = shortened(text);
                column.firstTextRow = row;
            }
            column.numeric = false;
            return;
        }
        ++column.numbers;
        column.whole = column.whole && std::floor(value) == value;
    }
    FoundColumn finish() {
        column.distinct = static_cast<std::int64_t>(m_seen.size());
        return std::move(column);
    }

    FoundColumn column;

private:
    std::unordered_set<std::uint64_t> m_seen;
};

tl::unexpected<Error> noTable(const std::filesystem::path& file, const std::string& what, std::string hint) {
    return fail(ErrorKind::kInvalid, "no-table", fmt::format("{} {}", file.string(), what), file.string(),
                std::move(hint));
}

/// Delimiter, decimal sign and header from the first records.
Result<FoundTable> sniff(const std::filesystem::path& file, Records& best) {
    FoundTable table;
    std::pair<std::size_t, std::size_t> bestFit{0, 0};
    for (const char delimiter : std::array{',', ';', '\t', '|'}) {
        PLUMBLINE_ASSIGN(Records records, firstRecords(file, delimiter));
        const auto found = fit(records);
        if (found > bestFit) {
            bestFit = found;
            table.delimiter = delimiter;
            best = std::move(records);
        }
    }
    if (best.empty()) {
        return noTable(file, "holds no table of at least two columns",
                       "A table has its columns separated by commas, semicolons or tabs, one row a sample.");
    }
    if (table.delimiter != ',' && countNumbers(best, ',') > countNumbers(best, '.')) {
        table.decimal = ',';
    }
    table.header = std::none_of(best[0].begin(), best[0].end(), [&](const std::string& field) {
        double value = 0;
        return parseNumber(field, table.decimal, value) != NumberProblem::kNotANumber;
    });
    return table;
}

}  // namespace

Result<FoundTable> inspectTable(const std::filesystem::path& file, RunControl* control) {
    Records first;
    PLUMBLINE_ASSIGN(FoundTable table, sniff(file, first));
    std::vector<ColumnScan> columns;
    for (std::size_t i = 0; i < first[0].size(); ++i) {
        const std::string name = table.header ? first[0][i] : std::to_string(i);
        if (!isUtf8(name)) {
            return noTable(file, "is not UTF-8 text", "Save the table as a CSV file in UTF-8.");
        }
        columns.emplace_back(name);
    }
    PLUMBLINE_ASSIGN(CsvReader reader, CsvReader::open(file, table.delimiter));
    if (table.header) {
        PLUMBLINE_TRY(reader.next());
    }
    for (;;) {
        PLUMBLINE_ASSIGN(const bool more, reader.next());
        if (!more) {
            break;
        }
        if (table.rows % 1024 == 0) {
            PLUMBLINE_TRY(checkStop(control));
        }
        PLUMBLINE_TRY(reader.requireFields(columns.size()));
        for (std::size_t i = 0; i < columns.size(); ++i) {
            columns[i].take(reader.field(i), table.decimal, reader.row());
        }
        ++table.rows;
    }
    for (ColumnScan& scan : columns) {
        table.columns.push_back(scan.finish());
    }
    return table;
}

}  // namespace plumbline::data
