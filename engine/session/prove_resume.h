#pragma once
// Whether a run goes on exactly: done again on a copy, from one of its checkpoints to a later one.

#include <functional>
#include <memory>
#include <string>

#include "core/error.h"
#include "core/json.h"
#include "session/training_session.h"
#include "store/compare_series.h"

namespace plumbline::session {

/// What came of it.
struct Proof {
    bool passed() const { return series.equal() && checkpoint.equal(); }
    std::int64_t fromStep = 0, toStep = 0;
    store::SeriesComparison series;   ///< of the run and its copy
    CheckpointComparison checkpoint;  ///< at toStep
};
/// {"verdict": "passed" or "differs", "from_step", "to_step", "compared", "first_difference"}
Json toJson(const Proof& proof);

/// Resumes a copy of the run in a temporary folder from its second newest whole checkpoint and trains to its newest;
/// compares losses, metrics, learning rates, weights, optimizer state and generators, bit for bit. The run itself is
/// only read. `follow` waits for the end of the training and may stop it. Needs two checkpoints of different steps, and
/// a run that nobody writes.
Result<Proof> proveResume(const project::Project& project, const std::filesystem::path& runFolder,
                          const std::shared_ptr<Engine>& engine,
                          const std::function<Result<RunSummary>(TrainingSession&)>& follow);

}  // namespace plumbline::session
