#pragma once
// A whole training run, from the project to its summary.

#include "core/error.h"
#include "core/run_control.h"
#include "session/engine.h"
#include "session/live_commands.h"
#include "session/run_sink.h"

namespace plumbline::train {

/// Blocks until the run ends. See session::Engine::train. Call in the thread that is to compute; all of the run's
/// numbers, events and states go to `sink` from there.
Result<session::RunSummary> train(const session::TrainRequest& request, session::RunSink& sink, RunControl& control,
                                  session::LiveCommands& live);

}  // namespace plumbline::train
