#pragma once
// A leaf's resolved parameters as C++ values. A missing or null entry gives the fallback.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace plumbline::model {

/// A whole number that has to be there; throws std::invalid_argument with a sentence when it is not.
std::int64_t requiredInteger(const Json& params, const char* key);
std::int64_t integerOr(const Json& params, const char* key, std::int64_t fallback);
std::optional<std::int64_t> optionalInteger(const Json& params, const char* key);
double numberOr(const Json& params, const char* key, double fallback);
bool booleanOr(const Json& params, const char* key, bool fallback);
std::string textOr(const Json& params, const char* key, const std::string& fallback);

/// `count` whole numbers from one integer or a list of `count`.
std::vector<std::int64_t> integers(const Json& params, const char* key, std::size_t count,
                                   std::optional<std::int64_t> fallback);
/// A list of any length, or one integer as a list of one; throws when it is missing.
std::vector<std::int64_t> integerList(const Json& params, const char* key);
bool isGiven(const Json& params, const char* key);

}  // namespace plumbline::model
