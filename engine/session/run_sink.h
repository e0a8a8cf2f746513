#pragma once
// Where a run's numbers and events go. Called on the training thread only.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "diagnostics/finding.h"

namespace plumbline::session {

using SeriesId = std::uint32_t;

struct MetricPoint {
    SeriesId series = 0;
    std::int32_t epoch = 0;
    std::int64_t step = 0;
    double elapsedMs = 0;  ///< since the run began; a resumed run goes on counting
    double value = 0;
};

/// Bytes now and at most so far.
struct MemoryUse {
    std::int64_t current = 0, peak = 0;
};
/// What a run's tensors are for, as its summary names it.
constexpr std::array<std::string_view, 5> kMemoryParts{"parameters", "gradients", "optimizer_state", "activations",
                                                       "prefetch"};
/// All tensors, and each of kMemoryParts.
struct MemorySummary {
    MemoryUse tensors;
    std::array<MemoryUse, kMemoryParts.size()> parts{};
};

enum class RunState { kIdle, kPreparing, kRunning, kPaused, kStopping, kCompleted, kStopped, kFailed };
std::string_view toString(RunState state);

/// One line of the event file: state, epoch, finding, checkpoint, command, log.
struct Event {
    std::string event;
    double tMs = 0;
    Json data;  ///< further members
};
/// {"t_ms": …, "event": …, …data}
Json toJson(const Event& event);

class RunSink {
public:
    virtual ~RunSink() = default;
    /// Declares a series; the same name gives the same id, and a new stride is the series' from then on. `stride`:
    /// measured every so many steps; 0 = once an epoch.
    virtual SeriesId series(const std::string& name, std::int64_t stride) = 0;
    /// Cheap: appends to a buffer. Order is kept.
    virtual void metric(const MetricPoint& point) = 0;
    virtual void state(RunState state) = 0;
    virtual void event(Event event) = 0;
    virtual void finding(const diagnostics::Finding& finding) = 0;
    /// The record of automatic choices and versions; once, before the first step.
    virtual void record(const Json& choices) = 0;
    /// How far the run is, for a progress bar: at most every 50 ms.
    struct Progress {
        std::int64_t step = 0, totalSteps = 0, epoch = 0, totalEpochs = 0;
        double samplesPerSecond = 0, etaSeconds = 0;
        MemorySummary memory = {};
        std::int64_t applied = 0, skipped = 0;  ///< of the steps
    };
    virtual void progress(const Progress& progress) = 0;
    /// The run's one clock: milliseconds since it began, without the time between a stop and the resume.
    virtual double elapsedMs() const = 0;
    /// Resume from a checkpoint of this step that was written at `elapsedMs`, from where the clock goes on: forget
    /// every finding past the step, and every metric and event but commands past that moment of it. To be called once all state is
    /// restored: until then what is stored of the run's end stays.
    virtual void dropAfter(std::int64_t step, double elapsedMs) = 0;
    /// Everything handed over so far is on disk when this returns (called before a checkpoint is renamed into place).
    virtual Status flush() = 0;
};

}  // namespace plumbline::session
