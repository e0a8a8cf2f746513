#include "data/csv_reader.h"

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>

#include "core/files.h"
#include "data/source.h"

namespace plumbline::data {
namespace {

constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxFields = 1'000'000;

bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

}  // namespace

Result<CsvReader> CsvReader::open(const std::filesystem::path& file, char delimiter) {
    PLUMBLINE_TRY(regularFileSize(file));
    std::unique_ptr<std::FILE, Close> handle(std::fopen(file.c_str(), "rb"));
    if (handle == nullptr) {
        return fail(fileError(errno, "read", file));
    }
    CsvReader reader(file, delimiter, std::move(handle));
    reader.peek();
    const std::string_view start(reader.m_buffer.data(), std::min<std::size_t>(reader.m_filled, 3));
    if (start == "\xEF\xBB\xBF") {
        reader.m_at = 3;
    } else if (start.substr(0, 2) == "\xFF\xFE" || start.substr(0, 2) == "\xFE\xFF") {
        return fail(ErrorKind::kInvalid, "csv-encoding", fmt::format("{} is UTF-16", file.string()), file.string(),
                    "Save it as UTF-8.");
    }
    return reader;
}

int CsvReader::peek() {
    if (m_at == m_filled) {
        m_at = 0;
        m_filled = std::fread(m_buffer.data(), 1, m_buffer.size(), m_handle.get());
        if (m_filled == 0) {
            if (std::ferror(m_handle.get()) != 0) {
                m_readFailed = true;
                m_readErrno = errno;
            }
            return -1;
        }
    }
    return static_cast<unsigned char>(m_buffer[m_at]);
}

std::string_view CsvReader::field(std::size_t index) const {
    return std::string_view(m_record).substr(m_starts[index], m_ends[index] - m_starts[index]);
}

tl::unexpected<Error> CsvReader::problem(std::string code, std::string message, std::string hint) const {
    return fail(ErrorKind::kInvalid, std::move(code),
                fmt::format("{}, row {}: {}", m_file.filename().string(), m_row + 1, message),
                fmt::format("{}:{}", m_file.string(), m_row + 1), std::move(hint));
}

Status CsvReader::requireFields(std::size_t count) const {
    if (fieldCount() != count) {
        return fail(ErrorKind::kInvalid, "csv-ragged",
                    fmt::format("{}, row {}: the row has {} fields and the first row has {}",
                                m_file.filename().string(), m_row, fieldCount(), count),
                    fmt::format("{}:{}", m_file.string(), m_row),
                    "Correct the row; a field with the delimiter in it has to be in quotation marks.");
    }
    return {};
}

Result<bool> CsvReader::next() {
    for (;;) {
        if (peek() < 0) {
            if (m_readFailed) {
                return fail(fileError(m_readErrno, "read", m_file));
            }
            return false;
        }
        PLUMBLINE_TRY(readRecord());
        ++m_row;
        const bool empty = m_ends.size() == 1 && m_starts[0] == m_ends[0];
        if (!empty) {
            return true;
        }
    }
}

void CsvReader::readPlain() {
    for (;;) {
        if (peek() < 0) {
            return;
        }
        const std::size_t start = m_at;
        while (m_at < m_filled && m_buffer[m_at] != m_delimiter && m_buffer[m_at] != '\n' && m_buffer[m_at] != '\r') {
            ++m_at;
        }
        m_record.append(m_buffer, start, m_at - start);
        if (m_at < m_filled || m_record.size() > kMaxRecordBytes) {
            return;
        }
    }
}

Status CsvReader::readQuoted() {
    ++m_at;  // the opening quote
    for (;;) {
        if (peek() < 0) {
            return problem("csv-quote", "a quoted field is never closed",
                           "Add the missing quotation mark (\"), or double it inside the field.");
        }
        const std::size_t start = m_at;
        while (m_at < m_filled && m_buffer[m_at] != '"') {
            ++m_at;
        }
        m_record.append(m_buffer, start, m_at - start);
        if (m_record.size() > kMaxRecordBytes) {
            return problem("csv-quote", "a quoted field is longer than 64 MiB",
                           "A quotation mark (\") is probably missing.");
        }
        if (m_at == m_filled) {
            continue;
        }
        ++m_at;
        if (peek() != '"') {
            return {};
        }
        m_record += '"';
        ++m_at;
    }
}

Status CsvReader::readRecord() {
    m_record.clear();
    m_starts.clear();
    m_ends.clear();
    for (;;) {
        const std::size_t start = m_record.size();
        while (peek() >= 0 && isBlank(m_buffer[m_at]) && m_buffer[m_at] != m_delimiter) {
            ++m_at;
        }
        std::size_t end = 0;
        if (peek() == '"') {
            PLUMBLINE_TRY(readQuoted());
            end = m_record.size();
            while (peek() >= 0 && isBlank(m_buffer[m_at]) && m_buffer[m_at] != m_delimiter) {
                ++m_at;
            }
            const int after = peek();
            if (after >= 0 && after != static_cast<unsigned char>(m_delimiter) && after != '\n' && after != '\r') {
                return problem("csv-quote",
                               fmt::format("field {} goes on after its closing quotation mark", m_ends.size() + 1),
                               "Double the quotation marks inside the field (\"\").");
            }
        } else {
            readPlain();
            end = m_record.size();
            while (end > start && isBlank(m_record[end - 1])) {
                --end;
            }
        }
        m_starts.push_back(start);
        m_ends.push_back(end);
        if (m_record.size() > kMaxRecordBytes || m_ends.size() > kMaxFields) {
            return problem("csv-record", "the row is longer than 64 MiB or a million fields", "Is this a CSV file?");
        }
        const int after = peek();
        if (after == static_cast<unsigned char>(m_delimiter)) {
            ++m_at;
            continue;
        }
        if (after == '\r') {
            ++m_at;
            if (peek() == '\n') {
                ++m_at;
            }
        } else if (after == '\n') {
            ++m_at;
        }
        return {};
    }
}

std::string csvQuoted(const std::string& text, char delimiter) {
    const bool plain = !text.empty() && text.find_first_of("\"\r\n") == std::string::npos &&
                       text.find(delimiter) == std::string::npos && text.front() != ' ' && text.front() != '\t' &&
                       text.back() != ' ' && text.back() != '\t';
    if (plain) {
        return text;
    }
    std::string result = "\"";
    for (const char c : text) {
        result += c == '"' ? "\"\"" : std::string(1, c);
    }
    return result + "\"";
}

}  // namespace plumbline::data
