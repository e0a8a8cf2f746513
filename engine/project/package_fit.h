#pragma once
// Blocks that run packages, against the files that they name. Nothing of a package is run here.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/aoti_package.h"
#include "graph/resolve.h"
#include "project/project.h"

namespace plumbline::project {

struct PackageUse {
    std::string block;           ///< path
    std::filesystem::path file;  ///< from the project's folder, absolute where that is
};
/// In the order of the model.
std::vector<PackageUse> packagesOf(const graph::ResolvedModel& model, const std::filesystem::path& folder);

/// What packages say of themselves, for one look at a project: many blocks with one file read it once. A file that has
/// changed by what the system says of it (size, times, which file it is) is read again.
class PackageReader {
public:
    using Read = std::function<Result<AotiPackage>(const std::filesystem::path& file, const std::string& model)>;
    explicit PackageReader(Read read = readAotiPackage) : m_read(std::move(read)) {}

    Result<AotiPackage> read(const std::filesystem::path& file, const std::string& model);

private:
    Read m_read;
    std::map<std::string, Result<AotiPackage>> m_known;
};

/// A file that is not there or no package, or that was compiled for another device or machine than the run's.
std::vector<graph::Problem> packageProblems(const Project& project, const graph::ResolvedModel& model);

/// The model as model/ builds it: packages are named by whole paths, and "trust_command" is what a person types to
/// trust one.
graph::ResolvedModel withPlacedPackages(graph::ResolvedModel model, const std::filesystem::path& folder);

}  // namespace plumbline::project
