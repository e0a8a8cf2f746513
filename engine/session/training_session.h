#pragma once
// One run with its thread: what the window and the command line hold.

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "session/engine.h"
#include "session/run_sink.h"

namespace plumbline::session {

/// Points of the metric channel since the last drain. `dropped` counts what was decimated because the reader was slow;
/// the store has all of it.
struct MetricDrain {
    std::vector<MetricPoint> points;
    std::vector<std::string> seriesNames;  ///< all so far, by id
    std::uint64_t dropped = 0;
};

/// What a reader of the event queue gets: nothing is ever dropped.
struct SessionEvent {
    /// kResumed: the store holds what the run had up to its checkpoint, findings() likewise; the run goes on from
    /// there.
    enum class Kind { kState, kEvent, kFinding, kResumed, kFinished };
    Kind kind = Kind::kEvent;
    RunState state = RunState::kIdle;
    Event event;
    diagnostics::Finding finding;
    std::optional<RunSummary> summary;  ///< kFinished, unless failed
    std::optional<Error> error;         ///< kFinished after a failure
};

struct SessionOptions {
    project::Project project;
    std::filesystem::path runsFolder;  ///< project.folder / "runs"
    std::string runName;               ///< a person's name for it; may be empty
    std::string resumeRun;  ///< id; empty = a new run. A resumed run goes on with its own definition: of `project` the
                            ///< folder counts
    std::int64_t maxSteps = 0;
    std::optional<graph::Severity>
        failOn;  ///< stop with StopReason::kFinding at a finding this bad or worse, whenever it comes
    std::filesystem::path eventsFile;   ///< JSON lines; empty = none
    std::string commandLine;            ///< for the record
    std::optional<BranchPoint> branch;  ///< of a new run
    std::int64_t provesBatch = -1;      ///< of a resume: of a copy, to see whether the same comes again;
                                        ///< TrainRequest::provesBatch. stop.seconds does not count
    std::optional<std::string>
        repeats;  ///< id of the run that a new one repeats: its choices, and what was changed while it ran
};

/// Start, pause, resume, stop from any thread; drain from one. The training thread is at nice 10 when `background`.
class TrainingSession {
public:
    /// Makes (or opens) the run folder and its store; fails before anything starts if that cannot be done.
    static Result<std::unique_ptr<TrainingSession>> create(SessionOptions options, std::shared_ptr<Engine> engine);
    virtual ~TrainingSession() = default;  ///< stops and joins

    virtual void start(bool background) = 0;
    virtual RunControl& control() = 0;
    virtual void post(LiveCommand command) = 0;
    virtual RunState state() const = 0;
    virtual const std::string& runId() const = 0;
    virtual const std::filesystem::path& runFolder() const = 0;
    virtual RunSink::Progress progress() const = 0;

    virtual MetricDrain drainMetrics() = 0;
    virtual std::vector<SessionEvent> drainEvents() = 0;
    /// Waits for the end; the summary or the run's error.
    virtual Result<RunSummary> wait() = 0;
    virtual std::vector<diagnostics::Finding> findings() const = 0;
};

}  // namespace plumbline::session
