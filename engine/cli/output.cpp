#include "cli/output.h"

#include "cli/output_arrived.h"
#include "core/text.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>

namespace plumbline::cli {
namespace {

constexpr std::size_t kLongestText = 1000;

/// Columns a terminal needs for UTF-8 text without wide characters.
std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool looksNumeric(const std::string& text) {
    return !text.empty() &&
           (std::isdigit(static_cast<unsigned char>(text[0])) != 0 ||
            (text[0] == '-' && text.size() > 1 && std::isdigit(static_cast<unsigned char>(text[1])) != 0));
}

/// A sentence on one line, without the middle of what a file or a person put into it at length.
std::string brief(const std::string& sentence) {
    std::string text = withShortQuotes(oneLine(sentence));
    if (text.size() <= kLongestText) {
        return text;
    }
    std::size_t head = kLongestText / 2, tail = text.size() - kLongestText / 2;
    const auto inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; };
    while (head > 0 && inside(head)) {
        --head;
    }
    while (tail < text.size() && inside(tail)) {
        ++tail;
    }
    return text.substr(0, head) + " … " + text.substr(tail);
}

}  // namespace

void Output::document(const Json& document) const {
    if (m_json) {
        // Invalid UTF-8 (a file name, say) becomes the replacement character instead of an exception.
        const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }
}

void Output::line(const std::string& text) const {
    if (!m_json) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fputc('\n', stdout);
        std::fflush(stdout);
    }
}

void Output::table(const std::vector<std::vector<std::string>>& given) const {
    if (m_json || given.empty()) {
        return;
    }
    std::vector<std::vector<std::string>> rows = given;
    for (auto& row : rows) {
        std::transform(row.begin(), row.end(), row.begin(), oneLine);
    }
    std::vector<std::size_t> widths(rows[0].size(), 0);
    std::vector<bool> numeric(rows[0].size(), rows.size() > 1);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < widths.size(); ++c) {
            widths[c] = std::max(widths[c], widthOf(rows[r][c]));
            numeric[c] = numeric[c] && (r == 0 || rows[r][c].empty() || looksNumeric(rows[r][c]));
        }
    }
    for (const auto& row : rows) {
        std::string text;
        for (std::size_t c = 0; c < widths.size(); ++c) {
            const std::string padding(widths[c] - widthOf(row[c]), ' ');
            text += numeric[c] ? padding + row[c] : row[c] + padding;
            text += "  ";
        }
        text.erase(text.find_last_not_of(' ') + 1);
        line(text);
    }
}

void Output::message(const std::string& text) const {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fputc('\n', stderr);
}

Status outputArrived() {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
        return {};
    }
    pollfd descriptor{STDOUT_FILENO, POLLOUT, 0};
    if (poll(&descriptor, 1, 0) == 1 && (descriptor.revents & POLLERR) != 0) {
        return {};
    }
    return fail(ErrorKind::kMachine, "output-failed", "The output could not be written", {},
                "Check the disk or the program that reads it.");
}

int Output::failure(const Error& full) const {
    Error error = full;
    const bool placeIsNamed = full.message.find(full.where) != std::string::npos;
    for (std::string* text : {&error.message, &error.where, &error.hint}) {
        *text = brief(*text);
    }
    document(Json{
        {"error", {{"code", error.code}, {"message", error.message}, {"where", error.where}, {"hint", error.hint}}}});
    if (placeIsNamed) {
        error.where.clear();
    }
    message("plumbline: " + toSentence(error));
    return error.exitCode();
}

std::string countText(double value) {
    if (value < 100000) {
        std::string digits = fmt::format("{:.0f}", value);
        for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
            digits.insert(static_cast<std::size_t>(at), ",");
        }
        return digits;
    }
    const char* units[] = {"k", "M", "G", "T", "P", "E"};
    int unit = -1;
    while (value >= 1000 && unit < 5) {
        value /= 1000;
        ++unit;
    }
    return fmt::format("{:.2f} {}", value, units[unit]);
}

std::string bytesText(double bytes) {
    const char* units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    while (bytes >= 1000 && unit < 4) {
        bytes /= 1000;
        ++unit;
    }
    return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string secondsText(double seconds) {
    if (seconds > 0 && seconds < 0.1) {
        return fmt::format("{:.3g} ms", 1000 * seconds);
    }
    if (seconds < 10) {
        return fmt::format("{:.1f} s", seconds);
    }
    const auto whole = static_cast<long long>(seconds + 0.5);
    if (whole < 3600) {
        return fmt::format("{}:{:02}", whole / 60, whole % 60);
    }
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace plumbline::cli
