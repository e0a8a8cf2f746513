#pragma once
// What a command is: its arguments, and a function that runs once they are parsed.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/output.h"
#include "core/error.h"
#include "project/project.h"
#include "store/run_store.h"

/// The files of commands/, in the order of --help: one line a file.
#define PLUMBLINE_COMMANDS(X) \
    X(New)                    \
    X(Check)                  \
    X(Data)                   \
    X(Schedule)               \
    X(Train)                  \
    X(Tell)                   \
    X(Sweep)                  \
    X(Probe)                  \
    X(Reproduce)              \
    X(Use)                    \
    X(Compile)                \
    X(Trust)                  \
    X(RunQueries)             \
    X(Export)                 \
    X(Machine)                \
    X(Lists)

namespace plumbline::cli {

/// Filled in by the command that was named; main runs it. The result is the exit code.
struct Invocation {
    bool json = false;
    std::string commandLine;
    std::function<Result<int>(const Output&)> run;
};

/// Opens the project and applies --set a.b=v in order.
Result<project::Project> openWithSettings(const std::string& path, const std::vector<std::string>& settings);
/// The run of a project that RUN names.
Result<store::RunInfo> findRunOf(const project::Project& project, const std::string& run);
/// A run whose model is to be used.
struct UsedRun {
    store::RunInfo info;
    std::vector<std::string> criticalFindings;  ///< detectors of those that are open, each once
};
/// The run of a project, opened as `asked`, that RUN names. Says on standard error which run `best` or `latest` is, and
/// which critical findings are open.
Result<UsedRun> findRunToUse(const project::Project& project, const std::string& asked, const std::string& run,
                             const Output& output);
/// The project as it was when the run began.
Result<project::Project> projectOfRun(const project::Project& project, const store::RunInfo& run);
/// The checkpoint that --checkpoint names; empty: the best one of the run, else its newest.
Result<std::filesystem::path> checkpointOf(const store::RunInfo& run, const std::string& which);
void addCheckpointOption(CLI::App* command, std::string& which);
/// Of a checkpoint that turned out to be damaged: which other one can be asked for.
Error withOtherCheckpoint(Error error, const store::RunInfo& run, const std::filesystem::path& used);

#define PLUMBLINE_DECLARE(group) void register##group(CLI::App& app, Invocation& invocation);
PLUMBLINE_COMMANDS(PLUMBLINE_DECLARE)
#undef PLUMBLINE_DECLARE

}  // namespace plumbline::cli
