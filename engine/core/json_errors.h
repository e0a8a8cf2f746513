#pragma once
// What readers say of a value that they cannot take: each refusal has its next step.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace plumbline {

/// What to do about a value that had to be `wanted` ("a number", "a list of columns"): "Write a number without quotes,
/// as 0.5."
std::string howToWrite(std::string_view wanted);
/// A value of another type than its reader takes, with howToWrite() as the hint.
Error wrongTypeError(const std::string& pointer, std::string_view wanted, const Json& value);
/// A key that has to be there and is not; `example`: the member as it may be written, `"path": "data.csv"`.
Error missingKeyError(const std::string& pointer, std::string_view example);
/// The next step for a key that is not known and like none that is.
inline constexpr const char* kRemoveIt = "Remove it.";
/// A key that is none of `known`.
Error unknownKeyError(const std::string& pointer, std::string_view key, const std::vector<std::string>& known);
/// The word that nearestWord() found as a question; `otherwise` where it found none.
std::string didYouMean(const std::string& nearest, std::string otherwise);
/// The same with the nearest of `known`, else the only one that begins so.
std::string didYouMean(std::string_view word, const std::vector<std::string>& known, std::string otherwise);
/// What writeJsonFile() writes; a text in it that is not UTF-8 is an error that names `file`.
Result<std::string> textForFile(const std::filesystem::path& file, const Json& value);

}  // namespace plumbline
