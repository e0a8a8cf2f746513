#pragma once
// A run as the command line shows it: progress until its end, with the signals that stop it.

#include "cli/output.h"
#include "session/training_session.h"

namespace plumbline::cli {

/// Starts the run, shows how it goes on and waits for its end. The error is the run's; under --json it says where the
/// run is.
Result<session::RunSummary> followRun(session::TrainingSession& session, const Output& output);

}  // namespace plumbline::cli
