#pragma once
// What a part of project.json means, whatever of it is stated and whatever is left to its default.

#include <string>

#include "core/json.h"

namespace plumbline::project {

/// The settings at and below a JSON pointer, as {"dotted.path": value}: as stated, else their defaults; elements of a
/// list with theirs. Where no setting stands, as in /model or /data/sources, what is written there. Equal for two
/// documents that mean the same.
Json effectiveAt(const Json& json, const std::string& pointer);

}  // namespace plumbline::project
