// "csv": a table in memory. Numbers are given as float64, text as class indices.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/text.h"
#include "data/csv_input.h"
#include "data/csv_table.h"
#include "data/sources.h"

namespace plumbline::data {
namespace {

class CsvSource final : public Source {
public:
    CsvSource(std::filesystem::path file, CsvOptions options) : m_table(std::move(file), std::move(options)) {}

    Status load(const OpenContext& context);

    std::int64_t size() const override { return m_table.rows(); }
    const std::vector<Field>& fields() const override { return m_fields; }
    const std::byte* view(std::size_t field, std::int64_t row) const override {
        const CsvColumn& column = m_table.columns()[field];
        return column.numeric ? reinterpret_cast<const std::byte*>(&m_table.number(column, row)) : nullptr;
    }
    Status read(std::size_t field, std::int64_t row, std::byte* out) const override {
        const CsvColumn& column = m_table.columns()[field];
        if (column.numeric) {
            std::memcpy(out, view(field, row), sizeof(double));
        } else {
            const std::int64_t index = m_table.category(column, row);
            std::memcpy(out, &index, sizeof(index));
        }
        return {};
    }
    Status prepare(const std::vector<std::int64_t>& trainRows) override;
    std::uint64_t contentHash() const override { return m_table.contentHash(); }
    std::size_t residentBytes() const override { return m_table.bytes(); }
    bool droppedRows() const override { return m_table.droppedRows(); }
    std::vector<std::string> warnings() const override {
        std::vector<std::string> all = m_table.warnings();
        all.insert(all.end(), m_warnings.begin(), m_warnings.end());
        return all;
    }
    std::string placeOf(std::size_t field, std::int64_t row) const override {
        return fmt::format("{}, row {}, column \"{}\"", m_table.file().filename().string(), m_table.rowInFile(row),
                           shortened(m_fields[field].name));
    }
    Status parse(const std::string& text, const std::vector<std::size_t>& fields,
                 const std::vector<std::byte*>& out) const override {
        return CsvInput(m_table, fields, m_folder).parse(text, out);
    }
    Status samplesOf(const std::vector<std::string>& texts, const std::vector<std::size_t>& fields,
                     const EachSample& each) const override {
        return CsvInput(m_table, fields, m_folder).each(texts, each);
    }
    std::string inputHint(const std::vector<std::size_t>& fields) const override {
        return CsvInput(m_table, fields, m_folder).hint();
    }
    RawForm rawForm(std::size_t field) const override;

private:
    void describeFields();
    tl::unexpected<Error> nothingToFillWith(const CsvColumn& column) const;
    Status imputeNumbers(CsvColumn& column, const std::vector<std::int64_t>& trainRows);
    Status imputeCategories(CsvColumn& column, const std::vector<std::int64_t>& trainRows);

    CsvTable m_table;
    std::filesystem::path m_folder;  ///< of the project
    std::vector<Field> m_fields;
    std::vector<std::string> m_warnings;  ///< of filling gaps
};

void CsvSource::describeFields() {
    for (const CsvColumn& column : m_table.columns()) {
        Field field;
        field.name = column.name;
        field.inAll = !column.ignored;
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
    m_folder = context.folder;
    PLUMBLINE_TRY(m_table.read(context));
    describeFields();
    return {};
}

bool fills(const CsvColumn& column) {
    return column.policy == MissingPolicy::kMostFrequent ||
           (column.numeric && (column.policy == MissingPolicy::kMean || column.policy == MissingPolicy::kMedian));
}

Status CsvSource::prepare(const std::vector<std::int64_t>& trainRows) {
    for (CsvColumn& column : m_table.columns()) {
        // What fills gaps here fills those of later inputs too, whether or not this file has any.
        if (m_table.anyMissing() || fills(column)) {
            PLUMBLINE_TRY(column.numeric ? imputeNumbers(column, trainRows) : imputeCategories(column, trainRows));
        }
    }
    return {};
}

tl::unexpected<Error> CsvSource::nothingToFillWith(const CsvColumn& column) const {
    return fail(ErrorKind::kInvalid, "column-empty",
                fmt::format("{}: the column \"{}\" has no value in the training split to fill its gaps with",
                            m_table.file().string(), column.name),
                m_table.file().string(), "Leave it out with \"ignore\".");
}

Status CsvSource::imputeNumbers(CsvColumn& column, const std::vector<std::int64_t>& trainRows) {
    const auto at = [&](std::int64_t row) -> double& { return m_table.number(column, row); };
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
    if (fills(column) && !present.empty()) {
        column.fill = fmt::format("{}", value);
        std::replace(column.fill.begin(), column.fill.end(), '.', m_table.options().decimal);
    }
    std::int64_t filled = 0;
    for (std::int64_t row = 0; row < m_table.rows(); ++row) {
        if (std::isnan(at(row))) {
            if (present.empty()) {
                return nothingToFillWith(column);
            }
            at(row) = value;
            ++filled;
        }
    }
    if (filled > 0) {
        const std::string file = m_table.file().filename().string();
        m_warnings.push_back(
            filled == 1
                ? fmt::format("{}: 1 missing value of \"{}\" was filled with {}", file, column.name, value)
                : fmt::format("{}: {} missing values of \"{}\" were filled with {}", file, filled, column.name, value));
    }
    return {};
}

Status CsvSource::imputeCategories(CsvColumn& column, const std::vector<std::int64_t>& trainRows) {
    const auto at = [&](std::int64_t row) -> std::int32_t& { return m_table.category(column, row); };
    std::vector<std::int64_t> counts(column.categories.size());
    for (const std::int64_t row : trainRows) {
        if (at(row) != kMissingCategory) {
            ++counts[static_cast<std::size_t>(at(row))];
        }
    }
    const auto best = std::max_element(counts.begin(), counts.end());
    if (fills(column) && best != counts.end() && *best > 0) {
        column.fill = column.categories[static_cast<std::size_t>(best - counts.begin())];
    }
    std::int64_t filled = 0;
    for (std::int64_t row = 0; row < m_table.rows(); ++row) {
        if (at(row) != kMissingCategory) {
            continue;
        }
        if (column.policy != MissingPolicy::kMostFrequent) {
            return fail(ErrorKind::kInvalid, "missing-value",
                        fmt::format("{}: the column \"{}\" is text, has gaps, and text has no mean or median",
                                    m_table.file().string(), column.name),
                        m_table.file().string(),
                        "Set \"missing\" of this column to \"most_frequent\" or \"drop_row\".");
        }
        if (*best == 0) {
            return nothingToFillWith(column);
        }
        at(row) = static_cast<std::int32_t>(best - counts.begin());
        ++filled;
    }
    if (filled > 0) {
        const std::string file = m_table.file().filename().string();
        const std::string& text = column.categories[static_cast<std::size_t>(best - counts.begin())];
        m_warnings.push_back(
            filled == 1 ? fmt::format("{}: 1 missing value of \"{}\" was filled with \"{}\"", file, column.name, text)
                        : fmt::format("{}: {} missing values of \"{}\" were filled with \"{}\"", file, filled,
                                      column.name, text));
    }
    return {};
}

RawForm CsvSource::rawForm(std::size_t field) const {
    const CsvColumn& column = m_table.columns()[field];
    RawForm form;
    form.kind = RawForm::Kind::kColumn;
    form.column = column.name;
    form.position = column.position;
    form.fileColumns = m_table.header().size();
    form.categories = column.categories;
    form.fill = column.fill;
    form.delimiter = m_table.options().delimiter;
    form.decimal = m_table.options().decimal;
    return form;
}

Status checkOptions(const Json& options, const std::string& pointer) {
    PLUMBLINE_TRY(readCsvOptions(options, pointer));
    return {};
}

Result<std::unique_ptr<Source>> open(const SourceSpec& spec, const OpenContext& context) {
    PLUMBLINE_ASSIGN(CsvOptions options, readCsvOptions(spec.options, context.pointer));
    const std::filesystem::path file = context.resolve(options.path);
    auto source = std::make_unique<CsvSource>(file, std::move(options));
    PLUMBLINE_TRY(source->load(context));
    return source;
}

}  // namespace

SourceType csvSource() {
    return {"csv",
            {},
            "A table with a header, one sample a row.",
            {"path"},
            {"delimiter", "header", "decimal", "missing", "types", "ignore"},
            &checkOptions,
            &open};
}

}  // namespace plumbline::data
