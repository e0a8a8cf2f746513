#pragma once
// Numbers of the command line that are none.

#include <CLI/CLI.hpp>
#include <string>

namespace plumbline::cli {

/// For options that a range or a sign checks: NaN is neither below nor above anything and would pass there.
inline CLI::Validator notNan() {
    return CLI::Validator(
        [](const std::string& text) {
            return text.find_first_of("nN") == std::string::npos ? std::string() : text + " is no number";
        },
        "");
}

}  // namespace plumbline::cli
