#pragma once
// Exports a project with the weights of a checkpoint, or with the initial weights of its seed.

#include <functional>
#include <string>

#include "core/run_control.h"
#include "session/engine.h"

namespace plumbline::exporting {

/// Writes request.folder, which must not hold files yet, and verifies when asked to. The report of a verification that
/// does not hold is a success with passed = false.
Result<session::ExportReport> exportModel(const session::ExportRequest& request, RunControl& control,
                                          const std::function<void(const std::string&)>& progress);

}  // namespace plumbline::exporting
