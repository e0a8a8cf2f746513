#pragma once
// The report on compiled blocks (compile/compiled_model.h) for a person.

#include <string>
#include <vector>

#include "core/json.h"

namespace plumbline::cli {

/// A header and a row a unit; the last row is the whole model, where a block is compiled.
std::vector<std::vector<std::string>> compiledTable(const Json& report);
/// The same as lines, one a unit, and which calls ran eager.
std::vector<std::string> compiledLines(const Json& report);

}  // namespace plumbline::cli
