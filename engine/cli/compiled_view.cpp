#include "cli/compiled_view.h"

#include <fmt/format.h>

#include "core/text.h"

namespace plumbline::cli {
namespace {

std::string numberOr(const Json& value, const char* format, const char* without = "–") {
    return value.is_number() ? fmt::format(fmt::runtime(format), value.get<double>()) : without;
}

std::string callsText(const Json& unit) {
    return fmt::format("{} of {}", unit.at("compiled_calls").get<std::int64_t>(), unit.at("calls").get<std::int64_t>());
}

std::string differenceText(const Json& value) {
    return value.is_number() ? numberText(value.get<double>(), 2) : value.is_string() ? value.get<std::string>() : "–";
}

std::string outcomeText(const Json& unit) {
    return unit.at("how").is_string() && unit.at("outcome") == "compiled"
               ? fmt::format("compiled ({})", unit.at("how").get<std::string>())
               : unit.at("outcome").get<std::string>();
}

}  // namespace

std::vector<std::vector<std::string>> compiledTable(const Json& report) {
    std::vector<std::vector<std::string>> rows{
        {"block", "outcome", "eager ms", "compiled ms", "speedup", "difference", "calls", "why"}};
    for (const Json& unit : report.at("units")) {
        rows.push_back({oneLine(unit.at("block").get<std::string>()), outcomeText(unit),
                        numberOr(unit.at("eager_ms"), "{:.3f}"), numberOr(unit.at("compiled_ms"), "{:.3f}"),
                        numberOr(unit.at("speedup"), "{:.2f}"), differenceText(unit.at("largest_difference")),
                        unit.at("calls") == 0 ? "–" : callsText(unit), oneLine(unit.at("reason").get<std::string>())});
    }
    const Json& total = report.at("total");
    if (total.at("speedup").is_number()) {
        rows.push_back({"(model)",
                        fmt::format("{} of {}", total.at("compiled_blocks").get<std::int64_t>(),
                                    counted(total.at("blocks").get<std::int64_t>(), "block")),
                        numberOr(total.at("eager_ms"), "{:.3f}"), numberOr(total.at("compiled_ms"), "{:.3f}"),
                        numberOr(total.at("speedup"), "{:.2f}"), differenceText(total.at("largest_difference")), "",
                        ""});
    }
    return rows;
}

std::vector<std::string> compiledLines(const Json& report) {
    std::vector<std::string> lines;
    for (const Json& unit : report.at("units")) {
        const std::string name = oneLine(unit.at("block").get<std::string>());
        if (unit.at("outcome") != "compiled") {
            lines.push_back(fmt::format("{}: eager: {}", name, oneLine(unit.at("reason").get<std::string>())));
            continue;
        }
        lines.push_back(fmt::format("{}: {}, {} times as fast ({} ms, then {} ms), {} calls", name, outcomeText(unit),
                                    numberOr(unit.at("speedup"), "{:.2f}"), numberOr(unit.at("eager_ms"), "{:.3f}"),
                                    numberOr(unit.at("compiled_ms"), "{:.3f}"), callsText(unit)));
        for (const auto& [reason, calls] : unit.at("ran_eager").items()) {
            lines.push_back(
                fmt::format("{}: {} ran eager: {}", name, counted(calls.get<std::int64_t>(), "call"), oneLine(reason)));
        }
    }
    return lines;
}

}  // namespace plumbline::cli
