#pragma once
// Running another program, with its output kept and the stop button heard.

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run_control.h"

namespace plumbline {

struct ProcessResult {
    int exitCode = 0;
    std::string output;  ///< standard output and standard error together, the last 64 KiB
};

/// What a stop request does to the process and all it started.
enum class OnStop {
    kKill,      ///< kills it; the result is the error "stopped"
    kInterrupt  ///< SIGINT, once; what it ends with is the result
};

/// Waits for the end.
Result<ProcessResult> runProcess(const std::vector<std::string>& command, const std::filesystem::path& folder,
                                 RunControl& control, OnStop onStop = OnStop::kKill);

}  // namespace plumbline
