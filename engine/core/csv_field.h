#pragma once
// A text as one field of a CSV row (RFC 4180).

#include <string>
#include <string_view>

namespace plumbline {

/// In quotation marks, with those inside doubled, where a comma, a quotation mark or a line break would end it; else as
/// it is.
inline std::string csvField(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string(text);
    }
    std::string field = "\"";
    for (const char each : text) {
        field += each == '"' ? "\"\"" : std::string(1, each);
    }
    return field + '"';
}

}  // namespace plumbline
