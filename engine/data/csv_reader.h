#pragma once
// Records of a CSV file, streamed: RFC 4180 with LF or CRLF, a byte order mark, quoted fields over several lines.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace plumbline::data {

/// A field as it is written into such a file: in quotation marks where a reader needs them.
std::string csvQuoted(const std::string& text, char delimiter);

class CsvReader {
public:
    static Result<CsvReader> open(const std::filesystem::path& file, char delimiter);

    /// The next record, false at the end of the file. Empty lines are left out.
    Result<bool> next();
    std::size_t fieldCount() const { return m_ends.size(); }
    /// Valid until the next call of next(). Unquoted fields come without spaces around them.
    std::string_view field(std::size_t index) const;
    /// An error that names the row unless the current record has `count` fields.
    Status requireFields(std::size_t count) const;
    /// Row of the current record as a spreadsheet counts: the first record is 1.
    std::int64_t row() const { return m_row; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    CsvReader(std::filesystem::path file, char delimiter, std::unique_ptr<std::FILE, Close> handle)
        : m_file(std::move(file)),
          m_delimiter(delimiter),
          m_handle(std::move(handle)),
          m_buffer(std::size_t{1} << 18, '\0') {}
    /// Next byte, or -1 at the end.
    int peek();
    Status readRecord();
    Status readQuoted();
    void readPlain();
    tl::unexpected<Error> problem(std::string code, std::string message, std::string hint) const;

    std::filesystem::path m_file;
    char m_delimiter;
    std::unique_ptr<std::FILE, Close> m_handle;
    std::string m_buffer;
    std::size_t m_at = 0;
    std::size_t m_filled = 0;
    bool m_readFailed = false;
    int m_readErrno = 0;

    std::string m_record;               ///< the fields' text, one after another
    std::vector<std::size_t> m_starts;  ///< trimmed
    std::vector<std::size_t> m_ends;
    std::int64_t m_row = 0;
};

}  // namespace plumbline::data
