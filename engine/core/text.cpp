#include "core/text.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace plumbline {
namespace {

/// The control character that begins at `at` takes so many bytes; 0: there is none. U+0080 to U+009F count as such.
std::size_t controlAt(std::string_view text, std::size_t at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 || byte == 0x7F) {
        return 1;
    }
    return byte == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0x80 &&
                   static_cast<unsigned char>(text[at + 1]) < 0xA0
               ? 2
               : 0;
}

/// A character that turns the order of what is shown, or breaks the line (U+2028 to U+202E, U+2066 to U+2069), takes so
/// many bytes; 0: there is none.
std::size_t turnAt(std::string_view text, std::size_t at) {
    if (text.size() - at < 3 || text[at] != '\xE2') {
        return 0;
    }
    const auto second = static_cast<unsigned char>(text[at + 1]), third = static_cast<unsigned char>(text[at + 2]);
    const bool turns =
        (second == 0x80 && third >= 0xA8 && third <= 0xAE) || (second == 0x81 && third >= 0xA6 && third <= 0xA9);
    return turns ? 3 : 0;
}

bool continues(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

std::string numberText(double value, int digits) {
    return fmt::format("{:.{}g}", std::isnan(value) ? std::abs(value) : value, digits);
}

bool isUtf8(std::string_view text) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t i = 0;
    while (i < text.size()) {
        const unsigned char lead = bytes[i];
        if (lead == 0) {
            return false;
        }
        if (lead < 0x80) {
            ++i;
            continue;
        }
        const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        if (lead < 0xC2 || lead > 0xF4 || i + more >= text.size()) {
            return false;
        }
        for (std::size_t k = 1; k <= more; ++k) {
            if ((bytes[i + k] & 0xC0) != 0x80) {
                return false;
            }
        }
        // Overlong forms, surrogates and values past U+10FFFF.
        const unsigned char second = bytes[i + 1];
        if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
            (lead == 0xF4 && second > 0x8F)) {
            return false;
        }
        i += more + 1;
    }
    return true;
}

bool hasControlCharacter(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (controlAt(text, i) > 0) {
            return true;
        }
    }
    return false;
}

std::string oneLine(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (const std::size_t bytes = std::max(controlAt(text, i), turnAt(text, i)); bytes > 0) {
            text.replace(i, bytes, " ");
        }
    }
    return text;
}

std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) {
        return std::string(text);
    }
    std::size_t end = most;
    while (end > 0 && continues(text[end])) {
        --end;
    }
    return std::string(text.substr(0, end)) + "…";
}

std::string withShortQuotes(const std::string& sentence) {
    std::string result;
    std::size_t at = 0;
    for (;;) {
        const std::size_t open = sentence.find('"', at);
        const std::size_t close = open == std::string::npos ? open : sentence.find('"', open + 1);
        if (close == std::string::npos) {
            return result + sentence.substr(at);
        }
        result += sentence.substr(at, open + 1 - at) +
                  shortened(std::string_view(sentence).substr(open + 1, close - open - 1)) + '"';
        at = close + 1;
    }
}

std::string shellQuoted(std::string_view text) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
    bool plain = !text.empty();
    for (const char c : text) {
        // Bytes of other alphabets mean nothing to a shell.
        plain = plain && (kPlain.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80);
    }
    if (plain) {
        return std::string(text);
    }
    std::string quoted = "'";
    for (const char c : text) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
    if (count == 1) {
        return fmt::format("{} {}", count, one);
    }
    return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

}  // namespace plumbline
