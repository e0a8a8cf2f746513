#pragma once
// Whether settings that are tried with several values change anything.

#include <string>
#include <vector>

#include "graph/problem.h"
#include "project/project.h"

namespace plumbline::project {

/// A setting and the values that it is tried with, as withSetting() takes them; of a range its ends.
struct VariedSetting {
    std::string path;
    std::vector<std::string> values;
};

/// A warning ("varied-without-effect") for each setting that nothing reads, whichever of their values the others have:
/// the momentum of AdamW, but not where the optimizer is varied as well and one of its choices has a momentum. Silent
/// about a setting that it does not know.
std::vector<graph::Problem> variedWithoutEffect(const Project& project, const std::vector<VariedSetting>& varied);

}  // namespace plumbline::project
