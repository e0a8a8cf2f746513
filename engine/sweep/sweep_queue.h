#pragma once
// Runs the trials of a sweep, so many at a time.

#include <functional>
#include <memory>

#include "core/error.h"
#include "core/run_control.h"
#include "sweep/sweep_file.h"

namespace plumbline::sweep {

/// What is to be done for a trial.
struct TrialTask {
    Trial trial;
    std::string runName;
    std::int64_t maxSteps = 0;  ///< of the run, from its first step; 0: to its end
};

struct TrialOutcome {
    bool interrupted = false;  ///< it has not ended and can go on later: it was stopped, or another process trains it
    std::string run;
    std::optional<double> value;
    std::string error;  ///< why it failed, or was left alone; "" otherwise
};

/// Called from several threads at once. A trial whose run is there already goes on with it.
using RunTrial = std::function<TrialOutcome(const TrialTask& task, RunControl& control)>;
/// After each change; from one thread at a time.
using TrialChanged = std::function<void(const Trial& trial)>;

class SweepQueue {
public:
    /// `file` outlives the queue.
    static Result<std::unique_ptr<SweepQueue>> make(SweepFile& file);
    ~SweepQueue();

    /// How many trials there will be.
    std::int64_t trials() const { return m_count; }
    /// Until all have ended, or a stop has been asked for, through `control` or by another process
    /// (SweepFile::requestStop), and those that run have ended. Trials that are finished are left alone, so that it
    /// goes on where an earlier call, or process, left it. The error is one of the file's, or "sweep-busy" while
    /// another process runs them; trials that fail are no error.
    Status run(int parallel, const RunTrial& runTrial, const TrialChanged& changed, RunControl& control);

private:
    struct Work;
    explicit SweepQueue(SweepFile& file) : m_file(file) {}

    SweepFile& m_file;
    std::unique_ptr<Sampler> m_sampler;
    std::int64_t m_count = 0;
    std::int64_t m_rungs = 1;
};

/// The best of those that have a value and did not fail; nothing where none has. Of halving, those count that got
/// furthest.
std::optional<Trial> bestTrial(const SweepPlan& plan, const std::vector<Trial>& trials);

}  // namespace plumbline::sweep
