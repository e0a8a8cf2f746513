#include "sweep/parameter.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "core/text.h"

namespace plumbline::sweep {
namespace {

constexpr std::int64_t kMostSteps = 1'000'000;
const char* const kHint =
    "Write it as training.optimizer.lr=0.1,0.01, …=16..128 or …=log:1e-5..1e-1; /5 behind a range takes 5 values of "
    "it.";

tl::unexpected<Error> refused(const std::string& text, const std::string& why) {
    return fail(ErrorKind::kUsage, "bad-parameter",
                fmt::format("The parameter \"{}\" {}", shortened(oneLine(text)), why), {}, kHint);
}

template <typename T>
std::optional<T> numberOf(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                     : std::nullopt;
}

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string()
                                           : std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

/// Values between commas; a comma inside brackets, braces or quotation marks belongs to its value.
std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> values(1);
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        quoted = letter == '"' && (i == 0 || text[i - 1] != '\\') ? !quoted : quoted;
        depth += quoted ? 0 : letter == '[' || letter == '{' ? 1 : letter == ']' || letter == '}' ? -1 : 0;
        if (letter == ',' && depth == 0 && !quoted) {
            values.emplace_back();
        } else {
            values.back() += letter;
        }
    }
    for (std::string& value : values) {
        value = trimmed(value);
    }
    return values;
}

Result<Parameter> range(Parameter parameter, std::string_view ends, const std::string& text) {
    if (const std::size_t slash = ends.find('/'); slash != std::string_view::npos) {
        const auto steps = numberOf<std::int64_t>(ends.substr(slash + 1));
        if (!steps || *steps < 2 || *steps > kMostSteps) {
            return refused(text, fmt::format("takes from 2 to {} values of its range", kMostSteps));
        }
        parameter.steps = *steps;
        ends = ends.substr(0, slash);
    }
    const std::size_t dots = ends.find("..");
    const std::string from = trimmed(ends.substr(0, dots)), to = trimmed(ends.substr(dots + 2));
    const auto low = numberOf<double>(from), high = numberOf<double>(to);
    if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high)) {
        return refused(
            text, fmt::format("has a range whose ends are not numbers: {} and {}", shortened(from), shortened(to)));
    }
    if (*low >= *high) {
        return refused(
            text, fmt::format("has a range that ends at {} and starts at {}", numberText(*high), numberText(*low)));
    }
    if (parameter.logarithmic && *low <= 0) {
        return refused(text,
                       fmt::format("is a logarithmic range from {}, and it has to start above 0", numberText(*low)));
    }
    parameter.low = *low;
    parameter.high = *high;
    parameter.integer = numberOf<std::int64_t>(from).has_value() && numberOf<std::int64_t>(to).has_value();
    for (std::int64_t place = 1; parameter.integer && place < parameter.steps; ++place) {
        if (parameter.gridValue(place) == parameter.gridValue(place - 1)) {
            return refused(text, fmt::format("takes {} values of its range, of which {} would come twice",
                                             parameter.steps, parameter.gridValue(place)));
        }
    }
    return parameter;
}

}  // namespace

std::string Parameter::at(double share) const {
    const double place = std::clamp(share, 0.0, 1.0);
    if (!isRange()) {
        const auto last = static_cast<double>(choices.size() - 1);
        return choices[static_cast<std::size_t>(
            std::min(std::floor(place * static_cast<double>(choices.size())), last))];
    }
    // A whole number has its neighbourhood of half a unit, so that the ends are as likely as the others.
    const double from = integer ? low - 0.5 : low, to = integer ? high + 0.5 : high;
    const double least = logarithmic && integer ? std::max(from, 0.5) : from;
    const double value = logarithmic ? least * std::pow(to / least, place) : least + (to - least) * place;
    return integer ? fmt::format("{}", std::clamp(std::llround(value), std::llround(low), std::llround(high)))
                   : fmt::format("{}", std::clamp(value, low, high));
}

std::string Parameter::gridValue(std::int64_t place) const {
    if (!isRange()) {
        return choices[static_cast<std::size_t>(place)];
    }
    const double share = static_cast<double>(place) / static_cast<double>(steps - 1);
    const double value = logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share;
    return integer ? fmt::format("{}", std::llround(value))
                   : fmt::format("{}", place == 0           ? low
                                       : place + 1 == steps ? high
                                                            : value);
}

Result<Parameter> parseParameter(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        return refused(text, "names no setting and its values");
    }
    Parameter parameter;
    parameter.path = trimmed(std::string_view(text).substr(0, equals));
    std::string_view values = std::string_view(text).substr(equals + 1);
    if (values.starts_with("log:")) {
        parameter.logarithmic = true;
        values.remove_prefix(4);
        if (values.find("..") == std::string_view::npos) {
            return refused(text, "says log: and gives no range");
        }
    }
    // "../data.csv" is a path, and "1..2" a range: a range begins with a number.
    const std::size_t dots = values.find("..");
    if (parameter.logarithmic ||
        (dots != std::string_view::npos && dots > 0 && numberOf<double>(trimmed(values.substr(0, dots))))) {
        return range(std::move(parameter), values, text);
    }
    parameter.choices = split(values);
    if (std::any_of(parameter.choices.begin(), parameter.choices.end(),
                    [](const std::string& value) { return value.empty(); })) {
        return refused(text, "has a value that is empty");
    }
    for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
        if (std::find(parameter.choices.begin(), parameter.choices.begin() + static_cast<std::ptrdiff_t>(i),
                      parameter.choices[i]) != parameter.choices.begin() + static_cast<std::ptrdiff_t>(i)) {
            return refused(text, fmt::format("names the value {} twice", shortened(parameter.choices[i])));
        }
    }
    return parameter;
}

}  // namespace plumbline::sweep
