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
/// The project as it was when the run began.
Result<project::Project> projectOfRun(const project::Project& project, const store::RunInfo& run);
/// The checkpoint that --checkpoint names; empty: the best one of the run, else its newest.
Result<std::filesystem::path> checkpointOf(const store::RunInfo& run, const std::string& which);
void addCheckpointOption(CLI::App* command, std::string& which);
/// Of a checkpoint that turned out to be damaged: which other one can be asked for.
Error withOtherCheckpoint(Error error, const store::RunInfo& run, const std::filesystem::path& used);

void registerNew(CLI::App& app, Invocation& invocation);
void registerCheck(CLI::App& app, Invocation& invocation);
void registerData(CLI::App& app, Invocation& invocation);
void registerTrain(CLI::App& app, Invocation& invocation);
void registerUse(CLI::App& app, Invocation& invocation);
void registerRunQueries(CLI::App& app, Invocation& invocation);
void registerExport(CLI::App& app, Invocation& invocation);
void registerMachine(CLI::App& app, Invocation& invocation);
void registerLists(CLI::App& app, Invocation& invocation);

}  // namespace plumbline::cli
