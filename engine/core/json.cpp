#include "core/json.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <unordered_set>

#include "core/files.h"
#include "core/json_errors.h"
#include "core/text.h"

namespace plumbline {
namespace {

constexpr int kMaxDepth = 256;
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
constexpr std::size_t kLineWidth = 110;
constexpr std::size_t kLongestPlace = 200;
constexpr std::size_t kLongestWord = 200;  ///< of one that is compared with others

std::pair<std::size_t, std::size_t> lineAndColumn(std::string_view text, std::size_t byte) {
    byte = std::min(byte, text.size());
    const auto line = static_cast<std::size_t>(std::count(text.begin(), text.begin() + byte, '\n')) + 1;
    const std::size_t start = text.substr(0, byte).rfind('\n');
    return {line, byte - (start == std::string_view::npos ? 0 : start + 1)};
}

bool isShort(const Json& value) {
    if (!value.is_structured()) {
        return true;
    }
    return value.dump().size() <= kLineWidth;
}

void format(const Json& value, std::size_t indent, std::string& out) {
    const bool inlineIt = value.empty() || !value.is_structured() || (indent >= 4 && isShort(value)) ||
                          (value.is_array() && isShort(value));
    if (inlineIt) {
        if (!value.is_structured()) {
            out += value.dump();
            return;
        }
        out += value.is_array() ? '[' : '{';
        bool first = true;
        for (const auto& [key, item] : value.items()) {
            if (!first) {
                out += ", ";
            }
            first = false;
            if (value.is_object()) {
                out += Json(key).dump() + ": ";
            }
            format(item, 1000, out);
        }
        out += value.is_array() ? ']' : '}';
        return;
    }
    out += value.is_array() ? "[\n" : "{\n";
    std::size_t left = value.size();
    for (const auto& [key, item] : value.items()) {
        out.append(indent + 2, ' ');
        if (value.is_object()) {
            out += Json(key).dump() + ": ";
        }
        format(item, indent + 2, out);
        out += --left > 0 ? ",\n" : "\n";
    }
    out.append(indent, ' ');
    out += value.is_array() ? ']' : '}';
}

/// Builds a value from the parser's events. Members are appended: the library's own builder looks every key up among
/// those before it, which takes seconds where an object has ten thousand.
class Builder final : public nlohmann::json_sax<Json> {
public:
    explicit Builder(const std::string& name) : m_name(name) {}
    Json take() { return std::move(m_root); }
    /// A key that is there twice; empty: none.
    const std::string& problem() const { return m_problem; }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }  // no JSON text holds one
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& value) override {
        Level& level = m_open.back();
        if (isTaken(level, value)) {
            m_problem = fmt::format("{} has the key \"{}\" twice in one object", m_name, value);
            return false;
        }
        level.key = std::move(value);
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
        if (const auto* syntax = dynamic_cast<const nlohmann::json::parse_error*>(&error)) {
            throw *syntax;
        }
        if (const auto* range = dynamic_cast<const nlohmann::json::out_of_range*>(&error)) {
            throw *range;
        }
        return false;
    }

private:
    using Members = std::vector<std::pair<const std::string, Json>>;
    static constexpr std::size_t kFew = 16;  ///< so many keys are compared one by one
    struct Level {
        Json* value;
        std::string key;                            ///< of the member that comes next
        std::unordered_set<std::string> keys = {};  ///< of an object with many
    };

    static Members& membersOf(Json& object) { return object.get_ref<Json::object_t&>(); }
    static bool isTaken(Level& level, const std::string& key) {
        const Members& members = membersOf(*level.value);
        if (members.size() < kFew) {
            return std::any_of(members.begin(), members.end(),
                               [&key](const auto& member) { return member.first == key; });
        }
        if (level.keys.empty()) {
            for (const auto& member : members) {
                level.keys.insert(member.first);
            }
        }
        return !level.keys.insert(key).second;
    }
    Json& place(Json value) {
        if (m_open.empty()) {
            return m_root = std::move(value);
        }
        Level& level = m_open.back();
        if (level.value->is_array()) {
            return level.value->get_ref<Json::array_t&>().emplace_back(std::move(value));
        }
        return membersOf(*level.value).emplace_back(std::move(level.key), std::move(value)).second;
    }
    template <class Value>
    bool add(Value&& value) {
        place(Json(std::forward<Value>(value)));
        return true;
    }
    bool open(Json value) {
        m_open.push_back({&place(std::move(value)), {}});
        return true;
    }
    bool close() {
        m_open.pop_back();
        return true;
    }

    const std::string& m_name;
    Json m_root;
    std::vector<Level> m_open;
    std::string m_problem;
};

}  // namespace

Result<Json> parseJson(std::string_view text, const std::string& name) {
    if (text.size() > kMaxBytes) {
        return fail(ErrorKind::kInvalid, "json-too-large",
                    fmt::format("{} has {} bytes, more than 1 GiB", name, text.size()), name,
                    "Check that this is the file you mean.");
    }
    // The nesting is bounded before parsing: the parser keeps one entry a level and the values are freed recursively.
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                inString = false;
            }
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            if (++depth > kMaxDepth) {
                return fail(ErrorKind::kInvalid, "json-too-deep",
                            fmt::format("{} is nested more than {} levels deep", name, kMaxDepth), name,
                            "Correct the file, or restore it from a copy.");
            }
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    try {
        Builder builder(name);
        const bool whole = Json::sax_parse(text, &builder);
        if (!builder.problem().empty()) {
            return fail(ErrorKind::kInvalid, "json-duplicate-key", builder.problem(), name, "Remove one of the two.");
        }
        if (!whole) {
            return fail(ErrorKind::kInvalid, "json-syntax", fmt::format("{} is not valid JSON", name), name,
                        "Correct the file, or restore it from a copy.");
        }
        return builder.take();
    } catch (const nlohmann::json::parse_error& error) {
        const auto [line, column] = lineAndColumn(text, error.byte > 0 ? error.byte - 1 : 0);
        std::string what = error.what();
        // "… at line 1, column 8: syntax error …; last read: '"a": Na'", of which the file's own text is told.
        constexpr std::string_view kLastRead = "read: ";
        if (const auto read = what.find(kLastRead); read != std::string::npos) {
            what = what.substr(read + kLastRead.size());
        } else if (const auto colon = what.find(": "); colon != std::string::npos) {
            what = what.substr(colon + 2);
        }
        // The parser quotes what it read, which need not be text.
        std::replace_if(
            what.begin(), what.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
        const bool truncated = error.byte > text.size();
        return fail(ErrorKind::kInvalid, "json-syntax",
                    truncated
                        ? fmt::format("{} ends in the middle of a value at line {}", name, line)
                        : fmt::format("{} is not valid JSON at line {}, column {}: {}", name, line, column + 1, what),
                    fmt::format("{}:{}:{}", name, line, column + 1), "Correct the file, or restore it from a copy.");
    } catch (const nlohmann::json::out_of_range&) {
        return fail(ErrorKind::kInvalid, "json-syntax",
                    fmt::format("{} holds a number that no computer number is large enough for", name), name,
                    "Correct the file, or restore it from a copy.");
    } catch (const std::bad_alloc&) {
        return fail(ErrorKind::kMachine, "out-of-memory", fmt::format("There is not enough memory to read {}", name),
                    name, "Close other programs.");
    } catch (const std::exception&) {
        return fail(ErrorKind::kInvalid, "json-syntax", fmt::format("{} is not valid JSON", name), name,
                    "Correct the file, or restore it from a copy.");
    }
}

Result<Json> readJsonFile(const std::filesystem::path& file) {
    PLUMBLINE_ASSIGN(const std::string text, readFile(file));
    return parseJson(text, file.string());
}

std::string formatJson(const Json& value) {
    std::string out;
    format(value, 0, out);
    out += '\n';
    return out;
}

Result<std::string> textForFile(const std::filesystem::path& file, const Json& value) {
    try {
        return formatJson(value);
    } catch (const Json::exception&) {
        return fail(ErrorKind::kInvalid, "not-text",
                    fmt::format("Cannot write {}: a text in it is not UTF-8", file.string()), file.string(),
                    "Write names and values as UTF-8.");
    }
}

Status writeJsonFile(const std::filesystem::path& file, const Json& value) {
    PLUMBLINE_ASSIGN(const std::string text, textForFile(file, value));
    return writeFileAtomically(file, text);
}

Json numberToJson(double value) {
    return std::isfinite(value) ? Json(value) : Json(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

double numberFromJson(const Json& value) {
    if (value.is_number()) {
        return value.get<double>();
    }
    return value == "inf"    ? std::numeric_limits<double>::infinity()
           : value == "-inf" ? -std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
}

std::string_view typeName(const Json& value) {
    switch (value.type()) {
        case Json::value_t::null:
            return "null";
        case Json::value_t::object:
            return "an object";
        case Json::value_t::array:
            return "a list";
        case Json::value_t::string:
            return "a text";
        case Json::value_t::boolean:
            return "a boolean";
        case Json::value_t::number_integer:
        case Json::value_t::number_unsigned:
            return "an integer";
        case Json::value_t::number_float:
            return "a number";
        default:
            return "something else";
    }
}

std::string howToWrite(std::string_view wanted) {
    static const std::pair<std::string_view, const char*> kWays[] = {
        {"a number", "Write a number without quotes, as 0.5."},
        {"an integer", "Write a whole number without quotes, as 16."},
        {"true or false", "Write true or false, without quotes."},
        {"a text", "Write a text in quotes, as \"name\"."},
        {"a list", "Write a list in brackets, as [1, 2]."},
        {"an object", "Write an object: members in braces, each a key in quotes with its value."},
    };
    for (const auto& [kind, way] : kWays) {
        if (kind == wanted) {
            return way;
        }
    }
    if (wanted.ends_with(',')) {
        wanted.remove_suffix(1);
    }
    return fmt::format("Write {}.", wanted);
}

Error wrongTypeError(const std::string& pointer, std::string_view wanted, const Json& value) {
    const bool fraction =
        wanted == "an integer" && value.is_number_float();  // "is a number" would not say what is wrong
    return {ErrorKind::kInvalid, "wrong-type",
            fmt::format("{} has to be {} and is {}", pointer, wanted,
                        fraction ? value.dump() : std::string(typeName(value))),
            pointer, howToWrite(wanted)};
}

Error missingKeyError(const std::string& pointer, std::string_view example) {
    return {ErrorKind::kInvalid, "missing-key", fmt::format("{} is missing", pointer), pointer,
            fmt::format("Add it, as {}.", example)};
}

Error unknownKeyError(const std::string& pointer, std::string_view key, const std::vector<std::string>& known) {
    return {ErrorKind::kInvalid, "unknown-key", fmt::format("{} is not a known key", shortened(pointer, kLongestPlace)),
            pointer, didYouMean(key, known, kRemoveIt)};
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& known, std::string otherwise) {
    std::string meant = nearestWord(word, known);
    constexpr std::size_t kShortestBeginning = 3;
    if (meant.empty() && word.size() >= kShortestBeginning) {
        const auto begins = [&](const std::string& each) { return each.starts_with(word); };
        const auto only = std::find_if(known.begin(), known.end(), begins);
        meant = std::count_if(known.begin(), known.end(), begins) == 1 ? *only : "";
    }
    return didYouMean(meant, std::move(otherwise));
}

std::string didYouMean(const std::string& nearest, std::string otherwise) {
    return nearest.empty() ? std::move(otherwise) : fmt::format("Did you mean \"{}\"?", nearest);
}

std::string pointerTo(const std::string& parent, std::string_view key) {
    std::string result = parent + "/";
    for (const char c : key) {
        if (c == '~') {
            result += "~0";
        } else if (c == '/') {
            result += "~1";
        } else {
            result += c;
        }
    }
    return result;
}

std::string pointerTo(const std::string& parent, std::size_t index) {
    return parent + "/" + std::to_string(index);
}

std::string pointerOfDottedPath(std::string_view dotted) {
    std::string pointer;
    while (!dotted.empty()) {
        const std::size_t dot = dotted.find('.');
        pointer = pointerTo(pointer, dotted.substr(0, dot));
        dotted = dot == std::string_view::npos ? std::string_view{} : dotted.substr(dot + 1);
    }
    return pointer;
}

JsonObject::JsonObject(const Json& value, std::string pointer) : m_value(value), m_pointer(std::move(pointer)) {
    if (!value.is_object()) {
        addError({ErrorKind::kInvalid, "wrong-type",
                  fmt::format("{} has to be an object and is {}", m_pointer.empty() ? "the document" : m_pointer,
                              typeName(value)),
                  m_pointer, howToWrite("an object")});
    }
}

bool JsonObject::has(std::string_view key) const {
    return m_value.is_object() && m_value.contains(std::string(key));
}

const Json* JsonObject::find(std::string_view key) {
    m_known.emplace_back(key);
    if (!m_value.is_object()) {
        return nullptr;
    }
    const auto it = m_value.find(std::string(key));
    return it == m_value.end() ? nullptr : &*it;
}

void JsonObject::addError(Error error) {
    if (!m_failed) {
        m_failed = true;
        m_error = std::move(error);
    }
}

void JsonObject::wrongType(std::string_view key, std::string_view wanted) {
    addError(wrongTypeError(pointerTo(m_pointer, key), wanted, m_value.at(std::string(key))));
}

std::string JsonObject::string(std::string_view key, std::string fallback) {
    const Json* value = find(key);
    if (value == nullptr) {
        return fallback;
    }
    if (!value->is_string()) {
        wrongType(key, "a text");
        return fallback;
    }
    return value->get<std::string>();
}

std::string JsonObject::requiredString(std::string_view key) {
    if (!has(key)) {
        addError(missingKeyError(pointerTo(m_pointer, key), fmt::format("\"{}\": \"…\"", key)));
    }
    return string(key, {});
}

std::int64_t JsonObject::integer(std::string_view key, std::int64_t fallback) {
    const Json* value = find(key);
    if (value == nullptr) {
        return fallback;
    }
    if (!value->is_number_integer()) {
        wrongType(key, "an integer");
        return fallback;
    }
    if (value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
        wrongType(key, "an integer below 2^63");
        return fallback;
    }
    return value->get<std::int64_t>();
}

double JsonObject::number(std::string_view key, double fallback) {
    const Json* value = find(key);
    if (value == nullptr) {
        return fallback;
    }
    if (!value->is_number()) {
        wrongType(key, "a number");
        return fallback;
    }
    return value->get<double>();
}

bool JsonObject::boolean(std::string_view key, bool fallback) {
    const Json* value = find(key);
    if (value == nullptr) {
        return fallback;
    }
    if (!value->is_boolean()) {
        wrongType(key, "true or false");
        return fallback;
    }
    return value->get<bool>();
}

Status JsonObject::finish() {
    if (!m_failed && m_value.is_object()) {
        for (const auto& [key, value] : m_value.items()) {
            if (std::find(m_known.begin(), m_known.end(), key) != m_known.end()) {
                continue;
            }
            addError(unknownKeyError(pointerTo(m_pointer, key), key, m_known));
            break;
        }
    }
    if (m_failed) {
        return fail(m_error);
    }
    return {};
}

namespace {

/// "training.optimizer.lr", as settings are written.
std::string dottedPath(const std::string& pointer) {
    std::string path;
    Json::json_pointer rest(pointer);
    while (!rest.empty()) {
        path = path.empty() ? rest.back() : rest.back() + "." + path;
        rest.pop_back();
    }
    return path.empty() ? "the project" : path;
}

/// A value as a sentence can take it.
std::string briefly(const Json& value) {
    return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// The first value below `pointer` that is not what an edit was made for.
std::string differenceOf(const std::string& pointer, const Json& now, const Json& expected) {
    const Json changes = Json::diff(expected, now);
    if (changes.empty()) {
        return fmt::format("{} was changed", dottedPath(pointer));
    }
    const std::string below = changes.front().at("path").get<std::string>();
    const Json::json_pointer at(below);
    const auto said = [&at](const Json& document) {
        return document.contains(at) ? briefly(document.at(at)) : std::string("not set");
    };
    return fmt::format("{} is {} now, but the edit was made for {}", dottedPath(pointer + below), said(now),
                       said(expected));
}

/// What stands in the way of this operation of a patch, as the start of a sentence.
std::string refusalOf(const Json& document, const Json& operation) {
    constexpr const char* kNoPatch = "The edit is not written as RFC 6902 (JSON Patch) wants it";
    if (!operation.is_object()) {
        return kNoPatch;
    }
    const auto op = operation.find("op");
    const auto path = operation.find("path");
    if (op == operation.end() || !op->is_string() || path == operation.end() || !path->is_string()) {
        return kNoPatch;
    }
    try {
        const Json::json_pointer pointer(path->get<std::string>());
        const std::string name = dottedPath(path->get<std::string>());
        const bool there = document.contains(pointer);
        const auto expected = operation.find("value");
        if (*op == "test" && expected != operation.end()) {
            return there ? differenceOf(path->get<std::string>(), document.at(pointer), *expected)
                         : fmt::format("{} is no longer there, and the edit was made for {}", name, briefly(*expected));
        }
        if (*op == "add") {
            return fmt::format("{} cannot be added: what would hold it is not there", name);
        }
        return there ? kNoPatch : fmt::format("{} is no longer there", name);
    } catch (const std::exception&) {
        return kNoPatch;
    }
}

}  // namespace

Result<Json> applyJsonPatch(const Json& document, const Json& patch) {
    try {
        return document.patch(patch);
    } catch (const std::exception&) {
        // Said below, by the operation that does not hold.
    }
    std::string reason = refusalOf(document, patch.is_array() ? Json() : patch);
    if (patch.is_array()) {
        Json state = document;
        for (const Json& operation : patch) {
            try {
                state = state.patch(Json::array({operation}));
            } catch (const std::exception&) {
                reason = refusalOf(state, operation);
                break;
            }
        }
    }
    return fail(ErrorKind::kInvalid, "patch-refused", reason, {},
                "Undo the change made since, or set in the project first what the run was started with (--set). Or "
                "make this edit by hand.");
}

std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates) {
    word = word.substr(0, kLongestWord);
    std::string best;
    std::size_t bestDistance = std::max<std::size_t>(2, word.size() / 3) + 1;
    std::vector<std::size_t> previous;
    std::vector<std::size_t> current;
    for (const std::string& candidate : candidates) {
        previous.resize(candidate.size() + 1);
        current.resize(candidate.size() + 1);
        for (std::size_t j = 0; j <= candidate.size(); ++j) {
            previous[j] = j;
        }
        for (std::size_t i = 1; i <= word.size(); ++i) {
            current[0] = i;
            for (std::size_t j = 1; j <= candidate.size(); ++j) {
                const std::size_t cost = std::tolower(word[i - 1]) == std::tolower(candidate[j - 1]) ? 0 : 1;
                current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost});
            }
            std::swap(previous, current);
        }
        if (previous[candidate.size()] < bestDistance) {
            bestDistance = previous[candidate.size()];
            best = candidate;
        }
    }
    return best;
}

}  // namespace plumbline
