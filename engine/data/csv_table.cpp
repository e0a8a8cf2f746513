#include "data/csv_table.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "core/hash.h"
#include "core/json_errors.h"
#include "core/text.h"

namespace plumbline::data {
namespace {

constexpr std::size_t kMaxCategories = 1'000'000;

/// Of a number too large or too small for a double: whether it is the latter. Its first digit that counts stands behind
/// the decimal point then, exponent included.
bool isTooSmall(std::string_view text) {
    const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
    const std::string_view mantissa = text.substr(0, mark);
    std::string_view power = text.substr(std::min(mark + 1, text.size()));
    if (power.starts_with('+')) {
        power.remove_prefix(1);
    }
    std::int64_t exponent = 0;
    if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec == std::errc::result_out_of_range) {
        return power.starts_with('-');
    }
    const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
    const auto first = static_cast<std::int64_t>(std::min(mantissa.find_first_of("123456789"), mantissa.size()));
    // Digits before the point have the powers 0, 1, …, those behind it -1, -2, …
    return first < point ? exponent < first - point + 1 : exponent < first - point;
}

}  // namespace

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
        if (isTooSmall(text)) {
            value = text.starts_with('-') ? -0.0 : 0.0;  // as strtod and Python's float() round it
            return NumberProblem::kNone;
        }
        return NumberProblem::kTooLarge;
    }
    if (error != std::errc{}) {
        return NumberProblem::kNotANumber;
    }
    return std::isfinite(value) ? NumberProblem::kNone : NumberProblem::kInfinite;
}

tl::unexpected<Error> CsvTable::cellError(std::string code, std::int64_t row, const std::string& column,
                                          const std::string& message, std::string hint) const {
    return fail(
        ErrorKind::kInvalid, std::move(code),
        fmt::format("{}, row {}, column \"{}\": {}", m_file.filename().string(), row, shortened(column), message),
        fmt::format("{}:{}:{}", m_file.string(), row, column), std::move(hint));
}

Status CsvTable::readHeader(CsvReader& reader, const OpenContext& context) {
    PLUMBLINE_ASSIGN(const bool any, reader.next());
    if (!any) {
        return fail(ErrorKind::kInvalid, "csv-empty", fmt::format("{} is empty", m_file.string()), m_file.string(),
                    "It needs a header and at least one row.");
    }
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < reader.fieldCount(); ++i) {
        const std::string name = m_options.header ? std::string(reader.field(i)) : std::to_string(i);
        if (!isUtf8(name)) {
            return fail(ErrorKind::kInvalid, "csv-encoding",
                        fmt::format("{}: the header is not UTF-8 text in field {}", m_file.string(), i + 1),
                        m_file.string(), "Save the file as UTF-8.");
        }
        if (name.empty()) {
            return fail(ErrorKind::kInvalid, "csv-header",
                        fmt::format("{}: column {} has no name", m_file.string(), i + 1), m_file.string() + ":1",
                        "Name it in the first row, or set \"header\": false if the first row is data.");
        }
        if (const auto [twin, isNew] = places.emplace(name, i); !isNew) {
            return fail(ErrorKind::kInvalid, "csv-header",
                        fmt::format("{}: columns {} and {} are both named \"{}\"", m_file.string(), twin->second + 1,
                                    i + 1, shortened(name)),
                        m_file.string() + ":1",
                        "Rename one of them, or set \"header\": false if the first row is data.");
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

Status CsvTable::chooseColumns(const OpenContext& context) {
    const std::unordered_set<std::string_view> header(m_header.begin(), m_header.end());
    const std::unordered_set<std::string_view> wanted(context.wanted.begin(), context.wanted.end());
    const std::unordered_set<std::string_view> targets(context.targets.begin(), context.targets.end());
    const std::unordered_set<std::string_view> ignored(m_options.ignore.begin(), m_options.ignore.end());
    const auto known = [&](const std::string& name, const std::string& pointer) -> Status {
        if (header.contains(name)) {
            return {};
        }
        return fail(
            ErrorKind::kInvalid, "unknown-column",
            fmt::format("{} has no column \"{}\"", m_file.string(), shortened(name)), pointer,
            didYouMean(name, m_header,
                       fmt::format("It has {}.", shortened(fmt::format("{}", fmt::join(m_header, ", ")), 400))));
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
        if (wanted.contains(name) || (wanted.contains("*") && !ignored.contains(name))) {
            CsvColumn column;
            column.name = name;
            column.position = i;
            column.isTarget = targets.contains(name);
            column.ignored = ignored.contains(name);
            column.policy = m_options.missingPolicy(name);
            column.type = m_options.typeOf(name);
            column.numeric = column.type != ColumnType::kCategorical;
            m_columns.push_back(std::move(column));
        }
    }
    return {};
}

Status CsvTable::scanCell(CsvColumn& column, std::string_view text, std::int64_t row) {
    if (isMissing(text)) {
        if (column.policy == MissingPolicy::kError) {
            return cellError("missing-value", row, column.name,
                             text.empty() ? "the value is missing" : fmt::format("the value is missing (\"{}\")", text),
                             "Fill it in, or set \"missing\" of the source to \"mean\", \"median\", \"most_frequent\" "
                             "or \"drop_row\".");
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
            case NumberProblem::kNone:
                return {};
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
            case NumberProblem::kNotANumber:
                break;
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

Status CsvTable::scan(const OpenContext& context) {
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
        PLUMBLINE_TRY(reader.requireFields(m_header.size()));
        for (CsvColumn& column : m_columns) {
            PLUMBLINE_TRY(scanCell(column, reader.field(column.position), reader.row()));
        }
        ++m_scanned;
        PLUMBLINE_ASSIGN(more, reader.next());
    }
    if (m_scanned == 0) {
        return fail(ErrorKind::kInvalid, "csv-empty", fmt::format("{} has a header and no rows", m_file.string()),
                    m_file.string(), "Add rows, or choose another file.");
    }
    return {};
}

Status CsvTable::decideTypes() {
    for (CsvColumn& column : m_columns) {
        if (column.numeric) {
            if (column.firstInfinite.row != 0) {
                return cellError("not-finite", column.firstInfinite.row, column.name,
                                 fmt::format("\"{}\" is not finite", column.firstInfinite.text),
                                 "Correct the value, or remove the row.");
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

Status CsvTable::fill(const OpenContext& context) {
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
        PLUMBLINE_TRY(reader.requireFields(m_header.size()));
        const std::int64_t row = seen - 1 - m_dropped;
        if (const std::int64_t shift = reader.row() - row; m_rowShifts.empty() || m_rowShifts.back().second != shift) {
            if (!m_rowShifts.empty() && m_rowShifts.back().first == row) {
                m_rowShifts.back().second = shift;
            } else {
                m_rowShifts.emplace_back(row, shift);
            }
        }
        const bool drop = std::any_of(m_columns.begin(), m_columns.end(), [&](const CsvColumn& column) {
            return column.policy == MissingPolicy::kDropRow && isMissing(reader.field(column.position));
        });
        if (drop) {
            ++m_dropped;
            continue;
        }
        for (const CsvColumn& column : m_columns) {
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
                    return cellError("too-many-classes", reader.row(), column.name,
                                     "the column has more than a million different texts",
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
        return fail(ErrorKind::kInvalid, "file-changed", fmt::format("{} changed while it was read", m_file.string()),
                    m_file.string(), "Try again once it is complete.");
    }
    m_rows = m_scanned - m_dropped;
    if (m_dropped > 0) {
        m_numbers.shrink_to_fit();
        m_categories.shrink_to_fit();
        m_warnings.push_back(m_dropped == 1 ? fmt::format("{}: 1 of {} rows was dropped because of missing values",
                                                          m_file.filename().string(), m_scanned)
                                            : fmt::format("{}: {} of {} rows were dropped because of missing values",
                                                          m_file.filename().string(), m_dropped, m_scanned));
    }
    if (m_rows == 0) {
        return fail(ErrorKind::kInvalid, "csv-empty",
                    fmt::format("{}: every row has a missing value and was dropped", m_file.string()), m_file.string(),
                    "Use another choice for \"missing\", or leave out the column that is empty.");
    }
    return {};
}

Status CsvTable::sortCategories() {
    for (CsvColumn& column : m_columns) {
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
            return fail(ErrorKind::kInvalid, "column-empty",
                        fmt::format("{}: the column \"{}\" has no values", m_file.string(), column.name),
                        m_file.string(), "Leave it out with \"ignore\".");
        }
        // Numbers with a few texts among them are more often a mistake than classes.
        if (column.firstText.row != 0 && values.size() * 2 > column.categories.size()) {
            m_warnings.push_back(fmt::format("{}: the column \"{}\" is taken as text because of \"{}\" in row {}",
                                             m_file.filename().string(), column.name, column.firstText.text,
                                             column.firstText.row));
        }
    }
    m_dictionaries.clear();
    return {};
}

std::int64_t CsvTable::rowInFile(std::int64_t row) const {
    const auto next = std::upper_bound(m_rowShifts.begin(), m_rowShifts.end(), row,
                                       [](std::int64_t value, const auto& shift) { return value < shift.first; });
    return next == m_rowShifts.begin() ? row : row + std::prev(next)->second;
}

Status CsvTable::read(const OpenContext& context) {
    PLUMBLINE_TRY(scan(context));
    PLUMBLINE_TRY(decideTypes());
    PLUMBLINE_TRY(fill(context));
    return sortCategories();
}

std::uint64_t CsvTable::contentHash() const {
    std::uint64_t hash = static_cast<std::uint64_t>(m_rows);
    for (const CsvColumn& column : m_columns) {
        hash = hash64(column.name, hash);
        for (const std::string& category : column.categories) {
            hash = hash64(category, hash);
        }
    }
    hash = hash64(m_numbers.data(), m_numbers.size() * sizeof(double), hash);
    return hash64(m_categories.data(), m_categories.size() * sizeof(std::int32_t), hash);
}

}  // namespace plumbline::data
