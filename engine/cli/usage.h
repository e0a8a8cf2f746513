#pragma once
// What is wrong with a command line, as a sentence with the next step.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/error.h"

namespace plumbline::cli {

/// `arguments` are those of main() without the program's name; `failure` is what parsing them ended in.
Error usageError(CLI::App& app, const CLI::ParseError& failure, const std::vector<std::string>& arguments);

}  // namespace plumbline::cli
