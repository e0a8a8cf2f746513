#pragma once
// Blocks that run packages, against the files that they name. Nothing of a package is run here.

#include <filesystem>
#include <string>
#include <vector>

#include "graph/resolve.h"
#include "project/project.h"

namespace plumbline::project {

struct PackageUse {
    std::string block;           ///< path
    std::filesystem::path file;  ///< from the project's folder, absolute where that is
};
/// In the order of the model.
std::vector<PackageUse> packagesOf(const graph::ResolvedModel& model, const std::filesystem::path& folder);

/// A file that is not there or no package, or that was compiled for another device or machine than the run's.
std::vector<graph::Problem> packageProblems(const Project& project, const graph::ResolvedModel& model);

/// The model as model/ builds it: packages are named by whole paths, and "trust_command" is what a person types to
/// trust one.
graph::ResolvedModel withPlacedPackages(graph::ResolvedModel model, const std::filesystem::path& folder);

}  // namespace plumbline::project
