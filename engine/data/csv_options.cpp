#include "data/csv_options.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace plumbline::data {
namespace {

std::optional<MissingPolicy> parsePolicy(const Json& value) {
    static constexpr std::array kNames = {"error", "mean", "median", "most_frequent", "drop_row"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (value == kNames[i]) {
            return static_cast<MissingPolicy>(i);
        }
    }
    return std::nullopt;
}

constexpr std::string_view kPolicies = "\"error\", \"mean\", \"median\", \"most_frequent\" or \"drop_row\"";

void readMissing(JsonObject& object, CsvOptions& options) {
    const Json* value = object.find("missing");
    if (value == nullptr) {
        return;
    }
    if (value->is_object()) {
        for (const auto& [column, item] : value->items()) {
            const auto policy = parsePolicy(item);
            if (!policy) {
                const std::string pointer = pointerTo(pointerTo(object.pointer(), "missing"), column);
                object.addError({ErrorKind::kInvalid, "missing-policy",
                                 fmt::format("{} has to be {}", pointer, kPolicies), pointer,
                                 "\"error\" names the row; \"drop_row\" leaves it out; the others fill it in."});
                return;
            }
            options.missingOfColumn[column] = *policy;
        }
    } else if (const auto policy = parsePolicy(*value)) {
        options.missing = *policy;
    } else {
        const std::string pointer = pointerTo(object.pointer(), "missing");
        object.addError(
            {ErrorKind::kInvalid, "missing-policy",
             fmt::format("{} has to be {}, or an object with one of these for each column", pointer, kPolicies),
             pointer, "\"error\" names the row; \"drop_row\" leaves it out; the others fill it in."});
    }
}

char readCharacter(JsonObject& object, std::string_view key, char fallback, std::string_view refused) {
    const std::string text = object.string(key, std::string(1, fallback));
    if (text == "\\t" || text == "tab") {
        return '\t';
    }
    if (text.size() != 1 || refused.find(text[0]) != std::string_view::npos ||
        static_cast<unsigned char>(text[0]) >= 0x80) {
        const std::string pointer = pointerTo(object.pointer(), key);
        object.addError({ErrorKind::kInvalid, "csv-character", fmt::format("{} has to be a single character", pointer),
                         pointer, "Usual are \",\", \";\" and \"\\t\"."});
        return fallback;
    }
    return text[0];
}

}  // namespace

MissingPolicy CsvOptions::missingPolicy(std::string_view column) const {
    const auto it = missingOfColumn.find(column);
    return it == missingOfColumn.end() ? missing : it->second;
}

ColumnType CsvOptions::typeOf(std::string_view column) const {
    const auto it = types.find(column);
    return it == types.end() ? ColumnType::kInferred : it->second;
}

Result<CsvOptions> readCsvOptions(const Json& json, const std::string& pointer) {
    CsvOptions options;
    JsonObject object(json, pointer);
    object.requiredString("type");
    options.path = object.requiredString("path");
    options.delimiter = readCharacter(object, "delimiter", ',', "\"\r\n");
    options.header = object.boolean("header", true);
    const std::string decimal = object.string("decimal", ".");
    if (decimal != "." && decimal != ",") {
        object.addError({ErrorKind::kInvalid, "csv-character", "\"decimal\" has to be \".\" or \",\"",
                         pointerTo(pointer, "decimal"), "Write the one that the file has in its numbers."});
    } else {
        options.decimal = decimal[0];
    }
    readMissing(object, options);
    if (const Json* types = object.find("types"); types != nullptr) {
        if (!types->is_object()) {
            object.wrongType("types", "an object of columns");
        } else {
            for (const auto& [column, type] : types->items()) {
                if (type != "numeric" && type != "categorical") {
                    const std::string at = pointerTo(pointerTo(pointer, "types"), column);
                    object.addError({ErrorKind::kInvalid, "column-type",
                                     fmt::format("{} has to be \"numeric\" or \"categorical\"", at), at,
                                     "Leave it out to have it told by the values."});
                }
                options.types[column] = type == "numeric" ? ColumnType::kNumeric : ColumnType::kCategorical;
            }
        }
    }
    if (const Json* ignore = object.find("ignore"); ignore != nullptr) {
        if (!ignore->is_array() ||
            !std::all_of(ignore->begin(), ignore->end(), [](const Json& item) { return item.is_string(); })) {
            object.wrongType("ignore", "a list of columns");
        } else {
            options.ignore = ignore->get<std::vector<std::string>>();
        }
    }
    PLUMBLINE_TRY(object.finish());
    if (options.path.empty()) {
        return fail(ErrorKind::kInvalid, "missing-path", "The source has an empty path", pointerTo(pointer, "path"),
                    "Name a file, or a folder of images.");
    }
    if (options.delimiter == options.decimal) {
        return fail(ErrorKind::kInvalid, "csv-character", "\"delimiter\" and \"decimal\" are the same character",
                    pointerTo(pointer, "decimal"), "With a decimal comma the delimiter is usually \";\".");
    }
    return options;
}

bool isMissing(std::string_view field) {
    if (field.size() > 4) {
        return false;
    }
    std::string lower(field);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower.empty() || lower == "na" || lower == "n/a" || lower == "nan" || lower == "null" || lower == "?";
}

}  // namespace plumbline::data
