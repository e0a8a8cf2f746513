#pragma once
// Whether the threads that a project asks for fit the machine.

#include <cstdint>
#include <optional>

#include "graph/problem.h"
#include "project/project.h"

namespace plumbline::project {

/// "threads-above-cores": training.threads asks for more than `cores`, the processors that this process may use.
/// Threads then wait for each other in every operation: the run is slower, and what is asked of it (a stop, SIGTERM)
/// waits for a batch that takes long. Nothing `onCuda`, where operations are not the processors' work.
std::optional<graph::Problem> threadsAboveCores(const Project& project, std::int64_t cores, bool onCuda);
/// Whether a run of the project may be on CUDA, before LibTorch is asked: with training.device "auto" where there is a
/// driver.
bool mayBeOnCuda(const Project& project, bool hasDriver);

}  // namespace plumbline::project
