// "csv": a table in memory. Numbers are kept as float64, text as class indices.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

#include "core/hash.h"
#include "data/csv_options.h"
#include "data/csv_reader.h"
#include "data/sources.h"

namespace plumbline::data {
namespace {

constexpr std::size_t kMaxCategories = 1'000'000;
constexpr std::int32_t kMissingCategory = -1;

enum class NumberProblem { kNone, kNotANumber, kInfinite, kTooLarge };

NumberProblem parseNumber(std::string_view text, char decimal, double& value) {
    if (!text.empty() && text[0] == '+' && text.size() > 1 && text[1] != '-') {
        text.remove_prefix(1);
    }
    char buffer[64] = {};
    if (decimal == ',') {
        if (text.size() >= sizeof(buffer) || text.find('.') != std::string_view::npos) {
            return NumberProblem::kNotANumber;
        }
        std::replace_copy(text.begin(), text.end(), buffer, ',', '.');
        text = std::string_view(buffer, text.size());
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || text.empty()) {
        return NumberProblem::kNotANumber;
    }
    if (error == std::errc::result_out_of_range) {
        return NumberProblem::kTooLarge;
    }
    if (error != std::errc{}) {
        return NumberProblem::kNotANumber;
    }
    return std::isfinite(value) ? NumberProblem::kNone : NumberProblem::kInfinite;
}

struct Cell {
    std::int64_t row = 0;
    std::string text;
};

struct Column {
    std::string name;
    std::size_t position = 0;  ///< in the file
    bool isTarget = false;
    bool numeric = true;
    MissingPolicy policy = MissingPolicy::kError;
    ColumnType type = ColumnType::kInferred;
    Cell firstText, firstInfinite, firstTooLarge;  ///< row 0: there is none
    std::size_t slot = 0;                          ///< among the numbers or the categories of a row
    std::vector<std::string> categories;
};

class CsvSource final : public Source {
public:
    CsvSource(std::filesystem::path file, CsvOptions options) : m_file(std::move(file)), m_options(std::move(options)) {}

    Status load(const OpenContext& context);

    std::int64_t size() const override { return m_rows; }
    const std::vector<Field>& fields() const override { return m_fields; }
    const std::byte* view(std::size_t field, std::int64_t row) const override {
        const Column& column = m_columns[field];
        return column.numeric ? reinterpret_cast<const std::byte*>(m_numbers.data() + static_cast<std::size_t>(row) * m_numberCount + column.slot)
                              : nullptr;
    }
    Status read(std::size_t field, std::int64_t row, std::byte* out) const override {
        const Column& column = m_columns[field];
        if (column.numeric) {
            std::memcpy(out, view(field, row), sizeof(double));
        } else {
            const std::int64_t index = m_categories[static_cast<std::size_t>(row) * m_categoryCount + column.slot];
            std::memcpy(out, &index, sizeof(index));
        }
        return {};
    }
    Status prepare(const std::vector<std::int64_t>& trainRows) override;
    std::uint64_t contentHash() const override;
    std::size_t residentBytes() const override {
        return m_numbers.capacity() * sizeof(double) + m_categories.capacity() * sizeof(std::int32_t);
    }
    bool droppedRows() const override { return m_dropped > 0; }
    std::vector<std::string> warnings() const override { return m_warnings; }
    Status parse(const std::string& text, const std::vector<std::size_t>& fields, const std::vector<std::byte*>& out) const override;

private:
    Status readHeader(CsvReader& reader, const OpenContext& context);
    Status chooseColumns(const OpenContext& context);
    Status scan(const OpenContext& context);
    Status scanCell(Column& column, std::string_view text, std::int64_t row);
    Status decideTypes();
    Status fill(const OpenContext& context);
    Status sortCategories();
    void describeFields();
    Status imputeNumbers(const Column& column, const std::vector<std::int64_t>& trainRows);
    Status imputeCategories(const Column& column, const std::vector<std::int64_t>& trainRows);
    Status parseCell(std::size_t field, std::string_view text, std::byte* out) const;
    Status checkWidth(const CsvReader& reader) const;
    tl::unexpected<Error> cellError(std::string code, std::int64_t row, const std::string& column, const std::string& message,
                                    std::string hint) const;

    std::filesystem::path m_file;
    CsvOptions m_options;
    std::vector<std::string> m_header;
    std::vector<Column> m_columns;
    std::vector<Field> m_fields;
    std::vector<double> m_numbers;           ///< [rows][m_numberCount]; NaN where missing until prepare()
    std::vector<std::int32_t> m_categories;  ///< [rows][m_categoryCount]
    std::vector<std::unordered_map<std::string, std::int32_t>> m_dictionaries;  ///< by category slot, while filling
    std::size_t m_numberCount = 0;
    std::size_t m_categoryCount = 0;
    std::int64_t m_scanned = 0;
    std::int64_t m_rows = 0;
    std::int64_t m_dropped = 0;
    bool m_anyMissing = false;
    std::vector<std::string> m_warnings;
};

std::string shortened(std::string_view text) {
    return text.size() <= 40 ? std::string(text) : std::string(text.substr(0, 37)) + "...";
}

tl::unexpected<Error> CsvSource::cellError(std::string code, std::int64_t row, const std::string& column, const std::string& message,
                                           std::string hint) const {
    return fail(ErrorKind::kInvalid, std::move(code),
                fmt::format("{}, row {}, column \"{}\": {}", m_file.filename().string(), row, column, message),
                fmt::format("{}:{}:{}", m_file.string(), row, column), std::move(hint));
}

Status CsvSource::checkWidth(const CsvReader& reader) const {
    if (reader.fieldCount() != m_header.size()) {
        return fail(ErrorKind::kInvalid, "csv-ragged",
                    fmt::format("{}, row {}: the row has {} fields and the first row has {}", m_file.filename().string(), reader.row(),
                                reader.fieldCount(), m_header.size()),
                    fmt::format("{}:{}", m_file.string(), reader.row()),
                    "Correct the row; a field with the delimiter in it has to be in quotation marks.");
    }
    return {};
}

Status CsvSource::readHeader(CsvReader& reader, const OpenContext& context) {
    PLUMBLINE_ASSIGN(const bool any, reader.next());
    if (!any) {
        return fail(ErrorKind::kInvalid, "csv-empty", fmt::format("{} is empty", m_file.string()), m_file.string(),
                    "It needs a header and at least one row.");
    }
    for (std::size_t i = 0; i < reader.fieldCount(); ++i) {
        const std::string name = m_options.header ? std::string(reader.field(i)) : std::to_string(i);
        if (!isUtf8(name)) {
            return fail(ErrorKind::kInvalid, "csv-encoding", fmt::format("{}: the header is not UTF-8 text in field {}", m_file.string(), i + 1),
                        m_file.string(), "Save the file as UTF-8.");
        }
        if (name.empty()) {
            return fail(ErrorKind::kInvalid, "csv-header", fmt::format("{}: column {} has no name", m_file.string(), i + 1),
                        m_file.string() + ":1", "Name it in the first row, or set \"header\": false if the first row is data.");
        }
        const auto twin = std::find(m_header.begin(), m_header.end(), name);
        if (twin != m_header.end()) {
            return fail(ErrorKind::kInvalid, "csv-header",
                        fmt::format("{}: columns {} and {} are both named \"{}\"", m_file.string(), twin - m_header.begin() + 1, i + 1, name),
                        m_file.string() + ":1", "Rename one of them, or set \"header\": false if the first row is data.");
        }
        m_header.push_back(name);
    }
    if (m_header.size() == 1) {
        for (const char other : {';', '\t', ',', '|'}) {
            if (other != m_options.delimiter && m_header[0].find(other) != std::string::npos) {
                return fail(ErrorKind::kInvalid, "csv-delimiter",
                            fmt::format("{} has a single column, \"{}\"", m_file.string(), shortened(m_header[0])),
                            pointerTo(context.pointer, "delimiter"),
                            fmt::format("Set \"delimiter\" to \"{}\".", other == '\t' ? "\\t" : std::string(1, other)));
            }
        }
    }
    return {};
}

Status CsvSource::chooseColumns(const OpenContext& context) {
    const auto known = [&](const std::string& name, const std::string& pointer) -> Status {
        if (std::find(m_header.begin(), m_header.end(), name) != m_header.end()) {
            return {};
        }
        const std::string nearest = nearestWord(name, m_header);
        return fail(ErrorKind::kInvalid, "unknown-column", fmt::format("{} has no column \"{}\"", m_file.string(), name), pointer,
                    !nearest.empty() ? fmt::format("Did you mean \"{}\"?", nearest)
                                     : fmt::format("It has {}.", shortened(fmt::format("{}", fmt::join(m_header, ", ")))));
    };
    for (const std::string& name : context.wanted) {
        if (name != "*") {
            PLUMBLINE_TRY(known(name, context.pointer));
        }
    }
    for (const auto& [name, type] : m_options.types) {
        PLUMBLINE_TRY(known(name, pointerTo(pointerTo(context.pointer, "types"), name)));
    }
    for (const auto& [name, policy] : m_options.missingOfColumn) {
        PLUMBLINE_TRY(known(name, pointerTo(pointerTo(context.pointer, "missing"), name)));
    }
    for (const std::string& name : m_options.ignore) {
        PLUMBLINE_TRY(known(name, pointerTo(context.pointer, "ignore")));
    }
    for (std::size_t i = 0; i < m_header.size(); ++i) {
        const std::string& name = m_header[i];
        const bool named = std::find(context.wanted.begin(), context.wanted.end(), name) != context.wanted.end();
        if (named || (context.wants(name) && !m_options.isIgnored(name))) {
            Column column;
            column.name = name;
            column.position = i;
            column.isTarget = context.isTarget(name);
            column.policy = m_options.missingPolicy(name);
            column.type = m_options.typeOf(name);
            column.numeric = column.type != ColumnType::kCategorical;
            m_columns.push_back(std::move(column));
        }
    }
    return {};
}

Status CsvSource::scanCell(Column& column, std::string_view text, std::int64_t row) {
    if (isMissing(text)) {
        if (column.policy == MissingPolicy::kError) {
            return cellError("missing-value", row, column.name,
                             text.empty() ? "the value is missing" : fmt::format("the value is missing (\"{}\")", text),
                             "Fill it in, or set \"missing\" of the source to \"mean\", \"median\", \"most_frequent\" or \"drop_row\".");
        }
        if (column.isTarget && column.policy != MissingPolicy::kDropRow) {
            return cellError("missing-target", row, column.name, "the target is missing, and a target is never made up",
                             "Fill it in, or set \"missing\" of this column to \"drop_row\".");
        }
        return {};
    }
    if (column.numeric) {
        double value = 0;
        switch (parseNumber(text, m_options.decimal, value)) {
            case NumberProblem::kNone: return {};
            case NumberProblem::kInfinite:
                if (column.firstInfinite.row == 0) {
                    column.firstInfinite = {row, shortened(text)};
                }
                return {};
            case NumberProblem::kTooLarge:
                if (column.firstTooLarge.row == 0) {
                    column.firstTooLarge = {row, shortened(text)};
                }
                return {};
            case NumberProblem::kNotANumber: break;
        }
        if (column.type == ColumnType::kNumeric) {
            return cellError("not-a-number", row, column.name, fmt::format("\"{}\" is not a number", shortened(text)),
                             "Correct it, or remove the column from \"types\".");
        }
        column.numeric = false;
        column.firstText = {row, shortened(text)};
    }
    if (!isUtf8(text)) {
        return cellError("csv-encoding", row, column.name, "the text is not UTF-8", "Save the file as UTF-8.");
    }
    return {};
}

Status CsvSource::scan(const OpenContext& context) {
    PLUMBLINE_ASSIGN(CsvReader reader, CsvReader::open(m_file, m_options.delimiter));
    PLUMBLINE_TRY(readHeader(reader, context));
    PLUMBLINE_TRY(chooseColumns(context));
    bool more = !m_options.header;
    if (m_options.header) {
        PLUMBLINE_ASSIGN(more, reader.next());
    }
    while (more) {
        if (m_scanned % 1024 == 0) {
            PLUMBLINE_TRY(checkStop(context.control));
        }
        PLUMBLINE_TRY(checkWidth(reader));
        for (Column& column : m_columns) {
            PLUMBLINE_TRY(scanCell(column, reader.field(column.position), reader.row()));
        }
        ++m_scanned;
        PLUMBLINE_ASSIGN(more, reader.next());
    }
    if (m_scanned == 0) {
        return fail(ErrorKind::kInvalid, "csv-empty", fmt::format("{} has a header and no rows", m_file.string()), m_file.string(), {});
    }
    return {};
}

Status CsvSource::decideTypes() {
    for (Column& column : m_columns) {
        if (column.numeric) {
            if (column.firstInfinite.row != 0) {
                return cellError("not-finite", column.firstInfinite.row, column.name,
                                 fmt::format("\"{}\" is not finite", column.firstInfinite.text), "Correct the value, or remove the row.");
            }
            if (column.firstTooLarge.row != 0) {
                return cellError("not-finite", column.firstTooLarge.row, column.name,
                                 fmt::format("\"{}\" is outside of what a float64 can hold", column.firstTooLarge.text),
                                 "Correct the value, or remove the row.");
            }
            column.slot = m_numberCount++;
        } else {
            column.slot = m_categoryCount++;
        }
    }
    return {};
}

Status CsvSource::fill(const OpenContext& context) {
    m_numbers.reserve(static_cast<std::size_t>(m_scanned) * m_numberCount);
    m_categories.reserve(static_cast<std::size_t>(m_scanned) * m_categoryCount);
    m_dictionaries.resize(m_categoryCount);
    PLUMBLINE_ASSIGN(CsvReader reader, CsvReader::open(m_file, m_options.delimiter));
    if (m_options.header) {
        PLUMBLINE_TRY(reader.next());
    }
    std::int64_t seen = 0;
    for (;;) {
        PLUMBLINE_ASSIGN(const bool more, reader.next());
        if (!more) {
            break;
        }
        if (seen++ % 1024 == 0) {
            PLUMBLINE_TRY(checkStop(context.control));
        }
        PLUMBLINE_TRY(checkWidth(reader));
        const bool drop = std::any_of(m_columns.begin(), m_columns.end(), [&](const Column& column) {
            return column.policy == MissingPolicy::kDropRow && isMissing(reader.field(column.position));
        });
        if (drop) {
            ++m_dropped;
            continue;
        }
        for (const Column& column : m_columns) {
            const std::string_view text = reader.field(column.position);
            const bool missing = isMissing(text);
            m_anyMissing = m_anyMissing || missing;
            if (column.numeric) {
                double value = std::numeric_limits<double>::quiet_NaN();
                if (!missing && parseNumber(text, m_options.decimal, value) != NumberProblem::kNone) {
                    seen = -1;
                    break;
                }
                m_numbers.push_back(value);
            } else if (missing) {
                m_categories.push_back(kMissingCategory);
            } else {
                auto& dictionary = m_dictionaries[column.slot];
                const auto next = static_cast<std::int32_t>(dictionary.size());
                const auto [it, added] = dictionary.try_emplace(std::string(text), next);
                if (added && dictionary.size() > kMaxCategories) {
                    return cellError("too-many-classes", reader.row(), column.name, "the column has more than a million different texts",
                                     "Leave it out with \"ignore\".");
                }
                m_categories.push_back(it->second);
            }
        }
        if (seen < 0 || seen > m_scanned) {
            break;
        }
    }
    if (seen != m_scanned) {
        return fail(ErrorKind::kInvalid, "file-changed", fmt::format("{} changed while it was read", m_file.string()), m_file.string(),
                    "Try again once it is complete.");
    }
    m_rows = m_scanned - m_dropped;
    if (m_dropped > 0) {
        m_numbers.shrink_to_fit();
        m_categories.shrink_to_fit();
        m_warnings.push_back(fmt::format("{}: {} of {} rows were dropped because of missing values", m_file.filename().string(), m_dropped, m_scanned));
    }
    if (m_rows == 0) {
        return fail(ErrorKind::kInvalid, "csv-empty", fmt::format("{}: every row has a missing value and was dropped", m_file.string()),
                    m_file.string(), "Use another choice for \"missing\", or leave out the column that is empty.");
    }
    return {};
}

Status CsvSource::sortCategories() {
    for (Column& column : m_columns) {
        if (column.numeric) {
            continue;
        }
        auto& dictionary = m_dictionaries[column.slot];
        for (const auto& [text, index] : dictionary) {
            column.categories.push_back(text);
        }
        // By value where all are numbers ("2" before "10"), else by text.
        std::unordered_map<std::string, double> values;
        for (const std::string& text : column.categories) {
            double value = 0;
            if (parseNumber(text, m_options.decimal, value) == NumberProblem::kNone) {
                values[text] = value;
            }
        }
        const bool byValue = values.size() == column.categories.size();
        std::sort(column.categories.begin(), column.categories.end(), [&](const std::string& a, const std::string& b) {
            return byValue && values.at(a) != values.at(b) ? values.at(a) < values.at(b) : a < b;
        });
        std::vector<std::int32_t> renumbered(dictionary.size());
        for (std::size_t i = 0; i < column.categories.size(); ++i) {
            renumbered[static_cast<std::size_t>(dictionary.at(column.categories[i]))] = static_cast<std::int32_t>(i);
        }
        for (std::size_t i = column.slot; i < m_categories.size(); i += m_categoryCount) {
            if (m_categories[i] != kMissingCategory) {
                m_categories[i] = renumbered[static_cast<std::size_t>(m_categories[i])];
            }
        }
        if (column.categories.empty()) {
            return fail(ErrorKind::kInvalid, "column-empty", fmt::format("{}: the column \"{}\" has no values", m_file.string(), column.name),
                        m_file.string(), "Leave it out with \"ignore\".");
        }
        // Numbers with a few texts among them are more often a mistake than classes.
        if (column.firstText.row != 0 && values.size() * 2 > column.categories.size()) {
            m_warnings.push_back(fmt::format("{}: the column \"{}\" is taken as text because of \"{}\" in row {}", m_file.filename().string(),
                                             column.name, column.firstText.text, column.firstText.row));
        }
    }
    m_dictionaries.clear();
    return {};
}

void CsvSource::describeFields() {
    for (const Column& column : m_columns) {
        Field field;
        field.name = column.name;
        field.inAll = !m_options.isIgnored(column.name);
        if (column.numeric) {
            field.type.dtype = DType::kFloat64;
            field.type.dims = {1};
            field.type.columns = {column.name};
        } else {
            field.type.dtype = DType::kInt64;
            field.type.classes = column.categories;
            field.type.columns = {column.name};
        }
        m_fields.push_back(std::move(field));
    }
}

Status CsvSource::load(const OpenContext& context) {
    PLUMBLINE_TRY(scan(context));
    PLUMBLINE_TRY(decideTypes());
    PLUMBLINE_TRY(fill(context));
    PLUMBLINE_TRY(sortCategories());
    describeFields();
    return {};
}

Status CsvSource::prepare(const std::vector<std::int64_t>& trainRows) {
    if (!m_anyMissing) {
        return {};
    }
    for (const Column& column : m_columns) {
        PLUMBLINE_TRY(column.numeric ? imputeNumbers(column, trainRows) : imputeCategories(column, trainRows));
    }
    return {};
}

Status CsvSource::imputeNumbers(const Column& column, const std::vector<std::int64_t>& trainRows) {
    const auto at = [&](std::int64_t row) -> double& { return m_numbers[static_cast<std::size_t>(row) * m_numberCount + column.slot]; };
    std::vector<double> present;
    for (const std::int64_t row : trainRows) {
        if (!std::isnan(at(row))) {
            present.push_back(at(row));
        }
    }
    double value = std::numeric_limits<double>::quiet_NaN();
    if (!present.empty()) {
        std::sort(present.begin(), present.end());
        if (column.policy == MissingPolicy::kMedian) {
            const std::size_t middle = present.size() / 2;
            value = present.size() % 2 == 1 ? present[middle] : (present[middle - 1] + present[middle]) / 2.0;
        } else if (column.policy == MissingPolicy::kMostFrequent) {
            std::size_t best = 0;
            for (std::size_t i = 0; i < present.size();) {
                const std::size_t start = i;
                while (i < present.size() && present[i] == present[start]) {
                    ++i;
                }
                if (i - start > best) {
                    best = i - start;
                    value = present[start];
                }
            }
        } else {
            double mean = 0;
            for (std::size_t i = 0; i < present.size(); ++i) {
                mean += (present[i] - mean) / static_cast<double>(i + 1);
            }
            value = mean;
        }
    }
    std::int64_t filled = 0;
    for (std::int64_t row = 0; row < m_rows; ++row) {
        if (std::isnan(at(row))) {
            if (present.empty()) {
                return fail(ErrorKind::kInvalid, "column-empty",
                            fmt::format("{}: the column \"{}\" has no value in the training split to fill its gaps with", m_file.string(), column.name),
                            m_file.string(), "Leave it out with \"ignore\".");
            }
            at(row) = value;
            ++filled;
        }
    }
    if (filled > 0) {
        m_warnings.push_back(fmt::format("{}: {} missing values of \"{}\" were filled with {}", m_file.filename().string(), filled, column.name, value));
    }
    return {};
}

Status CsvSource::imputeCategories(const Column& column, const std::vector<std::int64_t>& trainRows) {
    const auto at = [&](std::int64_t row) -> std::int32_t& { return m_categories[static_cast<std::size_t>(row) * m_categoryCount + column.slot]; };
    std::vector<std::int64_t> counts(column.categories.size());
    for (const std::int64_t row : trainRows) {
        if (at(row) != kMissingCategory) {
            ++counts[static_cast<std::size_t>(at(row))];
        }
    }
    const auto best = std::max_element(counts.begin(), counts.end());
    std::int64_t filled = 0;
    for (std::int64_t row = 0; row < m_rows; ++row) {
        if (at(row) != kMissingCategory) {
            continue;
        }
        if (column.policy != MissingPolicy::kMostFrequent) {
            return fail(ErrorKind::kInvalid, "missing-value",
                        fmt::format("{}: the column \"{}\" is text, has gaps, and text has no mean or median", m_file.string(), column.name),
                        m_file.string(), "Set \"missing\" of this column to \"most_frequent\" or \"drop_row\".");
        }
        at(row) = static_cast<std::int32_t>(best - counts.begin());
        ++filled;
    }
    if (filled > 0) {
        m_warnings.push_back(fmt::format("{}: {} missing values of \"{}\" were filled with \"{}\"", m_file.filename().string(), filled, column.name,
                                         column.categories[static_cast<std::size_t>(best - counts.begin())]));
    }
    return {};
}

std::uint64_t CsvSource::contentHash() const {
    std::uint64_t hash = static_cast<std::uint64_t>(m_rows);
    for (const Column& column : m_columns) {
        hash = hash64(column.name, hash);
        for (const std::string& category : column.categories) {
            hash = hash64(category, hash);
        }
    }
    hash = hash64(m_numbers.data(), m_numbers.size() * sizeof(double), hash);
    return hash64(m_categories.data(), m_categories.size() * sizeof(std::int32_t), hash);
}

Status CsvSource::parseCell(std::size_t field, std::string_view text, std::byte* out) const {
    const Column& column = m_columns[field];
    const auto problem = [&](const std::string& message, std::string hint) {
        return fail(ErrorKind::kUsage, "input-value", fmt::format("The value of \"{}\" {}", column.name, message), {}, std::move(hint));
    };
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    if (column.numeric) {
        double value = 0;
        if (parseNumber(text, m_options.decimal, value) != NumberProblem::kNone) {
            return problem(fmt::format("is \"{}\", which is not a finite number", shortened(text)), {});
        }
        std::memcpy(out, &value, sizeof(value));
        return {};
    }
    const auto it = std::find(column.categories.begin(), column.categories.end(), text);
    if (it == column.categories.end()) {
        const std::string nearest = nearestWord(text, column.categories);
        return problem(fmt::format("is \"{}\", which does not occur in {}", shortened(text), m_file.filename().string()),
                       nearest.empty() ? "" : fmt::format("Did you mean \"{}\"?", nearest));
    }
    const std::int64_t index = it - column.categories.begin();
    std::memcpy(out, &index, sizeof(index));
    return {};
}

Status CsvSource::parse(const std::string& text, const std::vector<std::size_t>& fields, const std::vector<std::byte*>& out) const {
    std::vector<std::string_view> items;
    for (std::string_view rest = text;;) {
        const std::size_t end = rest.find(m_options.delimiter);
        items.push_back(rest.substr(0, end));
        if (end == std::string_view::npos) {
            break;
        }
        rest.remove_prefix(end + 1);
    }
    if (text.find('=') == std::string::npos) {
        // A row: the inputs in their order, or a whole row as it stands in the file.
        const bool wholeRow = items.size() == m_header.size() && items.size() != fields.size();
        if (!wholeRow && items.size() != fields.size()) {
            return fail(ErrorKind::kUsage, "input-count", fmt::format("The model takes {} values and there are {}", fields.size(), items.size()), {},
                        "Give them in the order of the columns, or as \"name=value,name=value\".");
        }
        for (std::size_t i = 0; i < fields.size(); ++i) {
            PLUMBLINE_TRY(parseCell(fields[i], items[wholeRow ? m_columns[fields[i]].position : i], out[i]));
        }
        return {};
    }
    std::vector<bool> given(fields.size());
    for (const std::string_view item : items) {
        const std::size_t equals = item.find('=');
        std::string name(item.substr(0, equals));
        name.erase(0, name.find_first_not_of(' '));
        name.erase(name.find_last_not_of(' ') + 1);
        std::vector<std::string> names;
        bool found = false;
        for (std::size_t i = 0; i < fields.size() && equals != std::string_view::npos; ++i) {
            names.push_back(m_columns[fields[i]].name);
            if (names.back() == name) {
                PLUMBLINE_TRY(parseCell(fields[i], item.substr(equals + 1), out[i]));
                given[i] = true;
                found = true;
            }
        }
        if (!found) {
            const std::string nearest = nearestWord(name, names);
            return fail(ErrorKind::kUsage, "input-name", fmt::format("The model takes no value \"{}\"", shortened(item)), {},
                        nearest.empty() ? "Write them as \"name=value,name=value\"." : fmt::format("Did you mean \"{}\"?", nearest));
        }
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (!given[i]) {
            return fail(ErrorKind::kUsage, "input-missing", fmt::format("The value of \"{}\" is not given", m_columns[fields[i]].name), {},
                        "The model needs a value for every input column.");
        }
    }
    return {};
}

}  // namespace

Result<std::unique_ptr<Source>> openCsv(const SourceSpec& spec, const OpenContext& context) {
    PLUMBLINE_ASSIGN(CsvOptions options, readCsvOptions(spec.options, context.pointer));
    const std::filesystem::path file = context.resolve(options.path);
    auto source = std::make_unique<CsvSource>(file, std::move(options));
    PLUMBLINE_TRY(source->load(context));
    return source;
}

}  // namespace plumbline::data
