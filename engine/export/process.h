#pragma once
// Running a compiler or an exported program, with its output kept and the stop button heard.

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run_control.h"

namespace plumbline::exporting {

struct ProcessResult {
    int exitCode = 0;
    std::string output;  ///< standard output and standard error together, the last 64 KiB
};

/// Waits for the end; a stop request kills the process and all it started.
Result<ProcessResult> runProcess(const std::vector<std::string>& command, const std::filesystem::path& folder, RunControl& control);

}  // namespace plumbline::exporting
