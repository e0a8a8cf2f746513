#pragma once
// Reading JSON so that every mistake is one sentence with its JSON pointer.

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/json_fwd.h"

namespace plumbline {

/// Parses text; a mistake is told with line and column, nesting past 256 levels and texts past 1 GiB are refused.
/// A key that stands twice in one object is an error as well. `name` is what the message calls the text.
Result<Json> parseJson(std::string_view text, const std::string& name);
Result<Json> readJsonFile(const std::filesystem::path& file);
/// Two spaces an indent, small arrays on one line, a newline at the end. Numbers survive reading back exactly.
std::string formatJson(const Json& value);
/// Writes atomically (see files.h).
Status writeJsonFile(const std::filesystem::path& file, const Json& value);

/// JSON has no NaN and no infinity: they travel as texts.
Json numberToJson(double value);
/// Reads what numberToJson() wrote; null and whatever else is no number is NaN.
double numberFromJson(const Json& value);

/// "int", "list", … as a person calls it.
std::string_view typeName(const Json& value);
/// One step down a JSON pointer, with ~ and / escaped.
std::string pointerTo(const std::string& parent, std::string_view key);
std::string pointerTo(const std::string& parent, std::size_t index);
/// JSON pointer of a dotted path: "training.optimizer.lr" gives "/training/optimizer/lr".
std::string pointerOfDottedPath(std::string_view dotted);

/// An object that is being read: remembers which keys were asked for, so that what is left over is an error.
///
///     JsonObject object(json, "/training");
///     auto seed = object.integer("seed", 0);
///     PLUMBLINE_TRY(object.finish());
///
/// The first error is kept; later reads give defaults and finish() returns it.
class JsonObject {
public:
    JsonObject(const Json& value, std::string pointer);

    bool has(std::string_view key) const;
    /// The member, or nullptr; marks it as read.
    const Json* find(std::string_view key);

    std::string string(std::string_view key, std::string fallback);
    std::string requiredString(std::string_view key);
    std::int64_t integer(std::string_view key, std::int64_t fallback);
    double number(std::string_view key, double fallback);
    bool boolean(std::string_view key, bool fallback);

    /// Keeps `error` if none was kept before.
    void addError(Error error);
    void wrongType(std::string_view key, std::string_view wanted);
    const std::string& pointer() const { return m_pointer; }
    /// The first error, or an error about the first key that nobody asked for (with the nearest known one).
    Status finish();

private:
    const Json& m_value;
    std::string m_pointer;
    std::vector<std::string> m_known;
    Error m_error;
    bool m_failed = false;
};

/// RFC 6902 with all six operations; nothing is changed unless every operation holds.
Result<Json> applyJsonPatch(const Json& document, const Json& patch);

/// The closest of `candidates` to `word` by edit distance, or empty when none is near.
std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace plumbline
