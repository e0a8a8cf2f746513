#pragma once
// A run's summary as JSON: what the store keeps and `train --json` prints.

#include "session/engine.h"

namespace plumbline::session {

/// status, stop_reason, epochs, steps, metrics, checkpoint, best_checkpoint, throughput, peak_memory_bytes, memory,
/// seconds
Json toJson(const RunSummary& summary);

}  // namespace plumbline::session
