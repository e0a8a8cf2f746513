#pragma once
// What is wrong with a project, where, and how it can be mended.

#include <string>
#include <vector>

#include "core/json.h"

namespace plumbline::graph {

enum class Severity { kInfo, kWarning, kCritical };
std::string_view toString(Severity severity);

/// An edit that mends a problem: a JSON Patch on project.json whose first operations test the old values.
struct Remedy {
    std::string title;                 ///< a verb first: "Set in_channels to 16"
    Json patch;                        ///< RFC 6902; empty when it is advice only
    std::string applies = "next_run";  ///< "live" or "next_run"
};

struct Problem {
    Severity severity = Severity::kCritical;
    std::string code;     ///< "shape-mismatch", "implicit-broadcast", …
    std::string block;    ///< path of the block, "" for the project
    std::string pointer;  ///< JSON pointer in project.json
    std::string message;
    std::vector<Remedy> remedies;
};

Json toJson(const Remedy& remedy);
Json toJson(const Problem& problem);

}  // namespace plumbline::graph
