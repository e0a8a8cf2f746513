#include "data/csv_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/files.h"
#include "core/json_errors.h"
#include "core/text.h"
#include "data/csv_reader.h"

namespace plumbline::data {
namespace {

constexpr std::size_t kLongestList = 600;
constexpr std::size_t kLongestExample = 300;

std::string trimmed(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && blank(text.back())) {
        text.remove_suffix(1);
    }
    return std::string(text);
}

/// Whether a text that is no row of values was meant as a file.
bool looksLikeFile(const std::string& text) {
    constexpr std::array kEndings{".csv", ".png", ".jpg", ".jpeg", ".pt"};
    return text.find('/') != std::string::npos ||
           std::any_of(kEndings.begin(), kEndings.end(), [&](const char* ending) { return text.ends_with(ending); });
}

}  // namespace

CsvInput::CsvInput(const CsvTable& table, std::vector<std::size_t> fields, std::filesystem::path folder)
    : m_table(table), m_fields(std::move(fields)), m_folder(std::move(folder)) {
    for (std::size_t place = 0; place < m_fields.size(); ++place) {
        m_places.emplace(column(place).name, place);
    }
}

std::vector<std::string> CsvInput::items(std::string_view text, char separator) const {
    std::vector<std::string> all(1);
    bool quoted = false, wasQuoted = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (!quoted && text[i] == separator)) {
            all.back() = wasQuoted ? all.back() : trimmed(all.back());
            wasQuoted = false;
            if (i < text.size()) {
                all.emplace_back();
            }
        } else if (quoted && text[i] == '"') {
            // A mark within quotation marks is written twice.
            quoted = i + 1 < text.size() && text[i + 1] == '"';
            if (quoted) {
                all.back() += text[++i];
            }
        } else if (!quoted && text[i] == '"' && trimmed(all.back()).empty()) {
            all.back().clear();
            quoted = wasQuoted = true;
        } else if (!wasQuoted || quoted) {
            all.back() += text[i];
        }
    }
    return all;
}

char CsvInput::separatorOf(std::string_view text) const {
    const CsvOptions& options = m_table.options();
    return text.find(options.delimiter) != std::string_view::npos ? options.delimiter
           : options.decimal == '.'                               ? ','
                                                                  : ';';
}

std::string CsvInput::hint() const {
    std::vector<std::string> names, values;
    const char delimiter = m_table.options().delimiter;
    for (std::size_t place = 0; place < m_fields.size(); ++place) {
        const CsvColumn& each = column(place);
        names.push_back(each.name);
        if (each.numeric) {
            std::string number = fmt::format("{}", m_table.number(each, 0));
            std::replace(number.begin(), number.end(), '.', m_table.options().decimal);
            values.push_back(std::move(number));
            continue;
        }
        const std::string& text = each.categories[static_cast<std::size_t>(std::max(m_table.category(each, 0), 0))];
        values.push_back(csvQuoted(text, delimiter));
    }
    const std::string list = shortened(oneLine(fmt::format("{}", fmt::join(names, ", "))), kLongestList);
    const std::string example = shellQuoted(oneLine(fmt::format("{}", fmt::join(values, std::string(1, delimiter)))));
    return example.size() > kLongestExample
               ? fmt::format("It takes {}, in this order or as name=value each.", list)
               : fmt::format("It takes {}, in this order or as name=value each. For example: {}", list, example);
}

Status CsvInput::fillCell(std::size_t place, std::string_view text, std::byte* out) const {
    const CsvColumn& wanted = column(place);
    if (isMissing(text) && !wanted.fill.empty()) {
        text = wanted.fill;
    }
    const auto problem = [&](const std::string& message, std::string hint) {
        return fail(ErrorKind::kUsage, "input-value", fmt::format("The value of \"{}\" {}", wanted.name, message), {},
                    std::move(hint));
    };
    if (wanted.numeric) {
        double value = 0;
        if (isMissing(text)) {
            return problem("is missing",
                           "The model needs a value for every input column whose gaps the project does not fill "
                           "(\"missing\" of the source).");
        }
        if (parseNumber(text, m_table.options().decimal, value) != NumberProblem::kNone) {
            double other = 0;
            const bool point =
                m_table.options().decimal == ',' && parseNumber(text, '.', other) == NumberProblem::kNone;
            return problem(fmt::format("is \"{}\", which is not a finite number", shortened(text)),
                           point ? "Write decimals with a comma, as the file does." : "");
        }
        std::memcpy(out, &value, sizeof(value));
        return {};
    }
    const auto it = std::find(wanted.categories.begin(), wanted.categories.end(), text);
    if (it == wanted.categories.end()) {
        return problem(
            fmt::format("is \"{}\", which does not occur in {}", shortened(text), m_table.file().filename().string()),
            didYouMean(text, wanted.categories, ""));
    }
    const std::int64_t index = it - wanted.categories.begin();
    std::memcpy(out, &index, sizeof(index));
    return {};
}

Status CsvInput::fillRow(const std::vector<std::string>& row, const std::vector<std::byte*>& out) const {
    // The inputs in their order, or a whole row as it stands in the file.
    const bool wholeRow = row.size() == m_table.header().size() && row.size() != m_fields.size();
    if (!wholeRow && row.size() != m_fields.size()) {
        return fail(ErrorKind::kUsage, "input-count",
                    fmt::format("The model takes {} values and there are {}", m_fields.size(), row.size()), {}, hint());
    }
    for (std::size_t place = 0; place < m_fields.size(); ++place) {
        PLUMBLINE_TRY(fillCell(place, row[wholeRow ? column(place).position : place], out[place]));
    }
    return {};
}

Result<bool> CsvInput::take(const std::string& text, Given& given) const {
    Given more(m_fields.size());
    for (const std::string& item : items(text, separatorOf(text))) {
        // A name may hold the sign itself: the longest that is known counts.
        std::optional<std::size_t> place;
        std::size_t split = item.find('=');
        for (std::size_t at = split; at != std::string::npos; at = item.find('=', at + 1)) {
            if (const auto known = m_places.find(trimmed(std::string_view(item).substr(0, at)));
                known != m_places.end()) {
                place = known->second;
                split = at;
            }
        }
        if (!place) {
            std::vector<std::string> names;
            for (const auto& [name, known] : m_places) {
                names.push_back(name);
            }
            std::sort(names.begin(), names.end());
            return fail(ErrorKind::kUsage, "input-name",
                        fmt::format("The model takes no value \"{}\"", shortened(item)), {},
                        didYouMean(trimmed(std::string_view(item).substr(0, split)), names, hint()));
        }
        if (given[*place]) {
            return false;
        }
        if (more[*place]) {
            return fail(ErrorKind::kUsage, "input-twice",
                        fmt::format("The value of \"{}\" is given twice", column(*place).name), {}, "Leave one out.");
        }
        more[*place] = trimmed(item.substr(split + 1));
    }
    for (std::size_t place = 0; place < more.size(); ++place) {
        if (more[place]) {
            given[place] = std::move(more[place]);
        }
    }
    return true;
}

bool CsvInput::isWhole(const Given& given) const {
    return std::all_of(given.begin(), given.end(), [](const auto& value) { return value.has_value(); });
}

Status CsvInput::fill(const Given& given, const std::vector<std::byte*>& out) const {
    std::vector<std::string> missing;
    for (std::size_t place = 0; place < given.size(); ++place) {
        if (!given[place]) {
            missing.push_back(column(place).name);
        }
    }
    if (missing.size() == 1) {
        return fail(ErrorKind::kUsage, "input-missing",
                    fmt::format("The value of \"{}\" is not given", missing.front()), {},
                    "The model needs a value for every input column.");
    }
    if (!missing.empty()) {
        return fail(ErrorKind::kUsage, "input-missing",
                    fmt::format("{} values are not given: {}", missing.size(),
                                shortened(fmt::format("{}", fmt::join(missing, ", ")), kLongestList)),
                    {}, "The model needs a value for every input column.");
    }
    for (std::size_t place = 0; place < given.size(); ++place) {
        PLUMBLINE_TRY(fillCell(place, *given[place], out[place]));
    }
    return {};
}

Status CsvInput::parse(const std::string& text, const std::vector<std::byte*>& out) const {
    if (text.find('=') == std::string::npos) {
        const std::vector<std::string> row = items(text, m_table.options().delimiter);
        const bool fits = row.size() == m_fields.size() || row.size() == m_table.header().size();
        const bool mayBeValues = fits && (row.size() > 1 || !column(0).numeric);
        std::error_code ignored;
        if (!mayBeValues && looksLikeFile(text) && !std::filesystem::exists(text, ignored) &&
            !std::filesystem::exists(m_folder / text, ignored)) {
            Error error = fileError(ENOENT, "read", shortened(text, kLongestList));
            error.kind = ErrorKind::kUsage;
            return fail(std::move(error));
        }
        return fillRow(row, out);
    }
    Given given(m_fields.size());
    PLUMBLINE_TRY(take(text, given));
    return fill(given, out);
}

std::optional<std::filesystem::path> CsvInput::fileOf(const std::string& text) const {
    std::error_code ignored;
    for (const std::filesystem::path& file : {std::filesystem::path(text), m_folder / text}) {
        if (std::filesystem::is_regular_file(file, ignored)) {
            return file;
        }
    }
    return std::nullopt;
}

Result<std::vector<std::size_t>> CsvInput::positionsIn(const std::filesystem::path& file,
                                                       const std::vector<std::string>& first) const {
    std::vector<std::size_t> positions;
    if (!m_table.options().header) {
        const bool wholeRow = first.size() == m_table.header().size();
        if (!wholeRow && first.size() != m_fields.size()) {
            return fail(ErrorKind::kUsage, "input-count",
                        fmt::format("The rows of {} have {} values, and the model takes {}", file.string(),
                                    first.size(), m_fields.size()),
                        file.string(), hint());
        }
        for (std::size_t place = 0; place < m_fields.size(); ++place) {
            positions.push_back(wholeRow ? column(place).position : place);
        }
        return positions;
    }
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < first.size(); ++i) {
        known.emplace(first[i], i);
    }
    for (std::size_t place = 0; place < m_fields.size(); ++place) {
        const auto found = known.find(column(place).name);
        if (found == known.end()) {
            return fail(ErrorKind::kUsage, "unknown-column",
                        fmt::format("{} has no column \"{}\"", file.string(), column(place).name), file.string(),
                        hint());
        }
        positions.push_back(found->second);
    }
    return positions;
}

Status CsvInput::eachOfFile(const std::filesystem::path& file, const std::string& shownAs,
                            const Source::EachSample& each) const {
    PLUMBLINE_ASSIGN(CsvReader reader, CsvReader::open(file, m_table.options().delimiter));
    PLUMBLINE_ASSIGN(bool more, reader.next());
    std::vector<std::string> first;
    for (std::size_t i = 0; more && i < reader.fieldCount(); ++i) {
        first.emplace_back(reader.field(i));
    }
    PLUMBLINE_ASSIGN(const std::vector<std::size_t> positions, positionsIn(file, first));
    if (m_table.options().header) {
        PLUMBLINE_ASSIGN(more, reader.next());
    }
    if (!more) {
        return fail(ErrorKind::kUsage, "csv-empty", fmt::format("{} has a header and no rows", file.string()),
                    file.string());
    }
    while (more) {
        PLUMBLINE_TRY(reader.requireFields(first.size()));
        const std::string name = fmt::format("{}, row {}", shownAs, reader.row());
        PLUMBLINE_TRY(each(name, [&](const std::vector<std::byte*>& out) -> Status {
            for (std::size_t place = 0; place < positions.size(); ++place) {
                if (const Status filled = fillCell(place, reader.field(positions[place]), out[place]); !filled) {
                    Error error = filled.error();
                    error.message = fmt::format("{}: {}", name, error.message);
                    return fail(std::move(error));
                }
            }
            return {};
        }));
        PLUMBLINE_ASSIGN(more, reader.next());
    }
    return {};
}

Status CsvInput::each(const std::vector<std::string>& texts, const Source::EachSample& each) const {
    Given given(m_fields.size());
    std::string name;
    const auto finish = [&]() -> Status {
        if (name.empty()) {
            return {};
        }
        const Status done = each(name, [&](const std::vector<std::byte*>& out) { return fill(given, out); });
        given.assign(m_fields.size(), std::nullopt);
        name.clear();
        return done;
    };
    for (const std::string& text : texts) {
        if (const auto file = fileOf(text)) {
            PLUMBLINE_TRY(finish());
            PLUMBLINE_TRY(eachOfFile(*file, text, each));
            continue;
        }
        if (text.find('=') == std::string::npos) {
            PLUMBLINE_TRY(finish());
            PLUMBLINE_TRY(each(text, [&](const std::vector<std::byte*>& out) { return parse(text, out); }));
            continue;
        }
        PLUMBLINE_ASSIGN(bool taken, take(text, given));
        if (!taken) {
            PLUMBLINE_TRY(finish());
            PLUMBLINE_ASSIGN(taken, take(text, given));
        }
        name += (name.empty() ? "" : " ") + text;
        if (isWhole(given)) {
            PLUMBLINE_TRY(finish());
        }
    }
    return finish();
}

}  // namespace plumbline::data
